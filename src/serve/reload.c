#include "serve/reload.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy/policy.h"
#include "serve/server.h"

enum { LOOK_MICROSECONDS = 5000 };

/* ---- On its own thread ---- */

static status open_fresh(struct server *server, struct curator *first, error *why)
{
    struct reload *reload = &server->reload;
    if (strcmp(curator_policy(first)->dataset, server->dataset) != 0)
        return fail(why, DITHER_REFUSED,
                    "the dataset has another name, which is another ledger: start another server");
    TRY(catalogue_open(curator_catalogue(first), server->options->program, &reload->catalogue, why));
    return pool_open(first, server->pool.count, &reload->pool, why);
}

static status open_all(struct server *server, error *why)
{
    struct reload *reload = &server->reload;
    struct curator *first = NULL;
    TRY(server->options->reopen(server->options->context, &first, why));
    status result = open_fresh(server, first, why);
    if (result != DITHER_OK) {
        catalogue_close(reload->catalogue);
        reload->catalogue = NULL;
        curator_close(first);
    }
    return result;
}

static void go_to(struct server *server, enum reload_stage stage)
{
    const uint64_t one = 1;
    server->reload.stage = stage;
    (void)!write(server->finished.notify, &one, sizeof one);
}

/* False: the server ends, and what is in `reload` is left to it. */
static bool change_over(struct server *server)
{
    struct reload *reload = &server->reload;
    while (reload->stage != RELOAD_CHANGED && !reload->quit)
        usleep(LOOK_MICROSECONDS);
    while (!reload->quit && !work_has_changed(server->work))
        usleep(LOOK_MICROSECONDS);
    return !reload->quit;
}

static void close_pool(struct pool *pool)
{
    struct curator *first = pool->count > 0 ? pool->curators[0] : NULL;
    pool_close(pool);
    curator_close(first);
    *pool = (struct pool){.count = 0};
}

static void *reload_all(void *context)
{
    struct server *server = context;
    struct reload *reload = &server->reload;
    if (open_all(server, &reload->why) != DITHER_OK) {
        go_to(server, RELOAD_FAILED);
        return NULL;
    }
    go_to(server, RELOAD_OPENED);
    if (change_over(server)) {
        catalogue_close(reload->catalogue);
        reload->catalogue = NULL;
        close_pool(&reload->pool);
        go_to(server, RELOAD_DONE);
    }
    return NULL;
}

/* ---- On the thread that waits for sockets ---- */

void reload_begin(struct server *server)
{
    struct reload *reload = &server->reload;
    if (server->options->reopen == NULL || server->stopping)
        return;
    reload->again = reload->running;
    if (reload->running)
        return;
    reload->stage = RELOAD_OPENING;
    reload->running = pthread_create(&reload->thread, NULL, reload_all, server) == 0;
    if (!reload->running)
        fputs("dither: the policy is not reloaded: a thread could not be started\n", stderr);
}

/* Workers see the new catalogue with their next job, and the old one is closed only when each has begun one with its new
 * curator, or idles. */
static void put_in_place(struct server *server)
{
    struct reload *reload = &server->reload;
    struct pool old = server->pool;
    struct catalogue *catalogue = server->host.catalogue;
    pthread_mutex_lock(&server->pool_lock);
    server->pool = reload->pool;
    pthread_mutex_unlock(&server->pool_lock);
    server->host.catalogue = reload->catalogue;
    shown_forget(server->host.shown); /* the data may have changed, or the timing */
    work_change(server->work, server->pool.curators);
    reload->pool = old;
    reload->catalogue = catalogue;
    reload->stage = RELOAD_CHANGED;
}

static void end(struct server *server, const char *text, const char *more)
{
    struct reload *reload = &server->reload;
    pthread_join(reload->thread, NULL);
    reload->running = false;
    fprintf(stderr, "dither: %s%s\n", text, more);
    if (reload->again)
        reload_begin(server);
}

void reload_step(struct server *server)
{
    struct reload *reload = &server->reload;
    if (!reload->running)
        return;
    switch (atomic_load(&reload->stage)) {
    case RELOAD_OPENED:
        put_in_place(server);
        return;
    case RELOAD_DONE:
        end(server, "the policy is reloaded", "");
        return;
    case RELOAD_FAILED:
        end(server, "the policy is not reloaded, and the old one stays: ", reload->why.message);
        return;
    case RELOAD_OPENING:
    case RELOAD_CHANGED:
        return;
    }
}

void reload_quit(struct server *server)
{
    struct reload *reload = &server->reload;
    reload->quit = true;
    if (reload->running)
        pthread_join(reload->thread, NULL);
    reload->running = false;
}

void reload_close(struct server *server)
{
    catalogue_close(server->reload.catalogue);
    close_pool(&server->reload.pool);
    close_pool(&server->pool);
}
