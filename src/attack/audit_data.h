/* audit_data.h - made-up rows for the policy's tables.
 *
 * A person is a unit with all rows in all tables of its kind: keys between tables fit together, and keys that others point to are
 * unique. What stands in the other columns is a matter of style, or of whoever asks for the person. */
#ifndef ATTACK_AUDIT_DATA_H
#define ATTACK_AUDIT_DATA_H

#include "base/buffer.h"
#include "policy/policy.h"

struct audit_data {
    const struct policy *policy;
    struct buffer *tables; /* CSV, one for each table of the policy */
    uint64_t unique;       /* the last value that was given to a key */
    uint64_t random;       /* the auditor's own choices: SplitMix64 */
};

enum audit_style {
    STYLE_QUIET, /* within all that is declared; dates are the person's own, so that orders have ties */
    STYLE_LARGE, /* every number at the end of its range that is farther from zero, everything else the same in all rows */
    STYLE_SMALL,  /* at the other end */
    STYLE_SPREAD, /* keys run through their domains; reals at the larger end */
    STYLE_HIGH,   /* beyond the upper end of everything */
    STYLE_LOW,    /* below the lower end */
    STYLE_WILD,   /* NaN, infinities, NULL, empty texts, the ends of the types */
};

/* Writes a cell (as CSV) and returns true, or leaves it to the style. `row` counts within the person's rows of the table. */
typedef bool (*audit_cell)(void *context, const struct policy_table *table,
                           const struct policy_column *column, uint64_t row, struct buffer *out);

struct audit_person {
    const struct policy_table *kind; /* the table that declares the unit */
    uint64_t id;                     /* below 2^40, not 0 */
    enum audit_style style;
    uint64_t rows;                   /* in each table that may have several of one unit */
    const struct policy_table *only; /* rows beyond the first in this table alone; NULL: in all */
    bool orphan;                     /* rows in joined tables alone */
    bool nobody;                     /* NULL in the place of the unit, and of keys */
    audit_cell cell;                 /* may be NULL */
    void *context;
};

status audit_data_open(const struct policy *policy, uint64_t seed, struct audit_data *out,
                       error *why) MUST_CHECK;
void audit_data_close(struct audit_data *data);

/* The next of the auditor's own random numbers. */
uint64_t audit_data_random(struct audit_data *data);

void audit_data_person(struct audit_data *data, const struct audit_person *person);
/* A dozen rows for each public table that has its columns declared. */
void audit_data_public(struct audit_data *data);

/* The same rows in another order; the first line stays. */
status audit_data_shuffle(struct audit_data *data, error *why) MUST_CHECK;

/* Whether the policy says one row of a unit in this table. */
bool audit_data_single(const struct policy_table *table);
/* Whether other tables' keys point to the column, or it is the unit, or a key itself. */
bool audit_data_is_key(const struct policy *policy, const struct policy_table *table,
                       const struct policy_column *column);

/* audit_cells.c: one cell. */
void audit_cell_key(const struct policy_column *column, uint64_t number, struct buffer *out);
void audit_cell_styled(const struct policy_column *column, enum audit_style style, uint64_t row,
                       uint64_t random, struct buffer *out);
/* How many values the column's public domain has (without NULL); 0: not public, or more than `most`. */
uint64_t audit_cell_domain(const struct policy_column *column, uint64_t most);
/* The value with this index, as an answer shows it. */
void audit_cell_of_domain(const struct policy_column *column, uint64_t index, struct buffer *out);

#endif
