#include "tests/support/http_server.h"

#include <stdio.h>
#include <string.h>

struct small_hospital hospital;
struct curator *curator;
struct random *noise;
static struct random *drying; /* of the curator */
struct work *work;
struct journal *journal;
static struct tries *tries;
struct http_api *api;
uint16_t port;
char users[USERS_PATH_BYTES], log_path[200];
char alice[USERS_TOKEN_TEXT], bob[USERS_TOKEN_TEXT], olga[USERS_TOKEN_TEXT], mallory[USERS_TOKEN_TEXT];

/* ---- A source of secret bits that can run dry, a clock that stands ---- */

static atomic_bool dry;
atomic_llong now_is;

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

status add_token(struct users *list, void *context, error *why)
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

static status recall(void *context, const struct curator_question *question, struct curator_answer **out,
                     error *why)
{
    (void)context;
    return curator_recall(curator, question, &(struct ledger_sight){NULL}, out, why);
}

static status open_all(size_t most_waiting, error *why)
{
    TRY(work_start(&(struct work_options){&curator, 1, most_waiting}, &work, why));
    TRY(http_api_open(&(struct http_api_options){.place = {.host = "127.0.0.1"},
                                                 .users_path = users,
                                                 .work = work,
                                                 .journal = journal,
                                                 .recall = recall,
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

void reopen_http(size_t most_waiting)
{
    close_all();
    assert_int_equal(open_all(most_waiting, NULL), DITHER_OK);
}

static status open_curator(error *why)
{
    struct random_source source = {.refill = refill};
    TRY(random_open_source(source, &drying, why));
    return curator_open(hospital.policy, &(struct curator_options){.engine.threads = 1, .random = drying},
                        &curator, why);
}

/* What is left in the stream is taken away, and it cannot be filled again. */
void dry_up(void)
{
    const uint64_t *words = NULL;
    assert_int_equal(random_take(drying, RANDOM_BUFFER_WORDS, &words, NULL), DITHER_OK);
    dry = true;
}

/* A stream that failed stays so. */
void refresh_curator(void)
{
    dry = false;
    close_all();
    curator_close(curator);
    random_close(drying);
    assert_int_equal(open_curator(NULL), DITHER_OK);
    assert_int_equal(open_all(100, NULL), DITHER_OK);
}

static status prepare(error *why)
{
    struct random_source source = {.refill = refill};
    TRY(random_open_source(source, &noise, why));
    TRY(make_tokens(why));
    TRY(open_curator(why));
    snprintf(log_path, sizeof log_path, "%s/questions", hospital.folder);
    TRY(journal_open(&(struct journal_options){.path = log_path}, &journal, why));
    TRY(tries_new(noise, stand_in_clock, &tries, why));
    return open_all(100, why);
}

int set_up_http(void **state)
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

int tear_down_http(void **state)
{
    (void)state;
    close_all();
    curator_close(curator);
    journal_close(journal);
    tries_free(tries);
    random_close(noise);
    random_close(drying);
    small_hospital_remove(&hospital);
    return 0;
}

/* ---- Requests, all of them noted ---- */

enum { MOST_NOTES = 500 };
struct note notes[MOST_NOTES];
size_t note_count;

void take_note(const char *method, const char *path, const char *headers, int code)
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

struct http_answer send_request(const struct request *request)
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

json_t *expect(struct request request, int code, const char *word)
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

void refuses(struct request request, int code, const char *word)
{
    json_decref(expect(request, code, word));
}

json_t *post(const char *path, const char *token, const char *body)
{
    return expect((struct request){"POST", path, token, body, NULL}, 200, NULL);
}

json_t *get(const char *path, const char *token)
{
    return expect((struct request){"GET", path, token, NULL, NULL}, 200, NULL);
}

json_int_t single(json_t *answer)
{
    json_int_t count = -1;
    assert_int_equal(json_unpack(answer, "{s:[[I]]}", "rows", &count), 0);
    json_decref(answer);
    return count;
}
