/* two_catalogues.h - the same question to our catalogue and to a real PostgreSQL with the same tables, and the two answers
 * in one form that can be compared. */
#ifndef TESTS_SUPPORT_TWO_CATALOGUES_H
#define TESTS_SUPPORT_TWO_CATALOGUES_H

#include "tests/support/test.h"

#include <libpq-fe.h>

#include "base/buffer.h"
#include "serve/catalogue.h"
#include "tests/support/scratch_postgres.h"

/* A policy with every type, comments, a key and a path along it; a name with a capital. */
extern const char two_catalogues_policy[];

enum { TWO_MOST_PARAMETERS = 4, TWO_TEXT_BYTES = 80000 };

struct two_catalogues {
    struct catalogue *ours;
    PGconn *theirs;
    struct scratch_postgres scratch;
};

void two_catalogues_open(struct two_catalogues *side, struct arena *arena);
void two_catalogues_close(struct two_catalogues *side);

/* One statement of a file; {patients} stands for the number of that table, which differs between the two. */
struct two_question {
    char place[200], title[400], text[TWO_TEXT_BYTES], expected[400];
    char parameters[TWO_MOST_PARAMETERS][400];
    size_t parameter_count;
};

struct two_table {
    struct buffer columns; /* names and families of types; or why it was refused */
    char **rows;           /* sorted */
    size_t row_count;
    char state[6]; /* SQLSTATE */
};

void two_ask_ours(const struct two_catalogues *side, const struct two_question *question,
                  struct two_table *out);
void two_ask_theirs(const struct two_catalogues *side, const struct two_question *question,
                    struct two_table *out);
void two_table_free(struct two_table *table);
void two_table_show(const char *who, const struct two_table *table);
/* "same", "columns", "other columns", "refused" */
const char *two_verdict(const struct two_table *ours, const struct two_table *theirs);

#endif
