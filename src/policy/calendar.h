/* calendar.h - days and moments as people write them, counted exactly.
 *
 * The calendar is the Gregorian one, also before its time, as PostgreSQL and DuckDB have it; years 1 to 9999. */
#ifndef POLICY_CALENDAR_H
#define POLICY_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* "2024-02-29" to days since 1970-01-01. False for anything else, and for days that do not exist. */
bool calendar_read_date(const char *text, int64_t *days) MUST_CHECK;

/* "2024-02-29 12:30:00.5" (or T between them; the time, its seconds and their fraction may be left out) to
 * microseconds since 1970-01-01 00:00:00. There is no time zone and no leap second. */
bool calendar_read_timestamp(const char *text, int64_t *microseconds) MUST_CHECK;

#endif
