/* relation_make.h - what the constructors of relations share. Inside the room only. */
#ifndef SQL_RELATION_MAKE_H
#define SQL_RELATION_MAKE_H

#include "sql/relation.h"

/* `count` zeroed things of `size` bytes; `out` is a pointer to the pointer that gets them. */
status relation_take(struct sql_builder *builder, size_t count, size_t size, void *out,
                     error *why) MUST_CHECK;

/* An empty node with room for its columns, counted and numbered. */
status relation_new(struct sql_builder *builder, enum sql_relation_kind kind, int position,
                    size_t column_count, struct sql_relation **out, struct sql_column **columns,
                    error *why) MUST_CHECK;

/* A node with the input's columns and all that is known of its units. */
status relation_over(struct sql_builder *builder, enum sql_relation_kind kind,
                     const struct sql_relation *input, int position, struct sql_relation **out,
                     struct sql_column **columns, error *why) MUST_CHECK;

/* Gives the node its right side, and refuses what has grown too large: sides that are shared are done twice. */
status relation_add_right(struct sql_relation *relation, const struct sql_relation *right,
                          error *why) MUST_CHECK;

/* What a column made by this expression over the input is: flags are set, the name is not. */
void relation_describe(const struct sql_relation *input, const struct sql_expression *expression,
                       struct sql_column *out);

/* Whether all columns that the expression uses are the same on all rows of a unit; whether one depends on
 * noise. */
bool relation_is_fixed(const struct sql_relation *input, const struct sql_expression *expression);
bool relation_is_noisy(const struct sql_relation *input, const struct sql_expression *expression);

/* A plain column that equals the unit on every row. */
bool relation_is_unit(const struct sql_relation *input, const struct sql_expression *expression);

/* A condition or value with a released scalar makes what was public released. */
void relation_mark_released(struct sql_relation *relation, const struct sql_expression *expression);

/* Calls `visit` for each part of an AND; a part that is NULL is none. */
void relation_visit_conjuncts(const struct sql_expression *condition,
                              void (*visit)(void *context, const struct sql_expression *part), void *context);

/* ---- relation_units.c ---- */

/* Whether the condition over left's, then right's columns equates the units of two tagged relations. */
bool relation_equates_units(const struct sql_relation *left, const struct sql_relation *right,
                            const struct sql_expression *condition);

/* Whether it is proved that a row of the other side has at most one partner in this public or released side of
 * a join, whose columns begin at `first_column` in the condition. */
bool relation_has_one_partner(const struct sql_relation *partner, size_t first_column,
                              const struct sql_expression *condition);

/* Proved to have at most one row. */
bool relation_is_single(const struct sql_relation *relation);

/* Two tagged relations have the same kind of unit. */
status relation_same_kind(const struct sql_relation *left, const struct sql_relation *right, int position,
                          const char *what, error *why) MUST_CHECK;

/* ---- relation_aggregate.c ---- */

/* What PostgreSQL calls it: "sum". */
const char *relation_aggregate_name(enum sql_aggregate_kind kind);

/* The column that an aggregate over the input's rows makes: type, nullability and what is claimed of its
 * bounds, where a group has at most as many rows of a unit as the policy says. */
status relation_describe_aggregate(const struct sql_relation *input, const struct sql_aggregate *aggregate,
                                   int position, struct sql_column *out, error *why) MUST_CHECK;

/* Inside a tagged step, an aggregate must be total and must not depend on the order of the rows: refuses what
 * is not. Sums of reals are turned into sums of whole steps: `out` is the aggregate to make, `step` the size
 * of a step by which its result has to be multiplied, or 0. */
status relation_exact_aggregate(struct sql_builder *builder, const struct sql_aggregate *aggregate,
                                int position, struct sql_aggregate *out, double *step, error *why) MUST_CHECK;

/* The value, with one of those that compare as equal for all of them: 0 for -0. Intervals are refused: "min of
 * intervals ...", with `what` for min. */
status relation_without_twins(struct sql_builder *builder, const struct sql_expression *value,
                              const char *what, int position, const struct sql_expression **out,
                              error *why) MUST_CHECK;

/* What relation_without_twins was given. */
const struct sql_expression *relation_plain(const struct sql_expression *value);

/* Multiplies the columns of `made` for which `steps` is not 0, and gives them what `wanted` says. Columns
 * without a step pass. */
status relation_scale_back(struct sql_builder *builder, const struct sql_relation *made, const double *steps,
                           const struct sql_column *wanted, const struct sql_relation **out,
                           error *why) MUST_CHECK;

#endif
