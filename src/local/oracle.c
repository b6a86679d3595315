#include "local/oracle.h"

#include <assert.h>
#include <string.h>

#include "local/kinds.h"

static const struct local_oracle_kind *const kinds[] = {
    &local_grr,      &local_sue, &local_oue, &local_olh,  &local_ss,
    &local_hadamard, &local_pgr, &local_cms, &local_hcms, &local_rappor,
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const struct local_oracle_kind *local_oracle_kind_at(size_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

const struct local_oracle_kind *local_oracle_kind_named(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

static status check_option(const struct local_oracle_kind *kind, bool given, const char *option, error *why)
{
    if (given && strstr(kind->options, option) == NULL)
        return fail(why, DITHER_INVALID, "%s has no option %s", kind->name, option);
    return DITHER_OK;
}

static status check_setting(const struct local_oracle_kind *kind, const struct local_setting *setting,
                            error *why)
{
    if (setting->domain < 2 || setting->domain > LOCAL_DOMAIN_LIMIT)
        return fail(why, DITHER_INVALID, "a domain has 2 to %d values", LOCAL_DOMAIN_LIMIT);
    if (!(setting->epsilon >= LOCAL_EPSILON_LEAST && setting->epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "epsilon must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    TRY(check_option(kind, setting->hashes != 0, "hashes", why));
    TRY(check_option(kind, setting->width != 0, "width", why));
    TRY(check_option(kind, setting->bits != 0, "bits", why));
    TRY(check_option(kind, setting->permanent != 0, "permanent", why));
    TRY(check_option(kind, setting->seed != 0, "seed", why));
    if (setting->hashes > LOCAL_HASHES_LIMIT || setting->width > LOCAL_WIDTH_LIMIT)
        return fail(why, DITHER_INVALID, "at most %d hashes of width %d", LOCAL_HASHES_LIMIT,
                    LOCAL_WIDTH_LIMIT);
    return DITHER_OK;
}

status local_oracle_init(struct local_oracle *oracle, const struct local_oracle_kind *kind,
                         const struct local_setting *setting, error *why)
{
    TRY(check_setting(kind, setting, why));
    struct local_oracle made = {.kind = kind, .setting = *setting};
    TRY(kind->init(&made, why));
    if (made.true_variance == 0 && made.other_variance == 0) {
        made.true_variance = made.p * (1 - made.p);
        made.other_variance = made.q * (1 - made.q);
    }
    assert(made.p > made.q && made.report_bytes > 0 && made.cells > 0);
    *oracle = made;
    return DITHER_OK;
}

status local_oracle_randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                              unsigned char *report, error *why)
{
    assert(value < oracle->setting.domain);
    status result = oracle->kind->randomise(oracle, value, random, report, why);
    if (result != DITHER_OK)
        explicit_bzero(report, oracle->report_bytes);
    return result;
}

double local_oracle_variance(const struct local_oracle *oracle, double people, double share, double squares)
{
    double gap = oracle->p - oracle->q;
    double report = share * oracle->true_variance + (1 - share) * oracle->other_variance;
    return people * report / (gap * gap) + oracle->collision * squares;
}

double local_oracle_power(const struct local_oracle *oracle)
{
    double up = (1 - oracle->q) / (oracle->p - oracle->q);
    double down = oracle->q / (oracle->p - oracle->q);
    return up > down ? up : down;
}
