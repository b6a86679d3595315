#include "cli/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"

#define TABLE_BYTES (UINT64_C(1) << 36)

void table_init(struct table *table)
{
    *table = (struct table){.failed = DITHER_OK};
    arena_init(&table->arena, TABLE_BYTES);
}

void table_free(struct table *table)
{
    arena_free(&table->arena);
    memory_release(table->cells, table->capacity * sizeof *table->cells);
}

static void add_column(struct table *table, const char *name, bool number)
{
    assert(table->column_count < TABLE_COLUMNS && table->cell_count == 0);
    table->columns[table->column_count++] = (struct table_column){.name = name, .number = number};
}

void table_text_column(struct table *table, const char *name)
{
    add_column(table, name, false);
}

void table_number_column(struct table *table, const char *name)
{
    add_column(table, name, true);
}

static bool make_room(struct table *table)
{
    if (table->cell_count < table->capacity)
        return true;
    size_t capacity = table->capacity > 0 ? 2 * table->capacity : 64;
    char **grown = memory_grow(table->cells, table->capacity * sizeof *grown, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    table->cells = grown;
    table->capacity = capacity;
    return true;
}

void table_text(struct table *table, const char *text)
{
    assert(table->column_count > 0);
    if (table->failed != DITHER_OK)
        return;
    if (!make_room(table) ||
        arena_text(&table->arena, text, strlen(text), &table->cells[table->cell_count], NULL) != DITHER_OK) {
        table->failed = DITHER_NO_MEMORY;
        return;
    }
    table->cell_count++;
}

void table_number(struct table *table, double number)
{
    char text[NUMBER_TEXT] = "-";
    if (!isnan(number))
        number_print(number, text);
    table_text(table, text);
}

void table_exact_number(struct table *table, double number)
{
    char text[NUMBER_TEXT] = "";
    if (!isnan(number))
        number_print_exact(number, text);
    table_text(table, text);
}

/* How many characters of a cell stand left of the decimal point. */
static size_t width_before(const struct table_column *column, const char *cell)
{
    return column->number ? strcspn(cell, ".e") : utf8_length(cell);
}

static void measure(struct table *table)
{
    for (size_t i = 0; i < table->cell_count; i++) {
        struct table_column *column = &table->columns[i % table->column_count];
        size_t before = width_before(column, table->cells[i]);
        size_t after = utf8_length(table->cells[i]) - before;
        if (before > column->before)
            column->before = before;
        if (after > column->after)
            column->after = after;
    }
    for (size_t i = 0; i < table->column_count; i++) { /* a name may use the room right of the point */
        struct table_column *column = &table->columns[i];
        size_t name = utf8_length(column->name);
        if (name > column->before + column->after)
            column->before = name - column->after;
    }
}

static void pad(struct buffer *out, size_t count)
{
    for (; count > 0; count--)
        buffer_byte(out, ' ');
}

static void print_cell(struct buffer *out, const struct table_column *column, const char *cell, bool last)
{
    size_t before = width_before(column, cell), length = utf8_length(cell);
    if (column->number)
        pad(out, column->before - before);
    buffer_text(out, cell);
    if (!last && column->number)
        pad(out, column->after - (length - before));
    else if (!last)
        pad(out, column->before + column->after - length);
}

static void print_names(const struct table *table, struct buffer *out)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        size_t width = column->before + column->after, length = utf8_length(column->name);
        buffer_text(out, i > 0 ? "  " : "");
        if (column->number)
            pad(out, width - length);
        buffer_text(out, column->name);
        if (!column->number && i + 1 < table->column_count)
            pad(out, width - length);
    }
    buffer_byte(out, '\n');
}

static void print_for_people(struct table *table, struct buffer *out)
{
    measure(table);
    print_names(table, out);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t at = i % table->column_count;
        bool last = at + 1 == table->column_count;
        buffer_text(out, at > 0 ? "  " : "");
        print_cell(out, &table->columns[at], table->cells[i], last);
        if (last)
            buffer_byte(out, '\n');
    }
}

static void print_csv(const struct table *table, struct buffer *out)
{
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(out, i > 0 ? "," : "");
        csv_write_field(out, table->columns[i].name);
    }
    buffer_byte(out, '\n');
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t at = i % table->column_count;
        buffer_text(out, at > 0 ? "," : "");
        if (table->columns[at].number)
            buffer_text(out, table->cells[i]); /* an empty number is nothing, not an empty text */
        else
            csv_write_field(out, table->cells[i]);
        if (at + 1 == table->column_count)
            buffer_byte(out, '\n');
    }
}

status table_print(struct table *table, enum cli_format format, struct buffer *out, error *why)
{
    if (table->failed != DITHER_OK)
        return fail(why, table->failed, "out of memory");
    assert(table->cell_count % table->column_count == 0);
    if (format == CLI_CSV)
        print_csv(table, out);
    else
        print_for_people(table, out);
    return buffer_check(out, why);
}
