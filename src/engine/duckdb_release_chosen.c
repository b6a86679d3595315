/* Measures of values and rows that a unit keeps by hash: distinct, distinct sum, quantiles, top.
 *
 *     private_rows   u, k, x: the value packed, or the cell; NULL where the row does not count; s: its steps
 *     kept           each unit's groups, chosen as everywhere, among all its rows
 *     items          in those groups each different (u, k, x); rows are told apart by a number i among equals
 *     picked         of each unit in each group the max_rows items with the smallest hash
 *
 * and then they are counted: values once, whoever has them; rows by cell. Rows that are equal in cell are
 * interchangeable, so which of them has which number i does not matter. */
#include "engine/duckdb_bound_pack.h"
#include "engine/duckdb_release_parts.h"

enum { MOST_EQUAL_ROWS = 1 << 20 }; /* of one unit, group and cell, that take part in the choice */

static const struct sql_measure *measure_of(const struct release_plan *plan,
                                            const struct release_statement *statement)
{
    return &plan->release->measures[statement->measures[0]];
}

static void print_domain_code(struct sql_printer *printer, const struct sql_measure *measure)
{
    struct bound_table packed;
    uint32_t number;
    struct buffer bytes;

    bound_table_init(&packed);
    buffer_init(&bytes, 1 << 20);
    for (size_t i = 0; i < measure->domain.row_count; i++) {
        buffer_clear(&bytes);
        pack_value(sql_rows_cell(&measure->domain, i, 0), &bytes);
        if (bytes.failed || !bound_table_add(&packed, bytes.data, (uint32_t)bytes.length, &number))
            printer->buffer->failed = true;
    }
    buffer_text(printer->buffer, "dither_code(");
    sql_print_expression(printer, measure->argument);
    buffer_text(printer->buffer, ", ");
    release_print_table(printer->buffer, &packed);
    buffer_byte(printer->buffer, ')');
    bound_table_free(&packed);
    buffer_free(&bytes);
}

/* x, and s for sums of distinct values. */
static void print_item(struct sql_printer *printer, const struct release_plan *plan,
                       const struct release_statement *statement)
{
    const struct sql_measure *measure = measure_of(plan, statement);
    struct buffer *out = printer->buffer;

    buffer_text(out, "CASE WHEN ");
    if (measure->filter) {
        sql_print_expression(printer, measure->filter);
        buffer_text(out, " AND ");
    }
    buffer_byte(out, '(');
    sql_print_expression(printer, measure->argument);
    buffer_text(out, ") IS NOT NULL THEN ");
    if (statement->kind == STATEMENT_DISTINCT) {
        buffer_text(out, "dither_pack(");
        sql_print_expression(printer, measure->argument);
        buffer_byte(out, ')');
    } else if (measure->kind == SQL_MEASURE_TOP) {
        print_domain_code(printer, measure);
    } else {
        struct sql_steps cells = measure->steps;
        cells.centre = cells.lower;
        release_print_steps(printer, measure->argument, &cells);
    }
    buffer_text(out, " END AS x, ");
    struct sql_steps steps = release_item_steps(plan->release, measure);
    if (measure->kind == SQL_MEASURE_DISTINCT_SUM)
        release_print_steps(printer, measure->argument, &steps);
    else
        buffer_byte(out, '1');
    buffer_text(out, " AS s");
}

/* "k", or with RELEASE_RAW "k0, k1, ..."; after `comma` if that is not empty. */
static void print_keys(const struct release_plan *plan, const char *after, struct buffer *out)
{
    if (plan->keys != RELEASE_RAW) {
        buffer_format(out, "k%s", after);
        return;
    }
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sk%zu", i ? ", " : "", i);
    if (plan->release->key_count > 0)
        buffer_text(out, after);
}

/* What is counted in the end, from rows of (keys, x, s). */
static void print_count(const struct release_plan *plan, const struct release_statement *statement,
                        const char *from, struct buffer *out)
{
    bool keyed = plan->keys != RELEASE_RAW || plan->release->key_count > 0;

    buffer_text(out, "SELECT ");
    print_keys(plan, ", ", out);
    if (statement->kind == STATEMENT_CELLS) {
        buffer_format(out, "x, count(*) FROM %s GROUP BY ", from);
        print_keys(plan, ", ", out);
        buffer_byte(out, 'x');
        return;
    }
    bool sum = measure_of(plan, statement)->kind == SQL_MEASURE_DISTINCT_SUM;
    buffer_format(out, "%s FROM (SELECT ", sum ? "sum(s)" : "count(*)");
    print_keys(plan, ", ", out);
    buffer_format(out, "x, min(s) AS s FROM %s GROUP BY ", from);
    print_keys(plan, ", ", out);
    buffer_text(out, "x) AS different");
    if (keyed) {
        buffer_text(out, " GROUP BY ");
        print_keys(plan, "", out);
    }
}

static void print_kept(const struct release_plan *plan, struct buffer *out)
{
    const char *kept = plan->keys == RELEASE_CODES ? "dither_kept_code" : "dither_kept";

    buffer_text(out, ", kept AS (SELECT u, dither_bound_0_0(");
    release_print_key(plan, out);
    buffer_format(out,
                  ", %zu, u, k) AS b FROM private_rows GROUP BY u)"
                  ", own AS (SELECT p.u, p.k, p.x, p.s FROM private_rows AS p JOIN kept ON kept.u = p.u"
                  " WHERE p.x IS NOT NULL AND %s(kept.b, p.k))",
                  release_groups_kept(plan), kept);
}

static void print_picked(const struct release_plan *plan, const struct release_statement *statement,
                         struct buffer *out)
{
    uint64_t most = release_items_kept(plan->release, measure_of(plan, statement));

    if (statement->kind == STATEMENT_DISTINCT)
        buffer_text(out, ", items AS (SELECT u, k, x, min(s) AS s, x AS item FROM own GROUP BY u, k, x)");
    else
        buffer_format(out,
                      ", items AS (SELECT u, k, x, 1 AS s, dither_pack(x, i) AS item FROM (SELECT u, k, x,"
                      " unnest(range(least(count(*), %d))) AS i FROM own GROUP BY u, k, x) AS numbered)",
                      MOST_EQUAL_ROWS);
    buffer_text(out, ", picked AS (SELECT u, k, dither_bound_0_0(");
    release_print_key(plan, out);
    buffer_format(out,
                  ", %llu, dither_pack(u, k), item) AS b FROM items GROUP BY u, k)"
                  ", counted AS (SELECT items.k, items.x, items.s FROM items JOIN picked"
                  " ON picked.u = items.u AND picked.k = items.k WHERE dither_kept(picked.b, items.item)) ",
                  (unsigned long long)most);
}

void release_print_chosen(const struct release_plan *plan, const struct release_statement *statement,
                          struct buffer *out)
{
    buffer_text(out, "WITH private_rows AS (");
    release_print_rows(plan, statement, print_item, out);
    buffer_byte(out, ')');
    if (plan->keys == RELEASE_RAW) {
        buffer_text(out, ", counted AS (SELECT * FROM private_rows WHERE x IS NOT NULL) ");
    } else {
        print_kept(plan, out);
        print_picked(plan, statement, out);
    }
    print_count(plan, statement, "counted", out);
}
