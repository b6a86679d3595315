/* Who pays what for a question, and whether it fits.
 *
 * On each block, the dataset pays for the releases that must be drawn, and the analyst with his groups for
 * those that he was not charged for before. The dataset's loss is the sum over everybody, whoever asked. */
#include <stdio.h>
#include <string.h>

#include "ledger/state.h"

static status charge(const struct state *state, const struct entry_release *release, size_t block, error *why)
{
    bool fits = true;
    if (release->payer == PAYS_ALL)
        fits = ledger_cost_add(state->bill_dataset[block], release->cost, &state->bill_dataset[block]);
    if (release->payer != PAYS_NOBODY)
        fits =
            fits && ledger_cost_add(state->bill_analyst[block], release->cost, &state->bill_analyst[block]);
    if (!fits)
        return fail(why, DITHER_REFUSED, "the sum of all costs would pass 1e14");
    return DITHER_OK;
}

/* The named blocks must be in the order of the policy, none twice; rest is the last. */
static status charge_blocks(const struct state *state, const struct entry_release *release, error *why)
{
    size_t block = 0;
    for (size_t i = 0; i < release->block_count; i++, block++) {
        const char *name = release->blocks[i];
        while (block < state->config.block_count &&
               (name == NULL || strcmp(state->config.blocks[block], name) != 0))
            block++;
        if (block > state->config.block_count || (block == state->config.block_count && name != NULL))
            return fail(why, DITHER_REFUSED, "a block that it charges is not declared, or not in order");
        TRY(charge(state, release, block, why));
    }
    return DITHER_OK;
}

static status charge_all(const struct state *state, const struct entry_release *release, error *why)
{
    for (size_t block = 0; block < state->block_count; block++)
        TRY(charge(state, release, block, why));
    return DITHER_OK;
}

static status check_cost(const struct state *state, struct ledger_cost cost, error *why)
{
    if (ledger_cost_is_zero(cost))
        return fail(why, DITHER_INVALID, "a release that costs nothing is not a release");
    struct ledger_cost same;
    if (!ledger_cost_add(cost, ledger_cost_zero(), &same))
        return fail(why, DITHER_INVALID, "a release must have a limited cost");
    if (ledger_cost_in_currency(cost, state->config.currency))
        return DITHER_OK;
    if (state->config.currency == LEDGER_PURE && decimal_is_zero(cost.rho))
        return fail(
            why, DITHER_REFUSED,
            "the budget is pure epsilon, and a release needs delta (keys whose domain is not public, or "
            "Gaussian noise): declare the keys' values, or ask the owner for a budget with delta");
    return fail(why, DITHER_INVALID, "a release's cost is not in the ledger's currency");
}

status bill_compute(struct state *state, const struct entry *entry, size_t holder, error *why)
{
    memset(state->bill_dataset, 0, 2 * state->block_count * sizeof *state->bill_dataset);
    for (size_t i = 0; i < entry->release_count; i++) {
        const struct entry_release *release = &entry->releases[i];
        enum entry_payer payer;
        struct digest result;
        TRY(check_cost(state, release->cost, why));
        TRY(state_find_result(state, holder, &release->name, &payer, &result, why));
        if (payer != release->payer)
            return fail(why, DITHER_REFUSED, "release %zu is charged to the wrong holders", i + 1);
        for (size_t k = 0; k < i; k++)
            if (digest_equal(&entry->releases[k].name, &release->name))
                return fail(why, DITHER_INVALID, "a release is named twice; it is drawn once");
        if (release->block_count == 0)
            TRY(charge_all(state, release, why));
        else
            TRY(charge_blocks(state, release, why));
    }
    return DITHER_OK;
}

struct ledger_cost bill_cost(const struct state *state)
{
    struct ledger_cost most = ledger_cost_zero();
    for (size_t block = 0; block < state->block_count; block++)
        most = ledger_cost_max(most, state->bill_analyst[block]);
    return most;
}

static struct ledger_cost limit_of(const struct state *state, const struct holder *holder)
{
    switch (holder->kind) {
    case HOLDER_DATASET:
        return state->config.total;
    case HOLDER_ANALYST:
        return holder->place == SIZE_MAX ? ledger_cost_zero() : state->config.analysts[holder->place].cap;
    case HOLDER_GROUP:
        return holder->place == SIZE_MAX ? ledger_cost_zero() : state->config.groups[holder->place].cap;
    case HOLDER_OWNER:
        break;
    }
    return ledger_cost_unlimited();
}

static struct ledger_cost spent_on(const struct holder *holder, size_t block)
{
    return holder->spending.count == 0 ? ledger_cost_zero() : holder->spending.window[block];
}

/* Calls `visit` for the analyst, his groups, and the dataset; stops at the first that is not DITHER_OK. */
typedef status visit_holder(const struct state *state, size_t holder, const struct ledger_cost *bill,
                            void *context, error *why);

static status visit_payers(const struct state *state, size_t holder, visit_holder *visit, void *context,
                           error *why)
{
    TRY(visit(state, holder, state->bill_analyst, context, why));
    const struct holder *asker = &state->holders[holder];
    if (asker->kind == HOLDER_ANALYST && asker->place != SIZE_MAX) {
        const struct ledger_analyst *analyst = &state->config.analysts[asker->place];
        for (size_t i = 0; i < analyst->group_count; i++) {
            size_t group;
            TRY(state_find_holder(state, HOLDER_GROUP, state->config.groups[analyst->groups[i]].name, &group,
                                  why));
            TRY(visit(state, group, state->bill_analyst, context, why));
        }
    }
    return visit(state, HOLDER_DATASET_PLACE, state->bill_dataset, context, why);
}

struct left_context {
    const bool *touched;
    struct ledger_cost left;
};

static status lower_left(const struct state *state, size_t place, const struct ledger_cost *bill,
                         void *context, error *why)
{
    (void)bill;
    (void)why;
    struct left_context *least = context;
    const struct holder *holder = &state->holders[place];
    struct ledger_cost limit = limit_of(state, holder);
    for (size_t block = 0; block < state->block_count; block++)
        if (least->touched == NULL || least->touched[block])
            least->left = ledger_cost_min(least->left, ledger_cost_left(limit, spent_on(holder, block)));
    return DITHER_OK;
}

struct ledger_cost bill_limit(const struct state *state, size_t holder)
{
    return limit_of(state, &state->holders[holder]);
}

struct ledger_cost bill_left(const struct state *state, size_t holder, const bool *touched)
{
    struct left_context context = {touched, ledger_cost_unlimited()};
    if (visit_payers(state, holder, lower_left, &context, NULL) != DITHER_OK)
        return ledger_cost_zero();
    return context.left;
}

/* What would still fit on the blocks that the bill touches. */
static struct ledger_cost bill_fits(const struct state *state, size_t holder)
{
    bool touched[LEDGER_MOST_BLOCKS + 1] = {false};
    for (size_t block = 0; block < state->block_count; block++)
        touched[block] = !ledger_cost_is_zero(state->bill_analyst[block]);
    return ledger_cost_min(state->config.question_most, bill_left(state, holder, touched));
}

struct refusal {
    const char *whose; /* "the dataset's total", "the cap of alice" */
    const char *block; /* or NULL */
    struct ledger_cost limit, spent, bill;
};

static status refuse(const struct state *state, size_t asker, const struct refusal *refusal, error *why)
{
    enum ledger_currency currency = state->config.currency;
    char left[LEDGER_COST_TEXT], limit[LEDGER_COST_TEXT], bill[LEDGER_COST_TEXT], fits[LEDGER_COST_TEXT];
    ledger_cost_print(ledger_cost_left(refusal->limit, refusal->spent), currency, left);
    ledger_cost_print(refusal->limit, currency, limit);
    ledger_cost_print(refusal->bill, currency, bill);
    ledger_cost_print(bill_fits(state, asker), currency, fits);
    bool confined = refusal->block != NULL;
    return fail(why, DITHER_REFUSED,
                "%s is reached%s%.40s: %s is left of %s, and the question costs %s; %s would still fit",
                refusal->whose, confined ? " on block " : "", confined ? refusal->block : "", left, limit,
                bill, fits);
}

struct check_context {
    size_t asker;
};

static void name_limit(const struct holder *holder, char text[100])
{
    if (holder->kind == HOLDER_DATASET)
        snprintf(text, 100, "the dataset's total");
    else if (holder->kind == HOLDER_GROUP)
        snprintf(text, 100, "the cap of group %.60s", holder->name);
    else
        snprintf(text, 100, "the cap of %.60s", holder->name != NULL ? holder->name : "the owner");
}

static status check_holder(const struct state *state, size_t place, const struct ledger_cost *bill,
                           void *context, error *why)
{
    const struct check_context *check = context;
    const struct holder *holder = &state->holders[place];
    struct ledger_cost limit = limit_of(state, holder), sum;
    for (size_t block = 0; block < state->block_count; block++) {
        struct ledger_cost spent = spent_on(holder, block);
        if (ledger_cost_is_zero(bill[block]))
            continue;
        if (ledger_cost_add(spent, bill[block], &sum) && ledger_cost_within(sum, limit))
            continue;
        char whose[100];
        name_limit(holder, whose);
        bool named = block < state->config.block_count;
        const char *name = state->config.block_count == 0 ? NULL
                           : named                        ? state->config.blocks[block]
                                                          : "rest";
        /* What the question costs is what the analyst pays, the dataset's limit included: what the dataset
         * pays is less where releases are stored, and would tell him which ones others have asked for. */
        struct ledger_cost cost = state->bill_analyst[block];
        return refuse(state, check->asker, &(struct refusal){whose, name, limit, spent, cost}, why);
    }
    return DITHER_OK;
}

status bill_check(const struct state *state, size_t holder, error *why)
{
    struct ledger_cost cost = bill_cost(state);
    struct check_context context = {holder};
    if (!ledger_cost_within(cost, state->config.question_most))
        return refuse(state, holder,
                      &(struct refusal){"the maximum for one question", NULL, state->config.question_most,
                                        ledger_cost_zero(), cost},
                      why);
    return visit_payers(state, holder, check_holder, &context, why);
}

struct apply_context {
    struct state *state;
};

static status apply_to(const struct state *state, size_t place, const struct ledger_cost *bill, void *context,
                       error *why)
{
    const struct apply_context *apply = context;
    struct spending *spending = &apply->state->holders[place].spending;
    if (spending->count == 0)
        TRY(spending_init(spending, state->block_count, why));
    return spending_add(spending, bill, why);
}

status bill_apply(struct state *state, size_t holder, error *why)
{
    struct apply_context context = {state};
    return visit_payers(state, holder, apply_to, &context, why);
}
