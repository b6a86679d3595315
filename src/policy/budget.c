/* The budget: one currency, a total for everybody, and what one question may cost. */
#include <string.h>

#include "policy/reader.h"

struct decimal policy_main_part(enum ledger_currency currency, struct ledger_cost cost)
{
    return currency == LEDGER_CONCENTRATED ? cost.rho : cost.epsilon;
}

static struct decimal one(void)
{
    return (struct decimal){1000000000000 * (uint128_t)1000000000000};
}

status policy_read_cap(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                       struct ledger_cost *out)
{
    TRY(policy_amount(reader, yaml_find(map, "epsilon"), subject, &out->epsilon));
    TRY(policy_amount(reader, yaml_find(map, "delta"), subject, &out->delta));
    return policy_amount(reader, yaml_find(map, "rho"), subject, &out->rho);
}

static status read_total(const struct policy_reader *reader, const struct yaml_node *map,
                         struct policy_budget *budget)
{
    const struct yaml_node *epsilon = yaml_find(map, "epsilon"), *rho = yaml_find(map, "rho");
    const struct yaml_node *delta = yaml_find(map, "delta"), *amount = rho != NULL ? rho : epsilon;
    if (epsilon != NULL && rho != NULL)
        return policy_refuse(reader, rho->key_line,
                             "the budget is in epsilon (line %d) and in rho: choose one currency",
                             epsilon->key_line);
    if (amount == NULL)
        return policy_refuse(reader, map->key_line, "the budget needs a total: epsilon, or rho");
    budget->currency = rho != NULL ? LEDGER_CONCENTRATED : delta != NULL ? LEDGER_APPROXIMATE : LEDGER_PURE;
    budget->total = ledger_cost_zero();
    TRY(policy_read_cap(reader, map, "the budget", &budget->total));
    if (decimal_is_zero(policy_main_part(budget->currency, budget->total)))
        return policy_refuse(reader, amount->line, "%s of the budget must be above 0", amount->key);
    if (delta != NULL && decimal_is_zero(budget->total.delta))
        return policy_refuse(reader, delta->line,
                             "delta of the budget must be above 0; leave it out for none");
    if (decimal_compare(budget->total.delta, one()) >= 0)
        return policy_refuse(reader, delta->line,
                             "delta of the budget must be below 1: a delta of 1 protects nobody");
    return DITHER_OK;
}

/* An amount for one question, which is never zero: no release is free. */
static status read_question_amount(const struct policy_reader *reader, const struct yaml_node *map,
                                   const char *key, struct decimal *out)
{
    const struct yaml_node *node = yaml_find(map, key);
    TRY(policy_amount(reader, node, "the budget", out));
    if (node != NULL && decimal_is_zero(*out))
        return policy_refuse(reader, node->line, "%s of the budget must be above 0: no question is free",
                             key);
    return DITHER_OK;
}

static status read_question(struct policy_reader *reader, const struct yaml_node *map,
                            struct policy_budget *budget)
{
    const struct yaml_node *usual = yaml_find(map, "per_question"),
                           *most = yaml_find(map, "max_per_question");
    const struct yaml_node *delta = yaml_find(map, "delta_per_question");
    struct decimal total = policy_main_part(budget->currency, budget->total);
    budget->max_per_question = total;
    TRY(read_question_amount(reader, map, "per_question", &budget->per_question));
    TRY(read_question_amount(reader, map, "max_per_question", &budget->max_per_question));
    TRY(read_question_amount(reader, map, "delta_per_question", &budget->delta_per_question));
    if (usual != NULL && decimal_compare(budget->per_question, budget->max_per_question) > 0)
        return policy_refuse(reader, usual->line, "per_question of the budget is above %s",
                             most != NULL ? "max_per_question" : "the total");
    if (usual != NULL && decimal_compare(budget->per_question, total) > 0)
        return policy_refuse(reader, usual->line, "per_question of the budget is above the total");
    if (delta != NULL && budget->currency == LEDGER_PURE)
        return policy_refuse(reader, delta->key_line, "delta_per_question needs a delta in the budget");
    if (delta != NULL && decimal_compare(budget->delta_per_question, budget->total.delta) > 0)
        return policy_refuse(reader, delta->line,
                             "delta_per_question of the budget is above the total delta");
    if (decimal_compare(budget->max_per_question, total) > 0)
        TRY(policy_warn(reader, most->line,
                        "max_per_question is above the total of the budget, which holds"));
    return DITHER_OK;
}

static status read_renewal(const struct policy_reader *reader, const struct yaml_node *node,
                           struct policy_budget *budget)
{
    static const char *const names[] = {
        [LEDGER_NEVER] = "none",      [LEDGER_DAILY] = "daily",         [LEDGER_WEEKLY] = "weekly",
        [LEDGER_MONTHLY] = "monthly", [LEDGER_QUARTERLY] = "quarterly", [LEDGER_YEARLY] = "yearly"};
    if (node == NULL)
        return DITHER_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (node->kind == YAML_TEXT && strcmp(node->text, names[i]) == 0) {
            budget->renewal = (enum ledger_renewal)i;
            return DITHER_OK;
        }
    return policy_refuse(reader, node->line,
                         "renew of the budget must be none, daily, weekly, monthly, quarterly or yearly");
}

status policy_read_budget(struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {
        "epsilon", "delta", "rho", "per_question", "delta_per_question", "max_per_question",
        "block",   "renew", NULL};
    struct policy_budget *budget = &reader->policy->budget;
    TRY(policy_keys(reader, node, "the budget", known));
    budget->line = node->key_line;
    TRY(read_total(reader, node, budget));
    TRY(read_question(reader, node, budget));
    TRY(read_renewal(reader, yaml_find(node, "renew"), budget));
    return policy_read_block(reader, yaml_find(node, "block"));
}
