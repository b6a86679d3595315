/* An answer as CSV: the columns and, behind each noisy number, NAME_low and NAME_high. */
#include "base/csv.h"
#include "base/number.h"
#include "curator/format.h"

static bool has_interval(const struct curator_column *column)
{
    return column->noisy &&
           (column->type == SQL_INTEGER || column->type == SQL_DECIMAL || column->type == SQL_REAL);
}

static void write_name(struct buffer *out, const char *name, const char *ending)
{
    struct buffer whole;
    buffer_init(&whole, 1 << 16);
    buffer_format(&whole, "%s%s", name, ending);
    if (!whole.failed)
        csv_write_field(out, whole.data);
    buffer_free(&whole);
}

static void write_names(const struct curator_answer *answer, struct buffer *out)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        const struct curator_column *column = &answer->columns[i];
        if (i > 0)
            buffer_byte(out, ',');
        write_name(out, column->name, "");
        if (has_interval(column)) {
            buffer_byte(out, ',');
            write_name(out, column->name, "_low");
            buffer_byte(out, ',');
            write_name(out, column->name, "_high");
        }
    }
    buffer_byte(out, '\n');
}

static void write_interval(const struct curator_column *column, struct curator_interval interval,
                           struct buffer *out)
{
    char text[NUMBER_TEXT];
    buffer_byte(out, ',');
    if (interval.known) {
        number_print_exact(format_lower(column, interval), text);
        buffer_text(out, text);
    }
    buffer_byte(out, ',');
    if (interval.known) {
        number_print_exact(format_upper(column, interval), text);
        buffer_text(out, text);
    }
}

static void write_value(const struct sql_value *value, struct buffer *out)
{
    struct buffer text;
    if (value->null)
        return; /* nothing; an empty text is "" */
    if (value->type == SQL_TEXT && value->text[0] == '\0') {
        buffer_text(out, "\"\"");
        return;
    }
    buffer_init(&text, 64 << 20);
    format_value(&text, value);
    if (!text.failed && text.data != NULL)
        csv_write_field(out, text.data);
    buffer_free(&text);
}

void curator_answer_csv(const struct curator_answer *answer, struct buffer *out)
{
    write_names(answer, out);
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        for (size_t i = 0; i < answer->column_count; i++) {
            if (i > 0)
                buffer_byte(out, ',');
            write_value(sql_rows_cell(&answer->rows, row, i), out);
            if (has_interval(&answer->columns[i]))
                write_interval(&answer->columns[i], answer->intervals[row * answer->column_count + i], out);
        }
        buffer_byte(out, '\n');
    }
}
