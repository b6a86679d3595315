#include "local/set.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/normal.h"
#include "random/uniform.h"

status local_set_init(struct local_set *set, const struct local_oracle_kind *kind,
                      const struct local_setting *setting, uint32_t limit, error *why)
{
    struct local_setting padded = *setting;
    if (limit < 1 || limit > LOCAL_SET_LIMIT)
        return fail(why, DITHER_INVALID, "sets are padded to 1 to %d items", LOCAL_SET_LIMIT);
    if (setting->domain < 1 || setting->domain > LOCAL_DOMAIN_LIMIT - limit)
        return fail(why, DITHER_INVALID, "items and dummies together are at most %d", LOCAL_DOMAIN_LIMIT);
    padded.domain += limit;
    struct local_set made = {.domain = setting->domain, .limit = limit};
    TRY(local_oracle_init(&made.oracle, kind, &padded, why));
    *set = made;
    return DITHER_OK;
}

/* Dummies are numbered behind the items; at most `limit` of them are ever in a set. */
status local_set_randomise(const struct local_set *set, const uint32_t *items, size_t count,
                           struct random *random, unsigned char *report, error *why)
{
    uint64_t drawn = 0;
    memset(report, 0, set->oracle.report_bytes);
    TRY(uniform_below(random, count > set->limit ? count : set->limit, &drawn, why));
    uint32_t value = drawn < count ? items[drawn] : set->domain + (uint32_t)(drawn - count);
    assert(value < set->domain || drawn >= count);
    return local_oracle_randomise(&set->oracle, value, random, report, why);
}

/* Who has the item supports it as the true value once in `limit` times, else as another; between the two means lies p - q. */
double local_set_variance(const struct local_set *set, double people, double share, double squares)
{
    const struct local_oracle *oracle = &set->oracle;
    double limit = set->limit, part = 1 / limit, gap = oracle->p - oracle->q;
    double owner =
        part * oracle->true_variance + (1 - part) * oracle->other_variance + gap * gap * part * (1 - part);
    double report = share * owner + (1 - share) * oracle->other_variance;
    return limit * limit * (people * report / (gap * gap) + oracle->collision * squares);
}

status local_set_estimate(const struct local_tally *tally, const struct local_set *set, double confidence,
                          struct local_estimate *out, error *why)
{
    size_t bytes = set->oracle.setting.domain * sizeof(struct local_estimate);
    struct local_estimate *drawn = memory_allocate(bytes);
    if (drawn == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %u estimates", set->oracle.setting.domain);
    status result = local_tally_estimate(tally, &set->oracle, confidence, drawn, why);
    double people = (double)tally->people, reach = normal_two_sided(confidence);
    for (uint32_t v = 0; v < set->domain && result == DITHER_OK; v++) {
        double count = drawn[v].count * set->limit, share = people > 0 ? fmin(fmax(count / people, 0), 1) : 0;
        double once = people > 0 ? fmin(fmax(drawn[v].count / people, 0), 1) : 0;
        /* what the oracle's variance has beyond its reports is for colliding values */
        double collisions = drawn[v].variance - local_oracle_variance(&set->oracle, people, once, 0);
        double variance =
            local_set_variance(set, people, share, 0) + set->limit * (double)set->limit * fmax(collisions, 0);
        double width = reach * sqrt(variance);
        out[v] = (struct local_estimate){count, variance, count - width, count + width};
    }
    memory_release(drawn, bytes);
    return result;
}
