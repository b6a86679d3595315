/* http_server.h - the HTTP side of the server with a real curator over the small hospital, and a client that notes every request;
 * for tests. The epsilon is so large that counts are true (forty patients). alice and bob are analysts of the policy, mallory has a
 * token and is not in it, olga is the owner. */
#ifndef TESTS_SUPPORT_HTTP_SERVER_H
#define TESTS_SUPPORT_HTTP_SERVER_H

#include "tests/support/test.h"

#include <jansson.h>
#include <stdatomic.h>

#include "serve/http_api.h"
#include "tests/support/http_client.h"
#include "tests/support/small_hospital.h"

extern struct small_hospital hospital;
extern struct curator *curator;
extern struct random *noise; /* the test's own */
extern struct work *work;
extern struct journal *journal;
extern struct http_api *api;
extern uint16_t port;
extern char users[USERS_PATH_BYTES], log_path[200];
extern char alice[USERS_TOKEN_TEXT], bob[USERS_TOKEN_TEXT], olga[USERS_TOKEN_TEXT], mallory[USERS_TOKEN_TEXT];
extern atomic_llong now_is; /* the clock of failed sign-ins, which stands */

/* Of a group of tests. */
int set_up_http(void **state);
int tear_down_http(void **state);

/* The server anew, with a queue for so many. */
void reopen_http(size_t most_waiting);
/* The curator's secret bits run out at its next question; and it is opened anew, with others. */
void dry_up(void);
void refresh_curator(void);

struct new_token {
    const char *name;
    enum serve_role role;
    char *text;
    struct random *random;
};
/* For users_edit. */
status add_token(struct users *list, void *context, error *why);

/* ---- Requests, all of them noted ---- */

struct note {
    char method[8], path[64], query[64], header[32];
    int code;
};
extern struct note notes[];
extern size_t note_count;
void take_note(const char *method, const char *path, const char *headers, int code);

struct request {
    const char *method, *path, *token, *body;
    const char *headers; /* beside the usual ones */
};
struct http_answer send_request(const struct request *request);

/* The answer as JSON; its code is as expected, and so is the error's word, if one is. The caller frees it. */
json_t *expect(struct request request, int code, const char *word);
void refuses(struct request request, int code, const char *word);
json_t *post(const char *path, const char *token, const char *body);
json_t *get(const char *path, const char *token);
/* The one number of an answer, which is freed. */
json_int_t single(json_t *answer);

#endif
