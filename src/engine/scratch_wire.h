/* scratch_wire.h - what a scratch in a process of its own is told, and what it says: the bodies of its frames (frame.h).
 *
 *     to it    'O' open: its limits           no answer but the hello
 *              'T' table: name, columns       no answer; then 'R' rows, any number of them, and 'F'
 *              'R' rows                       no answer
 *              'F' the table is full          'S'
 *              'X' drop: name                 no answer; also instead of 'F'
 *              'Q' query                      'R' rows, any number of them, and 'S'
 *     from it  'S' status: how it ended, and DuckDB's words, for the owner
 *
 * A row is its cells: a byte, 0 for NULL or 1, and after 1 the value, as long as its type says. Readers are pure, bounded, and
 * check everything that can be checked: types, scales, truth values, UTF-8. */
#ifndef ENGINE_SCRATCH_WIRE_H
#define ENGINE_SCRATCH_WIRE_H

#include "engine/frame.h"
#include "engine/scratch.h"

enum {
    SCRATCH_OPEN = 'O',
    SCRATCH_TABLE = 'T',
    SCRATCH_ROWS = 'R',
    SCRATCH_FULL = 'F',
    SCRATCH_DROP = 'X',
    SCRATCH_QUERY = 'Q',
    SCRATCH_STATUS = 'S',
};

enum {
    SCRATCH_MOST_COLUMNS = 4096,
    SCRATCH_PIECE_BYTES = 256 << 10, /* rows are sent when there are so many bytes of them */
    SCRATCH_ROW_BYTES = 16 << 20,
};

struct scratch_wire_open {
    uint64_t memory_bytes;
    uint32_t threads;
};
void scratch_wire_put_open(struct buffer *buffer, const struct scratch_wire_open *open);
bool scratch_wire_get_open(struct cursor *body, struct scratch_wire_open *out);

/* Of those that follow, DITHER_INVALID: it is not what it should be. Names, columns and texts go to the arena. */
void scratch_wire_put_table(struct buffer *buffer, const struct scratch_table *table);
status scratch_wire_get_table(struct cursor *body, struct arena *arena, struct scratch_table *out,
                              error *why) MUST_CHECK;

struct scratch_wire_query {
    uint32_t number;
    uint64_t most_rows;
    const struct scratch_column *columns;
    size_t column_count;
    const char *sql;
};
void scratch_wire_put_query(struct buffer *buffer, const struct scratch_wire_query *query);
status scratch_wire_get_query(struct cursor *body, struct arena *arena, struct scratch_wire_query *out,
                              error *why) MUST_CHECK;

/* One row of a frame of rows, whose body is nothing else. */
void scratch_wire_put_row(struct buffer *buffer, const struct scratch_column *columns, size_t column_count,
                          const struct sql_value *cells);
status scratch_wire_get_row(struct cursor *body, const struct scratch_column *columns, size_t column_count,
                            struct arena *arena, struct sql_value *cells, error *why) MUST_CHECK;

struct scratch_wire_status {
    status result;
    const char *complaint;
    size_t complaint_length;
};
void scratch_wire_put_status(struct buffer *buffer, status result, const char *complaint);
bool scratch_wire_get_status(struct cursor *body, struct scratch_wire_status *out);

void scratch_wire_put_name(struct buffer *buffer, const char *name);

#endif
