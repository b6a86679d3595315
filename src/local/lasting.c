#include "local/lasting.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "local/lasting_kinds.h"

static const struct local_lasting_kind *const kinds[] = {
    &lasting_lgrr,     &lasting_lsue,    &lasting_losue,    &lasting_rappor,
    &lasting_biloloha, &lasting_ololoha, &lasting_dbitflip,
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const struct local_lasting_kind *local_lasting_kind_at(size_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

const struct local_lasting_kind *local_lasting_kind_named(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

/* Domain and epsilon are checked by the oracle that the kind makes. */
status local_lasting_init(struct local_lasting *lasting, const struct local_lasting_kind *kind,
                          const struct local_lasting_setting *setting, error *why)
{
    struct local_lasting made = {.kind = kind, .setting = *setting};
    bool single = kind == &lasting_dbitflip;
    if (single && setting->permanent != 0)
        return fail(why, DITHER_INVALID, "%s has one stage: its permanent epsilon is epsilon", kind->name);
    if (!single && !(setting->permanent > setting->epsilon && setting->permanent <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID,
                    "the permanent epsilon lies above that of a report, and at most at %g",
                    LOCAL_EPSILON_MOST);
    if (setting->bits != 0 && !single && kind != &lasting_rappor)
        return fail(why, DITHER_INVALID, "%s has no option bits", kind->name);
    bool sized = setting->hashes != 0 || setting->width != 0 || setting->seed != 0;
    if (sized && kind != &lasting_rappor)
        return fail(why, DITHER_INVALID, "%s has no options hashes, width or seed", kind->name);
    TRY(kind->init(&made, why));
    assert(made.keys >= 2 && made.memo_bytes > 0);
    *lasting = made;
    return DITHER_OK;
}

double local_lasting_cost(const struct local_lasting *lasting)
{
    return lasting->setting.permanent != 0 ? lasting->setting.permanent : lasting->setting.epsilon;
}

double local_lasting_loss(const struct local_lasting *lasting, double reports)
{
    assert(reports >= 1);
    return fmin(lasting->kind->loss(lasting, reports), local_lasting_cost(lasting));
}

void lasting_set_support(struct local_oracle *oracle, double p, double q)
{
    oracle->p = p;
    oracle->q = q;
    oracle->true_variance = p * (1 - p);
    oracle->other_variance = q * (1 - q);
}

status lasting_check_stages(uint64_t memo_coin, uint64_t report_coin, error *why)
{
    return memo_coin > report_coin
               ? DITHER_OK
               : fail(why, DITHER_INVALID, "the permanent epsilon is too close to that of a report");
}

double lasting_log_ratio(double p, double q, double r)
{
    return log((p + (1 - p) * r) / (q + (1 - q) * r));
}

status lasting_no_identity(const struct local_lasting *lasting, struct random *random,
                           unsigned char *identity, error *why)
{
    (void)lasting, (void)random, (void)identity, (void)why;
    return DITHER_OK;
}

bool lasting_any_identity(const struct local_lasting *lasting, const unsigned char *identity)
{
    (void)lasting, (void)identity;
    return true;
}

uint32_t lasting_value_key(const struct local_lasting *lasting, const unsigned char *identity, uint32_t value)
{
    (void)lasting, (void)identity;
    return value;
}
