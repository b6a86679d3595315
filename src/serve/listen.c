#include "serve/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "policy/policy.h"
#include "serve/server.h"
#include "serve/wire_write.h"

enum { EVENTS = 64, BACKLOG = 512, TICK_MILLISECONDS = 1000 };

int64_t server_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- The listening socket ---- */

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static status open_socket(struct server *server, const struct addrinfo *found, error *why)
{
    const int on = 1;
    server->listener = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server->listener < 0 || setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(server->listener, found->ai_addr, found->ai_addrlen) != 0 ||
        listen(server->listener, BACKLOG) != 0)
        return fail(why, DITHER_IO, "the port cannot be opened: %s", strerror(errno));
    return DITHER_OK;
}

static status open_listener(struct server *server, const struct serve_options *options, error *why)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_PASSIVE};
    struct addrinfo *found = NULL;
    char port[8];
    snprintf(port, sizeof port, "%u", options->port);
    if (getaddrinfo(options->host, port, &wanted, &found) != 0)
        return fail(why, DITHER_INVALID, "%.60s is not an address", options->host);
    status result = DITHER_OK;
    if (options->certificate == NULL && !is_loopback(found->ai_addr))
        result = fail(why, DITHER_REFUSED,
                      "%.60s can be reached from elsewhere: that needs TLS (--tls-cert, --tls-key)",
                      options->host);
    if (result == DITHER_OK)
        result = open_socket(server, found, why);
    freeaddrinfo(found);
    return result;
}

static uint16_t bound_port(const struct server *server)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(server->listener, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&address)->sin6_port
                                               : ((struct sockaddr_in *)(void *)&address)->sin_port);
}

/* ---- What sessions ask of us ---- */

static bool same_file(const struct stat *left, const struct stat *right)
{
    return left->st_ino == right->st_ino && left->st_size == right->st_size &&
           left->st_mtim.tv_sec == right->st_mtim.tv_sec && left->st_mtim.tv_nsec == right->st_mtim.tv_nsec;
}

/* The file as it is now; while it cannot be read the last one holds, and the owner sees why. */
static const struct users *current_users(void *context)
{
    struct server *server = context;
    struct stat facts = {0};
    struct users *users = NULL;
    error why;
    if (stat(server->users_path, &facts) == 0 && same_file(&facts, &server->users_facts))
        return server->users;
    if (users_read(server->users_path, &users, &why) != DITHER_OK) {
        fprintf(stderr, "dither: %s\n", why.message);
        return server->users;
    }
    users_free(server->users);
    server->users = users;
    server->users_facts = facts;
    return users;
}

static void cancel(void *context, uint32_t process, uint32_t secret)
{
    struct server *server = context;
    for (struct connection *connection = server->connections; connection != NULL;
         connection = connection->next)
        if (connection->working && session_has_key(connection->session, process, secret))
            work_cancel(server->work, &connection->job);
}

/* ---- Events ---- */

/* Said without reading: a client that finds no room may not be read from at all. */
static void turn_away(int socket)
{
    struct buffer out;
    buffer_init(&out, 512);
    wire_write_report(
        &out, &(struct wire_report){"FATAL", "53300", "sorry, too many clients already", NULL, NULL, -1});
    if (!out.failed)
        (void)!send(socket, out.data, out.length, MSG_NOSIGNAL);
    buffer_free(&out);
    close(socket);
}

static void listen_on(struct server *server, bool on)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &server->listener};
    if (on != server->listening)
        (void)epoll_ctl(server->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, server->listener, &event);
    server->listening = on;
}

static void accept_all(struct server *server)
{
    const int on = 1;
    for (int i = 0; i < EVENTS; i++) {
        int socket = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
                listen_on(server, false); /* until the next tick */
            return;
        }
        (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        (void)setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        if (server->count >= server->most)
            turn_away(socket);
        else if (connection_new(server, socket, NULL) != DITHER_OK)
            close(socket);
    }
}

static void take_done(struct server *server)
{
    uint64_t count = 0;
    (void)!read(server->finished.notify, &count, sizeof count);
    for (struct connection *done = connection_take_finished(server); done != NULL;
         done = connection_take_finished(server)) {
        done->working = false;
        done->moved = server_now();
        connection_drive(done);
    }
}

/* Whoever is idle is told; the others when they are. */
static void begin_stop(struct server *server)
{
    struct signalfd_siginfo signal;
    (void)!read(server->signals, &signal, sizeof signal);
    server->stop_at = server->stopping ? server_now() : server_now() + SHUTDOWN_SECONDS;
    server->stopping = true;
    listen_on(server, false);
    close(server->listener);
    server->listener = -1;
    for (struct connection *connection = server->connections, *next = NULL; connection != NULL;
         connection = next) {
        next = connection->next;
        if (!connection->working)
            connection_drive(connection);
    }
}

static bool is_overdue(const struct connection *connection, int64_t now)
{
    if (connection->working)
        return false;
    if (!session_is_known(connection->session))
        return now - connection->begun > SIGN_IN_SECONDS;
    return session_output(connection->session)->length > 0 && now - connection->moved > STALLED_SECONDS;
}

static void tick(struct server *server)
{
    int64_t now = server_now();
    if (!server->stopping)
        listen_on(server, true);
    for (struct connection *connection = server->connections, *next = NULL; connection != NULL;
         connection = next) {
        next = connection->next;
        if (is_overdue(connection, now))
            connection_free(connection);
    }
}

static void handle(struct server *server, const struct epoll_event *event)
{
    if (event->data.ptr == &server->listener)
        accept_all(server);
    else if (event->data.ptr == &server->finished)
        take_done(server);
    else if (event->data.ptr == &server->signals)
        begin_stop(server);
    else
        connection_drive(event->data.ptr);
}

/* One event at a time: handling one may free the connection of another that was reported with it. */
static void wait_for_all(struct server *server)
{
    int64_t ticked = server_now();
    while (!server->stopping || (server->count > 0 && server_now() < server->stop_at)) {
        struct epoll_event event;
        int count = epoll_wait(server->epoll, &event, 1, TICK_MILLISECONDS);
        if (count == 1)
            handle(server, &event);
        if (server_now() != ticked)
            tick(server);
        ticked = server_now();
    }
}

/* ---- The whole ---- */

void serve_block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static status watch_own(struct server *server, error *why)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    struct epoll_event signalled = {.events = EPOLLIN, .data.ptr = &server->signals};
    struct epoll_event done = {.events = EPOLLIN, .data.ptr = &server->finished};
    if (server->epoll < 0 || server->signals < 0 ||
        epoll_ctl(server->epoll, EPOLL_CTL_ADD, server->signals, &signalled) != 0 ||
        epoll_ctl(server->epoll, EPOLL_CTL_ADD, server->finished.notify, &done) != 0)
        return fail(why, DITHER_IO, "the server cannot wait: %s", strerror(errno));
    listen_on(server, true);
    return DITHER_OK;
}

/* As many sockets as the system lets us have. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static status open_parts(struct server *server, struct curator *curator, const struct serve_options *options,
                         error *why)
{
    struct session_host *host = &server->host;
    if (options->certificate != NULL) {
        TRY(tls_open(options->certificate, options->key, &server->tls, why));
        TRY(tls_binding(server->tls, host->binding, &host->binding_size, why));
        host->tls = true;
    }
    TRY(catalogue_open(curator_catalogue(curator), &host->catalogue, why));
    TRY(random_open(&host->random, why));
    TRY(users_read(server->users_path, &server->users, why));
    TRY(open_listener(server, options, why));
    server->finished.notify = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (server->finished.notify < 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    TRY(pool_open(curator, options->workers > 0 ? options->workers : pool_default(), &server->pool, why));
    TRY(work_start(&(struct work_options){server->pool.curators, server->pool.count, server->most},
                   &server->work, why));
    return watch_own(server, why);
}

static void close_parts(struct server *server)
{
    work_stop(server->work);
    pool_close(&server->pool);
    while (server->connections != NULL)
        connection_free(server->connections);
    const int files[] = {server->listener, server->epoll, server->signals, server->finished.notify};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] >= 0)
            close(files[i]);
    SSL_CTX_free(server->tls);
    catalogue_close(server->host.catalogue);
    random_close(server->host.random);
    users_free(server->users);
    pthread_mutex_destroy(&server->finished.lock);
}

status serve_run(struct curator *curator, const char *users_path, const struct serve_options *options,
                 error *why)
{
    struct server server = {
        .listener = -1, .epoll = -1, .signals = -1, .finished.notify = -1, .users_path = users_path};
    server.host = (struct session_host){.backend = &serve_backend_curator,
                                        .dataset = curator_policy(curator)->dataset,
                                        .users = current_users,
                                        .cancel = cancel,
                                        .context = &server};
    server.most = options->connections > 0 ? options->connections : DEFAULT_CONNECTIONS;
    raise_limit();
    pthread_mutex_init(&server.finished.lock, NULL);
    status result = open_parts(&server, curator, options, why);
    if (result == DITHER_OK) {
        if (options->ready != NULL)
            options->ready(options->context, options->host, bound_port(&server));
        wait_for_all(&server);
    }
    close_parts(&server);
    return result;
}
