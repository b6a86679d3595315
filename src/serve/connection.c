/* One connection: bytes between a socket and a session. */
#include <errno.h>
#include <openssl/err.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "policy/policy.h"
#include "serve/server.h"

/* ---- Waiting ---- */

/* Not at all for 0: a connection that hangs up while it waits for its answer must not wake us over and over. */
static void watch(struct connection *connection, uint32_t events)
{
    int epoll = connection->server->epoll;
    struct epoll_event event = {.events = events, .data.ptr = connection};
    if (events == 0 && connection->watched)
        (void)epoll_ctl(epoll, EPOLL_CTL_DEL, connection->socket, NULL);
    else if (events != 0 && !connection->watched)
        (void)epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event);
    else if (events != connection->events)
        (void)epoll_ctl(epoll, EPOLL_CTL_MOD, connection->socket, &event);
    connection->watched = events != 0;
    connection->events = events;
}

/* ---- Bytes ---- */

enum moved { MOVED, BLOCKED, ENDED };

static enum moved tls_verdict(struct connection *connection, int result)
{
    int cause = SSL_get_error(connection->tls, result);
    ERR_clear_error();
    if (cause == SSL_ERROR_WANT_READ)
        watch(connection, EPOLLIN);
    else if (cause == SSL_ERROR_WANT_WRITE)
        watch(connection, EPOLLOUT);
    else
        return ENDED;
    return BLOCKED;
}

static enum moved plain_verdict(struct connection *connection, uint32_t events)
{
    if (errno == EINTR)
        return MOVED;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return ENDED;
    watch(connection, events);
    return BLOCKED;
}

/* What has not come by now will be reported: after a read that was not full nothing is tried again. */
static enum moved wait_for_more(struct connection *connection)
{
    connection->drained = false;
    watch(connection, EPOLLIN);
    return BLOCKED;
}

static enum moved read_some(struct connection *connection)
{
    char bytes[SESSION_READ_BYTES];
    ssize_t count = 0;
    if (connection->drained)
        return wait_for_more(connection);
    if (connection->tls != NULL) {
        count = SSL_read(connection->tls, bytes, sizeof bytes);
        if (count <= 0)
            return tls_verdict(connection, (int)count);
    } else {
        count = recv(connection->socket, bytes, sizeof bytes, 0);
        if (count == 0)
            return ENDED;
        if (count < 0)
            return plain_verdict(connection, EPOLLIN);
        connection->drained = (size_t)count < sizeof bytes;
    }
    connection->moved = server_now();
    session_input(connection->session, bytes, (size_t)count);
    explicit_bzero(bytes, (size_t)count);
    return MOVED;
}

static enum moved write_some(struct connection *connection, const struct buffer *output)
{
    ssize_t count = 0;
    if (connection->tls != NULL) {
        count = SSL_write(connection->tls, output->data, (int)output->length);
        if (count <= 0)
            return tls_verdict(connection, (int)count);
    } else {
        count = send(connection->socket, output->data, output->length, MSG_NOSIGNAL);
        if (count < 0)
            return plain_verdict(connection, EPOLLOUT);
    }
    connection->moved = server_now();
    session_written(connection->session, (size_t)count);
    return MOVED;
}

static enum moved write_all(struct connection *connection)
{
    const struct buffer *output = session_output(connection->session);
    enum moved moved = MOVED;
    while (moved == MOVED && output->length > 0)
        moved = write_some(connection, output);
    return moved;
}

static enum moved shake_hands(struct connection *connection)
{
    int result = SSL_accept(connection->tls);
    if (result != 1)
        return tls_verdict(connection, result);
    connection->handshaking = false;
    session_encrypted(connection->session);
    return MOVED;
}

static enum moved begin_tls(struct connection *connection)
{
    connection->tls = SSL_new(connection->server->tls);
    if (connection->tls == NULL || SSL_set_fd(connection->tls, connection->socket) != 1)
        return ENDED;
    connection->handshaking = true;
    return MOVED;
}

/* ---- One step ---- */

static struct connection *connection_of(struct work_job *job)
{
    return (struct connection *)(void *)((char *)job - offsetof(struct connection, job));
}

static void run_job(struct work_job *job, struct curator *curator)
{
    struct connection *connection = connection_of(job);
    if (session_asks(connection->session))
        connection->step = curator_policy(curator)->timing_step_milliseconds;
    session_work(connection->session, curator);
}

/* The connection goes back to the thread that waits. */
static void hand_over(struct connection *connection)
{
    struct finished *finished = &connection->server->finished;
    const uint64_t one = 1;
    connection->finished = NULL;
    pthread_mutex_lock(&finished->lock);
    if (finished->last != NULL)
        finished->last->finished = connection;
    else
        finished->first = connection;
    finished->last = connection;
    pthread_mutex_unlock(&finished->lock);
    (void)!write(finished->notify, &one, sizeof one); /* a full counter wakes as well */
}

static void ring(struct tick_wait *held)
{
    hand_over((struct connection *)(void *)((char *)held - offsetof(struct connection, held)));
}

/* On a worker's thread, or on that of a cancel request. */
static void job_done(struct work_job *job)
{
    struct connection *connection = connection_of(job);
    struct tick *tick = connection->server->tick;
    if (job->cancelled)
        session_refuse(connection->session, "interrupted; nothing was charged");
    if (connection->step == 0) {
        hand_over(connection);
        return;
    }
    connection->held.ring = ring;
    tick_add(tick, &connection->held, tick_due(connection->asked, tick_now(tick), connection->step));
}

struct connection *connection_take_finished(struct server *server)
{
    struct finished *finished = &server->finished;
    pthread_mutex_lock(&finished->lock);
    struct connection *connection = finished->first;
    if (connection != NULL)
        finished->first = connection->finished;
    if (finished->first == NULL)
        finished->last = NULL;
    pthread_mutex_unlock(&finished->lock);
    return connection;
}

static enum moved give_to_worker(struct connection *connection)
{
    watch(connection, 0);
    connection->working = true;
    connection->step = 0;
    connection->asked = tick_now(connection->server->tick);
    connection->job.run = run_job;
    connection->job.done = job_done;
    if (work_add(connection->server->work, &connection->job))
        return BLOCKED;
    connection->working = false;
    session_refuse(connection->session, "too many questions are waiting; nothing was charged, ask again");
    return MOVED;
}

/* A question waits until all that have come are read: perhaps it was answered before (connection_answer_round). */
static enum moved begin_work(struct connection *connection)
{
    struct server *server = connection->server;
    if (!session_asks(connection->session))
        return give_to_worker(connection);
    if (connection->asking)
        return BLOCKED;
    connection->asking = true;
    connection->asked_next = NULL;
    *(server->last_asking != NULL ? &server->last_asking->asked_next : &server->asking) = connection;
    server->last_asking = connection;
    return BLOCKED;
}

static enum moved step(struct connection *connection)
{
    if (connection->handshaking)
        return shake_hands(connection);
    enum session_wants wants = session_step(connection->session);
    if (wants == SESSION_INPUT && connection->server->stopping) {
        session_dismiss(connection->session);
        wants = SESSION_CLOSE;
    }
    if (wants == SESSION_WORK)
        return begin_work(connection);
    enum moved moved = write_all(connection);
    if (moved != MOVED)
        return moved;
    switch (wants) {
    case SESSION_INPUT:
        return read_some(connection);
    case SESSION_TLS:
        return begin_tls(connection);
    case SESSION_CLOSE:
        return ENDED;
    default:
        return MOVED;
    }
}

static void drive_on(struct connection *connection, enum moved moved)
{
    while (moved == MOVED)
        moved = step(connection);
    if (moved == ENDED)
        connection_free(connection);
}

void connection_drive(struct connection *connection)
{
    drive_on(connection, MOVED);
}

/* ---- A round of questions ---- */

static struct connection *take_asking(struct server *server)
{
    struct connection *first = server->asking;
    server->asking = server->last_asking = NULL;
    return first;
}

/* One look at the ledger and one write of the journal for all of them: the look begins after the last question was read, so
 * to each it is what a look of its own would have been, and no answer leaves before its line is written. Who asks the next
 * question at once is in the next round, with its own look, after all others had their turn. */
void connection_answer_round(struct server *server)
{
    struct curator *curator = server->pool.curators[0];
    struct connection *round = take_asking(server);
    struct ledger_sight sight = {NULL};
    for (struct connection *at = round; at != NULL; at = at->asked_next)
        at->recalled = session_recall(at->session, curator, &sight);
    if (round != NULL)
        journal_flush(server->journal);
    for (struct connection *at = round, *next = NULL; at != NULL; at = next) {
        next = at->asked_next;
        at->asking = false;
        drive_on(at, at->recalled ? MOVED : give_to_worker(at));
    }
}

/* ---- Life ---- */

static void note_address(struct connection *connection)
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    char text[SOCKET_ADDRESS_TEXT];
    bool known = getpeername(connection->socket, (struct sockaddr *)&address, &size) == 0;
    socket_print_address(known ? (struct sockaddr *)&address : NULL, text);
    session_set_address(connection->session, text);
}

status connection_new(struct server *server, int socket, error *why)
{
    struct connection *connection = memory_allocate(sizeof *connection);
    if (connection == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    connection->server = server;
    connection->socket = socket;
    connection->begun = connection->moved = server_now();
    status result = session_new(&server->host, ++server->next_process, &connection->session, why);
    if (result != DITHER_OK) {
        memory_release(connection, sizeof *connection);
        return result;
    }
    note_address(connection);
    connection->next = server->connections;
    if (connection->next != NULL)
        connection->next->previous = connection;
    server->connections = connection;
    server->count++;
    connection_drive(connection);
    return DITHER_OK;
}

void connection_free(struct connection *connection)
{
    struct server *server = connection->server;
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        server->connections = connection->next;
    if (connection->next != NULL)
        connection->next->previous = connection->previous;
    server->count--;
    if (connection->tls != NULL) {
        if (!connection->handshaking)
            (void)SSL_shutdown(connection->tls);
        SSL_free(connection->tls);
        ERR_clear_error();
    }
    close(connection->socket); /* leaves epoll too */
    session_free(connection->session);
    connection->ended = true;
    connection->next = server->ended;
    server->ended = connection;
}

void connection_bury(struct server *server)
{
    while (server->ended != NULL) {
        struct connection *connection = server->ended;
        server->ended = connection->next;
        memory_release(connection, sizeof *connection);
    }
}
