#include "tests/support/scratch_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

struct sql_rows scratch_rows(struct scratch *scratch, const struct sql_relation *relation,
                             struct arena *arena)
{
    struct buffer sql;
    struct scratch_column columns[64];
    struct sql_rows rows = {0};
    error why = {.message = ""};
    buffer_init(&sql, 1 << 22);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .scratch = true};
    sql_print_relation(&printer, relation);
    assert_int_equal(buffer_check(&sql, &why), DITHER_OK);
    assert_true(relation->column_count <= 64);
    for (size_t i = 0; i < relation->column_count; i++)
        columns[i] = (struct scratch_column){relation->columns[i].type, relation->columns[i].scale};
    if (scratch_query(scratch, sql.data, columns, relation->column_count, 1000000, arena, &rows, &why) !=
        DITHER_OK)
        fail_msg("%s\n%s\n%s", why.message, scratch_complaint(scratch), sql.data);
    buffer_free(&sql);
    return rows;
}

void scratch_put_release(struct scratch *scratch, const struct sql_relation *relation, size_t row_count,
                         const int64_t *numbers, const char *const *texts)
{
    char name[40];
    size_t width = relation->column_count;
    struct sql_value *cells = calloc(row_count * width + 1, sizeof *cells);
    struct scratch_column columns[64];
    error why = {.message = ""};
    assert_non_null(cells);
    snprintf(name, sizeof name, "release_%zu", relation->release->number);
    for (size_t i = 0; i < width; i++)
        columns[i] = (struct scratch_column){relation->columns[i].type, relation->columns[i].scale};
    for (size_t i = 0; i < row_count * width; i++)
        cells[i] = (struct sql_value){.type = columns[i % width].type,
                                      .scale = columns[i % width].scale,
                                      .whole = numbers[i],
                                      .text = texts != NULL ? texts[i] : NULL};
    struct sql_rows rows = {.column_count = width, .row_count = row_count, .cells = cells};
    if (scratch_put(scratch, name, columns, &rows, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    free(cells);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show_value(const struct sql_value *value, char *out, size_t size)
{
    if (value->null)
        snprintf(out, size, "NULL");
    else if (value->type == SQL_TEXT)
        snprintf(out, size, "%s", value->text);
    else if (value->type == SQL_REAL)
        snprintf(out, size, "%.9g", value->real);
    else if (value->type == SQL_BOOLEAN)
        snprintf(out, size, "%s", value->whole != 0 ? "true" : "false");
    else
        snprintf(out, size, "%lld", (long long)value->whole);
}

void scratch_show(const struct sql_rows *rows, size_t column_count, char *out, size_t size)
{
    char **lines = calloc(rows->row_count + 1, sizeof *lines);
    assert_non_null(lines);
    for (size_t i = 0; i < rows->row_count; i++) {
        char *line = lines[i] = calloc(1, 1000);
        assert_non_null(line);
        for (size_t j = 0; j < column_count; j++) {
            size_t used = strlen(line);
            if (j > 0)
                line[used++] = ' ';
            show_value(sql_rows_cell(rows, i, j), line + used, 1000 - used);
        }
    }
    qsort(lines, rows->row_count, sizeof *lines, compare_lines);
    out[0] = '\0';
    for (size_t i = 0; i < rows->row_count; i++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", i > 0 ? "|" : "", lines[i]);
        free(lines[i]);
    }
    free(lines);
}
