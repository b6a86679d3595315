/* Types, nullability, strictness, folding and refusals of expressions, from text: what PostgreSQL's grammar gives is
 * bound to the one overload that PostgreSQL would take, or refused in PostgreSQL's words with the place. The expected
 * types were read off PostgreSQL's manual, with bigint for every integer; that the values are right is shown in
 * tests/engine/test_functions.c, the bounds in tests/engine/test_ranges.c. */
#include <stdio.h>
#include <string.h>

#include "sql/function.h"
#include "sql/print.h"
#include "tests/support/expression.h"
#include "tests/support/test.h"

struct typed {
    const char *text;
    enum sql_type type;
    int scale;
    bool nullable;
};

static void check_types(const struct typed *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct expression_text read;
        expression_text_read(&read, cases[i].text);
        if (read.expression == NULL)
            fail_msg("%s: %s", cases[i].text, read.why.message);
        if (read.expression->type != cases[i].type || read.expression->scale != cases[i].scale ||
            read.expression->nullable != cases[i].nullable)
            fail_msg("%s is %s(%d), %s", cases[i].text, sql_type_name(read.expression->type),
                     read.expression->scale, read.expression->nullable ? "may be NULL" : "never NULL");
        expression_text_free(&read);
    }
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void types_follow_postgresql(void **state)
{
    (void)state;
    static const struct typed cases[] = {
        {"1", SQL_INTEGER, 0, false},
        {"1.5", SQL_REAL, 0, false},
        {"9223372036854775807", SQL_INTEGER, 0, false},
        {"9223372036854775808", SQL_REAL, 0, false},
        {"'a'", SQL_UNKNOWN, 0, false},
        {"NULL", SQL_UNKNOWN, 0, true},
        {"true", SQL_BOOLEAN, 0, false},
        {"i + j", SQL_INTEGER, 0, false},
        {"i + x", SQL_REAL, 0, false},
        {"i + n", SQL_DECIMAL, 2, false},
        {"n + m", SQL_DECIMAL, 4, false},
        {"n + x", SQL_REAL, 0, false},
        {"n * 2", SQL_REAL, 0, false},
        {"-n", SQL_DECIMAL, 2, false},
        {"abs(n)", SQL_DECIMAL, 2, false},
        {"i / 2", SQL_INTEGER, 0, false},
        {"i / j", SQL_INTEGER, 0, false},
        {"j / i", SQL_INTEGER, 0, true},
        {"i / 2.0", SQL_REAL, 0, false},
        {"i ^ 2", SQL_REAL, 0, true},
        {"u + 1", SQL_INTEGER, 0, true},
        {"i = 1", SQL_BOOLEAN, 0, false},
        {"i = n", SQL_BOOLEAN, 0, false},
        {"u = 1", SQL_BOOLEAN, 0, true},
        {"u IS NULL", SQL_BOOLEAN, 0, false},
        {"c AND b", SQL_BOOLEAN, 0, true},
        {"c IS TRUE", SQL_BOOLEAN, 0, false},
        {"NOT b", SQL_BOOLEAN, 0, false},
        {"u IS DISTINCT FROM 3", SQL_BOOLEAN, 0, false},
        {"i BETWEEN 1 AND 2.5", SQL_BOOLEAN, 0, false},
        {"i IN (1, 2, NULL)", SQL_BOOLEAN, 0, true},
        {"t = ANY('{a,b}')", SQL_BOOLEAN, 0, false},
        {"i <> ALL(ARRAY[1, 2])", SQL_BOOLEAN, 0, false},
        {"coalesce(u, 0)", SQL_INTEGER, 0, false},
        {"coalesce(u, 1.5)", SQL_REAL, 0, false},
        {"coalesce(n, i)", SQL_DECIMAL, 2, false},
        {"nullif(i, 0)", SQL_INTEGER, 0, true},
        {"greatest(i, x)", SQL_REAL, 0, false},
        {"CASE WHEN b THEN i END", SQL_INTEGER, 0, true},
        {"CASE WHEN b THEN i ELSE 0.5 END", SQL_REAL, 0, false},
        {"CASE i WHEN 1 THEN 'a' ELSE 'b' END", SQL_TEXT, 0, false},
        {"CASE WHEN b THEN NULL ELSE d END", SQL_DATE, 0, true},
        {"x::int", SQL_INTEGER, 0, false},
        {"t::int", SQL_INTEGER, 0, true},
        {"i::text", SQL_TEXT, 0, false},
        {"n::numeric(10,1)", SQL_DECIMAL, 1, false},
        {"x::numeric", SQL_REAL, 0, false},
        {"DATE '2024-02-29'", SQL_DATE, 0, false},
        {"d - DATE '2024-01-01'", SQL_INTEGER, 0, false},
        {"d - '2024-01-01'", SQL_INTEGER, 0, false},
        {"d > '2024-01-01'", SQL_BOOLEAN, 0, false},
        {"d + 1", SQL_DATE, 0, false},
        {"d + interval '1 day'", SQL_TIMESTAMP, 0, true},
        {"s - s", SQL_INTERVAL, 0, true},
        {"s - interval '1 month'", SQL_TIMESTAMP, 0, true},
        {"extract(month FROM d)", SQL_INTEGER, 0, false},
        {"date_part('second', s)", SQL_REAL, 0, false},
        {"date_trunc('month', d)", SQL_TIMESTAMP, 0, false},
        {"to_char(d, 'YYYY-MM')", SQL_TEXT, 0, true},
        {"length(t)", SQL_INTEGER, 0, false},
        {"t || i", SQL_TEXT, 0, true},
        {"concat(w)", SQL_TEXT, 0, false},
        {"concat(t, i, w, d, 'x')", SQL_TEXT, 0, true},
        {"substring(t FROM 2 FOR 3)", SQL_TEXT, 0, true},
        {"trim(BOTH 'x' FROM t)", SQL_TEXT, 0, false},
        {"position('a' IN t)", SQL_INTEGER, 0, false},
        {"t LIKE 'a%'", SQL_BOOLEAN, 0, false},
        {"w NOT ILIKE 'a%'", SQL_BOOLEAN, 0, true},
        {"t LIKE 'a!%' ESCAPE '!'", SQL_BOOLEAN, 0, false},
        {"round(x)", SQL_REAL, 0, false},
        {"round(n, 1)", SQL_DECIMAL, 2, true},
        {"width_bucket(x, -2, 3, 10)", SQL_INTEGER, 0, false},
        {"sqrt(y)", SQL_REAL, 0, false},
        {"sqrt(x)", SQL_REAL, 0, true},
    };
    check_types(cases, COUNT(cases));
}

struct refused {
    const char *text, *message; /* the beginning of it */
    int position;               /* in "SELECT text" */
};

static void what_is_not_on_the_list_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct refused cases[] = {
        {"md5(t)", "function md5(text) is not available in questions", 7},
        {"1 + md5(t)", "function md5(text) is not available in questions", 11},
        {"t + i", "operator does not exist: text + bigint", 9},
        {"lower(i)", "function lower(bigint) does not exist", 7},
        {"lower(t, t)", "function lower(text, text) does not exist", 7},
        {"x % 2.5", "operator does not exist: double precision % double precision", 9},
        {"i = t", "= types bigint and text cannot be matched", 9},
        {"b + 1", "operator does not exist: boolean + bigint", 9},
        {"i AND b", "argument of and must be type boolean, not type bigint", 7},
        {"CASE WHEN i THEN 1 END", "argument of CASE/WHEN must be type boolean, not type bigint", 17},
        {"CASE WHEN b THEN 1 ELSE t END", "CASE types bigint and text cannot be matched", 7},
        {"d::int", "cannot cast type date to bigint", 8},
        {"i + '1x'", "invalid input for type bigint: \"1x\"", 11},
        {"d = '2023-02-29'", "invalid input for type date: \"2023-02-29\"", 11},
        {"DATE 'today'", "invalid input for type date: \"today\"", 12},
        {"now()", "function now is not available: the answer would depend on the clock", 7},
        {"random()", "function random is not available: the answer would depend on the clock", 7},
        {"current_date", "the answer would depend on the clock", 7},
        {"t ~ 'a+'", "regular expressions are not available", 9},
        {"t SIMILAR TO 'a+'", "regular expressions are not available", 9},
        {"t LIKE w", "the pattern of LIKE must be a constant", 9},
        {"t LIKE 'a\\'", "LIKE pattern must not end with escape character", 14},
        {"t COLLATE \"C\"", "text is always compared by its bytes", 9},
        {"(1, 2) = (3, 4)", "rows are not values here", 14},
        {"ROW(1, 2)", "rows are not values here", 7},
        {"ARRAY[1]", "arrays are available as = ANY", 7},
        {"$1", "parameters are not available", 7},
        {"count(*)", "aggregate functions are not allowed in this test", 7},
        {"sum(i) FILTER (WHERE b)", "aggregate functions are not allowed in this test", 7},
        {"row_number() OVER ()", "window functions are not allowed in this test", 7},
        {"(SELECT 1)", "sub-selects are not allowed in this test", 7},
        {"public.f(1)", "functions of a schema are not available", 7},
        {"pg_sleep(1)", "function pg_sleep is not available", 7},
        {"pg_read_file('/etc/passwd')", "function pg_read_file(unknown) is not available in questions", 7},
        {"read_csv('x')", "function read_csv(unknown) is not available in questions", 7},
        {"getenv('HOME')", "function getenv(unknown) is not available in questions", 7},
        {"dither_add_whole(1, 2)", "function dither_add_whole(bigint, bigint) is not available", 7},
        {"\"extract.year\"(d)", "function extract.year is not available in questions", 7},
        {"\"is null\"(d)", "function is null is not available in questions", 7},
        {"repeat(t, 1001)", "the length must not be above 1000", 17},
        {"lpad(t, i)", "argument 2 of lpad must be a constant", 15},
        {"repeat('x', 2000000000)", "the length must not be above 1000", 19},
        {"replace(t, 'a', t)", "argument 3 of replace must be a constant", 23},
        {"date_trunc('fortnight', s)", "date_trunc knows the units", 18},
        {"extract(timezone FROM s)", "the field \"timezone\" is not available", 15},
        {"to_char(s, 'Month')", "to_char knows the parts", 18},
        {"to_char(s, 'SSSS')", "SSSS and IDDD are not available", 18},
        {"t::json", "type \"json\" is not available in questions", 10},
        {"t::timestamptz", "there are no time zones", 10},
        {"t::int[]", "this type is not available in questions", 10},
        {"t::varchar(3)", "type varchar takes no length here", 10},
        {"1::numeric(40, 2)", "numeric takes 1 to 18 digits", 10},
        {"i BETWEEN SYMMETRIC 3 AND 1", "this operator is not available", 9},
        {"i & 1", "operator & is not available in questions", 9},
        {"i OPERATOR(pg_catalog.+) 1", "OPERATOR(...) is not available", 9},
        {"nosuch", "column \"nosuch\" does not exist", 7},
        {"v = v", "intervals cannot be compared", 9},
        {"1e999", "the number is out of range", 7},
        {"B'101'", "bit strings are not available", 7},
        {"xmlelement(name a)", "XML is not available", 7},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct expression_text read;
        expression_text_read(&read, cases[i].text);
        if (read.expression != NULL)
            fail_msg("%s was accepted", cases[i].text);
        if (strncmp(read.why.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %s", cases[i].text, read.why.message);
        if (read.why.position != cases[i].position)
            fail_msg("%s: position %d", cases[i].text, read.why.position);
        expression_text_free(&read);
    }
}

/* What is NULL whenever a column is: a filter on it drops rows that an outer join has filled up. */
static void strictness_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool strict;
    } cases[] = {
        {"u = 1", true},         {"u + z > 3", true},       {"w LIKE 'a%'", true},
        {"u::text = 'a'", true}, {"coalesce(u, 1)", false}, {"u IS NULL", false},
        {"u = 1 OR c", false},   {"c AND u = 1", false},    {"CASE WHEN c THEN 1 END", false},
        {"nullif(u, 1)", false}, {"NOT c", true},           {"concat(w)", false},
        {"1 = 1", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct expression_text read;
        expression_text_read(&read, cases[i].text);
        if (read.expression == NULL || sql_is_strict(read.expression) != cases[i].strict)
            fail_msg("%s", cases[i].text);
        expression_text_free(&read);
    }
}

static void constants_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"-5", "CAST(-5 AS BIGINT)"},
        {"- 9223372036854775808", "CAST(-9223372036854775808 AS BIGINT)"},
        {"0.1", "CAST('0.1' AS DOUBLE)"},
        {"DATE '2024-02-29'", "DATE '2024-02-29'"},
        {"TIMESTAMP '2024-02-29T01:02:03.5'", "TIMESTAMP '2024-02-29 01:02:03.5'"},
        {"INTERVAL '1 month -2 days 3 hours'", "(to_months(CAST(1 AS INTEGER)) + to_days(CAST(-2 AS "
                                               "INTEGER)) + to_microseconds(CAST(10800000000 AS "
                                               "BIGINT)))"},
        {"'it''s'::text", "'it''s'"},
        {"2::numeric(5, 2)", "CAST('2.00' AS DECIMAL(18, 2))"},
        {"'t'::boolean", "TRUE"},
        {"concat('a', NULL, 1)",
         "dither_concat(dither_concat(coalesce('a', ''), coalesce(CAST(NULL AS VARCHAR), "
         "'')), coalesce(TRY_CAST(CAST(1 AS BIGINT) AS VARCHAR), ''))"},
        {"NULL::date", "CAST(NULL AS DATE)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct expression_text read;
        expression_text_read(&read, cases[i].text);
        if (read.expression == NULL)
            fail_msg("%s: %s", cases[i].text, read.why.message);
        struct buffer buffer;
        buffer_init(&buffer, 10000);
        struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &buffer};
        sql_print_expression(&printer, read.expression);
        if (strcmp(buffer.data, cases[i].printed) != 0)
            fail_msg("%s is printed %s", cases[i].text, buffer.data);
        buffer_free(&buffer);
        expression_text_free(&read);
    }
}

/* The right side's columns have the right side's name; a text cannot end its quotes. */
static void columns_and_texts_are_printed_safely(void **state)
{
    (void)state;
    struct expression_text read;
    expression_text_read(&read, "t || ''' || x --' = w");
    struct buffer buffer;
    buffer_init(&buffer, 10000);
    struct sql_printer printer = {
        .dialect = &sql_duckdb, .buffer = &buffer, .alias = "l", .right_alias = "r", .left_count = 11};
    sql_print_expression(&printer, read.expression);
    assert_string_equal(buffer.data, "(dither_concat(l.c10, ''' || x --') = r.c0)");
    buffer_clear(&buffer);
    sql_print_identifier(&buffer, "a\"b");
    assert_string_equal(buffer.data, "\"a\"\"b\"");
    buffer_free(&buffer);
    expression_text_free(&read);
}

static void the_same_expression_is_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"i + 1", "i  +  1", true},     {"i + 1", "i + 2", false},
        {"i + 1", "j + 1", false},      {"x = 0.0", "x = -0.0", false},
        {"lower(t)", "lower(t)", true}, {"i = 1", "i = 1.0", false},
        {"t = 'a'", "t = 'b'", false},  {"CASE WHEN b THEN 1 END", "CASE WHEN b THEN 1 ELSE NULL END", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct expression_text a, b;
        expression_text_read(&a, cases[i].a);
        expression_text_read(&b, cases[i].b);
        if (sql_same_expression(a.expression, b.expression) != cases[i].same)
            fail_msg("%s, %s", cases[i].a, cases[i].b);
        expression_text_free(&a);
        expression_text_free(&b);
    }
}

/* Columns are replaced, and bounds follow: i + 1 with i = j * 2 lies in 3 .. 9. */
static void substitution_recomputes_bounds(void **state)
{
    (void)state;
    struct expression_text read;
    expression_text_read(&read, "i + 1");
    const struct sql_expression *columns[15] = {0}, *two = NULL, *j = NULL, *out = NULL;
    struct sql_builder *builder = &read.binder.builder;
    error why;
    struct sql_value value = {.type = SQL_INTEGER, .whole = 2};
    assert_int_equal(sql_literal(builder, &value, -1, &two, &why), DITHER_OK);
    assert_int_equal(sql_column_of(builder, &expression_row, 1, -1, &j, &why), DITHER_OK);
    assert_int_equal(sql_call2(builder, "*", j, two, -1, &columns[0], &why), DITHER_OK);
    assert_int_equal(sql_substitute(builder, read.expression, columns, 15, &out, &why), DITHER_OK);
    assert_true(out->range.known);
    assert_int_equal(out->range.lower, 3);
    assert_int_equal(out->range.upper, 9);
    assert_false(out->nullable);
    expression_text_free(&read);
}

/* Whatever walks a tree must be done soon: an operand of CASE is compared with every WHEN, so that nesting
 * multiplies. */
static void deep_and_large_expressions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        int levels;
        bool accepted;
    } cases[] = {
        {"abs(", ")", 300, true},
        {"abs(", ")", 420, false},
        {"CASE ", " WHEN 1 THEN 2 WHEN 3 THEN 4 END", 8, true},
        {"CASE ", " WHEN 1 THEN 2 WHEN 3 THEN 4 END", 40, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[6000] = "";
        size_t at = 0;
        for (int level = 0; level < cases[i].levels; level++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s", cases[i].open);
        at += (size_t)snprintf(text + at, sizeof text - at, "i");
        for (int level = 0; level < cases[i].levels; level++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s", cases[i].close);
        struct expression_text read;
        expression_text_read(&read, text);
        if ((read.expression != NULL) != cases[i].accepted)
            fail_msg("%d of %s: %s", cases[i].levels, cases[i].open, read.why.message);
        expression_text_free(&read);
    }
}

static void too_many_nodes_are_refused(void **state)
{
    (void)state;
    struct expression_text read;
    expression_text_read(&read, "i + i");
    read.binder.builder.node_count = SQL_MOST_NODES;
    const struct sql_expression *out = NULL;
    error why;
    assert_int_equal(sql_call2(&read.binder.builder, "+", read.expression, read.expression, 3, &out, &why),
                     DITHER_INVALID);
    assert_int_equal(why.position, 3);
    assert_null(out);
    expression_text_free(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_follow_postgresql),
        cmocka_unit_test(what_is_not_on_the_list_is_refused_with_its_place),
        cmocka_unit_test(strictness_is_known),
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(columns_and_texts_are_printed_safely),
        cmocka_unit_test(the_same_expression_is_recognised),
        cmocka_unit_test(substitution_recomputes_bounds),
        cmocka_unit_test(deep_and_large_expressions_are_refused),
        cmocka_unit_test(too_many_nodes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
