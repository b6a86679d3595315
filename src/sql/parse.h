/* parse.h - text -> PostgreSQL's parse tree, with BigQuery's spelling understood.
 *
 * One statement, a SELECT (or WITH ... SELECT, VALUES). libpg_query unpacks its tree recursively, so this runs on
 * a thread with a large stack, after the text's size and nesting were limited. */
#ifndef SQL_PARSE_H
#define SQL_PARSE_H

#include <pg_query/pg_query.pb-c.h>

#include "sql/release.h"

struct sql_parsed {
    PgQuery__ParseResult *tree; /* of one statement; freed by sql_parsed_free */
    const PgQuery__SelectStmt *select;
    struct sql_options options; /* of SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...) */
    bool has_options;
    const int *cuts; /* how far what follows was moved: position map, see sql_parsed_position */
    size_t cut_count;
    size_t length; /* of the analyst's text */
};

/* DITHER_INVALID with PostgreSQL's words and a position in the analyst's text (syntax), DITHER_REFUSED for other
 * statements than one SELECT. */
status sql_parse(const char *text, size_t length, struct arena *arena, struct sql_parsed *out,
                 error *why) MUST_CHECK;
void sql_parsed_free(struct sql_parsed *parsed);

/* From a location in the tree to an offset, in characters as PostgreSQL counts them from 0, in the analyst's
 * text. -1 stays -1. */
int sql_parsed_position(const struct sql_parsed *parsed, int location);

#endif
