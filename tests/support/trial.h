/* trial.h - an expression over columns of edge values, evaluated by us and by PostgreSQL, for tests.
 *
 *     trial_start();
 *     trial_init(&trial);
 *     column = trial_column(&trial, 'i');
 *     trial.expression = ... of the columns;  buffer_text(&trial.postgres_text, "c0 + 1");
 *     mismatches += trial_compare(&trial, "plus one", 0);
 *     trial_free(&trial);
 *     trial_stop();
 *
 * The letters are those of sql/function.h, and: j an integer that PostgreSQL wants in 32 bits, k a decimal that fits
 * other scales, m one of another scale, w a modest real, f texts that are forms of other types. */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include "engine/scratch.h"
#include "sql/expression.h"

enum { TRIAL_ARGUMENTS = 4, TRIAL_ROWS = 200 };

struct edge {
    enum sql_type type;
    int scale;
    const char *postgres; /* the type's name */
    const char *const *values;
    size_t count;
};

/* One comparison: an expression over columns of edge values, and PostgreSQL's text for it. */
struct trial {
    struct sql_builder builder;
    struct arena arena;
    struct edge edges[TRIAL_ARGUMENTS];
    size_t edge_count;
    const struct sql_expression *expression;
    struct buffer postgres_text;
};

/* Brings up a PostgreSQL server and a scratch database. False: there is no server to be had. */
bool trial_start(void);
void trial_stop(void);

void trial_init(struct trial *trial);
void trial_free(struct trial *trial);

/* A new column, c0, c1, ...: its values are the edge values of the letter. */
const struct sql_expression *trial_column(struct trial *trial, char letter);
const struct sql_expression *trial_constant(struct trial *trial, enum sql_type type, const char *text);

/* PostgreSQL's name of a type. */
const char *trial_type(enum sql_type type, int scale, char room[40]);
/* Appends PostgreSQL's spelling of the call (function.h) to postgres_text. */
void trial_spell(struct trial *trial, const struct sql_expression *call);

/* Row `row` of all combinations: the value of column `column`. */
const char *trial_value(const struct trial *trial, size_t row, size_t column);
/* How many combinations there are; large products are walked in steps. */
size_t trial_combinations(const struct trial *trial, size_t *step);

/* Evaluates the expression on all combinations. Fails the test when the engine fails. */
struct sql_rows trial_ask(struct trial *trial);

/* How many rows differ; the first ones are printed. Where PostgreSQL has an error, we must have NULL. */
size_t trial_compare(struct trial *trial, const char *name, double tolerance);

#endif
