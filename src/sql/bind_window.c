/* Window calls: OVER (...), OVER w, WINDOW w AS (...). */
#include "sql/bind_room.h"

#include <string.h>

/* PostgreSQL's bits of WindowDef.frameOptions (nodes/parsenodes.h). */
enum {
    FRAME_NONDEFAULT = 0x1,
    FRAME_ROWS = 0x4,
    FRAME_GROUPS = 0x8,
    FRAME_START_UNBOUNDED_PRECEDING = 0x20,
    FRAME_END_UNBOUNDED_FOLLOWING = 0x100,
    FRAME_START_CURRENT_ROW = 0x200,
    FRAME_END_CURRENT_ROW = 0x400,
    FRAME_START_PRECEDING = 0x800,
    FRAME_END_PRECEDING = 0x1000,
    FRAME_START_FOLLOWING = 0x2000,
    FRAME_END_FOLLOWING = 0x4000,
    FRAME_EXCLUSION = 0x38000,
};

status bind_direction(struct binder *binder, const PgQuery__SortBy *sort, struct sql_order *out, error *why)
{
    if (sort->sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_USING)
        return sql_refuse(why, bind_at(binder, sort->location), "ORDER BY ... USING is not supported");
    out->descending = sort->sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DESC;
    out->nulls_first = sort->sortby_nulls == PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_FIRST ||
                       (sort->sortby_nulls != PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_LAST && out->descending);
    return DITHER_OK;
}

/* ---- The frame ---- */

static status bind_offset(struct binder *binder, struct bind_level *level, const PgQuery__Node *node,
                          int position, int64_t *out, error *why)
{
    const struct sql_expression *offset = NULL;
    if (node == NULL)
        return DITHER_OK;
    TRY(bind_expression(binder, &level->scope, node, &offset, why));
    if (offset->kind != SQL_LITERAL || offset->type != SQL_INTEGER || offset->value.null ||
        offset->value.whole < 0 || offset->value.whole > POLICY_MOST_ROWS)
        return sql_refuse(why, position, "the offset of a window's frame is a constant from 0 to %d",
                          POLICY_MOST_ROWS);
    *out = offset->value.whole;
    return DITHER_OK;
}

static status bind_frame(struct binder *binder, struct bind_level *level, const PgQuery__WindowDef *window,
                         struct sql_frame *out, error *why)
{
    int32_t bits = window->frame_options;
    int position = bind_at(binder, window->location);
    int32_t offsets =
        FRAME_START_PRECEDING | FRAME_END_PRECEDING | FRAME_START_FOLLOWING | FRAME_END_FOLLOWING;
    *out = (struct sql_frame){.given = (bits & FRAME_NONDEFAULT) != 0, .rows = (bits & FRAME_ROWS) != 0};
    if (!out->given)
        return DITHER_OK;
    if ((bits & (FRAME_GROUPS | FRAME_EXCLUSION)) != 0)
        return sql_refuse(why, position,
                          "GROUPS and EXCLUDE are not supported in a window's frame: use ROWS");
    if (!out->rows && (bits & offsets) != 0)
        return sql_refuse(why, position, "RANGE with an offset is not supported: use ROWS");
    out->from = (bits & FRAME_START_UNBOUNDED_PRECEDING) != 0 ? SQL_UNBOUNDED_PRECEDING
                : (bits & FRAME_START_PRECEDING) != 0         ? SQL_PRECEDING
                : (bits & FRAME_START_FOLLOWING) != 0         ? SQL_FOLLOWING
                                                              : SQL_CURRENT_ROW;
    out->to = (bits & FRAME_END_UNBOUNDED_FOLLOWING) != 0 ? SQL_UNBOUNDED_FOLLOWING
              : (bits & FRAME_END_PRECEDING) != 0         ? SQL_PRECEDING
              : (bits & FRAME_END_FOLLOWING) != 0         ? SQL_FOLLOWING
                                                          : SQL_CURRENT_ROW;
    TRY(bind_offset(binder, level, window->start_offset, position, &out->from_offset, why));
    return bind_offset(binder, level, window->end_offset, position, &out->to_offset, why);
}

/* ---- Partition and order ---- */

static status find_named(struct binder *binder, const PgQuery__SelectStmt *select, const char *name,
                         int position, const PgQuery__WindowDef **out, error *why)
{
    (void)binder;
    for (size_t i = 0; i < select->n_window_clause; i++) {
        if (strcmp(select->window_clause[i]->window_def->name, name) == 0) {
            *out = select->window_clause[i]->window_def;
            return DITHER_OK;
        }
    }
    return sql_refuse(why, position, "window \"%s\" does not exist", name);
}

static status bind_partition(struct binder *binder, struct bind_level *level,
                             const PgQuery__WindowDef *window, struct sql_window *out, error *why)
{
    const struct sql_expression **partition = NULL;
    size_t count = window->n_partition_clause;
    if (count == 0)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, count, sizeof *partition, &partition, why));
    for (size_t i = 0; i < count; i++)
        TRY(bind_expression(binder, &level->scope, window->partition_clause[i], &partition[i], why));
    out->partition = partition;
    out->partition_count = count;
    return DITHER_OK;
}

static status bind_window_order(struct binder *binder, struct bind_level *level,
                                const PgQuery__WindowDef *window, struct sql_window *out, error *why)
{
    struct sql_order *order = NULL;
    size_t count = window->n_order_clause;
    if (count == 0)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, count, sizeof *order, &order, why));
    for (size_t i = 0; i < count; i++) {
        const PgQuery__SortBy *sort = window->order_clause[i]->sort_by;
        TRY(bind_direction(binder, sort, &order[i], why));
        TRY(bind_expression(binder, &level->scope, sort->node, &order[i].expression, why));
    }
    out->order = order;
    out->order_count = count;
    return DITHER_OK;
}

/* OVER w takes all of w; OVER (w ...) and WINDOW v AS (w ...) take its partition and order, and may add an order and
 * a frame. */
static status bind_over(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                        const PgQuery__WindowDef *window, size_t depth, struct sql_window *out, error *why)
{
    const PgQuery__WindowDef *base = NULL;
    int position = bind_at(binder, window->location);
    bool whole = window->name != NULL && window->name[0] != '\0' && depth == 0;
    const char *named = whole ? window->name : window->refname;
    if (depth > select->n_window_clause + 1)
        return sql_refuse(why, position, "windows are named in a circle");
    if (named != NULL && named[0] != '\0') {
        TRY(find_named(binder, select, named, position, &base, why));
        TRY(bind_over(binder, level, select, base, depth + 1, out, why));
        if (whole)
            return DITHER_OK;
        if (out->frame.given)
            return sql_refuse(why, position, "cannot copy window \"%s\" because it has a frame clause",
                              named);
        if (window->n_partition_clause > 0 || (out->order_count > 0 && window->n_order_clause > 0))
            return sql_refuse(why, position, "cannot override the PARTITION BY or ORDER BY of window \"%s\"",
                              named);
    }
    TRY(bind_partition(binder, level, window, out, why));
    TRY(bind_window_order(binder, level, window, out, why));
    return bind_frame(binder, level, window, &out->frame, why);
}

/* ---- The function ---- */

static const struct window_function {
    const char *name;
    enum sql_window_kind kind;
    size_t least, most; /* arguments */
} window_functions[] = {
    {"row_number", SQL_ROW_NUMBER, 0, 0},
    {"rank", SQL_RANK, 0, 0},
    {"dense_rank", SQL_DENSE_RANK, 0, 0},
    {"percent_rank", SQL_PERCENT_RANK, 0, 0},
    {"cume_dist", SQL_CUME_DIST, 0, 0},
    {"ntile", SQL_NTILE, 1, 1},
    {"lag", SQL_LAG, 1, 3},
    {"lead", SQL_LEAD, 1, 3},
    {"first_value", SQL_FIRST_VALUE, 1, 1},
    {"last_value", SQL_LAST_VALUE, 1, 1},
    {"nth_value", SQL_NTH_VALUE, 2, 2},
};

/* How far, which, how many: a constant, so that it is the same for all rows. */
static status check_count(const struct sql_window *window, size_t index, int64_t least, const char *name,
                          int position, error *why)
{
    if (window->argument_count <= index)
        return DITHER_OK;
    const struct sql_expression *count = window->arguments[index];
    if (count->kind == SQL_LITERAL && count->type == SQL_INTEGER && !count->value.null &&
        count->value.whole >= least && count->value.whole <= POLICY_MOST_ROWS)
        return DITHER_OK;
    return sql_refuse(why, position, "%s counts with a constant from %d here", name, (int)least);
}

static status bind_function(struct binder *binder, struct bind_level *level, const PgQuery__FuncCall *call,
                            const struct window_function *function, struct sql_window *out, error *why)
{
    int position = bind_at(binder, call->location);
    if (call->n_args < function->least || call->n_args > function->most || call->agg_star)
        return sql_refuse(why, position, "%s does not take these arguments", function->name);
    if (call->agg_distinct || call->agg_filter != NULL || call->n_agg_order > 0)
        return sql_refuse(why, position, "DISTINCT, FILTER and ORDER BY belong to aggregates, not to %s",
                          function->name);
    out->kind = function->kind;
    for (size_t i = 0; i < call->n_args; i++)
        TRY(bind_expression(binder, &level->scope, call->args[i], &out->arguments[out->argument_count++],
                            why));
    if (out->argument_count == 3 && out->arguments[2]->type != out->arguments[0]->type)
        TRY(sql_cast(&binder->builder, out->arguments[2], out->arguments[0]->type, out->arguments[0]->scale,
                     position, &out->arguments[2], why));
    if (function->kind == SQL_NTILE)
        return check_count(out, 0, 1, function->name, position, why);
    return check_count(out, 1, function->kind == SQL_NTH_VALUE, function->name, position, why);
}

static status bind_window_call(struct binder *binder, struct bind_level *level,
                               const PgQuery__SelectStmt *select, const PgQuery__FuncCall *call,
                               struct sql_window *out, error *why)
{
    const char *name = call->funcname[call->n_funcname - 1]->string->sval;
    int position = bind_at(binder, call->location);
    struct bind_call aggregate;
    TRY(bind_over(binder, level, select, call->over, 0, out, why));
    for (size_t i = 0; i < sizeof window_functions / sizeof window_functions[0]; i++)
        if (strcmp(window_functions[i].name, name) == 0)
            return bind_function(binder, level, call, &window_functions[i], out, why);
    if (!bind_is_aggregate(call))
        return sql_refuse(why, position, "%s is not a window function nor an aggregate", name);
    if (call->agg_distinct)
        return sql_refuse(why, position, "DISTINCT is not implemented for window functions");
    if (call->agg_within_group)
        return sql_refuse(why, position, "OVER is not supported for ordered-set aggregate %s", name);
    TRY(bind_aggregate_call(binder, level, call, &aggregate, why));
    out->kind = SQL_WINDOW_AGGREGATE;
    return bind_plain_aggregate(binder, &aggregate, &out->aggregate, why);
}

status bind_window_calls(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                         const struct bind_calls_found *calls, error *why)
{
    struct bind_windows *windows = NULL;
    struct sql_window *made = NULL;
    struct bind_level inside;
    size_t count = calls->window_count;
    if (count == 0)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, 1, sizeof *windows, &windows, why));
    TRY(relation_take(&binder->builder, count, sizeof *made, &made, why));
    bind_level_copy(&inside, "window definitions", level);
    for (size_t i = 0; i < count; i++)
        TRY(bind_window_call(binder, &inside, select, calls->windows[i], &made[i], why));
    *windows = (struct bind_windows){calls->windows, count, level->relation->column_count};
    TRY(sql_windows(&binder->builder, level->relation, made, count,
                    bind_at(binder, calls->windows[0]->location), &level->relation, why));
    level->windows = windows;
    return DITHER_OK;
}
