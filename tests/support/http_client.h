/* http_client.h - a small HTTP client for tests, over plain sockets: it can also be rude. */
#ifndef TESTS_SUPPORT_HTTP_CLIENT_H
#define TESTS_SUPPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_answer {
    int code;   /* 0: the connection ended without an answer */
    char *head; /* status line and headers, with a NUL */
    char *body;
    size_t size;
};

/* A socket that is connected to 127.0.0.1; fails the test otherwise. */
int http_client_connect(uint16_t port);
void http_client_send(int socket, const char *bytes, size_t count);
/* Reads one answer, for ten seconds at most. The caller frees it. */
struct http_answer http_client_read(int socket);
void http_answer_free(struct http_answer *answer);

/* One request on a connection of its own; `headers` are whole lines with \r\n, `body` may be NULL. */
struct http_answer http_client_ask(uint16_t port, const char *method, const char *path, const char *headers,
                                   const char *body);

/* Whether the head has this line, whatever the case of its name. */
bool http_answer_has(const struct http_answer *answer, const char *line);
/* Whether the body holds the text. */
bool http_answer_says(const struct http_answer *answer, const char *text);

#endif
