/* What a change of the policy does to what was spent.
 *
 * Limits may be raised and lowered at will: that is the owner's right, and the chain shows it. Who is
 * protected, the block column and the currency give the numbers their meaning, so they change only by the
 * act that carries the spending over (ENTRY_CARRY). A higher data version may have moved people from block
 * to block, and a new list of blocks surely has; then every block has at most the loss of the block that
 * lost most. */
#include <inttypes.h>
#include <string.h>

#include "ledger/state.h"

static bool same_text(const char *left, const char *right)
{
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool same_blocks(const struct ledger_config *old, const struct ledger_config *new)
{
    if (old->block_count != new->block_count)
        return false;
    for (size_t i = 0; i < old->block_count; i++)
        if (strcmp(old->blocks[i], new->blocks[i]) != 0)
            return false;
    return true;
}

/* What changed in the meaning of the numbers, or NULL. */
static const char *changed_meaning(const struct ledger_config *old, const struct ledger_config *new)
{
    if (strcmp(old->unit, new->unit) != 0)
        return "the unit or the path to it";
    if (!same_text(old->block_column, new->block_column))
        return "the block column";
    if (old->currency != new->currency)
        return "the currency";
    return NULL;
}

struct conversion {
    enum ledger_currency from, to;
    uint64_t people; /* old units in a new one */
};

/* k people: epsilon grows by k, rho by k^2 (Dwork, Roth 2014, Theorem 2.2; Bun, Steinke 2016,
 * Proposition 1.9). */
static status convert(const void *context, struct ledger_cost *cost, error *why)
{
    const struct conversion *conversion = context;
    uint64_t people = conversion->people;
    if (people > 1 && !decimal_is_zero(cost->delta))
        return fail(why, DITHER_REFUSED, "delta that was spent cannot be carried over to larger units");
    if (!decimal_multiply(cost->epsilon, people, &cost->epsilon) ||
        !decimal_multiply(cost->rho, people, &cost->rho) || !decimal_multiply(cost->rho, people, &cost->rho))
        return fail(why, DITHER_REFUSED, "the spending carried over would pass 1e14");
    if (conversion->from == conversion->to)
        return DITHER_OK;
    if (conversion->from == LEDGER_CONCENTRATED || (!decimal_is_zero(cost->delta)))
        return fail(why, DITHER_REFUSED,
                    "what was spent has no bound in the new currency; choose a new dataset name");
    if (conversion->to != LEDGER_CONCENTRATED)
        return DITHER_OK;
    if (!decimal_half_square(cost->epsilon, &cost->rho))
        return fail(why, DITHER_REFUSED, "the spending carried over would pass 1e14");
    cost->epsilon = decimal_zero();
    return DITHER_OK;
}

static struct conversion conversion_to(const struct state *state, const struct entry *entry)
{
    return (struct conversion){state->config.currency, entry->config.currency, entry->old_units_in_new};
}

/* Whether everybody's spending can be converted, tried on copies. */
static status check_carry(const struct state *state, const struct entry *entry, error *why)
{
    if (entry->old_units_in_new == 0)
        return fail(why, DITHER_REFUSED, "a new unit holds at least one old one");
    struct conversion conversion = conversion_to(state, entry);
    for (size_t i = 0; i < state->holder_count; i++) {
        struct ledger_cost window = spending_window(&state->holders[i].spending);
        struct ledger_cost lifetime = spending_lifetime(&state->holders[i].spending);
        TRY(convert(&conversion, &window, why));
        TRY(convert(&conversion, &lifetime, why));
    }
    return DITHER_OK;
}

status policy_check(const struct state *state, const struct entry *entry, error *why)
{
    if (!state->configured)
        return DITHER_OK;
    const struct ledger_config *old = &state->config, *new = &entry->config;
    if (strcmp(old->dataset, new->dataset) != 0)
        return fail(why, DITHER_REFUSED, "this is the ledger of dataset %.100s, not of %.100s", old->dataset,
                    new->dataset);
    if (new->data_version < old->data_version)
        return fail(why, DITHER_REFUSED,
                    "the policy's data version %" PRIu64 " is behind the ledger's, which is %" PRIu64,
                    new->data_version, old->data_version);
    if (entry->kind == ENTRY_CARRY)
        return check_carry(state, entry, why);
    const char *changed = changed_meaning(old, new);
    if (changed != NULL)
        return fail(
            why, DITHER_REFUSED,
            "%s changed since the ledger was opened: carry the spending over, or choose a new dataset name",
            changed);
    return DITHER_OK;
}

static bool levels(const struct ledger_config *old, const struct entry *entry)
{
    const struct ledger_config *new = &entry->config;
    return entry->kind == ENTRY_CARRY || !same_blocks(old, new) ||
           (new->data_version > old->data_version && !new->blocks_immutable);
}

static status change_spending(struct state *state, const struct entry *entry, error *why)
{
    if (!levels(&state->config, entry))
        return DITHER_OK;
    struct conversion conversion = conversion_to(state, entry);
    for (size_t i = 0; i < state->holder_count; i++) {
        struct spending *spending = &state->holders[i].spending;
        if (spending->count == 0)
            continue;
        TRY(spending_level(spending, entry->config.block_count + 1, why));
        if (entry->kind == ENTRY_CARRY)
            TRY(spending_each(spending, convert, &conversion, why));
    }
    return DITHER_OK;
}

/* Every holder learns its place in the new configuration. */
static status place_holders(struct state *state, error *why)
{
    size_t holder;
    for (size_t i = 0; i < state->holder_count; i++)
        state->holders[i].place = SIZE_MAX;
    for (size_t i = 0; i < state->config.analyst_count; i++) {
        TRY(state_make_holder(state, HOLDER_ANALYST, state->config.analysts[i].name, &holder, why));
        state->holders[holder].place = i;
    }
    for (size_t i = 0; i < state->config.group_count; i++) {
        TRY(state_make_holder(state, HOLDER_GROUP, state->config.groups[i].name, &holder, why));
        state->holders[holder].place = i;
    }
    return DITHER_OK;
}

status policy_apply(struct state *state, const struct entry *entry, error *why)
{
    if (state->configured)
        TRY(change_spending(state, entry, why));
    if (!state->configured || state->config.renewal != entry->config.renewal)
        state->window_start =
            state->witness.nanoseconds; /* the time before does not count for a new rhythm */
    state->config = entry->config;
    state->policy_number = entry->number;
    state->block_count = entry->config.block_count + 1;
    state->configured = true;
    void *room = NULL;
    TRY(arena_take(&state->arena, 2 * state->block_count * sizeof *state->bill_dataset, &room, why));
    state->bill_dataset = room;
    state->bill_analyst = state->bill_dataset + state->block_count;
    return place_holders(state, why);
}
