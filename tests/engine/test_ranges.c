/* The bounds and the nullability that are worked out for an expression hold for every row within the columns'
 * bounds. Shown by brute force: each expression is evaluated in DuckDB, through our printer and functions, on all
 * combinations of a grid over its columns. That bounds are not merely wide is shown by what they must be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/scratch.h"
#include "sql/print.h"
#include "tests/support/expression.h"
#include "tests/support/test.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct scratch *scratch;

static int start(void **state)
{
    (void)state;
    error why;
    return scratch_open(NULL, &scratch, &why) == DITHER_OK ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    scratch_close(scratch);
    return 0;
}

/* The values of each column of tests/support/expression.h, in SQL. */
static const char *const domains[] = {
    "SELECT range AS c0 FROM range(-3, 6)",
    "SELECT range AS c0 FROM range(1, 5)",
    "SELECT unnest([NULL, -9223372036854775808, -1, 0, 1, 9223372036854775807]) AS c0",
    "SELECT CAST(range AS DOUBLE) / 8 AS c0 FROM range(-16, 25)",
    "SELECT CAST(range AS DOUBLE) / 16 AS c0 FROM range(8, 33)",
    "SELECT unnest([CAST(NULL AS DOUBLE), 'nan', 'inf', '-inf', 0, -1e308, 1e308]) AS c0",
    "SELECT CAST(range AS DECIMAL(18, 2)) / 100 AS c0 FROM range(-150, 251)",
    "SELECT CAST(range AS DECIMAL(18, 4)) / 10000 AS c0 FROM range(0, 10001, 250)",
    "SELECT unnest([TRUE, FALSE]) AS c0",
    "SELECT unnest([TRUE, FALSE, NULL]) AS c0",
    "SELECT unnest(['', 'a', 'abc', 'x1']) AS c0",
    "SELECT unnest(['', 'a', NULL]) AS c0",
    "SELECT DATE '1970-01-01' + CAST(range AS INTEGER) AS c0 FROM range(19721, 19785)",
    "SELECT make_timestamp(1704067200000000 + range * 100000000000) AS c0 FROM range(0, 316) UNION ALL "
    "SELECT TIMESTAMP '2024-12-31 23:59:59.999999'",
    "SELECT to_days(1) AS c0",
};

static const char *const types[] = {"BIGINT",  "BIGINT",         "BIGINT",         "DOUBLE",    "DOUBLE",
                                    "DOUBLE",  "DECIMAL(18, 2)", "DECIMAL(18, 4)", "BOOLEAN",   "BOOLEAN",
                                    "VARCHAR", "VARCHAR",        "DATE",           "TIMESTAMP", "INTERVAL"};

static void note_column(void *context, size_t column)
{
    ((bool *)context)[column] = true;
}

/* SELECT expression over all combinations of the columns that it uses; the others are NULL. */
static struct sql_rows evaluate(struct expression_text *read)
{
    bool used[15] = {false};
    sql_visit_columns(read->expression, note_column, used);
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .alias = "r", .scratch = true};
    buffer_text(&sql, "SELECT ");
    sql_print_expression(&printer, read->expression);
    buffer_text(&sql, " AS c0 FROM (SELECT ");
    for (size_t i = 0; i < COUNT(used); i++)
        buffer_format(&sql, used[i] ? "%sCAST(t%zu.c0 AS %s) AS c%zu" : "%sNULL AS c%zu", i > 0 ? ", " : "",
                      i, types[i], i);
    buffer_text(&sql, " FROM (SELECT 1) AS one");
    for (size_t i = 0; i < COUNT(used); i++)
        if (used[i])
            buffer_format(&sql, ", (%s) AS t%zu", domains[i], i);
    buffer_text(&sql, ") AS r");
    struct scratch_column column = {read->expression->type, read->expression->scale};
    struct sql_rows rows;
    error why;
    if (scratch_query(scratch, sql.data, &column, 1, 1000000, &read->arena, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s\n%s", why.message, scratch_complaint(scratch), sql.data);
    buffer_free(&sql);
    return rows;
}

static void check_rows(const char *text, const struct sql_expression *expression, const struct sql_rows *rows)
{
    const struct sql_range *range = &expression->range;
    for (size_t i = 0; i < rows->row_count; i++) {
        const struct sql_value *value = sql_rows_cell(rows, i, 0);
        if (value->null && !expression->nullable)
            fail_msg("%s is NULL", text);
        if (value->null || !range->known || (value->type == SQL_REAL && isnan(value->real)))
            continue; /* NaN lies nowhere; a clamp puts it on the lower bound */
        bool inside = expression->type == SQL_REAL
                          ? value->real >= range->real_lower && value->real <= range->real_upper
                          : value->whole >= range->lower && value->whole <= range->upper;
        if (!inside)
            fail_msg("%s: %lld or %g is out of bounds", text, (long long)value->whole, value->real);
    }
}

/* Expressions with the bounds that a person would work out, in whole numbers (of hundredths for a decimal). */
struct bounded {
    const char *text;
    bool known;
    double lower, upper;
};

static const struct bounded expressions[] = {
    {"i + j", true, -2, 9},
    {"i - j", true, -7, 4},
    {"i * j", true, -12, 20},
    {"i * i", true, -15, 25},
    {"-i", true, -5, 3},
    {"abs(i)", true, 0, 5},
    {"abs(i - 7)", true, 2, 10},
    {"i / j", true, -3, 5},
    {"j / i", true, -4, 4},
    {"i / 2", true, -1, 2},
    {"(i + 100) / 10", true, 9, 10},
    {"i % 3", true, -2, 2},
    {"j % 3", true, 0, 2},
    {"u % 7", true, -6, 6},
    {"u + 1", false, 0, 0},
    {"u * 0", false, 0, 0},
    {"x + y", true, -1.5, 5},
    {"x - y", true, -4, 2.5},
    {"x * y", true, -4, 6},
    {"x * 0.2", true, -0.4, 0.6},
    {"x / y", true, -4, 6},
    {"y / x", false, 0, 0},
    {"-x", true, -3, 2},
    {"abs(x)", true, 0, 3},
    {"i + x", true, -5, 8},
    {"x + z", false, 0, 0},
    {"n + m", true, -15000, 35000},
    {"n - 1", true, -250, 150},
    {"abs(n)", true, 0, 250},
    {"n * 2", true, -3, 5},
    {"coalesce(u, 0)", false, 0, 0},
    {"coalesce(nullif(i, 0), j)", true, -3, 5},
    {"greatest(i, 0)", true, 0, 5},
    {"least(greatest(u, 0), 100)", true, 0, 100},
    {"greatest(i, j)", true, 1, 5},
    {"CASE WHEN b THEN i ELSE 10 END", true, -3, 10},
    {"CASE WHEN c THEN x ELSE 0 END", true, -2, 3},
    {"CASE WHEN b THEN i END", true, -3, 5},
    {"x::int", true, -2, 3},
    {"n::int", true, -2, 3},
    {"x::numeric(10, 2)", true, -200, 300},
    {"i::double precision", true, -3, 5},
    {"i::text::int", false, 0, 0},
    {"b::int", true, 0, 1},
    {"u::boolean", true, 0, 1},
    {"floor(x)", true, -2, 3},
    {"ceil(x)", true, -2, 3},
    {"round(x)", true, -2, 3},
    {"trunc(x)", true, -2, 3},
    {"sign(x)", true, -1, 1},
    {"sqrt(y)", true, 0.7, 1.42},
    {"sqrt(x)", true, 0, 1.74},
    {"exp(x)", true, 0.1353, 20.0855},
    {"ln(y)", true, -0.7, 0.7},
    {"ln(x)", false, 0, 0},
    {"sin(x)", true, -1, 1},
    {"cos(z)", true, -1, 1},
    {"atan(z)", true, -1.5708, 1.5708},
    {"atan2(x, y)", true, -3.1416, 3.1416},
    {"power(x, 2)", false, 0, 0},
    {"width_bucket(x, -2, 3, 5)", true, 0, 6},
    {"width_bucket(x, 2, -1, j)", true, 0, 5},
    {"length(t)", false, 0, 0},
    {"extract(year FROM d)", true, 2023, 2024},
    {"extract(month FROM d)", true, 1, 12},
    {"extract(day FROM s)", true, 1, 31},
    {"extract(isoyear FROM s)", true, 2023, 2025},
    {"extract(century FROM s)", true, 21, 21},
    {"extract(hour FROM s)", true, 0, 23},
    {"extract(second FROM s)", true, 0, 60},
    {"extract(dow FROM d)", true, 0, 6},
    {"d - DATE '2024-01-01'", true, -2, 61},
    {"d + j", true, 19722, 19788},
    {"d - 1", true, 19720, 19783},
    {"(d - DATE '2023-12-30') / 7", true, 0, 9},
    {"date_trunc('month', d)::date", true, 19692, 19783},
    {"s::date", true, 19723, 20088},
    {"i = j", true, 0, 1},
    {"c AND b", true, 0, 1},
    {"t LIKE 'a%'", true, 0, 1},
};

static void every_row_is_within_the_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expressions); i++) {
        struct expression_text read;
        expression_text_read(&read, expressions[i].text);
        if (read.expression == NULL)
            fail_msg("%s: %s", expressions[i].text, read.why.message);
        struct sql_rows rows = evaluate(&read);
        assert_true(rows.row_count > 0);
        check_rows(expressions[i].text, read.expression, &rows);
        expression_text_free(&read);
    }
}

static void bounds_are_as_narrow_as_they_should_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expressions); i++) {
        const struct bounded *expected = &expressions[i];
        struct expression_text read;
        expression_text_read(&read, expected->text);
        const struct sql_range *range = &read.expression->range;
        if (range->known != expected->known)
            fail_msg("%s: bounds %s known", expected->text, range->known ? "are" : "are not");
        bool real = read.expression->type == SQL_REAL;
        double lower = real ? range->real_lower : (double)range->lower;
        double upper = real ? range->real_upper : (double)range->upper;
        double slack = real ? 0.011 : 0;
        if (range->known && (fabs(lower - expected->lower) > slack || fabs(upper - expected->upper) > slack))
            fail_msg("%s: [%.17g, %.17g]", expected->text, lower, upper);
        expression_text_free(&read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_within_the_bounds),
        cmocka_unit_test(bounds_are_as_narrow_as_they_should_be),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
