/* Aggregates and window functions.
 *
 * Inside a tagged step nothing may depend on the order of the rows, and nothing may fail: sums are of whole numbers
 * or decimals alone (the constructors have put reals on a grid), in the engine's wide type, and are cast back to 64
 * bits with NULL where they do not fit; averages are such a sum over a count. The others depend on the set of the
 * values. */
#include <assert.h>

#include "sql/print_parts.h"

/* ---- OVER ---- */

static void print_bound(struct sql_printer *printer, enum sql_frame_bound bound, int64_t offset)
{
    switch (bound) {
    case SQL_UNBOUNDED_PRECEDING:
        buffer_text(printer->buffer, "UNBOUNDED PRECEDING");
        return;
    case SQL_PRECEDING:
        buffer_format(printer->buffer, "%lld PRECEDING", (long long)offset);
        return;
    case SQL_CURRENT_ROW:
        buffer_text(printer->buffer, "CURRENT ROW");
        return;
    case SQL_FOLLOWING:
        buffer_format(printer->buffer, "%lld FOLLOWING", (long long)offset);
        return;
    case SQL_UNBOUNDED_FOLLOWING:
        buffer_text(printer->buffer, "UNBOUNDED FOLLOWING");
        return;
    }
}

static void print_frame(struct sql_printer *printer, const struct sql_frame *frame)
{
    buffer_text(printer->buffer, frame->rows ? "ROWS BETWEEN " : "RANGE BETWEEN ");
    print_bound(printer, frame->from, frame->from_offset);
    buffer_text(printer->buffer, " AND ");
    print_bound(printer, frame->to, frame->to_offset);
}

static void print_over(struct sql_printer *printer, const struct print_scope *scope,
                       const struct sql_window *window)
{
    const char *before = "";
    buffer_text(printer->buffer, " OVER (");
    for (size_t i = 0; i < window->partition_count; i++) {
        buffer_text(printer->buffer, i == 0 ? "PARTITION BY " : ", ");
        print_in_scope(printer, scope, window->partition[i]);
        before = " ";
    }
    const char *order = before[0] == '\0' ? "ORDER BY " : " ORDER BY ";
    if (print_order(printer, scope, order, window->order, window->order_count))
        before = " ";
    if (window->frame.given) {
        buffer_text(printer->buffer, before);
        print_frame(printer, &window->frame);
    }
    buffer_byte(printer->buffer, ')');
}

/* ---- Aggregates ---- */

/* What is common to the calls of which one aggregate is made. */
struct call {
    struct sql_printer *printer;
    const struct print_scope *scope;
    const struct sql_aggregate *aggregate;
    const struct sql_window *window; /* or NULL */
};

static void print_ending(const struct call *call)
{
    if (call->aggregate->filter != NULL) {
        buffer_text(call->printer->buffer, " FILTER (WHERE ");
        print_in_scope(call->printer, call->scope, call->aggregate->filter);
        buffer_byte(call->printer->buffer, ')');
    }
    if (call->window != NULL)
        print_over(call->printer, call->scope, call->window);
}

/* name([DISTINCT] argument[, second]) */
static void print_call(const struct call *call, const char *name)
{
    const struct sql_aggregate *aggregate = call->aggregate;
    buffer_format(call->printer->buffer, "%s(%s", name, aggregate->distinct ? "DISTINCT " : "");
    if (aggregate->kind == SQL_MIN || aggregate->kind == SQL_MAX)
        print_ordered(call->printer, call->scope, aggregate->argument);
    else
        print_in_scope(call->printer, call->scope, aggregate->argument);
    if (aggregate->second != NULL) {
        buffer_text(call->printer->buffer, ", ");
        print_in_scope(call->printer, call->scope, aggregate->second);
    }
    buffer_byte(call->printer->buffer, ')');
    print_ending(call);
}

/* A sum of whole numbers divided once: the same in any order. */
static void print_average(const struct call *call)
{
    struct buffer *buffer = call->printer->buffer;
    buffer_text(buffer, "(CAST(");
    print_call(call, "sum");
    print_cast_end(call->printer, SQL_REAL, 0);
    buffer_text(buffer, " / ");
    print_call(call, "count");
    buffer_byte(buffer, ')');
}

/* percentile_cont(share) WITHIN GROUP (ORDER BY x): between two values one is interpolated, in reals. */
static void print_percentile(const struct call *call, bool continuous)
{
    struct sql_printer *printer = call->printer;
    assert(call->aggregate->second != NULL && call->window == NULL);
    buffer_text(printer->buffer, continuous ? "percentile_cont(" : "percentile_disc(");
    print_in_scope(printer, call->scope, call->aggregate->second);
    buffer_text(printer->buffer, ") WITHIN GROUP (ORDER BY ");
    if (continuous)
        buffer_text(printer->buffer, "CAST(");
    print_ordered(printer, call->scope, call->aggregate->argument);
    if (continuous)
        print_cast_end(printer, SQL_REAL, 0);
    buffer_byte(printer->buffer, ')');
    print_ending(call);
}

/* ---- Statistics of what is public or released ---- */

/* Beyond this the squares would overflow, where engines raise an error. */
#define LARGEST_REAL "1e150"

static bool is_statistic(enum sql_aggregate_kind kind)
{
    switch (kind) {
    case SQL_VAR_POP:
    case SQL_VAR_SAMP:
    case SQL_STDDEV_POP:
    case SQL_STDDEV_SAMP:
    case SQL_COVAR_POP:
    case SQL_COVAR_SAMP:
    case SQL_CORR:
    case SQL_REGR_SLOPE:
    case SQL_REGR_INTERCEPT:
        return true;
    default:
        return false;
    }
}

static void print_as_real(const struct call *call, const struct sql_expression *expression)
{
    buffer_text(call->printer->buffer, "CAST(");
    print_in_scope(call->printer, call->scope, expression);
    print_cast_end(call->printer, SQL_REAL, 0);
}

/* Whether the values are in range; NULL where one is NULL. */
static void print_in_range(const struct call *call)
{
    struct buffer *buffer = call->printer->buffer;
    buffer_byte(buffer, '(');
    print_as_real(call, call->aggregate->argument);
    buffer_text(buffer, " BETWEEN -" LARGEST_REAL " AND " LARGEST_REAL);
    if (call->aggregate->second != NULL) {
        buffer_text(buffer, " AND ");
        print_as_real(call, call->aggregate->second);
        buffer_text(buffer, " BETWEEN -" LARGEST_REAL " AND " LARGEST_REAL);
    }
    buffer_byte(buffer, ')');
}

/* NULL as soon as one value is out of range, and the engine never sees it; NULL too where a slope or correlation is
 * 0/0, which is NaN for some engines. */
static void print_statistic(const struct call *call, const char *name)
{
    struct buffer *buffer = call->printer->buffer;
    buffer_text(buffer, "NULLIF(CASE WHEN bool_and(");
    print_in_range(call);
    buffer_byte(buffer, ')');
    print_ending(call);
    buffer_format(buffer, " THEN %s(%sCASE WHEN ", name, call->aggregate->distinct ? "DISTINCT " : "");
    print_in_range(call);
    buffer_text(buffer, " THEN ");
    print_as_real(call, call->aggregate->argument);
    buffer_text(buffer, " END");
    if (call->aggregate->second != NULL) {
        buffer_text(buffer, ", ");
        print_as_real(call, call->aggregate->second);
    }
    buffer_byte(buffer, ')');
    print_ending(call);
    buffer_text(buffer, " END, CAST('NaN'");
    print_cast_end(call->printer, SQL_REAL, 0);
    buffer_byte(buffer, ')');
}

static const char *plain_name(enum sql_aggregate_kind kind)
{
    switch (kind) {
    case SQL_COUNT:
        return "count";
    case SQL_TOTAL:
        return "sum";
    case SQL_AVERAGE:
        return "avg";
    case SQL_MIN:
        return "min";
    case SQL_MAX:
        return "max";
    case SQL_VAR_POP:
        return "var_pop";
    case SQL_VAR_SAMP:
        return "var_samp";
    case SQL_STDDEV_POP:
        return "stddev_pop";
    case SQL_STDDEV_SAMP:
        return "stddev_samp";
    case SQL_COVAR_POP:
        return "covar_pop";
    case SQL_COVAR_SAMP:
        return "covar_samp";
    case SQL_CORR:
        return "corr";
    case SQL_REGR_SLOPE:
        return "regr_slope";
    case SQL_REGR_INTERCEPT:
        return "regr_intercept";
    case SQL_BOOL_AND:
        return "bool_and";
    case SQL_BOOL_OR:
        return "bool_or";
    case SQL_STRING_AGG:
        return "string_agg";
    case SQL_COUNT_ROWS:
    case SQL_PERCENTILE_CONT:
    case SQL_PERCENTILE_DISC:
        break;
    }
    assert(!"an aggregate that is not a plain call");
    return "";
}

/* What a tagged step may have: see the top. The constructors have refused all else. */
static bool is_exact(const struct sql_aggregate *aggregate)
{
    switch (aggregate->kind) {
    case SQL_COUNT_ROWS:
    case SQL_COUNT:
    case SQL_MIN:
    case SQL_MAX:
    case SQL_PERCENTILE_CONT:
    case SQL_PERCENTILE_DISC:
    case SQL_BOOL_AND:
    case SQL_BOOL_OR:
        return true;
    case SQL_TOTAL:
    case SQL_AVERAGE:
        return aggregate->argument->type == SQL_INTEGER || aggregate->argument->type == SQL_DECIMAL;
    default:
        return false;
    }
}

/* Whether the aggregate's own type is wider than the column's, so that a value may not fit. */
static bool is_wide(const struct sql_aggregate *aggregate, const struct sql_column *column)
{
    return aggregate->kind == SQL_TOTAL && (column->type == SQL_INTEGER || column->type == SQL_DECIMAL);
}

void print_aggregate(struct sql_printer *printer, const struct print_scope *scope,
                     const struct sql_aggregate *aggregate, const struct sql_column *column, bool tagged,
                     const struct sql_window *window)
{
    struct call call = {printer, scope, aggregate, window};
    bool narrow = is_wide(aggregate, column) && printer->dialect->narrow_begin != NULL;
    assert(!tagged || is_exact(aggregate));
    if (narrow)
        printer->dialect->narrow_begin(printer);
    else
        print_cast_begin(printer);
    switch (aggregate->kind) {
    case SQL_COUNT_ROWS:
        buffer_text(printer->buffer, "count(*)");
        print_ending(&call);
        break;
    case SQL_AVERAGE:
        print_average(&call);
        break;
    case SQL_PERCENTILE_CONT:
    case SQL_PERCENTILE_DISC:
        print_percentile(&call, aggregate->kind == SQL_PERCENTILE_CONT);
        break;
    default:
        if (is_statistic(aggregate->kind))
            print_statistic(&call, plain_name(aggregate->kind));
        else
            print_call(&call, plain_name(aggregate->kind));
        break;
    }
    if (narrow)
        printer->dialect->narrow_end(printer, column->type, column->scale);
    else
        print_cast_end(printer, column->type, column->scale);
}

/* ---- Window functions ---- */

/* The number of buckets, of rows to go back, of a row: small constants, the binder has seen to it. */
static void print_window_argument(struct sql_printer *printer, const struct print_scope *scope,
                                  const struct sql_window *window, size_t index)
{
    const char *type = index == (window->kind == SQL_NTILE ? 0 : 1) ? printer->dialect->small_integer : NULL;
    buffer_text(printer->buffer, type != NULL ? "CAST(" : "");
    print_in_scope(printer, scope, window->arguments[index]);
    if (type != NULL)
        buffer_format(printer->buffer, " AS %s)", type);
}

void print_window(struct sql_printer *printer, const struct print_scope *scope,
                  const struct sql_window *window, const struct sql_column *column, bool tagged)
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
        print_aggregate(printer, scope, &window->aggregate, column, tagged, window);
        return;
    }
    print_cast_begin(printer);
    buffer_format(printer->buffer, "%s(", names[window->kind]);
    for (size_t i = 0; i < window->argument_count; i++) {
        buffer_text(printer->buffer, i == 0 ? "" : ", ");
        print_window_argument(printer, scope, window, i);
    }
    buffer_byte(printer->buffer, ')');
    print_over(printer, scope, window);
    print_cast_end(printer, column->type, column->scale);
}
