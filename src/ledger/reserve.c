/* Reserving: who asks, is it a retry, does it fit; then the charge is on disk. */
#include "ledger/reservation.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

static status check_question(const struct ledger_question *question, error *why)
{
    TRY(config_check_text("the question", question->text, LEDGER_TEXT_BYTES, why));
    if (question->request != NULL)
        TRY(config_check_text("the request id", question->request, LEDGER_NAME_BYTES, why));
    if (question->settings != NULL && strnlen(question->settings, LEDGER_TEXT_BYTES + 1) > LEDGER_TEXT_BYTES)
        return fail(why, DITHER_INVALID, "the settings are longer than %d bytes", LEDGER_TEXT_BYTES);
    if (question->release_count > LEDGER_MOST_RELEASES)
        return fail(why, DITHER_INVALID, "a question may have at most %d releases", LEDGER_MOST_RELEASES);
    for (size_t i = 0; i < question->release_count; i++)
        if (question->releases[i].key == NULL || question->releases[i].key_size == 0)
            return fail(why, DITHER_INVALID, "release %zu has no key", i + 1);
    return DITHER_OK;
}

status reserve_find_asker(const struct state *state, const char *analyst, size_t *out, error *why)
{
    *out = HOLDER_OWNER_PLACE;
    if (analyst != NULL) {
        TRY(config_check_text("the analyst's name", analyst, LEDGER_NAME_BYTES, why));
        TRY(state_find_holder(state, HOLDER_ANALYST, analyst, out, why));
        if (*out == SIZE_MAX || state->holders[*out].place == SIZE_MAX)
            return fail(why, DITHER_REFUSED, "the policy names no analyst %.100s", analyst);
    }
    if (state->holders[*out].stopped != NULL)
        return fail(why, DITHER_REFUSED, "%.100s is stopped on this dataset until the owner lifts it",
                    analyst != NULL ? analyst : "the owner");
    return DITHER_OK;
}

/* The name under which a release is stored: all that its law depends on. The caller's key has release and
 * bounds; cost, blocks and data version are added here. */
static status name_release(const struct state *state, const struct ledger_release *release,
                           struct entry_release *entry, error *why)
{
    struct buffer text;
    buffer_init(&text, ENTRY_BYTES);
    json_text_cost(&text, release->cost);
    json_text_number(&text, state->config.data_version);
    for (size_t i = 0; i < entry->block_count; i++)
        json_text_string(&text, entry->blocks[i]);
    status result = buffer_check(&text, why);
    struct digest_part parts[] = {{release->key, release->key_size}, {text.data, text.length}};
    if (result == DITHER_OK)
        result = digest_of_parts(parts, 2, &entry->name, why);
    buffer_free(&text);
    return result;
}

/* The blocks by name, in the policy's order and each once; all of them is the same as none. */
static status name_blocks(const struct state *state, const struct ledger_release *release,
                          struct arena *arena, struct entry_release *entry, error *why)
{
    bool touched[LEDGER_MOST_BLOCKS + 1] = {false};
    void *room = NULL;
    for (size_t i = 0; i < release->block_count; i++) {
        if (release->blocks[i] >= state->block_count)
            return fail(why, DITHER_INVALID, "a release is confined to a block that is not declared");
        touched[release->blocks[i]] = true;
    }
    TRY(arena_take(arena, state->block_count * sizeof *entry->blocks, &room, why));
    entry->blocks = room;
    entry->block_count = 0;
    for (size_t block = 0; block < state->block_count; block++)
        if (touched[block])
            entry->blocks[entry->block_count++] =
                block < state->config.block_count ? state->config.blocks[block] : NULL;
    if (entry->block_count == state->block_count)
        entry->block_count = 0;
    return DITHER_OK;
}

static status describe_releases(const struct state *state, const struct ledger_question *question,
                                size_t holder, struct ledger_reservation *reservation, struct entry *entry,
                                error *why)
{
    void *room = NULL;
    TRY(arena_take(&reservation->arena, question->release_count * sizeof *entry->releases, &room, why));
    entry->releases = room;
    entry->release_count = question->release_count;
    for (size_t i = 0; i < question->release_count; i++) {
        struct entry_release *release = &entry->releases[i];
        release->cost = question->releases[i].cost;
        TRY(name_blocks(state, &question->releases[i], &reservation->arena, release, why));
        TRY(name_release(state, &question->releases[i], release, why));
        TRY(state_find_result(state, holder, &release->name, &release->payer,
                              &reservation->releases[i].digest, why));
        reservation->releases[i].payer = release->payer;
    }
    return DITHER_OK;
}

/* Stored results are read before anything is charged: a damaged one must not cost. */
static status fetch_results(struct ledger *ledger, struct ledger_reservation *reservation, error *why)
{
    for (size_t i = 0; i < reservation->release_count; i++) {
        struct reserved_release *release = &reservation->releases[i];
        if (release->payer != PAYS_ALL)
            TRY(ledger_get(ledger, &release->digest, &release->result, why));
    }
    return DITHER_OK;
}

static status digest_question(const struct ledger_question *question, struct entry *entry, error *why)
{
    const char *settings = question->settings != NULL ? question->settings : "";
    TRY(digest_of(question->text, strlen(question->text), &entry->question, why));
    return digest_of(settings, strlen(settings), &entry->settings, why);
}

/* A request id that was used: the stored answer, or a refusal. */
static status retry(struct ledger *ledger, const struct reservation_record *record, size_t holder,
                    const struct entry *entry, struct ledger_reservation *reservation, error *why)
{
    if (record->holder != holder || !digest_equal(&record->question, &entry->question) ||
        !digest_equal(&record->settings, &entry->settings))
        return fail(why, DITHER_REFUSED,
                    "this request id belongs to another question, analyst or setting; use a new one");
    if (!record->settled)
        return fail(why, DITHER_REFUSED,
                    "this request was charged and never answered; its charge stays. Ask again under a new "
                    "request id");
    reservation->retried = true;
    reservation->cost = ledger_cost_zero();
    reservation->left = bill_left(&ledger->state, holder, NULL);
    return ledger_get(ledger, &record->answer, &reservation->answer, why);
}

static status charge(struct ledger *ledger, const struct ledger_question *question, size_t holder,
                     struct entry *entry, struct ledger_reservation *reservation, error *why)
{
    struct state *state = &ledger->state;
    struct digest name;
    const char *settings = question->settings != NULL ? question->settings : "";
    TRY(describe_releases(state, question, holder, reservation, entry, why));
    TRY(bill_compute(state, entry, holder, why));
    TRY(bill_check(state, holder, why));
    TRY(fetch_results(ledger, reservation, why));
    reservation->cost = bill_cost(state);
    TRY(ledger_put(ledger, question->text, strlen(question->text), &name, why));
    TRY(ledger_put(ledger, settings, strlen(settings), &name, why));
    TRY(ledger_append(ledger, entry, why));
    reservation->number = entry->number;
    reservation->holder = holder;
    reservation->left = bill_left(state, holder, NULL);
    return DITHER_OK;
}

struct reserving {
    const struct ledger_question *question;
    struct ledger_reservation *reservation;
};

static status reserve_locked(struct ledger *ledger, void *context, error *why)
{
    const struct reserving *reserving = context;
    const struct ledger_question *question = reserving->question;
    struct ledger_reservation *reservation = reserving->reservation;
    size_t holder;
    struct reservation_record *earlier = NULL;
    struct entry entry = {.kind = ENTRY_RESERVE, .analyst = question->analyst, .request = question->request};
    TRY(ledger_check_policy(ledger, why));
    TRY(reserve_find_asker(&ledger->state, question->analyst, &holder, why));
    TRY(digest_question(question, &entry, why));
    if (question->request != NULL)
        TRY(state_find_request(&ledger->state, question->request, &earlier, why));
    if (earlier != NULL)
        return retry(ledger, earlier, holder, &entry, reservation, why);
    return charge(ledger, question, holder, &entry, reservation, why);
}

static status reservation_new(size_t release_count, struct ledger_reservation **out, error *why)
{
    size_t size = sizeof **out + release_count * sizeof(struct reserved_release);
    struct ledger_reservation *reservation = memory_allocate(size);
    if (reservation == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    reservation->size = size;
    reservation->release_count = release_count;
    arena_init(&reservation->arena, 1 << 30);
    buffer_init(&reservation->answer, LEDGER_ANSWER_BYTES);
    for (size_t i = 0; i < release_count; i++)
        buffer_init(&reservation->releases[i].result, LEDGER_ANSWER_BYTES);
    *out = reservation;
    return DITHER_OK;
}

status ledger_reserve(struct ledger *ledger, const struct ledger_question *question,
                      struct ledger_reservation **out, error *why)
{
    TRY(ledger_usable(ledger, why));
    TRY(check_question(question, why));
    struct ledger_reservation *reservation = NULL;
    TRY(reservation_new(question->release_count, &reservation, why));
    struct reserving reserving = {question, reservation};
    status result = batch_do(ledger, reserve_locked, &reserving, why);
    if (result != DITHER_OK) {
        ledger_reservation_free(reservation);
        return result;
    }
    *out = reservation;
    return DITHER_OK;
}

void ledger_reservation_free(struct ledger_reservation *reservation)
{
    if (reservation == NULL)
        return;
    for (size_t i = 0; i < reservation->release_count; i++)
        buffer_free(&reservation->releases[i].result);
    buffer_free(&reservation->answer);
    arena_free(&reservation->arena);
    memory_release(reservation, reservation->size);
}
