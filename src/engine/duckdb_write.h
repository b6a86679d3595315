/* duckdb_write.h - values into a DuckDB table, a few thousand rows at a time.
 *
 *     TRY(duckdb_writer_open(instance, "visits", columns, count, &writer, why));
 *     for each row: duckdb_writer_set(...) for its cells; TRY(duckdb_writer_next(&writer, why));
 *     TRY(duckdb_writer_finish(&writer, why));
 *
 * What is not set in a row is NULL. duckdb_writer_close in any case. */
#ifndef ENGINE_DUCKDB_WRITE_H
#define ENGINE_DUCKDB_WRITE_H

#include "engine/duckdb_instance.h"
#include "engine/scratch.h"

/* The type of a column, as sql_duckdb and the appender have it: BIGINT, DECIMAL(18,2), DOUBLE, VARCHAR ... */
void duckdb_print_type(struct buffer *buffer, enum sql_type type, int scale);
duckdb_logical_type duckdb_type_of(enum sql_type type, int scale);

struct duckdb_writer {
    struct duckdb_instance *instance;
    duckdb_appender appender;
    duckdb_data_chunk chunk;
    const struct scratch_column *columns;
    size_t column_count;
    duckdb_vector *vectors; /* of the chunk that is being filled; and their data and validity */
    void **data;
    uint64_t **validity;
    idx_t rows, most_rows;
};

/* The table exists and has these columns; they live as long as the writer. */
status duckdb_writer_open(struct duckdb_instance *instance, const char *table,
                          const struct scratch_column *columns, size_t column_count,
                          struct duckdb_writer *out, error *why) MUST_CHECK;
void duckdb_writer_close(struct duckdb_writer *writer);

/* The value has the column's type. A decimal has its scale. */
void duckdb_writer_set(struct duckdb_writer *writer, size_t column, const struct sql_value *value);
void duckdb_writer_set_text(struct duckdb_writer *writer, size_t column, const char *text, size_t length);

status duckdb_writer_next(struct duckdb_writer *writer, error *why) MUST_CHECK;
status duckdb_writer_finish(struct duckdb_writer *writer, error *why) MUST_CHECK;

#endif
