#include "local/several.h"

#include <math.h>
#include <string.h>

#include "local/advise.h"
#include "local/bits.h"
#include "random/uniform.h"

status local_several_check(const struct local_several *several, error *why)
{
    if (several->attributes < 1 || several->attributes > LOCAL_ATTRIBUTES_LIMIT)
        return fail(why, DITHER_INVALID, "there are 1 to %d attributes", LOCAL_ATTRIBUTES_LIMIT);
    if (several->asked < 1 || several->asked > several->attributes)
        return fail(why, DITHER_INVALID, "a person is asked about 1 to all of the attributes");
    return DITHER_OK;
}

/* A quotient rounded to the nearest is off by a part in 2^53 at most; the next double below makes up for it. */
double local_several_each(const struct local_several *several)
{
    double each = several->epsilon / several->asked;
    return (several->asked & (several->asked - 1)) == 0 ? each : nextafter(each, 0);
}

/* Floyd's sample, as in subset.c. */
status local_several_draw(const struct local_several *several, struct random *random, uint32_t *chosen,
                          error *why)
{
    unsigned char drawn[LOCAL_ATTRIBUTES_LIMIT / 8] = {0};
    for (uint32_t top = several->attributes - several->asked; top < several->attributes; top++) {
        uint64_t at = 0;
        TRY(uniform_below(random, (uint64_t)top + 1, &at, why));
        bits_set(drawn, bits_get(drawn, at) ? top : at);
    }
    size_t count = 0;
    for (uint32_t i = 0; i < several->attributes; i++)
        if (bits_get(drawn, i))
            chosen[count++] = i;
    return DITHER_OK;
}

double local_several_variance(const struct local_several *several, const struct several_variances *variances)
{
    double part = (double)several->asked / several->attributes, people = variances->people;
    double finite = people > 1 ? people / (people - 1) : 1;
    return (variances->report + variances->truth * (1 - part) * finite) / part;
}

/* ---- Advice ---- */

static void advise_shares(const struct local_several *several, uint32_t domain, struct several_advice *out)
{
    static _Thread_local struct advice advice[ADVICE_LIMIT];
    size_t count = local_advise(domain, local_several_each(several), 1, advice);
    for (size_t i = 0; i < count; i++) {
        double report = advice[i].standard_error * advice[i].standard_error;
        double variance = local_several_variance(several, &(struct several_variances){.report = report});
        if (variance < out->variance) {
            out->variance = variance;
            out->mechanism = advice[i].oracle.kind->name;
        }
    }
}

/* The worst population sits in the middle, or half at either end: both variances are quadratic in the distance. */
static void advise_numbers(const struct local_several *several, struct several_advice *out)
{
    for (size_t i = 0; local_numeric_kind_at(i) != NULL; i++) {
        const struct local_numeric_setting setting = {
            .lower = -1, .upper = 1, .epsilon = local_several_each(several)};
        struct local_numeric numeric;
        error unused;
        if (local_numeric_init(&numeric, local_numeric_kind_at(i), &setting, &unused) != DITHER_OK)
            continue;
        const struct several_variances middle = {.report = local_numeric_variance(&numeric, 0)},
                                       ends = {.report = local_numeric_variance(&numeric, 1), .truth = 1};
        double variance =
            fmax(local_several_variance(several, &middle), local_several_variance(several, &ends));
        if (variance < out->variance) {
            out->variance = variance;
            out->mechanism = local_numeric_kind_at(i)->name;
        }
    }
}

void local_several_advise(uint32_t attributes, double epsilon, uint32_t domain, struct several_advice *out)
{
    for (uint32_t asked = 1; asked <= attributes; asked++) {
        const struct local_several several = {attributes, asked, epsilon};
        struct several_advice *here = &out[asked - 1];
        *here = (struct several_advice){.asked = asked, .mechanism = "", .variance = INFINITY};
        if (local_several_each(&several) < LOCAL_EPSILON_LEAST)
            continue;
        if (domain > 0)
            advise_shares(&several, domain, here);
        else
            advise_numbers(&several, here);
    }
}
