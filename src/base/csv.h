/* csv.h - tables in text, strictly as RFC 4180 has them.
 *
 * Records end with LF or CRLF (the last one may end with the file), fields are separated by commas, and a
 * field that holds a comma, a quote or a line end stands in quotes, with quotes inside it doubled. An empty
 * line is a record of one empty field. A byte order mark at the start is skipped.
 *
 * What is not well-formed is refused, with its line, and nothing is guessed: an unclosed quote (it would
 * swallow the rest of the file), a quote in the middle of a field, a bare CR, a NUL, text that is not UTF-8,
 * a record with more or fewer fields than the first one, anything beyond the limits. Messages name file, line
 * and column, never a value. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct csv_options {
    const char *name; /* of the file, for messages */
    /* Limits; 0 stands for the default. */
    uint64_t file_bytes; /* 64 GiB */
    size_t record_bytes; /* 1 MiB, after unquoting */
    size_t columns;      /* 4096 */
};

struct csv_field {
    const char *text; /* followed by a NUL */
    size_t length;
    bool quoted; /* tells an empty text from nothing */
};

struct csv_record {
    uint64_t number; /* 1, 2, ... */
    uint64_t line;   /* where it begins, from 1; a quoted line end makes a record longer than a line */
    const struct csv_field *fields;
    size_t count;
};

/* Receives each record in turn; the record lives until it returns. Any status but DITHER_OK ends the reading.
 */
typedef status (*csv_receive)(void *context, const struct csv_record *record, error *why);

/* Reads to the end of the file, in pieces of constant size. */
status csv_read(FILE *file, const struct csv_options *options, csv_receive receive, void *context,
                error *why) MUST_CHECK;

/* The same from memory. */
status csv_read_bytes(const void *bytes, size_t count, const struct csv_options *options, csv_receive receive,
                      void *context, error *why) MUST_CHECK;

/* For writing: appends the field, quoted where it must be. */
struct buffer;
void csv_write_field(struct buffer *buffer, const char *text);

#endif
