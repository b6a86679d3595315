/* cell.h - the text of a cell -> a value of the declared type. Guarded: what is not exactly such a value is
 * none, and becomes NULL; nothing is guessed, trimmed or rounded to fit (a real to the nearest double).
 *
 *     integer    sign, digits; 64 bits
 *     real       sign, digits, point, exponent ("-1.5e3"); nan, inf, infinity, in any case, the latter signed
 *     decimal    sign, digits, point; no digit but 0 beyond the scale; below 10^18 units
 *     boolean    true false t f yes no y n 1 0, in any case
 *     date       2024-02-29, years 0001 to 9999
 *     timestamp  2024-02-29, 2024-02-29 12:30, 2024-02-29T12:30:00.123456; no time zone
 *     text       as it is */
#ifndef ENGINE_CELL_H
#define ENGINE_CELL_H

#include "policy/policy.h"
#include "sql/value.h"

/* The same type, as sql/ has it. */
enum sql_type cell_type(enum policy_type type);

/* `text` is followed by a NUL and holds none; a text value borrows it. False: it is no such value. */
bool cell_read(const char *text, size_t length, enum sql_type type, int scale,
               struct sql_value *out) MUST_CHECK;

#endif
