#include "bench/serve_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/serve_house.h"

enum { READ_BYTES = 65536, EVENTS = 64, MOST_TIMES = 1 << 22 };

struct client {
    PGconn *connection;
    int socket;
    double sent;
    char header[5]; /* of the message under way */
    size_t header_length;
    size_t rest; /* of its body */
    char kind;
};

struct serve_clients {
    struct client *list;
    size_t count;
    int epoll;
    float *times;
    size_t time_count;
    size_t rows;
};

static void connect_one(struct serve_clients *clients, struct client *client, int port)
{
    char place[200];
    snprintf(place, sizeof place,
             "host=127.0.0.1 port=%d user=ana password=pencil dbname=load sslmode=disable", port);
    client->connection = PQconnectdb(place);
    if (PQstatus(client->connection) != CONNECTION_OK)
        serve_give_up("connecting", PQerrorMessage(client->connection));
    client->socket = PQsocket(client->connection);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    if (epoll_ctl(clients->epoll, EPOLL_CTL_ADD, client->socket, &event) != 0)
        serve_give_up("connecting", strerror(errno));
}

struct serve_clients *serve_clients_connect(int port, size_t count)
{
    struct serve_clients *clients = calloc(1, sizeof *clients);
    struct client *list = calloc(count, sizeof *list);
    float *times = malloc(MOST_TIMES * sizeof *times);
    if (clients == NULL || list == NULL || times == NULL)
        serve_give_up("connecting", "out of memory");
    *clients = (struct serve_clients){list, count, epoll_create1(EPOLL_CLOEXEC), times, 0, 0};
    for (size_t i = 0; i < count; i++)
        connect_one(clients, &list[i], port);
    return clients;
}

void serve_clients_close(struct serve_clients *clients)
{
    for (size_t i = 0; i < clients->count; i++)
        PQfinish(clients->list[i].connection);
    close(clients->epoll);
    free(clients->list);
    free(clients->times);
    free(clients);
}

static void ask(struct client *client, serve_text *text, uint64_t number)
{
    char message[5 + 256] = "Q";
    text(number, message + 5);
    size_t length = strlen(message + 5) + 1;
    uint32_t size = htonl((uint32_t)length + 4);
    memcpy(message + 1, &size, sizeof size);
    client->sent = bench_clock_seconds();
    if (send(client->socket, message, length + 5, MSG_NOSIGNAL) != (ssize_t)length + 5)
        serve_give_up("asking", strerror(errno));
}

/* Goes over the messages; whether the last byte ends a ReadyForQuery. */
static bool take(struct client *client, const char *bytes, size_t count, size_t *rows)
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
        if (client->header_length < sizeof client->header)
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

static bool read_answer(struct client *client, size_t *rows)
{
    static char bytes[READ_BYTES + 1];
    ssize_t count = recv(client->socket, bytes, READ_BYTES, 0);
    if (count <= 0)
        serve_give_up("reading", count == 0 ? "the server hung up" : strerror(errno));
    bytes[count] = '\0';
    return take(client, bytes, (size_t)count, rows);
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
        ask(&clients->list[i], text, first++);
    while (under_way > 0) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(clients->epoll, events, EVENTS, 60000);
        if (count <= 0)
            serve_give_up("waiting", "no answer for a minute");
        for (int i = 0; i < count; i++) {
            struct client *client = events[i].data.ptr;
            if (!read_answer(client, &clients->rows))
                continue;
            now = bench_clock_seconds();
            answers++;
            if (clients->time_count < MOST_TIMES)
                clients->times[clients->time_count++] = (float)(now - client->sent);
            if (now - begun < seconds)
                ask(client, text, first++);
            else
                under_way--;
        }
    }
    sum_up(clients, answers, now - begun, out);
    return first;
}
