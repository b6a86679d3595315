/* An answer for people: numbers right-aligned, each with its half width, and below what it cost.
 *
 *      region | patients
 *     --------+----------
 *      north  | 1042 +- 30
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "curator/format.h"

enum { CELL_BYTES = 1 << 16 };

/* A cell is a value and, for a noisy number, what stands behind it; each is lined up by itself. */
struct cell {
    struct buffer value, error;
};

struct table {
    const struct curator_answer *answer;
    const char *sign, *bar, *line, *cross; /* plus-minus, and what the frame is made of */
    struct buffer *out;
};

static bool is_numeric(enum sql_type type)
{
    return type == SQL_INTEGER || type == SQL_DECIMAL || type == SQL_REAL;
}

/* Whatever could move a terminal's cursor becomes a dot: C0, DEL, and C1 (0xC2 0x80 .. 0x9F). */
static void append_printable(struct buffer *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at, next = (unsigned char)at[1];
        if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
            buffer_byte(out, '.');
            at++;
        } else {
            buffer_byte(out, byte < 0x20 || byte == 0x7F ? '.' : (char)byte);
        }
    }
}

/* Digits behind the point that a number with this error deserves: two of the error's own. */
static int places_for(double half_width)
{
    if (!(half_width > 0) || !isfinite(half_width))
        return 6;
    double places = 1 - floor(log10(half_width));
    return places < 0 ? 0 : places > 12 ? 12 : (int)places;
}

static void append_number(struct buffer *out, const struct curator_column *column, double number, int places)
{
    if (column->type == SQL_INTEGER)
        buffer_format(out, "%.0f", number);
    else if (fabs(number) >= 1e15)
        buffer_format(out, "%.6g", number);
    else
        buffer_format(out, "%.*f",
                      column->type == SQL_DECIMAL && places > column->scale ? column->scale : places, number);
}

static double number_of(const struct sql_value *value)
{
    if (value->type == SQL_REAL)
        return value->real;
    return value->type == SQL_DECIMAL ? (double)value->whole / pow(10, value->scale) : (double)value->whole;
}

/* Even on both sides, as far as drawn ends tell: one half width, the larger. Else both ends. */
static void append_error(const struct table *table, struct cell *cell, const struct curator_column *column,
                         double number, struct curator_interval interval, int places)
{
    double lower = format_lower(column, interval), upper = format_upper(column, interval);
    double below = number - lower, above = upper - number, half = fmax(below, above);
    double uneven = fabs(above - below);
    if (uneven <= 0.25 * half || half == 0 || (column->type == SQL_INTEGER && uneven <= 2 && lower > 0)) {
        buffer_format(&cell->error, " %s ", table->sign);
        append_number(&cell->error, column, half, places);
    } else {
        buffer_text(&cell->error, " (");
        append_number(&cell->error, column, lower, places);
        buffer_text(&cell->error, " to ");
        append_number(&cell->error, column, upper, places);
        buffer_text(&cell->error, ")");
    }
}

static void fill_cell(const struct table *table, size_t row, size_t i, struct cell *cell)
{
    const struct curator_answer *answer = table->answer;
    const struct curator_column *column = &answer->columns[i];
    const struct sql_value *value = sql_rows_cell(&answer->rows, row, i);
    struct curator_interval interval = answer->intervals[row * answer->column_count + i];
    buffer_init(&cell->value, CELL_BYTES);
    buffer_init(&cell->error, CELL_BYTES);
    if (value->null) {
        buffer_text(&cell->value, "NULL");
        return;
    }
    if (interval.known && is_numeric(column->type)) {
        double number = number_of(value);
        int places = places_for((interval.upper - interval.lower) / 2);
        if (column->type == SQL_INTEGER) /* exactly, also beyond 2^53 */
            format_value(&cell->value, value);
        else
            append_number(&cell->value, column, number, places);
        append_error(table, cell, column, number, interval, places);
        return;
    }
    struct buffer text;
    buffer_init(&text, CELL_BYTES);
    format_value(&text, value);
    append_printable(&cell->value, text.failed ? "..." : text.data != NULL ? text.data : "");
    buffer_free(&text);
}

static void free_cell(struct cell *cell)
{
    buffer_free(&cell->value);
    buffer_free(&cell->error);
}

static size_t width_of(const struct buffer *text)
{
    return text->data != NULL && !text->failed ? utf8_length(text->data) : 0;
}

static void pad(struct buffer *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_byte(out, ' ');
}

struct widths {
    size_t value, error, whole;
};

static struct widths measure(const struct table *table, size_t column)
{
    const struct curator_answer *answer = table->answer;
    struct widths widths = {0};
    struct buffer name;
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        struct cell cell;
        fill_cell(table, row, column, &cell);
        size_t value = width_of(&cell.value), behind = width_of(&cell.error);
        widths.value = value > widths.value ? value : widths.value;
        widths.error = behind > widths.error ? behind : widths.error;
        free_cell(&cell);
    }
    buffer_init(&name, CELL_BYTES);
    append_printable(&name, answer->columns[column].name);
    widths.whole = widths.value + widths.error;
    if (width_of(&name) > widths.whole)
        widths.whole = width_of(&name);
    buffer_free(&name);
    return widths;
}

static void write_head(const struct table *table, const struct widths *widths)
{
    const struct curator_answer *answer = table->answer;
    for (size_t i = 0; i < answer->column_count; i++) {
        struct buffer name;
        buffer_init(&name, CELL_BYTES);
        append_printable(&name, answer->columns[i].name);
        bool last = i + 1 == answer->column_count;
        size_t rest = widths[i].whole - width_of(&name);
        buffer_format(table->out, "%s ", i > 0 ? table->bar : "");
        if (is_numeric(answer->columns[i].type))
            pad(table->out, rest);
        buffer_text(table->out, name.data != NULL ? name.data : "");
        if (!is_numeric(answer->columns[i].type) && !last)
            pad(table->out, rest);
        buffer_text(table->out, last ? "\n" : " ");
        buffer_free(&name);
    }
    for (size_t i = 0; i < answer->column_count; i++) {
        buffer_text(table->out, i > 0 ? table->cross : "");
        for (size_t k = 0; k < widths[i].whole + 2; k++)
            buffer_text(table->out, table->line);
    }
    buffer_byte(table->out, '\n');
}

static void write_cell(const struct table *table, size_t row, size_t i, const struct widths *widths,
                       bool last)
{
    struct cell cell;
    bool numeric = is_numeric(table->answer->columns[i].type);
    fill_cell(table, row, i, &cell);
    size_t value = width_of(&cell.value), behind = width_of(&cell.error);
    buffer_format(table->out, "%s ", i > 0 ? table->bar : "");
    if (numeric)
        pad(table->out, widths->whole - widths->error - value);
    buffer_text(table->out, cell.value.data != NULL ? cell.value.data : "");
    if (cell.error.data != NULL)
        buffer_text(table->out, cell.error.data);
    if (!last)
        pad(table->out, (numeric ? widths->error : widths->whole - value) - behind);
    buffer_text(table->out, last ? "\n" : " ");
    free_cell(&cell);
}

static void write_foot(const struct table *table)
{
    const struct curator_answer *answer = table->answer;
    char cost[LEDGER_COST_TEXT], left[LEDGER_COST_TEXT];
    ledger_cost_print(answer->cost, answer->currency, cost);
    ledger_cost_print(answer->remaining, answer->currency, left);
    bool noisy = false;
    for (size_t i = 0; i < answer->column_count; i++)
        noisy |= answer->columns[i].noisy;
    buffer_format(table->out, "(%zu row%s", answer->rows.row_count, answer->rows.row_count == 1 ? "" : "s");
    if (noisy)
        buffer_format(table->out, "; %s at %.0f%% confidence", table->sign, 100 * answer->confidence);
    if (answer->cached)
        buffer_text(table->out, "; asked before, at no cost");
    else if (ledger_cost_is_zero(answer->cost))
        buffer_text(table->out, "; public, at no cost");
    else
        buffer_format(table->out, "; cost %s", cost);
    buffer_format(table->out, "; left %s)\n", left);
}

void curator_answer_table(const struct curator_answer *answer, bool ascii, struct buffer *out)
{
    struct table table = {.answer = answer,
                          .sign = ascii ? "+-" : "\xC2\xB1",
                          .bar = ascii ? "|" : "\xE2\x94\x82",
                          .line = ascii ? "-" : "\xE2\x94\x80",
                          .cross = ascii ? "+" : "\xE2\x94\xBC",
                          .out = out};
    size_t size = answer->column_count * sizeof(struct widths);
    struct widths *widths = memory_allocate(size > 0 ? size : 1);
    if (widths == NULL) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < answer->column_count; i++)
        widths[i] = measure(&table, i);
    if (answer->column_count > 0)
        write_head(&table, widths);
    for (size_t row = 0; row < answer->rows.row_count; row++)
        for (size_t i = 0; i < answer->column_count; i++)
            write_cell(&table, row, i, &widths[i], i + 1 == answer->column_count);
    write_foot(&table);
    memory_release(widths, size > 0 ? size : 1);
}
