/* Counting reports, and what the counts say. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/normal.h"
#include "local/oracle.h"

status local_tally_init(struct local_tally *tally, const struct local_oracle *oracle, error *why)
{
    uint64_t *cells = memory_allocate(oracle->cells * sizeof *cells);
    if (cells == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu counters", oracle->cells);
    *tally = (struct local_tally){.cells = cells, .cell_count = oracle->cells};
    return DITHER_OK;
}

void local_tally_free(struct local_tally *tally)
{
    memory_release(tally->cells, tally->cell_count * sizeof *tally->cells);
    *tally = (struct local_tally){0};
}

status local_tally_add(struct local_tally *tally, const struct local_oracle *oracle,
                       const unsigned char *reports, size_t bytes, error *why)
{
    assert(tally->cell_count == oracle->cells);
    if (bytes % oracle->report_bytes != 0)
        return fail(why, DITHER_INVALID, "%zu bytes are not a whole number of reports of %zu bytes", bytes,
                    oracle->report_bytes);
    oracle->kind->count(oracle, reports, bytes / oracle->report_bytes, tally);
    return DITHER_OK;
}

void local_tally_merge(struct local_tally *tally, const struct local_tally *other)
{
    assert(tally->cell_count == other->cell_count);
    tally->people += other->people;
    tally->refused += other->refused;
    for (size_t i = 0; i < tally->cell_count; i++)
        tally->cells[i] += other->cells[i];
}

/* What the estimates say about the sum of c (c - 1) over all values, noise taken out: the mean of count^2 is c^2 + Var.
 * Never more than if all people had one value. */
static double squares_of(const struct local_oracle *oracle, const double *counts, double people)
{
    double sum = 0;
    for (uint32_t v = 0; v < oracle->setting.domain; v++) {
        double share = fmin(fmax(counts[v] / people, 0), 1);
        sum += counts[v] * counts[v] - local_oracle_variance(oracle, people, share, 0) - counts[v];
    }
    return fmin(fmax(sum, 0), people * people);
}

static void write_estimates(const struct local_oracle *oracle, const double *counts, double people,
                            double width, struct local_estimate *out)
{
    double squares = oracle->collision > 0 && people > 0 ? squares_of(oracle, counts, people) : 0;
    for (uint32_t v = 0; v < oracle->setting.domain; v++) {
        double share = people > 0 ? fmin(fmax(counts[v] / people, 0), 1) : 0;
        double variance = local_oracle_variance(oracle, people, share, squares);
        double reach = width * sqrt(variance);
        out[v] = (struct local_estimate){counts[v], variance, counts[v] - reach, counts[v] + reach};
    }
}

status local_tally_estimate(const struct local_tally *tally, const struct local_oracle *oracle,
                            double confidence, struct local_estimate *out, error *why)
{
    assert(confidence > 0 && confidence < 1 && tally->cell_count == oracle->cells);
    size_t bytes = oracle->setting.domain * sizeof(double);
    double *counts = memory_allocate(bytes);
    if (counts == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %u estimates", oracle->setting.domain);
    status result = oracle->kind->support(oracle, tally, counts, why);
    if (result == DITHER_OK) {
        double people = (double)tally->people;
        for (uint32_t v = 0; v < oracle->setting.domain; v++)
            counts[v] = (counts[v] - people * oracle->q) / (oracle->p - oracle->q);
        write_estimates(oracle, counts, people, normal_two_sided(confidence), out);
    }
    memory_release(counts, bytes);
    return result;
}

/* Duchi, Shalev-Shwartz, Singer, Chandra 2008: the projection subtracts one number from all and cuts at 0. The number
 * is found by bisection, as it falls in the sum: simple, and exact to the last bit but one. */
void local_project(double *counts, size_t count, double people)
{
    double low = -people, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, counts[i] - people);
        high = fmax(high, counts[i]);
    }
    for (int step = 0; step < 200; step++) {
        double middle = low + (high - low) / 2, sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += fmax(counts[i] - middle, 0);
        *(sum > people ? &low : &high) = middle;
    }
    for (size_t i = 0; i < count; i++)
        counts[i] = fmax(counts[i] - high, 0);
}
