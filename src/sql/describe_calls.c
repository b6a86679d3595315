/* Aggregates, windows, orders and releases for people. */
#include <assert.h>
#include <inttypes.h>

#include "base/number.h"
#include "sql/describe_parts.h"
#include "sql/relation_make.h"

/* ---- Aggregates and windows ---- */

void describe_aggregate(struct buffer *buffer, struct describe_scope scope,
                        const struct sql_aggregate *aggregate)
{
    buffer_format(buffer, "%s(%s", relation_aggregate_name(aggregate->kind),
                  aggregate->distinct ? "distinct " : "");
    if (aggregate->kind == SQL_COUNT_ROWS)
        buffer_byte(buffer, '*');
    if (aggregate->argument != NULL)
        describe_in_scope(buffer, scope, aggregate->argument);
    if (aggregate->second != NULL) {
        buffer_text(buffer, ", ");
        describe_in_scope(buffer, scope, aggregate->second);
    }
    buffer_byte(buffer, ')');
    if (aggregate->filter != NULL) {
        buffer_text(buffer, " where ");
        describe_in_scope(buffer, scope, aggregate->filter);
    }
}

void describe_order(struct buffer *buffer, struct describe_scope scope, const struct sql_order *order,
                    size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buffer_text(buffer, i == 0 ? "" : ", ");
        describe_in_scope(buffer, scope, order[i].expression);
        buffer_text(buffer, order[i].descending ? " descending" : "");
        buffer_text(buffer, order[i].nulls_first ? " nulls first" : " nulls last");
    }
}

static void describe_frame(struct buffer *buffer, const struct sql_frame *frame)
{
    static const char *const bounds[] = {
        [SQL_UNBOUNDED_PRECEDING] = "unbounded preceding",
        [SQL_PRECEDING] = "preceding",
        [SQL_CURRENT_ROW] = "current row",
        [SQL_FOLLOWING] = "following",
        [SQL_UNBOUNDED_FOLLOWING] = "unbounded following",
    };
    buffer_text(buffer, frame->rows ? " rows" : " range");
    buffer_format(buffer, " from %s", bounds[frame->from]);
    if (frame->from == SQL_PRECEDING || frame->from == SQL_FOLLOWING)
        buffer_format(buffer, " %" PRId64, frame->from_offset);
    buffer_format(buffer, " to %s", bounds[frame->to]);
    if (frame->to == SQL_PRECEDING || frame->to == SQL_FOLLOWING)
        buffer_format(buffer, " %" PRId64, frame->to_offset);
}

void describe_window(struct buffer *buffer, struct describe_scope scope, const struct sql_window *window)
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
    };
    if (window->kind == SQL_WINDOW_AGGREGATE) {
        describe_aggregate(buffer, scope, &window->aggregate);
    } else {
        buffer_format(buffer, "%s(", names[window->kind]);
        for (size_t i = 0; i < window->argument_count; i++) {
            buffer_text(buffer, i == 0 ? "" : ", ");
            describe_in_scope(buffer, scope, window->arguments[i]);
        }
        buffer_byte(buffer, ')');
    }
    buffer_text(buffer, " over (");
    for (size_t i = 0; i < window->partition_count; i++) {
        buffer_text(buffer, i == 0 ? "partition by " : ", ");
        describe_in_scope(buffer, scope, window->partition[i]);
    }
    if (window->order_count > 0)
        buffer_text(buffer, window->partition_count > 0 ? " order by " : "order by ");
    describe_order(buffer, scope, window->order, window->order_count);
    if (window->frame.given)
        describe_frame(buffer, &window->frame);
    buffer_byte(buffer, ')');
}

/* ---- Releases ---- */

static const char *measure_name(enum sql_measure_kind kind)
{
    static const char *const names[] = {
        [SQL_MEASURE_UNITS] = "units",
        [SQL_MEASURE_ROWS] = "rows",
        [SQL_MEASURE_SUM] = "sum",
        [SQL_MEASURE_PRODUCT] = "product",
        [SQL_MEASURE_DISTINCT] = "distinct",
        [SQL_MEASURE_DISTINCT_SUM] = "distinct sum",
        [SQL_MEASURE_QUANTILES] = "quantiles",
        [SQL_MEASURE_TOP] = "top",
    };
    return names[kind];
}

static void describe_steps(struct buffer *buffer, struct describe_scope scope,
                           const struct sql_expression *argument, const struct sql_steps *steps)
{
    if (argument == NULL)
        return;
    buffer_text(buffer, " ");
    describe_in_scope(buffer, scope, argument);
    buffer_format(buffer, " in steps of 2^%d from %" PRId64 " to %" PRId64 " around %" PRId64,
                  steps->exponent, steps->lower, steps->upper, steps->centre);
}

static void describe_measure(struct buffer *buffer, struct describe_scope scope,
                             const struct sql_measure *measure)
{
    buffer_text(buffer, measure_name(measure->kind));
    describe_steps(buffer, scope, measure->argument, &measure->steps);
    if (measure->second != NULL)
        buffer_text(buffer, " by");
    describe_steps(buffer, scope, measure->second, &measure->second_steps);
    for (size_t i = 0; i < measure->quantile_count; i++) {
        char number[NUMBER_TEXT];
        number_print_exact(measure->quantiles[i], number);
        buffer_format(buffer, "%s%s", i == 0 ? " at " : ", ", number);
    }
    if (measure->kind == SQL_MEASURE_TOP) {
        buffer_format(buffer, " %zu of", measure->top);
        for (size_t i = 0; i < measure->domain.row_count; i++) {
            buffer_text(buffer, i == 0 ? " " : ", ");
            describe_value(buffer, sql_rows_cell(&measure->domain, i, 0));
        }
    }
    if (measure->filter != NULL) {
        buffer_text(buffer, " where ");
        describe_in_scope(buffer, scope, measure->filter);
    }
    buffer_format(buffer, "; a unit adds from %" PRId64 " to %" PRId64, measure->unit_lower,
                  measure->unit_upper);
    if (!decimal_is_zero(measure->epsilon)) {
        char amount[DECIMAL_TEXT];
        decimal_print(measure->epsilon, amount);
        buffer_format(buffer, "; epsilon %s", amount);
    }
}

void describe_release(struct buffer *buffer, const struct sql_release *release, size_t indent)
{
    struct describe_scope scope = {release->input, NULL};
    buffer_text(buffer, "release");
    for (size_t i = 0; i < release->key_count; i++) {
        buffer_text(buffer, i == 0 ? " by " : ", ");
        describe_in_scope(buffer, scope, release->keys[i]);
    }
    if (release->one_row)
        buffer_text(buffer, "; one row of each unit, proved");
    else
        buffer_format(buffer, "; at most %" PRIu64 " rows and %" PRIu64 " groups of each unit",
                      release->max_rows, release->max_groups);
    for (size_t i = 0; i < release->block_count; i++)
        buffer_format(buffer, "%s%zu", i == 0 ? "; in blocks " : ", ", release->blocks[i]);
    buffer_byte(buffer, '\n');
    for (size_t i = 0; i < release->measure_count; i++) {
        describe_indent(buffer, indent + 1);
        buffer_text(buffer, "measure ");
        describe_measure(buffer, scope, &release->measures[i]);
        buffer_byte(buffer, '\n');
    }
    if (release->key_count > 0) {
        describe_indent(buffer, indent + 1);
        buffer_text(buffer, release->domain != NULL ? "keys, all shown\n"
                                                    : "keys, shown when enough units have them\n");
        if (release->domain != NULL)
            describe_relation(buffer, release->domain, indent + 2);
    }
    describe_relation(buffer, release->input, indent + 1);
}
