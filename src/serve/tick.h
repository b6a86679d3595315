/* tick.h - answers on a clock's tick, without anybody who waits.
 *
 * With `timing: {step: 100ms}` in the policy an answer, or the refusal of a question, leaves at a whole number of steps after the
 * question came: how long it took can be seen in steps only, and the time that it waited behind others is in them too. A worker
 * that has finished hands the answer over and goes on; the clock gives it out.
 *
 *     wait->ring = give_out;
 *     tick_add(tick, wait, tick_due(begun, tick_now(tick), step));
 *
 * What it does not hide: how many steps it took. */
#ifndef SERVE_TICK_H
#define SERVE_TICK_H

#include "base/status.h"

struct tick;

struct tick_wait {
    void (*ring)(struct tick_wait *wait); /* on the clock's thread; from here on it is its owner's again */
    /* The clock's own. */
    struct tick_wait *next;
    int64_t due;
};

/* `clock`: milliseconds that only go forward; NULL: the system's. */
status tick_start(int64_t (*clock)(void), struct tick **out, error *why) MUST_CHECK;
/* Rings for everything that waits, at once. NULL: nothing. */
void tick_stop(struct tick *tick);

int64_t tick_now(const struct tick *tick);
/* The next tick after `now` of the clock that began to tick at `begun`. */
int64_t tick_due(int64_t begun, int64_t now, uint64_t step);

/* From any thread: rings when it is due, never before. */
void tick_add(struct tick *tick, struct tick_wait *wait, int64_t due);
/* A stand-in clock has moved. */
void tick_look(struct tick *tick);

#endif
