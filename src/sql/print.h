/* print.h - relations and expressions as SQL text for one engine.
 *
 * The analyst's text is never forwarded: this is the only source of SQL for engines and scratch. Dialects
 * differ in operators, functions and types; what they print has PostgreSQL's meaning and is total. Names: the
 * columns of every sub-select are c0, c1, ...; a table or column of the data source is the only thing that is
 * printed by its own name, quoted. */
#ifndef SQL_PRINT_H
#define SQL_PRINT_H

#include "base/buffer.h"
#include "sql/release.h"

struct sql_printer;

/* One engine's way to write things. Laws: text depends on nothing but the arguments; an expression has the
 * meaning of expression.h; it stands in parentheses wherever it needs them. */
struct sql_dialect {
    const char *name;
    const char *(*type)(enum sql_type type, int scale, char *room, size_t size);
    void (*literal)(struct sql_printer *printer, const struct sql_value *value);
    void (*call)(struct sql_printer *printer, const struct sql_expression *call);
    void (*cast)(struct sql_printer *printer, const struct sql_expression *cast);
    /* A value's steps (release.h), without the centre. */
    void (*steps)(struct sql_printer *printer, const struct sql_expression *argument,
                  const struct sql_steps *steps);
    /* A column of the data source, `name` with its table and quoted, as a value of the declared type. What is none (an
     * infinite day, a decimal NaN) is NULL. NULL: the data source has the declared types, a cast has to do. */
    void (*scanned)(struct sql_printer *printer, const char *name, const struct policy_column *declared);
    /* Where the rows of a table of the policy are: quoted name, with its schema if it has one. */
    void (*table)(struct sql_printer *printer, const struct sql_table *table);
    /* What tells rows of a table apart, for row units: "rowid", "ctid". */
    const char *row_identity;
    /* The name of a cast that gives NULL where it fails, "TRY_CAST"; NULL: there is none, "CAST" has to do. */
    const char *try_cast;
    /* Without it: around the sum of integers or decimals, which is in a wider type, to make it one again; NULL where it
     * does not fit. */
    void (*narrow_begin)(struct sql_printer *printer);
    void (*narrow_end)(struct sql_printer *printer, enum sql_type type, int scale);
    /* What follows a text by which rows are ordered, so that its bytes decide: " COLLATE \"C\"". NULL: they do anyway. */
    const char *text_order;
    /* The type of numbers that windows take (of rows, of buckets), where it is not the integer's; or NULL. */
    const char *small_integer;
};
extern const struct sql_dialect sql_duckdb, sql_postgres;

struct sql_printer {
    const struct sql_dialect *dialect;
    struct buffer *buffer;
    /* While an expression is printed: the names of its input's columns are `alias`.c0 ...; a join's right
     * side, from column `left_count`, is `right_alias`.c0 ... */
    const char *alias, *right_alias;
    size_t left_count;
    /* A released relation inside a tagged one: its rows, which the curator computed before. NULL result: print
     * a stand-in, for explain. */
    const struct sql_rows *(*given)(void *context, const struct sql_relation *relation);
    void *context;
    /* Prints something instead of an expression's literal, or says that it does not; NULL: literals are printed. */
    bool (*stand_in)(void *stand_ins, struct buffer *buffer, const struct sql_value *value);
    void *stand_ins;
    /* In the scratch database: the table that holds the rows of a release; "release_3". */
    bool scratch;
    /* In the scratch database, where error bars are drawn: releases are read from "release_3_draws", and of its
     * rows those whose last column (behind the release's own) equals this expression, "draws.c0". Or NULL. */
    const char *draws;
    /* Sub-selects so far: they are t0, t1, ... in the order in which they are printed, so that the text of a
     * relation does not depend on what else is in the question. Begins at 0. */
    size_t alias_count;
};

/* "SELECT ... AS c0, ... AS c1 FROM ...": all columns, hidden ones too. Not in scratch: what is released is
 * printed from its rows, see `given`; a stand-in has a comment that describes the relation completely. */
void sql_print_relation(struct sql_printer *printer, const struct sql_relation *relation);
void sql_print_expression(struct sql_printer *printer, const struct sql_expression *expression);
void sql_print_identifier(struct buffer *buffer, const char *name);

/* A plan for people: one node a line, indented. For explain and tests. */
void sql_describe_relation(struct buffer *buffer, const struct sql_relation *relation);
void sql_describe_expression(struct buffer *buffer, const struct sql_relation *input,
                             const struct sql_expression *expression);

#endif
