/* postgres_release.h - how a release is computed inside PostgreSQL, or inside anything that speaks like it.
 *
 * Everything that sql/release.h promises is done in the engine, in one statement for the units and all additive
 * measures and one for each further measure; what comes out is one whole number for each group and measure.
 *
 *     one row of each unit is proved    SELECT keys, count(*), sum(steps) FROM rows GROUP BY keys
 *     else, units, rows, sums,          per_unit   SELECT u, keys, count(*), sum(steps) FROM rows GROUP BY u, keys
 *           products                    bounded    scaled, clamped; place: the group's rank among the unit's, by hash
 *                                                  SELECT keys, count(*), sum(...) WHERE place <= max_groups
 *     distinct, quantiles, top          items      each different (u, keys, value) and how often
 *                                       placed     the same ranks, for the hash is the same; then in each group
 *                                       picked     the values or rows with the smallest hash; then they are counted
 *
 * The first step groups by unit, so that on a table distributed by the unit it stays where the rows are, and what
 * travels is one row for each unit and group. It is written in CASE and plain functions, which foreign servers take.
 *
 * The hash that ranks a unit's groups is PostgreSQL's own 64-bit hash of values, seeded with the request's key and
 * chained over the unit and its keys: hash(key 2, hash(key 1, hash(unit, seed))). It is over values alone, never over
 * ids made from the data; the seed is fresh. It need not be cryptographic: the promise of release.h holds for every
 * single seed and every function of a unit's own values, and the seed is drawn independently of the data; that it
 * mixes well only makes the choice fair. Ties are broken by the keys themselves: never more than max_groups.
 *
 * Sums are exact: steps are at most 2^30 from the centre, so a 64-bit sum of them holds for 2^32 rows of a unit in a
 * group, and a unit that has more contributes nothing; products, and sums over units, are NUMERIC. What leaves is
 * saturated at +-2^62. */
#ifndef ENGINE_POSTGRES_RELEASE_H
#define ENGINE_POSTGRES_RELEASE_H

#include <libpq-fe.h>

#include "engine/duckdb_bound_table.h"
#include "engine/engine.h"
#include "engine/release_shape.h"

enum {
    POSTGRES_STATEMENT_BYTES = 512 << 20, /* the server's own limit is 1 GB */
    POSTGRES_SEED_BYTES = 48,
};

/* A public domain of keys, made ready: its different rows are groups. */
struct postgres_domain {
    size_t row_count;
    uint32_t *group_of_row;
    struct bound_table keys; /* packed -> group */
    bool is_product; /* every combination of the columns' values is there: columns can be tested singly */
};

struct postgres_release {
    const struct sql_dialect *dialect;
    const struct sql_release *release;
    const struct engine_request *request; /* NULL: for explain */
    char seed[POSTGRES_SEED_BYTES];       /* as SQL */
    bool single_pass;
    const struct sql_rows *domain_rows; /* NULL: there is no domain, or no request */
    struct postgres_domain domain;      /* of these rows */
};

/* `seed`: SQL of a BIGINT that stands for the hash key when there is no request. */
status postgres_release_init(struct postgres_release *plan, const struct sql_dialect *dialect,
                             const struct sql_release *release, const struct engine_request *request,
                             const char *seed, error *why) MUST_CHECK;
void postgres_release_free(struct postgres_release *plan);

/* Statement 0 has the units and the additive measures; each of the others one measure. */
size_t postgres_statement_count(const struct postgres_release *plan);
bool postgres_is_additive(const struct sql_measure *measure);
/* The measure of a statement from 1 on. */
size_t postgres_chosen_measure(const struct postgres_release *plan, size_t statement);
void postgres_print_statement(const struct postgres_release *plan, size_t statement, struct buffer *out);

/* ---- Inside: postgres_release_*.c ---- */

void postgres_print_sums(const struct postgres_release *plan, struct buffer *out);
void postgres_print_chosen(const struct postgres_release *plan, const struct sql_measure *measure,
                           struct buffer *out);

/* What a SELECT over the rows has beside unit and keys: ", ... AS v0, ...". */
typedef void postgres_print_values(struct sql_printer *printer, const struct postgres_release *plan,
                                   const struct sql_measure *measure);
/* "SELECT u, k0, ..., values FROM (input)", of rows whose keys may be in the domain. */
void postgres_print_rows(const struct postgres_release *plan, postgres_print_values *print_values,
                         const struct sql_measure *measure, struct buffer *out);
/* "k0, k1", each after `before`. */
void postgres_print_keys(const struct postgres_release *plan, const char *before, struct buffer *out);
/* " WHERE ...": the test of whole keys that postgres_print_rows left to do, over k0, k1, ...; or nothing. */
void postgres_print_key_test(const struct postgres_release *plan, struct buffer *out);
/* " place <= 3": false when all groups are kept, and nothing is printed. */
bool postgres_ranks_groups(const struct postgres_release *plan);
/* The hash of a unit and its keys. */
void postgres_print_hash(const struct postgres_release *plan, struct buffer *out);
/* hash(name, inner text): `open` prints what stands before the inner hash, `close` what stands behind it. */
void postgres_print_hash_open(enum sql_type type, struct buffer *out);
void postgres_print_hash_close(enum sql_type type, const char *name, const char *inner, struct buffer *out);
/* ", k0, k1 COLLATE "C"": for ties. */
void postgres_print_ties(const struct postgres_release *plan, struct buffer *out);

status postgres_domain_init(struct postgres_domain *domain, const struct sql_rows *rows, size_t key_count,
                            error *why) MUST_CHECK;
void postgres_domain_free(struct postgres_domain *domain);
/* A boolean over the column `name`: its value is among those of the rows' column. */
void postgres_print_membership(struct sql_printer *printer, const struct sql_rows *rows, size_t column,
                               const char *name);

/* ---- Reading ---- */

struct postgres_sums {
    const struct postgres_release *plan;
    struct bound_table keys; /* hidden keys, packed */
    size_t group_count, group_room, words;
    int64_t *numbers; /* for each group: units, then the measures' */
    size_t *offsets;  /* of each measure in them */
};
status postgres_sums_init(struct postgres_sums *sums, const struct postgres_release *plan,
                          error *why) MUST_CHECK;
void postgres_sums_free(struct postgres_sums *sums);
/* Adds the statement's result, in text format; statement 0 comes first and makes hidden groups. */
status postgres_sums_add(struct postgres_sums *sums, size_t statement, const PGresult *result,
                         error *why) MUST_CHECK;
status postgres_sums_finish(const struct postgres_sums *sums, struct arena *arena, struct engine_groups *out,
                            error *why) MUST_CHECK;

#endif
