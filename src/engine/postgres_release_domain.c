/* The public domain of a release's keys: its groups, and how a value is tested for being in it. */
#include <inttypes.h>

#include "base/memory.h"
#include "engine/duckdb_bound_pack.h"
#include "engine/postgres_release.h"

enum { PACKED_BYTES = 1 << 20 };

static status no_memory(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "no memory for the domain of the keys");
}

/* Number of the row's cells in [first, end) among those of the rows before it. */
static status add_cells(struct bound_table *table, const struct sql_rows *rows, size_t row, size_t first,
                        size_t end, struct buffer *packed, uint32_t *number, error *why)
{
    buffer_clear(packed);
    for (size_t i = first; i < end; i++)
        pack_value(sql_rows_cell(rows, row, i), packed);
    TRY(buffer_check(packed, why));
    return bound_table_add(table, packed->data, (uint32_t)packed->length, number) ? DITHER_OK
                                                                                  : no_memory(why);
}

static status count_different(const struct sql_rows *rows, size_t column, size_t *out, error *why)
{
    struct bound_table table;
    struct buffer packed;
    status result = DITHER_OK;
    uint32_t number = 0;
    bound_table_init(&table);
    buffer_init(&packed, PACKED_BYTES);
    for (size_t row = 0; row < rows->row_count && result == DITHER_OK; row++)
        result = add_cells(&table, rows, row, column, column + 1, &packed, &number, why);
    *out = table.count;
    bound_table_free(&table);
    buffer_free(&packed);
    return result;
}

/* As many different rows as there are combinations: then every combination is there. */
static status find_product(struct postgres_domain *domain, const struct sql_rows *rows, size_t key_count,
                           error *why)
{
    size_t product = 1;
    for (size_t i = 0; i < key_count; i++) {
        size_t different = 0;
        TRY(count_different(rows, i, &different, why));
        product = different > 0 && product > rows->row_count ? product : product * different;
    }
    domain->is_product = product == domain->keys.count;
    return DITHER_OK;
}

status postgres_domain_init(struct postgres_domain *domain, const struct sql_rows *rows, size_t key_count,
                            error *why)
{
    struct buffer packed;
    status result = DITHER_OK;
    bound_table_init(&domain->keys);
    domain->row_count = rows->row_count;
    domain->group_of_row = memory_allocate((rows->row_count + 1) * sizeof *domain->group_of_row);
    if (domain->group_of_row == NULL)
        return no_memory(why);
    buffer_init(&packed, PACKED_BYTES);
    for (size_t row = 0; row < rows->row_count && result == DITHER_OK; row++)
        result = add_cells(&domain->keys, rows, row, 0, key_count, &packed, &domain->group_of_row[row], why);
    buffer_free(&packed);
    if (result == DITHER_OK)
        result = find_product(domain, rows, key_count, why);
    if (result != DITHER_OK)
        postgres_domain_free(domain);
    return result;
}

void postgres_domain_free(struct postgres_domain *domain)
{
    bound_table_free(&domain->keys);
    memory_release(domain->group_of_row, (domain->row_count + 1) * sizeof *domain->group_of_row);
    domain->group_of_row = NULL;
}

/* ---- Tests of one column ---- */

struct column_values {
    bool has_null, run; /* `run`: whole numbers from lower to upper, each of them there */
    int64_t lower, upper;
    size_t count; /* of different values that are not NULL */
};

static bool is_repeated(const struct sql_rows *rows, size_t column, size_t row)
{
    return row > 0 &&
           sql_value_compare(sql_rows_cell(rows, row - 1, column), sql_rows_cell(rows, row, column)) == 0;
}

static struct column_values look_at(const struct sql_rows *rows, size_t column)
{
    struct column_values found = {.lower = INT64_MAX, .upper = INT64_MIN};
    bool whole = true;
    size_t different = 0;
    error unused;
    for (size_t row = 0; row < rows->row_count; row++) {
        const struct sql_value *value = sql_rows_cell(rows, row, column);
        found.has_null |= value->null;
        found.count += !value->null;
        whole &= value->null || value->type == SQL_INTEGER;
        if (value->null || !whole)
            continue;
        found.lower = value->whole < found.lower ? value->whole : found.lower;
        found.upper = value->whole > found.upper ? value->whole : found.upper;
    }
    if (whole && found.count > 1 && count_different(rows, column, &different, &unused) == DITHER_OK)
        found.run =
            (uint64_t)found.upper - (uint64_t)found.lower == (uint64_t)(different - found.has_null) - 1;
    return found;
}

/* Values repeat in the rows of a product; those that stand one below the other are written once. */
static void print_list(struct sql_printer *printer, const struct sql_rows *rows, size_t column,
                       const char *name)
{
    const char *comma = "";
    buffer_format(printer->buffer, "%s IN (", name);
    for (size_t row = 0; row < rows->row_count; row++) {
        if (sql_rows_cell(rows, row, column)->null || is_repeated(rows, column, row))
            continue;
        buffer_text(printer->buffer, comma);
        printer->dialect->literal(printer, sql_rows_cell(rows, row, column));
        comma = ", ";
    }
    buffer_byte(printer->buffer, ')');
}

void postgres_print_membership(struct sql_printer *printer, const struct sql_rows *rows, size_t column,
                               const char *name)
{
    struct column_values values = look_at(rows, column);
    if (rows->row_count == 0)
        buffer_text(printer->buffer, "FALSE");
    else if (values.count == 0)
        buffer_format(printer->buffer, "%s IS NULL", name);
    else {
        buffer_byte(printer->buffer, '(');
        if (values.run)
            buffer_format(printer->buffer,
                          "%s >= CAST('%" PRId64 "' AS BIGINT) AND %s <= CAST('%" PRId64 "' AS BIGINT)", name,
                          values.lower, name, values.upper);
        else
            print_list(printer, rows, column, name);
        if (values.has_null)
            buffer_format(printer->buffer, " OR %s IS NULL", name);
        buffer_byte(printer->buffer, ')');
    }
}
