#include "ledger/state.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

enum { SCRATCH_BYTES = 1 << 30 };

void state_init(struct state *state)
{
    *state = (struct state){0};
    arena_init(&state->arena, SIZE_MAX / 4);
}

void state_free(struct state *state)
{
    for (size_t i = 0; i < state->holder_count; i++)
        spending_free(&state->holders[i].spending);
    memory_release(state->holders, state->holder_capacity * sizeof *state->holders);
    memory_release(state->reservations, state->reservation_capacity * sizeof *state->reservations);
    memory_release(state->results, state->result_capacity * sizeof *state->results);
    index_free(&state->holder_index);
    index_free(&state->requests);
    index_free(&state->stored);
    index_free(&state->seen);
    arena_free(&state->arena);
    *state = (struct state){0};
}

status state_room(void **items, size_t *capacity, size_t count, size_t size, error *why)
{
    if (count < *capacity)
        return DITHER_OK;
    size_t larger = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = memory_grow(*items, *capacity * size, larger * size);
    if (grown == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *items = grown;
    *capacity = larger;
    return DITHER_OK;
}

static status holder_key(enum holder_kind kind, const char *name, struct digest *out, error *why)
{
    unsigned char byte = (unsigned char)kind;
    struct digest_part parts[] = {{&byte, 1}, {name, name != NULL ? strlen(name) : 0}};
    return digest_of_parts(parts, 2, out, why);
}

status state_find_holder(const struct state *state, enum holder_kind kind, const char *name, size_t *out,
                         error *why)
{
    struct digest key;
    uint64_t found;
    TRY(holder_key(kind, name, &key, why));
    *out = index_find(&state->holder_index, &key, &found) ? (size_t)found : SIZE_MAX;
    return DITHER_OK;
}

status state_make_holder(struct state *state, enum holder_kind kind, const char *name, size_t *out,
                         error *why)
{
    TRY(state_find_holder(state, kind, name, out, why));
    if (*out != SIZE_MAX)
        return DITHER_OK;
    struct digest key;
    char *copy = NULL;
    TRY(holder_key(kind, name, &key, why));
    if (name != NULL)
        TRY(arena_text(&state->arena, name, strlen(name), &copy, why));
    TRY(state_room((void **)&state->holders, &state->holder_capacity, state->holder_count,
                   sizeof *state->holders, why));
    TRY(index_add(&state->holder_index, &key, state->holder_count, why));
    state->holders[state->holder_count] = (struct holder){.kind = kind, .name = copy, .place = SIZE_MAX};
    *out = state->holder_count++;
    return DITHER_OK;
}

struct reservation_record *state_find_reservation(const struct state *state, uint64_t number)
{
    size_t low = 0, high = state->reservation_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (state->reservations[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < state->reservation_count && state->reservations[low].number == number;
    return found ? &state->reservations[low] : NULL;
}

uint64_t state_window_length(enum ledger_renewal renewal)
{
    static const uint64_t days[] = {[LEDGER_NEVER] = 0,    [LEDGER_DAILY] = 1,      [LEDGER_WEEKLY] = 7,
                                    [LEDGER_MONTHLY] = 31, [LEDGER_QUARTERLY] = 92, [LEDGER_YEARLY] = 366};
    return days[renewal] * (86400 + 87) * UINT64_C(1000000000); /* 0.1 % more than a day: clock.h */
}

static status apply_open(struct state *state, const struct entry *entry, error *why)
{
    if (entry->number != 1)
        return fail(why, DITHER_REFUSED, "only the first entry opens a ledger");
    memcpy(state->id, entry->id, sizeof state->id);
    size_t place;
    TRY(state_make_holder(state, HOLDER_DATASET, NULL, &place, why));
    return state_make_holder(state, HOLDER_OWNER, NULL, &place, why);
}

static status apply_renew(struct state *state, const struct entry *entry, error *why)
{
    uint64_t length = state_window_length(state->config.renewal);
    if (length == 0 || entry->window != state->window + 1 ||
        state->witness.nanoseconds - state->window_start < length)
        return fail(why, DITHER_REFUSED, "it renews the budget early");
    state->window = entry->window;
    state->window_start = state->witness.nanoseconds;
    for (size_t i = 0; i < state->holder_count; i++)
        spending_renew(&state->holders[i].spending);
    return DITHER_OK;
}

static status apply_stop(struct state *state, const struct entry *entry, error *why)
{
    size_t place;
    enum holder_kind kind = entry->analyst == NULL ? HOLDER_OWNER : HOLDER_ANALYST;
    TRY(state_make_holder(state, kind, entry->analyst, &place, why));
    char *reason = NULL;
    if (entry->kind == ENTRY_STOP)
        TRY(arena_text(&state->arena, entry->reason, strlen(entry->reason), &reason, why));
    state->holders[place].stopped = reason;
    return DITHER_OK;
}

static status apply_policy(struct state *state, const struct entry *entry, const struct store_row *row,
                           error *why)
{
    TRY(policy_check(state, entry, why));
    struct entry kept; /* read again, into memory that lives as long as the state */
    TRY(entry_read(row->body, row->body_size, &state->arena, &kept, why));
    return policy_apply(state, &kept, why);
}

static status apply_entry(struct state *state, const struct entry *entry, const struct store_row *row,
                          error *why)
{
    if (entry->kind != ENTRY_OPEN && state->number == 0)
        return fail(why, DITHER_REFUSED, "the first entry must open the ledger");
    if (entry->kind != ENTRY_OPEN && entry->kind != ENTRY_POLICY && !state->configured)
        return fail(why, DITHER_REFUSED, "a policy must come before it");
    witness_see(&state->witness, &entry->when);
    switch (entry->kind) {
    case ENTRY_OPEN:
        return apply_open(state, entry, why);
    case ENTRY_POLICY:
    case ENTRY_CARRY:
        return apply_policy(state, entry, row, why);
    case ENTRY_RESERVE:
        return question_reserve(state, entry, why);
    case ENTRY_SETTLE:
        return question_settle(state, entry, why);
    case ENTRY_STOP:
    case ENTRY_LIFT:
        return apply_stop(state, entry, why);
    case ENTRY_RENEW:
        return apply_renew(state, entry, why);
    case ENTRY_TICK:
        return DITHER_OK;
    }
    return fail(why, DITHER_REFUSED, "it is of no known kind");
}

status state_apply(struct state *state, const struct store_row *row, error *why)
{
    struct digest hash;
    struct entry entry;
    struct arena scratch;
    if (row->number != state->number + 1)
        return fail(why, DITHER_REFUSED, "entry %" PRIu64 " is missing", state->number + 1);
    TRY(entry_hash(&state->hash, row->body, row->body_size, &hash, why));
    if (!digest_equal(&hash, &row->hash))
        return fail(why, DITHER_REFUSED,
                    "entry %" PRIu64 ": its hash does not follow from its text and entry %" PRIu64,
                    row->number, row->number - 1);
    error inner;
    arena_init(&scratch, SCRATCH_BYTES);
    status result = entry_read(row->body, row->body_size, &scratch, &entry, &inner);
    if (result == DITHER_OK && entry.number != row->number)
        result = fail(&inner, DITHER_REFUSED, "it calls itself entry %" PRIu64, entry.number);
    if (result == DITHER_OK)
        result = apply_entry(state, &entry, row, &inner);
    arena_free(&scratch);
    if (result != DITHER_OK)
        return fail(why, result, "entry %" PRIu64 ": %.400s", row->number, inner.message);
    state->number = row->number;
    state->hash = hash;
    return DITHER_OK;
}
