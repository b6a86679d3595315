/* One cell of a made-up table. Values are made as SQL values and printed as answers print them, so that a key in the data and the
 * same key in an answer are the same text. */
#include <math.h>
#include <string.h>

#include "attack/audit_data.h"
#include "base/csv.h"
#include "curator/format.h"

/* What stands in a column without a declared range: a few values, so that keys and ties happen. */
enum { FEW = 6 };

static enum sql_type type_of(const struct policy_column *column)
{
    static const enum sql_type types[] = {
        [POLICY_INTEGER] = SQL_INTEGER,    [POLICY_REAL] = SQL_REAL,       [POLICY_DECIMAL] = SQL_DECIMAL,
        [POLICY_TEXT] = SQL_TEXT,          [POLICY_BOOLEAN] = SQL_BOOLEAN, [POLICY_DATE] = SQL_DATE,
        [POLICY_TIMESTAMP] = SQL_TIMESTAMP};
    return types[column->type];
}

static void write_value(const struct policy_column *column, int64_t whole, double real, const char *text,
                        struct buffer *out)
{
    struct sql_value value = {
        .type = type_of(column), .scale = column->scale, .whole = whole, .real = real, .text = text};
    struct buffer plain;
    buffer_init(&plain, 1 << 16);
    format_value(&plain, &value);
    csv_write_field(out, plain.data != NULL ? plain.data : "");
    buffer_free(&plain);
}

/* Where counting begins for a column without a range: a day in 2024, or 0. */
static int64_t origin(const struct policy_column *column)
{
    if (column->type == POLICY_DATE)
        return 19723;
    return column->type == POLICY_TIMESTAMP ? INT64_C(19723) * 86400 * 1000000 : 0;
}

static int64_t unit_step(const struct policy_column *column)
{
    return column->type == POLICY_TIMESTAMP ? INT64_C(3600) * 1000000 : 1;
}

void audit_cell_key(const struct policy_column *column, uint64_t number, struct buffer *out)
{
    char text[40];
    snprintf(text, sizeof text, "k%llu", (unsigned long long)number);
    /* Days run out after some thousand years; then keys repeat, and an import would refuse them. */
    int64_t whole =
        column->type == POLICY_DATE ? (int64_t)(number % 2000000) - 600000 : origin(column) + (int64_t)number;
    write_value(column, whole, (double)number, text, out);
}

/* ---- Within what is declared ---- */

static uint64_t width(const struct policy_column *column)
{
    return (uint64_t)column->upper.whole - (uint64_t)column->lower.whole;
}

static void write_real_at(const struct policy_column *column, double share, struct buffer *out)
{
    double lower = column->has_range ? column->lower.real : 0,
           upper = column->has_range ? column->upper.real : FEW;
    double grid = column->has_range ? column->grid : 0.25;
    double value = lower + floor((upper - lower) * share / grid) * grid;
    write_value(column, 0, fmin(fmax(value, lower), upper), NULL, out);
}

static void write_index(const struct policy_column *column, uint64_t index, struct buffer *out)
{
    char text[24];
    snprintf(text, sizeof text, "w%llu", (unsigned long long)(index % FEW));
    if (column->value_count > 0) {
        const struct policy_value *value = &column->values[index % column->value_count];
        write_value(column, value->whole, value->real, value->text, out);
    } else if (column->type == POLICY_BOOLEAN) {
        write_value(column, (int64_t)(index % 2), 0, NULL, out);
    } else if (column->type == POLICY_REAL) {
        write_real_at(column, (double)(index % 1024) / 1023, out);
    } else if (column->has_range) {
        uint64_t steps = width(column);
        write_value(column,
                    column->lower.whole + (int64_t)(steps == UINT64_MAX ? index : index % (steps + 1)), 0,
                    text, out);
    } else {
        write_value(column, origin(column) + (int64_t)(index % FEW) * unit_step(column), 0, text, out);
    }
}

/* ---- At the ends ---- */

static bool larger_is_upper(const struct policy_column *column)
{
    if (column->type == POLICY_REAL)
        return fabs(column->upper.real) >= fabs(column->lower.real);
    return column->upper.whole >= 0 &&
           (column->lower.whole >= 0 || (uint64_t)column->upper.whole >= 0 - (uint64_t)column->lower.whole);
}

static void write_end(const struct policy_column *column, bool upper, struct buffer *out)
{
    if (column->has_range)
        write_value(column, upper ? column->upper.whole : column->lower.whole,
                    upper ? column->upper.real : column->lower.real, NULL, out);
    else
        write_index(column, upper && column->value_count > 0 ? column->value_count - 1 : upper, out);
}

static void write_beyond(const struct policy_column *column, bool upper, uint64_t row, struct buffer *out)
{
    static const double reals[] = {1e7, 1e308, INFINITY, 1e15};
    int64_t step = upper ? 1 : -1;
    if (column->type == POLICY_REAL && column->has_range &&
        row % 4 == 0) /* a little: a clamp in other units lets it through */
        write_value(column, 0,
                    upper ? column->upper.real + 2 * (column->upper.real - column->lower.real)
                          : column->lower.real - 2 * (column->upper.real - column->lower.real),
                    NULL, out);
    else if (column->type == POLICY_REAL)
        write_value(column, 0, (upper ? 1 : -1) * reals[row % 4], NULL, out);
    else if (column->type == POLICY_INTEGER && row % 2 == 0)
        write_value(column, upper ? INT64_MAX : INT64_MIN, 0, NULL, out);
    else if (column->type == POLICY_INTEGER || column->type == POLICY_DECIMAL)
        write_value(column, step * INT64_C(900000000000000), 0, NULL, out);
    else if (column->type == POLICY_DATE)
        buffer_text(out, upper ? "9999-12-31" : "0001-01-01");
    else if (column->type == POLICY_TIMESTAMP)
        buffer_text(out, upper ? "9999-12-31 23:59:59" : "0001-01-01");
    else if (column->type == POLICY_BOOLEAN)
        buffer_text(out, upper ? "true" : "false");
    else
        buffer_text(out, upper ? "zzzz" : "\"\"");
}

static void write_wild(const struct policy_column *column, uint64_t row, struct buffer *out)
{
    static const char *const reals[] = {"nan", "inf", "-inf", "1e308", "-1e308", "", "-0.0", "4e-320"};
    static const char *const wholes[] = {"9223372036854775807", "-9223372036854775808", "", "0", "-1", "x"};
    static const char *const days[] = {"", "0001-01-01", "9999-12-31", "2024-02-29", "2023-02-29"};
    static const char *const texts[] = {"", "\"\"", "\"it's\"", "\"a,b\"", "nan", "NULL"};
    static const char *const truths[] = {"", "true", "false", "maybe"};
    switch (column->type) {
    case POLICY_REAL:
        buffer_text(out, reals[row % 8]);
        break;
    case POLICY_INTEGER:
    case POLICY_DECIMAL:
        buffer_text(out, wholes[row % 6]);
        break;
    case POLICY_DATE:
    case POLICY_TIMESTAMP:
        buffer_text(out, days[row % 5]);
        break;
    case POLICY_TEXT:
        buffer_text(out, texts[row % 6]);
        break;
    case POLICY_BOOLEAN:
        buffer_text(out, truths[row % 4]);
        break;
    }
}

void audit_cell_styled(const struct policy_column *column, enum audit_style style, uint64_t row,
                       uint64_t random, struct buffer *out)
{
    bool number =
        column->type == POLICY_INTEGER || column->type == POLICY_REAL || column->type == POLICY_DECIMAL;
    switch (style) {
    case STYLE_QUIET:
        write_index(column, random >> 8, out);
        break;
    case STYLE_LARGE:
    case STYLE_SMALL:
        write_end(column,
                  (number && column->has_range ? larger_is_upper(column) : true) == (style == STYLE_LARGE),
                  out);
        break;
    case STYLE_SPREAD:
        if (column->type == POLICY_REAL)
            write_end(column, !column->has_range || larger_is_upper(column), out);
        else
            write_index(column, row, out);
        break;
    case STYLE_HIGH:
        write_beyond(column, true, row, out);
        break;
    case STYLE_LOW:
        write_beyond(column, false, row, out);
        break;
    case STYLE_WILD:
        write_wild(column, row, out);
        break;
    }
}

/* ---- Public domains ---- */

uint64_t audit_cell_domain(const struct policy_column *column, uint64_t most)
{
    uint64_t count = 0;
    if (column->value_count > 0)
        count = column->value_count;
    else if (column->type == POLICY_BOOLEAN)
        count = 2;
    else if (column->has_range && (column->type == POLICY_INTEGER || column->type == POLICY_DATE) &&
             width(column) < UINT32_MAX)
        count = width(column) + 1;
    return count <= most ? count : 0;
}

void audit_cell_of_domain(const struct policy_column *column, uint64_t index, struct buffer *out)
{
    write_index(column, index, out);
}
