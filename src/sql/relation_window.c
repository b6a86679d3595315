/* Window functions.
 *
 * Over a tagged relation the unit is among PARTITION BY, as a plain column, so what a row gets depends on rows
 * of its unit. It must not depend on the order in which the engine meets rows that the analyst's ORDER BY does
 * not tell apart: other people's rows move that order. So, for functions that see positions, the order is
 * completed by all columns of the input; rows that are the same in all of them may change places without
 * changing what comes out. Functions that treat rows of one rank alike (rank, an aggregate over RANGE) keep the
 * analyst's order, which alone says what they mean. */
#include <string.h>

#include "sql/relation_make.h"

static const char *window_name(const struct sql_window *window)
{
    static const char *const names[] = {
        [SQL_ROW_NUMBER] = "row_number",
        [SQL_RANK] = "rank",
        [SQL_DENSE_RANK] = "dense_rank",
        [SQL_PERCENT_RANK] = "percent_rank",
        [SQL_CUME_DIST] = "cume_dist",
        [SQL_NTILE] = "ntile",
        [SQL_LAG] = "lag",
        [SQL_LEAD] = "lead",
        [SQL_FIRST_VALUE] = "first_value",
        [SQL_LAST_VALUE] = "last_value",
        [SQL_NTH_VALUE] = "nth_value",
        [SQL_WINDOW_AGGREGATE] = "",
    };
    return window->kind == SQL_WINDOW_AGGREGATE ? relation_aggregate_name(window->aggregate.kind)
                                                : names[window->kind];
}

/* ---- The result ---- */

static uint64_t rows_of_a_unit(const struct sql_relation *input)
{
    return input->place != SQL_TAGGED ? 0 : input->one_row ? 1 : input->max_rows;
}

static status describe_value(const struct sql_window *window, int position, struct sql_column *out,
                             error *why)
{
    const struct sql_expression *value = window->arguments[0];
    if (window->argument_count == 0)
        return sql_refuse(why, position, "function %s() does not exist", window_name(window));
    out->type = value->type == SQL_UNKNOWN ? SQL_TEXT : value->type;
    out->scale = value->scale;
    out->nullable = true;
    out->range = value->range;
    if (window->argument_count == 3) { /* the default of lag and lead may lie elsewhere */
        const struct sql_expression *other = window->arguments[2];
        if (other->type != value->type || other->scale != value->scale)
            return sql_refuse(why, position, "the default of %s must have the type of its value, %s",
                              window_name(window), sql_type_name(value->type));
        struct sql_range *range = &out->range;
        range->known = range->known && other->range.known;
        range->lower = other->range.lower < range->lower ? other->range.lower : range->lower;
        range->upper = other->range.upper > range->upper ? other->range.upper : range->upper;
        if (other->range.real_lower < range->real_lower)
            range->real_lower = other->range.real_lower;
        if (other->range.real_upper > range->real_upper)
            range->real_upper = other->range.real_upper;
    }
    return DITHER_OK;
}

static status describe_window(const struct sql_relation *input, const struct sql_window *window, int position,
                              struct sql_column *out, error *why)
{
    uint64_t rows = rows_of_a_unit(input);
    *out = (struct sql_column){.type = SQL_INTEGER};
    if (rows > 0)
        out->range = (struct sql_range){.known = true, .lower = 1, .upper = (int64_t)rows};
    switch (window->kind) {
    case SQL_ROW_NUMBER:
    case SQL_RANK:
    case SQL_DENSE_RANK:
    case SQL_NTILE:
        out->nullable = window->kind == SQL_NTILE;
        break;
    case SQL_PERCENT_RANK:
    case SQL_CUME_DIST:
        out->type = SQL_REAL;
        out->range = (struct sql_range){.known = true, .real_lower = 0, .real_upper = 1};
        break;
    case SQL_LAG:
    case SQL_LEAD:
    case SQL_FIRST_VALUE:
    case SQL_LAST_VALUE:
    case SQL_NTH_VALUE:
        TRY(describe_value(window, position, out, why));
        break;
    case SQL_WINDOW_AGGREGATE:
        TRY(relation_describe_aggregate(input, &window->aggregate, position, out, why));
        break;
    }
    out->name = window_name(window);
    out->noisy = input->place == SQL_RELEASED;
    return DITHER_OK;
}

/* ---- The rules of a tagged step ---- */

static bool sees_positions(const struct sql_window *window)
{
    switch (window->kind) {
    case SQL_RANK:
    case SQL_DENSE_RANK:
    case SQL_PERCENT_RANK:
    case SQL_CUME_DIST:
        return false;
    case SQL_WINDOW_AGGREGATE:
        return window->frame.given && window->frame.rows;
    case SQL_ROW_NUMBER:
    case SQL_NTILE:
    case SQL_LAG:
    case SQL_LEAD:
    case SQL_FIRST_VALUE:
    case SQL_LAST_VALUE:
    case SQL_NTH_VALUE:
        return true;
    }
    return true;
}

/* A RANGE frame that ends at the current row ends at the last row of its rank. Completing the order would move
 * that end, and without completing it the last row is any. */
static bool ends_within_a_rank(const struct sql_window *window)
{
    const struct sql_frame *frame = &window->frame;
    bool from_here = frame->given && frame->from == SQL_CURRENT_ROW;
    bool to_here = !frame->given || frame->to == SQL_CURRENT_ROW;
    if (frame->given && frame->rows)
        return false;
    switch (window->kind) {
    case SQL_FIRST_VALUE:
        return from_here;
    case SQL_LAST_VALUE:
        return to_here;
    case SQL_NTH_VALUE:
        return from_here || to_here;
    default:
        return false;
    }
}

static status check_partition(const struct sql_relation *input, const struct sql_window *window, int position,
                              error *why)
{
    for (size_t i = 0; i < window->partition_count; i++)
        if (relation_is_unit(input, window->partition[i]))
            return DITHER_OK;
    const struct policy_column *unit = input->unit->unit_column;
    return sql_refuse(
        why, position,
        "a window over private rows must not reach across units: add PARTITION BY %s (the column "
        "itself), or aggregate first and use the window on the result",
        unit != NULL ? unit->name : "the unit");
}

static bool has_interval(const struct sql_window *window)
{
    bool any = false;
    for (size_t i = 0; i < window->partition_count; i++)
        any = any || window->partition[i]->type == SQL_INTERVAL;
    for (size_t i = 0; i < window->order_count; i++)
        any = any || window->order[i].expression->type == SQL_INTERVAL;
    return any;
}

static status refuse_interval(const struct sql_window *window, int position, error *why)
{
    return sql_refuse(
        why, position,
        "%s over private rows with an interval column is not supported: '1 month' and '30 days' "
        "have no order; make it a number of days",
        window_name(window));
}

static status complete_order(struct sql_builder *builder, const struct sql_relation *input,
                             struct sql_window *window, int position, error *why)
{
    struct sql_order *order = NULL;
    size_t count = window->order_count;
    TRY(relation_take(builder, count + input->column_count, sizeof *order, &order, why));
    if (count > 0)
        memcpy(order, window->order, count * sizeof *order);
    for (size_t i = 0; i < input->column_count; i++) {
        if (input->columns[i].type == SQL_INTERVAL)
            return refuse_interval(window, position, why);
        if (input->columns[i].unit) /* the same in the whole partition */
            continue;
        TRY(sql_column_of(builder, input, i, position, &order[count].expression, why));
        count++;
    }
    window->order = order;
    window->order_count = count;
    return DITHER_OK;
}

static status make_tagged(struct sql_builder *builder, const struct sql_relation *input,
                          struct sql_window *window, int position, double *step, error *why)
{
    TRY(check_partition(input, window, position, why));
    if (has_interval(window))
        return refuse_interval(window, position, why);
    if (ends_within_a_rank(window))
        return sql_refuse(why, position,
                          "%s over rows of the same rank could be any of them: add ROWS BETWEEN UNBOUNDED "
                          "PRECEDING AND UNBOUNDED FOLLOWING (or CURRENT ROW) to its window",
                          window_name(window));
    if (sees_positions(window))
        TRY(complete_order(builder, input, window, position, why));
    if (window->kind != SQL_WINDOW_AGGREGATE)
        return DITHER_OK;
    struct sql_aggregate aggregate = window->aggregate;
    return relation_exact_aggregate(builder, &aggregate, position, &window->aggregate, step, why);
}

/* Rows that differ in 0 and -0 alone have no order, and engines may show one for the other: they are made the same
 * first. */
static status input_without_twins(struct sql_builder *builder, const struct sql_relation *input, int position,
                                  const struct sql_relation **out, error *why)
{
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL, any = false;
    TRY(relation_take(builder, input->column_count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, input->column_count, sizeof *names, &names, why));
    TRY(relation_take(builder, input->column_count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < input->column_count; i++) {
        any = any || input->columns[i].type == SQL_REAL;
        names[i] = input->columns[i].name;
        hidden[i] = input->columns[i].hidden;
        TRY(sql_column_of(builder, input, i, position, &expressions[i], why));
        if (input->columns[i].type == SQL_REAL)
            TRY(relation_without_twins(builder, expressions[i], "a window", position, &expressions[i], why));
    }
    *out = input;
    return any ? sql_project(builder, input, expressions, names, hidden, input->column_count, position, out,
                             why)
               : DITHER_OK;
}

static void mark_released(struct sql_relation *relation, const struct sql_window *window)
{
    for (size_t i = 0; i < window->argument_count; i++)
        relation_mark_released(relation, window->arguments[i]);
    for (size_t i = 0; i < window->partition_count; i++)
        relation_mark_released(relation, window->partition[i]);
    for (size_t i = 0; i < window->order_count; i++)
        relation_mark_released(relation, window->order[i].expression);
    relation_mark_released(relation, window->aggregate.argument);
    relation_mark_released(relation, window->aggregate.filter);
}

status sql_windows(struct sql_builder *builder, const struct sql_relation *input,
                   const struct sql_window *windows, size_t count, int position,
                   const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL, *wanted = NULL;
    struct sql_window *made = NULL;
    double *steps = NULL;
    size_t before = input->column_count;
    if (input->place == SQL_TAGGED)
        TRY(input_without_twins(builder, input, position, &input, why));
    TRY(relation_over(builder, SQL_WINDOW, input, position, &relation, &columns, why));
    TRY(relation_take(builder, before + count, sizeof *columns, &columns, why));
    TRY(relation_take(builder, before + count, sizeof *wanted, &wanted, why));
    TRY(relation_take(builder, before + count, sizeof *steps, &steps, why));
    TRY(relation_take(builder, count, sizeof *made, &made, why));
    memcpy(columns, input->columns, before * sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        made[i] = windows[i];
        TRY(describe_window(input, &made[i], position, &wanted[before + i], why));
        if (input->place == SQL_TAGGED)
            TRY(make_tagged(builder, input, &made[i], position, &steps[before + i], why));
        TRY(describe_window(input, &made[i], position, &columns[before + i], why));
        columns[before + i].fixed = input->one_row;
        made[i].type = columns[before + i].type;
        made[i].scale = columns[before + i].scale;
        mark_released(relation, &made[i]);
    }
    relation->columns = columns;
    relation->column_count = before + count;
    relation->windows = made;
    relation->window_count = count;
    return relation_scale_back(builder, relation, steps, wanted, out, why);
}
