/* The public domain of a release's keys: each of its rows gets a number, in C and in SQL alike.
 *
 * Each key column has a code of its own: its place in a run of whole numbers, or in a table of values. The
 * code of the first columns together is code * n + the next column's code, written down again through a table
 * where not every combination is in the domain; so it is always smaller than the number of rows. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/duckdb_bound_pack.h"
#include "engine/duckdb_release_parts.h"

enum { TABLE_BYTES = 256 << 20, PACKED_BYTES = 1 << 20 };

void release_print_table(struct buffer *out, const struct bound_table *packed)
{
    static const char digits[] = "0123456789abcdef";

    buffer_byte(out, '\'');
    for (size_t i = 0; i < packed->count; i++) {
        uint32_t length;
        const char *bytes = bound_table_bytes(packed, i, &length);
        uint8_t prefix[sizeof length];
        memcpy(prefix, &length, sizeof length);
        for (size_t j = 0; j < sizeof length + length; j++) {
            uint8_t byte = j < sizeof length ? prefix[j] : (uint8_t)bytes[j - sizeof length];
            buffer_byte(out, digits[byte >> 4]);
            buffer_byte(out, digits[byte & 15]);
        }
    }
    buffer_byte(out, '\'');
}

/* ---- One column ---- */

struct column_codes {
    struct bound_table table;
    bool run; /* whole numbers from lower to upper, each of them there; and maybe NULL */
    bool has_null;
    int64_t lower, upper;
    size_t count;
};

static bool is_whole(enum sql_type type)
{
    return type == SQL_BOOLEAN || type == SQL_INTEGER || type == SQL_DECIMAL || type == SQL_DATE ||
           type == SQL_TIMESTAMP;
}

static status add_packed(struct bound_table *table, const struct buffer *packed, uint32_t *number, error *why)
{
    TRY(buffer_check(packed, why));
    if (!bound_table_add(table, packed->data, (uint32_t)packed->length, number))
        return fail(why, DITHER_NO_MEMORY, "no memory for the domain of the keys");
    return DITHER_OK;
}

/* Collects the column's values. A run is recognised by its ends and the number of its different values. */
static status column_read(struct column_codes *codes, const struct sql_rows *rows, size_t column,
                          struct buffer *packed, error *why)
{
    bool whole = true, any = false;
    uint32_t number;

    for (size_t row = 0; row < rows->row_count; row++) {
        const struct sql_value *value = sql_rows_cell(rows, row, column);
        buffer_clear(packed);
        pack_value(value, packed);
        TRY(add_packed(&codes->table, packed, &number, why));
        codes->has_null |= value->null;
        whole &= value->null || is_whole(value->type);
        if (value->null || !whole)
            continue;
        if (!any || value->whole < codes->lower)
            codes->lower = value->whole;
        if (!any || value->whole > codes->upper)
            codes->upper = value->whole;
        any = true;
    }
    codes->count = codes->table.count;
    codes->run =
        whole && any && (uint64_t)codes->upper - (uint64_t)codes->lower + 1 == codes->count - codes->has_null;
    return DITHER_OK;
}

static uint64_t column_code(const struct column_codes *codes, const struct sql_value *value,
                            struct buffer *packed)
{
    uint32_t number = 0;

    if (codes->run)
        return value->null ? codes->count - 1 : (uint64_t)value->whole - (uint64_t)codes->lower;
    buffer_clear(packed);
    pack_value(value, packed);
    (void)bound_table_find(&codes->table, packed->data, (uint32_t)packed->length, &number);
    return number;
}

static void column_print(const struct column_codes *codes, size_t column, struct buffer *out)
{
    if (codes->run) {
        buffer_format(out, "dither_code_range(k%zu, %lld, %lld, %lld)", column, (long long)codes->lower,
                      (long long)codes->upper, codes->has_null ? (long long)codes->count - 1 : -1);
        return;
    }
    buffer_format(out, "dither_code(k%zu, ", column);
    release_print_table(out, &codes->table);
    buffer_byte(out, ')');
}

/* ---- All columns together ---- */

static status pack_number(uint64_t number, struct bound_table *table, uint32_t *code, error *why)
{
    struct sql_value value = {.type = SQL_INTEGER, .whole = (int64_t)number};
    struct buffer packed;

    buffer_init(&packed, PACKED_BYTES);
    pack_value(&value, &packed);
    status result = add_packed(table, &packed, code, why);
    buffer_free(&packed);
    return result;
}

/* combined[row] -> a code below the number of different ones; through a table unless all numbers below `most`
 * occur. */
static status combine_codes(struct release_domain *domain, const uint64_t *combined, size_t row_count,
                            uint64_t most, struct buffer *text, error *why)
{
    struct bound_table table;
    status result = DITHER_OK;

    bound_table_init(&table);
    for (size_t row = 0; row < row_count && result == DITHER_OK; row++)
        result = pack_number(combined[row], &table, &domain->group_of_row[row], why);
    if (result == DITHER_OK && table.count == most) {
        for (size_t row = 0; row < row_count; row++)
            domain->group_of_row[row] = (uint32_t)combined[row];
    } else if (result == DITHER_OK) {
        struct buffer wrapped;
        buffer_init(&wrapped, TABLE_BYTES);
        buffer_text(&wrapped, "dither_code(");
        buffer_append(&wrapped, text->data, text->length);
        buffer_text(&wrapped, ", ");
        release_print_table(&wrapped, &table);
        buffer_byte(&wrapped, ')');
        buffer_free(text);
        *text = wrapped;
    }
    domain->group_count = table.count;
    bound_table_free(&table);
    return result;
}

/* Takes the next column in. */
static status add_column(struct release_domain *domain, const struct sql_rows *rows, size_t column,
                         uint64_t *combined, error *why)
{
    struct column_codes codes = {.count = 0};
    struct buffer packed, text;

    buffer_init(&packed, PACKED_BYTES);
    buffer_init(&text, TABLE_BYTES);
    bound_table_init(&codes.table);
    status result = column_read(&codes, rows, column, &packed, why);
    if (result != DITHER_OK)
        goto done;
    if (column == 0) {
        column_print(&codes, column, &text);
    } else {
        buffer_byte(&text, '(');
        buffer_append(&text, domain->code.data, domain->code.length);
        buffer_format(&text, " * %zu + ", codes.count);
        column_print(&codes, column, &text);
        buffer_byte(&text, ')');
    }
    for (size_t row = 0; row < rows->row_count; row++)
        combined[row] = (column == 0 ? 0 : domain->group_of_row[row] * (uint64_t)codes.count) +
                        column_code(&codes, sql_rows_cell(rows, row, column), &packed);
    uint64_t most = (column == 0 ? 1 : (uint64_t)domain->group_count) * codes.count;
    result = combine_codes(domain, combined, rows->row_count, most, &text, why);
    buffer_free(&domain->code);
    domain->code = text;
    buffer_init(&text, 0);
done:
    bound_table_free(&codes.table);
    buffer_free(&packed);
    buffer_free(&text);
    return result;
}

static status make_codes(struct release_domain *domain, const struct sql_rows *rows, size_t key_count,
                         error *why)
{
    size_t size = (rows->row_count + 1) * sizeof(uint64_t);
    uint64_t *combined = memory_allocate(size);
    status result = DITHER_OK;

    if (!combined)
        return fail(why, DITHER_NO_MEMORY, "no memory for the domain of the keys");
    for (size_t column = 0; column < key_count && result == DITHER_OK; column++)
        result = add_column(domain, rows, column, combined, why);
    memory_release(combined, size);
    TRY(result);
    return buffer_check(&domain->code, why);
}

static status make_table(struct release_domain *domain, const struct sql_rows *rows, size_t key_count,
                         error *why)
{
    struct buffer packed;
    status result = DITHER_OK;

    buffer_init(&packed, PACKED_BYTES);
    for (size_t row = 0; row < rows->row_count && result == DITHER_OK; row++) {
        buffer_clear(&packed);
        for (size_t column = 0; column < key_count; column++)
            pack_value(sql_rows_cell(rows, row, column), &packed);
        result = add_packed(&domain->keys, &packed, &domain->group_of_row[row], why);
    }
    buffer_free(&packed);
    domain->group_count = domain->keys.count;
    return result;
}

/* For explain: the same form, with stand-ins for the tables. */
static void print_stand_in(struct release_domain *domain, size_t key_count)
{
    for (size_t i = 0; i + 1 < key_count; i++)
        buffer_byte(&domain->code, '(');
    for (size_t i = 0; i < key_count; i++)
        buffer_format(&domain->code, "%sdither_code(k%zu, 'DOMAIN')%s", i ? " + " : "", i, i ? ")" : "");
}

status release_domain_init(struct release_domain *domain, enum release_keys keys,
                           const struct sql_release *release, const struct engine_request *request,
                           error *why)
{
    static const struct sql_rows one_row = {.row_count = 1};
    const struct sql_rows *rows = request ? &request->domain : NULL;

    memset(domain, 0, sizeof *domain);
    bound_table_init(&domain->keys);
    buffer_init(&domain->code, TABLE_BYTES);
    if (release->key_count == 0) {
        rows = &one_row;
        buffer_text(&domain->code, "CAST(0 AS BIGINT)");
        domain->group_count = 1;
    } else if (!release->domain) {
        return DITHER_OK;
    } else if (!rows) {
        print_stand_in(domain, release->key_count);
        return DITHER_OK;
    }
    domain->known = true;
    domain->row_count = rows->row_count;
    domain->group_of_row = memory_allocate((rows->row_count + 1) * sizeof *domain->group_of_row);
    if (!domain->group_of_row)
        return fail(why, DITHER_NO_MEMORY, "no memory for the domain of the keys");
    if (keys == RELEASE_RAW)
        return make_table(domain, rows, release->key_count, why);
    if (release->key_count == 0)
        return DITHER_OK;
    if (rows->row_count == 0) { /* nothing can be shown */
        buffer_text(&domain->code, "CAST(NULL AS BIGINT)");
        return DITHER_OK;
    }
    return make_codes(domain, rows, release->key_count, why);
}

void release_domain_free(struct release_domain *domain)
{
    buffer_free(&domain->code);
    bound_table_free(&domain->keys);
    memory_release(domain->group_of_row, (domain->row_count + 1) * sizeof *domain->group_of_row);
    domain->group_of_row = NULL;
}
