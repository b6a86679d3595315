/* Which measures a column divides by. Where such a number may be 0 or less (its noise reaches so far) the quotient
 * may be anything: the interval is then all that is declared. */
#include "curator/draws.h"

struct search {
    const struct prepared *prepared;
    bool *const *marks; /* for each release, for each of its measures */
    bool below;         /* inside a denominator */
};

static void search_column(struct search search, const struct sql_relation *relation, size_t column);

static void search_expression(struct search search, const struct sql_relation *input,
                              const struct sql_expression *expression)
{
    if (expression == NULL)
        return;
    if (expression->kind == SQL_COLUMN)
        search_column(search, input, expression->column);
    if (expression->kind == SQL_SCALAR)
        search_column(search, expression->relation, 0);
    bool division = sql_is_call(expression, "/") || sql_is_call(expression, "%");
    for (size_t i = 0; i < expression->argument_count; i++) {
        struct search inner = search;
        inner.below = search.below || (division && i == 1);
        search_expression(inner, input, expression->arguments[i]);
    }
}

static void mark_measure(struct search search, const struct sql_relation *relation, size_t column)
{
    for (size_t i = 0; i < search.prepared->plan->release_count; i++) {
        const struct sql_release *release = search.prepared->plan->releases[i];
        if (release != relation->release)
            continue;
        size_t first = search.prepared->price.releases[i].same_as;
        for (size_t j = 0; j < release->measure_count; j++)
            if (release->measures[j].column == column)
                search.marks[first][j] = true;
    }
}

static void search_aggregate(struct search search, const struct sql_relation *input,
                             const struct sql_aggregate *aggregate)
{
    search_expression(search, input, aggregate->argument);
    search_expression(search, input, aggregate->second);
}

static void search_grouped(struct search search, const struct sql_relation *relation, size_t column)
{
    if (column < relation->expression_count)
        search_expression(search, relation->input, relation->expressions[column]);
    else if (column - relation->expression_count < relation->aggregate_count)
        search_aggregate(search, relation->input, &relation->aggregates[column - relation->expression_count]);
}

static void search_window(struct search search, const struct sql_relation *relation, size_t column)
{
    size_t before = relation->input->column_count;
    if (column < before) {
        search_column(search, relation->input, column);
    } else if (column - before < relation->window_count) {
        const struct sql_window *window = &relation->windows[column - before];
        if (window->kind == SQL_WINDOW_AGGREGATE)
            search_aggregate(search, relation->input, &window->aggregate);
        for (size_t i = 0; i < window->argument_count; i++)
            search_expression(search, relation->input, window->arguments[i]);
    }
}

static void search_join(struct search search, const struct sql_relation *relation, size_t column)
{
    size_t left = relation->input->column_count;
    if (column < left)
        search_column(search, relation->input, column);
    else
        search_column(search, relation->right, column - left);
}

static void search_column(struct search search, const struct sql_relation *relation, size_t column)
{
    switch (relation->kind) {
    case SQL_RELEASE:
        if (search.below)
            mark_measure(search, relation, column);
        return;
    case SQL_PROJECT:
        search_expression(search, relation->input, relation->expressions[column]);
        return;
    case SQL_FILTER:
    case SQL_SORT:
    case SQL_LIMIT:
    case SQL_SEMI_JOIN:
    case SQL_DISTINCT:
        search_column(search, relation->input, column);
        return;
    case SQL_APPEND:
    case SQL_SET:
        search_column(search, relation->input, column);
        search_column(search, relation->right, column);
        return;
    case SQL_JOIN:
        search_join(search, relation, column);
        return;
    case SQL_AGGREGATE:
        search_grouped(search, relation, column);
        return;
    case SQL_WINDOW:
        search_window(search, relation, column);
        return;
    case SQL_SCAN:
    case SQL_VALUES:
        return;
    }
}

status denominators_of(const struct prepared *prepared, size_t column, struct arena *arena,
                       struct denominators *out, error *why)
{
    size_t count = prepared->plan->release_count;
    void *lists = NULL;
    TRY(arena_take(arena, count * sizeof(bool *), &lists, why));
    bool **marks = lists;
    for (size_t i = 0; i < count; i++) {
        void *list = NULL;
        TRY(arena_take(arena, prepared->plan->releases[i]->measure_count * sizeof(bool), &list, why));
        marks[i] = list;
    }
    struct search search = {.prepared = prepared, .marks = marks};
    search_column(search, prepared->plan->result, column);
    *out = (struct denominators){.measures = marks};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < prepared->plan->releases[i]->measure_count; j++)
            out->any |= marks[i][j];
    return DITHER_OK;
}
