/* Questions whose answer is a released table as it is: SELECT region, count(*) ... GROUP BY region. What follows the release
 * then only picks columns, and scratch, which would be given the table and asked for it back, is left alone: that is a third
 * of the work of a small question. The cells are the very ones that scratch would return: of the same type, in the same
 * order. Whatever computes, sorts, filters or has intervals that must be drawn goes the long way. */
#include "curator/room.h"

/* The release's column behind a column of the result, when nothing but projections of columns is in between. */
static bool find_source(const struct sql_relation *relation, const struct sql_relation *release,
                        size_t column, size_t *out)
{
    for (; relation->kind == SQL_PROJECT; relation = relation->input) {
        if (column >= relation->expression_count || relation->input == NULL)
            return false;
        const struct sql_expression *expression = relation->expressions[column];
        const struct sql_column *shown = &relation->columns[column];
        if (expression->kind != SQL_COLUMN || expression->column >= relation->input->column_count)
            return false;
        const struct sql_column *below = &relation->input->columns[expression->column];
        if (shown->type != below->type || shown->scale != below->scale)
            return false;
        column = expression->column;
    }
    *out = column;
    return relation == release && column < release->column_count;
}

static bool cells_fit(const struct sql_rows *rows, const struct sql_relation *release)
{
    if (rows->column_count != release->column_count)
        return false;
    for (size_t i = 0; i < rows->row_count * rows->column_count; i++) {
        const struct sql_value *cell = &rows->cells[i];
        const struct sql_column *column = &release->columns[i % rows->column_count];
        if (cell->type != column->type || (cell->type == SQL_DECIMAL && cell->scale != column->scale))
            return false;
    }
    return true;
}

/* Not one whose interval would have to be drawn in scratch. */
static bool needs_no_draws(const struct prepared *prepared, size_t column)
{
    const struct sql_relation *result = prepared->plan->result;
    struct trace trace = {0};
    return !result->columns[column].noisy || trace_measure(prepared, result, column, &trace) ||
           trace_chosen(result, column);
}

bool plain_projects(const struct prepared *prepared)
{
    const struct sql_relation *result = prepared->plan->result;
    size_t source = 0;
    if (prepared->plan->release_count != 1)
        return false;
    for (size_t i = 0; i < result->column_count; i++)
        if (!find_source(result, prepared->releases[0].relation, i, &source))
            return false;
    return true;
}

bool plain_foreseen(const struct prepared *prepared)
{
    if (!plain_projects(prepared))
        return false;
    for (size_t i = 0; i < prepared->plan->result->column_count; i++)
        if (!needs_no_draws(prepared, i))
            return false;
    return true;
}

status plain_find(struct run *run, error *why)
{
    const struct prepared *prepared = run->prepared;
    const struct sql_relation *result = prepared->plan->result;
    const struct sql_relation *release = prepared->releases[0].relation;
    void *room = NULL;
    run->plain = false;
    if (!plain_foreseen(prepared) || !cells_fit(&run->tables[0], release))
        return DITHER_OK;
    TRY(arena_take(run->arena, result->column_count * sizeof *run->sources, &room, why));
    run->sources = room;
    run->plain = true;
    for (size_t i = 0; i < result->column_count; i++)
        run->plain = run->plain && find_source(result, release, i, &run->sources[i]);
    return DITHER_OK;
}

status plain_rows(const struct run *run, struct sql_rows *out, error *why)
{
    const struct sql_rows *table = &run->tables[0];
    size_t count = run->prepared->plan->result->column_count;
    void *room = NULL;
    TRY(arena_take(run->arena, table->row_count * count * sizeof(struct sql_value), &room, why));
    struct sql_value *cells = room;
    for (size_t row = 0; row < table->row_count; row++)
        for (size_t i = 0; i < count; i++)
            cells[row * count + i] = *sql_rows_cell(table, row, run->sources[i]);
    *out = (struct sql_rows){.column_count = count, .row_count = table->row_count, .cells = cells};
    return DITHER_OK;
}
