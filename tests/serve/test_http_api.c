/* What is behind the routes of the HTTP side, with a real curator over the small hospital, whose epsilon is so large that
 * counts are true (forty patients). Every request of this file is noted, and at the end the OpenAPI document, which the server
 * gave at the beginning, is held against the notes: every path, method, parameter and status that it names was tried, and
 * nothing came that it does not name. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/history.h"
#include "policy/policy.h"
#include "serve/http_api.h"
#include "tests/support/http_client.h"
#include "tests/support/small_hospital.h"

#define COUNT   "SELECT count(*) AS n FROM patients"
#define UNNAMED "SELECT count(*) AS n FROM patients WHERE age > 3"

static struct small_hospital hospital;
static struct curator *curator;
static struct random *noise, *drying; /* of the test; of the curator */
static struct work *work;
static struct journal *journal;
static struct tries *tries;
static struct http_api *api;
static uint16_t port;
static char users[USERS_PATH_BYTES], log_path[200];
static char alice[USERS_TOKEN_TEXT], bob[USERS_TOKEN_TEXT], olga[USERS_TOKEN_TEXT], mallory[USERS_TOKEN_TEXT];
static json_t *document;

/* ---- A source of secret bits that can run dry, a clock that stands ---- */

static atomic_bool dry;
static atomic_llong now_is;

static status refill(void *context, unsigned char *bytes, size_t count, error *why)
{
    static uint64_t word = 7;
    (void)context;
    if (dry)
        return fail(why, DITHER_NO_ENTROPY, "no entropy");
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)((word = word * 6364136223846793005u + 1442695040888963407u) >> 56);
    return DITHER_OK;
}

static int64_t stand_in_clock(void)
{
    return now_is;
}

/* ---- The server ---- */

struct new_token {
    const char *name;
    enum serve_role role;
    char *text;
    struct random *random;
};

static status add_token(struct users *list, void *context, error *why)
{
    const struct new_token *wanted = context;
    const struct token *made = NULL;
    return users_token_create(list, wanted->name, wanted->role, wanted->random, wanted->text, &made, why);
}

static status make_tokens(error *why)
{
    const struct new_token list[] = {{"alice", ROLE_ANALYST, alice, noise},
                                     {"bob", ROLE_ANALYST, bob, noise},
                                     {"mallory", ROLE_ANALYST, mallory, noise},
                                     {"olga", ROLE_OWNER, olga, noise}};
    TRY(users_path(hospital.policy, users, why));
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct new_token one = list[i];
        TRY(users_edit(users, noise, add_token, &one, why));
    }
    return DITHER_OK;
}

static status open_all(size_t most_waiting, error *why)
{
    TRY(work_start(&(struct work_options){&curator, 1, most_waiting}, &work, why));
    TRY(http_api_open(&(struct http_api_options){.place = {.host = "127.0.0.1"},
                                                 .users_path = users,
                                                 .work = work,
                                                 .journal = journal,
                                                 .tries = tries},
                      &api, why));
    port = http_port(http_api_daemon(api));
    return DITHER_OK;
}

static void close_all(void)
{
    work_stop(work);
    http_api_close(api);
    work = NULL;
    api = NULL;
}

static status prepare(error *why)
{
    struct random_source source = {.refill = refill};
    TRY(random_open_source(source, &noise, why));
    TRY(random_open_source(source, &drying, why));
    TRY(make_tokens(why));
    TRY(curator_open(hospital.policy, &(struct curator_options){.engine.threads = 1, .random = drying},
                     &curator, why));
    snprintf(log_path, sizeof log_path, "%s/questions", hospital.folder);
    TRY(journal_open(&(struct journal_options){.path = log_path}, &journal, why));
    TRY(tries_new(noise, stand_in_clock, &tries, why));
    return open_all(100, why);
}

static int set_up(void **state)
{
    (void)state;
    error why = {.message = ""};
    small_hospital_make(&hospital,
                        &(struct small_hospital_options){
                            .budget = "  epsilon: 100000000\n"
                                      "  per_question: 10000\n"
                                      "  max_per_question: 1000000\n",
                            .analysts = "  alice: {epsilon: 50000000}\n  bob: {epsilon: 20000}\n"});
    if (prepare(&why) != DITHER_OK)
        print_error("%s\n", why.message);
    return api != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    close_all();
    curator_close(curator);
    journal_close(journal);
    tries_free(tries);
    random_close(noise);
    random_close(drying);
    small_hospital_remove(&hospital);
    json_decref(document);
    return 0;
}

/* ---- Requests, all of them noted ---- */

enum { MOST_NOTES = 500 };
static struct note {
    char method[8], path[64], query[64], header[32];
    int code;
} notes[MOST_NOTES];
static size_t note_count;

static void take_note(const char *method, const char *path, const char *headers, int code)
{
    struct note *note = &notes[note_count++];
    assert_true(note_count < MOST_NOTES);
    size_t cut = strcspn(path, "?");
    snprintf(note->method, sizeof note->method, "%s", method);
    snprintf(note->path, sizeof note->path, "%.*s", (int)cut, path);
    snprintf(note->query, sizeof note->query, "%s", path[cut] == '?' ? path + cut + 1 : "");
    snprintf(note->header, sizeof note->header, "%s",
             strstr(headers, "Idempotency-Key") != NULL ? "Idempotency-Key" : "");
    note->code = code;
}

struct request {
    const char *method, *path, *token, *body;
    const char *headers; /* beside the usual ones */
};

static struct http_answer send_request(const struct request *request)
{
    char headers[600];
    int length = snprintf(headers, sizeof headers, "%s", request->headers != NULL ? request->headers : "");
    if (request->token != NULL)
        length += snprintf(headers + length, sizeof headers - (size_t)length, "Authorization: Bearer %s\r\n",
                           request->token);
    if (request->body != NULL &&
        (request->headers == NULL || strstr(request->headers, "Content-Type") == NULL))
        snprintf(headers + length, sizeof headers - (size_t)length, "Content-Type: application/json\r\n");
    struct http_answer answer = http_client_ask(port, request->method, request->path, headers, request->body);
    take_note(request->method, request->path, headers, answer.code);
    return answer;
}

/* The answer as JSON; its code is as expected, and so is the error's word, if one is. The caller frees it. */
static json_t *expect(struct request request, int code, const char *word)
{
    struct http_answer answer = send_request(&request);
    json_t *tree = json_loads(answer.body, JSON_REJECT_DUPLICATES, NULL);
    const char *said = NULL;
    if (tree != NULL)
        (void)json_unpack(tree, "{s:{s:s}}", "error", "code", &said);
    if (answer.code != code || (word != NULL && (said == NULL || strcmp(said, word) != 0)))
        fail_msg("%s %s: %d %s", request.method, request.path, answer.code, answer.body);
    if (code != 200) { /* the shape of every refusal */
        const char *message = NULL;
        assert_int_equal(json_unpack(tree, "{s:{s:s,s:s}}", "error", "code", &said, "message", &message), 0);
    }
    http_answer_free(&answer);
    return tree;
}

static void refuses(struct request request, int code, const char *word)
{
    json_decref(expect(request, code, word));
}

static json_t *post(const char *path, const char *token, const char *body)
{
    return expect((struct request){"POST", path, token, body, NULL}, 200, NULL);
}

static json_t *get(const char *path, const char *token)
{
    return expect((struct request){"GET", path, token, NULL, NULL}, 200, NULL);
}

static json_int_t single(json_t *answer)
{
    json_int_t count = -1;
    assert_int_equal(json_unpack(answer, "{s:[[I]]}", "rows", &count), 0);
    json_decref(answer);
    return count;
}

/* ---- Questions ---- */

static void a_question_is_answered_as_the_design_has_it(void **state)
{
    (void)state;
    json_t *answer = post("/v1/ask", alice, "{\"question\": \"" COUNT "\"}");
    const char *name = NULL, *type = NULL, *mechanism = NULL;
    double confidence = 0, epsilon = 0, left = 0;
    json_int_t count = 0, lower = 0, upper = 0;
    int cached = 1;
    assert_int_equal(
        json_unpack(answer, "{s:[{s:s,s:s,s:{s:s}}],s:[[I]],s:[[[I,I]]],s:F,s:{s:F,s:b},s:{s:F}}", "columns",
                    "name", &name, "type", &type, "noise", "mechanism", &mechanism, "rows", &count,
                    "intervals", &lower, &upper, "confidence", &confidence, "cost", "epsilon", &epsilon,
                    "cached", &cached, "remaining", "epsilon", &left),
        0);
    assert_string_equal(name, "n");
    assert_string_equal(type, "bigint");
    assert_string_equal(mechanism, "geometric");
    assert_int_equal(count, 40);
    assert_true(lower <= 40 && upper >= 40);
    assert_true(confidence == 0.95 && epsilon == 10000 && left == 50000000 - 10000);
    assert_false(cached);
    json_decref(answer);
    answer = post("/v1/ask", alice, "{\"question\": \"" COUNT "\"}");
    assert_int_equal(json_unpack(answer, "{s:{s:F,s:b}}", "cost", "epsilon", &epsilon, "cached", &cached), 0);
    assert_true(epsilon == 0 && cached == 1);
    json_decref(answer);
}

static void parameters_are_values_of_their_own_types(void **state)
{
    (void)state;
    json_int_t older =
        single(post("/v1/ask", alice, "{\"question\": \"SELECT count(*) FROM patients WHERE age > 30\"}"));
    assert_int_equal(
        single(
            post("/v1/ask", alice,
                 "{\"question\": \"SELECT count(*) FROM patients WHERE age > $1\", \"parameters\": [30]}")),
        older);
    assert_int_equal(
        single(post(
            "/v1/ask", alice,
            "{\"question\": \"SELECT count(*) FROM patients WHERE age > $1\", \"parameters\": [\"30\"]}")),
        older);
    assert_int_equal(
        single(post("/v1/ask", alice,
                    "{\"question\": \"SELECT count(*) FROM patients WHERE age > $1 AND $2 AND $3 IS NULL\","
                    " \"parameters\": [29.5, true, null]}")),
        older);
    refuses((struct request){"POST", "/v1/ask", alice,
                             "{\"question\": \"SELECT count(*) FROM patients WHERE age > $1\"}", NULL},
            422, "missing_parameter");
    refuses((struct request){"POST", "/v1/ask", alice, "{\"question\": \"SELECT $1\", \"parameters\": [[1]]}",
                             NULL},
            400, "not_understood");
    refuses(
        (struct request){"POST", "/v1/ask", alice, "{\"question\": \"SELECT $1\", \"parameters\": 1}", NULL},
        400, "not_understood");
}

static void the_knobs_are_those_of_a_session_and_tenths_are_exact(void **state)
{
    (void)state;
    double epsilon = 0, confidence = 0;
    json_t *answer =
        post("/v1/ask", alice,
             "{\"question\": \"" COUNT "\", \"epsilon\": 0.1, \"confidence\": 0.9, \"other\": false,"
             " \"non_negative\": true, \"max_groups\": null, \"max_rows\": 1}");
    assert_int_equal(
        json_unpack(answer, "{s:F,s:{s:F}}", "confidence", &confidence, "cost", "epsilon", &epsilon), 0);
    assert_true(epsilon == 0.1 && confidence == 0.9);
    json_decref(answer);
    answer = post("/v1/ask", alice, "{\"question\": \"" UNNAMED "\", \"error\": 50}");
    assert_int_equal(json_unpack(answer, "{s:{s:F}}", "cost", "epsilon", &epsilon), 0);
    assert_true(epsilon > 0 && epsilon < 1);
    json_decref(answer);
    answer = post("/v1/ask", alice,
                  "{\"question\": \"SELECT avg(age) FROM patients\", \"error\": \"5%\", \"size\": 40}");
    json_decref(answer);
}

static void what_is_not_a_question_is_not_understood(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "",
        "{",
        "[]",
        "\"SELECT 1\"",
        "{}",
        "{\"question\": 5}",
        "{\"question\": \"SELECT 1\", \"question\": \"SELECT 2\"}",
        "{\"question\": \"SELECT 1\", \"epsilonn\": 1}",
        "{\"question\": \"SELECT 1\", \"epsilon\": 0}",
        "{\"question\": \"SELECT 1\", \"epsilon\": -1}",
        "{\"question\": \"SELECT 1\", \"epsilon\": \"much\"}",
        "{\"question\": \"SELECT 1\", \"epsilon\": [1]}",
        "{\"question\": \"SELECT 1\", \"epsilon\": 1e999}",
        "{\"question\": \"SELECT 1\", \"delta\": 1}",
        "{\"question\": \"SELECT 1\", \"confidence\": 1}",
        "{\"question\": \"SELECT 1\", \"max_rows\": 0}",
        "{\"question\": \"SELECT 1\", \"max_rows\": 99999999999999999999999}",
        "{\"question\": \"SELECT \\u0000\"}",
        "{\"question\": \"\xff\"}",
        "{\"question\": \"SELECT 1\", \"parameters\": [12345678901234567890123]}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        refuses((struct request){"POST", "/v1/ask", alice, bodies[i], NULL}, 400, "not_understood");
        refuses((struct request){"POST", "/v1/explain", alice, bodies[i], NULL}, 400, "not_understood");
    }
}

static void a_refused_question_says_where_and_what_else(void **state)
{
    (void)state;
    json_t *answer = expect((struct request){"POST", "/v1/ask", alice,
                                             "{\"question\": \"SELECT count(agee) FROM patients\"}", NULL},
                            422, "unknown_column");
    json_int_t position = 0;
    const char *hint = NULL, *state_code = NULL;
    assert_int_equal(json_unpack(answer, "{s:{s:I,s:s,s:s}}", "error", "position", &position, "hint", &hint,
                                 "sqlstate", &state_code),
                     0);
    assert_int_equal(position, 14);
    assert_string_equal(hint, "did you mean \"age\"?");
    assert_string_equal(state_code, "42703");
    json_decref(answer);
    refuses((struct request){"POST", "/v1/ask", alice, "{\"question\": \"SELECT FROM FROM\"}", NULL}, 422,
            "syntax_error");
    refuses((struct request){"POST", "/v1/ask", alice, "{\"question\": \"SELECT * FROM patients\"}", NULL},
            422, "not_available");
    refuses(
        (struct request){"POST", "/v1/explain", alice, "{\"question\": \"SELECT * FROM patients\"}", NULL},
        422, "not_available");
    refuses((struct request){"POST", "/v1/ask", alice, "{\"question\": \"DROP TABLE patients\"}", NULL}, 422,
            "not_available");
    refuses(
        (struct request){"POST", "/v1/ask", alice, "{\"question\": \"" COUNT "\", \"epsilon\": 1e7}", NULL},
        403, "budget_reached");
}

static void an_explanation_costs_nothing(void **state)
{
    (void)state;
    double before = 0, after = 0, cost = 0;
    json_t *answer = get("/v1/budget", alice);
    assert_int_equal(json_unpack(answer, "{s:{s:F}}", "left", "epsilon", &before), 0);
    json_decref(answer);
    answer = post("/v1/explain", alice, "{\"question\": \"SELECT count(*) FROM visits\"}");
    assert_int_equal(json_unpack(answer, "{s:{s:F}}", "cost", "epsilon", &cost), 0);
    assert_true(cost == 10000);
    json_decref(answer);
    answer = get("/v1/budget", alice);
    assert_int_equal(json_unpack(answer, "{s:{s:F}}", "left", "epsilon", &after), 0);
    json_decref(answer);
    assert_true(before == after);
}

/* ---- Idempotency-Key ---- */

#define KEYED "{\"question\": \"SELECT count(*) FROM patients WHERE age < 50\", \"epsilon\": 0.01}"

static struct request keyed(const char *key, const char *body, const char *token)
{
    return (struct request){"POST", "/v1/ask", token, body, key};
}

static void a_retry_gets_the_stored_answer_and_another_question_does_not(void **state)
{
    (void)state;
    static const char key[] = "Idempotency-Key: \"first\"\r\n";
    json_t *first = expect(keyed(key, KEYED, bob), 200, NULL);
    json_t *again = expect(keyed("Idempotency-Key: first\r\n", KEYED, bob), 200, NULL);
    assert_true(json_equal(json_object_get(first, "rows"), json_object_get(again, "rows")));
    assert_true(json_equal(json_object_get(first, "remaining"), json_object_get(again, "remaining")));
    json_decref(first);
    json_decref(again);
    refuses(keyed(key, "{\"question\": \"SELECT count(*) FROM patients WHERE age < 51\", \"epsilon\": 0.01}",
                  bob),
            422, "request_id_taken");
    refuses(keyed(key, "{\"question\": \"SELECT count(*) FROM patients WHERE age < 50\", \"epsilon\": 0.02}",
                  bob),
            422, "request_id_taken");
    refuses(keyed(key, KEYED, alice), 422, "request_id_taken");
    refuses(keyed("Idempotency-Key: \"\"\r\n", KEYED, bob), 400, "not_understood");
    char longest[260];
    snprintf(longest, sizeof longest, "Idempotency-Key: %0201d\r\n", 7);
    refuses(keyed(longest, KEYED, bob), 400, "not_understood");
}

/* ---- What there is to know ---- */

static const json_t *named(const json_t *list, const char *name)
{
    size_t index = 0;
    json_t *one = NULL;
    json_array_foreach(list, index, one) if (strcmp(json_string_value(json_object_get(one, "name")), name) ==
                                             0) return one;
    return NULL;
}

static void the_schema_is_the_policy_and_nothing_else(void **state)
{
    (void)state;
    json_t *schema = get("/v1/schema", alice);
    struct arena arena;
    const struct policy *policy = NULL;
    arena_init(&arena, POLICY_ARENA_BYTES);
    assert_int_equal(policy_read(hospital.policy, &arena, &policy, NULL), DITHER_OK);
    const json_t *tables = json_object_get(schema, "tables");
    assert_int_equal(json_array_size(tables), policy->table_count);
    for (size_t i = 0; i < policy->table_count; i++) {
        const json_t *table = named(tables, policy->tables[i].name);
        const json_t *columns = json_object_get(table, "columns");
        assert_int_equal(json_array_size(columns), policy->tables[i].column_count);
        for (size_t k = 0; k < policy->tables[i].column_count; k++) {
            const struct policy_column *column = &policy->tables[i].columns[k];
            const json_t *shown = named(columns, column->name);
            assert_int_equal(json_array_size(json_object_get(shown, "values")), column->value_count);
            assert_int_equal(json_array_size(json_object_get(shown, "range")), column->has_range ? 2 : 0);
        }
    }
    const json_t *age = named(json_object_get(named(tables, "patients"), "columns"), "age");
    assert_string_equal(json_string_value(json_object_get(age, "type")), "bigint");
    arena_free(&arena);
    json_decref(schema);
}

static void an_analyst_sees_his_own_budget_and_the_owner_everybodys(void **state)
{
    (void)state;
    const char *name = NULL;
    double limit = 0, spent = 0, left = 0;
    json_t *own = get("/v1/budget", bob);
    assert_int_equal(json_unpack(own, "{s:s,s:{s:F},s:{s:F},s:{s:F}}", "analyst", &name, "limit", "epsilon",
                                 &limit, "spent", "epsilon", &spent, "left", "epsilon", &left),
                     0);
    assert_string_equal(name, "bob");
    assert_true(limit == 20000 && spent == 0.01 && left == 19999.99);
    assert_null(json_object_get(own, "analysts"));
    assert_null(json_object_get(own, "blocks"));
    json_decref(own);
    json_t *all = get("/v1/budget", olga);
    const json_t *hers = named(json_object_get(all, "analysts"), "bob");
    assert_int_equal(json_unpack((json_t *)(uintptr_t)hers, "{s:{s:F}}", "spent", "epsilon", &spent), 0);
    assert_true(spent == 0.01);
    assert_non_null(named(json_object_get(all, "analysts"), "alice"));
    json_decref(all);
}

static void an_analyst_sees_his_own_questions_page_by_page(void **state)
{
    (void)state;
    json_decref(expect(keyed(NULL, "{\"question\": \"SELECT count(*) FROM patients WHERE age < 20\"}", bob),
                       200, NULL));
    json_t *page = get("/v1/history?limit=1", bob);
    json_int_t number = 0, next = 0;
    const char *question = NULL, *request = NULL;
    assert_int_equal(json_unpack(page, "{s:[{s:I,s:s}],s:I}", "questions", "number", &number, "question",
                                 &question, "next", &next),
                     0);
    assert_int_equal(number, 2); /* his own are counted, not everybody's */
    assert_string_equal(question, "SELECT count(*) FROM patients WHERE age < 20");
    assert_int_equal(next, 2);
    json_decref(page);
    page = get("/v1/history?before=2&limit=500", bob);
    assert_int_equal(json_array_size(json_object_get(page, "questions")), 1);
    assert_int_equal(json_unpack(page, "{s:[{s:I,s:s,s:s}],s:n}", "questions", "number", &number, "question",
                                 &question, "request", &request, "next"),
                     0);
    assert_string_equal(request, "first");
    assert_int_equal(number, 1);
    json_decref(page);
    page = get("/v1/history", olga);
    size_t index = 0, bobs = 0, alices = 0;
    json_t *one = NULL;
    json_array_foreach(json_object_get(page, "questions"), index, one)
    {
        const char *who = json_string_value(json_object_get(one, "analyst"));
        bobs += who != NULL && strcmp(who, "bob") == 0;
        alices += who != NULL && strcmp(who, "alice") == 0;
    }
    assert_true(bobs == 2 && alices > 2);
    json_decref(page);
    refuses((struct request){"GET", "/v1/history?limit=0", bob, NULL, NULL}, 400, "not_understood");
    refuses((struct request){"GET", "/v1/history?limit=501", bob, NULL, NULL}, 400, "not_understood");
    refuses((struct request){"GET", "/v1/history?before=x", bob, NULL, NULL}, 400, "not_understood");
}

static void metrics_tell_the_owner_of_spending_and_load(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\ndither_budget_limit{holder=\"analyst\",name=\"bob\",component=\"epsilon\"} 20000\n",
        "\ndither_budget_spent{holder=\"analyst\",name=\"bob\",component=\"epsilon\"} 10000.01\n",
        "\ndither_questions_total{via=\"http\",did=\"explain\",outcome=\"answered\"} 1\n",
        "\ndither_workers 1\n",
        "\ndither_stopped 0\n",
        "\n# TYPE dither_http_requests_total counter\n",
    };
    struct http_answer answer = send_request(&(struct request){"GET", "/metrics", olga, NULL, NULL});
    assert_int_equal(answer.code, 200);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!http_answer_says(&answer, lines[i]))
            fail_msg("not in the metrics: %s", lines[i]);
    for (const char *line = answer.body, *end = NULL; *line != '\0'; line = end + 1) {
        char *stop = NULL;
        end = strchr(line, '\n');
        assert_non_null(end);
        const char *value = memrchr(line, ' ', (size_t)(end - line));
        assert_true(value != NULL && (line[0] == '#' || (strtod(value, &stop) >= 0 && stop == end)));
    }
    http_answer_free(&answer);
}

/* ---- The log ---- */

static void the_log_has_who_what_and_what_came_of_it_and_no_value(void **state)
{
    (void)state;
    struct stat facts;
    char line[4096];
    size_t lines = 0, refused = 0, answered = 0;
    assert_int_equal(stat(log_path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        static const char *const known[] = {"time",    "via",     "who",  "role", "did",    "question",
                                            "request", "outcome", "code", "cost", "seconds"};
        json_t *entry = json_loads(line, 0, NULL);
        const char *key = NULL, *outcome = NULL, *who = NULL;
        json_t *value = NULL;
        assert_non_null(entry);
        json_object_foreach(entry, key, value)
        {
            bool found = false;
            for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                found = found || strcmp(key, known[i]) == 0;
            assert_true(found);
        }
        assert_int_equal(json_unpack(entry, "{s:s,s:s}", "outcome", &outcome, "who", &who), 0);
        refused += strcmp(outcome, "refused") == 0;
        answered += strcmp(outcome, "answered") == 0;
        lines++;
        json_decref(entry);
    }
    fclose(file);
    assert_true(lines > 20 && refused > 5 && answered > 5);
}

static void the_log_is_opened_anew_and_may_be_without_texts(void **state)
{
    (void)state;
    char moved[220], path[220], text[2000] = "";
    struct journal *silent = NULL;
    struct curator_question question = {.text = "SELECT 'secret text'"};
    error why;
    snprintf(moved, sizeof moved, "%s.1", log_path);
    assert_int_equal(rename(log_path, moved), 0);
    assert_int_equal(journal_reopen(journal, &why), DITHER_OK);
    json_decref(post("/v1/ask", alice, "{\"question\": \"" COUNT "\"}"));
    assert_int_equal(access(log_path, R_OK), 0);
    snprintf(path, sizeof path, "%s/silent", hospital.folder);
    assert_int_equal(journal_open(&(struct journal_options){path, true}, &silent, &why), DITHER_OK);
    journal_note(silent,
                 &(struct journal_question){.who = "alice", .role = ROLE_ANALYST, .question = &question});
    journal_close(silent);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_null(strstr(text, "secret"));
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(journal_open(&(struct journal_options){path, true}, &silent, &why), DITHER_REFUSED);
}

/* ---- Doors that stay shut ---- */

static const char *const paths[] = {"/v1/ask",     "/v1/explain", "/v1/schema", "/v1/budget",
                                    "/v1/history", "/metrics",    "/healthz",   "/v1/openapi.json"};
enum { PATHS = sizeof paths / sizeof paths[0], POSTS = 2, CLOSED = 6 };

static struct request usual(size_t path, const char *token)
{
    bool posts = path < POSTS;
    return (struct request){posts ? "POST" : "GET", paths[path], token,
                            posts ? "{\"question\": \"SELECT 1\"}" : NULL, NULL};
}

static void every_path_has_its_refusals(void **state)
{
    (void)state;
    char other[80], large[(1 << 20) + 100];
    memset(large, ' ', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    for (size_t i = 0; i < PATHS; i++) {
        struct request request = usual(i, olga);
        request.method = i < POSTS ? "DELETE" : "POST";
        refuses(request, 405, "method_not_allowed");
        request = usual(i, olga);
        snprintf(other, sizeof other, "%s?what=1", paths[i]);
        request.path = other;
        refuses(request, 400, "unknown_parameter");
        if (i >= CLOSED)
            continue;
        refuses(usual(i, NULL), 401, "not_signed_in");
        refuses(usual(i, mallory), 403, strcmp(paths[i], "/metrics") == 0 ? "owner_only" : "not_in_policy");
        if (i >= POSTS)
            continue;
        request = usual(i, olga);
        request.headers = "Content-Type: text/plain\r\n";
        refuses(request, 415, "not_json");
        request = usual(i, olga);
        request.body = large;
        refuses(request, 413, "too_long");
    }
    json_decref(get("/healthz", NULL));
    json_decref(post("/v1/ask", olga, "{\"question\": \"SELECT 1\"}"));
}

static void guessing_tokens_gets_slow_and_a_while_later_goes_on(void **state)
{
    (void)state;
    char guess[USERS_TOKEN_TEXT];
    snprintf(guess, sizeof guess, "dither_%043d", 1);
    for (int i = 0; i < TRIES_OF_ADDRESS; i++)
        refuses((struct request){"GET", "/v1/schema", guess, NULL, NULL}, 401, "not_signed_in");
    for (size_t i = 0; i < CLOSED; i++)
        refuses(usual(i, olga), 429, "too_many_tries");
    json_decref(get("/healthz", NULL));
    now_is += 60 * 60 * 1000;
    json_decref(get("/v1/schema", olga));
}

static status revoke_token(struct users *list, void *context, error *why)
{
    char *text = context;
    const struct token *token = users_token_find(list, text);
    char id[USERS_TOKEN_ID];
    (void)why;
    assert_non_null(token);
    snprintf(id, sizeof id, "%s", token->id);
    assert_true(users_token_revoke(list, id));
    return DITHER_OK;
}

static void a_token_that_is_revoked_opens_nothing_any_more(void **state)
{
    (void)state;
    char extra[USERS_TOKEN_TEXT];
    struct new_token one = {"alice", ROLE_ANALYST, extra, noise};
    error why;
    assert_int_equal(users_edit(users, noise, add_token, &one, &why), DITHER_OK);
    json_decref(get("/v1/schema", extra));
    assert_int_equal(users_edit(users, noise, revoke_token, extra, &why), DITHER_OK);
    refuses((struct request){"GET", "/v1/schema", extra, NULL, NULL}, 401, "not_signed_in");
}

/* ---- Under load, and at the end ---- */

struct blocker {
    struct work_job job;
    atomic_bool running, go;
};

static void block(struct work_job *job, struct curator *with)
{
    struct blocker *blocker = (struct blocker *)(void *)job;
    (void)with;
    blocker->running = true;
    while (!blocker->go)
        usleep(1000);
}

static void nothing(struct work_job *job)
{
    (void)job;
}

static double spent_by_alice(void)
{
    double spent = 0;
    json_t *own = get("/v1/budget", alice);
    assert_int_equal(json_unpack(own, "{s:{s:F}}", "spent", "epsilon", &spent), 0);
    json_decref(own);
    return spent;
}

static void who_hangs_up_while_his_question_waits_is_not_charged(void **state)
{
    (void)state;
    struct blocker blocker = {.job = {.run = block, .done = nothing}};
    double before = spent_by_alice();
    char request[400];
    static const char body[] = "{\"question\": \"SELECT count(*) FROM visits WHERE cost > 3\"}";
    int length = snprintf(request, sizeof request,
                          "POST /v1/ask HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          alice, strlen(body), body);
    assert_true(work_add(work, &blocker.job));
    int client = http_client_connect(port);
    http_client_send(client, request, (size_t)length);
    while (!blocker.running || work_load(work).waiting == 0)
        usleep(1000);
    close(client);
    while (work_load(work).waiting > 0)
        usleep(1000);
    blocker.go = true;
    assert_true(spent_by_alice() == before);
    uint64_t interrupted = journal_counts(journal).questions[JOURNAL_HTTP][JOURNAL_ASK][JOURNAL_INTERRUPTED];
    assert_int_equal(interrupted, 1);
}

static void a_full_queue_says_come_back_later(void **state)
{
    (void)state;
    error why;
    close_all();
    assert_int_equal(open_all(0, &why), DITHER_OK);
    for (size_t i = 0; i < CLOSED; i++) {
        struct request request = usual(i, olga);
        struct http_answer answer = send_request(&request);
        assert_int_equal(answer.code, 503);
        assert_true(http_answer_has(&answer, "Retry-After: 1"));
        assert_true(http_answer_says(&answer, "\"busy\""));
        http_answer_free(&answer);
    }
    json_decref(get("/healthz", NULL));
}

static void a_server_that_goes_away_says_so_everywhere(void **state)
{
    (void)state;
    static const char first[] = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    int clients[PATHS];
    error why;
    close_all();
    assert_int_equal(open_all(100, &why), DITHER_OK);
    for (size_t i = 0; i < PATHS; i++) {
        clients[i] = http_client_connect(port);
        http_client_send(clients[i], first, strlen(first));
        struct http_answer answer = http_client_read(clients[i]);
        assert_int_equal(answer.code, 200);
        http_answer_free(&answer);
    }
    http_begin_stop(http_api_daemon(api));
    for (size_t i = 0; i < PATHS; i++) {
        char request[200];
        int length =
            snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                     i < POSTS ? "POST" : "GET", paths[i]);
        http_client_send(clients[i], request, (size_t)length);
        struct http_answer answer = http_client_read(clients[i]);
        take_note(i < POSTS ? "POST" : "GET", paths[i], "", answer.code);
        assert_int_equal(answer.code, 503);
        http_answer_free(&answer);
        close(clients[i]);
    }
}

/* Secret bits run out after the charge: the answer is never made, and nobody may have another one for the same charge. */
static void what_was_charged_and_never_answered_stays_so(void **state)
{
    (void)state;
    static const char key[] = "Idempotency-Key: lost\r\n";
    close_all();
    assert_int_equal(open_all(100, NULL), DITHER_OK);
    const uint64_t *words = NULL;
    assert_int_equal(random_take(drying, RANDOM_BUFFER_WORDS, &words, NULL), DITHER_OK);
    dry = true;
    json_t *answer =
        expect(keyed(key, "{\"question\": \"SELECT count(*) FROM patients WHERE age < 49\"}", alice), 503,
               "no_entropy");
    const char *message = NULL;
    assert_int_equal(json_unpack(answer, "{s:{s:s}}", "error", "message", &message), 0);
    assert_non_null(strstr(message, "the charge stays"));
    json_decref(answer);
    dry = false; /* a stream that failed stays so */
    close_all();
    curator_close(curator);
    random_close(drying);
    struct random_source source = {.refill = refill};
    assert_int_equal(random_open_source(source, &drying, NULL), DITHER_OK);
    assert_int_equal(curator_open(hospital.policy,
                                  &(struct curator_options){.engine.threads = 1, .random = drying}, &curator,
                                  NULL),
                     DITHER_OK);
    assert_int_equal(open_all(100, NULL), DITHER_OK);
    refuses(keyed(key, "{\"question\": \"SELECT count(*) FROM patients WHERE age < 49\"}", alice), 409,
            "never_answered");
}

/* The ledger's file is overwritten under the server: nothing is answered, and nothing of the file is told. */
static void a_broken_ledger_is_said_and_nothing_is_answered(void **state)
{
    (void)state;
    struct arena arena;
    const struct policy *policy = NULL;
    char garbage[8192];
    error why;
    close_all();
    assert_int_equal(open_all(100, &why), DITHER_OK);
    arena_init(&arena, POLICY_ARENA_BYTES);
    assert_int_equal(policy_read(hospital.policy, &arena, &policy, NULL), DITHER_OK);
    memset(garbage, 'x', sizeof garbage);
    for (int i = 0; i < 2; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s%s", policy->ledger, i == 0 ? "" : "-wal");
        int file = open(path, O_WRONLY | O_TRUNC);
        if (file >= 0) {
            assert_int_equal(write(file, garbage, sizeof garbage), sizeof garbage);
            close(file);
        }
    }
    arena_free(&arena);
    json_t *answer =
        expect((struct request){"POST", "/v1/ask", alice,
                                "{\"question\": \"SELECT count(*) FROM visits WHERE cost > 5\"}", NULL},
               500, NULL);
    json_decref(answer);
}

/* ---- The document ---- */

static void the_document_is_there_and_is_json(void **state)
{
    (void)state;
    const char *version = NULL;
    document = get("/v1/openapi.json", NULL);
    assert_int_equal(json_unpack(document, "{s:s}", "openapi", &version), 0);
    assert_string_equal(version, "3.1.0");
}

static bool was_tried(const char *method, const char *path, int code, const char *query, const char *header)
{
    for (size_t i = 0; i < note_count; i++)
        if ((method == NULL || strcasecmp(notes[i].method, method) == 0) &&
            strcmp(notes[i].path, path) == 0 && (code == 0 || notes[i].code == code) &&
            strstr(notes[i].query, query) != NULL &&
            (header[0] == '\0' || strcmp(notes[i].header, header) == 0))
            return true;
    return false;
}

static void check_parameters(const char *method, const char *path, json_t *list)
{
    size_t index = 0;
    json_t *parameter = NULL;
    json_array_foreach(list, index, parameter)
    {
        const char *name = NULL, *in = NULL;
        char query[40];
        assert_int_equal(json_unpack(parameter, "{s:s,s:s}", "name", &name, "in", &in), 0);
        snprintf(query, sizeof query, "%s=", name);
        bool header = strcmp(in, "header") == 0;
        if (!was_tried(method, path, 200, header ? "" : query, header ? name : ""))
            fail_msg("%s %s: %s was not tried", method, path, name);
    }
}

/* Every $ref leads somewhere. */
static void check_references(const json_t *tree)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;
    if (json_is_object(tree)) {
        const char *reference = json_string_value(json_object_get(tree, "$ref"));
        static const char begin[] = "#/components/schemas/";
        if (reference != NULL) {
            const json_t *shapes = json_object_get(json_object_get(document, "components"), "schemas");
            assert_int_equal(strncmp(reference, begin, strlen(begin)), 0);
            assert_non_null(json_object_get(shapes, reference + strlen(begin)));
        }
        json_object_foreach((json_t *)(uintptr_t)tree, key, value) check_references(value);
    }
    json_array_foreach(tree, index, value) check_references(value);
}

static void the_document_says_what_was_seen_and_all_of_it_was_seen(void **state)
{
    (void)state;
    const char *path = NULL, *method = NULL, *code = NULL;
    json_t *methods = NULL, *route = NULL, *response = NULL, *listed = json_object_get(document, "paths");
    size_t count = 0;
    (void)http_api_routes(&count);
    assert_int_equal(json_object_size(listed), count);
    json_object_foreach(listed, path, methods) json_object_foreach(methods, method, route)
    {
        check_parameters(method, path, json_object_get(route, "parameters"));
        json_object_foreach(json_object_get(route, "responses"), code, response)
        {
            bool other_method = strcmp(code, "405") == 0;
            if (strcmp(code, "default") != 0 &&
                !was_tried(other_method ? NULL : method, path, atoi(code), "", ""))
                fail_msg("%s %s: %s is in the document and was not seen", method, path, code);
        }
    }
    for (size_t i = 0; i < note_count; i++) {
        char seen[8], lower[8] = "";
        const struct note *note = &notes[i];
        snprintf(seen, sizeof seen, "%d", note->code);
        snprintf(lower, sizeof lower, "%s", strcmp(note->method, "POST") == 0 ? "post" : "get");
        methods = json_object_get(listed, note->path);
        assert_non_null(methods);
        route = json_object_get(methods, lower);
        if (note->code == 405) { /* another method: any route of the path names it */
            assert_true(route == NULL || strcmp(note->method, "DELETE") == 0);
            void *first = json_object_iter(methods);
            route = json_object_iter_value(first);
        }
        if (json_object_get(json_object_get(route, "responses"), seen) == NULL)
            fail_msg("%s %s: %s was seen and is not in the document", note->method, note->path, seen);
    }
    check_references(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_is_there_and_is_json),
        cmocka_unit_test(a_question_is_answered_as_the_design_has_it),
        cmocka_unit_test(parameters_are_values_of_their_own_types),
        cmocka_unit_test(the_knobs_are_those_of_a_session_and_tenths_are_exact),
        cmocka_unit_test(what_is_not_a_question_is_not_understood),
        cmocka_unit_test(a_refused_question_says_where_and_what_else),
        cmocka_unit_test(an_explanation_costs_nothing),
        cmocka_unit_test(a_retry_gets_the_stored_answer_and_another_question_does_not),
        cmocka_unit_test(the_schema_is_the_policy_and_nothing_else),
        cmocka_unit_test(an_analyst_sees_his_own_budget_and_the_owner_everybodys),
        cmocka_unit_test(an_analyst_sees_his_own_questions_page_by_page),
        cmocka_unit_test(metrics_tell_the_owner_of_spending_and_load),
        cmocka_unit_test(the_log_has_who_what_and_what_came_of_it_and_no_value),
        cmocka_unit_test(the_log_is_opened_anew_and_may_be_without_texts),
        cmocka_unit_test(every_path_has_its_refusals),
        cmocka_unit_test(guessing_tokens_gets_slow_and_a_while_later_goes_on),
        cmocka_unit_test(a_token_that_is_revoked_opens_nothing_any_more),
        cmocka_unit_test(who_hangs_up_while_his_question_waits_is_not_charged),
        cmocka_unit_test(a_full_queue_says_come_back_later),
        cmocka_unit_test(a_server_that_goes_away_says_so_everywhere),
        cmocka_unit_test(what_was_charged_and_never_answered_stays_so),
        cmocka_unit_test(a_broken_ledger_is_said_and_nothing_is_answered),
        cmocka_unit_test(the_document_says_what_was_seen_and_all_of_it_was_seen),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
