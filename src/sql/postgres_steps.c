/* Values become whole numbers of steps on PostgreSQL: clamp-and-grid, decided exactly as engine/duckdb_steps.c does.
 *
 *     CASE WHEN x >= LOWER AND x <= UPPER THEN floor(x / 2^e + 1/2) WHEN x > UPPER THEN upper ELSE lower END
 *
 * The bounds are whole numbers of steps, and exact in the value's own type, or rounded inwards: so what is rounded lies
 * between them and the result as well, whatever the value. NaN is not at most UPPER, and lands on the lower bound. Only CASE,
 * operators and plain functions: what a foreign server takes over. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "sql/civil.h"
#include "sql/postgres_form.h"

__extension__ typedef __int128 wide;

enum { MOST_EXPONENT = 62 };

static int64_t saturate(wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* ---- Reals ---- */

/* The double next to steps * 2^exponent on the inner side of a bound. */
static double inner_bound(int64_t steps, int exponent, bool lower)
{
    double value = (double)steps;
    if (lower && (wide)value < steps)
        value = nextafter(value, INFINITY);
    if (!lower && (wide)value > steps)
        value = nextafter(value, -INFINITY);
    return ldexp(value, exponent);
}

static void print_real(struct buffer *form, double value)
{
    postgres_print_literal(form, &(struct sql_value){.type = SQL_REAL, .real = value});
}

/* floor(q + 1/2) is (floor(2q) + 1) / 2 rounded down, and each of these steps is exact. From 2^53 on every quotient is
 * a whole number. What is so small that the product could vanish, which PostgreSQL does not allow, is no step. */
static void write_rounded_real(struct buffer *form, const struct sql_steps *steps)
{
    const int64_t most = INT64_C(1) << 60;
    if (steps->lower < -most || steps->upper > most) {
        assert(steps->lower > most / 2 || steps->upper < -most / 2);
        buffer_text(form, "CAST($1 * ");
        print_real(form, ldexp(1, -steps->exponent));
        buffer_text(form, " AS BIGINT)");
        return;
    }
    if (steps->exponent >= 2) {
        buffer_text(form, "CASE WHEN abs($1) < ");
        print_real(form, ldexp(1, steps->exponent - 2));
        buffer_text(form, " THEN 0 ELSE ");
    }
    buffer_text(form, "(CAST(floor($1 * ");
    print_real(form, ldexp(1, 1 - steps->exponent));
    buffer_text(form, ") AS BIGINT) + 1) >> 1");
    buffer_text(form, steps->exponent >= 2 ? " END" : "");
}

/* A shorter way for bounds that are not negative. width_bucket clamps from below and rounds down, in one call:
 *
 *     CASE WHEN x < UPPER - 1/2 THEN lower + width_bucket(x, LOWER + 1/2, LOWER + 1/2 + 2^m, 2^m) ...
 *
 * in steps, where 2^m is at least upper - lower. It computes (x - LOWER - 1/2) / 2^m * 2^m, in this order or another. The
 * difference is exact, because both are multiples of x's last place and x is not the smaller one; the rest are powers of
 * two. NaN, for which it would fail, is not below anything. Half the time of the form above on a plain sum. */
static bool has_buckets(const struct sql_steps *steps)
{
    const int64_t most = INT64_C(1) << 50;
    return steps->lower >= 0 && steps->upper < most && steps->upper - steps->lower >= 2 &&
           steps->upper - steps->lower <= INT64_C(1) << 30 && steps->exponent > -900 && steps->exponent < 900;
}

static void write_bucket_form(struct buffer *form, const struct sql_steps *steps)
{
    double first = (double)steps->lower + 0.5;
    int64_t count = 1;
    while (count < steps->upper - steps->lower)
        count *= 2;
    buffer_text(form, "(CASE WHEN $1 < ");
    print_real(form, ldexp((double)steps->upper - 0.5, steps->exponent));
    buffer_format(form, " THEN CAST('%" PRId64 "' AS BIGINT) + width_bucket($1, ", steps->lower);
    print_real(form, ldexp(first, steps->exponent));
    buffer_text(form, ", ");
    print_real(form, ldexp(first + (double)count, steps->exponent));
    buffer_format(form, ", %" PRId64 ") WHEN $1 < " FORM_REAL("NaN"), count);
}

static void write_real_form(struct buffer *form, const struct sql_steps *steps)
{
    if (has_buckets(steps)) {
        write_bucket_form(form, steps);
        return;
    }
    double upper = inner_bound(steps->upper, steps->exponent, false);
    buffer_text(form, "(CASE WHEN $1 >= ");
    print_real(form, inner_bound(steps->lower, steps->exponent, true));
    buffer_text(form, " AND $1 <= ");
    print_real(form, upper);
    buffer_text(form, " THEN ");
    write_rounded_real(form, steps);
    buffer_text(form, " WHEN $1 > ");
    print_real(form, upper);
    buffer_text(form, " AND $1 < " FORM_REAL("NaN"));
}

/* ---- Whole numbers, and what counts in them ---- */

/* The value whose whole number this is. Days and moments have a place within the years alone; `beyond` is for those
 * outside: no value reaches it. */
static void print_bound(struct buffer *form, const struct sql_expression *argument, int64_t whole, bool lower)
{
    bool date = argument->type == SQL_DATE, moment = argument->type == SQL_TIMESTAMP;
    int64_t first = date ? CIVIL_FIRST_DAY : moment ? CIVIL_FIRST_MOMENT : INT64_MIN;
    int64_t last = date ? CIVIL_LAST_DAY : moment ? CIVIL_LAST_MOMENT : INT64_MAX;
    if (lower ? whole > last : whole < first) {
        buffer_format(form, "CAST('%sinfinity' AS %s)", lower ? "" : "-", date ? "DATE" : "TIMESTAMP");
        return;
    }
    if (lower ? whole < first : whole > last)
        whole = lower ? first : last;
    postgres_print_literal(
        form, &(struct sql_value){.type = argument->type == SQL_BOOLEAN ? SQL_INTEGER : argument->type,
                                  .scale = argument->scale,
                                  .whole = whole});
}

/* The whole number of $1, which is between the bounds. */
static void write_whole(struct buffer *form, const struct sql_expression *argument)
{
    switch (argument->type) {
    case SQL_DECIMAL:
        buffer_byte(form, '1');
        for (int i = 0; i < argument->scale; i++)
            buffer_byte(form, '0');
        buffer_text(form, " * $1 AS BIGINT)");
        return;
    case SQL_DATE:
        buffer_text(form, "$1 - DATE '1970-01-01' AS BIGINT)");
        return;
    case SQL_TIMESTAMP:
        buffer_text(form, "CAST($1 AS DATE) - DATE '1970-01-01' AS BIGINT) * 86400000000 + "
                          "CAST(extract(epoch FROM CAST($1 AS TIME)) * 1000000 AS BIGINT)");
        return;
    case SQL_BOOLEAN:
        buffer_text(form, "CAST($1 AS INTEGER) AS BIGINT)");
        return;
    default:
        buffer_text(form, "$1 AS BIGINT)");
        return;
    }
}

static void write_rounded_whole(struct buffer *form, const struct sql_expression *argument, int exponent)
{
    bool integer = argument->type == SQL_INTEGER;
    if (integer && exponent == 0) {
        buffer_text(form, "$1");
    } else if (integer && exponent > 0) { /* half a step may not be added to the largest */
        buffer_format(form, "($1 >> %d) + (($1 >> %d) & 1)", exponent, exponent - 1);
    } else {
        buffer_text(form, "(CAST(");
        write_whole(form, argument);
        if (exponent > 0)
            buffer_format(form, " + %" PRId64 ") >> %d", INT64_C(1) << (exponent - 1), exponent);
        else if (exponent < 0)
            buffer_format(form, ") << %d", -exponent);
        else
            buffer_byte(form, ')');
    }
}

/* The whole number at a bound: rounded inwards where a step is less than one. */
static int64_t bound_of(int64_t steps, int exponent, bool lower)
{
    if (exponent >= 0)
        return saturate((wide)steps * ((wide)1 << exponent));
    int64_t size = INT64_C(1) << -exponent, below = steps / size - (steps % size < 0);
    return lower && steps % size != 0 ? below + 1 : below;
}

static void write_whole_form(struct buffer *form, const struct sql_expression *argument,
                             const struct sql_steps *steps)
{
    const char *value = argument->type == SQL_BOOLEAN ? "CAST($1 AS INTEGER)" : "$1";
    int64_t lower = bound_of(steps->lower, steps->exponent, true);
    int64_t upper = bound_of(steps->upper, steps->exponent, false);
    assert(steps->exponent <= MOST_EXPONENT && steps->exponent >= -MOST_EXPONENT);
    buffer_format(form, "(CASE WHEN %s >= ", value);
    print_bound(form, argument, lower, true);
    buffer_format(form, " AND %s <= ", value);
    print_bound(form, argument, upper, false);
    buffer_text(form, " THEN ");
    write_rounded_whole(form, argument, steps->exponent);
    buffer_format(form, " WHEN %s > ", value);
    print_bound(form, argument, upper, false);
    if (argument->type == SQL_DECIMAL)
        buffer_text(form, " AND $1 < CAST('NaN' AS NUMERIC)");
}

void postgres_print_steps(struct sql_printer *printer, const struct sql_expression *argument,
                          const struct sql_steps *steps)
{
    const struct sql_expression of = {.arguments = &argument, .argument_count = 1};
    struct buffer form;
    buffer_init(&form, 1 << 14);
    if (argument->type == SQL_REAL)
        write_real_form(&form, steps);
    else
        write_whole_form(&form, argument, steps);
    buffer_format(&form,
                  " THEN CAST('%" PRId64 "' AS BIGINT) WHEN $1 IS NOT NULL THEN CAST('%" PRId64
                  "' AS BIGINT) END)",
                  steps->upper, steps->lower);
    if (form.failed)
        printer->buffer->failed = true;
    else
        postgres_print_form(printer, &of, form.data);
    buffer_free(&form);
}
