/* Nothing that the PostgreSQL dialect prints can fail, whatever the rows hold, and its text does not explode.
 *
 * Every function and every cast runs on a scratch server over all combinations of values that no policy foresees: the
 * ends of every type, infinite days, years before Christ, the NaN of numeric, extreme intervals, long texts. Then again
 * with constants in place of one or more columns: the planner evaluates those before it sees a row, in branches of a
 * CASE that no row would enter. Only that there is an answer is checked here; what it is, test_functions.c shows. */
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "sql/function.h"
#include "sql/print.h"
#include "sql/relation.h"
#include "tests/support/edge_values.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"

enum { MOST_ARGUMENTS = 4, EXPRESSIONS_AT_ONCE = 40 };

static struct scratch_postgres server;
static PGconn *postgres;

static int start(void **state)
{
    (void)state;
    if (!scratch_postgres_available())
        return 0;
    scratch_postgres_start(&server, "-c fsync=off -c jit=off");
    postgres = PQconnectdb(server.connection);
    return PQstatus(postgres) == CONNECTION_OK ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    if (postgres == NULL)
        return 0;
    PQfinish(postgres);
    scratch_postgres_stop(&server);
    return 0;
}

/* ---- Columns of wild values, and constants ---- */

struct wild {
    char letter;
    enum sql_type type;
    int scale;
    const char *values; /* an array in PostgreSQL's SQL */
    const char *const *constants;
    size_t constant_count;
};

static const struct wild wilds[] = {
    {'b', SQL_BOOLEAN, 0, "'{NULL, true, false}'::boolean[]", edge_booleans, COUNT(edge_booleans)},
    {'i', SQL_INTEGER, 0,
     "'{NULL, -9223372036854775808, -9223372036854775807, 9223372036854775807, 0, -1, 1, 2147483648, "
     "-2147483649}'::bigint[]",
     edge_wholes, COUNT(edge_wholes)},
    {'n', SQL_DECIMAL, 2,
     "'{NULL, NaN, 9999999999999999.99, -9999999999999999.99, 0, 0.01, -2.5}'::numeric(18, 2)[]",
     edge_decimals, COUNT(edge_decimals)},
    {'r', SQL_REAL, 0,
     "'{NULL, NaN, Infinity, -Infinity, 0, -0, 1e308, -1e308, 1.7976931348623157e308, 8.98846567431158e307, "
     "2.2250738585072014e-308, 5e-324, -5e-324, 1e-200, 1e200, 709.782712893384, -745.2, 1, -1, 0.5, "
     "0.1}'::double precision[]",
     edge_reals, COUNT(edge_reals)},
    {'t', SQL_TEXT, 0,
     "ARRAY[NULL, '', 'a', 'nan', '1e400', '-1e-400', '1e99999', '1e-99999', '0e99999', '.', '+', "
     "'2024-02-30', "
     "'9999-12-31 24:00', '99999999999999999999', E'\\x0b1', repeat('x', 9000), repeat('\xc3\xa4', 5000), "
     "repeat('1', 20000), repeat('0', 999), '0.' || repeat('0', 900) || '1', "
     "'2024-01-01 00:00:00.' || repeat('9', 500)]",
     edge_forms, COUNT(edge_forms)},
    {'d', SQL_DATE, 0,
     "'{NULL, infinity, -infinity, 4714-11-24 BC, 5874897-12-31, 0001-12-31 BC, 0001-01-01, 9999-12-31, "
     "10000-01-01}'::date[]",
     edge_dates, COUNT(edge_dates)},
    {'s', SQL_TIMESTAMP, 0,
     "'{NULL, infinity, -infinity, 4714-11-24 00:00:00 BC, 294276-12-31 23:59:59.999999, "
     "0001-12-31 23:59:59 BC, 0001-01-01 00:00:00, 9999-12-31 23:59:59.999999, 10000-01-01}'::timestamp[]",
     edge_timestamps, COUNT(edge_timestamps)},
    {'v', SQL_INTERVAL, 0,
     "'{NULL, 178956970 years 7 months, -178956970 years -8 months, 2147483647 days, -2147483648 days, "
     "2562047788:00:54, -2562047788:00:54, 20000 years -7305000 days, 1 day, 9998 years -1 day 24:00:01}'"
     "::interval[]",
     edge_intervals, COUNT(edge_intervals)},
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
    const struct sql_expression *expressions[EXPRESSIONS_AT_ONCE];
    size_t count;
};

static void run_init(struct run *run)
{
    *run = (struct run){0};
    arena_init(&run->arena, 64 << 20);
    run->builder.arena = &run->arena;
}

static const struct sql_expression *column_of(struct run *run, const struct wild *wild, size_t index)
{
    struct sql_column columns[MOST_ARGUMENTS];
    for (size_t i = 0; i < MOST_ARGUMENTS; i++)
        columns[i] = (struct sql_column){.type = wild->type, .scale = wild->scale, .nullable = true};
    struct sql_relation relation = {.columns = columns, .column_count = MOST_ARGUMENTS};
    const struct sql_expression *out = NULL;
    error why;
    assert_int_equal(sql_column_of(&run->builder, &relation, index, -1, &out, &why), DITHER_OK);
    return out;
}

static const struct sql_expression *add_column(struct run *run, char letter)
{
    run->columns[run->column_count] = wild_of(letter);
    return column_of(run, wild_of(letter), run->column_count++);
}

static const struct sql_expression *constant(struct run *run, enum sql_type type, int scale, const char *text)
{
    const struct sql_expression *literal = NULL, *out = NULL;
    error why;
    struct sql_value value = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    assert_int_equal(sql_literal(&run->builder, &value, -1, &literal, &why), DITHER_OK);
    if (sql_cast(&run->builder, literal, type, scale, -1, &out, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return out;
}

/* Evaluates the expressions on all combinations of the columns' values. */
static void evaluate(struct run *run, const char *name)
{
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .alias = "r"};
    for (size_t i = 0; i < run->count; i++) {
        buffer_text(&sql, i == 0 ? "SELECT count(" : ", count(");
        sql_print_expression(&printer, run->expressions[i]);
        buffer_byte(&sql, ')');
    }
    buffer_text(&sql, " FROM (SELECT 1 AS n");
    for (size_t i = 0; i < run->column_count; i++)
        buffer_format(&sql, ", w%zu.v AS c%zu", i, i);
    buffer_text(&sql, " FROM (SELECT 1) AS one");
    for (size_t i = 0; i < run->column_count; i++)
        buffer_format(&sql, ", unnest(%s) AS w%zu(v)", run->columns[i]->values, i);
    buffer_text(&sql, ") AS r");
    assert_false(sql.failed);
    PGresult *result = PQexec(postgres, sql.data);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s\n%.4000s", name, PQerrorMessage(postgres), sql.data);
    PQclear(result);
    buffer_free(&sql);
    run->count = 0;
}

/* ---- Functions ---- */

static const char *constant_text(const struct sql_function *function, char letter)
{
    if (letter == 'I')
        return "1000";
    return strcmp(function->name, "date_trunc") == 0 ? "week"
           : strcmp(function->name, "to_char") == 0  ? "YYYY-MM-DD IYYY IW Q HH24:MI:SS"
           : strcmp(function->name, "replace") == 0  ? "x"
                                                     : "%a_%";
}

/* The letters of one call, with `many` where the function takes any type. */
static size_t letters_of(const struct sql_function *function, char many, char letters[MOST_ARGUMENTS + 1])
{
    size_t count = strlen(function->arguments);
    if (count > 0 && function->arguments[count - 1] == '*')
        count = 3;
    for (size_t i = 0; i < count; i++) {
        char letter = sql_function_letter(function, i);
        letters[i] = strchr("acx", letter) != NULL ? many : letter;
    }
    letters[count] = '\0';
    return count;
}

static void add_call(struct run *run, const struct sql_function *function,
                     const struct sql_expression *const *arguments, size_t count)
{
    error why;
    if (sql_call(&run->builder, function->name, arguments, count, -1, &run->expressions[run->count], &why) !=
        DITHER_OK)
        fail_msg("%s: %s", function->name, why.message);
    run->count++;
}

static void try_columns(const struct sql_function *function, char many)
{
    struct run run;
    run_init(&run);
    const struct sql_expression *arguments[MOST_ARGUMENTS];
    char letters[MOST_ARGUMENTS + 1];
    size_t count = letters_of(function, many, letters);
    for (size_t i = 0; i < count; i++) {
        bool fixed = letters[i] == 'T' || letters[i] == 'I';
        arguments[i] = fixed ? constant(&run, letters[i] == 'T' ? SQL_TEXT : SQL_INTEGER, 0,
                                        constant_text(function, letters[i]))
                             : add_column(&run, letters[i]);
    }
    add_call(&run, function, arguments, count);
    evaluate(&run, function->name);
    arena_free(&run.arena);
}

/* Constants in the places of the mask; all of the edge values in the first such place, others in turn beside them. */
static void try_constants(const struct sql_function *function, char many, unsigned mask)
{
    struct run run;
    run_init(&run);
    const struct sql_expression *arguments[MOST_ARGUMENTS] = {NULL};
    char letters[MOST_ARGUMENTS + 1];
    size_t count = letters_of(function, many, letters), picks = 1;
    for (size_t i = 0; i < count; i++) {
        bool fixed = letters[i] == 'T' || letters[i] == 'I';
        if (fixed)
            arguments[i] = constant(&run, letters[i] == 'T' ? SQL_TEXT : SQL_INTEGER, 0,
                                    constant_text(function, letters[i]));
        else if ((mask >> i & 1) == 0)
            arguments[i] = add_column(&run, letters[i]);
        else if (wild_of(letters[i])->constant_count > picks)
            picks = wild_of(letters[i])->constant_count;
    }
    for (size_t pick = 0; pick < picks; pick++) {
        for (size_t i = 0; i < count; i++) {
            const struct wild *wild = wild_of(letters[i]);
            if (wild != NULL && (mask >> i & 1) != 0)
                arguments[i] = constant(&run, wild->type, wild->scale,
                                        wild->constants[(pick * (i + 1)) % wild->constant_count]);
        }
        add_call(&run, function, arguments, count);
        if (run.count == EXPRESSIONS_AT_ONCE || pick + 1 == picks)
            evaluate(&run, function->name);
    }
    arena_free(&run.arena);
}

static bool takes_many(const struct sql_function *function)
{
    return strpbrk(function->arguments, "acx") != NULL;
}

static void no_function_fails_on_any_value(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    const struct sql_function *function;
    for (size_t i = 0; (function = sql_function_at(i)) != NULL; i++)
        for (const char *many = takes_many(function) ? "birtdsn" : "i"; *many != '\0'; many++)
            try_columns(function, *many);
}

static void no_function_fails_on_constants(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    const struct sql_function *function;
    for (size_t i = 0; (function = sql_function_at(i)) != NULL; i++) {
        unsigned masks = 1U << strlen(function->arguments);
        if (strchr(function->arguments, '*') != NULL)
            masks = 8;
        for (unsigned mask = 1; mask < masks; mask++)
            for (const char *many = takes_many(function) ? "nt" : "i"; *many != '\0'; many++)
                try_constants(function, *many, mask);
    }
}

/* ---- Casts ---- */

static void no_cast_fails_on_any_value(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    static const enum sql_type to[] = {SQL_BOOLEAN, SQL_INTEGER, SQL_DECIMAL,  SQL_REAL,
                                       SQL_TEXT,    SQL_DATE,    SQL_TIMESTAMP};
    size_t tried = 0;
    for (const char *from = "birtdsn"; *from != '\0'; from++) {
        struct run run;
        run_init(&run);
        const struct sql_expression *column = add_column(&run, *from);
        for (size_t i = 0; i < 2 * COUNT(to); i++) {
            error why;
            enum sql_type type = to[i / 2];
            if (sql_cast(&run.builder, column, type, type == SQL_DECIMAL ? 18 * (int)(i % 2) : 0, -1,
                         &run.expressions[run.count], &why) == DITHER_OK)
                run.count++;
        }
        tried += run.count;
        evaluate(&run, "cast");
        arena_free(&run.arena);
    }
    assert_true(tried > 50);
}

/* ---- Long expressions ---- */

/* ((c0 * c1) + c0) * c1 + ... of so many operations, half of them products. */
static const struct sql_expression *chain(struct run *run, char letter, size_t operations)
{
    const struct sql_expression *columns[2], *sum;
    run->columns[0] = run->columns[1] = wild_of(letter);
    run->column_count = 2;
    for (size_t i = 0; i < 2; i++)
        columns[i] = column_of(run, wild_of(letter), i);
    sum = columns[0];
    error why;
    for (size_t i = 0; i < operations; i++)
        assert_int_equal(
            sql_call2(&run->builder, i % 2 == 0 ? "*" : "+", sum, columns[(i + 1) % 2], -1, &sum, &why),
            DITHER_OK);
    return sum;
}

static size_t printed_length(char letter, size_t operations)
{
    struct run run;
    run_init(&run);
    struct buffer sql;
    buffer_init(&sql, 64 << 20);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .alias = "r"};
    sql_print_expression(&printer, chain(&run, letter, operations));
    assert_false(sql.failed);
    size_t length = sql.length;
    buffer_free(&sql);
    arena_free(&run.arena);
    return length;
}

static void long_expressions_grow_line_by_line_and_do_not_fail(void **state)
{
    (void)state;
    for (const char *letter = "ir"; *letter != '\0'; letter++) {
        size_t some = printed_length(*letter, 50), twice = printed_length(*letter, 100);
        assert_true(twice < 2 * some + 20000);
        assert_true(printed_length(*letter, 200) < 200 * 8000);
        if (postgres == NULL)
            continue;
        struct run run;
        run_init(&run);
        run.expressions[run.count++] = chain(&run, *letter, 40);
        evaluate(&run, "a long expression");
        arena_free(&run.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_function_fails_on_any_value),
        cmocka_unit_test(no_function_fails_on_constants),
        cmocka_unit_test(no_cast_fails_on_any_value),
        cmocka_unit_test(long_expressions_grow_line_by_line_and_do_not_fail),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
