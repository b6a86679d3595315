/* duckdb_statements.h - statements of one connection that are kept, by their text.
 *
 * Those with slots (duckdb_slots.h) come again with other constants, and are planned once. The ones that were not used for
 * longest make room for new ones. The rows must not change while statements are kept: a plan relies on the least and
 * greatest values that were in the tables when it was made, and fails on others. */
#ifndef ENGINE_DUCKDB_STATEMENTS_H
#define ENGINE_DUCKDB_STATEMENTS_H

#include <duckdb.h>

#include "base/buffer.h"
#include "engine/duckdb_slots.h"

enum {
    DUCKDB_STATEMENTS = 64,
    DUCKDB_STATEMENT_BYTES = 16 << 10, /* longer ones hold rows, and do not come again */
};

struct duckdb_statement {
    uint64_t hash; /* of the text */
    char *text;
    size_t length;
    uint64_t used;                      /* when: the larger the later */
    duckdb_prepared_statement prepared; /* NULL: DuckDB does not take it, or it is not to be run */
    bool taken;                         /* whether DuckDB takes it */
};

/* All zero: none. */
struct duckdb_statements {
    struct duckdb_statement list[DUCKDB_STATEMENTS];
    size_t count;
    uint64_t clock;
};

/* What a connection keeps; all zero: nothing yet. */
struct duckdb_keeper {
    struct duckdb_slots slots;
    struct duckdb_statements statements;
};

/* Before the connection is closed. */
void duckdb_statements_free(struct duckdb_statements *statements);

/* The statement of this text, or NULL. Good until the next one is added. */
const struct duckdb_statement *duckdb_statements_find(struct duckdb_statements *statements,
                                                      const struct buffer *text);
/* Adds it; `prepared` is taken over. Without memory it is not kept, and the result is NULL. */
const struct duckdb_statement *duckdb_statements_add(struct duckdb_statements *statements,
                                                     const struct buffer *text, bool taken,
                                                     duckdb_prepared_statement prepared);

#endif
