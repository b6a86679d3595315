/* audit_world.h - made-up data under a policy like the owner's, and asking about them.
 *
 * A world is a folder: the CSV files, a policy with the owner's tables and columns, and a ledger of its own whose budget does not
 * end. Neighbours are two worlds. Nothing here is secret: the rows are made up. */
#ifndef ATTACK_AUDIT_WORLD_H
#define ATTACK_AUDIT_WORLD_H

#include <signal.h>

#include "attack/audit_data.h"
#include "curator/curator.h"

/* ---- Answers, as an analyst gets them ---- */

struct audit_column {
    char name[64];
    bool noisy;
    char mechanism[32]; /* "": not stated */
    double scale, grid, epsilon, rho;
};

struct audit_answer {
    status result;
    char message[500]; /* of a failure */
    struct audit_column *columns;
    size_t column_count, row_count;
    char **texts; /* row by row; NULL for NULL */
    double cost_epsilon, cost_delta, cost_rho;
    struct ledger_cost cost, left;
    bool cached;
    struct arena arena;
};

void audit_answer_free(struct audit_answer *answer);
const char *audit_answer_text(const struct audit_answer *answer, size_t row, size_t column);
/* NaN for NULL and for what is no number. */
double audit_answer_number(const struct audit_answer *answer, size_t row, size_t column);
/* Both failed alike, or have the same cells. */
bool audit_answer_same(const struct audit_answer *a, const struct audit_answer *b);
/* The texts of all columns that are not noisy, with bars between; `out` is emptied first. */
void audit_answer_key(const struct audit_answer *answer, size_t row, struct buffer *out);

struct audit_settings {
    const char *analyst, *request;
    const char *amount; /* epsilon, or rho, as the budget has it */
    const char *delta;
    uint64_t max_groups, max_rows;
};

/* ---- Worlds ---- */

struct audit_world {
    char folder[160], policy[200];
    struct curator *curator;
    enum ledger_currency currency;
    uint64_t asked; /* fresh amounts are counted with it */
    const volatile sig_atomic_t *stop;
};

struct audit_world_options {
    const char *budget; /* lines in the place of the endless budget; NULL */
    const char *people; /* lines: analysts and groups; NULL */
    uint64_t version;   /* of the data; 0: the first */
    bool blocks;        /* the policy's blocks hold */
    bool rest;          /* no curator yet */
    bool duckdb;        /* the rows in a DuckDB file instead of being imported at each opening */
    const volatile sig_atomic_t *stop;
};

/* Writes the files and opens the curator. */
status audit_world_open(const struct audit_data *data, const struct audit_world_options *options,
                        struct audit_world *out, error *why) MUST_CHECK;
/* The same again, in a new curator: as after a restart. */
status audit_world_reopen(struct audit_world *world, error *why) MUST_CHECK;
/* The same rows and ledger under another policy. */
status audit_world_change(struct audit_world *world, const struct policy *policy,
                          const struct audit_world_options *options, error *why) MUST_CHECK;
/* Without a curator: the files stay. */
void audit_world_rest(struct audit_world *world);
void audit_world_close(struct audit_world *world);

/* Asks. What Dither refuses is an answer too: answer->result says so. Fails only where the auditor must stop. */
status audit_ask(struct audit_world *world, const char *sql, const struct audit_settings *settings,
                 struct audit_answer *out, error *why) MUST_CHECK;
/* What Dither says about the question without answering it, as JSON; "" where it refuses. */
status audit_explain(struct audit_world *world, const char *sql, const struct audit_settings *settings,
                     struct buffer *out, error *why) MUST_CHECK;

/* An amount that this world was never asked with: `whole` plus a few billionths. The same release with another price is another
 * release, with noise of its own. */
void audit_fresh_amount(struct audit_world *world, uint64_t whole, char out[40]);
/* So much that the noise is nothing. */
#define AUDIT_NOISELESS UINT64_C(100000000000)

/* audit_rows.c: the CSV files of the folder as tables of rows.duckdb. */
status audit_rows_to_duckdb(const struct policy *policy, const char *folder, error *why) MUST_CHECK;

/* The policy of a world, as text. */
void audit_policy_write(const struct policy *policy, const struct audit_world_options *options,
                        struct buffer *out);

#endif
