#include "serve/tick.h"

#include <pthread.h>
#include <time.h>

#include "base/memory.h"
#include "base/monotonic.h"

struct tick {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    int64_t (*clock)(void);
    struct tick_wait *first; /* by when they are due */
    bool stop;
};

int64_t tick_now(const struct tick *tick)
{
    return tick->clock();
}

int64_t tick_due(int64_t begun, int64_t now, uint64_t step)
{
    uint64_t passed = now > begun ? (uint64_t)(now - begun) : 0;
    return begun + (int64_t)((passed / step + 1) * step);
}

/* ---- The thread ---- */

/* Until something else happens, or for so long. */
static void sleep_for(struct tick *tick, int64_t milliseconds)
{
    struct timespec until = {0};
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(milliseconds / 1000);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    (void)pthread_cond_timedwait(&tick->wake, &tick->lock, &until);
}

static void *watch(void *context)
{
    struct tick *tick = context;
    pthread_mutex_lock(&tick->lock);
    while (!tick->stop || tick->first != NULL) {
        struct tick_wait *wait = tick->first;
        int64_t now = tick->clock();
        if (wait == NULL) {
            pthread_cond_wait(&tick->wake, &tick->lock);
        } else if (wait->due > now && !tick->stop) {
            sleep_for(tick, wait->due - now);
        } else {
            tick->first = wait->next;
            pthread_mutex_unlock(&tick->lock);
            wait->ring(wait);
            pthread_mutex_lock(&tick->lock);
        }
    }
    pthread_mutex_unlock(&tick->lock);
    return NULL;
}

/* ---- Life ---- */

static status start_thread(struct tick *tick, error *why)
{
    pthread_condattr_t kind;
    pthread_mutex_init(&tick->lock, NULL);
    pthread_condattr_init(&kind);
    (void)pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(&tick->wake, &kind);
    pthread_condattr_destroy(&kind);
    if (pthread_create(&tick->thread, NULL, watch, tick) != 0)
        return fail(why, DITHER_NO_MEMORY, "the clock's thread could not be started");
    return DITHER_OK;
}

status tick_start(int64_t (*clock)(void), struct tick **out, error *why)
{
    struct tick *tick = memory_allocate(sizeof *tick);
    if (tick == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    tick->clock = clock != NULL ? clock : monotonic_milliseconds;
    status result = start_thread(tick, why);
    if (result == DITHER_OK)
        *out = tick;
    else
        memory_release(tick, sizeof *tick);
    return result;
}

void tick_stop(struct tick *tick)
{
    if (tick == NULL)
        return;
    pthread_mutex_lock(&tick->lock);
    tick->stop = true;
    pthread_cond_signal(&tick->wake);
    pthread_mutex_unlock(&tick->lock);
    pthread_join(tick->thread, NULL);
    pthread_cond_destroy(&tick->wake);
    pthread_mutex_destroy(&tick->lock);
    memory_release(tick, sizeof *tick);
}

/* ---- Waiting ---- */

void tick_add(struct tick *tick, struct tick_wait *wait, int64_t due)
{
    pthread_mutex_lock(&tick->lock);
    struct tick_wait **at = &tick->first;
    while (*at != NULL && (*at)->due <= due)
        at = &(*at)->next;
    wait->due = due;
    wait->next = *at;
    *at = wait;
    pthread_cond_signal(&tick->wake);
    pthread_mutex_unlock(&tick->lock);
}

void tick_look(struct tick *tick)
{
    pthread_mutex_lock(&tick->lock);
    pthread_cond_signal(&tick->wake);
    pthread_mutex_unlock(&tick->lock);
}
