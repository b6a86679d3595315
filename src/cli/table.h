/* table.h - rows of text that are shown to people, in columns, or to machines, as CSV.
 *
 * Numbers stand one below the other by their decimal points. Cells are copied. A failure (no memory) is kept
 * and reported by table_print. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "cli/cli.h"

enum { TABLE_COLUMNS = 12 };

struct table_column {
    const char *name;
    bool number;
    size_t before, after; /* widths left of the decimal point, and right of it with the point */
};

struct table {
    struct arena arena;
    struct table_column columns[TABLE_COLUMNS];
    size_t column_count;
    char **cells; /* row by row */
    size_t cell_count, capacity;
    status failed;
};

void table_init(struct table *table);
void table_free(struct table *table);

/* All columns before the first cell; `name` is borrowed. */
void table_text_column(struct table *table, const char *name);
void table_number_column(struct table *table, const char *name);

/* The next cell, from left to right and top to bottom. */
void table_text(struct table *table, const char *text);

/* Twelve digits; NaN is a dash, infinity "inf". Exactly, for machines; NaN is then empty. */
void table_number(struct table *table, double number);
void table_exact_number(struct table *table, double number);

/* Appends the table as CLI_TABLE or CLI_CSV. */
status table_print(struct table *table, enum cli_format format, struct buffer *out, error *why) MUST_CHECK;

#endif
