/* The same over HTTP, at $http with the token $TOKEN: half a request, a body that drips, a gigabyte announced, ten thousand
 * headers, replies that nobody reads. After each of them an honest request is answered, and an honest session too. */
#include "client_limits.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 90, HEADERS = 10000, REPLIES = 400, READERS = 10 };

#define QUESTION "{\"question\": \"SELECT count(*) FROM people\"}"

/* A request up to its body, of which so many bytes are announced. */
static size_t begin_request(char *out, size_t room, const char *length)
{
    const char *token = getenv("TOKEN");
    return (size_t)snprintf(out, room,
                            "POST /v1/ask HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\n"
                            "Content-Type: application/json\r\nContent-Length: %s\r\n\r\n",
                            token != NULL ? token : "", length);
}

/* The code of the reply; 0: the connection was ended without one. */
static int code_of(int file)
{
    char bytes[4096] = "";
    struct pollfd wait = {.fd = file, .events = POLLIN};
    int code = 0;
    if (poll(&wait, 1, 10000) != 1)
        stop("HTTP: no reply for ten seconds");
    ssize_t count = recv(file, bytes, sizeof bytes - 1, 0);
    if (count > 0 && sscanf(bytes, "HTTP/1.1 %d", &code) != 1)
        stop("HTTP: not a reply: %.60s", bytes);
    return code;
}

static void an_honest_request(const char *after)
{
    char head[600], length[16];
    snprintf(length, sizeof length, "%zu", strlen(QUESTION));
    size_t size = begin_request(head, sizeof head, length);
    int file = plain_socket("http");
    send_all(file, head, size);
    send_all(file, QUESTION, strlen(QUESTION));
    int code = code_of(file);
    if (code != 200)
        stop("after %s an honest request gets %d", after, code);
    close(file);
    others_are_served(after);
}

static void half_requests(void)
{
    char head[600];
    int files[MANY];
    size_t size = begin_request(head, sizeof head, "500");
    for (int i = 0; i < MANY; i++) {
        files[i] = plain_socket("http");
        if (i % 3 == 1) /* somewhere in the header */
            send_all(files[i], head, (size_t)(3 * i) % size);
        if (i % 3 == 2) { /* a part of the body */
            send_all(files[i], head, size);
            send_all(files[i], QUESTION, 10);
        }
    }
    an_honest_request("half requests");
    for (int turn = 0; turn < 3; turn++) { /* another byte each, now and then */
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        for (int i = 2; i < MANY; i += 3)
            send_all(files[i], "x", 1);
    }
    an_honest_request("bodies that drip");
    for (int i = 0; i < MANY; i++)
        close(files[i]);
}

static void a_gigabyte_announced(void)
{
    static char piece[64 << 10];
    static const char *const lengths[] = {"1073741824", "99999999999999999999"};
    char head[600];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        int file = plain_socket("http");
        send_all(file, head, begin_request(head, sizeof head, lengths[i]));
        int code = code_of(file);
        if (code != 413 && code != 400)
            stop("HTTP: a body of %s bytes gets %d", lengths[i], code);
        for (int k = 0; k < 160; k++) /* ten megabytes all the same, which nobody keeps */
            send_all(file, piece, sizeof piece);
        if (!is_ended(file, 10))
            stop("HTTP: a body of %s bytes is waited for", lengths[i]);
        close(file);
    }
    an_honest_request("a gigabyte over HTTP");
}

static void ten_thousand_headers(void)
{
    static const char first[] = "GET /healthz HTTP/1.1\r\nHost: here\r\n";
    char *text = malloc(sizeof first + HEADERS * 20 + 4), *at = text;
    if (text == NULL)
        stop("out of memory");
    at = stpcpy(at, first);
    for (int i = 0; i < HEADERS; i++)
        at += sprintf(at, "X-%d: y\r\n", i);
    at = stpcpy(at, "\r\n");
    int file = plain_socket("http");
    send_all(file, text, (size_t)(at - text));
    int code = code_of(file);
    if (code != 431 && code != 413 && code != 400 && code != 0)
        stop("HTTP: ten thousand headers get %d", code);
    close(file);
    free(text);
    an_honest_request("ten thousand headers");
}

/* Each asks for the same document again and again, and takes nothing. */
static void replies_that_nobody_reads(void)
{
    static const char request[] = "GET /v1/openapi.json HTTP/1.1\r\nHost: here\r\n\r\n";
    const int small = 4096;
    int files[READERS];
    for (int i = 0; i < READERS; i++) {
        files[i] = plain_socket("http");
        setsockopt(files[i], SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        for (int k = 0; k < REPLIES; k++)
            if (send(files[i], request, sizeof request - 1, MSG_NOSIGNAL | MSG_DONTWAIT) <= 0)
                break; /* it does not take more before somebody reads: rightly */
    }
    an_honest_request("replies that nobody reads");
    for (int i = 0; i < READERS; i++)
        close(files[i]);
}

void mean_ill_over_http(void)
{
    an_honest_request("nothing over HTTP");
    half_requests();
    a_gigabyte_announced();
    ten_thousand_headers();
    replies_that_nobody_reads();
}
