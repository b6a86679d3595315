/* Reservations and settlements, and what they leave for later questions. */
#include <string.h>

#include "ledger/state.h"

static status seen_key(size_t holder, const struct digest *release, struct digest *out, error *why)
{
    uint64_t place = holder;
    struct digest_part parts[] = {{&place, sizeof place}, {release->bytes, DIGEST_BYTES}};
    return digest_of_parts(parts, 2, out, why);
}

static status request_key(const char *request, struct digest *out, error *why)
{
    return digest_of(request, strlen(request), out, why);
}

status state_find_result(const struct state *state, size_t holder, const struct digest *release,
                         enum entry_payer *payer, struct digest *result, error *why)
{
    struct digest key;
    uint64_t found;
    TRY(seen_key(holder, release, &key, why));
    if (index_find(&state->seen, &key, &found)) {
        *payer = PAYS_NOBODY;
        *result = state->results[found];
    } else if (index_find(&state->stored, release, &found)) {
        *payer = PAYS_ANALYST;
        *result = state->results[found];
    } else {
        *payer = PAYS_ALL;
    }
    return DITHER_OK;
}

status state_find_request(const struct state *state, const char *request, struct reservation_record **out,
                          error *why)
{
    struct digest key;
    uint64_t found;
    TRY(request_key(request, &key, why));
    *out = index_find(&state->requests, &key, &found) ? &state->reservations[found] : NULL;
    return DITHER_OK;
}

static status record_reservation(struct state *state, const struct entry *entry, size_t holder, error *why)
{
    struct reservation_record record = {.number = entry->number,
                                        .wall = entry->when.wall,
                                        .holder = holder,
                                        .question = entry->question,
                                        .settings = entry->settings,
                                        .cost = bill_cost(state),
                                        .release_count = entry->release_count};
    void *releases = NULL, *payers = NULL;
    char *request = NULL;
    TRY(arena_take(&state->arena, entry->release_count * sizeof *record.releases, &releases, why));
    TRY(arena_take(&state->arena, entry->release_count * sizeof *record.payers, &payers, why));
    record.releases = releases;
    record.payers = payers;
    for (size_t i = 0; i < entry->release_count; i++) {
        record.releases[i] = entry->releases[i].name;
        record.payers[i] = entry->releases[i].payer;
    }
    TRY(state_room((void **)&state->reservations, &state->reservation_capacity, state->reservation_count,
                   sizeof *state->reservations, why));
    if (entry->request != NULL) {
        struct digest key;
        TRY(arena_text(&state->arena, entry->request, strlen(entry->request), &request, why));
        TRY(request_key(request, &key, why));
        TRY(index_add(&state->requests, &key, state->reservation_count, why));
    }
    record.request = request;
    state->reservations[state->reservation_count++] = record;
    return DITHER_OK;
}

status question_reserve(struct state *state, const struct entry *entry, error *why)
{
    size_t holder;
    enum holder_kind kind = entry->analyst == NULL ? HOLDER_OWNER : HOLDER_ANALYST;
    TRY(state_find_holder(state, kind, entry->analyst, &holder, why));
    if (holder == SIZE_MAX || (kind == HOLDER_ANALYST && state->holders[holder].place == SIZE_MAX))
        return fail(why, DITHER_REFUSED, "it is charged to an analyst whom the policy does not name");
    if (state->holders[holder].stopped != NULL)
        return fail(why, DITHER_REFUSED, "it is charged to an analyst who was stopped");
    struct reservation_record *earlier = NULL;
    if (entry->request != NULL)
        TRY(state_find_request(state, entry->request, &earlier, why));
    if (earlier != NULL)
        return fail(why, DITHER_REFUSED, "its request id was used before");
    TRY(bill_compute(state, entry, holder, why));
    TRY(bill_check(state, holder, why));
    TRY(bill_apply(state, holder, why));
    return record_reservation(state, entry, holder, why);
}

/* From here on the analyst has seen the release, with this result. */
static status mark_seen(struct state *state, size_t holder, const struct digest *release, uint64_t result,
                        error *why)
{
    struct digest key;
    uint64_t found;
    TRY(seen_key(holder, release, &key, why));
    if (index_find(&state->seen, &key, &found))
        return DITHER_OK; /* two of his questions ran at once: the first that was settled counts */
    return index_add(&state->seen, &key, result, why);
}

static status keep_result(struct state *state, const struct reservation_record *record, size_t release,
                          const struct digest *result, error *why)
{
    uint64_t place = state->result_count, found;
    TRY(state_room((void **)&state->results, &state->result_capacity, state->result_count,
                   sizeof *state->results, why));
    state->results[state->result_count++] = *result;
    if (!index_find(&state->stored, &record->releases[release], &found))
        TRY(index_add(&state->stored, &record->releases[release], place, why));
    return mark_seen(state, record->holder, &record->releases[release], place, why);
}

status question_settle(struct state *state, const struct entry *entry, error *why)
{
    struct reservation_record *record = state_find_reservation(state, entry->reservation);
    if (record == NULL || record->settled)
        return fail(why, DITHER_REFUSED, "it settles a reservation that is not open");
    size_t next = 0;
    for (size_t i = 0; i < record->release_count; i++) {
        uint64_t stored;
        if (record->payers[i] == PAYS_ALL) {
            if (next == entry->result_count || entry->results[next].release != i)
                return fail(why, DITHER_REFUSED, "it lacks the result of a release that was drawn");
            TRY(keep_result(state, record, i, &entry->results[next++].result, why));
        } else if (record->payers[i] == PAYS_ANALYST &&
                   index_find(&state->stored, &record->releases[i], &stored)) {
            TRY(mark_seen(state, record->holder, &record->releases[i], stored, why));
        }
    }
    if (next != entry->result_count)
        return fail(why, DITHER_REFUSED, "it has a result for a release that was not drawn");
    record->settled = true;
    record->answer = entry->answer;
    return DITHER_OK;
}
