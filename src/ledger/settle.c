/* Settling, and what a reservation tells. */
#include "base/memory.h"
#include "ledger/reservation.h"

static struct ledger_bytes bytes_of(const struct buffer *buffer)
{
    return (struct ledger_bytes){buffer->data != NULL ? buffer->data : "", buffer->length};
}

bool ledger_reservation_answer(const struct ledger_reservation *reservation, struct ledger_bytes *answer)
{
    if (reservation->retried)
        *answer = bytes_of(&reservation->answer);
    return reservation->retried;
}

bool ledger_reservation_stored(const struct ledger_reservation *reservation, size_t release,
                               struct ledger_bytes *result)
{
    if (release >= reservation->release_count || reservation->retried ||
        reservation->releases[release].payer == PAYS_ALL)
        return false;
    *result = bytes_of(&reservation->releases[release].result);
    return true;
}

bool ledger_reservation_cached(const struct ledger_reservation *reservation, size_t release)
{
    return release < reservation->release_count && !reservation->retried &&
           reservation->releases[release].payer == PAYS_NOBODY;
}

struct ledger_cost ledger_reservation_cost(const struct ledger_reservation *reservation)
{
    return reservation->cost;
}

struct ledger_cost ledger_reservation_left(const struct ledger_reservation *reservation)
{
    return reservation->left;
}

static status check_sizes(const struct ledger_reservation *reservation, const struct ledger_bytes *results,
                          struct ledger_bytes answer, error *why)
{
    if (reservation->number == 0 || reservation->settled)
        return fail(why, DITHER_INVALID, "this reservation is a retry or was settled before");
    bool too_long = answer.size > LEDGER_ANSWER_BYTES;
    for (size_t i = 0; i < reservation->release_count; i++)
        too_long =
            too_long || (reservation->releases[i].payer == PAYS_ALL && results[i].size > LEDGER_ANSWER_BYTES);
    if (too_long)
        return fail(why, DITHER_INVALID, "an answer may have at most %d bytes", LEDGER_ANSWER_BYTES);
    return DITHER_OK;
}

bool ledger_reservation_kept(const struct ledger_reservation *reservation)
{
    return reservation->settled && !reservation->late;
}

/* Whether a release of it was settled by another question while this one was under way. */
static bool is_late(const struct state *state, const struct ledger_reservation *reservation)
{
    const struct reservation_record *record = state_find_reservation(state, reservation->number);
    uint64_t found;
    for (size_t i = 0; record != NULL && i < reservation->release_count; i++)
        if (reservation->releases[i].payer == PAYS_ALL &&
            index_find(&state->stored, &record->releases[i], &found))
            return true;
    return false;
}

struct settling {
    struct ledger_reservation *reservation;
    const struct ledger_bytes *results;
    struct ledger_bytes answer;
    struct arena arena;
};

static status settle_locked(struct ledger *ledger, void *context, error *why)
{
    struct settling *settling = context;
    struct ledger_reservation *reservation = settling->reservation;
    struct entry entry = {.kind = ENTRY_SETTLE, .reservation = reservation->number};
    void *room = NULL;
    TRY(arena_take(&settling->arena, (reservation->release_count + 1) * sizeof *entry.results, &room, why));
    entry.results = room;
    for (size_t i = 0; i < reservation->release_count; i++) {
        const struct ledger_bytes *drawn = &settling->results[i];
        if (reservation->releases[i].payer != PAYS_ALL)
            continue;
        struct entry_result *result = &entry.results[entry.result_count++];
        result->release = i;
        TRY(ledger_put(ledger, drawn->data, drawn->size, &result->result, why));
    }
    reservation->late = is_late(&ledger->state, reservation);
    TRY(ledger_put(ledger, settling->answer.data, settling->answer.size, &entry.answer, why));
    TRY(ledger_append(ledger, &entry, why));
    reservation->left = bill_left(&ledger->state, reservation->holder, NULL);
    return DITHER_OK;
}

status ledger_settle(struct ledger *ledger, struct ledger_reservation *reservation,
                     const struct ledger_bytes *results, struct ledger_bytes answer, error *why)
{
    struct settling settling = {.reservation = reservation, .results = results, .answer = answer};
    TRY(ledger_usable(ledger, why));
    TRY(check_sizes(reservation, results, answer, why));
    arena_init(&settling.arena, 1 << 30);
    status result = batch_do(ledger, settle_locked, &settling, why);
    arena_free(&settling.arena);
    if (result == DITHER_OK)
        reservation->settled = true;
    return result;
}
