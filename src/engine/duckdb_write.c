#include "engine/duckdb_write.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

void duckdb_print_type(struct buffer *buffer, enum sql_type type, int scale)
{
    char room[32];
    buffer_text(buffer, sql_duckdb.type(type, scale, room, sizeof room));
}

duckdb_logical_type duckdb_type_of(enum sql_type type, int scale)
{
    static const duckdb_type types[] = {
        [SQL_BOOLEAN] = DUCKDB_TYPE_BOOLEAN, [SQL_INTEGER] = DUCKDB_TYPE_BIGINT,
        [SQL_REAL] = DUCKDB_TYPE_DOUBLE,     [SQL_TEXT] = DUCKDB_TYPE_VARCHAR,
        [SQL_DATE] = DUCKDB_TYPE_DATE,       [SQL_TIMESTAMP] = DUCKDB_TYPE_TIMESTAMP,
        [SQL_UNKNOWN] = DUCKDB_TYPE_VARCHAR, [SQL_INTERVAL] = DUCKDB_TYPE_INTERVAL,
    };
    if (type == SQL_DECIMAL)
        return duckdb_create_decimal_type(18, (uint8_t)scale);
    return duckdb_create_logical_type(types[type]);
}

static status create_chunk(struct duckdb_writer *writer, error *why)
{
    size_t count = writer->column_count;
    duckdb_logical_type *types = memory_allocate(count * sizeof *types);
    if (types == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        types[i] = duckdb_type_of(writer->columns[i].type, writer->columns[i].scale);
    writer->chunk = duckdb_create_data_chunk(types, count);
    for (size_t i = 0; i < count; i++)
        duckdb_destroy_logical_type(&types[i]);
    memory_release(types, count * sizeof *types);
    if (writer->chunk == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    return DITHER_OK;
}

/* All cells NULL until they are set. */
static void begin_chunk(struct duckdb_writer *writer)
{
    for (size_t i = 0; i < writer->column_count; i++) {
        writer->vectors[i] = duckdb_data_chunk_get_vector(writer->chunk, i);
        writer->data[i] = duckdb_vector_get_data(writer->vectors[i]);
        duckdb_vector_ensure_validity_writable(writer->vectors[i]);
        writer->validity[i] = duckdb_vector_get_validity(writer->vectors[i]);
        memset(writer->validity[i], 0, (writer->most_rows + 63) / 64 * sizeof(uint64_t));
    }
    writer->rows = 0;
}

static status create_appender(struct duckdb_writer *writer, const char *table, error *why)
{
    if (duckdb_appender_create(writer->instance->connection, NULL, table, &writer->appender) == DuckDBSuccess)
        return DITHER_OK;
    duckdb_instance_complain(writer->instance, duckdb_appender_error(writer->appender));
    return fail(why, DITHER_IO, "DuckDB cannot add rows to its table");
}

status duckdb_writer_open(struct duckdb_instance *instance, const char *table,
                          const struct scratch_column *columns, size_t column_count,
                          struct duckdb_writer *out, error *why)
{
    assert(column_count > 0);
    struct duckdb_writer writer = {.instance = instance,
                                   .columns = columns,
                                   .column_count = column_count,
                                   .most_rows = duckdb_vector_size()};
    writer.vectors = memory_allocate(column_count * sizeof *writer.vectors);
    writer.data = memory_allocate(column_count * sizeof *writer.data);
    writer.validity = memory_allocate(column_count * sizeof *writer.validity);
    status result = DITHER_OK;
    if (writer.vectors == NULL || writer.data == NULL || writer.validity == NULL)
        result = fail(why, DITHER_NO_MEMORY, "out of memory");
    if (result == DITHER_OK)
        result = create_appender(&writer, table, why);
    if (result == DITHER_OK)
        result = create_chunk(&writer, why);
    if (result != DITHER_OK) {
        duckdb_writer_close(&writer);
        return result;
    }
    begin_chunk(&writer);
    *out = writer;
    return DITHER_OK;
}

void duckdb_writer_close(struct duckdb_writer *writer)
{
    size_t count = writer->column_count;
    if (writer->appender != NULL)
        (void)duckdb_appender_destroy(&writer->appender);
    if (writer->chunk != NULL)
        duckdb_destroy_data_chunk(&writer->chunk);
    memory_release(writer->vectors, count * sizeof *writer->vectors);
    memory_release(writer->data, count * sizeof *writer->data);
    memory_release(writer->validity, count * sizeof *writer->validity);
    *writer = (struct duckdb_writer){.appender = NULL};
}

static void set_valid(struct duckdb_writer *writer, size_t column)
{
    writer->validity[column][writer->rows / 64] |= UINT64_C(1) << (writer->rows % 64);
}

void duckdb_writer_set_text(struct duckdb_writer *writer, size_t column, const char *text, size_t length)
{
    assert(writer->columns[column].type == SQL_TEXT || writer->columns[column].type == SQL_UNKNOWN);
    duckdb_vector_assign_string_element_len(writer->vectors[column], writer->rows, text, length);
    set_valid(writer, column);
}

void duckdb_writer_set(struct duckdb_writer *writer, size_t column, const struct sql_value *value)
{
    idx_t row = writer->rows;
    if (value->null)
        return;
    switch (writer->columns[column].type) {
    case SQL_BOOLEAN:
        ((bool *)writer->data[column])[row] = value->whole != 0;
        break;
    case SQL_INTEGER:
    case SQL_DECIMAL:
    case SQL_TIMESTAMP:
        ((int64_t *)writer->data[column])[row] = value->whole;
        break;
    case SQL_REAL:
        ((double *)writer->data[column])[row] = value->real;
        break;
    case SQL_DATE:
        ((int32_t *)writer->data[column])[row] = (int32_t)value->whole;
        break;
    case SQL_INTERVAL:
        ((duckdb_interval *)writer->data[column])[row] =
            (duckdb_interval){.months = value->months, .days = value->days, .micros = value->whole};
        break;
    case SQL_TEXT:
    case SQL_UNKNOWN:
        if (value->text != NULL)
            duckdb_writer_set_text(writer, column, value->text, strlen(value->text));
        return;
    }
    set_valid(writer, column);
}

static status send_chunk(struct duckdb_writer *writer, error *why)
{
    if (writer->rows == 0)
        return DITHER_OK;
    duckdb_data_chunk_set_size(writer->chunk, writer->rows);
    if (duckdb_append_data_chunk(writer->appender, writer->chunk) != DuckDBSuccess) {
        duckdb_instance_complain(writer->instance, duckdb_appender_error(writer->appender));
        return fail(why, DITHER_IO, "DuckDB cannot add rows to its table");
    }
    duckdb_data_chunk_reset(writer->chunk);
    begin_chunk(writer);
    return DITHER_OK;
}

status duckdb_writer_next(struct duckdb_writer *writer, error *why)
{
    writer->rows++;
    return writer->rows < writer->most_rows ? DITHER_OK : send_chunk(writer, why);
}

status duckdb_writer_finish(struct duckdb_writer *writer, error *why)
{
    TRY(send_chunk(writer, why));
    if (duckdb_appender_close(writer->appender) == DuckDBSuccess)
        return DITHER_OK;
    duckdb_instance_complain(writer->instance, duckdb_appender_error(writer->appender));
    return fail(why, DITHER_IO, "DuckDB cannot add rows to its table");
}
