#include <mpfr.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "serve/server.h"

static void push(struct queue *queue, struct connection *connection)
{
    connection->waiting = NULL;
    if (queue->last != NULL)
        queue->last->waiting = connection;
    else
        queue->first = connection;
    queue->last = connection;
}

static struct connection *pop(struct queue *queue)
{
    struct connection *connection = queue->first;
    if (connection == NULL)
        return NULL;
    queue->first = connection->waiting;
    if (queue->first == NULL)
        queue->last = NULL;
    return connection;
}

static void say_done(const struct worker *worker)
{
    const uint64_t one = 1;
    (void)!write(worker->notify, &one, sizeof one); /* a full counter wakes as well */
}

/* An interrupt is for the question that runs when it is asked for: `current` changes under the lock, and what came too
 * late is forgotten before the next one. */
static void *work(void *context)
{
    struct worker *worker = context;
    pthread_mutex_lock(&worker->lock);
    for (;;) {
        while (worker->jobs.first == NULL && !worker->stop)
            pthread_cond_wait(&worker->wake, &worker->lock);
        if (worker->stop)
            break;
        struct connection *connection = worker->current = pop(&worker->jobs);
        pthread_mutex_unlock(&worker->lock);
        session_work(connection->session);
        pthread_mutex_lock(&worker->lock);
        worker->current = NULL;
        curator_resume(worker->curator);
        push(&worker->done, connection);
        say_done(worker);
    }
    pthread_mutex_unlock(&worker->lock);
    mpfr_free_cache(); /* which it keeps for each thread */
    return NULL;
}

status worker_start(struct worker *worker, struct curator *curator, error *why)
{
    worker->curator = curator;
    worker->notify = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (worker->notify < 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->wake, NULL);
    if (pthread_create(&worker->thread, NULL, work, worker) != 0)
        return fail(why, DITHER_NO_MEMORY, "the worker's thread could not be started");
    worker->started = true;
    return DITHER_OK;
}

void worker_stop(struct worker *worker)
{
    if (worker->started) {
        pthread_mutex_lock(&worker->lock);
        worker->stop = true;
        if (worker->current != NULL)
            curator_interrupt(worker->curator);
        pthread_cond_signal(&worker->wake);
        pthread_mutex_unlock(&worker->lock);
        pthread_join(worker->thread, NULL);
    }
    if (worker->notify >= 0)
        close(worker->notify);
    worker->started = false;
}

void worker_add(struct worker *worker, struct connection *connection)
{
    pthread_mutex_lock(&worker->lock);
    push(&worker->jobs, connection);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
}

struct connection *worker_take_done(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    struct connection *connection = pop(&worker->done);
    pthread_mutex_unlock(&worker->lock);
    return connection;
}

void worker_cancel(struct worker *worker, struct connection *connection)
{
    pthread_mutex_lock(&worker->lock);
    if (worker->current == connection)
        curator_interrupt(worker->curator);
    for (struct connection *at = worker->jobs.first; at != NULL; at = at->waiting)
        if (at == connection)
            session_cancel(connection->session);
    pthread_mutex_unlock(&worker->lock);
}
