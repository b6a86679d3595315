/* values.h - the numbers that a mechanism is applied to: from the command line, or from a CSV file.
 *
 * One argument that is not a number names a file ("-" is standard input); numbers are the values themselves.
 * What a file holds follows from the mechanism's shape: a number a line; for a table all columns, a person a
 * line; for people per key, a key a line, each line one person, and the keys are counted here.
 *
 * Header: with `header`, or when a column is chosen by name, the first line is one. Otherwise a first line of
 * a file of numbers is taken for a header if its cells are words; never with `no_header`. A file of keys has
 * a header only when told. Messages name the line, never the value. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "cli/cli.h"
#include "cli/tally.h"
#include "mechanism/mechanism.h"

struct values_request {
    enum mechanism_shape shape;
    size_t table_columns; /* of a table: how many were declared */
    const char *column;   /* NULL: the only one */
    bool header, no_header;
};

struct values {
    double *numbers;
    size_t count, capacity;
    bool keyed; /* keys.list[i] is what numbers[i] counts */
    struct tally keys;
};

void values_init(struct values *values);
void values_free(struct values *values);

/* DITHER_INVALID where the command line is to blame only for no arguments at all (`argc` 0). */
status values_read(struct values *values, const struct values_request *request, int argc, char **argv,
                   error *why) MUST_CHECK;

#endif
