/* SQL aggregates -> measures.
 *
 *     count               rows
 *     sum                 sum
 *     avg                 rows, sum around the middle of the range
 *     variances           the same, and the squares around the middle
 *     covariances, ...    the same of both arguments, and their product
 *     percentiles, ...    a noisy distribution over a public grid: all shares of one argument for one price
 *
 * Calls that need the same measure share it. Whatever is not in the table is refused. */
#include <math.h>
#include <string.h>

#include "sql/release_room.h"

static const struct aggregate {
    const char *name;
    enum release_form form;
    enum release_statistic statistic;
} aggregates[] = {
    {"count", RELEASE_COUNT, RELEASE_PLAIN},
    {"approx_count_distinct", RELEASE_COUNT, RELEASE_PLAIN},
    {"sum", RELEASE_SUM, RELEASE_PLAIN},
    {"avg", RELEASE_AVERAGE, RELEASE_PLAIN},
    {"var_pop", RELEASE_VARIANCE, RELEASE_VAR_POP},
    {"var_samp", RELEASE_VARIANCE, RELEASE_VAR_SAMP},
    {"variance", RELEASE_VARIANCE, RELEASE_VAR_SAMP},
    {"stddev_pop", RELEASE_VARIANCE, RELEASE_STDDEV_POP},
    {"stddev_samp", RELEASE_VARIANCE, RELEASE_STDDEV_SAMP},
    {"stddev", RELEASE_VARIANCE, RELEASE_STDDEV_SAMP},
    {"covar_pop", RELEASE_PAIR, RELEASE_COVAR_POP},
    {"covar_samp", RELEASE_PAIR, RELEASE_COVAR_SAMP},
    {"corr", RELEASE_PAIR, RELEASE_CORR},
    {"regr_slope", RELEASE_PAIR, RELEASE_REGR_SLOPE},
    {"regr_intercept", RELEASE_PAIR, RELEASE_REGR_INTERCEPT},
    {"regr_count", RELEASE_PAIR, RELEASE_REGR_COUNT},
    {"regr_r2", RELEASE_PAIR, RELEASE_REGR_R2},
    {"regr_avgx", RELEASE_PAIR, RELEASE_REGR_AVGX},
    {"regr_avgy", RELEASE_PAIR, RELEASE_REGR_AVGY},
    {"regr_sxx", RELEASE_PAIR, RELEASE_REGR_SXX},
    {"regr_syy", RELEASE_PAIR, RELEASE_REGR_SYY},
    {"regr_sxy", RELEASE_PAIR, RELEASE_REGR_SXY},
    {"median", RELEASE_QUANTILE, RELEASE_MEDIAN},
    {"percentile_cont", RELEASE_QUANTILE, RELEASE_PERCENTILE_CONT},
    {"percentile_disc", RELEASE_QUANTILE, RELEASE_PERCENTILE_DISC},
    {"min", RELEASE_QUANTILE, RELEASE_MIN},
    {"max", RELEASE_QUANTILE, RELEASE_MAX},
    {"approx_top_k", RELEASE_TOP, RELEASE_PLAIN},
    {"approx_top_count", RELEASE_TOP, RELEASE_PLAIN},
};

/* Why the commonest others have no private form, and what has. */
static const struct refusal {
    const char *name, *hint;
} refusals[] = {
    {"string_agg", "it would show rows: group by the column and count instead"},
    {"array_agg", "it would show rows: group by the column and count instead"},
    {"json_agg", "it would show rows: group by the column and count instead"},
    {"jsonb_agg", "it would show rows: group by the column and count instead"},
    {"mode", "ask approx_top_k(x, 1) of a column with declared values, or group by it and count"},
    {"bool_and", "one person alone decides it: ask count(*) FILTER (WHERE NOT x)"},
    {"every", "one person alone decides it: ask count(*) FILTER (WHERE NOT x)"},
    {"bool_or", "one person alone decides it: ask count(*) FILTER (WHERE x)"},
    {"any_value", "it would show a row: group by the column instead"},
};

static const struct aggregate *find_aggregate(const char *name)
{
    for (size_t i = 0; i < sizeof aggregates / sizeof aggregates[0]; i++)
        if (strcmp(aggregates[i].name, name) == 0)
            return &aggregates[i];
    return NULL;
}

static status refuse_aggregate(const struct bind_call *call, error *why)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (strcmp(refusals[i].name, call->name) == 0)
            return sql_refuse(why, call->position, "%s has no private form: %s", call->name,
                              refusals[i].hint);
    return sql_refuse(why, call->position,
                      "%s has no private form: ask count, sum, avg, a variance or a percentile instead",
                      call->name);
}

bool release_is_number(const struct sql_expression *expression)
{
    return expression->type == SQL_INTEGER || expression->type == SQL_DECIMAL || expression->type == SQL_REAL;
}

status release_need_arguments(const struct bind_call *call, size_t count, error *why)
{
    if (call->star || call->argument_count != count)
        return sql_refuse(why, call->position, "%s takes %zu argument%s", call->name, count,
                          count == 1 ? "" : "s");
    return DITHER_OK;
}

status release_need_number(const struct bind_call *call, const struct sql_expression *argument, error *why)
{
    if (!release_is_number(argument))
        return sql_refuse(why, call->position, "function %s(%s) does not exist", call->name,
                          sql_type_name(argument->type));
    return DITHER_OK;
}

struct decimal release_epsilon_share(const struct bind_call *call, unsigned measures)
{
    if (decimal_is_zero(call->epsilon))
        return decimal_zero();
    struct decimal share = {.units = call->epsilon.units / measures};
    return decimal_is_zero(share) ? (struct decimal){.units = 1} : share; /* zero would mean "not said" */
}

/* ---- Counts ---- */

status release_add_rows(struct release_draft *draft, const struct release_part *part,
                        const struct sql_expression *filter, struct decimal epsilon, size_t *index,
                        error *why)
{
    const struct bind_call *call = part->call;
    struct sql_measure measure = {.kind = SQL_MEASURE_ROWS,
                                  .filter = filter,
                                  .unit_upper = (int64_t)draft->max_rows,
                                  .epsilon = epsilon,
                                  .position = call->position};
    if (draft->request->input->one_row && filter == NULL)
        measure.kind = SQL_MEASURE_UNITS;
    if (call->has_bounds && part->form == RELEASE_COUNT && call->bound_upper < (double)measure.unit_upper)
        measure.unit_upper = call->bound_upper >= 1 ? (int64_t)floor(call->bound_upper) : 0;
    return release_add_measure(draft, &measure, index, why);
}

/* Different values: each unit has at most max_rows of them in a group, and of its own tag one. Units of which some
 * row passes a filter are the different tags of those rows. */
static status add_distinct(struct release_draft *draft, const struct bind_call *call,
                           const struct sql_expression *argument, struct decimal epsilon, size_t *index,
                           error *why)
{
    struct sql_measure measure = {.kind = SQL_MEASURE_DISTINCT,
                                  .argument = argument,
                                  .unit_upper = (int64_t)draft->max_rows,
                                  .epsilon = epsilon,
                                  .position = call->position};
    TRY(release_make_filter(draft, call, argument, NULL, &measure.filter, why));
    if (relation_is_unit(draft->request->input, argument)) {
        measure.unit_upper = 1;
        if (measure.filter == NULL) {
            measure.kind = SQL_MEASURE_UNITS;
            measure.argument = NULL;
        }
    }
    return release_add_measure(draft, &measure, index, why);
}

static status read_count(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    if (call->has_bounds && !(call->bound_lower <= call->bound_upper))
        return sql_refuse(why, call->position, "contribution_bounds_per_group: the lower bound comes first");
    if (call->star)
        return release_add_rows(draft, part, call->filter, call->epsilon, &part->rows, why);
    TRY(release_need_arguments(call, 1, why));
    if (call->distinct || strcmp(call->name, "approx_count_distinct") == 0)
        return add_distinct(draft, call, call->arguments[0], call->epsilon, &part->rows, why);
    const struct sql_expression *filter = NULL;
    TRY(release_make_filter(draft, call, call->arguments[0], NULL, &filter, why));
    return release_add_rows(draft, part, filter, call->epsilon, &part->rows, why);
}

/* ---- Sums and averages ---- */

/* The analyst's bounds of a unit's sum, in steps; they only ever tighten. 0 stays inside, for whoever has
 * nothing to add. */
static void tighten(const struct bind_call *call, struct sql_measure *measure)
{
    double size = release_step_size(measure->argument, &measure->steps);
    double lower = ceil(fmin(0, call->bound_lower) / size), upper = floor(fmax(0, call->bound_upper) / size);
    if (lower > (double)measure->unit_lower)
        measure->unit_lower = (int64_t)lower;
    if (upper < (double)measure->unit_upper)
        measure->unit_upper = (int64_t)upper;
}

status release_add_sum(struct release_draft *draft, struct release_part *part,
                       const struct sql_expression *argument, const struct sql_expression *filter,
                       bool centred, struct decimal epsilon, size_t *index, error *why)
{
    const struct bind_call *call = part->call;
    struct sql_range range = {0};
    TRY(release_find_range(draft, part, argument, &range, why));
    struct sql_measure measure = {.kind = call->distinct ? SQL_MEASURE_DISTINCT_SUM : SQL_MEASURE_SUM,
                                  .argument = argument,
                                  .filter = filter,
                                  .epsilon = epsilon,
                                  .position = call->position};
    struct release_limits limits = release_sum_limits(draft->max_rows, centred);
    measure.steps = release_choose_steps(draft->request->input, argument, &range, &limits);
    release_bound_sum(&measure, draft->max_rows);
    if (call->has_bounds && measure.kind == SQL_MEASURE_SUM && part->form == RELEASE_SUM)
        tighten(call, &measure);
    return release_add_measure(draft, &measure, index, why);
}

static status read_sum(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    const struct sql_expression *x = call->arguments[0], *filter = NULL;
    TRY(release_need_arguments(call, 1, why));
    TRY(release_need_number(call, x, why));
    TRY(release_make_filter(draft, call, x, NULL, &filter, why));
    part->argument = x;
    return release_add_sum(draft, part, x, filter, false, call->epsilon, &part->sum, why);
}

static status read_average(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    const struct sql_expression *x = call->arguments[0], *filter = NULL;
    TRY(release_need_arguments(call, 1, why));
    TRY(release_need_number(call, x, why));
    TRY(release_find_range(draft, part, x, &part->range, why));
    TRY(release_make_filter(draft, call, x, NULL, &filter, why));
    part->argument = x;
    struct decimal epsilon = release_epsilon_share(call, 2);
    if (call->distinct)
        TRY(add_distinct(draft, call, x, epsilon, &part->rows, why));
    else
        TRY(release_add_rows(draft, part, filter, epsilon, &part->rows, why));
    return release_add_sum(draft, part, x, filter, true, epsilon, &part->sum, why);
}

/* ---- All calls ---- */

static status read_call(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    const struct aggregate *aggregate = find_aggregate(call->name);
    if (aggregate == NULL)
        return refuse_aggregate(call, why);
    part->form = aggregate->form;
    part->statistic = aggregate->statistic;
    switch (aggregate->form) {
    case RELEASE_COUNT:
        return read_count(draft, part, why);
    case RELEASE_SUM:
        return read_sum(draft, part, why);
    case RELEASE_AVERAGE:
        return read_average(draft, part, why);
    case RELEASE_VARIANCE:
        return release_read_variance(draft, part, why);
    case RELEASE_PAIR:
        return release_read_pair(draft, part, why);
    case RELEASE_QUANTILE:
        return release_read_quantile(draft, part, why);
    case RELEASE_TOP:
        return release_read_top(draft, part, why);
    }
    return refuse_aggregate(call, why);
}

status release_read_calls(struct release_draft *draft, error *why)
{
    for (size_t i = 0; i < draft->request->call_count; i++) {
        draft->parts[i] = (struct release_part){.call = &draft->request->calls[i],
                                                .rows = RELEASE_NONE,
                                                .sum = RELEASE_NONE,
                                                .square = RELEASE_NONE,
                                                .product = RELEASE_NONE,
                                                .x_sum = RELEASE_NONE,
                                                .x_square = RELEASE_NONE};
        TRY(read_call(draft, &draft->parts[i], why));
    }
    draft->width = 0;
    for (size_t i = 0; i < draft->measure_count; i++) {
        draft->measures[i].column = draft->width;
        draft->width += sql_measure_columns(&draft->measures[i]);
    }
    return DITHER_OK;
}
