/* mechanism.h - the common shape of all mechanisms.
 *
 *     data --measure--> statistic --law--> outcome --finish--> answer
 *           exact integers        the only        post-processing
 *                                 random step
 *
 * A mechanism is one file that fills in a mechanism_kind, registered in registry.c, with a page
 * docs/mechanisms/NAME.md that holds its proof. Laws of a mechanism_kind:
 *  - `init` is called with checked common options (see mechanism_init) and sets law, grid, sensitivity and
 * cost. It fails with DITHER_INVALID and plain words when the options make no sense. It reads no data.
 *  - `measure` is a deterministic, total function of the data: NaN, infinities and values out of range land
 * on a bound. It writes statistic_count integers, each within +-MECHANISM_LIMIT. For neighbouring data its
 * results are within the sensitivity that `init` calibrated the law to. Exact: no floating-point sum.
 *  - `finish` sees the outcome and public options, never the data.
 *  - `half_width` depends on public facts alone (of the data: only how many numbers there are, where that is
 * public).
 *  - None of them allocates.
 * The curator, whose engine measures in SQL, calls mechanism_noise with a statistic of its own. */
#ifndef MECHANISM_MECHANISM_H
#define MECHANISM_MECHANISM_H

#include <stdbool.h>

#include "mechanism/law.h"

/* Statistics are saturated here before the noise: public, and 1-Lipschitz, so that it never adds sensitivity.
 */
#define MECHANISM_LIMIT (INT64_C(1) << 62)

/* What the data are, and so what a neighbour is. */
enum mechanism_shape {
    SHAPE_NUMBERS, /* true answers; a neighbour's differ by at most the sensitivity in L1 norm (L2 for
                      Gaussian) */
    SHAPE_SCORES, /* one score per choice, or query answers in order; each moves by at most the sensitivity */
    SHAPE_COUNTS, /* people per key; a neighbour differs by one person in at most max_groups keys, a key that
                     nobody has being a key with count 0 */
    SHAPE_RECORDS, /* one value per person; a neighbour has one person more or less */
    SHAPE_TABLE,   /* column_count categories per person, row by row */
};

/* The options, as bits, by which a kind says what it needs and what else it understands. */
enum mechanism_option {
    OPTION_EPSILON = 1 << 0,
    OPTION_DELTA = 1 << 1,
    OPTION_RHO = 1 << 2,
    OPTION_SENSITIVITY = 1 << 3,
    OPTION_GROUP = 1 << 4,
    OPTION_MAX_GROUPS = 1 << 5,
    OPTION_RANGE = 1 << 6,
    OPTION_OUTPUT = 1 << 7,
    OPTION_MIN_SIZE = 1 << 8,
    OPTION_GRID = 1 << 9,
    OPTION_THRESHOLD = 1 << 10,
    OPTION_QUANTILE = 1 << 11,
    OPTION_EDGES = 1 << 12,
    OPTION_CATEGORIES = 1 << 13,
    OPTION_WAYS = 1 << 14,
};

/* Does the promise also hold, at the same cost, when one person's value is replaced by another? */
enum mechanism_replace {
    REPLACE_COSTS_TWICE = 0, /* one removed and one added: both are paid */
    REPLACE_COSTS_SAME,      /* proved on the mechanism's page */
};

struct mechanism;

struct mechanism_kind {
    const char *name;    /* as on the command line: "truncated-mean" */
    const char *summary; /* one line */
    enum mechanism_shape shape;
    enum mechanism_replace replace;
    unsigned needs, understands; /* OPTION_ bits; `understands` need not repeat `needs` */
    dither_options example;      /* small options with which `dither verify --all` checks it */
    status (*init)(struct mechanism *mechanism, error *why);
    size_t (*statistic_count)(const struct mechanism *mechanism, const dither_data *data);
    status (*measure)(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                      error *why);
    size_t (*answer_count)(const struct mechanism *mechanism, const dither_data *data);
    void (*finish)(const struct mechanism *mechanism, const int64_t *outcome, size_t outcome_count,
                   double *answer);
    double (*scale)(const struct mechanism *mechanism);
    double (*half_width)(const struct mechanism *mechanism, const dither_data *data, double confidence);
};

/* A mechanism ready for use. Plain value; borrows the arrays of its options. */
struct mechanism {
    const struct mechanism_kind *kind;
    dither_options options; /* as given, with defaults filled in (sensitivity, group, max_groups: 1) */
    struct law law;
    double grid;          /* one step of the statistic, in the answer's unit */
    uint64_t sensitivity; /* of the statistic, in steps, for `group` people */
    int64_t lower, upper; /* the range of one value, in steps, where there is one */
    int64_t center;       /* what is subtracted before summing, in steps */
    bool one_way;         /* scores move in one direction: permute_and_flip.h */
    dither_cost cost;
};

/* The registered kinds, in the order of registry.c. */
extern const struct mechanism_kind *const mechanism_kinds[];
extern const size_t mechanism_kind_count;
const struct mechanism_kind *mechanism_find(const char *name);

/* Checks the options (finite numbers, epsilon > 0, 0 <= delta < 1, lower < upper, no option that the kind
 * neither needs nor understands, none missing), fills in defaults, and calls the kind's init. Where a kind
 * understands both epsilon and rho, exactly one of them is needed. */
status mechanism_init(struct mechanism *mechanism, const struct mechanism_kind *kind,
                      const dither_options *options, error *why) MUST_CHECK;

/* measure, with the checks common to a shape (at least one number; a table of whole rows; finite true
 * answers). */
status mechanism_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                         error *why) MUST_CHECK;

/* The law, applied to a statistic. The caller charges mechanism->cost before. */
status mechanism_noise(const struct mechanism *mechanism, struct random *random, const int64_t *statistic,
                       size_t n, int64_t *outcome, error *why) MUST_CHECK;

/* The `finish` of every mechanism whose answer number i is outcome i times the grid, NaN where hidden. The
 * probability of such an answer is the law's. */
void mechanism_finish_direct(const struct mechanism *mechanism, const int64_t *outcome, size_t outcome_count,
                             double *answer);

/* The name of an option as a user knows it ("min-size"); bit is one OPTION_ value. */
const char *mechanism_option_name(unsigned bit);

#endif
