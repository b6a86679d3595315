/* The OpenAPI document of the HTTP side is true: every request of this file is noted, and at the end the document, which the server gave
 * at the beginning, is held against the notes. Every path, method, parameter and status that it names was tried, and nothing came
 * that it does not name. */
#include "tests/support/http_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/policy.h"

#define LOST "{\"question\": \"SELECT count(*) FROM patients WHERE age < 49\"}"

static json_t *document;

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
}

static void every_path_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < PATHS; i++)
        json_decref(expect(usual(i, olga), 200, NULL));
    json_decref(get("/v1/history?before=5&limit=2", olga));
    for (size_t i = 0; i < POSTS; i++) {
        struct request request = usual(i, olga);
        request.body = "{\"question\": \"SELECT * FROM patients\"}";
        refuses(request, 422, "not_available");
        request.body = "{\"question\": \"SELECT 1\", \"epsilonn\": 1}";
        refuses(request, 400, "not_understood");
    }
    json_decref(
        expect((struct request){"POST", "/v1/ask", alice, "{\"question\": \"SELECT count(*) FROM visits\"}",
                                "Idempotency-Key: kept\r\n"},
               200, NULL));
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

/* ---- Under load, and at the end ---- */

static void a_full_queue_says_come_back_later(void **state)
{
    (void)state;
    reopen_http(0);
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
    reopen_http(100);
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
    reopen_http(100);
    dry_up();
    json_t *answer = expect((struct request){"POST", "/v1/ask", alice, LOST, key}, 503, "no_entropy");
    const char *message = NULL;
    assert_int_equal(json_unpack(answer, "{s:{s:s}}", "error", "message", &message), 0);
    assert_non_null(strstr(message, "the charge stays"));
    json_decref(answer);
    refresh_curator();
    refuses((struct request){"POST", "/v1/ask", alice, LOST, key}, 409, "never_answered");
}

/* The ledger's file is overwritten under the server: nothing is answered, and nothing of the file is told. */
static void a_broken_ledger_is_said_and_nothing_is_answered(void **state)
{
    (void)state;
    struct arena arena;
    const struct policy *policy = NULL;
    char garbage[8192];
    reopen_http(100);
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
               500, "ledger_failed");
    static const char fixed[] = "the ledger cannot be used, and the owner must look at it";
    const char *message = NULL;
    assert_int_equal(json_unpack(answer, "{s:{s:s}}", "error", "message", &message), 0);
    assert_int_equal(strncmp(message, fixed, strlen(fixed)), 0);
    assert_null(strstr(message, hospital.folder));
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
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_is_there_and_is_json),
        cmocka_unit_test(every_path_answers),
        cmocka_unit_test(every_path_has_its_refusals),
        cmocka_unit_test(guessing_tokens_gets_slow_and_a_while_later_goes_on),
        cmocka_unit_test(a_full_queue_says_come_back_later),
        cmocka_unit_test(a_server_that_goes_away_says_so_everywhere),
        cmocka_unit_test(what_was_charged_and_never_answered_stays_so),
        cmocka_unit_test(a_broken_ledger_is_said_and_nothing_is_answered),
        cmocka_unit_test(the_document_says_what_was_seen_and_all_of_it_was_seen),
    };
    return cmocka_run_group_tests(tests, set_up_http, tear_down_http);
}
