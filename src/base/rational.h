/* rational.h - non-negative numbers without rounding: numerator / denominator * 2^exponent.
 *
 * The form is wide enough to hold, exactly, what the samplers are asked for: an integer sensitivity divided
 * by a double epsilon, the square of a double, an integer score times a double. Arithmetic that would not fit
 * is refused by the maker, never rounded silently. Zero is 0/1. */
#ifndef BASE_RATIONAL_H
#define BASE_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

#include <mpfr.h>

__extension__ typedef unsigned __int128 uint128_t;
__extension__ typedef __int128 int128_t;

struct rational {
    uint128_t numerator;
    uint64_t denominator; /* never 0 */
    int exponent;
};

/* The double itself, not the decimal that was typed. The value must be finite and not negative. */
struct rational rational_from_double(double value);

/* The value must have denominator > 0; it is reduced to lowest terms. */
struct rational rational_from_ratio(uint128_t numerator, uint64_t denominator);

/* integer / value and integer * value, exact. value > 0 for the quotient. Both ask that the product of the
 * integer with the other's part fits in 128 bits: always so for an integer below 2^64 and a value made by
 * rational_from_double. */
struct rational rational_divide_integer(uint64_t integer, struct rational value);
struct rational rational_multiply_integer(uint64_t integer, struct rational value);

/* value / integer. Returns false, leaving `out` alone, when the denominator would not fit in 64 bits. */
bool rational_divide_by_integer(struct rational value, uint64_t integer, struct rational *out);

/* value squared, exact; false when it would not fit. */
bool rational_square(struct rational value, struct rational *out);

bool rational_is_zero(struct rational value);

/* Writes the value, rounded once in the given direction, at the precision of `out`. */
void rational_to_mpfr(struct rational value, mpfr_t out, mpfr_rnd_t direction);

/* The nearest double in the given direction (MPFR_RNDU, MPFR_RNDD or MPFR_RNDN). */
double rational_to_double(struct rational value, mpfr_rnd_t direction);

/* floor(value); UINT64_MAX when the value is 2^64 or more. */
uint64_t rational_floor(struct rational value);

/* -1, 0, 1 as left is below, equal to or above right; exact. */
int rational_compare(struct rational left, struct rational right);

#endif
