/* scratch_kind.h - what each kind of scratch does; scratch.c calls it. The laws are scratch.h's. */
#ifndef ENGINE_SCRATCH_KIND_H
#define ENGINE_SCRATCH_KIND_H

#include "engine/duckdb_instance.h"
#include "engine/scratch.h"

struct scratch_kind {
    void (*close)(struct scratch *scratch);
    status (*ready)(struct scratch *scratch, bool *emptied, const char **complaint, error *why);
    /* At least one column. */
    status (*fill_begin)(struct scratch *scratch, const struct scratch_table *table, error *why);
    status (*fill_row)(struct scratch *scratch, const struct sql_value *cells, error *why);
    status (*fill_end)(struct scratch *scratch, error *why);
    void (*drop)(struct scratch *scratch, const char *name); /* also ends a filling */
    status (*query)(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                    size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                    error *why);
    const char *(*complaint)(const struct scratch *scratch);
    void (*interrupt)(struct scratch *scratch);
};

/* Each kind's own begins with it. */
struct scratch {
    const struct scratch_kind *kind;
    char filling[256]; /* the table that is being filled; "": none */
};

/* `options` is not NULL, and says how much memory. */
status scratch_local_open(const struct scratch_options *options, struct scratch **out, error *why) MUST_CHECK;
/* The database of a scratch in this process, so that a test can ask of it what scratch.h does not let through. */
struct duckdb_instance *scratch_local_instance(struct scratch *scratch);
status scratch_process_open(const struct scratch_options *options, struct scratch **out,
                            error *why) MUST_CHECK;

#endif
