/* What all statements of a release have in common: its rows with unit and keys, and the hash that ranks groups. */
#include <stdio.h>

#include "engine/postgres_release.h"

#define INPUT "input" /* the alias of the release's input; sub-selects inside it are t0, t1, ... */

void postgres_print_keys(const struct postgres_release *plan, const char *before, struct buffer *out)
{
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sk%zu", before, i);
}

/* ---- Keys of a public domain ---- */

/* For explain, where the domain's rows are not known: the same by its relation. */
static void print_relation_test(const struct postgres_release *plan, struct buffer *out)
{
    struct sql_printer printer = {.dialect = plan->dialect, .buffer = out};
    buffer_text(out, " WHERE EXISTS (SELECT 1 FROM (");
    sql_print_relation(&printer, plan->release->domain);
    buffer_text(out, ") AS domain");
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, "%sdomain.c%zu IS NOT DISTINCT FROM k%zu", i == 0 ? " WHERE " : " AND ", i, i);
    buffer_byte(out, ')');
}

static void print_column_tests(const struct postgres_release *plan, struct buffer *out)
{
    struct sql_printer printer = {.dialect = plan->dialect, .buffer = out};
    for (size_t i = 0; i < plan->release->key_count; i++) {
        char name[24];
        snprintf(name, sizeof name, "k%zu", i);
        buffer_text(out, i == 0 ? " WHERE " : " AND ");
        postgres_print_membership(&printer, plan->domain_rows, i, name);
    }
}

static bool has_domain(const struct postgres_release *plan)
{
    return plan->release->domain != NULL && plan->release->key_count > 0;
}

/* ---- Whole keys, where not every combination of values is in the domain ---- */

static bool same_nulls(const struct sql_rows *rows, size_t a, size_t b)
{
    for (size_t i = 0; i < rows->column_count; i++)
        if (sql_rows_cell(rows, a, i)->null != sql_rows_cell(rows, b, i)->null)
            return false;
    return true;
}

static bool is_first_with_its_nulls(const struct sql_rows *rows, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (same_nulls(rows, i, row))
            return false;
    return true;
}

/* "(k0, k2)" of the columns that are not NULL in the row, by name or by value. False: there are none. */
static bool print_tuple(struct sql_printer *printer, const struct sql_rows *rows, size_t row, bool values)
{
    bool any = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        if (sql_rows_cell(rows, row, i)->null)
            continue;
        buffer_text(printer->buffer, any ? ", " : "(");
        if (values)
            printer->dialect->literal(printer, sql_rows_cell(rows, row, i));
        else
            buffer_format(printer->buffer, "k%zu", i);
        any = true;
    }
    buffer_text(printer->buffer, any ? ")" : "");
    return any;
}

/* All rows of the domain that are NULL where this one is. */
static void print_pattern(struct sql_printer *printer, const struct sql_rows *rows, size_t row)
{
    const char *and = "";
    buffer_byte(printer->buffer, '(');
    for (size_t i = 0; i < rows->column_count; i++)
        if (sql_rows_cell(rows, row, i)->null) {
            buffer_format(printer->buffer, "%sk%zu IS NULL", and, i);
            and = " AND ";
        }
    size_t before = printer->buffer->length;
    buffer_text(printer->buffer, and);
    if (!print_tuple(printer, rows, row, false)) {
        if (!printer->buffer->failed)
            printer->buffer->length = before;
        buffer_byte(printer->buffer, ')');
        return;
    }
    buffer_text(printer->buffer, " IN (VALUES ");
    const char *comma = "";
    for (size_t i = row; i < rows->row_count; i++)
        if (same_nulls(rows, row, i)) {
            buffer_text(printer->buffer, comma);
            (void)print_tuple(printer, rows, i, true);
            comma = ", ";
        }
    buffer_text(printer->buffer, "))");
}

void postgres_print_key_test(const struct postgres_release *plan, struct buffer *out)
{
    struct sql_printer printer = {.dialect = plan->dialect, .buffer = out};
    const struct sql_rows *rows = plan->domain_rows;
    if (rows == NULL || plan->domain.is_product)
        return;
    const char * or = " WHERE (";
    for (size_t row = 0; row < rows->row_count; row++)
        if (is_first_with_its_nulls(rows, row)) {
            buffer_text(out, or);
            print_pattern(&printer, rows, row);
            or = " OR ";
        }
    buffer_byte(out, ')');
}

/* ---- Rows ---- */

void postgres_print_rows(const struct postgres_release *plan, postgres_print_values *print_values,
                         const struct sql_measure *measure, struct buffer *out)
{
    const struct sql_release *release = plan->release;
    struct sql_printer printer = {.dialect = plan->dialect,
                                  .buffer = out,
                                  .alias = INPUT,
                                  .given = plan->request ? plan->request->given : NULL,
                                  .context = plan->request ? plan->request->context : NULL};
    bool tests = has_domain(plan) && !plan->single_pass;
    buffer_format(out, "%sSELECT " INPUT ".c%zu AS u", tests ? "SELECT * FROM (" : "", release->input->tag);
    for (size_t i = 0; i < release->key_count; i++) {
        buffer_text(out, ", ");
        sql_print_expression(&printer, release->keys[i]);
        buffer_format(out, " AS k%zu", i);
    }
    print_values(&printer, plan, measure);
    buffer_text(out, " FROM (");
    printer.alias = NULL;
    sql_print_relation(&printer, release->input);
    buffer_text(out, ") AS " INPUT);
    if (!tests)
        return;
    buffer_text(out, ") AS keyed");
    if (plan->domain_rows == NULL)
        print_relation_test(plan, out);
    else
        print_column_tests(plan, out);
}

/* ---- The hash ---- */

bool postgres_ranks_groups(const struct postgres_release *plan)
{
    if (plan->release->key_count == 0)
        return plan->release->max_groups == 0;
    return plan->domain_rows == NULL || plan->release->max_groups < plan->domain.keys.count;
}

/* A function of the type for which equal values have equal hashes. */
static const char *hash_function(enum sql_type type)
{
    switch (type) {
    case SQL_REAL:
        return "hashfloat8extended";
    case SQL_DECIMAL:
        return "hash_numeric_extended";
    case SQL_TIMESTAMP:
        return "timestamp_hash_extended";
    case SQL_INTERVAL:
        return "interval_hash_extended";
    case SQL_INTEGER:
    case SQL_BOOLEAN:
    case SQL_DATE:
        return "hashint8extended";
    case SQL_UNKNOWN:
    case SQL_TEXT:
        break;
    }
    return "hashtextextended";
}

/* NULL has the hash of some value: a tie, and ties are broken. */
static void print_hashed(enum sql_type type, const char *name, struct buffer *out)
{
    switch (type) {
    case SQL_INTEGER:
        buffer_format(out, "COALESCE(CAST(%s AS BIGINT), 0)", name);
        return;
    case SQL_BOOLEAN:
        buffer_format(out, "CASE WHEN %s THEN 1 WHEN NOT %s THEN 0 ELSE 2 END", name, name);
        return;
    case SQL_DATE:
        buffer_format(out, "COALESCE(%s - DATE '1970-01-01', 0)", name);
        return;
    case SQL_REAL:
        buffer_format(out, "COALESCE(%s, 0)", name);
        return;
    case SQL_DECIMAL:
        buffer_format(out, "COALESCE(%s, 0)", name);
        return;
    case SQL_TIMESTAMP:
        buffer_format(out, "COALESCE(%s, TIMESTAMP '1970-01-01 00:00:00')", name);
        return;
    case SQL_INTERVAL:
        buffer_format(out, "COALESCE(%s, INTERVAL '0')", name);
        return;
    case SQL_UNKNOWN:
    case SQL_TEXT:
        break;
    }
    buffer_format(out, "COALESCE(CAST(%s AS TEXT) COLLATE \"C\", '')", name);
}

void postgres_print_hash_open(enum sql_type type, struct buffer *out)
{
    buffer_format(out, "%s(", hash_function(type));
}

void postgres_print_hash_close(enum sql_type type, const char *name, const char *inner, struct buffer *out)
{
    print_hashed(type, name, out);
    buffer_format(out, ", %s)", inner);
}

/* The identity of a row has no type of Dither's: it is hashed as text. */
static enum sql_type unit_type(const struct postgres_release *plan)
{
    const struct sql_relation *input = plan->release->input;
    bool row = input->unit != NULL && input->unit->protection == POLICY_UNIT_ROW;
    return row ? SQL_TEXT : input->columns[input->tag].type;
}

/* From the inside out: the unit first. */
void postgres_print_hash(const struct postgres_release *plan, struct buffer *out)
{
    const struct sql_release *release = plan->release;
    struct buffer text;
    buffer_init(&text, 1 << 20);
    postgres_print_hash_open(unit_type(plan), &text);
    postgres_print_hash_close(unit_type(plan), "u", plan->seed, &text);
    for (size_t i = 0; i < release->key_count; i++) {
        struct buffer outer;
        char name[24];
        snprintf(name, sizeof name, "k%zu", i);
        buffer_init(&outer, 1 << 20);
        postgres_print_hash_open(release->keys[i]->type, &outer);
        postgres_print_hash_close(release->keys[i]->type, name, text.data != NULL ? text.data : "", &outer);
        buffer_free(&text);
        text = outer;
    }
    out->failed |= text.failed;
    if (!text.failed)
        buffer_append(out, text.data, text.length);
    buffer_free(&text);
}

void postgres_print_ties(const struct postgres_release *plan, struct buffer *out)
{
    for (size_t i = 0; i < plan->release->key_count; i++)
        buffer_format(out, plan->release->keys[i]->type == SQL_TEXT ? ", k%zu COLLATE \"C\"" : ", k%zu", i);
}
