/* reader.h - what every part of the policy's reader uses: refusals with their place, warnings, and the small
 * things that stand behind a key.
 *
 * `subject` is what a key belongs to, in words: "the budget", "table visits", "column visits.cost". */
#ifndef POLICY_READER_H
#define POLICY_READER_H

#include "base/yaml.h"
#include "policy/policy.h"

struct policy_reader {
    const char *file;
    struct arena *arena;
    struct policy *policy;               /* what is being made */
    struct policy_table *tables;         /* the policy's, while they can still be written */
    struct policy_warning *last_warning; /* NULL at first */
    error *why;
};

/* "FILE:LINE: ...", DITHER_INVALID. */
status policy_refuse(const struct policy_reader *reader, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a warning to the policy. */
status policy_warn(struct policy_reader *reader, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* A text made in the arena, of at most 400 bytes. */
status policy_text_of(const struct policy_reader *reader, const char **out, const char *format, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* `count` zeroed things of `size` bytes; NULL for none. */
status policy_take(const struct policy_reader *reader, size_t count, size_t size, void *out) MUST_CHECK;

/* The node is a map, and each of its keys is in `known`, a list that ends with NULL. */
status policy_keys(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                   const char *const *known) MUST_CHECK;

/* The node is a map with 1 to `most` members. */
status policy_members(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                      size_t most) MUST_CHECK;

/* A table, a column, a group or an analyst: its key is a text that fits and differs from those before it,
 * also when small and capital letters are the same, as they are to DuckDB. */
status policy_name(const struct policy_reader *reader, const struct yaml_node *map,
                   const struct yaml_node *node, const char *what, size_t most) MUST_CHECK;

/* The following read one value. With a node of NULL they leave `out` alone. */
status policy_text(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                   const char **out) MUST_CHECK;
status policy_flag(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                   bool *out) MUST_CHECK;
status policy_whole(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                    uint64_t most, uint64_t *out) MUST_CHECK; /* at least 1 */
status policy_amount(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                     struct decimal *out) MUST_CHECK;

/* "; did you mean "age"?" or "". `name` gives the names one by one, and NULL after the last. */
enum { POLICY_HINT = 100 };
void policy_hint(const char *typed, const char *(*name)(size_t index, const void *context),
                 const void *context, char hint[POLICY_HINT]);

/* The columns of a table, one by one, for policy_hint. */
const char *policy_column_name(size_t index, const void *table);

/* Whether a key was left without a value. */
bool policy_is_empty(const struct yaml_node *node);

/* The parts. Each reads its node; policy_resolve needs the tables, the budget needs what it resolved. */
status policy_read_columns(struct policy_reader *reader, const struct yaml_node *node,
                           struct policy_table *table) MUST_CHECK;
status policy_read_tables(struct policy_reader *reader, const struct yaml_node *node) MUST_CHECK;
status policy_resolve(struct policy_reader *reader, const struct yaml_node *tables) MUST_CHECK;
status policy_read_budget(struct policy_reader *reader, const struct yaml_node *node) MUST_CHECK;
status policy_read_block(struct policy_reader *reader, const struct yaml_node *node) MUST_CHECK;
status policy_read_groups(struct policy_reader *reader, const struct yaml_node *node) MUST_CHECK;
status policy_read_analysts(struct policy_reader *reader, const struct yaml_node *node) MUST_CHECK;
status policy_advise(struct policy_reader *reader) MUST_CHECK;

/* "patients.region", as a join and a block name it: the table and the column, or a refusal with a hint. */
status policy_find_reference(const struct policy_reader *reader, const struct yaml_node *node,
                             const char *subject, struct policy_table **table,
                             const struct policy_column **column) MUST_CHECK;

/* Epsilon, or rho: what the currency is counted in. */
struct decimal policy_main_part(enum ledger_currency currency, struct ledger_cost cost);

/* The cost that a cap or a total is made of: epsilon or rho, and delta, as the keys say. */
status policy_read_cap(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                       struct ledger_cost *out) MUST_CHECK;

#endif
