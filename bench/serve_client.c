#include "bench/serve_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/serve_house.h"

enum { READ_BYTES = 65536, EVENTS = 64, MOST_TIMES = 1 << 22, TEXT_BYTES = 256, MESSAGE_BYTES = 1024 };

struct client {
    PGconn *connection; /* NULL: HTTP */
    int socket;
    double sent;
    char header[2048]; /* of the message or reply under way */
    size_t header_length;
    size_t rest; /* of its body */
    char kind;
};

struct serve_clients {
    const struct protocol *protocol;
    const char *token; /* of HTTP */
    struct client *list;
    size_t count;
    int epoll;
    float *times;
    size_t time_count;
    size_t rows;
};

/* How a question is put, and what ends an answer: both protocols in the same loop. */
struct protocol {
    size_t (*write)(const struct serve_clients *clients, const char *text, char message[MESSAGE_BYTES]);
    /* Whether the last byte ends the answer. */
    bool (*take)(struct client *client, const char *bytes, size_t count, size_t *rows);
};

/* ---- PostgreSQL's ---- */

static size_t write_query(const struct serve_clients *clients, const char *text, char message[MESSAGE_BYTES])
{
    size_t length = strlen(text) + 1;
    uint32_t size = htonl((uint32_t)length + 4);
    (void)clients;
    message[0] = 'Q';
    memcpy(message + 1, &size, sizeof size);
    memcpy(message + 5, text, length);
    return length + 5;
}

/* Goes over the messages until a ReadyForQuery. */
static bool take_messages(struct client *client, const char *bytes, size_t count, size_t *rows)
{
    bool ready = false;
    for (size_t at = 0; at < count;) {
        if (client->rest > 0) {
            size_t now = client->rest < count - at ? client->rest : count - at;
            client->rest -= now;
            at += now;
            ready = client->rest == 0 && client->kind == 'Z';
            continue;
        }
        client->header[client->header_length++] = bytes[at++];
        if (client->header_length < 5)
            continue;
        uint32_t size = 0;
        memcpy(&size, client->header + 1, sizeof size);
        client->kind = client->header[0];
        client->rest = ntohl(size) - 4;
        client->header_length = 0;
        *rows += client->kind == 'D';
        if (client->kind == 'E')
            serve_give_up("an answer is an error", bytes + at);
    }
    return ready;
}

static const struct protocol postgres = {write_query, take_messages};

/* ---- HTTP ---- */

static size_t write_request(const struct serve_clients *clients, const char *text,
                            char message[MESSAGE_BYTES])
{
    char body[TEXT_BYTES + 32];
    int length = snprintf(body, sizeof body, "{\"question\": \"%s\"}", text);
    return (size_t)snprintf(message, MESSAGE_BYTES,
                            "POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                            "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                            clients->token, length, body);
}

/* The length of the body, once the header is whole; what is left of the bytes is the body's. */
static bool take_head(struct client *client, const char **bytes, size_t *count)
{
    const char *length = NULL;
    while (*count > 0 && client->header_length < sizeof client->header - 1) {
        client->header[client->header_length++] = *(*bytes)++;
        --*count;
        client->header[client->header_length] = '\0';
        if (client->header_length < 4 ||
            memcmp(client->header + client->header_length - 4, "\r\n\r\n", 4) != 0)
            continue;
        length = strstr(client->header, "\r\nContent-Length: ");
        if (strncmp(client->header, "HTTP/1.1 200 ", 13) != 0 || length == NULL)
            serve_give_up("an answer is an error", client->header);
        client->rest = strtoul(length + 18, NULL, 10);
        client->header_length = 0;
        return true;
    }
    return false;
}

static bool take_reply(struct client *client, const char *bytes, size_t count, size_t *rows)
{
    if (client->rest == 0 && !take_head(client, &bytes, &count))
        return false;
    if (count > client->rest)
        serve_give_up("an answer is too long", bytes);
    client->rest -= count;
    *rows += count;
    return client->rest == 0;
}

static const struct protocol http = {write_request, take_reply};

/* ---- Connections ---- */

static void connect_postgres(struct client *client, int port)
{
    char place[200];
    snprintf(place, sizeof place,
             "host=127.0.0.1 port=%d user=ana password=pencil dbname=load sslmode=disable", port);
    client->connection = PQconnectdb(place);
    if (PQstatus(client->connection) != CONNECTION_OK)
        serve_give_up("connecting", PQerrorMessage(client->connection));
    client->socket = PQsocket(client->connection);
}

static void connect_plain(struct client *client, int port)
{
    const int on = 1;
    struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    client->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client->socket < 0 || connect(client->socket, (struct sockaddr *)&place, sizeof place) != 0 ||
        setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        serve_give_up("connecting", strerror(errno));
}

static struct serve_clients *connect_all(const struct serve_clients *kind, int port,
                                         void (*connect_one)(struct client *client, int port))
{
    struct serve_clients *clients = malloc(sizeof *clients);
    struct client *list = calloc(kind->count, sizeof *list);
    float *times = malloc(MOST_TIMES * sizeof *times);
    if (clients == NULL || list == NULL || times == NULL)
        serve_give_up("connecting", "out of memory");
    *clients = *kind;
    clients->list = list;
    clients->times = times;
    clients->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t i = 0; i < clients->count; i++) {
        connect_one(&list[i], port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &list[i]};
        if (epoll_ctl(clients->epoll, EPOLL_CTL_ADD, list[i].socket, &event) != 0)
            serve_give_up("connecting", strerror(errno));
    }
    return clients;
}

struct serve_clients *serve_clients_connect(int port, size_t count)
{
    return connect_all(&(struct serve_clients){.protocol = &postgres, .count = count}, port,
                       connect_postgres);
}

struct serve_clients *serve_clients_connect_http(int port, const char *token, size_t count)
{
    return connect_all(&(struct serve_clients){.protocol = &http, .token = token, .count = count}, port,
                       connect_plain);
}

void serve_clients_close(struct serve_clients *clients)
{
    for (size_t i = 0; i < clients->count; i++)
        if (clients->list[i].connection != NULL)
            PQfinish(clients->list[i].connection);
        else
            close(clients->list[i].socket);
    close(clients->epoll);
    free(clients->list);
    free(clients->times);
    free(clients);
}

/* ---- Questions ---- */

static void ask(const struct serve_clients *clients, struct client *client, serve_text *text, uint64_t number)
{
    char words[TEXT_BYTES], message[MESSAGE_BYTES];
    text(number, words);
    size_t length = clients->protocol->write(clients, words, message);
    client->sent = bench_clock_seconds();
    if (send(client->socket, message, length, MSG_NOSIGNAL) != (ssize_t)length)
        serve_give_up("asking", strerror(errno));
}

static bool read_answer(struct serve_clients *clients, struct client *client)
{
    static char bytes[READ_BYTES + 1];
    ssize_t count = recv(client->socket, bytes, READ_BYTES, 0);
    if (count <= 0)
        serve_give_up("reading", count == 0 ? "the server hung up" : strerror(errno));
    bytes[count] = '\0';
    return clients->protocol->take(client, bytes, (size_t)count, &clients->rows);
}

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static void sum_up(struct serve_clients *clients, size_t answers, double seconds, struct serve_load *out)
{
    qsort(clients->times, clients->time_count, sizeof *clients->times, compare);
    out->rate = (double)answers / seconds;
    out->answers = (double)answers;
    out->rows = (double)clients->rows;
    out->p50 = (double)clients->times[clients->time_count / 2];
    out->p99 = (double)clients->times[clients->time_count * 99 / 100];
}

uint64_t serve_clients_run(struct serve_clients *clients, serve_text *text, uint64_t first, double seconds,
                           struct serve_load *out)
{
    double begun = bench_clock_seconds(), now = begun;
    size_t under_way = clients->count, answers = 0;
    clients->time_count = clients->rows = 0;
    for (size_t i = 0; i < clients->count; i++)
        ask(clients, &clients->list[i], text, first++);
    while (under_way > 0) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(clients->epoll, events, EVENTS, 60000);
        if (count <= 0)
            serve_give_up("waiting", "no answer for a minute");
        for (int i = 0; i < count; i++) {
            struct client *client = events[i].data.ptr;
            if (!read_answer(clients, client))
                continue;
            now = bench_clock_seconds();
            answers++;
            if (clients->time_count < MOST_TIMES)
                clients->times[clients->time_count++] = (float)(now - client->sent);
            if (now - begun < seconds)
                ask(clients, client, text, first++);
            else
                under_way--;
        }
    }
    sum_up(clients, answers, now - begun, out);
    return first;
}
