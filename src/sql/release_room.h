/* release_room.h - how the files that build releases work together. Inside the room only.
 *
 *     release_build.c       caps, keys, the release and its relation
 *     release_calls.c       SQL aggregates -> measures; _pair: squares and products, _rank: quantiles, top
 *     release_range.c       where an aggregate clamps, which rows it looks at
 *     release_measure.c     measures: bounds of a unit, sensitivity, one for all who ask the same
 *     release_steps.c       ranges -> whole steps
 *     release_formula.c     expressions over released columns, written like formulas
 *     release_finish.c      measures -> the numbers that the analyst asked for
 *     release_statistics.c  the same for variances, covariances and regressions
 *     release_domain.c      all keys that can be, from public facts
 *     release_source.c      from a key down to where its values are public
 *     release_values.c      the values that a column or an expression can have
 *     release_sets.c        grouping sets: released one by one, or rolled up
 *     release_other.c       the row for what is hidden
 *     release_confine.c     blocks
 *
 * A draft is what all releases of one grouped SELECT share: the measures do not depend on the grouping set. */
#ifndef SQL_RELEASE_ROOM_H
#define SQL_RELEASE_ROOM_H

#include "base/buffer.h"
#include "sql/bind.h"
#include "sql/relation_make.h"

enum {
    RELEASE_DISTANCE_BITS = 30,         /* of a value from the centre, in steps */
    RELEASE_PRODUCT_DISTANCE_BITS = 20, /* of a factor */
    RELEASE_UNIT_BITS = 52,             /* of what a unit contributes to a group */
    RELEASE_MOST_KEY_VALUES = 10000,    /* of one column that is enumerated from its range */
    RELEASE_MOST_DOMAIN_ROWS = 100000,
    RELEASE_MOST_TOP = 100,
};

/* How the analyst's number is made of measures. */
enum release_form {
    RELEASE_COUNT,
    RELEASE_SUM,
    RELEASE_AVERAGE,
    RELEASE_VARIANCE,
    RELEASE_PAIR, /* of two arguments */
    RELEASE_QUANTILE,
    RELEASE_TOP,
};

enum release_statistic {
    RELEASE_PLAIN,
    RELEASE_VAR_POP,
    RELEASE_VAR_SAMP,
    RELEASE_STDDEV_POP,
    RELEASE_STDDEV_SAMP,
    RELEASE_COVAR_POP,
    RELEASE_COVAR_SAMP,
    RELEASE_CORR,
    RELEASE_REGR_SLOPE,
    RELEASE_REGR_INTERCEPT,
    RELEASE_REGR_COUNT,
    RELEASE_REGR_R2,
    RELEASE_REGR_AVGX,
    RELEASE_REGR_AVGY,
    RELEASE_REGR_SXX,
    RELEASE_REGR_SYY,
    RELEASE_REGR_SXY,
    RELEASE_MEDIAN,
    RELEASE_PERCENTILE_CONT,
    RELEASE_PERCENTILE_DISC,
    RELEASE_MIN,
    RELEASE_MAX,
};

/* One call, and the measures that it is made of: indices into the draft's, or RELEASE_NONE. Of a pair, (y, x) as SQL writes
 * it, `x` names what belongs to the second argument. */
#define RELEASE_NONE SIZE_MAX
struct release_part {
    const struct bind_call *call;
    enum release_form form;
    enum release_statistic statistic;
    const struct sql_expression *argument;
    struct sql_range range; /* of the argument, for what is clamped afterwards */
    size_t rows, sum, square, product, x_sum, x_square;
    double share; /* quantile */
};

struct release_draft {
    struct binder *binder;
    const struct bind_release *request;
    uint64_t max_rows;
    struct sql_measure *measures; /* their `column` counts from the first measure's */
    size_t measure_count;
    size_t width; /* columns of all measures */
    struct release_part *parts;
    const bool *missing; /* the row at hand has no value of these measures; NULL: it has all */
};

/* ---- release_steps.c ---- */

/* Steps are as fine as the argument's grid unless one of these asks for coarser ones. */
struct release_limits {
    int64_t most_distance; /* of a bound from the centre */
    uint64_t most_cells;   /* of the grid; 0: any number */
    bool centred;          /* on the middle of the range; else on 0 */
};

struct release_limits release_sum_limits(uint64_t max_rows, bool centred);
struct release_limits release_product_limits(uint64_t max_rows);
struct release_limits release_quantile_limits(void);

/* Covers the range, rounded outwards. `input` tells the grid of a plain column. */
struct sql_steps release_choose_steps(const struct sql_relation *input, const struct sql_expression *argument,
                                      const struct sql_range *range, const struct release_limits *limits);

/* What a step of this argument is worth, in the analyst's numbers. */
double release_step_size(const struct sql_expression *argument, const struct sql_steps *steps);

/* ---- release_measure.c ---- */

/* What a value's contribution to a unit's sum can be, max_rows times: always around 0. */
void release_bound_sum(struct sql_measure *measure, uint64_t max_rows);
void release_bound_product(struct sql_measure *measure, uint64_t max_rows);

/* The draft's measure that is the same as this, or this one put behind the others. A quantile is added to
 * the shares of a measure that differs in nothing else. */
status release_add_measure(struct release_draft *draft, const struct sql_measure *measure, size_t *index,
                           error *why) MUST_CHECK;
status release_add_quantile(struct release_draft *draft, const struct sql_measure *measure, double share,
                            size_t *index, error *why) MUST_CHECK;

/* Whether the groups' numbers may be added up to the number of their union, where a unit is in at most
 * max_groups of them. */
bool release_is_additive(const struct sql_measure *measure, uint64_t max_groups);

/* ---- release_range.c ---- */

/* The argument's range, from its claims and the call's bounds; refuses where neither says anything. */
status release_find_range(struct release_draft *draft, struct release_part *part,
                          const struct sql_expression *argument, struct sql_range *out,
                          error *why) MUST_CHECK;

/* The call's filter, and that the arguments are not NULL where they may be. NULL: every row. */
status release_make_filter(struct release_draft *draft, const struct bind_call *call,
                           const struct sql_expression *argument, const struct sql_expression *second,
                           const struct sql_expression **out, error *why) MUST_CHECK;

/* ---- release_calls*.c ---- */

status release_read_calls(struct release_draft *draft, error *why) MUST_CHECK;
status release_read_variance(struct release_draft *draft, struct release_part *part, error *why) MUST_CHECK;
status release_read_pair(struct release_draft *draft, struct release_part *part, error *why) MUST_CHECK;
status release_read_quantile(struct release_draft *draft, struct release_part *part, error *why) MUST_CHECK;
status release_read_top(struct release_draft *draft, struct release_part *part, error *why) MUST_CHECK;

bool release_is_number(const struct sql_expression *expression);
status release_need_arguments(const struct bind_call *call, size_t count, error *why) MUST_CHECK;
status release_need_number(const struct bind_call *call, const struct sql_expression *argument,
                           error *why) MUST_CHECK;

/* What the analyst set aside for a call is shared by its measures; rounded down. */
struct decimal release_epsilon_share(const struct bind_call *call, unsigned measures);

/* Rows that pass the filter; with one row for each unit and no filter they are units. */
status release_add_rows(struct release_draft *draft, const struct release_part *part,
                        const struct sql_expression *filter, struct decimal epsilon, size_t *index,
                        error *why) MUST_CHECK;
status release_add_sum(struct release_draft *draft, struct release_part *part,
                       const struct sql_expression *argument, const struct sql_expression *filter,
                       bool centred, struct decimal epsilon, size_t *index, error *why) MUST_CHECK;

/* ---- release_formula.c ---- */

/* Formulas over a relation. The first failure stays in `status`; what follows it gives NULL and does nothing. */
struct formula {
    struct sql_builder *builder;
    const struct sql_relation *base;
    int position;
    status status;
    error *why;
};

const struct sql_expression *formula_column(struct formula *formula, size_t index);
const struct sql_expression *formula_real(struct formula *formula, double value);
const struct sql_expression *formula_whole(struct formula *formula, int64_t value);
const struct sql_expression *formula_literal(struct formula *formula, const struct sql_value *value);
const struct sql_expression *formula_null(struct formula *formula, enum sql_type type, int scale);
const struct sql_expression *formula_cast(struct formula *formula, const struct sql_expression *of,
                                          enum sql_type type, int scale);
const struct sql_expression *formula_one(struct formula *formula, const char *name,
                                         const struct sql_expression *of);
const struct sql_expression *formula_two(struct formula *formula, const char *name,
                                         const struct sql_expression *left,
                                         const struct sql_expression *right);
/* The value, at least `lower` and at most `upper`. */
const struct sql_expression *formula_clamp(struct formula *formula, const struct sql_expression *of,
                                           const struct sql_expression *lower,
                                           const struct sql_expression *upper);

/* ---- release_finish.c, release_statistics.c ---- */

/* The columns of `set` and all measures, as a release has them, become the request's keys and calls; keys that
 * are not of the set become NULL. With several sets the column "grouping" follows, not hidden yet. */
status release_finish(struct release_draft *draft, const struct sql_relation *base,
                      const struct bind_grouping_set *set, const struct sql_relation **out,
                      error *why) MUST_CHECK;

/* A measure of the base as a real, in whole steps. `first`: where the measures begin. */
const struct sql_expression *release_number(struct formula *formula, const struct release_draft *draft,
                                            size_t first, size_t measure);
const struct sql_expression *release_statistic_value(struct formula *formula,
                                                     const struct release_draft *draft, size_t first,
                                                     const struct release_part *part);

/* ---- release_domain.c, release_values.c ---- */

/* The domain of the set's keys, or NULL: not public. `most` is how many rows it can have at most, 0 when that
 * is not known before it is looked at (public tables). */
status release_find_domain(struct release_draft *draft, const struct bind_grouping_set *set,
                           const struct sql_relation **domain, uint64_t *most, error *why) MUST_CHECK;

/* The values that the owner declared for a column, in a table of one column; with NULL behind them if asked. */
status release_declared_values(struct sql_builder *builder, const struct policy_column *column,
                               bool with_null, struct sql_rows *out, error *why) MUST_CHECK;

/* Whole numbers, days and truth values of a range that is small enough to list. */
bool release_range_is_small(enum sql_type type, const struct sql_range *range);
status release_range_values(struct sql_builder *builder, enum sql_type type, const struct sql_range *range,
                            bool with_null, struct sql_rows *out, error *why) MUST_CHECK;

/* What the expression can give, whatever its columns hold: literals of its branches, or its own small range. No rows:
 * that is not known. */
status release_expression_values(struct sql_builder *builder, const struct sql_expression *expression,
                                 bool with_null, struct sql_rows *out, error *why) MUST_CHECK;

/* ---- release_build.c ---- */

uint64_t release_max_groups(const struct release_draft *draft, const struct bind_grouping_set *set);

/* A release of all the draft's measures by the set's keys, and its relation. */
struct release_made {
    const struct sql_release *release;
    const struct sql_relation *relation;
    uint64_t domain_most;
};
status release_make(struct release_draft *draft, const struct bind_grouping_set *set,
                    struct release_made *out, error *why) MUST_CHECK;

/* Appends the release to the question's, and makes the relation that shows it. */
status release_register(struct release_draft *draft, struct sql_release *release,
                        const struct sql_relation **out, error *why) MUST_CHECK;

/* ---- release_sets.c, release_other.c ---- */

status release_build_sets(struct release_draft *draft, const struct sql_relation **out,
                          error *why) MUST_CHECK;

/* `shown` with the row for what is hidden behind it, where that was asked for and keys are hidden. */
status release_add_other(struct release_draft *draft, const struct bind_grouping_set *set,
                         const struct release_made *made, const struct sql_relation *shown,
                         const struct sql_relation **out, error *why) MUST_CHECK;

#endif
