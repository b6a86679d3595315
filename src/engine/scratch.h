/* scratch.h - the database for what follows a release: in memory, empty, and locked.
 *
 * A DuckDB instance of its own: no files, no network, no settings that a statement could change. It holds only
 * released and public rows. Opened once, used for many questions.
 *
 * There are two kinds behind this interface. In this process: for the library and `ask`, where the one who asks is the one whose
 * process it is. In a process of its own, started from `options.program`: for `serve`, where strangers' questions meet a process
 * that can reach private rows. That process shares no memory and no descriptor with ours but one pair of sockets, and has shut
 * itself in (sandbox.h); whatever it sends is read as a stranger's bytes, and of its words none but a number reaches an analyst.
 *
 * When it dies, takes too long or talks nonsense, what was asked of it fails with SCRATCH_LOST, and so does all else until
 * scratch_ready has put a new one in its place. That it failed tells nothing of private rows: what happens in scratch is a
 * function of released rows, public rows and the question, as every answer is. (How long it took may depend on what else the
 * machine does; time is outside the guarantee.)
 *
 * An object belongs to one thread; scratch_interrupt may be called from any. Objects share nothing. */
#ifndef ENGINE_SCRATCH_H
#define ENGINE_SCRATCH_H

#include "sql/print.h"

#define SCRATCH_LOST                                                                                         \
    "the rest of the question was stopped: it took too long or too much memory, or its process ended"

struct scratch;

struct scratch_options {
    uint64_t
        memory_bytes; /* 0: a quarter of the machine's, at most 1 GiB; half of that in a process of its own */
    unsigned threads; /* 0: all cores */
    /* The `dither` program, which is started with the argument "scratch-worker"; "/proc/self/exe" where we are it. NULL: in this
     * process, which knows no limit of time. The text lives as long as the scratch. */
    const char *program;
    bool later;       /* it is started when it is first wanted, by scratch_ready */
    unsigned seconds; /* for one statement in a process of its own; 0: SCRATCH_SECONDS */
};

enum { SCRATCH_SECONDS = 30 };

status scratch_open(const struct scratch_options *options, struct scratch **out, error *why) MUST_CHECK;
void scratch_close(struct scratch *scratch);

/* Between questions: makes sure that the process is there and fresh enough. `emptied` tells that nothing is in it any more, as
 * the first time; `complaint` (may be NULL) gets a line about what became of the last one, for the owner, or "". */
status scratch_ready(struct scratch *scratch, bool *emptied, const char **complaint, error *why) MUST_CHECK;

struct scratch_column {
    enum sql_type type;
    int scale;
};

/* A table with columns c0, c1, ... of the given types, filled; replaces one of that name. Fast for a million
 * rows. */
status scratch_put(struct scratch *scratch, const char *name, const struct scratch_column *columns,
                   const struct sql_rows *rows, error *why) MUST_CHECK;
void scratch_drop(struct scratch *scratch, const char *name);

/* The same row by row: begin, rows, end. After a failure the table is gone and the filling over; to give up earlier,
 * scratch_drop. `names` of the columns, or NULL for c0, c1, ...; the columns live until the end. */
struct scratch_table {
    const char *name;
    const struct scratch_column *columns;
    const char *const *names;
    size_t column_count;
};
status scratch_fill_begin(struct scratch *scratch, const struct scratch_table *table, error *why) MUST_CHECK;
status scratch_fill_row(struct scratch *scratch, const struct sql_value *cells, error *why) MUST_CHECK;
status scratch_fill_end(struct scratch *scratch, error *why) MUST_CHECK;

/* Runs one SELECT of the sql_duckdb dialect; the rows live in the arena. DITHER_INVALID beyond `most_rows`.
 * The types of the cells are those given. Messages are our own; scratch_complaint has DuckDB's. */
status scratch_query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                     size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                     error *why) MUST_CHECK;
const char *scratch_complaint(const struct scratch *scratch);
void scratch_interrupt(struct scratch *scratch);

#endif
