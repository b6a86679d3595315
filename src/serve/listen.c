#include "serve/listen.h"

#include <errno.h>
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
#include <unistd.h>

#include "base/monotonic.h"
#include "policy/policy.h"
#include "serve/server.h"
#include "serve/wire_write.h"

enum { EVENTS = 64, TICK_MILLISECONDS = 1000, STOPPING_MILLISECONDS = 20 };

int64_t server_now(void)
{
    return monotonic_milliseconds() / 1000;
}

/* ---- What sessions ask of us ---- */

static const struct users *current_users(void *context)
{
    struct server *server = context;
    return users_watch_now(&server->users);
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
    reload_step(server);
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
    server->stop_at = server->stopping ? server_now() : server_now() + SHUTDOWN_SECONDS;
    server->stopping = true;
    listen_on(server, false);
    close(server->listener);
    server->listener = -1;
    if (server->api != NULL)
        http_begin_stop(http_api_daemon(server->api));
    for (struct connection *connection = server->connections, *next = NULL; connection != NULL;
         connection = next) {
        next = connection->next;
        if (!connection->working)
            connection_drive(connection);
    }
}

/* ---- Other files ---- */

/* Connections that are there keep theirs. */
static status reload_certificate(struct server *server, error *why)
{
    const struct serve_options *options = server->options;
    struct session_host *host = &server->host;
    unsigned char binding[SCRAM_MOST_BINDING];
    size_t size = 0;
    SSL_CTX *fresh = NULL;
    if (options->certificate == NULL)
        return DITHER_OK;
    TRY(tls_open(options->certificate, options->key, &fresh, why));
    status result = tls_binding(fresh, binding, &size, why);
    if (result == DITHER_OK && server->api != NULL)
        result = http_reload_certificate(http_api_daemon(server->api), why);
    if (result != DITHER_OK) {
        SSL_CTX_free(fresh);
        return result;
    }
    SSL_CTX_free(server->tls);
    server->tls = fresh;
    memcpy(host->binding, binding, size);
    host->binding_size = size;
    return DITHER_OK;
}

static void reload(struct server *server)
{
    error why;
    if (journal_reopen(server->journal, &why) != DITHER_OK)
        fprintf(stderr, "dither: %s; the old file stays in use\n", why.message);
    if (reload_certificate(server, &why) != DITHER_OK)
        fprintf(stderr, "dither: the certificate is not reloaded, and the old one stays: %s\n", why.message);
    reload_begin(server);
}

static void take_signal(struct server *server)
{
    struct signalfd_siginfo signal;
    if (read(server->signals, &signal, sizeof signal) != sizeof signal)
        return;
    if (signal.ssi_signo == SIGHUP)
        reload(server);
    else
        begin_stop(server);
}

static bool is_overdue(const struct connection *connection, int64_t now)
{
    if (connection->working || connection->asking)
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

/* An event may be of a connection that another of the same round has ended or given to a worker. */
static void drive(struct connection *connection)
{
    if (!connection->ended && !connection->working && !connection->asking)
        connection_drive(connection);
}

static void handle(struct server *server, const struct epoll_event *event)
{
    if (event->data.ptr == &server->listener)
        accept_all(server);
    else if (event->data.ptr == &server->finished)
        take_done(server);
    else if (event->data.ptr == &server->signals)
        take_signal(server);
    else
        drive(event->data.ptr);
}

static bool is_busy(struct server *server)
{
    return server->count > 0 || (server->api != NULL && !http_is_idle(http_api_daemon(server->api)));
}

/* Not at all while there are questions to answer; and HTTP does not wake us when it has ended. */
static int patience(const struct server *server)
{
    if (server->asking != NULL)
        return 0;
    return server->stopping ? STOPPING_MILLISECONDS : TICK_MILLISECONDS;
}

static void wait_for_all(struct server *server)
{
    int64_t ticked = server_now();
    while (!server->stopping || (is_busy(server) && server_now() < server->stop_at)) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(server->epoll, events, EVENTS, patience(server));
        for (int i = 0; i < count; i++)
            handle(server, &events[i]);
        connection_answer_round(server);
        if (server_now() != ticked)
            tick(server);
        ticked = server_now();
        connection_bury(server);
    }
}

/* ---- The whole ---- */

void serve_block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static status watch_own(struct server *server, error *why)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
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

static size_t wire_connections(void *context)
{
    struct server *server = context;
    return server->count;
}

/* Of the curator that is there until the lock is given back: a reload closes the old one afterwards. */
static status recall_for_http(void *context, const struct curator_question *question,
                              struct curator_answer **out, error *why)
{
    struct server *server = context;
    pthread_mutex_lock(&server->pool_lock);
    status result =
        curator_recall(server->pool.curators[0], question, &(struct ledger_sight){NULL}, out, why);
    pthread_mutex_unlock(&server->pool_lock);
    return result;
}

static status open_http(struct server *server, const struct serve_options *options, error *why)
{
    const struct http_api_options http = {.place = {.host = options->host, .port = options->http_port},
                                          .certificate = options->certificate,
                                          .key = options->key,
                                          .connections = server->most,
                                          .users_path = server->users_path,
                                          .work = server->work,
                                          .journal = server->journal,
                                          .tries = server->tries,
                                          .tick = server->tick,
                                          .recall = recall_for_http,
                                          .wire_connections = wire_connections,
                                          .context = server};
    return http_api_open(&http, &server->api, why);
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
    struct catalogue *catalogue = NULL;
    TRY(catalogue_open(curator_catalogue(curator), options->program, &catalogue, why));
    host->catalogue = catalogue;
    TRY(texts_new(&host->texts, why));
    TRY(shown_new(&host->shown, why));
    TRY(random_open(&host->random, why));
    TRY(tries_new(host->random, NULL, &server->tries, why));
    TRY(tick_start(NULL, &server->tick, why));
    TRY(users_watch_open(&server->users, server->users_path, why));
    TRY(journal_open(&options->journal, &server->journal, why));
    host->journal = server->journal;
    host->tries = server->tries;
    TRY(socket_listen(&(struct socket_place){options->host, options->port, options->certificate != NULL},
                      &server->listener, why));
    server->finished.notify = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (server->finished.notify < 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    TRY(pool_open(curator, options->workers > 0 ? options->workers : pool_default(curator), &server->pool,
                  why));
    TRY(work_start(&(struct work_options){server->pool.curators, server->pool.count, server->most},
                   &server->work, why));
    if (!options->no_http)
        TRY(open_http(server, options, why));
    return watch_own(server, why);
}

static void close_parts(struct server *server)
{
    reload_quit(server);
    work_stop(server->work); /* which gives the jobs of HTTP back too */
    tick_stop(server->tick);
    http_api_close(server->api);
    reload_close(server);
    while (server->connections != NULL)
        connection_free(server->connections);
    connection_bury(server);
    const int files[] = {server->listener, server->epoll, server->signals, server->finished.notify};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] >= 0)
            close(files[i]);
    SSL_CTX_free(server->tls);
    catalogue_close(server->host.catalogue);
    texts_free(server->host.texts);
    shown_free(server->host.shown);
    random_close(server->host.random);
    users_watch_close(&server->users);
    journal_close(server->journal);
    tries_free(server->tries);
    pthread_mutex_destroy(&server->finished.lock);
    pthread_mutex_destroy(&server->pool_lock);
}

status serve_run(struct curator *curator, const char *users_path, const struct serve_options *options,
                 error *why)
{
    struct server server = {
        .listener = -1, .epoll = -1, .signals = -1, .finished.notify = -1, .users_path = users_path};
    server.options = options;
    server.pool = (struct pool){.curators = {curator}, .count = 1};
    snprintf(server.dataset, sizeof server.dataset, "%s", curator_policy(curator)->dataset);
    server.host = (struct session_host){.backend = &serve_backend_curator,
                                        .dataset = server.dataset,
                                        .users = current_users,
                                        .cancel = cancel,
                                        .context = &server};
    server.most = options->connections > 0 ? options->connections : DEFAULT_CONNECTIONS;
    raise_limit();
    pthread_mutex_init(&server.finished.lock, NULL);
    pthread_mutex_init(&server.pool_lock, NULL);
    status result = open_parts(&server, curator, options, why);
    if (result == DITHER_OK) {
        if (options->ready != NULL)
            options->ready(
                options->context,
                &(struct serve_ready){options->host, socket_port(server.listener),
                                      server.api != NULL ? http_port(http_api_daemon(server.api)) : 0});
        wait_for_all(&server);
    }
    close_parts(&server);
    return result;
}
