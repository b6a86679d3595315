/* Variances, covariances, correlations and regressions -> measures: counts, sums and products around the middle
 * of the ranges. Which of them a statistic needs is what its formula has (release_statistics.c). */
#include "sql/release_room.h"

enum {
    NEEDS_SUM = 1,
    NEEDS_X_SUM = 2,
    NEEDS_SQUARE = 4,
    NEEDS_X_SQUARE = 8,
    NEEDS_PRODUCT = 16,
    NEEDS_COVARIANCE = NEEDS_SUM | NEEDS_X_SUM | NEEDS_PRODUCT,
    NEEDS_SLOPE = NEEDS_COVARIANCE | NEEDS_X_SQUARE,
    NEEDS_ALL = NEEDS_SLOPE | NEEDS_SQUARE,
};

static unsigned needs_of(enum release_statistic statistic)
{
    switch (statistic) {
    case RELEASE_REGR_COUNT:
        return 0;
    case RELEASE_REGR_AVGX:
        return NEEDS_X_SUM;
    case RELEASE_REGR_AVGY:
        return NEEDS_SUM;
    case RELEASE_REGR_SXX:
        return NEEDS_X_SUM | NEEDS_X_SQUARE;
    case RELEASE_REGR_SYY:
        return NEEDS_SUM | NEEDS_SQUARE;
    case RELEASE_REGR_SXY:
    case RELEASE_COVAR_POP:
    case RELEASE_COVAR_SAMP:
        return NEEDS_COVARIANCE;
    case RELEASE_REGR_SLOPE:
    case RELEASE_REGR_INTERCEPT:
        return NEEDS_SLOPE;
    default:
        return NEEDS_ALL;
    }
}

static unsigned how_many(unsigned needs)
{
    unsigned count = 0;
    for (; needs != 0; needs &= needs - 1)
        count++;
    return count;
}

/* (y - its middle)(x - its middle) */
static status add_product(struct release_draft *draft, struct release_part *part,
                          const struct sql_expression *y, const struct sql_expression *x,
                          const struct sql_expression *filter, struct decimal epsilon, size_t *index,
                          error *why)
{
    struct sql_range y_range = {0}, x_range = {0};
    TRY(release_find_range(draft, part, y, &y_range, why));
    TRY(release_find_range(draft, part, x, &x_range, why));
    struct release_limits limits = release_product_limits(draft->max_rows);
    struct sql_measure measure = {.kind = SQL_MEASURE_PRODUCT,
                                  .argument = y,
                                  .second = x,
                                  .filter = filter,
                                  .epsilon = epsilon,
                                  .position = part->call->position};
    measure.steps = release_choose_steps(draft->request->input, y, &y_range, &limits);
    measure.second_steps = release_choose_steps(draft->request->input, x, &x_range, &limits);
    release_bound_product(&measure, draft->max_rows);
    return release_add_measure(draft, &measure, index, why);
}

status release_read_variance(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    const struct sql_expression *x = call->arguments[0], *filter = NULL;
    TRY(release_need_arguments(call, 1, why));
    TRY(release_need_number(call, x, why));
    if (call->distinct)
        return sql_refuse(why, call->position, "%s(DISTINCT ...) has no private form", call->name);
    TRY(release_make_filter(draft, call, x, NULL, &filter, why));
    struct decimal epsilon = release_epsilon_share(call, 3);
    TRY(release_add_rows(draft, part, filter, epsilon, &part->rows, why));
    TRY(release_add_sum(draft, part, x, filter, true, epsilon, &part->sum, why));
    return add_product(draft, part, x, x, filter, epsilon, &part->square, why);
}

status release_read_pair(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    const struct sql_expression *y = call->arguments[0], *x = call->arguments[1], *filter = NULL;
    TRY(release_need_arguments(call, 2, why));
    TRY(release_need_number(call, y, why));
    TRY(release_need_number(call, x, why));
    if (call->distinct)
        return sql_refuse(why, call->position, "%s(DISTINCT ...) has no private form", call->name);
    TRY(release_make_filter(draft, call, y, x, &filter, why));
    unsigned needs = needs_of(part->statistic);
    struct decimal epsilon = release_epsilon_share(call, 1 + how_many(needs));
    TRY(release_add_rows(draft, part, filter, epsilon, &part->rows, why));
    if ((needs & NEEDS_SUM) != 0)
        TRY(release_add_sum(draft, part, y, filter, true, epsilon, &part->sum, why));
    if ((needs & NEEDS_X_SUM) != 0)
        TRY(release_add_sum(draft, part, x, filter, true, epsilon, &part->x_sum, why));
    if ((needs & NEEDS_SQUARE) != 0)
        TRY(add_product(draft, part, y, y, filter, epsilon, &part->square, why));
    if ((needs & NEEDS_X_SQUARE) != 0)
        TRY(add_product(draft, part, x, x, filter, epsilon, &part->x_square, why));
    if ((needs & NEEDS_PRODUCT) != 0)
        TRY(add_product(draft, part, y, x, filter, epsilon, &part->product, why));
    return DITHER_OK;
}
