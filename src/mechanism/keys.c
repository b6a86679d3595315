#include "mechanism/keys.h"

/* Below this the doubles run out of digits. */
#define LEAST_DELTA 1e-290

static double epsilon_share(const dither_options *options)
{
    mpfr_t share;
    mpfr_init2(share, 53);
    mpfr_set_d(share, options->epsilon, MPFR_RNDN);
    mpfr_div_ui(share, share, options->max_groups, MPFR_RNDD);
    double result = mpfr_get_d(share, MPFR_RNDD);
    mpfr_clear(share);
    return result;
}

/* ln(1 - delta) is negative: every step rounds towards 0, so that the share comes out too small rather than
 * too large. */
static double delta_share(const dither_options *options)
{
    if (options->max_groups == 1)
        return options->delta;
    mpfr_t share;
    mpfr_init2(share, 128);
    mpfr_set_d(share, -options->delta, MPFR_RNDN);
    mpfr_log1p(share, share, MPFR_RNDZ);
    mpfr_div_ui(share, share, options->max_groups, MPFR_RNDZ);
    mpfr_expm1(share, share, MPFR_RNDZ);
    double result = -mpfr_get_d(share, MPFR_RNDZ);
    mpfr_clear(share);
    return result;
}

status keys_init(struct mechanism *mechanism, struct keys_share *share, error *why)
{
    const dither_options *options = &mechanism->options;
    struct keys_share made = {epsilon_share(options), delta_share(options)};
    if (made.delta < LEAST_DELTA)
        return fail(why, DITHER_INVALID,
                    "a delta of %g under %llu keys is too small: no key would ever be shown", options->delta,
                    (unsigned long long)options->max_groups);
    if (made.epsilon <= 0)
        return fail(why, DITHER_INVALID, "an epsilon of %g is too small to be shared by %llu keys",
                    options->epsilon, (unsigned long long)options->max_groups);
    mechanism->sensitivity = 1;
    mechanism->cost = (dither_cost){.epsilon = options->epsilon, .delta = options->delta};
    *share = made;
    return DITHER_OK;
}

size_t keys_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    return data->count;
}

status keys_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                    error *why)
{
    (void)mechanism;
    (void)why;
    for (size_t i = 0; i < data->count; i++)
        statistic[i] = (int64_t)data->values[i]; /* checked to be whole numbers within the limit */
    return DITHER_OK;
}
