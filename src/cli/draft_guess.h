/* draft_guess.h - who is protected? Guesses from names and declared keys alone, for an owner to correct.
 *
 * A table's own key is the column that its source declares unique, or that is called as the table is: `id`,
 * `patient_id` in `patients`. A column that is called as another table's own key points to it. A table that
 * points to a table of people takes its unit from there; one that points nowhere has its own key for a unit,
 * or a column that is called like a person's number. Rows are never looked at. */
#ifndef CLI_DRAFT_GUESS_H
#define CLI_DRAFT_GUESS_H

#include "engine/draft.h"

enum { DRAFT_NONE = -1 };

struct draft_guess {
    int own_key;       /* the column that tells rows apart, or DRAFT_NONE */
    int unit;          /* the column that says whose a row is, or DRAFT_NONE; not with a parent */
    int parent;        /* the table that `key` points to, or DRAFT_NONE */
    int key;           /* the column here */
    int parent_column; /* the column there */
};

/* One guess for each table; `out` has room for all. Paths never run in a circle. */
void draft_guess(const struct draft *draft, struct draft_guess *out);

/* Whether a column is called an id of something: nobody sums it. */
bool draft_is_id(const char *name);

#endif
