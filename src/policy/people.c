/* Groups and analysts: their caps, below the budget and in its currency. */
#include <string.h>

#include "policy/reader.h"

/* A cap is in the budget's currency, and one above the total never holds. */
static status check_cap(struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                        struct ledger_cost cap)
{
    const struct policy_budget *budget = &reader->policy->budget;
    const char *currency = budget->currency == LEDGER_CONCENTRATED ? "rho" : "epsilon";
    const struct yaml_node *other =
        yaml_find(map, budget->currency == LEDGER_CONCENTRATED ? "epsilon" : "rho");
    const struct yaml_node *delta = yaml_find(map, "delta"), *node = yaml_find(map, currency);
    if (other != NULL)
        return policy_refuse(reader, other->key_line, "%s: the cap is in %s, and the budget is in %s",
                             subject, other->key, currency);
    if (delta != NULL && budget->currency == LEDGER_PURE)
        return policy_refuse(reader, delta->key_line, "%s: the cap has a delta, and the budget has none",
                             subject);
    if (node != NULL && decimal_compare(policy_main_part(budget->currency, cap),
                                        policy_main_part(budget->currency, budget->total)) > 0)
        TRY(policy_warn(reader, node->line, "%s: the cap is above the total of the budget, which holds",
                        subject));
    if (delta != NULL && decimal_compare(cap.delta, budget->total.delta) > 0)
        TRY(policy_warn(reader, delta->line, "%s: the cap's delta is above that of the budget, which holds",
                        subject));
    return DITHER_OK;
}

static status read_holder(struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                          const char *const *known, struct ledger_cost *cap)
{
    *cap = ledger_cost_unlimited();
    if (policy_is_empty(node)) /* just a name */
        return DITHER_OK;
    TRY(policy_keys(reader, node, subject, known));
    TRY(policy_read_cap(reader, node, subject, cap));
    return check_cap(reader, node, subject, *cap);
}

status policy_read_groups(struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {"epsilon", "delta", "rho", NULL};
    struct policy_group *groups = NULL;
    TRY(policy_members(reader, node, "groups", POLICY_MOST_GROUPS));
    TRY(policy_take(reader, node->count, sizeof *groups, &groups));
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        struct policy_group *group = &groups[reader->policy->group_count++];
        const char *subject = NULL;
        TRY(policy_name(reader, node, child, "group", LEDGER_NAME_BYTES));
        TRY(policy_text_of(reader, &subject, "group %s", child->key));
        TRY(read_holder(reader, child, subject, known, &group->cap));
        group->name = child->key;
        group->line = child->key_line;
    }
    reader->policy->groups = groups;
    return DITHER_OK;
}

static const char *group_name(size_t index, const void *context)
{
    const struct policy *policy = context;
    return index < policy->group_count ? policy->groups[index].name : NULL;
}

static status find_group(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject, size_t *out)
{
    if (node->kind != YAML_TEXT)
        return policy_refuse(reader, node->line, "groups of %s must be a list of names", subject);
    for (size_t i = 0; i < reader->policy->group_count; i++)
        if (strcmp(reader->policy->groups[i].name, node->text) == 0) {
            *out = i;
            return DITHER_OK;
        }
    char hint[POLICY_HINT];
    policy_hint(node->text, group_name, reader->policy, hint);
    return policy_refuse(reader, node->line, "%s: there is no group \"%.60s\"%s", subject, node->text, hint);
}

static status read_membership(const struct policy_reader *reader, const struct yaml_node *node,
                              const char *subject, struct policy_analyst *analyst)
{
    if (node == NULL)
        return DITHER_OK;
    size_t *groups = NULL;
    if (node->kind != YAML_LIST || node->count > POLICY_MOST_GROUPS)
        return policy_refuse(reader, node->line, "groups of %s must be a list of names", subject);
    TRY(policy_take(reader, node->count, sizeof *groups, &groups));
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        size_t group = 0;
        TRY(find_group(reader, child, subject, &group));
        for (size_t i = 0; i < analyst->group_count; i++)
            if (groups[i] == group)
                return policy_refuse(reader, child->line, "%s is in group %s twice", subject, child->text);
        groups[analyst->group_count++] = group;
    }
    analyst->groups = groups;
    return DITHER_OK;
}

status policy_read_analysts(struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {"epsilon", "delta", "rho", "groups", NULL};
    struct policy_analyst *analysts = NULL;
    TRY(policy_members(reader, node, "analysts", POLICY_MOST_ANALYSTS));
    TRY(policy_take(reader, node->count, sizeof *analysts, &analysts));
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        struct policy_analyst *analyst = &analysts[reader->policy->analyst_count++];
        const char *subject = NULL;
        TRY(policy_name(reader, node, child, "analyst", LEDGER_NAME_BYTES));
        TRY(policy_text_of(reader, &subject, "analyst %s", child->key));
        TRY(read_holder(reader, child, subject, known, &analyst->cap));
        TRY(read_membership(reader, yaml_find(child, "groups"), subject, analyst));
        analyst->name = child->key;
        analyst->line = child->key_line;
    }
    reader->policy->analysts = analysts;
    return DITHER_OK;
}
