#include "ledger/handle.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

bool ledger_has_failed(const struct ledger *ledger)
{
    return atomic_load(&ledger->failed);
}

status ledger_usable(const struct ledger *ledger, error *why)
{
    if (ledger->process != getpid())
        return fail(why, DITHER_INVALID, "a ledger opened before fork must be opened again in the child");
    if (ledger_has_failed(ledger))
        return fail(why, DITHER_IO, "the ledger failed earlier and gives no more answers; open it again");
    return DITHER_OK;
}

struct refresh {
    struct state *state;
    bool seen; /* the row that was the last when we looked before */
};

static status refresh_row(void *context, const struct store_row *row, error *why)
{
    struct refresh *refresh = context;
    struct state *state = refresh->state;
    if (refresh->seen || state->number == 0)
        return state_apply(state, row, why);
    if (row->number != state->number || !digest_equal(&row->hash, &state->hash))
        return fail(why, DITHER_REFUSED, "the ledger was rewritten: entry %" PRIu64 " is not what it was",
                    state->number);
    refresh->seen = true;
    return DITHER_OK;
}

static status refresh(struct ledger *ledger, error *why)
{
    struct state *state = &ledger->state;
    struct refresh context = {state, state->number == 0};
    TRY(ledger->store->kind->read(ledger->store, state->number > 0 ? state->number : 1, refresh_row, &context,
                                  why));
    if (!context.seen)
        return fail(why, DITHER_REFUSED, "the ledger was shortened: entry %" PRIu64 " is gone",
                    state->number);
    return DITHER_OK;
}

/* Begins a new window when enough time was witnessed. */
static status renew_if_due(struct ledger *ledger, error *why)
{
    const struct state *state = &ledger->state;
    uint64_t length = state->configured ? state_window_length(state->config.renewal) : 0;
    if (length == 0 || witness_preview(&state->witness, &ledger->now) - state->window_start < length)
        return DITHER_OK;
    struct entry entry = {.kind = ENTRY_RENEW, .window = state->window + 1};
    return ledger_append(ledger, &entry, why);
}

status ledger_begin(struct ledger *ledger, error *why)
{
    TRY(ledger_usable(ledger, why));
    status result = ledger->store->kind->begin(ledger->store, why);
    if (result == DITHER_REFUSED)
        return result; /* somebody else has it: nothing was done */
    pthread_mutex_lock(&ledger->state_lock);
    ledger->changed = ledger->loosens = false;
    if (result == DITHER_OK)
        result = refresh(ledger, why);
    if (result == DITHER_OK)
        ledger->confirmed = (struct confirmed){ledger->state.number, ledger->state.hash};
    if (result == DITHER_OK)
        result = anchor_check(ledger->folder, ledger->store, &ledger->state, &ledger->anchored, why);
    if (result == DITHER_OK)
        result = ledger->clock->now(ledger->clock->state, &ledger->now, why);
    if (result == DITHER_OK)
        result = renew_if_due(ledger, why);
    if (result != DITHER_OK) {
        pthread_mutex_unlock(&ledger->state_lock);
        ledger->store->kind->cancel(ledger->store);
        atomic_store(&ledger->failed, true);
    }
    return result;
}

/* The row is in the transaction, and the state has taken it. */
static status add_row(struct ledger *ledger, const struct store_row *row, error *why)
{
    ledger->changed = true;
    status result = ledger->store->kind->append(ledger->store, row, why);
    if (result == DITHER_OK)
        result = state_apply(&ledger->state, row, why);
    if (result != DITHER_OK)
        atomic_store(&ledger->failed, true);
    return result;
}

status ledger_append(struct ledger *ledger, struct entry *entry, error *why)
{
    struct buffer text;
    struct store_row row = {.number = ledger->state.number + 1};
    entry->number = row.number;
    entry->when = ledger->now;
    ledger->loosens = ledger->loosens || (entry->kind != ENTRY_RESERVE && entry->kind != ENTRY_SETTLE);
    buffer_init(&text, ENTRY_BYTES);
    entry_write(entry, &text);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = entry_hash(&ledger->state.hash, text.data, text.length, &row.hash, why);
    if (result == DITHER_OK) {
        row.body = text.data;
        row.body_size = text.length;
        result = add_row(ledger, &row, why);
    }
    buffer_free(&text);
    return result;
}

static status write_out(struct ledger *ledger, error *why)
{
    TRY(ledger->store->kind->commit(ledger->store, why));
    pthread_mutex_lock(&ledger->state_lock);
    ledger->confirmed = (struct confirmed){ledger->state.number, ledger->state.hash};
    ledger->loosens = false;
    pthread_mutex_unlock(&ledger->state_lock);
    return anchor_advance(ledger->folder, ledger->store->location, &ledger->state, why);
}

status ledger_end(struct ledger *ledger, status result, error *why)
{
    pthread_mutex_unlock(&ledger->state_lock);
    if (result != DITHER_OK && result != DITHER_REFUSED && result != DITHER_INVALID)
        atomic_store(&ledger->failed, true);
    if (ledger_has_failed(ledger) || !ledger->changed) {
        ledger->store->kind->cancel(ledger->store);
        return result;
    }
    error inner;
    status written = write_out(ledger, &inner);
    if (written == DITHER_OK)
        return result;
    atomic_store(&ledger->failed, true);
    return fail(why, written == DITHER_NO_MEMORY ? DITHER_NO_MEMORY : DITHER_IO, "%s", inner.message);
}

status ledger_check_policy(struct ledger *ledger, error *why)
{
    struct buffer text;
    if (ledger->policy_number == ledger->state.policy_number)
        return DITHER_OK;
    buffer_init(&text, ENTRY_BYTES);
    entry_write_config(&ledger->state.config, &text);
    status result = buffer_check(&text, why);
    bool same = result == DITHER_OK && text.length == ledger->config_text.length &&
                memcmp(text.data, ledger->config_text.data, text.length) == 0;
    buffer_free(&text);
    if (same)
        ledger->policy_number = ledger->state.policy_number;
    if (result == DITHER_OK && !same)
        result = fail(why, DITHER_REFUSED,
                      "the policy was changed by another process; open the ledger with the new one");
    return result;
}

status ledger_put(struct ledger *ledger, const void *bytes, size_t size, struct digest *name, error *why)
{
    TRY(digest_of(bytes, size, name, why));
    status result = ledger->store->kind->put(ledger->store, name, bytes, size, why);
    if (result != DITHER_OK)
        atomic_store(&ledger->failed, true);
    return result;
}

status store_get_checked(struct store *store, const struct digest *name, struct buffer *out, error *why)
{
    bool found = false;
    size_t before = out->length;
    struct digest actual;
    char text[DIGEST_TEXT];
    digest_print(name, text);
    TRY(store->kind->get(store, name, out, &found, why));
    if (!found)
        return fail(why, DITHER_IO, "what the ledger stored under %s is gone", text);
    TRY(digest_of(out->length > before ? out->data + before : "", out->length - before, &actual, why));
    if (!digest_equal(&actual, name))
        return fail(why, DITHER_IO, "what the ledger stored under %s was altered", text);
    return DITHER_OK;
}

status ledger_get(struct ledger *ledger, const struct digest *name, struct buffer *out, error *why)
{
    status result = store_get_checked(ledger->store, name, out, why);
    if (result != DITHER_OK)
        atomic_store(&ledger->failed, true);
    return result;
}
