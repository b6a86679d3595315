#include "mechanism/noise_table.h"

#include <assert.h>
#include <math.h>

void noise_table_init(struct noise_table *table, const struct geometric *noise, size_t size)
{
    assert(size <= NOISE_TABLE_SIZE);
    table->law = exact_geometric(noise->scale);
    table->size = size;
    struct interval power = interval_exact(1); /* q^k, by repeated multiplication: no exponential each */
    for (size_t k = 0; k < size; k++) {
        table->mass[k] = interval_multiply(table->law.center, power);
        table->tail[k] = interval_divide(power, table->law.two_sided);
        table->rest[k] = interval_clip(interval_subtract(interval_exact(1), table->tail[k]), 0, 1);
        power = interval_multiply(power, table->law.decay);
    }
}

struct interval noise_table_mass(const struct noise_table *table, int128_t k)
{
    uint128_t distance = k < 0 ? -(uint128_t)k : (uint128_t)k;
    return distance < table->size ? table->mass[distance] : exact_geometric_mass(&table->law, k);
}

/* For k <= 0 by symmetry: P(Z >= k) = 1 - P(Z >= 1 - k). */
struct interval noise_table_at_least(const struct noise_table *table, int128_t k)
{
    uint128_t distance = (uint128_t)(k > 0 ? k : 1 - k);
    if (distance >= table->size)
        return exact_geometric_at_least(&table->law, k);
    return k > 0 ? table->tail[distance] : table->rest[distance];
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
    return (int128_t)ceil(36 * table->law.scale.upper) + 1;
}
