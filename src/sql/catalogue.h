/* catalogue.h - what may be named in a question, and what is proved about it.
 *
 * The policy says which tables and columns exist for analysts; the engine adds the columns of public tables
 * that the policy did not list, and what it enforces or has verified: unique keys. Nothing in a catalogue
 * depends on the values of private rows but those proofs, which the owner made for this data version. */
#ifndef SQL_CATALOGUE_H
#define SQL_CATALOGUE_H

#include "policy/policy.h"

/* Columns that together are unique among the rows where none of them is NULL. */
struct sql_unique {
    const size_t *columns; /* indices into the table's columns */
    size_t column_count;
};

struct sql_table {
    const struct policy_table *declared;
    const char *schema;                  /* where the data source has it; NULL: nowhere in particular */
    const struct policy_column *columns; /* the policy's; for a public table without any: the engine's */
    size_t column_count;
    const struct sql_unique *uniques;
    size_t unique_count;
    bool has_all_units; /* the data source enforces that the unit, in the table itself, is never NULL */
};

struct sql_catalogue {
    const struct policy *policy;
    const struct sql_table *tables; /* in the policy's order */
    size_t table_count;
};

/* By name as PostgreSQL folds it: an unquoted name was lowered by the parser, and matches a declared name of
 * any case if only one does; a quoted name matches exactly. NULL: there is none. */
const struct sql_table *sql_catalogue_table(const struct sql_catalogue *catalogue, const char *name);

/* Whether rows of the table are proved unique in these columns (of which a subset may do). */
bool sql_table_is_unique(const struct sql_table *table, const size_t *columns, size_t column_count);

/* A private table of which at most one row belongs to any unit, proved. For a unit that is reached over
 * joins: never. */
bool sql_table_one_row_per_unit(const struct sql_table *table);

#endif
