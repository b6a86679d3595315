/* duckdb_functions_parts.h - how the families of our scalar functions are written. Inside the room only.
 *
 * A function is a row function with its types, a letter each:
 *
 *     b boolean   i BIGINT   n DECIMAL(18, scale)   r DOUBLE   t VARCHAR   d DATE   s TIMESTAMP   v INTERVAL
 *
 * One with an n is registered for every scale, under a name that ends in _SCALE. */
#ifndef ENGINE_DUCKDB_FUNCTIONS_PARTS_H
#define ENGINE_DUCKDB_FUNCTIONS_PARTS_H

#include <duckdb.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* One value of any type. */
struct cell {
    bool null;
    int64_t whole; /* boolean, integer, decimal's units, days, microseconds, interval's microseconds */
    double real;
    const char *text;
    size_t length;
    int32_t months, days;
};

/* What a row function is given besides its arguments. */
struct cell_room {
    int scale;           /* of the decimals */
    struct buffer *text; /* empty: for a text that is not a part of an argument; `out` may point into it */
};

/* False: NULL. Arguments are not NULL unless the entry says so. */
typedef bool cell_function(const struct cell *arguments, const struct cell_room *room, struct cell *out);

struct function_entry {
    const char *name;
    const char *arguments;
    char result;
    cell_function *row;
    bool sees_nulls;                 /* is called for NULL arguments, too */
    duckdb_scalar_function_t vector; /* instead of `row`, for what is worth a loop of its own */
};

/* Each ended by an entry without a name. */
extern const struct function_entry functions_arithmetic[], functions_numeric[], functions_text[],
    functions_like[], functions_date[], functions_cast[];

#endif
