#include "ledger/cost.h"

#include <stdio.h>

struct ledger_cost ledger_cost_zero(void)
{
    return (struct ledger_cost){decimal_zero(), decimal_zero(), decimal_zero()};
}

struct ledger_cost ledger_cost_unlimited(void)
{
    return (struct ledger_cost){decimal_unlimited(), decimal_unlimited(), decimal_unlimited()};
}

bool ledger_cost_is_zero(struct ledger_cost cost)
{
    return decimal_is_zero(cost.epsilon) && decimal_is_zero(cost.delta) && decimal_is_zero(cost.rho);
}

bool ledger_cost_add(struct ledger_cost left, struct ledger_cost right, struct ledger_cost *out)
{
    struct ledger_cost sum;
    if (!decimal_add(left.epsilon, right.epsilon, &sum.epsilon) ||
        !decimal_add(left.delta, right.delta, &sum.delta) || !decimal_add(left.rho, right.rho, &sum.rho))
        return false;
    *out = sum;
    return true;
}

struct ledger_cost ledger_cost_max(struct ledger_cost left, struct ledger_cost right)
{
    return (struct ledger_cost){decimal_max(left.epsilon, right.epsilon),
                                decimal_max(left.delta, right.delta), decimal_max(left.rho, right.rho)};
}

struct ledger_cost ledger_cost_min(struct ledger_cost left, struct ledger_cost right)
{
    return (struct ledger_cost){decimal_min(left.epsilon, right.epsilon),
                                decimal_min(left.delta, right.delta), decimal_min(left.rho, right.rho)};
}

struct ledger_cost ledger_cost_left(struct ledger_cost limit, struct ledger_cost spent)
{
    return (struct ledger_cost){decimal_subtract(limit.epsilon, spent.epsilon),
                                decimal_subtract(limit.delta, spent.delta),
                                decimal_subtract(limit.rho, spent.rho)};
}

bool ledger_cost_within(struct ledger_cost cost, struct ledger_cost limit)
{
    return decimal_compare(cost.epsilon, limit.epsilon) <= 0 &&
           decimal_compare(cost.delta, limit.delta) <= 0 && decimal_compare(cost.rho, limit.rho) <= 0;
}

bool ledger_cost_in_currency(struct ledger_cost cost, enum ledger_currency currency)
{
    return (currency != LEDGER_CONCENTRATED || decimal_is_zero(cost.epsilon)) &&
           (currency != LEDGER_PURE || decimal_is_zero(cost.delta)) &&
           (currency == LEDGER_CONCENTRATED || decimal_is_zero(cost.rho));
}

void ledger_cost_print(struct ledger_cost cost, enum ledger_currency currency, char text[LEDGER_COST_TEXT])
{
    char first[DECIMAL_TEXT], delta[DECIMAL_TEXT];
    bool concentrated = currency == LEDGER_CONCENTRATED;
    decimal_print(concentrated ? cost.rho : cost.epsilon, first);
    decimal_print(cost.delta, delta);
    if (currency == LEDGER_PURE)
        snprintf(text, LEDGER_COST_TEXT, "epsilon %s", first);
    else
        snprintf(text, LEDGER_COST_TEXT, "%s %s, delta %s", concentrated ? "rho" : "epsilon", first, delta);
}
