/* On PostgreSQL a sum, product or quotient is NULL exactly where it has no place in its type.
 *
 * The guards of the dialect decide that before the operation runs, so they are tried where they could be wrong by one: pairs of
 * doubles whose result lies around the largest and the least double, pairs of integers around 2^63, from a fixed
 * sequence. What is right is computed here by the machine's own arithmetic. One exception is stated in
 * sql/postgres_arithmetic.c: what is rounded up to the least double may be NULL. */
#include <inttypes.h>
#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/print.h"
#include "sql/relation.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"

enum { PAIRS = 1500, LEAST_EXPONENT = -1074 };

static struct scratch_postgres server;
static PGconn *postgres;
static uint64_t sequence = 1;

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

/* splitmix64: any sequence would do, as long as it is always the same. */
static uint64_t next(void)
{
    uint64_t z = sequence += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static int next_below(int limit)
{
    return (int)(next() % (uint64_t)limit);
}

/* A mantissa that is often all ones or a one and zeros, where rounding has its edges. */
static double mantissa(void)
{
    switch (next_below(4)) {
    case 0:
        return 1;
    case 1:
        return 2 - 0x1p-52;
    case 2:
        return 1 + 0x1p-52;
    default:
        return 1 + (double)(next() >> 12) * 0x1p-52;
    }
}

static double signed_double(int exponent)
{
    double value = ldexp(mantissa(), exponent);
    return next_below(2) == 0 ? value : -value;
}

/* ---- Asking the server ---- */

/* The operation over columns c0 and c1 of the values. */
static PGresult *ask(const char *sign, enum sql_type type, const struct buffer *values)
{
    struct arena arena;
    arena_init(&arena, 1 << 20);
    struct sql_builder builder = {.arena = &arena};
    struct sql_column columns[] = {{.type = type, .nullable = true}, {.type = type, .nullable = true}};
    struct sql_relation relation = {.columns = columns, .column_count = 2};
    const struct sql_expression *sides[2], *call = NULL;
    error why;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sql_column_of(&builder, &relation, i, -1, &sides[i], &why), DITHER_OK);
    assert_int_equal(sql_call2(&builder, sign, sides[0], sides[1], -1, &call, &why), DITHER_OK);
    struct buffer sql;
    buffer_init(&sql, 16 << 20);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .alias = "v"};
    buffer_text(&sql, "SELECT ");
    sql_print_expression(&printer, call);
    buffer_format(&sql, " FROM (VALUES %s) AS v(n, c0, c1) ORDER BY v.n", values->data);
    assert_false(sql.failed);
    PGresult *result = PQexec(postgres, sql.data);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sign, PQerrorMessage(postgres));
    assert_int_equal(PQntuples(result), PAIRS);
    buffer_free(&sql);
    arena_free(&arena);
    return result;
}

/* ---- Doubles ---- */

static double compute(char sign, double a, double b)
{
    return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
}

static bool has_place(char sign, double a, double b, double result)
{
    if (isinf(result) || (sign == '/' && b == 0))
        return false;
    return result != 0 || a == 0 || sign == '+' || sign == '-' || (sign == '*' && b == 0);
}

/* A pair whose result is near one end of the doubles, or anywhere. */
static void pick_reals(char sign, double pair[2])
{
    int first = next_below(2098) + LEAST_EXPONENT, second = next_below(2098) + LEAST_EXPONENT;
    int end = next_below(2) == 0 ? 1023 : LEAST_EXPONENT, near = end + next_below(5) - 2;
    if (sign == '*' && next_below(4) != 0)
        second = near - first;
    if (sign == '/' && next_below(4) != 0)
        second = first - near;
    if ((sign == '+' || sign == '-') && next_below(4) != 0)
        first = 1023, second = 1023 - (next_below(2) == 0 ? next_below(3) : 52 + next_below(3));
    pair[0] = signed_double(first);
    pair[1] = signed_double(second);
}

/* How many of the pairs had a result. */
static size_t check_reals(char sign)
{
    double(*pairs)[2] = calloc(PAIRS, sizeof *pairs);
    struct buffer values;
    buffer_init(&values, 16 << 20);
    assert_non_null(pairs);
    for (int i = 0; i < PAIRS; i++) {
        do
            pick_reals(sign, pairs[i]);
        while (isinf(pairs[i][0]) || isinf(pairs[i][1]));
        buffer_format(&values, "%s(%d, CAST('%.17g' AS DOUBLE PRECISION), CAST('%.17g' AS DOUBLE PRECISION))",
                      i == 0 ? "" : ", ", i, pairs[i][0], pairs[i][1]);
    }
    PGresult *result = ask((char[]){sign, '\0'}, SQL_REAL, &values);
    size_t found = 0;
    for (int i = 0; i < PAIRS; i++) {
        double a = pairs[i][0], b = pairs[i][1], right = compute(sign, a, b);
        bool null = PQgetisnull(result, i, 0), wanted = has_place(sign, a, b, right);
        if (null && wanted && fabs(right) == 0x1p-1074)
            continue; /* the exception */
        if (null == wanted || (!null && strtod(PQgetvalue(result, i, 0), NULL) != right))
            fail_msg("%a %c %a is %s, not %a", a, sign, b, null ? "NULL" : PQgetvalue(result, i, 0), right);
        found += !null;
    }
    PQclear(result);
    buffer_free(&values);
    free(pairs);
    return found;
}

static void reals_are_null_exactly_where_they_have_no_place(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    for (const char *sign = "+-*/"; *sign != '\0'; sign++) {
        size_t found = check_reals(*sign);
        if (found < PAIRS / 20 || found > PAIRS * 19 / 20)
            fail_msg("%c: %zu", *sign, found); /* both sides of the edge were tried */
    }
}

/* ---- Integers ---- */

static bool compute_whole(char sign, int64_t a, int64_t b, int64_t *out)
{
    switch (sign) {
    case '+':
        return !__builtin_add_overflow(a, b, out);
    case '-':
        return !__builtin_sub_overflow(a, b, out);
    case '*':
        return !__builtin_mul_overflow(a, b, out);
    default:
        if (b == 0 || (sign == '/' && a == INT64_MIN && b == -1))
            return false;
        *out = sign == '/' ? a / b : b == -1 ? 0 : a % b;
        return true;
    }
}

static void pick_wholes(char sign, int64_t pair[2])
{
    int64_t small = next_below(7) - 3,
            far = next_below(2) == 0 ? INT64_MIN + next_below(4) : INT64_MAX - next_below(4);
    int bits = 2 + next_below(60);
    pair[0] = far;
    pair[1] = small;
    if (sign == '*' && next_below(2) == 0) {
        pair[0] = (INT64_C(1) << bits) + next_below(3) - 1;
        pair[1] = (next_below(2) == 0 ? 1 : -1) * (INT64_MAX / pair[0] + next_below(3) - 1);
    } else if (next_below(4) == 0) {
        pair[0] = (int64_t)next();
        pair[1] = (int64_t)next();
    }
}

static void check_wholes(char sign)
{
    int64_t(*pairs)[2] = calloc(PAIRS, sizeof *pairs);
    struct buffer values;
    buffer_init(&values, 16 << 20);
    assert_non_null(pairs);
    for (int i = 0; i < PAIRS; i++) {
        pick_wholes(sign, pairs[i]);
        buffer_format(&values, "%s(%d, CAST('%" PRId64 "' AS BIGINT), CAST('%" PRId64 "' AS BIGINT))",
                      i == 0 ? "" : ", ", i, pairs[i][0], pairs[i][1]);
    }
    PGresult *result = ask((char[]){sign, '\0'}, SQL_INTEGER, &values);
    for (int i = 0; i < PAIRS; i++) {
        int64_t right = 0;
        bool wanted = compute_whole(sign, pairs[i][0], pairs[i][1], &right);
        bool null = PQgetisnull(result, i, 0);
        if (null == wanted || (!null && strtoll(PQgetvalue(result, i, 0), NULL, 10) != right))
            fail_msg("%" PRId64 " %c %" PRId64 " is %s", pairs[i][0], sign, pairs[i][1],
                     null ? "NULL" : PQgetvalue(result, i, 0));
    }
    PQclear(result);
    buffer_free(&values);
    free(pairs);
}

static void integers_are_null_exactly_where_they_have_no_place(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    for (const char *sign = "+-*/%"; *sign != '\0'; sign++)
        check_wholes(*sign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_null_exactly_where_they_have_no_place),
        cmocka_unit_test(integers_are_null_exactly_where_they_have_no_place),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
