/* value.h - the types and values of SQL as Dither knows them, and small tables of values.
 *
 * These are PostgreSQL's bigint, numeric(18, scale), double precision, text, boolean, date, timestamp and
 * interval. Literals with a point are reals. A whole number is exact; there is no integer but the 64-bit one.
 */
#ifndef SQL_VALUE_H
#define SQL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum sql_type {
    SQL_UNKNOWN, /* a bare NULL, or a quoted literal whose type the context decides */
    SQL_BOOLEAN,
    SQL_INTEGER,
    SQL_DECIMAL, /* a whole number of units of 10^-scale, in 64 bits */
    SQL_REAL,
    SQL_TEXT,
    SQL_DATE,      /* days since 1970-01-01 */
    SQL_TIMESTAMP, /* microseconds since 1970-01-01 00:00:00 */
    SQL_INTERVAL,  /* months, days and microseconds */
};

/* "bigint", "double precision" ... : PostgreSQL's name, for messages and answers. */
const char *sql_type_name(enum sql_type type);

struct sql_value {
    enum sql_type type;
    int scale; /* of a decimal */
    bool null;
    int64_t whole; /* boolean (0, 1), integer, decimal, date, timestamp, interval's microseconds */
    double real;
    const char *text;     /* NUL-terminated UTF-8; without NUL inside */
    int32_t months, days; /* interval */
};

/* NULL before everything, then by value (text by bytes; reals with -0 = 0 and NaN last): a total order of the
 * values of one type, the same on every machine. */
int sql_value_compare(const struct sql_value *a, const struct sql_value *b);

/* A small table of values: rows of `column_count` cells, row by row. */
struct sql_rows {
    size_t column_count, row_count;
    const struct sql_value *cells;
};

static inline const struct sql_value *sql_rows_cell(const struct sql_rows *rows, size_t row, size_t column)
{
    return &rows->cells[row * rows->column_count + column];
}

#endif
