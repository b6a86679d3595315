/* No printed expression fails, whatever the rows hold; and a literal is exactly the value that it stands for.
 *
 * Every function and every cast runs in DuckDB on values that PostgreSQL does not have or that no policy foresees:
 * infinite dates, years before Christ and far beyond, extreme intervals, texts with a zero byte or of a megabyte. Only
 * that there is an answer is checked here; what it is on ordinary values, test_functions.c shows. There are more rows
 * than a vector of DuckDB holds, and NULLs among them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/scratch.h"
#include "sql/function.h"
#include "sql/print.h"
#include "sql/relation.h"
#include "tests/support/edge_values.h"
#include "tests/support/test.h"

enum { MOST_ARGUMENTS = 4 };

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

struct wild {
    char letter;
    enum sql_type type;
    int scale;
    const char *values; /* a list in DuckDB's SQL */
};

static const struct wild wilds[] = {
    {'b', SQL_BOOLEAN, 0, "[NULL, TRUE, FALSE]"},
    {'i', SQL_INTEGER, 0,
     "[NULL, -9223372036854775808, 9223372036854775807, 0, -1, 1, 2147483648, -2147483649]::BIGINT[]"},
    {'n', SQL_DECIMAL, 2, "[NULL, 9999999999999999.99, -9999999999999999.99, 0, 0.01]::DECIMAL(18, 2)[]"},
    {'r', SQL_REAL, 0,
     "[NULL, 'nan', 'inf', '-inf', '0', '-0.0', '1e308', '-1e308', '5e-324', '0.1']::DOUBLE[]"},
    {'t', SQL_TEXT, 0,
     "[NULL, '', 'a', chr(0), 'a' || chr(0) || 'b', repeat('x', 9000), repeat('\xc3\xa4', 5000), 'nan', "
     "'1e400', "
     "chr(65279) || chr(128169) || chr(8205)]"},
    {'d', SQL_DATE, 0,
     "[NULL, 'infinity', '-infinity', '5877642-06-25 (BC)', '5881580-07-10', '0001-12-31 (BC)', "
     "'10000-01-01']::DATE[]"},
    {'s', SQL_TIMESTAMP, 0,
     "[NULL, 'infinity', '-infinity', '290309-12-22 (BC) 00:00:00', '294247-01-10 04:00:54.775806', "
     "'0001-12-31 (BC) 23:59:59', '10000-01-01']::TIMESTAMP[]"},
    {'v', SQL_INTERVAL, 0,
     "[NULL, to_months(2147483647), to_months(-2147483648), to_days(2147483647), to_days(-2147483648), "
     "to_microseconds(9223372036854775807), to_microseconds(-9223372036854775808)]"},
};

static const struct wild *wild_of(char letter)
{
    for (size_t i = 0; i < COUNT(wilds); i++)
        if (wilds[i].letter == letter)
            return &wilds[i];
    return NULL;
}

struct run {
    struct arena arena;
    struct sql_builder builder;
    const struct wild *columns[MOST_ARGUMENTS];
    size_t column_count;
};

static void run_init(struct run *run)
{
    *run = (struct run){0};
    arena_init(&run->arena, 256 << 20);
    run->builder.arena = &run->arena;
}

static const struct sql_expression *add_column(struct run *run, char letter)
{
    const struct wild *wild = wild_of(letter);
    struct sql_column columns[MOST_ARGUMENTS];
    for (size_t i = 0; i < MOST_ARGUMENTS; i++)
        columns[i] = (struct sql_column){.type = wild->type, .scale = wild->scale, .nullable = true};
    struct sql_relation relation = {.columns = columns, .column_count = MOST_ARGUMENTS};
    const struct sql_expression *out = NULL;
    error why;
    run->columns[run->column_count] = wild;
    assert_int_equal(sql_column_of(&run->builder, &relation, run->column_count++, -1, &out, &why), DITHER_OK);
    return out;
}

/* Counts the rows that have a value, over 3000 rows at least. */
static void evaluate(struct run *run, const struct sql_expression *expression, const char *name)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .alias = "r", .scratch = true};
    buffer_text(&sql, "SELECT count(");
    sql_print_expression(&printer, expression);
    buffer_text(&sql, ") AS c0 FROM (SELECT 1");
    static const int steps[] = {1, 10, 100, 1000};
    for (size_t i = 0; i < run->column_count; i++)
        buffer_format(&sql, ", w%zu.l[1 + (many.range // %d) %% len(w%zu.l)] AS c%zu", i, steps[i], i, i);
    buffer_text(&sql, " FROM range(3000) AS many");
    for (size_t i = 0; i < run->column_count; i++)
        buffer_format(&sql, ", (SELECT %s AS l) AS w%zu", run->columns[i]->values, i);
    buffer_text(&sql, ") AS r");
    struct scratch_column column = {SQL_INTEGER, 0};
    struct sql_rows rows;
    error why;
    if (scratch_query(scratch, sql.data, &column, 1, 10, &run->arena, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s: %s\n%s", name, why.message, scratch_complaint(scratch), sql.data);
    buffer_free(&sql);
}

static const char *constant_of(const struct sql_function *function, char letter)
{
    if (letter == 'I')
        return "1000";
    return strcmp(function->name, "date_trunc") == 0 ? "week"
           : strcmp(function->name, "to_char") == 0  ? "YYYY-MM-DD IYYY IW Q HH24:MI:SS"
                                                     : "%a_%";
}

static const struct sql_expression *add_constant(struct run *run, char letter, const char *text)
{
    const struct sql_expression *literal = NULL, *out = NULL;
    error why;
    struct sql_value value = {.type = SQL_UNKNOWN, .text = text};
    assert_int_equal(sql_literal(&run->builder, &value, -1, &literal, &why), DITHER_OK);
    assert_int_equal(
        sql_cast(&run->builder, literal, letter == 'T' ? SQL_TEXT : SQL_INTEGER, 0, -1, &out, &why),
        DITHER_OK);
    return out;
}

/* The overload, with `many` where it takes any type. */
static void try_function(const struct sql_function *function, char many)
{
    struct run run;
    run_init(&run);
    const struct sql_expression *arguments[MOST_ARGUMENTS], *call = NULL;
    size_t count = strlen(function->arguments);
    if (count > 0 && function->arguments[count - 1] == '*')
        count = 3;
    for (size_t i = 0; i < count; i++) {
        char letter = sql_function_letter(function, i);
        if (letter == 'T' || letter == 'I')
            arguments[i] = add_constant(&run, letter, constant_of(function, letter));
        else
            arguments[i] = add_column(&run, strchr("acx", letter) != NULL ? many : letter);
    }
    error why;
    if (sql_call(&run.builder, function->name, arguments, count, -1, &call, &why) != DITHER_OK)
        fail_msg("%s: %s", function->name, why.message);
    if (call->type != SQL_INTERVAL)
        evaluate(&run, call, function->name);
    arena_free(&run.arena);
}

static void no_function_fails_on_any_value(void **state)
{
    (void)state;
    const struct sql_function *function;
    for (size_t i = 0; (function = sql_function_at(i)) != NULL; i++) {
        if (strpbrk(function->arguments, "acx") == NULL) {
            try_function(function, 'i');
            continue;
        }
        for (const char *many = "birtdsn"; *many != '\0'; many++)
            try_function(function, *many);
    }
}

static void no_cast_fails_on_any_value(void **state)
{
    (void)state;
    static const enum sql_type to[] = {SQL_BOOLEAN, SQL_INTEGER, SQL_DECIMAL,  SQL_REAL,
                                       SQL_TEXT,    SQL_DATE,    SQL_TIMESTAMP};
    size_t tried = 0;
    for (const char *from = "birtdsn"; *from != '\0'; from++) {
        for (size_t i = 0; i < COUNT(to); i++) {
            struct run run;
            run_init(&run);
            const struct sql_expression *column = add_column(&run, *from), *cast = NULL;
            error why;
            if (sql_cast(&run.builder, column, to[i], to[i] == SQL_DECIMAL ? 18 : 0, -1, &cast, &why) ==
                DITHER_OK) {
                evaluate(&run, cast, "cast");
                tried++;
            }
            arena_free(&run.arena);
        }
    }
    assert_true(tried > 20);
}

/* ---- Literals ---- */

static void check_literals(enum sql_type type, int scale, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct run run;
        run_init(&run);
        const struct sql_expression *unknown = NULL, *literal = NULL;
        error why;
        struct sql_value text = {.type = SQL_UNKNOWN, .text = values[i], .null = values[i] == NULL};
        assert_int_equal(sql_literal(&run.builder, &text, -1, &unknown, &why), DITHER_OK);
        assert_int_equal(sql_cast(&run.builder, unknown, type, scale, -1, &literal, &why), DITHER_OK);
        struct buffer sql;
        buffer_init(&sql, 1 << 20);
        struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql};
        buffer_text(&sql, "SELECT ");
        sql_print_expression(&printer, literal);
        struct scratch_column column = {type, scale};
        struct sql_rows rows;
        if (scratch_query(scratch, sql.data, &column, 1, 10, &run.arena, &rows, &why) != DITHER_OK)
            fail_msg("%s: %s", sql.data, scratch_complaint(scratch));
        const struct sql_value *back = sql_rows_cell(&rows, 0, 0), *value = &literal->value;
        bool same = back->null == value->null;
        if (same && !back->null && type == SQL_REAL)
            same = isnan(value->real) ? isnan(back->real)
                                      : memcmp(&back->real, &value->real, sizeof value->real) == 0;
        else if (same && !back->null && type == SQL_TEXT)
            same = strcmp(back->text, value->text) == 0;
        else if (same && !back->null)
            same = back->whole == value->whole && back->months == value->months && back->days == value->days;
        if (!same)
            fail_msg("%s does not read back", sql.data);
        buffer_free(&sql);
        arena_free(&run.arena);
    }
}

static void literals_read_back_as_the_same_value(void **state)
{
    (void)state;
    check_literals(SQL_BOOLEAN, 0, edge_booleans, COUNT(edge_booleans));
    check_literals(SQL_INTEGER, 0, edge_wholes, COUNT(edge_wholes));
    check_literals(SQL_INTEGER, 0, edge_small_wholes, COUNT(edge_small_wholes));
    check_literals(SQL_DECIMAL, 2, edge_decimals, COUNT(edge_decimals));
    check_literals(SQL_DECIMAL, 2, edge_small_decimals, COUNT(edge_small_decimals));
    check_literals(SQL_DECIMAL, 4, edge_fine_decimals, COUNT(edge_fine_decimals));
    check_literals(SQL_REAL, 0, edge_reals, COUNT(edge_reals));
    check_literals(SQL_REAL, 0, edge_small_reals, COUNT(edge_small_reals));
    check_literals(SQL_TEXT, 0, edge_texts, COUNT(edge_texts));
    check_literals(SQL_TEXT, 0, edge_forms, COUNT(edge_forms));
    check_literals(SQL_DATE, 0, edge_dates, COUNT(edge_dates));
    check_literals(SQL_TIMESTAMP, 0, edge_timestamps, COUNT(edge_timestamps));
    check_literals(SQL_INTERVAL, 0, edge_intervals, COUNT(edge_intervals));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_function_fails_on_any_value),
        cmocka_unit_test(no_cast_fails_on_any_value),
        cmocka_unit_test(literals_read_back_as_the_same_value),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
