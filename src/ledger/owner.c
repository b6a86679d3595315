/* The owner's acts, the passing of time, and what is left. */
#include <string.h>

#include "ledger/reservation.h"

/* A misspelt name must not look lifted. */
static status check_stopped(const struct ledger *ledger, const char *analyst, error *why)
{
    size_t place;
    enum holder_kind kind = analyst == NULL ? HOLDER_OWNER : HOLDER_ANALYST;
    TRY(state_find_holder(&ledger->state, kind, analyst, &place, why));
    if (place == SIZE_MAX || ledger->state.holders[place].stopped == NULL)
        return fail(why, DITHER_REFUSED, "%.100s is not stopped", analyst != NULL ? analyst : "the owner");
    return DITHER_OK;
}

static status stop_locked(struct ledger *ledger, void *context, error *why)
{
    struct entry *entry = context;
    if (entry->kind == ENTRY_LIFT)
        TRY(check_stopped(ledger, entry->analyst, why));
    return ledger_append(ledger, entry, why);
}

static status append_stop(struct ledger *ledger, enum entry_kind kind, const char *analyst,
                          const char *reason, error *why)
{
    struct entry entry = {.kind = kind, .analyst = analyst, .reason = reason};
    if (analyst != NULL)
        TRY(config_check_text("the analyst's name", analyst, LEDGER_NAME_BYTES, why));
    if (kind == ENTRY_STOP)
        TRY(config_check_text("the reason", reason, LEDGER_TEXT_BYTES, why));
    return batch_do(ledger, stop_locked, &entry, why);
}

status ledger_stop(struct ledger *ledger, const char *analyst, const char *reason, error *why)
{
    return append_stop(ledger, ENTRY_STOP, analyst, reason, why);
}

status ledger_lift(struct ledger *ledger, const char *analyst, error *why)
{
    return append_stop(ledger, ENTRY_LIFT, analyst, NULL, why);
}

static status tick_locked(struct ledger *ledger, void *context, error *why)
{
    (void)context;
    const struct state *state = &ledger->state;
    if (state->config.renewal == LEDGER_NEVER || ledger->changed)
        return DITHER_OK;
    struct entry entry = {.kind = ENTRY_TICK};
    return ledger_append(ledger, &entry, why);
}

status ledger_tick(struct ledger *ledger, error *why)
{
    return batch_do(ledger, tick_locked, NULL, why);
}

/* ---- What is left ---- */

struct looking {
    const char *analyst;
    const size_t *blocks;
    size_t block_count;
    struct ledger_cost found;
};

static status find_left(struct ledger *ledger, const char *analyst, const bool *touched,
                        struct ledger_cost *out, error *why)
{
    const struct state *state = &ledger->state;
    size_t holder = HOLDER_OWNER_PLACE;
    TRY(ledger_check_policy(ledger, why));
    if (analyst != NULL)
        TRY(state_find_holder(state, HOLDER_ANALYST, analyst, &holder, why));
    if (holder == SIZE_MAX || (analyst != NULL && state->holders[holder].place == SIZE_MAX))
        return fail(why, DITHER_REFUSED, "the policy names no analyst %.100s", analyst);
    *out = bill_left(state, holder, touched);
    return DITHER_OK;
}

static status left_locked(struct ledger *ledger, void *context, error *why)
{
    struct looking *looking = context;
    bool touched[LEDGER_MOST_BLOCKS + 1] = {false};
    for (size_t i = 0; i < looking->block_count; i++) {
        if (looking->blocks[i] >= ledger->state.block_count)
            return fail(why, DITHER_INVALID, "there is no such block");
        touched[looking->blocks[i]] = true;
    }
    return find_left(ledger, looking->analyst, looking->block_count > 0 ? touched : NULL, &looking->found,
                     why);
}

status ledger_left(struct ledger *ledger, const char *analyst, const size_t *blocks, size_t block_count,
                   struct ledger_cost *out, error *why)
{
    struct looking looking = {.analyst = analyst, .blocks = blocks, .block_count = block_count};
    TRY(batch_do(ledger, left_locked, &looking, why));
    *out = looking.found;
    return DITHER_OK;
}

status owner_may_show(struct ledger *ledger, const char *analyst, struct ledger_cost *left, error *why)
{
    size_t holder = 0;
    TRY(ledger_check_policy(ledger, why));
    TRY(reserve_find_asker(&ledger->state, analyst, &holder, why));
    return find_left(ledger, analyst, NULL, left, why);
}

static status show_locked(struct ledger *ledger, void *context, error *why)
{
    struct looking *looking = context;
    return owner_may_show(ledger, looking->analyst, &looking->found, why);
}

status ledger_may_show(struct ledger *ledger, const char *analyst, struct ledger_cost *left, error *why)
{
    struct looking looking = {.analyst = analyst};
    TRY(batch_do(ledger, show_locked, &looking, why));
    *left = looking.found;
    return DITHER_OK;
}

status ledger_look(struct ledger *ledger, batch_work *look, void *context, error *why)
{
    return batch_do(ledger, look, context, why);
}
