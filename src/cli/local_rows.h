/* local_rows.h - estimates that are not a plain list of counts: figures of numbers, strings, several questions. */
#ifndef CLI_LOCAL_ROWS_H
#define CLI_LOCAL_ROWS_H

#include "base/arena.h"
#include "cli/cli.h"
#include "local/numeric.h"

struct local_row {
    uint32_t attribute;
    const char *name;
    struct local_figure figure;
};

/* A list in an arena; all zero is empty. */
struct local_rows {
    struct local_row *rows;
    size_t count, capacity;
};

/* The name is copied. */
status local_rows_add(struct local_rows *rows, struct arena *arena, const struct local_row *row,
                      error *why) MUST_CHECK;

struct local_rows_shown {
    const char *name, *value; /* headings: "figure", "value"; or "text", "count" */
    bool attributes;          /* with a column for the attribute */
    double people, epsilon;
    uint64_t refused;
};
status local_rows_print(const struct local_rows *rows, const struct local_rows_shown *shown,
                        enum cli_format format, error *why) MUST_CHECK;

#endif
