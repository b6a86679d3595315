/* A release's statements as SQL: what all of them have in common, and the sums. */
#include <string.h>

#include "engine/duckdb_bound_entries.h"
#include "engine/duckdb_bound_sum.h"
#include "engine/duckdb_release_parts.h"

#define INPUT "input" /* the alias of the release's input; sub-selects inside it are t0, t1, ... */

static void print_cast(struct sql_printer *printer, const struct sql_expression *expression)
{
    char room[64];

    buffer_format(printer->buffer, "%s(", printer->dialect->try_cast ? printer->dialect->try_cast : "CAST");
    sql_print_expression(printer, expression);
    buffer_format(printer->buffer, " AS %s)",
                  printer->dialect->type(expression->type, expression->scale, room, sizeof room));
}

/* The unit, by its exact value: a number as it is, a text as its bytes (packed, it would end at a NUL, and two
 * units that differ behind it would be bounded as one), anything else packed.
 *
 * Where each row is a unit, the tag is the row's number, which the table gives: without a row of a file the rows
 * behind it have other numbers, and choose other groups. That is no harm: under a fresh key the choices of
 * different numbers are independent, each with the law that the row's own groups give it, so the law of all the
 * others' choices together is the same on neighbours. */
static void print_unit(struct sql_printer *printer, const struct sql_relation *input)
{
    enum sql_type type = input->columns[input->tag].type;
    buffer_format(printer->buffer,
                  type == SQL_INTEGER ? "CAST(" INPUT ".c%zu AS BIGINT)"
                  : type == SQL_TEXT  ? "encode(" INPUT ".c%zu)"
                                      : "dither_pack(" INPUT ".c%zu)",
                  input->tag);
}

static void print_packed(const struct release_plan *plan, struct buffer *out)
{
    buffer_text(out, "dither_pack(");
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sk%zu", i ? ", " : "", i);
    buffer_byte(out, ')');
}

/* Two levels where keys become one: the inner one has them as k0, k1, ... */
void release_print_rows(const struct release_plan *plan, const struct release_statement *statement,
                        release_print_values *print_values, struct buffer *out)
{
    const struct sql_release *release = plan->release;
    struct sql_printer printer = {.dialect = plan->dialect,
                                  .buffer = out,
                                  .given = plan->request ? plan->request->given : NULL,
                                  .context = plan->request ? plan->request->context : NULL,
                                  .stand_in = plan->slots ? duckdb_slots_print : NULL,
                                  .stand_ins = plan->slots};
    const char *comma = "";

    if (plan->keys != RELEASE_RAW) {
        buffer_text(out, "SELECT *, ");
        if (plan->keys == RELEASE_CODES)
            buffer_append(out, plan->domain.code.data, plan->domain.code.length);
        else
            print_packed(plan, out);
        buffer_text(out, " AS k FROM (");
    }
    buffer_text(out, "SELECT ");
    printer.alias = INPUT;
    if (plan->keys != RELEASE_RAW) {
        print_unit(&printer, release->input);
        buffer_text(out, " AS u");
        comma = ", ";
    }
    for (size_t i = 0; i < release->key_count; i++, comma = ", ") {
        buffer_text(out, comma);
        print_cast(&printer, release->keys[i]);
        buffer_format(out, " AS k%zu", i);
    }
    size_t before = out->length;
    buffer_text(out, comma);
    size_t after = out->length;
    print_values(&printer, plan, statement);
    if (out->length == after && !out->failed) { /* none: the comma goes */
        out->length = before;
        buffer_text(out, *comma ? "" : "1 AS one");
    }
    buffer_text(out, " FROM (");
    printer.alias = NULL;
    sql_print_relation(&printer, release->input);
    buffer_text(out, ") AS " INPUT);
    if (plan->keys != RELEASE_RAW)
        buffer_text(out, ") AS keyed");
}

/* ---- Sums ---- */

static void print_value(struct sql_printer *printer, const struct sql_measure *measure, bool fused,
                        const char *part)
{
    bool condition = release_has_condition(measure);

    if (condition) {
        buffer_text(printer->buffer, "CASE WHEN ");
        release_print_condition(printer, measure);
        buffer_text(printer->buffer, " THEN ");
    }
    if (measure->kind == SQL_MEASURE_ROWS) {
        buffer_text(printer->buffer, "1");
    } else if (fused) {
        sql_print_expression(printer, measure->argument);
    } else if (measure->kind == SQL_MEASURE_SUM) {
        release_print_steps(printer, measure->argument, &measure->steps);
    } else {
        buffer_format(printer->buffer, "%s(", part);
        release_print_steps(printer, measure->argument, &measure->steps);
        buffer_text(printer->buffer, " * ");
        release_print_steps(printer, measure->second, &measure->second_steps);
        buffer_byte(printer->buffer, ')');
    }
    if (condition)
        buffer_text(printer->buffer, " END");
}

/* v0, v1, ...: a product's is one column here, and two where it has to be split. */
static void print_sum_values(struct sql_printer *printer, const struct release_plan *plan,
                             const struct release_statement *statement)
{
    size_t value = 0;

    for (size_t i = 0; i < statement->measure_count; i++) {
        const struct sql_measure *measure = &plan->release->measures[statement->measures[i]];
        bool split = measure->kind == SQL_MEASURE_PRODUCT && plan->keys != RELEASE_RAW;
        if (release_value_count(measure) == 0)
            continue;
        buffer_text(printer->buffer, value ? ", " : "");
        print_value(printer, measure, release_is_fused(plan, measure), split ? "dither_high" : "");
        buffer_format(printer->buffer, " AS v%zu", value++);
        if (split) {
            buffer_text(printer->buffer, ", ");
            print_value(printer, measure, false, "dither_low");
            buffer_format(printer->buffer, " AS v%zu", value++);
        }
    }
}

static void print_raw_sum(const struct release_plan *plan, const struct sql_measure *measure, size_t value,
                          struct buffer *out)
{
    if (!release_is_fused(plan, measure)) {
        buffer_format(out, "%s(v%zu)", measure->kind == SQL_MEASURE_ROWS ? "count" : "sum", value);
        return;
    }
    buffer_format(out, "dither_sum_%s(", measure->argument->type == SQL_REAL ? "real" : "whole");
    bound_sum_print_steps(out, measure->steps.exponent, measure->steps.lower, measure->steps.upper);
    buffer_format(out, ", v%zu)", value);
}

/* SELECT k0, ..., count(*), and a column for each measure that has values. */
static void print_raw_sums(const struct release_plan *plan, const struct release_statement *statement,
                           struct buffer *out)
{
    size_t value = 0, key_count = plan->release->key_count;
    const char *comma = "";

    buffer_text(out, "SELECT ");
    for (size_t i = 0; i < key_count; i++)
        buffer_format(out, "k%zu, ", i);
    if (release_counts_rows(plan, statement)) {
        buffer_text(out, "count(*)");
        comma = ", ";
    }
    for (size_t i = 0; i < statement->measure_count; i++) {
        const struct sql_measure *measure = &plan->release->measures[statement->measures[i]];
        if (release_value_count(measure) == 0)
            continue;
        buffer_text(out, comma);
        print_raw_sum(plan, measure, value++, out);
        comma = ", ";
    }
    buffer_text(out, " FROM (");
    release_print_rows(plan, statement, print_sum_values, out);
    buffer_text(out, ") AS private_rows");
    for (size_t i = 0; i < key_count; i++)
        buffer_format(out, "%sk%zu", i ? ", " : " GROUP BY ", i);
}

static const char *gather_name(const struct sql_measure *measure)
{
    switch (release_value_count(measure)) {
    case 0:
        return measure->kind == SQL_MEASURE_UNITS ? "units" : "rows";
    case 1:
        return "value";
    default:
        return "pair";
    }
}

static void print_specification(const struct release_plan *plan, const struct release_statement *statement,
                                size_t value_count, struct buffer *out)
{
    uint64_t rows = plan->release->max_rows < INT64_MAX ? plan->release->max_rows : INT64_MAX;

    if (plan->keys == RELEASE_BYTES)
        buffer_text(out, "bytes");
    else
        buffer_format(out, "codes %zu", plan->domain.group_count);
    buffer_format(out, ", values %zu, rows %llu:", value_count, (unsigned long long)rows);
    for (size_t i = 0; i < statement->measure_count; i++) {
        const struct sql_measure *measure = &plan->release->measures[statement->measures[i]];
        buffer_format(out, "%s %s %lld %lld", i ? "," : "", gather_name(measure),
                      (long long)measure->unit_lower, (long long)measure->unit_upper);
    }
}

/* G of dither_bound_G_V: room for exactly as many entries as can be, in the state itself, if that is small. */
static uint32_t inline_entries(const struct release_plan *plan)
{
    size_t most = release_groups_kept(plan);

    if (plan->keys == RELEASE_CODES)
        for (size_t i = 0; i < BOUND_INLINE_SIZES; i++)
            if (most <= bound_inline_sizes[i])
                return bound_inline_sizes[i];
    return 0;
}

void release_print_sums(const struct release_plan *plan, const struct release_statement *statement,
                        struct buffer *out)
{
    size_t used = 0, value_count = 0;

    if (plan->keys == RELEASE_RAW) {
        print_raw_sums(plan, statement, out);
        return;
    }
    for (size_t i = 0; i < statement->measure_count; i++)
        used += release_value_count(&plan->release->measures[statement->measures[i]]);
    for (size_t i = 0; i < BOUND_VALUE_SIZES && value_count < used; i++)
        value_count = bound_value_sizes[i];
    buffer_text(out, "SELECT dither_gather('");
    print_specification(plan, statement, value_count, out);
    buffer_format(out, "', b) FROM (SELECT dither_bound_%u_%zu(", inline_entries(plan), value_count);
    release_print_key(plan, out);
    buffer_format(out, ", %zu, u, k", release_groups_kept(plan));
    for (size_t i = 0; i < value_count; i++)
        if (i < used)
            buffer_format(out, ", v%zu", i);
        else
            buffer_text(out, ", NULL");
    buffer_text(out, ") AS b FROM (");
    release_print_rows(plan, statement, print_sum_values, out);
    buffer_text(out, ") AS private_rows GROUP BY u) AS units");
}

void release_print_key(const struct release_plan *plan, struct buffer *out)
{
    if (plan->slots)
        buffer_text(out, DUCKDB_SLOT_OF_KEY);
    else
        buffer_format(out, "'%s'", plan->key);
}

void release_print_statement(const struct release_plan *plan, const struct release_statement *statement,
                             struct buffer *out)
{
    if (plan->slots)
        duckdb_slots_begin(plan->slots, plan->key);
    if (statement->kind == STATEMENT_SUMS)
        release_print_sums(plan, statement, out);
    else
        release_print_chosen(plan, statement, out);
}
