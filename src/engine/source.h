/* source.h - the files that a table's `source:` names.
 *
 * A name of a file, or a pattern (* ? [...]): then all files that match, sorted by their bytes. All have one
 * format, which the ending alone decides: .csv, .parquet, .json (one array of objects), .jsonl or .ndjson (an
 * object a line). Nothing is looked for inside. */
#ifndef ENGINE_SOURCE_H
#define ENGINE_SOURCE_H

#include "base/arena.h"

enum source_format { SOURCE_CSV, SOURCE_PARQUET, SOURCE_JSON, SOURCE_JSON_LINES };

struct source {
    enum source_format format;
    const char *const *files;
    size_t count; /* at least 1 */
};

/* DITHER_IO or DITHER_INVALID with the name: no such file, no regular file, no such format, different formats. */
status source_find(const char *pattern, struct arena *arena, struct source *out, error *why) MUST_CHECK;

/* The names in the first line of a CSV file: there are some, none is empty or there twice (case does not count).
 */
struct source_header {
    const char *const *names;
    size_t count;
};
status source_read_header(const char *file, struct arena *arena, struct source_header *out,
                          error *why) MUST_CHECK;

/* What policy_column a CSV file of public rows may be read with: the narrowest type that every cell is a value
 * of; integer (without needless zeros), real, boolean (words), date, timestamp, else text. Reads all of it. */
struct policy_column;
status source_guess_columns(const struct source *source, struct arena *arena,
                            const struct policy_column **out, size_t *count, error *why) MUST_CHECK;

#endif
