#include "cli/watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    PATIENCE = 1,                 /* seconds before anything is shown */
    STEP_NANOSECONDS = 200000000, /* between two looks */
};

struct watch {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows, and of the line on the terminal */
    struct curator *curator;
    bool owner, terminal, shown, interrupted, ending;
    char doing[100]; /* what was told last */
    struct timespec start;
    sigset_t before;
};

static void erase(struct watch *watch)
{
    if (watch->shown)
        fputs("\r\x1b[K", stderr);
    watch->shown = false;
}

static void show(struct watch *watch)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long seconds = now.tv_sec - watch->start.tv_sec - (now.tv_nsec < watch->start.tv_nsec);
    if (!watch->terminal || seconds < PATIENCE)
        return;
    erase(watch);
    fprintf(stderr, "%ld s%s%s", seconds, watch->doing[0] != '\0' ? ", " : "", watch->doing);
    double percent = watch->owner && watch->curator != NULL ? curator_progress(watch->curator) : -1;
    if (percent >= 0)
        fprintf(stderr, ", %.0f%%", percent);
    watch->shown = true;
}

static void take_interrupt(struct watch *watch)
{
    erase(watch);
    if (watch->curator == NULL || watch->interrupted) {
        fputs(watch->interrupted ? "dither: interrupted\n" : "dither: interrupted; nothing was charged\n",
              stderr);
        _exit(CLI_INTERRUPTED);
    }
    watch->interrupted = true;
    curator_interrupt(watch->curator);
}

/* SIGINT is Ctrl-C; SIGUSR1 is watch_end, which does not want to wait for the next look. */
static void *look(void *context)
{
    struct watch *watch = context;
    const struct timespec step = {0, STEP_NANOSECONDS};
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(&wanted, SIGINT);
    for (bool ending = false; !ending;) {
        int taken = sigtimedwait(&wanted, NULL, &step);
        pthread_mutex_lock(&watch->lock);
        ending = watch->ending;
        if (taken == SIGINT && !ending)
            take_interrupt(watch);
        else if (!ending)
            show(watch);
        pthread_mutex_unlock(&watch->lock);
    }
    return NULL;
}

status watch_begin(bool owner, struct watch **out, error *why)
{
    struct watch *watch = memory_allocate(sizeof *watch);
    if (watch == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    watch->owner = owner;
    watch->terminal = isatty(STDERR_FILENO) == 1;
    clock_gettime(CLOCK_MONOTONIC, &watch->start);
    pthread_mutex_init(&watch->lock, NULL);
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &held, &watch->before);
    int failed = pthread_create(&watch->thread, NULL, look, watch);
    if (failed != 0) {
        pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
        pthread_mutex_destroy(&watch->lock);
        memory_release(watch, sizeof *watch);
        return fail(why, DITHER_IO, "no thread: %s", strerror(failed));
    }
    *out = watch;
    return DITHER_OK;
}

void watch_curator(struct watch *watch, struct curator *curator)
{
    pthread_mutex_lock(&watch->lock);
    watch->curator = curator;
    watch->doing[0] = '\0';
    pthread_mutex_unlock(&watch->lock);
}

void watch_tell(void *context, const char *line)
{
    struct watch *watch = context;
    pthread_mutex_lock(&watch->lock);
    snprintf(watch->doing, sizeof watch->doing, "%s", line);
    pthread_mutex_unlock(&watch->lock);
}

void watch_report(void *context, enum engine_severity severity, const char *line)
{
    (void)severity;
    struct watch *watch = context;
    pthread_mutex_lock(&watch->lock);
    if (watch->terminal && watch->owner) {
        erase(watch);
        fprintf(stderr, "%s\n", line);
    }
    pthread_mutex_unlock(&watch->lock);
}

bool watch_end(struct watch *watch)
{
    if (watch == NULL)
        return false;
    pthread_mutex_lock(&watch->lock);
    watch->ending = true;
    pthread_mutex_unlock(&watch->lock);
    pthread_kill(watch->thread, SIGUSR1);
    pthread_join(watch->thread, NULL);
    erase(watch);
    bool interrupted = watch->interrupted;
    pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
    pthread_mutex_destroy(&watch->lock);
    memory_release(watch, sizeof *watch);
    return interrupted;
}
