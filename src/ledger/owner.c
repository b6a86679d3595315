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

static status append_stop(struct ledger *ledger, enum entry_kind kind, const char *analyst,
                          const char *reason, error *why)
{
    struct entry entry = {.kind = kind, .analyst = analyst, .reason = reason};
    if (analyst != NULL)
        TRY(config_check_text("the analyst's name", analyst, LEDGER_NAME_BYTES, why));
    if (kind == ENTRY_STOP)
        TRY(config_check_text("the reason", reason, LEDGER_TEXT_BYTES, why));
    TRY(ledger_begin(ledger, why));
    status result = kind == ENTRY_LIFT ? check_stopped(ledger, analyst, why) : DITHER_OK;
    if (result == DITHER_OK)
        result = ledger_append(ledger, &entry, why);
    return ledger_end(ledger, result, why);
}

status ledger_stop(struct ledger *ledger, const char *analyst, const char *reason, error *why)
{
    return append_stop(ledger, ENTRY_STOP, analyst, reason, why);
}

status ledger_lift(struct ledger *ledger, const char *analyst, error *why)
{
    return append_stop(ledger, ENTRY_LIFT, analyst, NULL, why);
}

static status tick_locked(struct ledger *ledger, error *why)
{
    const struct state *state = &ledger->state;
    if (state->config.renewal == LEDGER_NEVER || ledger->changed)
        return DITHER_OK;
    struct entry entry = {.kind = ENTRY_TICK};
    return ledger_append(ledger, &entry, why);
}

status ledger_tick(struct ledger *ledger, error *why)
{
    TRY(ledger_begin(ledger, why));
    return ledger_end(ledger, tick_locked(ledger, why), why);
}

static status left_locked(struct ledger *ledger, const char *analyst, const bool *touched,
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

status ledger_left(struct ledger *ledger, const char *analyst, const size_t *blocks, size_t block_count,
                   struct ledger_cost *out, error *why)
{
    bool touched[LEDGER_MOST_BLOCKS + 1] = {false};
    TRY(ledger_begin(ledger, why));
    status result = DITHER_OK;
    for (size_t i = 0; i < block_count && result == DITHER_OK; i++) {
        if (blocks[i] >= ledger->state.block_count)
            result = fail(why, DITHER_INVALID, "there is no such block");
        else
            touched[blocks[i]] = true;
    }
    if (result == DITHER_OK)
        result = left_locked(ledger, analyst, block_count > 0 ? touched : NULL, out, why);
    return ledger_end(ledger, result, why);
}

status ledger_may_show(struct ledger *ledger, const char *analyst, struct ledger_cost *left, error *why)
{
    size_t holder = 0;
    struct ledger_cost found;
    TRY(ledger_begin(ledger, why));
    status result = ledger_check_policy(ledger, why);
    if (result == DITHER_OK)
        result = reserve_find_asker(&ledger->state, analyst, &holder, why);
    if (result == DITHER_OK)
        result = left_locked(ledger, analyst, NULL, &found, why);
    TRY(ledger_end(ledger, result, why));
    *left = found;
    return DITHER_OK;
}

status ledger_look(struct ledger *ledger, status (*look)(struct ledger *ledger, void *context, error *why),
                   void *context, error *why)
{
    TRY(ledger_begin(ledger, why));
    return ledger_end(ledger, look(ledger, context, why), why);
}
