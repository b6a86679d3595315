/* parse.h - text -> PostgreSQL's parse tree, with BigQuery's spelling understood.
 *
 * One statement, a SELECT (or WITH ... SELECT, VALUES). libpg_query unpacks its tree recursively, so this runs on
 * a thread with a large stack, after the text's size and nesting were limited; a tree that is handed out is
 * shallow enough to be walked and freed on an ordinary one. */
#ifndef SQL_PARSE_H
#define SQL_PARSE_H

#include <pg_query/pg_query.pb-c.h>

#include "sql/release.h"

/* Values of $1, $2 ...; NULL or none of them: a question with parameters is refused. */
struct sql_parameters {
    const struct sql_value *values;
    size_t count;
    /* For who wants to know before there are values: what each one is taken for where it stands first, or SQL_UNKNOWN where
     * nothing says. As many as there are values; filled while the question is planned. NULL: nobody asks. */
    enum sql_type *inferred;
};

struct sql_parsed {
    PgQuery__ParseResult *tree; /* of one statement; freed by sql_parsed_free */
    const PgQuery__SelectStmt *select;
    struct sql_options options; /* of SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...) */
    bool has_options;
    const int *characters; /* how many characters stand before each byte of the analyst's text, and its end */
    size_t length;         /* of the text, in bytes */
};

/* Messages of the tree within each other. Each nested expression or sub-select takes two or more. */
enum { SQL_MOST_TREE_DEPTH = 2 * SQL_MOST_DEPTH };

/* DITHER_INVALID with PostgreSQL's words and a position in the analyst's text (syntax), DITHER_REFUSED for other
 * statements than one SELECT. On failure there is nothing to free. */
status sql_parse(const char *text, size_t length, struct arena *arena, struct sql_parsed *out,
                 error *why) MUST_CHECK;
/* The same, with constants in the place of parameters. A value of the type SQL_UNKNOWN is like a literal in quotes. */
status sql_parse_bound(const char *text, size_t length, const struct sql_parameters *parameters,
                       struct arena *arena, struct sql_parsed *out, error *why) MUST_CHECK;
void sql_parsed_free(struct sql_parsed *parsed);

/* Said by a thread that asks again and again, and has at least SQL_PARSER_STACK bytes of stack: short texts are parsed on it from
 * now on, without waking another. Not for threads that come and go: libpg_query keeps something of each for good. */
enum { SQL_PARSER_STACK = 8 << 20 };
void sql_parse_here(void);

/* From a location in the tree, in bytes, to an offset in the analyst's text, in characters from 0 (one less than
 * PostgreSQL's cursor position). -1 stays -1. Every position in an error of this room counts so. */
int sql_parsed_position(const struct sql_parsed *parsed, int location);

#endif
