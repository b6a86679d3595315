#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { MOST_BYTES = 64 << 20 };

int http_client_connect(uint16_t port)
{
    int made = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval limit = {.tv_sec = 10};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(made >= 0);
    (void)setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    assert_int_equal(connect(made, (struct sockaddr *)&address, sizeof address), 0);
    return made;
}

void http_client_send(int socket, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the other side has had enough: its answer says why */
        bytes += sent;
        count -= (size_t)sent;
    }
}

static size_t content_length(const char *head)
{
    const char *line = strcasestr(head, "\r\nContent-Length:");
    return line != NULL ? strtoull(line + strlen("\r\nContent-Length:"), NULL, 10) : 0;
}

/* Until the headers, and as much body as they say, are there. */
struct http_answer http_client_read(int socket)
{
    char *bytes = calloc(1, 1), *end = NULL;
    size_t length = 0, room = 0;
    struct http_answer answer = {0};
    for (;;) {
        end = strstr(bytes, "\r\n\r\n");
        if (end != NULL && length >= (size_t)(end - bytes) + 4 + content_length(bytes))
            break;
        if (length + 1 >= room) {
            room = room > 0 ? 2 * room : 4096;
            bytes = realloc(bytes, room);
            assert_true(bytes != NULL && room < MOST_BYTES);
        }
        ssize_t count = recv(socket, bytes + length, room - length - 1, 0);
        if (count <= 0)
            break;
        length += (size_t)count;
        bytes[length] = '\0';
    }
    if (end == NULL) {
        free(bytes);
        answer.head = calloc(1, 1);
        answer.body = calloc(1, 1);
        return answer;
    }
    answer.size = length - (size_t)(end + 4 - bytes);
    answer.body = calloc(1, answer.size + 1);
    memcpy(answer.body, end + 4, answer.size);
    end[2] = '\0';
    answer.head = bytes;
    (void)sscanf(bytes, "HTTP/1.%*d %d", &answer.code);
    return answer;
}

void http_answer_free(struct http_answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (struct http_answer){0};
}

struct http_answer http_client_ask(uint16_t port, const char *method, const char *path, const char *headers,
                                   const char *body)
{
    int socket = http_client_connect(port);
    char *text = NULL;
    int length =
        asprintf(&text, "%s %s HTTP/1.1\r\nHost: here\r\nConnection: close\r\n%s", method, path, headers);
    assert_true(length > 0);
    http_client_send(socket, text, (size_t)length);
    free(text);
    length = body != NULL ? asprintf(&text, "Content-Length: %zu\r\n\r\n%s", strlen(body), body)
                          : asprintf(&text, "\r\n");
    assert_true(length > 0);
    http_client_send(socket, text, (size_t)length);
    free(text);
    struct http_answer answer = http_client_read(socket);
    close(socket);
    return answer;
}

bool http_answer_has(const struct http_answer *answer, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = answer->head; at != NULL; at = strstr(at, "\r\n")) {
        at += at == answer->head ? 0 : 2;
        if (strncasecmp(at, line, length) == 0 && strncmp(at + length, "\r\n", 2) == 0)
            return true;
    }
    return false;
}

bool http_answer_says(const struct http_answer *answer, const char *text)
{
    return strstr(answer->body, text) != NULL;
}
