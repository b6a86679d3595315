/* cost.h - what releases spend, in the three currencies, added up exactly.
 *
 * Costs of sequential releases add in every component: epsilon and delta by basic composition, which also
 * holds when each question is chosen after seeing the answers before it; rho by the composition of zCDP
 * (Bun, Steinke 2016, Lemma 1.7), with the delta of key selection in a total of its own. */
#ifndef LEDGER_COST_H
#define LEDGER_COST_H

#include "base/decimal.h"

enum ledger_currency {
    LEDGER_PURE,         /* epsilon alone; a cost with delta is refused */
    LEDGER_APPROXIMATE,  /* epsilon and delta, both added up */
    LEDGER_CONCENTRATED, /* rho, and a separate total of delta for the selection of keys */
};

struct ledger_cost {
    struct decimal epsilon, delta, rho;
};

enum { LEDGER_COST_TEXT = 160 };

struct ledger_cost ledger_cost_zero(void);
struct ledger_cost ledger_cost_unlimited(void);
bool ledger_cost_is_zero(struct ledger_cost cost);

/* False, with `out` untouched, when a component would pass 10^14. */
bool ledger_cost_add(struct ledger_cost left, struct ledger_cost right, struct ledger_cost *out) MUST_CHECK;

/* Component by component. */
struct ledger_cost ledger_cost_max(struct ledger_cost left, struct ledger_cost right);
struct ledger_cost ledger_cost_min(struct ledger_cost left, struct ledger_cost right);

/* What is left below a limit: limit - spent, never below zero. */
struct ledger_cost ledger_cost_left(struct ledger_cost limit, struct ledger_cost spent);

/* Whether cost <= limit in every component. */
bool ledger_cost_within(struct ledger_cost cost, struct ledger_cost limit);

/* Whether the cost is zero in the components that the currency does not have. */
bool ledger_cost_in_currency(struct ledger_cost cost, enum ledger_currency currency);

/* "epsilon 0.1, delta 0.000000001": the components that the currency has. */
void ledger_cost_print(struct ledger_cost cost, enum ledger_currency currency, char text[LEDGER_COST_TEXT]);

#endif
