/* release.h - one noisy aggregate of private rows: the only place where privacy is spent.
 *
 * A release groups a tagged relation by keys that do not contain the unit. Each unit keeps at most
 * `max_groups` of its groups, chosen by a keyed hash; in each of them it contributes to every measure a whole
 * number between the measure's `unit_lower` and `unit_upper`; a measure is the sum of these over the units.
 * So one unit more or less moves a measure of a group by at most its sensitivity, max(|unit_lower|,
 * |unit_upper|), in at most max_groups groups. All of it is enforced in the engine, on the final rows.
 *
 * A SQL aggregate is made of measures: avg(x) is a count and a sum of x - middle. The relation `release` has
 * the keys and one noisy column for each measure (several for quantiles); a projection above it, ordinary
 * post-processing, makes the analyst's numbers of them.
 *
 *     measure        unit's contribution to a group, n = its rows there          column
 *     units          1; it has no filter                                         integer
 *     rows           rows with filter; times max_rows/n when n > max_rows        integer
 *     sum            sum of (steps(x) - centre) over rows with filter, the same  integer, in steps
 *     product        the same of (steps(x) - centre)(steps(y) - centre)          integer, in steps squared
 *     distinct       at most max_rows different values, by hash; the values are  integer
 *                    counted once whoever has them
 *     distinct sum   the same, (steps(x) - centre) of the values is added up     integer, in steps
 *     quantiles      at most max_rows rows, by hash of their content; counted    integer, in steps, for each
 *                    by cell of a public grid: steps.lower is the first          quantile: lower + its cell
 *     top            at most max_rows rows, by hash; counted by value of a       text: values by rank
 *                    public domain
 *
 * Rows whose argument (or second) is NULL never count; the filter says so where one may be NULL. Sums and
 * products are clamped into [unit_lower, unit_upper], which always holds 0, after the scaling.
 *
 * "Times max_rows/n": a unit with more rows than it may have counts as max_rows rows of its average, rounded
 * towards zero: a whole number, within the bounds, and a function of the unit's own rows. */
#ifndef SQL_RELEASE_H
#define SQL_RELEASE_H

#include "base/decimal.h"
#include "sql/relation.h"

enum sql_measure_kind {
    SQL_MEASURE_UNITS,
    SQL_MEASURE_ROWS,
    SQL_MEASURE_SUM,
    SQL_MEASURE_PRODUCT,
    SQL_MEASURE_DISTINCT,
    SQL_MEASURE_DISTINCT_SUM,
    SQL_MEASURE_QUANTILES,
    SQL_MEASURE_TOP,
};

/* How a value becomes a whole number: steps(x) = clamp(floor(x / 2^exponent + 0.5), lower, upper), NaN on
 * lower; a decimal counts in its units times 2^exponent. */
struct sql_steps {
    int exponent;
    int64_t lower, upper; /* at most 2^30 apart from `centre` */
    int64_t centre;
};

struct sql_measure {
    enum sql_measure_kind kind;
    const struct sql_expression *argument, *second; /* over the input's columns; or NULL */
    const struct sql_expression *filter; /* boolean: only where true; also excludes NULL arguments; or NULL */
    struct sql_steps steps, second_steps;
    int64_t unit_lower, unit_upper;
    /* quantiles: the shares, ascending; the grid has steps.upper - steps.lower + 1 cells, at most
     * SQL_MOST_CELLS. top: how many. */
    const double *quantiles;
    size_t quantile_count;
    struct sql_rows domain; /* top: the public values, one column */
    size_t top;
    struct decimal epsilon; /* asked for this measure by the analyst; zero: the curator shares out */
    size_t column;          /* of the release relation: the first of its columns */
    int position;
};

enum { SQL_MOST_CELLS = 4096, SQL_MOST_KEYS = 32, SQL_MOST_MEASURES = 256 };

struct sql_release {
    size_t number; /* in the order in which they run: inner ones first */
    const struct sql_relation *input;
    const struct sql_expression *const *keys; /* over the input's columns */
    size_t key_count;
    /* Not NULL: a public relation whose distinct rows are all the keys that can be (columns as the keys). Any
     * row of the data with other keys is left out. NULL: the keys are hidden, and are shown only when enough
     * units stand behind them. Without keys: one row, no columns. */
    const struct sql_relation *domain;
    const struct sql_measure *measures;
    size_t measure_count;
    uint64_t max_rows, max_groups;
    bool one_row; /* proved: the per-unit step may fall away */
    /* The blocks to which the input is proved to be confined, ascending; the policy's block count stands for
     * "rest". Empty: all. */
    const size_t *blocks;
    size_t block_count;
    int position;
};

/* max(|unit_lower|, |unit_upper|), at least 1: of one group. */
uint64_t sql_measure_sensitivity(const struct sql_measure *measure);

/* How many whole numbers the engine returns for it in each group: cells of quantiles and top, else 1. */
size_t sql_measure_width(const struct sql_measure *measure);
/* How many columns it has in the release relation: one, or one for each quantile. */
size_t sql_measure_columns(const struct sql_measure *measure);

/* What the question or its settings ask of all its releases; they only ever tighten the policy. */
struct sql_options {
    struct decimal epsilon, delta, rho; /* zero: not said */
    uint64_t max_groups, max_rows;      /* 0: not said */
    bool other;                         /* show what is hidden as one row */
    bool non_negative;                  /* counts are raised to 0 */
};

#endif
