/* clock.h - time that nobody can set forward.
 *
 * A budget that is renewed each month must not be renewed early because somebody set the clock. So the
 * wall clock is written into every entry for the reader, and never decides anything. What decides is
 * witnessed time: a lower bound on the time that has really passed, from the kernel's clock since boot
 * (CLOCK_BOOTTIME), which no one can set from inside the system (a container may be started with a shifted
 * one: its owner can do worse).
 *
 * Each entry has the boot's id and that boot's clock, read while the ledger is locked, so that entries are
 * in the order of real time. Let c(n) be the witnessed time at entry n. If entry n belongs to a boot whose
 * last entry before was m,
 *
 *     c(n) = max(c(n-1), c(m) + run(n) - run(m) - 1),        in nanoseconds,
 *
 * and c(n) = c(n-1) for the first entry of a boot. By induction c(n) is at most the real time since the
 * first entry: readings are rounded down, so between m and n more than run(n) - run(m) - 1 went by. (The
 * kernel may be told to let that clock run fast by 0.05 %: a day of a window therefore counts 0.1 % more
 * than a day.) A window is over when c has grown by its length since the entry that opened it. A clock
 * that runs backward counts nothing until it passes its highest reading. Time during which the machine was
 * off, or before the first entry after a boot, is not witnessed: renewal may be late, never early. */
#ifndef LEDGER_CLOCK_H
#define LEDGER_CLOCK_H

#include <stdint.h>

#include "base/status.h"

enum {
    CLOCK_BOOT_TEXT = 40,  /* room for a boot's id */
    CLOCK_BOOTS_KEPT = 64, /* of which the last entry is remembered; an older one counts as new */
};

struct instant {
    uint64_t wall; /* seconds since 1970, as the curator's clock had it */
    uint64_t run;  /* nanoseconds that this boot has run, rounded down */
    char boot[CLOCK_BOOT_TEXT];
};

/* Where the time comes from; tests bring their own. */
struct ledger_clock {
    status (*now)(void *state, struct instant *out, error *why);
    void *state;
};

const struct ledger_clock *clock_system(void);

/* Witnessed time. Starts as zero bytes. */
struct witness {
    uint64_t nanoseconds;
    struct {
        char boot[CLOCK_BOOT_TEXT];
        uint64_t run, nanoseconds, age;
    } boots[CLOCK_BOOTS_KEPT];
    uint64_t entries;
};

/* Counts the instant of one more entry. */
void witness_see(struct witness *witness, const struct instant *instant);

/* What witness->nanoseconds would become, without counting it. */
uint64_t witness_preview(const struct witness *witness, const struct instant *instant);

#endif
