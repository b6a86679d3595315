/* decimal.h - non-negative decimal numbers without rounding: a whole number of units of 10^-24.
 *
 * Privacy costs are written by people as decimals and added up for years. Here 0.1 is one tenth and not
 * the double beside it, and a million of them are 100000 exactly. The largest number is 10^14, so that two
 * numbers can always be added in 128 bits before they are compared with a limit.
 *
 * A double that comes from a formula is rounded up. The other way, a mechanism that takes a double gets
 * the largest double that is not above the decimal: what it then spends is covered by the decimal that is
 * charged. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>

#include "base/rational.h"
#include "base/status.h"

enum {
    DECIMAL_PLACES = 24,
    DECIMAL_TEXT = 44, /* room for any decimal as text, and its NUL */
};

struct decimal {
    uint128_t units; /* at most 10^38; all ones means "no limit" */
};

struct decimal decimal_zero(void);

/* Stands for a limit that is not there: larger than every number, never added to anything. */
struct decimal decimal_unlimited(void);
bool decimal_is_unlimited(struct decimal value);
bool decimal_is_zero(struct decimal value);

/* -1, 0, 1 as left is below, equal to or above right. */
int decimal_compare(struct decimal left, struct decimal right);
struct decimal decimal_min(struct decimal left, struct decimal right);
struct decimal decimal_max(struct decimal left, struct decimal right);

/* False, with `out` untouched, when the result is above 10^14 or an operand is unlimited. */
bool decimal_add(struct decimal left, struct decimal right, struct decimal *out) MUST_CHECK;
bool decimal_multiply(struct decimal value, uint64_t factor, struct decimal *out) MUST_CHECK;

/* value^2 / 2, rounded up to the next unit: the rho of a pure epsilon (Bun, Steinke 2016, Proposition 1.4).
 */
bool decimal_half_square(struct decimal value, struct decimal *out) MUST_CHECK;

/* value * part / whole, rounded down; part <= whole, whole > 0, the value not unlimited. */
struct decimal decimal_share(struct decimal value, uint64_t part, uint64_t whole);

/* left - right, or 0 when right is the larger; unlimited minus anything is unlimited. */
struct decimal decimal_subtract(struct decimal left, struct decimal right);

/* "0.1", "12", "1e-9". Refuses signs, blanks, more than 24 decimals, and numbers above 10^14. */
status decimal_parse(const char *text, struct decimal *out, error *why) MUST_CHECK;

/* The smallest decimal that is not below the value. Refuses negative and infinite values, NaN, and > 10^14.
 */
status decimal_from_double(double value, struct decimal *out, error *why) MUST_CHECK;

/* The largest double that is not above the value; infinity when unlimited. */
double decimal_to_double(struct decimal value);

/* Writes the one canonical form: no exponent, no needless zero. "unlimited" when there is no limit. */
void decimal_print(struct decimal value, char text[DECIMAL_TEXT]);

#endif
