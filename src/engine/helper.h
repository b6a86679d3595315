/* helper.h - a process of our own program that does one kind of work for us, shut in: the side of the one who asks.
 *
 * The helper is `program command`, started by a fresh exec: it gets two sockets, /dev/null as its standard descriptors, no other
 * descriptor, none of our memory, and of our environment what the loader needs. What it sends is a stranger's: frames (frame.h)
 * of bounded size, which the caller reads with suspicion.
 *
 *     TRY(helper_start(&helper, &options, why));
 *     helper_begin(&helper);  frame_begin(&helper.out, ...) ...  TRY(helper_send(&helper, why));
 *     TRY(helper_receive(&helper, &frame, why));
 *
 * A statement has `seconds`: then the helper is asked to stop, and a moment later it is killed. Once it is dead, or has said
 * something that it must not (helper_lose), every call fails with the text `lost` until it is started again. Interrupts may come
 * from any thread; the rest belongs to one. */
#ifndef ENGINE_HELPER_H
#define ENGINE_HELPER_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "engine/frame.h"

struct helper_options {
    const char *program, *command;
    const char *lost; /* the one text for all that can go wrong */
    unsigned seconds;
};

struct helper {
    struct helper_options options;
    pid_t process; /* 0: none */
    int socket, control;
    struct buffer out, in;
    size_t taken;     /* bytes of `in` that were given */
    int64_t deadline; /* milliseconds */
    bool asked_to_stop;
    char fate[200]; /* of the last one, for the owner */
    pthread_mutex_t lock;
    atomic_bool stop; /* somebody interrupted */
    uint32_t number;  /* of the statement; under the lock, as `control` */
};

/* Once, before the first start; the options' texts live as long. */
void helper_init(struct helper *helper, const struct helper_options *options);
void helper_free(struct helper *helper);

status helper_start(struct helper *helper, error *why) MUST_CHECK;
void helper_stop(struct helper *helper);

/* After helper_start, with the opening frame in `out`: sends it and waits, a minute at most, until the helper has shut itself in and says
 * hello. Another program, or another version of ours, is lost. The clock of the first statement runs on from there. */
status helper_greet(struct helper *helper, error *why) MUST_CHECK;

/* Whether it is there, and has not used up its processor time (HELPER_CPU_SECONDS, which the helper sets itself). */
bool helper_is_well(struct helper *helper);
enum { HELPER_CPU_SECONDS = 7200 };

/* A new statement: the clock starts, interrupts for earlier ones are forgotten. */
void helper_begin(struct helper *helper);
/* All of `out`. */
status helper_send(struct helper *helper, error *why) MUST_CHECK;
/* The next frame; it stays until the next call. */
status helper_receive(struct helper *helper, struct frame *out, error *why) MUST_CHECK;
/* Whether the statement's time was over before its end. */
bool helper_was_late(const struct helper *helper);
void helper_interrupt(struct helper *helper);

/* Kills it: it has said what it must not. Returns the failure. */
status helper_lose(struct helper *helper, const char *fate, error *why);

#endif
