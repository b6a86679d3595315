/* work.h - jobs for those who ask: a queue with an end, and one thread for each curator.
 *
 *     TRY(work_start(&(struct work_options){curators, count, most_waiting}, &work, why));
 *     job->run = run, job->done = done;
 *     if (!work_add(work, job)) ... too much is waiting: say so to the client;
 *     ... work_cancel(work, job) ...
 *     work_stop(work);
 *
 * `run` is called once, on a thread that may wait, with a curator that is its own until it returns; `done` follows it on
 * the same thread. From the moment that `done` is called the job is its owner's again: it may be added anew or freed,
 * from `done` itself or from another thread that `done` tells.
 *
 * A job that is cancelled while it waits is never run: `done` is called at once, by work_cancel, on its caller's thread,
 * and `cancelled` is true. For one that runs its curator is interrupted; `run` returns when the question has stopped,
 * and that curator's next job knows nothing of it. First come, first served. */
#ifndef SERVE_WORK_H
#define SERVE_WORK_H

#include "curator/curator.h"

struct work;

struct work_job {
    void (*run)(struct work_job *job, struct curator *curator);
    void (*done)(struct work_job *job);
    bool cancelled; /* it waited, and was not run */
    /* The queue's own. */
    struct work_job *next;
    bool waiting;
};

struct work_options {
    struct curator *const *curators; /* used by these threads alone until work_stop */
    size_t count;
    size_t most_waiting;
};

status work_start(const struct work_options *options, struct work **out, error *why) MUST_CHECK;
/* Cancels everything, waits for what runs, and frees: afterwards `done` of every job was called. NULL: nothing. */
void work_stop(struct work *work);

/* Other curators, as many as there are: each thread takes its own between two jobs. The old ones are still in use until
 * work_has_changed. From any thread; one change at a time. */
void work_change(struct work *work, struct curator *const *curators);
bool work_has_changed(struct work *work);

/* From any thread. False: as many as may are waiting, or the end has begun; nothing is called. */
bool work_add(struct work *work, struct work_job *job) MUST_CHECK;
/* From any thread, for a job that was added and whose owner does not free or add it meanwhile; one that is done already
 * stays as it is. */
void work_cancel(struct work *work, struct work_job *job);

struct work_load {
    size_t waiting, running, workers;
};
struct work_load work_load(struct work *work);

#endif
