#include "ledger/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "ledger/anchor.h"

/* A writer may move the anchor between our look at the ledger and our look at the anchor; then look again. */
enum { LOOKS = 3 };

struct history {
    struct store *store;
    struct state state;
    struct arena arena;
};

static status look(struct history *history, const char *folder, error *why)
{
    bool anchored;
    state_free(&history->state);
    state_init(&history->state);
    TRY(history->store->kind->view(history->store, why));
    status result = ledger_load(history->store, folder, &history->state, &anchored, why);
    history->store->kind->cancel(history->store);
    if (result == DITHER_OK && !history->state.configured)
        result = fail(why, DITHER_INVALID, "the ledger is empty");
    if (result == DITHER_OK && !anchored)
        result = anchor_refuse_absent(folder, history->store->location, history->state.config.dataset,
                                      history->state.id, why);
    return result;
}

static status fill(struct history *history, const char *location, const char *dataset,
                   const char *state_directory, error *why)
{
    const char *folder;
    TRY(anchor_folder(state_directory, &history->arena, &folder, why));
    TRY(store_open(location, dataset, STORE_READ, &history->store, why));
    status result = DITHER_REFUSED;
    for (int i = 0; i < LOOKS && result == DITHER_REFUSED; i++)
        result = look(history, folder, why);
    return result;
}

status history_open(const char *location, const char *dataset, const char *state_directory,
                    struct history **out, error *why)
{
    struct history *history = memory_allocate(sizeof *history);
    if (history == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    state_init(&history->state);
    arena_init(&history->arena, 1 << 20);
    status result = fill(history, location, dataset, state_directory, why);
    if (result != DITHER_OK) {
        history_close(history);
        return result;
    }
    *out = history;
    return DITHER_OK;
}

void history_close(struct history *history)
{
    if (history == NULL)
        return;
    if (history->store != NULL)
        history->store->kind->close(history->store);
    state_free(&history->state);
    arena_free(&history->arena);
    memory_release(history, sizeof *history);
}

const struct state *history_state(const struct history *history)
{
    return &history->state;
}

struct store *history_store(struct history *history)
{
    return history->store;
}

struct history_sum history_sum(const struct history *history, size_t holder)
{
    return state_sum(&history->state, holder);
}

struct history_sum history_block(const struct history *history, size_t block)
{
    return state_block_sum(&history->state, block);
}

const char *history_block_name(const struct history *history, size_t block)
{
    return state_block_name(&history->state, block);
}

status history_question(struct history *history, const struct reservation_record *record, struct buffer *out,
                        error *why)
{
    return store_get_checked(history->store, &record->question, out, why);
}

void history_time(uint64_t wall, char text[HISTORY_TIME_TEXT])
{
    time_t seconds = (time_t)wall;
    struct tm parts;
    if (gmtime_r(&seconds, &parts) == NULL ||
        strftime(text, HISTORY_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        snprintf(text, HISTORY_TIME_TEXT, "@%" PRIu64, wall);
}
