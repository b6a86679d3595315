/* Measures of values and rows that a unit keeps by hash: distinct, distinct sum, quantiles, top.
 *
 * Rows whose value is NULL do not count, but their groups do: a unit's groups are ranked among all its rows, as
 * everywhere. Rows that are equal in cell are interchangeable; they are told apart by a number. */
#include <inttypes.h>

#include "engine/postgres_release.h"

enum { MOST_EQUAL_ROWS = 1 << 20 }; /* of one unit, group and cell, that take part in the choice */

static bool counts_cells(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_QUANTILES || measure->kind == SQL_MEASURE_TOP;
}

/* x: the value, or the cell; NULL where the row does not count. s: its steps, for sums of distinct values. */
static void print_item(struct sql_printer *printer, const struct postgres_release *plan,
                       const struct sql_measure *measure)
{
    struct buffer *out = printer->buffer;
    struct sql_steps cells = measure->steps, steps = release_item_steps(plan->release, measure);
    cells.centre = cells.lower;
    buffer_text(out, ", CASE WHEN (");
    sql_print_expression(printer, measure->argument);
    buffer_text(out, ") IS NOT NULL");
    if (measure->filter != NULL) {
        buffer_text(out, " AND ");
        sql_print_expression(printer, measure->filter);
    }
    buffer_text(out, " THEN ");
    if (measure->kind == SQL_MEASURE_QUANTILES) {
        buffer_text(out, "CAST(");
        release_print_steps(printer, measure->argument, &cells);
        buffer_text(out, " AS BIGINT)");
    } else {
        sql_print_expression(printer, measure->argument);
    }
    buffer_text(out, " END AS x, ");
    if (measure->kind == SQL_MEASURE_DISTINCT_SUM) {
        buffer_text(out, "CAST(");
        release_print_steps(printer, measure->argument, &steps);
        buffer_text(out, " AS BIGINT) AS s");
    } else {
        buffer_text(out, "CAST(1 AS BIGINT) AS s");
    }
}

static enum sql_type item_type(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_QUANTILES ? SQL_INTEGER : measure->argument->type;
}

/* What is outside of the public values is left out before the choice: it takes nobody's place. */
static void print_item_test(const struct postgres_release *plan, const struct sql_measure *measure,
                            const char *and, struct buffer *out)
{
    struct sql_printer printer = {.dialect = plan->dialect, .buffer = out};
    buffer_format(out, "%sx IS NOT NULL", and);
    if (measure->kind != SQL_MEASURE_TOP)
        return;
    buffer_text(out, " AND ");
    postgres_print_membership(&printer, &measure->domain, 0, "x");
}

static void print_placed(const struct postgres_release *plan, const struct sql_measure *measure,
                         struct buffer *out)
{
    buffer_text(out, "SELECT *");
    if (postgres_ranks_groups(plan)) {
        buffer_text(out, ", dense_rank() OVER (PARTITION BY u ORDER BY ");
        postgres_print_hash(plan, out);
        postgres_print_ties(plan, out);
        buffer_text(out, ") AS place");
    }
    buffer_text(out, " FROM (SELECT u");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, ", x, min(s) AS s, count(*) AS n FROM (");
    postgres_print_rows(plan, print_item, measure, out);
    buffer_text(out, ") AS private_rows GROUP BY u");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, ", x) AS items");
    postgres_print_key_test(plan, out);
}

static void print_item_hash(const struct postgres_release *plan, const struct sql_measure *measure,
                            struct buffer *out)
{
    struct buffer groups;
    buffer_init(&groups, 1 << 20);
    postgres_print_hash(plan, &groups);
    out->failed |= groups.failed;
    if (counts_cells(measure))
        buffer_text(out, "hashint8extended(i, ");
    postgres_print_hash_open(item_type(measure), out);
    postgres_print_hash_close(item_type(measure), "x", groups.data != NULL ? groups.data : "", out);
    buffer_text(out, counts_cells(measure) ? ")" : "");
    buffer_text(out, item_type(measure) == SQL_TEXT ? ", x COLLATE \"C\"" : ", x");
    buffer_text(out, counts_cells(measure) ? ", i" : "");
    buffer_free(&groups);
}

static void print_picked(const struct postgres_release *plan, const struct sql_measure *measure,
                         struct buffer *out)
{
    buffer_text(out, "SELECT u, x, s");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, ", row_number() OVER (PARTITION BY u");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, " ORDER BY ");
    print_item_hash(plan, measure, out);
    buffer_text(out, ") AS item_place FROM (");
    print_placed(plan, measure, out);
    buffer_text(out, ") AS placed");
    if (counts_cells(measure))
        buffer_format(out, " CROSS JOIN LATERAL generate_series(CAST(1 AS BIGINT), LEAST(n, %d)) AS equal(i)",
                      MOST_EQUAL_ROWS);
    print_item_test(plan, measure, " WHERE ", out);
    if (postgres_ranks_groups(plan))
        buffer_format(out, " AND place <= %" PRIu64, plan->release->max_groups);
}

/* "SELECT what FROM (picked) WHERE ...": rows of keys, x and s that count. */
static void print_counted(const struct postgres_release *plan, const struct sql_measure *measure,
                          struct buffer *out)
{
    buffer_text(out, " FROM (");
    if (plan->single_pass) {
        postgres_print_rows(plan, print_item, measure, out);
        buffer_text(out, ") AS private_rows");
        print_item_test(plan, measure, " WHERE ", out);
        return;
    }
    print_picked(plan, measure, out);
    buffer_format(out, ") AS picked WHERE item_place <= %" PRIu64,
                  release_items_kept(plan->release, measure));
}

/* Distinct values are counted once, whoever has them; rows by cell. */
void postgres_print_chosen(const struct postgres_release *plan, const struct sql_measure *measure,
                           struct buffer *out)
{
    if (counts_cells(measure)) {
        buffer_text(out, "SELECT count(*)");
        postgres_print_keys(plan, ", ", out);
        buffer_text(out, ", x");
        print_counted(plan, measure, out);
        buffer_text(out, " GROUP BY x");
        postgres_print_keys(plan, ", ", out);
        return;
    }
    buffer_text(out, measure->kind == SQL_MEASURE_DISTINCT_SUM
                         ? "SELECT CAST(LEAST(GREATEST(COALESCE(sum(s), 0), -4611686018427387904), "
                           "4611686018427387904) AS BIGINT)"
                         : "SELECT count(*)");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, " FROM (SELECT min(s) AS s, x");
    postgres_print_keys(plan, ", ", out);
    print_counted(plan, measure, out);
    buffer_text(out, " GROUP BY x");
    postgres_print_keys(plan, ", ", out);
    buffer_text(out, ") AS different");
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sk%zu", i == 0 ? " GROUP BY " : ", ", i);
}
