/* period.h - stretches of time in which a survey is answered once, numbered from 1970 on.
 *
 * A report says which period it is about. Days begin at midnight UTC, weeks on Monday; a period is written as its first day
 * (2026-11-01), and the one period of a survey that is asked once as "all". */
#ifndef LOCAL_PERIOD_H
#define LOCAL_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

enum period_kind {
    PERIOD_ONCE, /* number 0, which never ends */
    PERIOD_DAILY,
    PERIOD_WEEKLY,
    PERIOD_MONTHLY,
    PERIOD_QUARTERLY,
    PERIOD_YEARLY,
    PERIOD_KINDS,
};

enum { PERIOD_TEXT = 16 }; /* room for a period's name */

/* "once", "daily", ... */
const char *period_kind_name(enum period_kind kind);

/* The period of a moment (seconds since 1970-01-01 00:00 UTC); moments beyond the year 9999 count as its last day. */
int32_t period_at(enum period_kind kind, int64_t seconds);

/* The first day, or "all"; and back, from any day of the period. */
void period_print(enum period_kind kind, int32_t period, char text[PERIOD_TEXT]);
bool period_read(enum period_kind kind, const char *text, int32_t *out);

#endif
