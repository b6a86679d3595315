/* The first statement of a release: units, rows, sums and products. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "engine/postgres_release.h"

#define MOST_ROWS INT64_C(4294967296) /* 2^32: up to here 64 bits hold a sum of steps */
#define SATURATED "4611686018427387904"

static bool has_value(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_SUM || measure->kind == SQL_MEASURE_PRODUCT ||
           (measure->kind == SQL_MEASURE_ROWS && release_has_condition(measure));
}

static void print_whole_steps(struct sql_printer *printer, const struct sql_expression *argument,
                              const struct sql_steps *steps, const char *type)
{
    buffer_text(printer->buffer, "CAST(");
    release_print_steps(printer, argument, steps);
    buffer_format(printer->buffer, " AS %s)", type);
}

/* ---- Steps of one row of each unit ---- */

/* floor(y + 1/2) of a real y = x / 2^exponent that is at least 0, below 2^51 and not made smaller on the way: with the
 * double below 1/2 in place of it, y + 1/2 reaches a whole number exactly when it should (adding 1/2 itself would lift
 * the double below 1/2 to 1). Up to 2^22 steps of 2^41 rows, more than a table can have, are summed in 64 bits. Half the
 * work of the general form, which the server does for every row. */
static bool has_short_steps(const struct sql_measure *measure)
{
    const struct sql_steps *steps = &measure->steps;
    const int64_t most = INT64_C(1) << 22;
    return measure->kind == SQL_MEASURE_SUM && measure->argument->type == SQL_REAL && steps->exponent <= 0 &&
           steps->exponent >= -1000 && steps->lower >= 0 && steps->upper <= most && steps->centre >= -most &&
           steps->centre <= most;
}

static void print_real(struct sql_printer *printer, double value)
{
    printer->dialect->literal(printer, &(struct sql_value){.type = SQL_REAL, .real = value});
}

/* NaN is greater than everything, and lands on the lower bound. */
static void print_short_steps(struct sql_printer *printer, const struct sql_measure *measure)
{
    const struct sql_steps *steps = &measure->steps;
    struct buffer *out = printer->buffer;
    buffer_text(out, "CASE WHEN (");
    sql_print_expression(printer, measure->argument);
    buffer_text(out, ") <= ");
    print_real(printer, ldexp((double)steps->upper, steps->exponent));
    buffer_text(out, " THEN CAST(floor(GREATEST((");
    sql_print_expression(printer, measure->argument);
    buffer_text(out, "), ");
    print_real(printer, ldexp((double)steps->lower, steps->exponent));
    buffer_text(out, ") * ");
    print_real(printer, ldexp(1, -steps->exponent));
    buffer_text(out, " + ");
    print_real(printer, nextafter(0.5, 0));
    buffer_text(out, ") AS INTEGER)");
    if (steps->centre != 0)
        buffer_format(out, " - (%" PRId64 ")", steps->centre);
    buffer_text(out, " WHEN (");
    sql_print_expression(printer, measure->argument);
    buffer_text(out, ") < CAST('NaN' AS DOUBLE PRECISION) THEN ");
    buffer_format(out, "%" PRId64 " WHEN (", steps->upper - steps->centre);
    sql_print_expression(printer, measure->argument);
    buffer_format(out, ") IS NOT NULL THEN %" PRId64 " END", steps->lower - steps->centre);
}

/* ---- Values ---- */

/* A sum over all units has more than 2^32 rows perhaps: there it is one of BIGINT, whose sum is NUMERIC. */
static void print_value(struct sql_printer *printer, const struct sql_measure *measure, bool single_pass)
{
    bool condition = release_has_condition(measure);
    if (condition) {
        buffer_text(printer->buffer, "CASE WHEN ");
        release_print_condition(printer, measure);
        buffer_text(printer->buffer, " THEN ");
    }
    if (measure->kind == SQL_MEASURE_ROWS) {
        buffer_text(printer->buffer, "1");
    } else if (single_pass && has_short_steps(measure)) {
        print_short_steps(printer, measure);
    } else if (measure->kind == SQL_MEASURE_SUM) {
        print_whole_steps(printer, measure->argument, &measure->steps, single_pass ? "BIGINT" : "INTEGER");
    } else {
        print_whole_steps(printer, measure->argument, &measure->steps, "BIGINT");
        buffer_text(printer->buffer, " * ");
        print_whole_steps(printer, measure->second, &measure->second_steps, "BIGINT");
    }
    buffer_text(printer->buffer, condition ? " END" : "");
}

static void print_values(struct sql_printer *printer, const struct postgres_release *plan,
                         const struct sql_measure *unused)
{
    (void)unused;
    for (size_t i = 0; i < plan->release->measure_count; i++) {
        if (!has_value(&plan->release->measures[i]))
            continue;
        buffer_text(printer->buffer, ", ");
        print_value(printer, &plan->release->measures[i], plan->single_pass);
        buffer_format(printer->buffer, " AS v%zu", i);
    }
}

/* Without rows a sum is NULL, which means 0. */
static void print_saturated(const char *name, struct buffer *out)
{
    buffer_format(
        out, ", CAST(LEAST(GREATEST(COALESCE(sum(%s), 0), -" SATURATED "), " SATURATED ") AS BIGINT)", name);
}

static void print_group_by(const struct postgres_release *plan, const char *first, struct buffer *out)
{
    if (first[0] == '\0' && plan->release->key_count == 0)
        return;
    buffer_format(out, " GROUP BY %s", first);
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sk%zu", i == 0 && first[0] == '\0' ? "" : ", ", i);
}

static void print_single_pass(const struct postgres_release *plan, struct buffer *out)
{
    buffer_text(out, "SELECT count(*)");
    postgres_print_keys(plan, ", ", out);
    for (size_t i = 0; i < plan->release->measure_count; i++) {
        const struct sql_measure *measure = &plan->release->measures[i];
        char name[24];
        snprintf(name, sizeof name, "v%zu", i);
        if (!postgres_is_additive(measure))
            continue;
        if (!has_value(measure))
            buffer_text(out, ", count(*)");
        else if (measure->kind == SQL_MEASURE_ROWS)
            buffer_format(out, ", count(%s)", name);
        else
            print_saturated(name, out);
    }
    buffer_text(out, " FROM (");
    postgres_print_rows(plan, print_values, NULL, out);
    buffer_text(out, ") AS private_rows");
    print_group_by(plan, "", out);
}

/* ---- Two levels ---- */

static void print_per_unit(const struct postgres_release *plan, struct buffer *out)
{
    buffer_text(out, "SELECT u");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, ", count(*) AS n");
    for (size_t i = 0; i < plan->release->measure_count; i++)
        if (has_value(&plan->release->measures[i]))
            buffer_format(out, ", %s(v%zu) AS v%zu",
                          plan->release->measures[i].kind == SQL_MEASURE_ROWS ? "count" : "sum", i, i);
    buffer_text(out, " FROM (");
    postgres_print_rows(plan, print_values, NULL, out);
    buffer_text(out, ") AS private_rows");
    print_group_by(plan, "u", out);
}

/* Times rows/n where there are too many rows, towards zero; a count of all rows becomes that many. */
static void print_scaled(const struct sql_measure *measure, size_t index, int64_t rows, struct buffer *out)
{
    if (measure->kind == SQL_MEASURE_UNITS)
        buffer_byte(out, '1');
    else if (!has_value(measure))
        buffer_format(out, "LEAST(n, %" PRId64 ")", rows);
    else if (measure->kind == SQL_MEASURE_PRODUCT)
        buffer_format(out,
                      "CASE WHEN n <= %" PRId64
                      " THEN COALESCE(v%zu, 0) ELSE div(COALESCE(v%zu, 0) * %" PRId64 ", n) END",
                      rows, index, index, rows);
    else
        buffer_format(out,
                      "CASE WHEN n <= %" PRId64 " THEN COALESCE(v%zu, 0) WHEN n <= %" PRId64
                      " THEN CAST(div(CAST(COALESCE(v%zu, 0) AS NUMERIC) * %" PRId64
                      ", n) AS BIGINT) ELSE 0 END",
                      rows, index, MOST_ROWS, index, rows);
}

static void print_clamped(const struct postgres_release *plan, size_t index, struct buffer *out)
{
    const struct sql_measure *measure = &plan->release->measures[index];
    uint64_t most = plan->release->max_rows;
    int64_t rows = most < (uint64_t)MOST_ROWS ? (int64_t)most : MOST_ROWS;
    buffer_text(out, ", CAST(LEAST(GREATEST(");
    print_scaled(measure, index, rows, out);
    buffer_format(out, ", %" PRId64 "), %" PRId64 ") AS BIGINT) AS m%zu", measure->unit_lower,
                  measure->unit_upper, index);
}

static void print_bounded(const struct postgres_release *plan, struct buffer *out)
{
    buffer_text(out, "SELECT 1 AS one");
    postgres_print_keys(plan, ", ", out);
    for (size_t i = 0; i < plan->release->measure_count; i++)
        if (postgres_is_additive(&plan->release->measures[i]))
            print_clamped(plan, i, out);
    if (postgres_ranks_groups(plan)) {
        buffer_text(out, ", row_number() OVER (PARTITION BY u ORDER BY ");
        postgres_print_hash(plan, out);
        postgres_print_ties(plan, out);
        buffer_text(out, ") AS place");
    }
    buffer_text(out, " FROM (");
    print_per_unit(plan, out);
    buffer_text(out, ") AS per_unit");
    postgres_print_key_test(plan, out);
}

void postgres_print_sums(const struct postgres_release *plan, struct buffer *out)
{
    if (plan->single_pass) {
        print_single_pass(plan, out);
        return;
    }
    buffer_text(out, "SELECT count(*)");
    postgres_print_keys(plan, ", ", out);
    for (size_t i = 0; i < plan->release->measure_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "m%zu", i);
        if (postgres_is_additive(&plan->release->measures[i]))
            print_saturated(name, out);
    }
    buffer_text(out, " FROM (");
    print_bounded(plan, out);
    buffer_text(out, ") AS bounded");
    if (postgres_ranks_groups(plan))
        buffer_format(out, " WHERE place <= %" PRIu64, plan->release->max_groups);
    print_group_by(plan, "", out);
}
