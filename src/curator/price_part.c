/* One part: how large its error is against what it measures, and the mechanism that its amount buys. */
#include <assert.h>
#include <math.h>

#include "curator/price.h"
#include "mechanism/cdf_tree.h"
#include "mechanism/permute_and_flip.h"
#include "mechanism/registry.h"

/* The half width of geometric noise of scale 1 at 95%: what the other errors are compared with. */
#define UNIT_HALF_WIDTH 3.0
/* Of a Gaussian of sigma 1. */
#define NORMAL_HALF_WIDTH 1.96

/* ---- Relative errors ---- */

static double magnitude(const struct sql_steps *steps)
{
    double below = fabs((double)steps->lower - (double)steps->centre);
    double above = fabs((double)steps->upper - (double)steps->centre);
    return fmax(1, fmax(below, above));
}

/* The natural size of what one row adds. */
static double natural_size(const struct sql_measure *measure)
{
    switch (measure->kind) {
    case SQL_MEASURE_SUM:
    case SQL_MEASURE_DISTINCT_SUM:
        return magnitude(&measure->steps);
    case SQL_MEASURE_PRODUCT:
        return magnitude(&measure->steps) * magnitude(&measure->second_steps);
    case SQL_MEASURE_UNITS:
    case SQL_MEASURE_ROWS:
    case SQL_MEASURE_DISTINCT:
    case SQL_MEASURE_QUANTILES:
    case SQL_MEASURE_TOP:
        break;
    }
    return 1;
}

/* How many ranks a choice among `choices` is off, times epsilon: with rate epsilon / (2 s) a choice t behind
 * is taken with probability exp(-rate t). */
static double choice_error(double sensitivity, size_t choices)
{
    return 2 * sensitivity * log(20.0 * (double)(choices > 1 ? choices : 2)) / UNIT_HALF_WIDTH;
}

static double farther_share(const struct sql_measure *measure)
{
    double farther = 0.5;
    for (size_t i = 0; i < measure->quantile_count; i++)
        farther = fmax(farther, fmax(measure->quantiles[i], 1 - measure->quantiles[i]));
    return farther;
}

static uint64_t top_picks(const struct sql_measure *measure)
{
    return measure->top < measure->domain.row_count ? measure->top : measure->domain.row_count;
}

/* A count of the tree is the sum of `levels` nodes at most. Per amount, in ranks, as a geometric scale. */
static double tree_error(const struct price_release *release, const struct sql_measure *measure,
                         enum ledger_currency currency)
{
    double levels = (double)cdf_tree_levels(sql_measure_width(measure));
    double rows = (double)release->release->max_rows, groups = (double)release->groups;
    if (currency == LEDGER_CONCENTRATED)
        return NORMAL_HALF_WIDTH * rows * levels * sqrt(groups / 2) / UNIT_HALF_WIDTH;
    return NORMAL_HALF_WIDTH * sqrt(2 * levels) * levels * rows * groups / UNIT_HALF_WIDTH;
}

static double choices_error(const struct price_release *release, double one, double picks,
                            enum ledger_currency currency)
{
    double groups = (double)release->groups;
    return currency == LEDGER_CONCENTRATED ? one * sqrt(groups * picks / 2) : one * groups * picks;
}

static void describe_quantiles(const struct price_release *release, enum ledger_currency currency,
                               struct price_part *part)
{
    const struct sql_measure *measure = part->measure;
    double one =
        choice_error(farther_share(measure) * (double)release->release->max_rows, sql_measure_width(measure));
    double choices = choices_error(release, one, (double)measure->quantile_count, currency);
    double tree = tree_error(release, measure, currency);
    part->kind = measure->quantile_count > 1 && tree < choices ? PRICE_TREE : PRICE_QUANTILES;
    part->relative = part->kind == PRICE_TREE ? tree : choices;
}

void price_describe(const struct price_release *release, enum ledger_currency currency,
                    struct price_part *part)
{
    const struct sql_measure *measure = part->measure;
    double groups = (double)release->groups;
    if (measure == NULL) {
        part->kind = PRICE_SELECTION;
        part->relative = groups;
    } else if (measure->kind == SQL_MEASURE_QUANTILES) {
        describe_quantiles(release, currency, part);
    } else if (measure->kind == SQL_MEASURE_TOP) {
        double one = choice_error((double)release->release->max_rows, measure->domain.row_count);
        part->kind = PRICE_TOP;
        part->relative = choices_error(release, one, fmax(1, (double)top_picks(measure)), currency);
    } else {
        double size = (double)sql_measure_sensitivity(measure) / natural_size(measure);
        part->kind = PRICE_NUMBER;
        part->relative = size * (currency == LEDGER_CONCENTRATED ? sqrt(groups / 2) : groups);
    }
    part->relative = fmax(part->relative, 1e-9);
    part->half_width = NAN;
}

/* ---- Amounts as doubles, rounded down ---- */

static double epsilon_of(struct decimal epsilon, uint64_t parts)
{
    return decimal_to_double(decimal_share(epsilon, 1, parts));
}

double price_epsilon_of_rho(struct decimal rho, uint64_t parts)
{
    struct decimal limit = decimal_share(rho, 1, parts), epsilon, half_square;
    double value = sqrt(2 * decimal_to_double(limit));
    for (;;) {
        if (value == 0)
            return 0;
        if (decimal_from_double(value, &epsilon, NULL) == DITHER_OK &&
            decimal_half_square(epsilon, &half_square) && decimal_compare(half_square, limit) <= 0)
            return value;
        value = nextafter(value * (1 - 0x1p-50), 0);
    }
}

/* The pure epsilon of each of `parts` equal parts. */
static double pure_epsilon(const struct price_part *part, enum ledger_currency currency, uint64_t parts)
{
    return currency == LEDGER_CONCENTRATED ? price_epsilon_of_rho(part->cost.rho, parts)
                                           : epsilon_of(part->cost.epsilon, parts);
}

/* ---- Mechanisms ---- */

static status take_mechanisms(struct price_part *part, size_t count, struct mechanism **out,
                              struct arena *arena, error *why)
{
    void *room = NULL;
    TRY(arena_take(arena, count * sizeof **out, &room, why));
    *out = room;
    part->mechanisms = room;
    part->mechanism_count = count;
    return DITHER_OK;
}

static double half_width(const struct mechanism *mechanism)
{
    return mechanism->kind->half_width(mechanism, &(dither_data){0}, PRICE_CONFIDENCE);
}

void price_show_at(struct price *price, double confidence)
{
    for (size_t i = 0; i < price->release_count; i++)
        for (size_t j = 0; j < price->releases[i].part_count; j++) {
            struct price_part *part = &price->releases[i].parts[j];
            if (part->kind == PRICE_NUMBER)
                part->half_width =
                    part->mechanisms->kind->half_width(part->mechanisms, &(dither_data){0}, confidence);
        }
}

/* A whole number as a double, rounded up. */
static double upwards(uint64_t whole)
{
    double value = (double)whole;
    return value < 0x1p64 && (uint64_t)value < whole ? nextafter(value, INFINITY) : value;
}

/* Scales below the samplers' least are as good as no noise: less epsilon is used than is charged. */
static double least_noise(double epsilon, double steps)
{
    return fmin(epsilon, steps * 0x1p19);
}

static status geometric_part(struct mechanism_known *known, struct mechanism *mechanism, double epsilon,
                             uint64_t sensitivity, uint64_t groups, error *why)
{
    double steps = upwards(sensitivity);
    return mechanism_init_known(known, mechanism, &mechanism_geometric,
                                &(dither_options){.epsilon = least_noise(epsilon, steps * (double)groups),
                                                  .sensitivity = steps,
                                                  .group = groups},
                                why);
}

/* Variance times * s^2 / (2 rho): numbers that each move by s, `times` of them. */
static status concentrated_part(struct mechanism_known *known, struct mechanism *mechanism,
                                struct decimal rho, uint64_t sensitivity, uint64_t times, error *why)
{
    if (sensitivity > UINT32_MAX) /* too many steps for the Gaussian sampler's proof */
        return geometric_part(known, mechanism, price_epsilon_of_rho(rho, 1), sensitivity, times, why);
    double steps = (double)sensitivity;
    return mechanism_init_known(
        known, mechanism, &mechanism_discrete_gaussian,
        &(dither_options){.rho = fmin(epsilon_of(rho, times), steps * steps * 0x1p36), .sensitivity = steps},
        why);
}

/* The least whole number not below sqrt(times) * sensitivity. */
static uint64_t euclidean(uint64_t sensitivity, uint64_t times)
{
    uint128_t square = (uint128_t)sensitivity * sensitivity * times;
    uint64_t root = (uint64_t)sqrt((double)square);
    while ((uint128_t)root * root < square)
        root++;
    return root;
}

/* Gaussian noise if it can be had and is narrower; else `mechanism` stays. */
static void try_gaussian(struct mechanism_known *known, struct mechanism *mechanism, struct price_part *part,
                         uint64_t sensitivity, uint64_t groups, struct decimal delta)
{
    struct mechanism gaussian;
    if (sensitivity > UINT32_MAX || groups > UINT16_MAX)
        return;
    dither_options options = {.epsilon = decimal_to_double(part->cost.epsilon),
                              .delta = decimal_to_double(delta),
                              .sensitivity = (double)euclidean(sensitivity, groups)};
    if (mechanism_init_known(known, &gaussian, &mechanism_discrete_gaussian, &options, NULL) != DITHER_OK ||
        half_width(&gaussian) >= half_width(mechanism))
        return;
    *mechanism = gaussian;
    part->cost.delta = delta;
}

static status calibrate_number(const struct price_release *release, struct price_part *part,
                               enum ledger_currency currency, struct decimal delta, struct arena *arena,
                               error *why)
{
    struct mechanism *mechanism = NULL;
    uint64_t sensitivity = sql_measure_sensitivity(part->measure);
    TRY(take_mechanisms(part, 1, &mechanism, arena, why));
    if (currency == LEDGER_CONCENTRATED) {
        TRY(concentrated_part(release->known, mechanism, part->cost.rho, sensitivity, release->groups, why));
    } else {
        TRY(geometric_part(release->known, mechanism, epsilon_of(part->cost.epsilon, 1), sensitivity,
                           release->groups, why));
        if (!decimal_is_zero(delta))
            try_gaussian(release->known, mechanism, part, sensitivity, release->groups, delta);
    }
    part->half_width = half_width(mechanism);
    return DITHER_OK;
}

static status calibrate_selection(const struct price_release *release, struct price_part *part,
                                  enum ledger_currency currency, struct decimal delta, struct arena *arena,
                                  error *why)
{
    struct mechanism *mechanism = NULL;
    TRY(take_mechanisms(part, 1, &mechanism, arena, why));
    part->cost.delta = delta;
    return mechanism_init_known(release->known, mechanism, &mechanism_partition_selection,
                                &(dither_options){.epsilon = pure_epsilon(part, currency, 1),
                                                  .delta = decimal_to_double(delta),
                                                  .max_groups = release->groups},
                                why);
}

/* The quantiles 0 and 1 are looked for a little inside (noise.c), and so the law of the quantiles between has to be
 * theirs: with the shift a person may move some scores up and others down. */
static double inner_share(double share)
{
    return fmin(fmax(share, 0x1p-29), 1 - 0x1p-29);
}

static status calibrate_quantiles(const struct price_release *release, struct price_part *part,
                                  enum ledger_currency currency, struct arena *arena, error *why)
{
    const struct sql_measure *measure = part->measure;
    struct mechanism *mechanisms = NULL;
    TRY(take_mechanisms(part, measure->quantile_count, &mechanisms, arena, why));
    double epsilon = pure_epsilon(part, currency, release->groups * measure->quantile_count);
    for (size_t i = 0; i < measure->quantile_count; i++)
        TRY(mechanism_init_known(release->known, &mechanisms[i], &mechanism_quantile,
                                 &(dither_options){.epsilon = epsilon,
                                                   .quantile = inner_share(measure->quantiles[i]),
                                                   .group = release->release->max_rows,
                                                   .range = {0, SQL_MOST_CELLS},
                                                   .grid = 1},
                                 why));
    return DITHER_OK;
}

static status calibrate_tree(const struct price_release *release, struct price_part *part,
                             enum ledger_currency currency, struct arena *arena, error *why)
{
    struct mechanism *mechanism = NULL;
    uint64_t levels = cdf_tree_levels(sql_measure_width(part->measure));
    TRY(take_mechanisms(part, 1, &mechanism, arena, why));
    if (currency == LEDGER_CONCENTRATED)
        return concentrated_part(release->known, mechanism, part->cost.rho, release->release->max_rows,
                                 levels * release->groups, why);
    return geometric_part(release->known, mechanism, epsilon_of(part->cost.epsilon, 1),
                          levels * release->release->max_rows, release->groups, why);
}

/* Scores are counts of rows by public value, in one group. A unit keeps at most max_rows of its rows there, chosen by
 * a hash of its own rows alone: its own rows add something between 0 and max_rows to each count, and nobody else's
 * change. So one unit more moves all scores up, by at most max_rows, and the one-way rate holds; saturating counts
 * keeps that. Each further pick is the same choice among the values that are left, which the picks before it, already
 * released, decide: given them the scores are a public part of the same counts and move one way again, so k picks of
 * epsilon / k compose to epsilon. Groups compose in the same way. */
static status calibrate_top(const struct price_release *release, struct price_part *part,
                            enum ledger_currency currency, struct arena *arena, error *why)
{
    struct mechanism *mechanism = NULL;
    uint64_t picks = top_picks(part->measure);
    TRY(take_mechanisms(part, 1, &mechanism, arena, why));
    TRY(mechanism_init_known(
        release->known, mechanism, &mechanism_permute_and_flip,
        &(dither_options){.epsilon = pure_epsilon(part, currency, release->groups * (picks > 0 ? picks : 1)),
                          .sensitivity = upwards(release->release->max_rows),
                          .grid = 1},
        why));
    permute_and_flip_one_way(mechanism);
    return DITHER_OK;
}

static status calibrate_kind(const struct price_release *release, struct price_part *part,
                             enum ledger_currency currency, struct decimal delta, struct arena *arena,
                             error *why)
{
    switch (part->kind) {
    case PRICE_SELECTION:
        return calibrate_selection(release, part, currency, delta, arena, why);
    case PRICE_NUMBER:
        return calibrate_number(release, part, currency, delta, arena, why);
    case PRICE_QUANTILES:
        return calibrate_quantiles(release, part, currency, arena, why);
    case PRICE_TREE:
        return calibrate_tree(release, part, currency, arena, why);
    case PRICE_TOP:
        return calibrate_top(release, part, currency, arena, why);
    }
    return fail(why, DITHER_INVALID, "unknown part of a release");
}

status price_calibrate(const struct price_release *release, struct price_part *part,
                       enum ledger_currency currency, struct decimal delta, struct arena *arena, error *why)
{
    status result = calibrate_kind(release, part, currency, delta, arena, why);
    if (result != DITHER_OK && why != NULL)
        why->position = part->measure != NULL ? part->measure->position : release->release->position;
    return result;
}
