/* draft.h - what a data file is made of, for `dither init`: names, types and declared keys.
 *
 *     TRY(draft_read(files, count, peek, arena, &draft, why));
 *
 * CSV, Parquet, JSON and DuckDB files; of a DuckDB file all its tables. Names, types and keys are those that the
 * file declares. CSV declares no types: they are guessed from the columns' names, and no cell is looked at, unless
 * the owner lets it `peek`. Then they are the types that all cells fit, and columns of numbers and dates get a range,
 * rounded outwards to 1-2-5 steps of its width, so that a bound tells little of anybody's value. JSON declares
 * nothing at all, so it needs a peek. Reading is the owner's act: messages may name files, lines and columns, never
 * a value. */
#ifndef ENGINE_DRAFT_H
#define ENGINE_DRAFT_H

#include "policy/policy.h"

struct draft_column {
    const char *name; /* as the file has it */
    enum policy_type type;
    int scale;     /* of a decimal */
    bool not_null; /* declared by the source: a constraint, not a count */
    bool unique;   /* the same: the one column of a primary or unique key */
    /* peeked, as a policy writes it: "0", "-0.5", "2024-01-01"; NULL: not looked at, or no value there */
    const char *lower, *upper;
};

struct draft_table {
    const char
        *name; /* of the file without folder and ending, or of the table in it; not yet a policy's name */
    const char *file; /* as it was given; NULL: a table of `database` */
    const struct draft_column *columns;
    size_t column_count;
};

struct draft {
    const char *database; /* a DuckDB file, as it was given; NULL: every table has its file */
    const struct draft_table *tables;
    size_t table_count;
};

/* DITHER_INVALID: a file of another kind, files beside a DuckDB file, no columns; DITHER_IO. Everything lives in the
 * arena. */
status draft_read(const char *const *files, size_t count, bool peek, struct arena *arena,
                  const struct draft **out, error *why) MUST_CHECK;

#endif
