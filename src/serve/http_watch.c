/* The clients of the HTTP side. libmicrohttpd does not look at a connection while its reply is awaited, and it knows only
 * how long nothing came: so a thread of ours notices who hangs up, and cuts off who is too slow on the whole. */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "serve/http_room.h"

enum { TICK_MILLISECONDS = 1000 };

/* ---- Connections ---- */

static void add_client(struct http_daemon *daemon, struct MHD_Connection *connection, void **place)
{
    struct http *http = daemon->http;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct http_client *client = memory_allocate(sizeof *client);
    if (client == NULL || info == NULL) {
        memory_release(client, sizeof *client);
        return; /* its requests are refused: there is no client for them */
    }
    client->daemon = daemon;
    client->socket = info->connect_fd;
    client->phase = HTTP_READING;
    client->since = monotonic_milliseconds();
    pthread_mutex_lock(&http->lock);
    client->number = ++http->next_client;
    client->next = http->clients;
    if (client->next != NULL)
        client->next->previous = client;
    http->clients = client;
    http->client_count++;
    daemon->clients++;
    pthread_mutex_unlock(&http->lock);
    *place = client;
}

/* libmicrohttpd closes the socket after this: whoever holds the lock and finds the client may use the socket. */
static void remove_client(struct http_daemon *daemon, void **place)
{
    struct http *http = daemon->http;
    struct http_client *client = *place;
    if (client == NULL)
        return;
    pthread_mutex_lock(&http->lock);
    if (client->previous != NULL)
        client->previous->next = client->next;
    else
        http->clients = client->next;
    if (client->next != NULL)
        client->next->previous = client->previous;
    http->client_count--;
    daemon->clients--;
    pthread_mutex_unlock(&http->lock);
    memory_release(client, sizeof *client);
    *place = NULL;
}

void watch_connection(void *context, struct MHD_Connection *connection, void **client,
                      enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        add_client(context, connection, client);
    else
        remove_client(context, client);
}

void watch_phase(struct http_client *client, enum http_phase phase)
{
    struct http *http = client->daemon->http;
    pthread_mutex_lock(&http->lock);
    client->phase = phase;
    client->since = monotonic_milliseconds();
    pthread_mutex_unlock(&http->lock);
}

/* ---- Who hangs up ---- */

/* A client that has closed its side, or both: half of a connection is nobody who waits for an answer. */
void watch_begin_wait(struct http_exchange *exchange)
{
    struct http_client *client = exchange->client;
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.u64 = client->number};
    client->waiting = exchange;
    (void)epoll_ctl(exchange->http->epoll, EPOLL_CTL_ADD, client->socket, &event);
}

void watch_end_wait(struct http_exchange *exchange)
{
    struct http_client *client = exchange->client;
    client->waiting = NULL;
    (void)epoll_ctl(exchange->http->epoll, EPOLL_CTL_DEL, client->socket, NULL);
}

/* The exchange stays until it is resumed, and that is ours to do while `going`. */
static void notice_gone(struct http *http, uint64_t number)
{
    struct http_exchange *exchange = NULL;
    pthread_mutex_lock(&http->lock);
    for (struct http_client *client = http->clients; client != NULL; client = client->next)
        if (client->number == number)
            exchange = client->waiting;
    if (exchange != NULL)
        exchange->going = true;
    pthread_mutex_unlock(&http->lock);
    if (exchange == NULL)
        return;
    exchange->waiter->gone(exchange->work);
    pthread_mutex_lock(&http->lock);
    exchange->going = false;
    bool replied = !exchange->waiting;
    pthread_mutex_unlock(&http->lock);
    if (replied)
        MHD_resume_connection(exchange->connection);
}

/* ---- Who is too slow ---- */

static bool is_overdue(const struct http_client *client, int64_t now)
{
    const struct http_options *options = &client->daemon->http->options;
    uint64_t seconds = (uint64_t)(now - client->since) / 1000;
    if (client->phase == HTTP_READING)
        return seconds >= options->request_seconds;
    return client->phase == HTTP_ANSWERING && seconds >= options->answer_seconds;
}

static void cut_off_slow(struct http *http)
{
    int64_t now = monotonic_milliseconds();
    pthread_mutex_lock(&http->lock);
    for (struct http_client *client = http->clients; client != NULL; client = client->next)
        if (is_overdue(client, now))
            (void)shutdown(client->socket, SHUT_RDWR);
    pthread_mutex_unlock(&http->lock);
}

/* ---- The thread ---- */

static void *watch(void *context)
{
    struct http *http = context;
    int64_t ticked = monotonic_milliseconds();
    for (;;) {
        struct epoll_event event;
        int count = epoll_wait(http->epoll, &event, 1, TICK_MILLISECONDS);
        if (count == 1 && event.data.u64 == 0)
            return NULL;
        if (count == 1)
            notice_gone(http, event.data.u64);
        if (monotonic_milliseconds() - ticked < TICK_MILLISECONDS)
            continue;
        ticked = monotonic_milliseconds();
        cut_off_slow(http);
        http_sweep(http);
    }
}

status watch_start(struct http *http, error *why)
{
    http->epoll = epoll_create1(EPOLL_CLOEXEC);
    http->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 0};
    if (http->epoll < 0 || http->wake < 0 || epoll_ctl(http->epoll, EPOLL_CTL_ADD, http->wake, &event) != 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    if (pthread_create(&http->watcher, NULL, watch, http) != 0)
        return fail(why, DITHER_NO_MEMORY, "a thread could not be started");
    http->watching = true;
    return DITHER_OK;
}

void watch_stop(struct http *http)
{
    const uint64_t one = 1;
    if (http->watching) {
        (void)!write(http->wake, &one, sizeof one);
        pthread_join(http->watcher, NULL);
    }
    if (http->epoll >= 0)
        close(http->epoll);
    if (http->wake >= 0)
        close(http->wake);
    http->watching = false;
    http->epoll = http->wake = -1;
}
