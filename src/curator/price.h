/* price.h - what each part of a plan costs, and the noise that this buys. From public facts alone.
 *
 * A release has parts: one for each measure and, where its keys are hidden, one for their selection. The
 * amount of a question (epsilon, or rho) is shared out over all parts of all its releases:
 *
 *  - what the analyst fixed for a measure (`epsilon => 0.5`) is its amount;
 *  - the rest is shared so that the squares of the relative errors have the least sum. With r the noise of a
 *    part per unit of amount, against the natural size of what it measures, that is sum (r / epsilon)^2, least
 *    where epsilon is proportional to r^(2/3); and with rho, sum r^2 / rho, where rho is proportional to r.
 *
 * All amounts are exact decimals. Shares are rounded down and the last part gets what is left, so that they
 * add up to the amount; a mechanism gets the largest double not above its share. So what is charged is never
 * less than what is used, and the cost of a release is the sum of its parts, exactly.
 *
 * One unit is in at most G = max_groups groups (fewer where the public domain has fewer), and moves a measure
 * there by at most its sensitivity s:
 *     pure, (epsilon, delta)   geometric noise for the L1 norm G s; Gaussian noise for the L2 norm sqrt(G) s
 *                              where the analyst offers a delta and that is narrower
 *     zCDP                     discrete Gaussian noise of variance G s^2 / (2 rho)
 * Choices (quantiles, top) are made in each group by itself, and k of them one after the other: each has
 * epsilon / (G k), or sqrt(2 rho / (G k)). Selection of keys: epsilon, or sqrt(2 rho), for all G together. */
#ifndef CURATOR_PRICE_H
#define CURATOR_PRICE_H

#include "mechanism/known.h"
#include "policy/policy.h"
#include "sql/plan.h"

/* At which mechanisms are compared: which one a release gets must not depend on how it is shown. */
#define PRICE_CONFIDENCE 0.95

enum price_kind {
    PRICE_SELECTION, /* which hidden keys are shown */
    PRICE_NUMBER,    /* a whole number with noise */
    PRICE_QUANTILES, /* each quantile chosen among the cells */
    PRICE_TREE,      /* several quantiles read from one noisy distribution */
    PRICE_TOP,       /* values chosen one after the other */
};

struct price_part {
    enum price_kind kind;
    const struct sql_measure *measure;  /* NULL: selection */
    const struct mechanism *mechanisms; /* one; of PRICE_QUANTILES one for each quantile */
    size_t mechanism_count;
    struct ledger_cost cost;
    double half_width; /* in steps; NaN: none follows from public facts */
    double relative;   /* r above */
};

struct price_release {
    const struct sql_release *release;
    struct mechanism_known *known; /* may be NULL */
    size_t same_as;                /* the first release that is the same; its own index, if it is that */
    bool hidden;                   /* the keys are hidden */
    uint64_t groups;               /* G */
    struct price_part *parts;
    size_t part_count;
    struct ledger_cost cost;
};

struct price {
    struct price_release *releases; /* as in the plan */
    size_t release_count;
    struct ledger_cost cost;
};

/* What is known of a release beside itself. */
struct price_facts {
    size_t same_as;
    size_t domain_rows; /* of an enumerated one */
};

/* Prices the plan with its options (epsilon, delta, rho) or the budget's defaults. DITHER_REFUSED or
 * DITHER_INVALID with what to say instead; whether it fits the budget is the ledger's to decide. `known` may be NULL. */
status price_plan(const struct sql_plan *plan, const struct price_facts *facts,
                  const struct policy_budget *budget, struct mechanism_known *known, struct arena *arena,
                  struct price *out, error *why) MUST_CHECK;

/* ---- The parts of price.c ---- */

/* The part's mechanisms for its amount (in part->cost), with `delta` for selection or, where it is not zero,
 * for Gaussian noise; adds to part->cost the delta that is used. */
status price_calibrate(const struct price_release *release, struct price_part *part,
                       enum ledger_currency currency, struct decimal delta, struct arena *arena,
                       error *why) MUST_CHECK;

/* Kind and relative error. */
void price_describe(const struct price_release *release, enum ledger_currency currency,
                    struct price_part *part);

/* The half widths of all numbers at another confidence than PRICE_CONFIDENCE. */
void price_show_at(struct price *price, double confidence);

/* Epsilon or rho, as the currency has it. */
struct decimal *price_amount(struct ledger_cost *cost, enum ledger_currency currency);

/* The largest double whose square, halved, is not above rho / parts. */
double price_epsilon_of_rho(struct decimal rho, uint64_t parts);

/* The part of a measure; NULL for what is not this release's. */
const struct price_part *price_part_of(const struct price_release *release,
                                       const struct sql_measure *measure);

#endif
