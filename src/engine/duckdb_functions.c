#include "engine/duckdb_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_functions_parts.h"

enum {
    MOST_ARGUMENTS = 4,
    MOST_SCALE = 18,
    MOST_TEXT_BYTES = 1 << 30, /* no row function makes more than its input and some constants */
};

/* What DuckDB hands back to us with every chunk. */
struct registered {
    const struct function_entry *entry;
    int scale;
};

/* ---- Chunks to cells ---- */

struct column {
    char letter;
    void *data;
    uint64_t *validity; /* NULL: no NULLs */
};

static void read_cell(const struct column *column, idx_t row, struct cell *cell)
{
    cell->null = column->validity != NULL && !duckdb_validity_row_is_valid(column->validity, row);
    if (cell->null)
        return;
    duckdb_string_t *text;
    const duckdb_interval *interval;
    switch (column->letter) {
    case 'b':
        cell->whole = ((const bool *)column->data)[row];
        break;
    case 'r':
        cell->real = ((const double *)column->data)[row];
        break;
    case 'd':
        cell->whole = ((const int32_t *)column->data)[row];
        break;
    case 't':
        text = &((duckdb_string_t *)column->data)[row];
        cell->text = duckdb_string_t_data(text);
        cell->length = duckdb_string_t_length(*text);
        break;
    case 'v':
        interval = &((const duckdb_interval *)column->data)[row];
        cell->months = interval->months;
        cell->days = interval->days;
        cell->whole = interval->micros;
        break;
    default:
        cell->whole = ((const int64_t *)column->data)[row];
    }
}

static void write_cell(duckdb_vector vector, const struct column *column, idx_t row, const struct cell *cell)
{
    switch (column->letter) {
    case 'b':
        ((bool *)column->data)[row] = cell->whole != 0;
        break;
    case 'r':
        ((double *)column->data)[row] = cell->real;
        break;
    case 'd':
        ((int32_t *)column->data)[row] = (int32_t)cell->whole;
        break;
    case 't':
        duckdb_vector_assign_string_element_len(vector, row, cell->text, cell->length);
        break;
    case 'v':
        ((duckdb_interval *)column->data)[row] =
            (duckdb_interval){.months = cell->months, .days = cell->days, .micros = cell->whole};
        break;
    default:
        ((int64_t *)column->data)[row] = cell->whole;
    }
}

static bool any_null(const struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].null)
            return true;
    return false;
}

/* All rows of a chunk through the row function. */
static void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const struct registered *registered = duckdb_scalar_function_get_extra_info(info);
    const struct function_entry *entry = registered->entry;
    size_t count = strlen(entry->arguments);
    struct column columns[MOST_ARGUMENTS];
    for (size_t i = 0; i < count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(input, i);
        columns[i] = (struct column){entry->arguments[i], duckdb_vector_get_data(vector),
                                     duckdb_vector_get_validity(vector)};
    }
    duckdb_vector_ensure_validity_writable(output);
    struct column result = {entry->result, duckdb_vector_get_data(output),
                            duckdb_vector_get_validity(output)};
    struct buffer text;
    buffer_init(&text, MOST_TEXT_BYTES);
    const struct cell_room room = {registered->scale, &text};
    idx_t rows = duckdb_data_chunk_get_size(input);
    for (idx_t row = 0; row < rows; row++) {
        struct cell cells[MOST_ARGUMENTS], out = {0};
        for (size_t i = 0; i < count; i++)
            read_cell(&columns[i], row, &cells[i]);
        bool found = (entry->sees_nulls || !any_null(cells, count)) && entry->row(cells, &room, &out);
        if (found && !text.failed)
            write_cell(output, &result, row, &out);
        else
            duckdb_validity_set_row_invalid(result.validity, row);
        if (text.length > 0)
            buffer_clear(&text);
    }
    if (text.failed)
        duckdb_scalar_function_set_error(info, "out of memory");
    buffer_free(&text);
}

/* ---- Registration ---- */

static duckdb_logical_type type_of(char letter, int scale)
{
    switch (letter) {
    case 'b':
        return duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN);
    case 'i':
        return duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    case 'n':
        return duckdb_create_decimal_type(MOST_SCALE, (uint8_t)scale);
    case 'r':
        return duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    case 't':
        return duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    case 'd':
        return duckdb_create_logical_type(DUCKDB_TYPE_DATE);
    case 's':
        return duckdb_create_logical_type(DUCKDB_TYPE_TIMESTAMP);
    default:
        return duckdb_create_logical_type(DUCKDB_TYPE_INTERVAL);
    }
}

static duckdb_scalar_function make(const struct function_entry *entry, const char *name, int scale)
{
    struct registered *registered = malloc(sizeof *registered);
    if (registered == NULL)
        return NULL;
    *registered = (struct registered){entry, scale};
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(function, name);
    duckdb_scalar_function_set_extra_info(function, registered, free);
    for (const char *letter = entry->arguments; *letter != '\0'; letter++) {
        duckdb_logical_type type = type_of(*letter, scale);
        duckdb_scalar_function_add_parameter(function, type);
        duckdb_destroy_logical_type(&type);
    }
    duckdb_logical_type type = type_of(entry->result, scale);
    duckdb_scalar_function_set_return_type(function, type);
    duckdb_destroy_logical_type(&type);
    duckdb_scalar_function_set_function(function, entry->vector != NULL ? entry->vector : run_rows);
    if (entry->sees_nulls)
        duckdb_scalar_function_set_special_handling(function);
    return function;
}

/* DuckDB takes decimals of all scales for equally good: so each scale has a name of its own. */
static bool is_scaled(const struct function_entry *entry)
{
    return entry->result == 'n' || strchr(entry->arguments, 'n') != NULL;
}

/* The overloads of one name, which stand beside each other; `count` of them. */
static bool register_set(duckdb_connection connection, const struct function_entry *entries, size_t count,
                         const char *name, int scale)
{
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(name);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        duckdb_scalar_function function = make(&entries[i], name, scale);
        good = function != NULL && duckdb_add_scalar_function_to_set(set, function) == DuckDBSuccess;
        duckdb_destroy_scalar_function(&function);
    }
    good = good && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_scalar_function_set(&set);
    return good;
}

static status register_name(duckdb_connection connection, const struct function_entry *entries, size_t count,
                            error *why)
{
    bool scaled = is_scaled(entries), good = true;
    for (int scale = 0; good && scale <= (scaled ? MOST_SCALE : 0); scale++) {
        char name[80];
        if (scaled)
            snprintf(name, sizeof name, "%s_%d", entries->name, scale);
        else
            snprintf(name, sizeof name, "%s", entries->name);
        good = register_set(connection, entries, count, name, scale);
    }
    return good ? DITHER_OK : fail(why, DITHER_IO, "DuckDB does not take the function %s", entries->name);
}

/* How many entries from this one on are overloads of one name. */
static size_t count_overloads(const struct function_entry *entry)
{
    size_t count = 1;
    while (!is_scaled(entry) && entry[count].name != NULL && strcmp(entry[count].name, entry->name) == 0 &&
           !is_scaled(&entry[count]))
        count++;
    return count;
}

status duckdb_functions_register(duckdb_connection connection, error *why)
{
    static const struct function_entry *const families[] = {functions_arithmetic, functions_numeric,
                                                            functions_text,       functions_like,
                                                            functions_date,       functions_cast};
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        const struct function_entry *entry = families[family];
        while (entry->name != NULL) {
            size_t count = count_overloads(entry);
            TRY(register_name(connection, entry, count, why));
            entry += count;
        }
    }
    return DITHER_OK;
}
