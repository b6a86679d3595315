/* The HTTP side with a table of routes of the test's own, over sockets: every way in which a request is refused before a
 * handler sees it; what a handler sees; replies that come later from another thread; clients that hang up, that drip, that
 * announce too much; the end, which finishes what is under way. The client is written by hand, so that it can be rude. */
#include "tests/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/http.h"
#include "tests/support/http_client.h"

static struct http *http;
static uint16_t port;

/* ---- The routes ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct http_exchange *waiting;
    int gone, released, finished, last_code;
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void reply_text(struct http_exchange *exchange, const char *text)
{
    struct buffer body;
    buffer_init(&body, 1 << 20);
    buffer_text(&body, text);
    http_reply(exchange, 200, "text/plain", &body);
}

static void say_healthy(struct http_exchange *exchange)
{
    reply_text(exchange, "healthy");
}

static void say_asker(struct http_exchange *exchange)
{
    char text[200];
    const char *letter = http_query(exchange, "letter");
    snprintf(text, sizeof text, "%s %s %s", http_asker(exchange)->name, http_asker(exchange)->address,
             letter != NULL ? letter : "none");
    reply_text(exchange, text);
}

static void echo(struct http_exchange *exchange)
{
    struct buffer body;
    buffer_init(&body, 1 << 20);
    buffer_append(&body, http_body(exchange)->data, http_body(exchange)->length);
    http_reply(exchange, 201, "application/json", &body);
}

static void note_gone(void *work)
{
    (void)work;
    pthread_mutex_lock(&seen.lock);
    seen.gone++;
    struct http_exchange *exchange = seen.waiting;
    seen.waiting = NULL;
    pthread_cond_broadcast(&seen.changed);
    pthread_mutex_unlock(&seen.lock);
    if (exchange != NULL) /* as a job that was cancelled before it ran */
        reply_text(exchange, "stopped");
}

static void note_release(void *work)
{
    assert_ptr_equal(work, &seen);
    pthread_mutex_lock(&seen.lock);
    seen.released++;
    pthread_cond_broadcast(&seen.changed);
    pthread_mutex_unlock(&seen.lock);
}

static void wait_long(struct http_exchange *exchange)
{
    static const struct http_waiter waiter = {note_gone, note_release};
    http_wait(exchange, &waiter, &seen);
    pthread_mutex_lock(&seen.lock);
    seen.waiting = exchange;
    pthread_cond_broadcast(&seen.changed);
    pthread_mutex_unlock(&seen.lock);
}

static void wait_and_refuse(struct http_exchange *exchange)
{
    static const struct http_waiter waiter = {note_gone, note_release};
    http_wait(exchange, &waiter, &seen);
    http_add_header(exchange, "Retry-After", "1");
    http_refuse(exchange, &(struct http_error){.code = 503,
                                               .name = "full",
                                               .message = "caf\xc3 \xe2\x82\xac \"full\"",
                                               .hint = "later",
                                               .position = 7,
                                               .state = "53300"});
}

static const struct http_parameter letters[] = {{"letter", "any", "{\"type\":\"string\"}"}};

static const struct http_route routes[] = {
    {.method = "GET", .path = "/healthz", .needed = ROLE_NOBODY, .handle = say_healthy},
    {.method = "GET",
     .path = "/who",
     .needed = ROLE_ANALYST,
     .handle = say_asker,
     .parameters = letters,
     .parameter_count = 1},
    {.method = "GET", .path = "/owner", .needed = ROLE_OWNER, .handle = say_healthy},
    {.method = "POST", .path = "/echo", .needed = ROLE_ANALYST, .body = true, .handle = echo},
    {.method = "POST", .path = "/wait", .needed = ROLE_NOBODY, .body = true, .handle = wait_long},
    {.method = "GET", .path = "/full", .needed = ROLE_NOBODY, .handle = wait_and_refuse},
};

static enum http_entry sign_in(void *context, const char *token, struct http_asker *asker)
{
    assert_ptr_equal(context, &seen);
    if (strcmp(token, "often") == 0)
        return HTTP_SLOW_DOWN;
    if (strcmp(token, "alices") != 0 && strcmp(token, "olgas") != 0)
        return HTTP_UNKNOWN;
    snprintf(asker->name, sizeof asker->name, "%s", token[0] == 'a' ? "alice" : "olga");
    asker->role = token[0] == 'a' ? ROLE_ANALYST : ROLE_OWNER;
    return HTTP_COME_IN;
}

static void note_finished(void *context, const struct http_record *record)
{
    assert_ptr_equal(context, &seen);
    pthread_mutex_lock(&seen.lock);
    seen.finished++;
    seen.last_code = record->code;
    pthread_cond_broadcast(&seen.changed);
    pthread_mutex_unlock(&seen.lock);
}

static int set_up(void **state)
{
    (void)state;
    error why;
    const struct http_options options = {.place = {.host = "127.0.0.1"},
                                         .body_bytes = 1000,
                                         .request_seconds = 2,
                                         .connections = 20,
                                         .routes = routes,
                                         .route_count = sizeof routes / sizeof routes[0],
                                         .context = &seen,
                                         .sign_in = sign_in,
                                         .finished = note_finished};
    status result = http_open(&options, &http, &why);
    if (result != DITHER_OK)
        print_error("%s\n", why.message);
    else
        port = http_port(http);
    return result == DITHER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    http_close(http);
    return 0;
}

/* ---- Refusals ---- */

static void expect(const char *method, const char *path, const char *headers, const char *body, int code,
                   const char *says)
{
    struct http_answer answer = http_client_ask(port, method, path, headers, body);
    if (answer.code != code || !http_answer_says(&answer, says))
        fail_msg("%s %s: %d %s", method, path, answer.code, answer.body);
    http_answer_free(&answer);
}

#define ALICE "Authorization: Bearer alices\r\n"
#define JSON  "Content-Type: application/json\r\n"

static void each_refusal_has_its_code_and_names_itself(void **state)
{
    (void)state;
    char large[1200];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    expect("GET", "/nothing", "", NULL, 404, "\"not_found\"");
    expect("POST", "/healthz", JSON, "{}", 405, "\"method_not_allowed\"");
    expect("OPTIONS", "/healthz", "", NULL, 405, "\"method_not_allowed\"");
    expect("GET", "/who", "", NULL, 401, "\"not_signed_in\"");
    expect("GET", "/who", "Authorization: Basic alices\r\n", NULL, 401, "\"not_signed_in\"");
    expect("GET", "/who", "Authorization: Bearer zoes\r\n", NULL, 401, "\"not_signed_in\"");
    expect("GET", "/who", "Authorization: Bearer \r\n", NULL, 401, "\"not_signed_in\"");
    expect("GET", "/who", "Authorization: Bearer often\r\n", NULL, 429, "\"too_many_tries\"");
    expect("GET", "/owner", ALICE, NULL, 403, "\"owner_only\"");
    expect("GET", "/who?number=3", ALICE, NULL, 400, "\"unknown_parameter\"");
    expect("GET", "/who?letter", ALICE, NULL, 400, "\"unknown_parameter\"");
    expect("GET", "/who", ALICE, "{}", 400, "\"unexpected_body\"");
    expect("POST", "/echo", ALICE, "{}", 415, "\"not_json\"");
    expect("POST", "/echo", ALICE "Content-Type: text/json\r\n", "{}", 415, "\"not_json\"");
    expect("POST", "/echo", ALICE JSON, large, 413, "\"too_long\"");
    expect("POST", "/echo", JSON, large, 401, "\"not_signed_in\"");
}

static void a_refusal_says_where_and_stays_valid_text(void **state)
{
    (void)state;
    struct http_answer answer = http_client_ask(port, "GET", "/full", "", NULL);
    assert_int_equal(answer.code, 503);
    assert_true(http_answer_has(&answer, "Retry-After: 1"));
    assert_string_equal(answer.body,
                        "{\"error\": {\"code\": \"full\", \"message\": \"caf? \xe2\x82\xac \\\"full\\\"\", "
                        "\"hint\": \"later\", \"position\": 7, \"sqlstate\": \"53300\"}}\n");
    http_answer_free(&answer);
}

static void a_body_of_no_announced_length_is_measured_as_it_comes(void **state)
{
    (void)state;
    static const char head[] =
        "POST /echo HTTP/1.1\r\nHost: here\r\n" ALICE JSON "Transfer-Encoding: chunked\r\n\r\n";
    char chunk[1024];
    int client = http_client_connect(port);
    http_client_send(client, head, strlen(head));
    memset(chunk, 'x', sizeof chunk);
    memcpy(chunk, "3e0\r\n", 5);
    memcpy(chunk + 5 + 0x3e0, "\r\n", 2);
    http_client_send(client, chunk, 5 + 0x3e0 + 2);
    http_client_send(client, "5\r\nabcde\r\n0\r\n\r\n", 15); /* 997 bytes of 1000 */
    struct http_answer answer = http_client_read(client);
    assert_int_equal(answer.code, 201);
    http_answer_free(&answer);
    http_client_send(client, head, strlen(head));
    http_client_send(client, chunk, 5 + 0x3e0 + 2);
    http_client_send(client, "9\r\nabcdefghi\r\n0\r\n\r\n", 19);
    answer = http_client_read(client);
    assert_int_equal(answer.code, 413);
    http_answer_free(&answer);
    close(client);
    client = http_client_connect(port); /* and without an end it is cut off */
    http_client_send(client, head, strlen(head));
    for (int i = 0; i < 5; i++)
        http_client_send(client, chunk, 5 + 0x3e0 + 2);
    answer = http_client_read(client);
    assert_int_equal(answer.code, 0);
    http_answer_free(&answer);
    close(client);
}

/* ---- What passes ---- */

static void a_handler_sees_who_asks_and_what(void **state)
{
    (void)state;
    expect("GET", "/healthz", "", NULL, 200, "healthy");
    expect("GET", "/who?letter=a%20b", "authorization: bearer  alices\r\n", NULL, 200, "alice 127.0.0.1 a b");
    expect("GET", "/owner", "Authorization: Bearer olgas\r\n", NULL, 200, "healthy");
    expect("POST", "/echo", ALICE "Content-Type: Application/JSON; charset=utf-8\r\n", "{\"a\":1}", 201,
           "{\"a\":1}");
}

static void every_reply_tells_browsers_and_caches_to_leave_it_alone(void **state)
{
    (void)state;
    static const char *const paths[] = {"/healthz", "/nothing", "/full"};
    for (size_t i = 0; i < 3; i++) {
        struct http_answer answer =
            http_client_ask(port, "GET", paths[i], "Origin: https://elsewhere\r\n", NULL);
        assert_true(http_answer_has(&answer, "Cache-Control: no-store"));
        assert_true(http_answer_has(&answer, "X-Content-Type-Options: nosniff"));
        assert_true(http_answer_has(&answer, "X-Frame-Options: DENY"));
        assert_true(
            http_answer_has(&answer, "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'"));
        assert_null(strcasestr(answer.head, "Access-Control-"));
        assert_null(strcasestr(answer.head, "Set-Cookie"));
        http_answer_free(&answer);
    }
    struct http_answer answer = http_client_ask(port, "POST", "/healthz", JSON, "{}");
    assert_true(http_answer_has(&answer, "Allow: GET, HEAD"));
    http_answer_free(&answer);
    answer = http_client_ask(port, "GET", "/who", "", NULL);
    assert_true(http_answer_has(&answer, "WWW-Authenticate: Bearer"));
    http_answer_free(&answer);
}

static void one_connection_takes_one_request_after_the_other(void **state)
{
    (void)state;
    static const char request[] = "GET /who HTTP/1.1\r\nHost: here\r\n" ALICE "\r\n";
    int client = http_client_connect(port);
    for (int i = 0; i < 3; i++) {
        http_client_send(client, request, strlen(request));
        struct http_answer answer = http_client_read(client);
        assert_int_equal(answer.code, 200);
        http_answer_free(&answer);
    }
    close(client);
}

/* ---- Waiting ---- */

static const char wait_request[] = "POST /wait HTTP/1.1\r\nHost: here\r\n" JSON "Content-Length: 2\r\n\r\n{}";

static struct http_exchange *take_waiting(void)
{
    pthread_mutex_lock(&seen.lock);
    while (seen.waiting == NULL)
        pthread_cond_wait(&seen.changed, &seen.lock);
    struct http_exchange *exchange = seen.waiting;
    seen.waiting = NULL;
    pthread_mutex_unlock(&seen.lock);
    return exchange;
}

static void until(const int *count, int wanted)
{
    pthread_mutex_lock(&seen.lock);
    while (*count < wanted)
        pthread_cond_wait(&seen.changed, &seen.lock);
    pthread_mutex_unlock(&seen.lock);
}

static int now(const int *count)
{
    pthread_mutex_lock(&seen.lock);
    int value = *count;
    pthread_mutex_unlock(&seen.lock);
    return value;
}

static void a_reply_may_come_later_from_another_thread(void **state)
{
    (void)state;
    int released = now(&seen.released);
    int client = http_client_connect(port);
    http_client_send(client, wait_request, strlen(wait_request));
    struct http_exchange *exchange = take_waiting();
    assert_false(http_is_idle(http));
    reply_text(exchange, "late");
    struct http_answer answer = http_client_read(client);
    assert_int_equal(answer.code, 200);
    assert_string_equal(answer.body, "late");
    until(&seen.released, released + 1);
    http_answer_free(&answer);
    close(client);
}

static void a_client_that_hangs_up_is_noticed_while_it_waits(void **state)
{
    (void)state;
    int gone = now(&seen.gone), released = now(&seen.released);
    int client = http_client_connect(port);
    http_client_send(client, wait_request, strlen(wait_request));
    pthread_mutex_lock(&seen.lock);
    while (seen.waiting == NULL)
        pthread_cond_wait(&seen.changed, &seen.lock);
    pthread_mutex_unlock(&seen.lock);
    close(client);
    until(&seen.gone, gone + 1); /* which replies itself, from within */
    until(&seen.released, released + 1);
    client = http_client_connect(port);
    http_client_send(client, wait_request, strlen(wait_request));
    struct http_exchange *exchange = take_waiting();
    close(client);
    until(&seen.gone, gone + 2); /* the reply comes some time after it */
    assert_int_equal(now(&seen.released), released + 1);
    reply_text(exchange, "to nobody");
    until(&seen.released, released + 2);
}

/* ---- Slowness ---- */

static void a_request_that_drips_is_cut_off_on_the_whole(void **state)
{
    (void)state;
    int client = http_client_connect(port), silent = http_client_connect(port);
    static const char head[] =
        "POST /echo HTTP/1.1\r\nHost: here\r\n" ALICE JSON "Content-Length: 900\r\n\r\n";
    http_client_send(client, head, strlen(head));
    for (int i = 0; i < 8; i++) { /* never silent for long, and yet not done in time */
        http_client_send(client, "x", 1);
        usleep(400 * 1000);
    }
    struct http_answer answer = http_client_read(client);
    assert_int_equal(answer.code, 0);
    http_answer_free(&answer);
    answer = http_client_read(silent);
    assert_int_equal(answer.code, 0);
    http_answer_free(&answer);
    close(client);
    close(silent);
}

static void more_connections_than_may_be_are_turned_away_and_it_goes_on(void **state)
{
    (void)state;
    int clients[40];
    for (size_t i = 0; i < 40; i++)
        clients[i] = http_client_connect(port);
    for (size_t i = 0; i < 40; i++)
        close(clients[i]);
    for (int i = 0; i < 100 && http_load(http).connections > 0; i++)
        usleep(20 * 1000);
    expect("GET", "/healthz", "", NULL, 200, "healthy");
    assert_true(http_load(http).requests > 0);
}

static void rubbish_does_not_hurt(void **state)
{
    (void)state;
    static const char *const rubbish[] = {
        "\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\x16\x03\x01\x02",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\n" ALICE JSON
        "Content-Length: 3\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"};
    for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
        int client = http_client_connect(port);
        http_client_send(client, rubbish[i], strlen(rubbish[i]));
        close(client);
    }
    char *large = malloc(200000);
    assert_non_null(large);
    memset(large, 'a', 200000);
    memcpy(large, "GET /who HTTP/1.1\r\nX: ", 22);
    int client = http_client_connect(port);
    http_client_send(client, large, 200000);
    struct http_answer answer = http_client_read(client);
    assert_true(answer.code == 431 || answer.code == 413 || answer.code == 0);
    http_answer_free(&answer);
    close(client);
    free(large);
    expect("GET", "/healthz", "", NULL, 200, "healthy");
}

/* ---- The end ---- */

static void the_end_finishes_what_is_under_way_and_takes_nothing_new(void **state)
{
    (void)state;
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n";
    int waiting = http_client_connect(port), idle = http_client_connect(port);
    http_client_send(waiting, wait_request, strlen(wait_request));
    http_client_send(idle, request, strlen(request));
    struct http_answer answer = http_client_read(idle);
    assert_int_equal(answer.code, 200);
    http_answer_free(&answer);
    struct http_exchange *exchange = take_waiting();
    http_begin_stop(http);
    http_begin_stop(http);
    http_client_send(idle, request, strlen(request));
    answer = http_client_read(idle);
    assert_int_equal(answer.code, 503);
    assert_true(http_answer_has(&answer, "Connection: close"));
    http_answer_free(&answer);
    assert_false(http_is_idle(http));
    reply_text(exchange, "in time");
    answer = http_client_read(waiting);
    assert_int_equal(answer.code, 200);
    assert_true(http_answer_has(&answer, "Connection: close"));
    http_answer_free(&answer);
    for (int i = 0; i < 200 && !http_is_idle(http); i++)
        usleep(10 * 1000);
    assert_true(http_is_idle(http));
    close(waiting);
    close(idle);
}

static void what_cannot_be_opened_is_said_in_one_line(void **state)
{
    (void)state;
    struct http *second = NULL;
    error why;
    struct http_options options = {.place = {.host = "127.0.0.1", .port = port}};
    assert_int_equal(http_open(&options, &second, &why), DITHER_IO);
    assert_non_null(strstr(why.message, "cannot be opened"));
    options.place = (struct socket_place){.host = "0.0.0.0"};
    assert_int_equal(http_open(&options, &second, &why), DITHER_REFUSED);
    assert_non_null(strstr(why.message, "needs TLS"));
    options.place = (struct socket_place){.host = "127.0.0.1"};
    options.certificate = "/nonexistent/certificate.pem";
    options.key = "/nonexistent/key.pem";
    assert_int_equal(http_open(&options, &second, &why), DITHER_IO);
    assert_null(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal_has_its_code_and_names_itself),
        cmocka_unit_test(a_refusal_says_where_and_stays_valid_text),
        cmocka_unit_test(a_body_of_no_announced_length_is_measured_as_it_comes),
        cmocka_unit_test(a_handler_sees_who_asks_and_what),
        cmocka_unit_test(every_reply_tells_browsers_and_caches_to_leave_it_alone),
        cmocka_unit_test(one_connection_takes_one_request_after_the_other),
        cmocka_unit_test(a_reply_may_come_later_from_another_thread),
        cmocka_unit_test(a_client_that_hangs_up_is_noticed_while_it_waits),
        cmocka_unit_test(a_request_that_drips_is_cut_off_on_the_whole),
        cmocka_unit_test(more_connections_than_may_be_are_turned_away_and_it_goes_on),
        cmocka_unit_test(rubbish_does_not_hurt),
        cmocka_unit_test(what_cannot_be_opened_is_said_in_one_line),
        cmocka_unit_test(the_end_finishes_what_is_under_way_and_takes_nothing_new),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
