#include "local/pram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/interval.h"
#include "base/memory.h"
#include "random/uniform.h"

static const uint64_t whole = (uint64_t)1 << 62;

static status make(struct pram *out, size_t size, error *why)
{
    if (size < 2 || size > PRAM_SIZE_LIMIT)
        return fail(why, DITHER_INVALID, "a matrix has 2 to %d categories", PRAM_SIZE_LIMIT);
    uint64_t *parts = memory_allocate(size * size * sizeof *parts);
    if (parts == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a matrix of %zu categories", size);
    *out = (struct pram){size, parts};
    return DITHER_OK;
}

void pram_free(struct pram *pram)
{
    memory_release(pram->parts, pram->size * pram->size * sizeof *pram->parts);
    *pram = (struct pram){0};
}

static status check_row(const double *row, size_t size, size_t number, error *why)
{
    double sum = 0;
    for (size_t k = 0; k < size; k++) {
        if (!(row[k] >= 0 && row[k] <= 1))
            return fail(why, DITHER_INVALID, "row %zu, column %zu is not a probability", number + 1, k + 1);
        sum += row[k];
    }
    if (fabs(sum - 1) > 1e-6)
        return fail(why, DITHER_INVALID, "row %zu adds to %.9g, not to 1", number + 1, sum);
    return DITHER_OK;
}

/* A number that is not 0 keeps at least one part, so that a tiny probability does not become a proof. */
static void round_row(const double *row, size_t size, uint64_t *parts)
{
    uint64_t sum = 0;
    size_t largest = 0;
    for (size_t k = 0; k < size; k++) {
        parts[k] = (uint64_t)nearbyint(ldexp(row[k], 62));
        if (row[k] > 0 && parts[k] == 0)
            parts[k] = 1;
        sum += parts[k];
        if (parts[k] > parts[largest])
            largest = k;
    }
    parts[largest] += whole - sum; /* modulo 2^64: up or down, by 1e-6 of the whole at most */
}

status pram_new(struct pram *out, const double *rows, size_t size, error *why)
{
    struct pram made;
    for (size_t i = 0; i < size && size <= PRAM_SIZE_LIMIT; i++)
        TRY(check_row(rows + i * size, size, i, why));
    TRY(make(&made, size, why));
    for (size_t i = 0; i < size; i++)
        round_row(rows + i * size, size, made.parts + i * size);
    *out = made;
    return DITHER_OK;
}

/* Each of the others gets its share of the far side of the coin, rounded up; the diagonal what is left. */
status pram_for_epsilon(struct pram *out, double epsilon, size_t size, error *why)
{
    struct pram made;
    if (!(epsilon >= LOCAL_EPSILON_LEAST && epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "epsilon must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    TRY(make(&made, size, why));
    uint64_t far = coin_opposite(coin_for(epsilon, 1, size - 1));
    uint64_t other = far / (4 * (size - 1)) + 1;
    for (size_t i = 0; i < size * size; i++)
        made.parts[i] = i % (size + 1) == 0 ? whole - (size - 1) * other : other;
    *out = made;
    return DITHER_OK;
}

status pram_response(struct pram *out, struct pram_coin coin, error *why)
{
    if (!(coin.truth >= 0 && coin.truth <= 1 && coin.yes >= 0 && coin.yes <= 1))
        return fail(why, DITHER_INVALID, "the coins of randomised response are probabilities");
    double lie = 1 - coin.truth;
    const double rows[4] = {coin.truth + lie * coin.yes, lie * (1 - coin.yes), lie * coin.yes,
                            coin.truth + lie * (1 - coin.yes)};
    return pram_new(out, rows, 2, why);
}

double pram_probability(const struct pram *pram, size_t from, size_t to)
{
    return ldexp((double)pram->parts[from * pram->size + to], -62);
}

double pram_epsilon(const struct pram *pram)
{
    double worst = 0;
    for (size_t k = 0; k < pram->size; k++) {
        uint64_t most = 0, least = UINT64_MAX;
        for (size_t i = 0; i < pram->size; i++) {
            uint64_t part = pram->parts[i * pram->size + k];
            most = part > most ? part : most;
            least = part < least ? part : least;
        }
        if (most == 0)
            continue; /* a category that is never reported */
        if (least == 0)
            return INFINITY;
        struct interval ratio = interval_from_rational(rational_from_ratio(most, least));
        worst = fmax(worst, interval_log(ratio).upper);
    }
    return worst;
}

/* All parts of the row are gone through whatever was drawn: the time tells the size alone. */
static uint32_t report_of(const struct pram *pram, uint32_t value, uint64_t drawn)
{
    const uint64_t *row = pram->parts + value * pram->size;
    uint64_t sum = 0;
    uint32_t report = 0;
    for (size_t k = 0; k + 1 < pram->size; k++) {
        sum += row[k];
        report += drawn >= sum;
    }
    return report;
}

status pram_apply(const struct pram *pram, struct random *random, uint32_t *values, size_t count, error *why)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t drawn = 0;
        assert(values[i] < pram->size);
        status result = uniform_below(random, whole, &drawn, why);
        if (result != DITHER_OK) {
            memset(values, 0, count * sizeof *values);
            return result;
        }
        values[i] = report_of(pram, values[i], drawn);
    }
    return DITHER_OK;
}

struct pram_region pram_region(double epsilon)
{
    double a = 1 / (1 + exp(-epsilon));
    return (struct pram_region){{0, a, 1, 1 - a}, {1, a, 0, 1 - a}};
}
