/* Of the workers that have nothing to do the one that worked last gets the next job: its stack, its connection and what
 * that keeps are still at hand. It is woken for that job alone. */
#include "serve/work.h"

#include <assert.h>
#include <mpfr.h>
#include <pthread.h>
#include <semaphore.h>

#include "base/memory.h"
#include "sql/parse.h"

struct worker {
    struct work *work;
    struct curator *curator;
    struct curator *fresh;    /* that it takes before its next job; NULL: none */
    struct work_job *current; /* under the lock; NULL: none */
    bool idle;
    struct worker *below; /* idle since longer */
    sem_t wake;           /* it has a current job, or is to stop */
    pthread_t thread;
};

struct work {
    pthread_mutex_t lock;
    struct work_job *first, *last; /* waiting; none while a worker is idle */
    struct worker *idle;           /* the last that became so */
    size_t waiting, most_waiting;
    bool stop;
    size_t started, count; /* workers: with a thread; all */
    struct worker *workers;
};

/* ---- The queue, under the lock ---- */

static void push(struct work *work, struct work_job *job)
{
    job->next = NULL;
    job->waiting = true;
    if (work->last != NULL)
        work->last->next = job;
    else
        work->first = job;
    work->last = job;
    work->waiting++;
}

static struct work_job *pop(struct work *work)
{
    struct work_job *job = work->first;
    if (job == NULL)
        return NULL;
    work->first = job->next;
    if (work->first == NULL)
        work->last = NULL;
    work->waiting--;
    job->waiting = false;
    return job;
}

static void take_out(struct work *work, struct work_job *job)
{
    struct work_job *before = NULL;
    for (struct work_job *at = work->first; at != job; at = at->next)
        before = at;
    if (before != NULL)
        before->next = job->next;
    else
        work->first = job->next;
    if (work->last == job)
        work->last = before;
    work->waiting--;
    job->waiting = false;
}

/* ---- The threads ---- */

static void take_fresh(struct worker *worker)
{
    if (worker->fresh != NULL)
        worker->curator = worker->fresh;
    worker->fresh = NULL;
}

/* Under the lock. */
static void give(struct worker *worker, struct work_job *job)
{
    take_fresh(worker);
    worker->current = job;
}

/* Under the lock; the worker is to be woken when that is let go. */
static struct worker *take_idle(struct work *work)
{
    struct worker *worker = work->idle;
    if (worker != NULL) {
        work->idle = worker->below;
        worker->idle = false;
    }
    return worker;
}

/* An interrupt is for the question that runs when it is asked for: `current` changes under the lock, and what came too
 * late is forgotten before the next one. */
static void run_current(struct worker *worker)
{
    struct work *work = worker->work;
    struct work_job *job = worker->current;
    job->run(job, worker->curator);
    pthread_mutex_lock(&work->lock);
    worker->current = NULL;
    curator_resume(worker->curator);
    pthread_mutex_unlock(&work->lock);
    job->done(job);
}

static void wait_for_work(struct worker *worker)
{
    while (sem_wait(&worker->wake) != 0)
        continue; /* a signal came */
}

/* False: it is the end. */
static bool get_job(struct worker *worker)
{
    struct work *work = worker->work;
    pthread_mutex_lock(&work->lock);
    struct work_job *job = work->stop ? NULL : pop(work);
    bool waits = job == NULL && !work->stop;
    if (job != NULL)
        give(worker, job);
    if (waits) {
        take_fresh(worker);
        worker->idle = true;
        worker->below = work->idle;
        work->idle = worker;
    }
    pthread_mutex_unlock(&work->lock);
    if (waits)
        wait_for_work(worker);
    return worker->current != NULL;
}

static void *serve_jobs(void *context)
{
    struct worker *worker = context;
    sql_parse_here();
    while (get_job(worker))
        run_current(worker);
    mpfr_free_cache(); /* which it keeps for each thread */
    return NULL;
}

static bool start_thread(struct worker *worker)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool started = pthread_attr_setstacksize(&attributes, SQL_PARSER_STACK) == 0 &&
                   pthread_create(&worker->thread, &attributes, serve_jobs, worker) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

/* ---- Life ---- */

status work_start(const struct work_options *options, struct work **out, error *why)
{
    struct work *work = memory_allocate(sizeof *work);
    struct worker *workers = memory_allocate(options->count * sizeof *workers);
    if (work == NULL || workers == NULL) {
        memory_release(work, sizeof *work);
        memory_release(workers, options->count * sizeof *workers);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    pthread_mutex_init(&work->lock, NULL);
    work->workers = workers;
    work->count = options->count;
    work->most_waiting = options->most_waiting;
    for (; work->started < work->count; work->started++) {
        struct worker *worker = &workers[work->started];
        *worker = (struct worker){.work = work, .curator = options->curators[work->started]};
        sem_init(&worker->wake, 0, 0);
        if (!start_thread(worker)) {
            work_stop(work);
            return fail(why, DITHER_NO_MEMORY, "the worker's thread could not be started");
        }
    }
    *out = work;
    return DITHER_OK;
}

static void give_back(struct work_job *job)
{
    job->cancelled = true;
    job->done(job);
}

void work_stop(struct work *work)
{
    struct work_job *job = NULL;
    if (work == NULL)
        return;
    pthread_mutex_lock(&work->lock);
    work->stop = true;
    struct work_job *waiting = work->first;
    for (job = waiting; job != NULL; job = job->next)
        job->waiting = false;
    work->first = work->last = NULL;
    work->waiting = 0;
    for (size_t i = 0; i < work->started; i++)
        if (work->workers[i].current != NULL)
            curator_interrupt(work->workers[i].curator);
    for (struct worker *worker = NULL; (worker = take_idle(work)) != NULL;)
        sem_post(&worker->wake);
    pthread_mutex_unlock(&work->lock);
    while (waiting != NULL) {
        job = waiting;
        waiting = job->next;
        give_back(job);
    }
    for (size_t i = 0; i < work->started; i++) {
        pthread_join(work->workers[i].thread, NULL);
        sem_destroy(&work->workers[i].wake);
    }
    pthread_mutex_destroy(&work->lock);
    memory_release(work->workers, work->count * sizeof *work->workers);
    memory_release(work, sizeof *work);
}

/* ---- Other curators ---- */

void work_change(struct work *work, struct curator *const *curators)
{
    pthread_mutex_lock(&work->lock);
    for (size_t i = 0; i < work->started; i++) {
        work->workers[i].fresh = curators[i];
        if (work->workers[i].idle)
            take_fresh(&work->workers[i]);
    }
    pthread_mutex_unlock(&work->lock);
}

bool work_has_changed(struct work *work)
{
    bool changed = true;
    pthread_mutex_lock(&work->lock);
    for (size_t i = 0; i < work->started; i++)
        changed = changed && work->workers[i].fresh == NULL;
    pthread_mutex_unlock(&work->lock);
    return changed;
}

/* ---- Jobs ---- */

bool work_add(struct work *work, struct work_job *job)
{
    struct worker *worker = NULL;
    pthread_mutex_lock(&work->lock);
    bool room = !work->stop && work->waiting < work->most_waiting;
    if (room) {
        assert(!job->waiting);
        job->cancelled = false;
        worker = take_idle(work);
        if (worker != NULL)
            give(worker, job);
        else
            push(work, job);
    }
    pthread_mutex_unlock(&work->lock);
    if (worker != NULL)
        sem_post(&worker->wake);
    return room;
}

void work_cancel(struct work *work, struct work_job *job)
{
    pthread_mutex_lock(&work->lock);
    bool waited = job->waiting;
    if (waited)
        take_out(work, job);
    for (size_t i = 0; i < work->started && !waited; i++)
        if (work->workers[i].current == job)
            curator_interrupt(work->workers[i].curator);
    pthread_mutex_unlock(&work->lock);
    if (waited)
        give_back(job);
}

struct work_load work_load(struct work *work)
{
    pthread_mutex_lock(&work->lock);
    struct work_load load = {.waiting = work->waiting, .workers = work->started};
    for (size_t i = 0; i < work->started; i++)
        load.running += work->workers[i].current != NULL;
    pthread_mutex_unlock(&work->lock);
    return load;
}
