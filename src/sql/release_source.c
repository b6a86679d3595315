#include "sql/release_source.h"

#include <string.h>

bool source_turn(const struct sql_relation *join, bool right, struct source_path *path)
{
    if (path->turns >> 62 != 0)
        return false;
    path->turns = path->turns * 2 + right;
    path->nulls = path->nulls || join->join == SQL_FULL || join->join == (right ? SQL_LEFT : SQL_RIGHT);
    return true;
}

/* ---- Taking in a source ---- */

static bool find_source(const struct sources *sources, const void *what, size_t column,
                        struct source_path path, size_t *index)
{
    for (size_t i = 0; i < sources->source_count; i++) {
        const struct source *source = &sources->sources[i];
        if (source->what == what && source->column == column && source->turns == path.turns) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* A reference to a column of a source. Rewritten expressions are no one's input yet: this is the one place
 * where a column is made by hand. */
static status refer(struct sources *sources, size_t source, size_t column,
                    const struct sql_column *description, const struct sql_expression **out, error *why)
{
    size_t number = 0;
    while (number < sources->column_count &&
           (sources->columns[number].source != source || sources->columns[number].column != column))
        number++;
    if (number == SOURCES_MOST_COLUMNS || (number == sources->column_count && sources->frozen))
        return DITHER_OK;
    if (number == sources->column_count)
        sources->columns[sources->column_count++] = (struct source_column){source, column, *description};
    struct sql_expression *reference = NULL;
    TRY(relation_take(sources->builder, 1, sizeof *reference, &reference, why));
    *reference = (struct sql_expression){.kind = SQL_COLUMN,
                                         .type = description->type,
                                         .scale = description->scale,
                                         .nullable = description->nullable,
                                         .range = description->range,
                                         .position = -1,
                                         .column = number};
    *out = reference;
    return DITHER_OK;
}

/* Whether values are to be listed for this source: not when it is there already, nor when there is no room. */
static bool is_wanted(const struct sources *sources, const struct source *made)
{
    size_t index = 0;
    return !find_source(sources, made->what, made->column, (struct source_path){made->turns, made->nulls},
                        &index) &&
           !sources->frozen && sources->source_count < SOURCES_MOST && sources->cells < SOURCES_MOST_CELLS;
}

/* The values of one column, as a source of its own. Without rows it must be there already. */
static status refer_values(struct sources *sources, const struct source *made,
                           const struct sql_column *description, const struct sql_expression **out,
                           error *why)
{
    size_t index = 0;
    struct source_path path = {made->turns, made->nulls};
    sources->cells += made->rows.row_count;
    if (!find_source(sources, made->what, made->column, path, &index)) {
        if (made->rows.row_count == 0)
            return DITHER_OK;
        index = sources->source_count;
        sources->sources[sources->source_count++] = *made;
    }
    return refer(sources, index, 0, description, out, why);
}

static status refer_public(struct sources *sources, const struct sql_relation *relation, size_t column,
                           struct source_path path, const struct sql_expression **out, error *why)
{
    size_t index = 0;
    if (!find_source(sources, relation, SIZE_MAX, path, &index)) {
        if (sources->frozen || sources->source_count == SOURCES_MOST)
            return DITHER_OK;
        index = sources->source_count;
        sources->sources[sources->source_count++] = (struct source){.what = relation,
                                                                    .column = SIZE_MAX,
                                                                    .turns = path.turns,
                                                                    .nulls = path.nulls,
                                                                    .public = relation};
    }
    struct sql_column description = relation->columns[column];
    description.nullable = description.nullable || path.nulls;
    return refer(sources, index, column, &description, out, why);
}

/* ---- The way down ---- */

/* A column of a private table: its declared values, or a small range. */
static status rewrite_scan(struct sources *sources, const struct sql_relation *scan, size_t column,
                           struct source_path path, const struct sql_expression **out, error *why)
{
    if (column >= scan->table->column_count)
        return DITHER_OK; /* the tag */
    const struct policy_column *declared = &scan->table->columns[column];
    struct sql_column description = scan->columns[column];
    description.nullable = description.nullable || path.nulls;
    struct source made = {.what = scan, .column = column, .turns = path.turns, .nulls = path.nulls};
    bool listed = declared->value_count > 0;
    if (!listed && !release_range_is_small(description.type, &description.range))
        return DITHER_OK;
    if (is_wanted(sources, &made))
        TRY(listed
                ? release_declared_values(sources->builder, declared, description.nullable, &made.rows, why)
                : release_range_values(sources->builder, description.type, &description.range,
                                       description.nullable, &made.rows, why));
    return refer_values(sources, &made, &description, out, why);
}

/* Something that is computed at this node: a count in a sub-select, a row number. Its claims may do. */
static status rewrite_computed(struct sources *sources, const struct sql_relation *relation, size_t column,
                               struct source_path path, const struct sql_expression **out, error *why)
{
    struct sql_column description = relation->columns[column];
    description.nullable = description.nullable || path.nulls;
    if (!release_range_is_small(description.type, &description.range))
        return DITHER_OK;
    struct source made = {.what = relation, .column = column, .turns = path.turns, .nulls = path.nulls};
    if (is_wanted(sources, &made))
        TRY(release_range_values(sources->builder, description.type, &description.range, description.nullable,
                                 &made.rows, why));
    return refer_values(sources, &made, &description, out, why);
}

static const struct policy_column *listed_column(const struct sql_relation *relation, size_t column)
{
    struct sql_origin origin = {0};
    if (!sql_trace(relation, column, &origin) || origin.scan->kind != SQL_SCAN)
        return NULL;
    const struct policy_column *declared = &origin.scan->table->columns[origin.column];
    return declared->value_count > 0 ? declared : NULL;
}

/* UNION ALL of two columns with declared values: the values of both. Twice the same does no harm: domains are
 * distinct. */
static status rewrite_append(struct sources *sources, const struct sql_relation *append, size_t column,
                             struct source_path path, const struct sql_expression **out, error *why)
{
    const struct policy_column *left = listed_column(append->input, column),
                               *right = listed_column(append->right, column);
    if (left == NULL || right == NULL || left->type != right->type || left->scale != right->scale)
        return rewrite_computed(sources, append, column, path, out, why);
    struct sql_column description = append->columns[column];
    description.nullable = description.nullable || path.nulls;
    struct source made = {.what = append, .column = column, .turns = path.turns, .nulls = path.nulls};
    if (!is_wanted(sources, &made))
        return refer_values(sources, &made, &description, out, why);
    struct sql_rows first = {0}, second = {0};
    struct sql_value *cells = NULL;
    TRY(release_declared_values(sources->builder, left, false, &first, why));
    TRY(release_declared_values(sources->builder, right, description.nullable, &second, why));
    TRY(relation_take(sources->builder, first.row_count + second.row_count, sizeof *cells, &cells, why));
    memcpy(cells, first.cells, first.row_count * sizeof *cells);
    memcpy(cells + first.row_count, second.cells, second.row_count * sizeof *cells);
    made.rows =
        (struct sql_rows){.column_count = 1, .row_count = first.row_count + second.row_count, .cells = cells};
    return refer_values(sources, &made, &description, out, why);
}

static status rewrite_column(struct sources *sources, const struct sql_relation *relation, size_t column,
                             struct source_path path, const struct sql_expression **out, error *why)
{
    for (;;) {
        if (column >= relation->column_count || relation->place == SQL_RELEASED)
            return DITHER_OK;
        if (relation->place == SQL_PUBLIC)
            return refer_public(sources, relation, column, path, out, why);
        switch (relation->kind) {
        case SQL_SCAN:
            return rewrite_scan(sources, relation, column, path, out, why);
        case SQL_FILTER:
        case SQL_SEMI_JOIN:
            relation = relation->input;
            break;
        case SQL_WINDOW:
            if (column >= relation->input->column_count)
                return rewrite_computed(sources, relation, column, path, out, why);
            relation = relation->input;
            break;
        case SQL_JOIN: {
            bool right = column >= relation->input->column_count;
            if (!source_turn(relation, right, &path))
                return DITHER_OK;
            column -= right ? relation->input->column_count : 0;
            relation = right ? relation->right : relation->input;
            break;
        }
        case SQL_PROJECT:
        case SQL_AGGREGATE:
            if (column >= relation->expression_count)
                return rewrite_computed(sources, relation, column, path, out, why);
            return source_rewrite(sources, relation->input, relation->expressions[column], path, out, why);
        case SQL_APPEND:
            return rewrite_append(sources, relation, column, path, out, why);
        default:
            return rewrite_computed(sources, relation, column, path, out, why);
        }
    }
}

/* ---- Expressions ---- */

struct used_columns {
    const struct sql_relation *relation;
    bool *used;
    size_t count;
};

static void note_column(void *context, size_t column)
{
    struct used_columns *used = context;
    if (column < used->relation->column_count && !used->used[column]) {
        used->used[column] = true;
        used->count++;
    }
}

/* What a released relation says is not known when the domain is wanted. */
static bool has_released_scalar(const struct sql_expression *expression)
{
    if (expression->kind == SQL_SCALAR && expression->relation->place != SQL_PUBLIC)
        return true;
    for (size_t i = 0; i < expression->argument_count; i++)
        if (has_released_scalar(expression->arguments[i]))
            return true;
    return false;
}

/* By its columns. On rows that an outer join added the value is NULL, whatever the expression says; it says
 * so itself only if it is strict. */
static status rewrite_by_columns(struct sources *sources, const struct sql_relation *relation,
                                 const struct sql_expression *expression, struct source_path path,
                                 const struct sql_expression **out, error *why)
{
    struct used_columns used = {.relation = relation};
    const struct sql_expression **columns = NULL;
    TRY(relation_take(sources->builder, relation->column_count, sizeof *used.used, &used.used, why));
    TRY(relation_take(sources->builder, relation->column_count, sizeof *columns, &columns, why));
    sql_visit_columns(expression, note_column, &used);
    if (has_released_scalar(expression) || (path.nulls && (used.count == 0 || !sql_is_strict(expression))))
        return DITHER_OK;
    for (size_t i = 0; i < relation->column_count; i++) {
        if (!used.used[i])
            continue;
        TRY(rewrite_column(sources, relation, i, path, &columns[i], why));
        if (columns[i] == NULL)
            return DITHER_OK;
    }
    return sql_substitute(sources->builder, expression, columns, relation->column_count, out, why);
}

/* By its own values, whatever its columns are: width_bucket of a real, CASE with literals, a condition. */
static status rewrite_by_values(struct sources *sources, const struct sql_relation *relation,
                                const struct sql_expression *expression, struct source_path path,
                                const struct sql_expression **out, error *why)
{
    (void)relation;
    struct source made = {.what = expression, .column = SIZE_MAX, .turns = path.turns, .nulls = path.nulls};
    if (is_wanted(sources, &made))
        TRY(release_expression_values(sources->builder, expression, path.nulls, &made.rows, why));
    struct sql_column description = {.type = expression->type,
                                     .scale = expression->scale,
                                     .nullable = expression->nullable || path.nulls,
                                     .range = expression->range};
    return refer_values(sources, &made, &description, out, why);
}

/* By its arguments, each in whatever way it goes: floor(x / 10) * 10, of a real x, has the values of floor(x / 10)
 * times 10. Arguments that belong together are taken apart, which adds keys and loses none. */
static status rewrite_by_arguments(struct sources *sources, const struct sql_relation *relation,
                                   const struct sql_expression *expression, struct source_path path,
                                   const struct sql_expression **out, error *why)
{
    const struct sql_expression **arguments = NULL;
    struct sql_expression *copy = NULL;
    if (expression->argument_count == 0 || path.nulls)
        return DITHER_OK;
    TRY(relation_take(sources->builder, expression->argument_count, sizeof *arguments, &arguments, why));
    for (size_t i = 0; i < expression->argument_count; i++) {
        TRY(source_rewrite(sources, relation, expression->arguments[i], path, &arguments[i], why));
        if (arguments[i] == NULL)
            return DITHER_OK;
    }
    TRY(relation_take(sources->builder, 1, sizeof *copy, &copy, why));
    *copy = *expression;
    copy->arguments = arguments;
    *out = copy;
    return DITHER_OK;
}

typedef status rewriter(struct sources *sources, const struct sql_relation *relation,
                        const struct sql_expression *expression, struct source_path path,
                        const struct sql_expression **out, error *why);

/* Forgets what a way brought that led nowhere. */
static status try_way(rewriter *way, struct sources *sources, const struct sql_relation *relation,
                      const struct sql_expression *expression, struct source_path path,
                      const struct sql_expression **out, error *why)
{
    size_t source_count = sources->source_count, column_count = sources->column_count;
    if (*out != NULL)
        return DITHER_OK;
    TRY(way(sources, relation, expression, path, out, why));
    if (*out == NULL) {
        sources->source_count = source_count;
        sources->column_count = column_count;
    }
    return DITHER_OK;
}

status source_rewrite(struct sources *sources, const struct sql_relation *relation,
                      const struct sql_expression *expression, struct source_path path,
                      const struct sql_expression **out, error *why)
{
    *out = NULL;
    if (sources->steps++ >= SOURCES_MOST_STEPS)
        return DITHER_OK;
    if (expression->kind == SQL_COLUMN)
        return rewrite_column(sources, relation, expression->column, path, out, why);
    if (expression->kind == SQL_LITERAL && !path.nulls) {
        *out = expression;
        return DITHER_OK;
    }
    rewriter *ways[] = {rewrite_by_columns, rewrite_by_values, rewrite_by_arguments};
    if (sources->prefer_values) {
        ways[0] = rewrite_by_values;
        ways[1] = rewrite_by_columns;
    } else if (expression->kind ==
               SQL_CAST) { /* the range of what is cast is no wider, and often not rounded */
        ways[1] = rewrite_by_arguments;
        ways[2] = rewrite_by_values;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        TRY(try_way(ways[i], sources, relation, expression, path, out, why));
    return DITHER_OK;
}
