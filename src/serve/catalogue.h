/* catalogue.h - what tools ask when they connect: which tables and columns there are.
 *
 * psql's \d, JDBC's getColumns, SQLAlchemy's reflection and their kin read PostgreSQL's own tables: pg_class,
 * pg_attribute, information_schema.columns. Here these are tables of ours in a database in memory of its own, filled from
 * the policy (and the columns of public tables that the engine named) before the first question, and then locked. No row,
 * no count, no estimate of the data ever gets there, so that nothing can leak: reltuples is -1.
 *
 * A question is parsed, and rewritten on its tree: names of tables, functions, types and operators are exchanged for ours
 * by lists; what is on no list is refused. What is printed from the tree is run. Several threads may
 * ask one catalogue; in a process of its own it answers them one after the other. */
#ifndef SERVE_CATALOGUE_H
#define SERVE_CATALOGUE_H

#include "base/arena.h"
#include "sql/catalogue.h"

enum {
    CATALOGUE_MOST_ROWS = 200000,
    CATALOGUE_MOST_SECONDS = 5, /* of one question */
};

struct catalogue;

/* `program`: `dither`, whose process the database is in (engine/helper.h), as a question is the analyst's own SQL but for names;
 * "/proc/self/exe" where we are it. NULL: in this process. */
status catalogue_open(const struct sql_catalogue *tables, const char *program, struct catalogue **out,
                      error *why) MUST_CHECK;
void catalogue_close(struct catalogue *catalogue); /* NULL is fine */

/* A parameter as text, as PostgreSQL's types write it. */
struct catalogue_parameter {
    uint32_t oid;     /* of its type; 0: not said */
    const char *text; /* NULL: NULL */
};

struct catalogue_question {
    const char *text;
    size_t length;
    const char *user; /* who asks: current_user */
    const struct catalogue_parameter *parameters;
    size_t parameter_count;
    /* What a setting is in the session, for current_setting; NULL: there is none of this name. May be NULL: the defaults. */
    const char *(*setting)(const void *context, const char *name);
    const void *context;
};

struct catalogue_column {
    const char *name;
    uint32_t oid; /* of its type */
};

struct catalogue_reply {
    const struct catalogue_column *columns;
    size_t column_count;
    const char *const *cells; /* row by row, in PostgreSQL's text form; NULL: NULL */
    size_t row_count;
};

/* Whether a statement is for the catalogue: it names one of PostgreSQL's own tables, or it has no table at all and calls
 * one of PostgreSQL's own functions (version(), current_schema() ...). False for what cannot be parsed. */
bool catalogue_concerns(const char *text, size_t length);

/* How many parameters ($1 ...) it has, and the types that their casts give them: `oids` gets at most `most`, 25 (text)
 * where nothing says otherwise. For a Describe before the values are known. */
status catalogue_parameters(const char *text, size_t length, uint32_t *oids, size_t most, size_t *count,
                            error *why) MUST_CHECK;

/* The reply lives in the arena. On failure `sqlstate` (six bytes) is set: 42601 syntax, 0A000 what we do not
 * understand, 42P01 no such table, 57014 too long, 54000 too many rows. Parameters that are missing count as NULL. */
status catalogue_answer(struct catalogue *catalogue, const struct catalogue_question *question,
                        struct arena *arena, struct catalogue_reply *out, char *sqlstate,
                        error *why) MUST_CHECK;

#endif
