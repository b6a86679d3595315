#include "tests/support/trial.h"

#include <stdlib.h>
#include <string.h>

#include "sql/print.h"
#include "sql/relation.h"
#include "tests/support/edge_values.h"
#include "tests/support/test.h"
#include "tests/support/trial_parts.h"

struct scratch *trial_duckdb;

/* ---- Columns of edge values ---- */

static struct edge edge_of(char letter)
{
    switch (letter) {
    case 'b':
        return (struct edge){SQL_BOOLEAN, 0, "boolean", edge_booleans, COUNT(edge_booleans)};
    case 'i':
        return (struct edge){SQL_INTEGER, 0, "bigint", edge_wholes, COUNT(edge_wholes)};
    case 'j': /* an integer that PostgreSQL wants in 32 bits */
        return (struct edge){SQL_INTEGER, 0, "bigint", edge_small_wholes, COUNT(edge_small_wholes)};
    case 'n':
        return (struct edge){SQL_DECIMAL, 2, "numeric(18, 2)", edge_decimals, COUNT(edge_decimals)};
    case 'k': /* one that fits other scales */
        return (struct edge){SQL_DECIMAL, 2, "numeric(18, 2)", edge_small_decimals,
                             COUNT(edge_small_decimals)};
    case 'w': /* a modest real */
        return (struct edge){SQL_REAL, 0, "double precision", edge_small_reals, COUNT(edge_small_reals)};
    case 'm': /* a decimal of another scale */
        return (struct edge){SQL_DECIMAL, 4, "numeric(18, 4)", edge_fine_decimals, COUNT(edge_fine_decimals)};
    case 'r':
        return (struct edge){SQL_REAL, 0, "double precision", edge_reals, COUNT(edge_reals)};
    case 't':
        return (struct edge){SQL_TEXT, 0, "text", edge_texts, COUNT(edge_texts)};
    case 'f': /* forms of other types */
        return (struct edge){SQL_TEXT, 0, "text", edge_forms, COUNT(edge_forms)};
    case 'd':
        return (struct edge){SQL_DATE, 0, "date", edge_dates, COUNT(edge_dates)};
    case 's':
        return (struct edge){SQL_TIMESTAMP, 0, "timestamp", edge_timestamps, COUNT(edge_timestamps)};
    default:
        return (struct edge){SQL_INTERVAL, 0, "interval", edge_intervals, COUNT(edge_intervals)};
    }
}

void trial_init(struct trial *trial)
{
    *trial = (struct trial){0};
    arena_init(&trial->arena, 64 << 20);
    trial->builder.arena = &trial->arena;
    buffer_init(&trial->postgres_text, 1 << 20);
}

void trial_free(struct trial *trial)
{
    arena_free(&trial->arena);
    buffer_free(&trial->postgres_text);
}

const struct sql_expression *trial_column(struct trial *trial, char letter)
{
    struct edge edge = edge_of(letter);
    struct sql_column column = {.type = edge.type, .scale = edge.scale, .nullable = true};
    struct sql_column columns[TRIAL_ARGUMENTS];
    for (size_t i = 0; i < TRIAL_ARGUMENTS; i++)
        columns[i] = column;
    struct sql_relation relation = {.columns = columns, .column_count = TRIAL_ARGUMENTS};
    const struct sql_expression *out = NULL;
    error why;
    trial->edges[trial->edge_count] = edge;
    assert_int_equal(sql_column_of(&trial->builder, &relation, trial->edge_count++, -1, &out, &why),
                     DITHER_OK);
    return out;
}

const struct sql_expression *trial_constant(struct trial *trial, enum sql_type type, const char *text)
{
    const struct sql_expression *literal = NULL, *out = NULL;
    error why;
    struct sql_value value = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    assert_int_equal(sql_literal(&trial->builder, &value, -1, &literal, &why), DITHER_OK);
    assert_int_equal(sql_cast(&trial->builder, literal, type, 0, -1, &out, &why), DITHER_OK);
    return out;
}

const char *trial_value(const struct trial *trial, size_t row, size_t column)
{
    for (size_t i = 0; i < column; i++)
        row /= trial->edges[i].count;
    return trial->edges[column].values[row % trial->edges[column].count];
}

size_t trial_combinations(const struct trial *trial, size_t *step)
{
    size_t all = 1;
    for (size_t i = 0; i < trial->edge_count; i++)
        all *= trial->edges[i].count;
    *step = all <= TRIAL_ROWS ? 1 : all / TRIAL_ROWS | 1;
    while (all % *step == 0 && *step > 1)
        *step += 2;
    return all;
}

/* ---- Our side ---- */

/* The edge value in our own form. */
static struct sql_value read_edge(struct trial *trial, const struct edge *edge, const char *text)
{
    const struct sql_expression *literal = NULL, *value = NULL;
    error why;
    struct sql_value unknown = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    assert_int_equal(sql_literal(&trial->builder, &unknown, -1, &literal, &why), DITHER_OK);
    if (sql_cast(&trial->builder, literal, edge->type, edge->scale, -1, &value, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return value->value;
}

/* All combinations, as the table `edges`. */
static void put_edges(struct trial *trial)
{
    size_t step, all = trial_combinations(trial, &step), count = trial->edge_count, at = 0;
    struct sql_value *cells = calloc((all / step + 1) * (count + 1), sizeof *cells);
    assert_non_null(cells);
    /* A column of row numbers behind them: pi() has no argument, and rows are to keep their order. */
    struct scratch_column columns[TRIAL_ARGUMENTS + 1];
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct scratch_column){trial->edges[i].type, trial->edges[i].scale};
    columns[count] = (struct scratch_column){SQL_INTEGER, 0};
    for (size_t row = 0; row < all; row += step) {
        for (size_t i = 0; i < count; i++)
            cells[at++] = read_edge(trial, &trial->edges[i], trial_value(trial, row, i));
        cells[at++] = (struct sql_value){.type = SQL_INTEGER, .whole = (int64_t)row};
    }
    struct sql_rows rows = {count + 1, at / (count + 1), cells};
    error why;
    if (scratch_put(trial_duckdb, "edges", columns, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s", why.message, scratch_complaint(trial_duckdb));
    free(cells);
}

struct sql_rows trial_ask(struct trial *trial)
{
    put_edges(trial);
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .alias = "t", .scratch = true};
    buffer_text(&sql, "SELECT ");
    sql_print_expression(&printer, trial->expression);
    buffer_format(&sql, " AS c0 FROM edges AS t ORDER BY t.c%zu", trial->edge_count);
    assert_false(sql.failed);
    struct scratch_column column = {trial->expression->type, trial->expression->scale};
    struct sql_rows rows;
    error why;
    if (scratch_query(trial_duckdb, sql.data, &column, 1, 100000, &trial->arena, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s\n%.600s", why.message, scratch_complaint(trial_duckdb), sql.data);
    buffer_free(&sql);
    return rows;
}
