/* What is behind the routes of the HTTP side (tests/support/http_server.h): questions and their knobs, retries, schema, budget,
 * history, metrics, the log, tokens that are revoked, clients that hang up. test_http_document.c has the rest. */
#include "tests/support/http_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/policy.h"

#define COUNT   "SELECT count(*) AS n FROM patients"
#define UNNAMED "SELECT count(*) AS n FROM patients WHERE age > 3"

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

/* The only worker is busy, and stays so: what needs none is answered all the same. */
static void what_was_answered_before_waits_for_nobody(void **state)
{
    (void)state;
    struct blocker blocker = {.job = {.run = block, .done = nothing}};
    static const char body[] = "{\"question\": \"SELECT count(*) FROM visits WHERE cost > 4\"}";
    json_int_t first = single(post("/v1/ask", alice, body));
    double before = spent_by_alice();
    uint64_t cached = journal_counts(journal).questions[JOURNAL_HTTP][JOURNAL_ASK][JOURNAL_CACHED];
    assert_true(work_add(work, &blocker.job));
    while (!blocker.running)
        usleep(1000);
    json_t *again = post("/v1/ask", alice, body);
    int is_cached = 0;
    double cost = -1, left = -1;
    assert_int_equal(json_unpack(again, "{s:{s:F,s:b},s:{s:F}}", "cost", "epsilon", &cost, "cached",
                                 &is_cached, "remaining", "epsilon", &left),
                     0);
    assert_true(is_cached && cost == 0 && left + before == 50000000);
    assert_int_equal(single(again), first);
    assert_int_equal(journal_counts(journal).questions[JOURNAL_HTTP][JOURNAL_ASK][JOURNAL_CACHED],
                     cached + 1);
    blocker.go = true;
    while (work_load(work).running > 0)
        usleep(1000);
    assert_true(spent_by_alice() == before);
}

/* Thirty who are gone before, while or after their question enters the queue: none of them stays in it. */
static void who_hangs_up_at_once_leaves_nothing_behind(void **state)
{
    (void)state;
    enum { TIMES = 30 };
    struct blocker blocker = {.job = {.run = block, .done = nothing}};
    double before = spent_by_alice();
    uint64_t asked = http_load(http_api_daemon(api)).requests;
    assert_true(work_add(work, &blocker.job));
    while (!blocker.running)
        usleep(1000);
    for (int i = 0; i < TIMES; i++) {
        char request[400], body[100];
        snprintf(body, sizeof body, "{\"question\": \"SELECT count(*) FROM visits WHERE cost > %d\"}",
                 10 + i);
        int length = snprintf(request, sizeof request,
                              "POST /v1/ask HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\n"
                              "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                              alice, strlen(body), body);
        int client = http_client_connect(port);
        http_client_send(client, request, (size_t)length);
        close(client);
    }
    for (int i = 0; i < 1000; i++) {
        struct http_load load = http_load(http_api_daemon(api));
        if (load.requests >= asked + TIMES && load.exchanges == 0)
            break;
        usleep(10 * 1000);
    }
    assert_int_equal(http_load(http_api_daemon(api)).exchanges, 0);
    assert_int_equal(work_load(work).waiting, 0);
    blocker.go = true;
    assert_true(spent_by_alice() == before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(a_token_that_is_revoked_opens_nothing_any_more),
        cmocka_unit_test(who_hangs_up_while_his_question_waits_is_not_charged),
        cmocka_unit_test(what_was_answered_before_waits_for_nobody),
        cmocka_unit_test(who_hangs_up_at_once_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, set_up_http, tear_down_http);
}
