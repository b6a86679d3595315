#include "mechanism/noise_table.h"

#include <assert.h>
#include <math.h>

/* 1 - q suffers from cancellation in doubles when the scale is large (up to 2^50), so the two constants are
 * computed with 256 bits: the fewer than eight roundings leave far more than 53 bits, and the last step
 * widens. */
static void constants(struct noise_table *table)
{
    mpfr_t ratio, above;
    mpfr_inits2(256, ratio, above, (mpfr_ptr)0);
    rational_to_mpfr(rational_divide_integer(1, table->scale), ratio, MPFR_RNDN);
    mpfr_neg(ratio, ratio, MPFR_RNDN);
    mpfr_expm1(above, ratio, MPFR_RNDN);
    mpfr_neg(above, above, MPFR_RNDN); /* 1 - q */
    mpfr_exp(ratio, ratio, MPFR_RNDN);
    mpfr_add_ui(ratio, ratio, 1, MPFR_RNDN); /* 1 + q */
    mpfr_div(above, above, ratio, MPFR_RNDN);
    table->center = (struct interval){nextafter(mpfr_get_d(above, MPFR_RNDD), 0),
                                      nextafter(mpfr_get_d(above, MPFR_RNDU), INFINITY)};
    mpfr_ui_div(above, 1, ratio, MPFR_RNDN);
    table->upper_half = (struct interval){nextafter(mpfr_get_d(above, MPFR_RNDD), 0),
                                          nextafter(mpfr_get_d(above, MPFR_RNDU), INFINITY)};
    mpfr_clears(ratio, above, (mpfr_ptr)0);
}

static struct interval power_directly(const struct noise_table *table, uint64_t distance)
{
    struct interval exponent = interval_from_rational(rational_divide_integer(distance, table->scale));
    return interval_exp((struct interval){-exponent.upper, -exponent.lower});
}

/* P(Z >= k) for k >= 1, from q^k; and what is left of 1. */
static struct interval tail_of(const struct noise_table *table, struct interval power)
{
    return interval_multiply(table->upper_half, power);
}

static struct interval rest_of(struct interval tail)
{
    return interval_clip(interval_subtract(interval_exact(1), tail), 0, 1);
}

void noise_table_init(struct noise_table *table, const struct geometric *noise, size_t size)
{
    assert(size <= NOISE_TABLE_SIZE);
    table->size = size;
    table->scale = noise->scale;
    table->scale_estimate = rational_to_double(noise->scale, MPFR_RNDU);
    constants(table);
    struct interval ratio = power_directly(table, 1), power = interval_exact(1);
    for (size_t k = 0; k < size; k++) {
        table->mass[k] = interval_multiply(table->center, power);
        table->tail[k] = tail_of(table, power);
        table->rest[k] = rest_of(table->tail[k]);
        power = interval_multiply(power, ratio);
    }
}

static uint64_t magnitude(int128_t k)
{
    uint128_t size = k < 0 ? -(uint128_t)k : (uint128_t)k;
    assert(size <= UINT64_MAX);
    return (uint64_t)size;
}

struct interval noise_table_mass(const struct noise_table *table, int128_t k)
{
    uint64_t distance = magnitude(k);
    return distance < table->size ? table->mass[distance]
                                  : interval_multiply(table->center, power_directly(table, distance));
}

/* For k <= 0 by symmetry: P(Z >= k) = 1 - P(Z >= 1 - k). */
struct interval noise_table_at_least(const struct noise_table *table, int128_t k)
{
    uint64_t distance = magnitude(k > 0 ? k : 1 - k);
    bool tabulated = distance < table->size;
    if (k > 0)
        return tabulated ? table->tail[distance] : tail_of(table, power_directly(table, distance));
    return tabulated ? table->rest[distance] : rest_of(tail_of(table, power_directly(table, distance)));
}

struct interval noise_table_at_most(const struct noise_table *table, int128_t k)
{
    return noise_table_at_least(table, -k);
}

/* Both tails are taken on the side where they are small, or the difference would lose the digits of a far
 * cell. */
struct interval noise_table_between(const struct noise_table *table, int128_t first, int128_t last)
{
    if (first == last)
        return noise_table_mass(table, first);
    struct interval wide, rest;
    if (first > 0) {
        wide = noise_table_at_least(table, first);
        rest = noise_table_at_least(table, last + 1);
    } else {
        wide = noise_table_at_most(table, last);
        rest = noise_table_at_most(table, first - 1);
    }
    return interval_clip(interval_subtract(wide, rest), 0, 1);
}

int128_t noise_table_reach(const struct noise_table *table)
{
    return (int128_t)ceil(36 * table->scale_estimate) + 1;
}
