/* Opening a ledger: the anchor, the chain, the policy. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "ledger/anchor.h"
#include "ledger/handle.h"

/* The first entry. Its random id names the ledger for good. */
static status append_first(struct ledger *ledger, const struct ledger_config *config, error *why)
{
    TRY(anchor_refuse_absent(ledger->folder, ledger->store->location, config->dataset, "", why));
    unsigned char bytes[(ENTRY_ID_TEXT - 1) / 2];
    struct entry entry = {.kind = ENTRY_OPEN};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail(why, DITHER_NO_ENTROPY, "the system gives no random bytes: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(entry.id + 2 * i, 3, "%02x", bytes[i]);
    return ledger_append(ledger, &entry, why);
}

static bool same_meaning(const struct ledger_config *old, const struct ledger_config *new)
{
    const char *left = old->block_column != NULL ? old->block_column : "";
    const char *right = new->block_column != NULL ? new->block_column : "";
    return strcmp(old->unit, new->unit) == 0 && old->currency == new->currency &&strcmp(left, right) == 0;
}

/* Records the configuration when it is not the one in force. */
static status append_policy(struct ledger *ledger, const struct ledger_config *config,
                            const struct ledger_carry *carry, error *why)
{
    struct state *state = &ledger->state;
    struct entry entry = {.kind = ENTRY_POLICY, .config = *config, .number = state->number + 1};
    if (state->configured && ledger_check_policy(ledger, NULL) == DITHER_OK)
        return DITHER_OK;
    if (state->configured && carry != NULL && !same_meaning(&state->config, config)) {
        entry.kind = ENTRY_CARRY;
        entry.old_units_in_new = carry->old_units_in_new;
    }
    TRY(policy_check(state, &entry, why));
    TRY(ledger_append(ledger, &entry, why));
    ledger->policy_number = state->policy_number;
    return DITHER_OK;
}

/* Under the lock: what is there, and what must be added. */
static status take_up(struct ledger *ledger, const struct ledger_config *config,
                      const struct ledger_options *options, error *why)
{
    bool anchored = false;
    TRY(ledger->clock->now(ledger->clock->state, &ledger->now, why));
    TRY(ledger_load(ledger->store, ledger->folder, &ledger->state, &anchored, why));
    if (ledger->state.number == 0)
        TRY(append_first(ledger, config, why));
    else if (!anchored)
        TRY(anchor_refuse_absent(ledger->folder, ledger->store->location, config->dataset, ledger->state.id,
                                 why));
    return append_policy(ledger, config, options->carry, why);
}

static status open_locked(struct ledger *ledger, const struct ledger_config *config,
                          const struct ledger_options *options, error *why)
{
    TRY(ledger->store->kind->begin(ledger->store, why));
    pthread_mutex_lock(&ledger->state_lock); /* as ledger_begin has it; there is nobody else yet */
    status result = take_up(ledger, config, options, why);
    if (result != DITHER_OK) {
        pthread_mutex_unlock(&ledger->state_lock);
        ledger->store->kind->cancel(ledger->store);
        return result;
    }
    TRY(ledger_end(ledger, DITHER_OK, why));
    return anchor_advance(ledger->folder, ledger->store->location, &ledger->state, why);
}

/* The ledger's place; and, when nothing is there, whether there was a ledger before. */
static status look_at(const struct ledger *ledger, const char *location, const char *dataset, bool *exists,
                      error *why)
{
    char *place = NULL;
    size_t place_size = 0;
    TRY(store_locate(location, &place, &place_size, exists, why));
    status result = DITHER_OK;
    if (!utf8_valid(place, strlen(place)))
        result = fail(why, DITHER_INVALID, "the ledger's location is not valid UTF-8");
    else if (!*exists)
        result = anchor_refuse_absent(ledger->folder, place, dataset, "", why);
    memory_release(place, place_size);
    return result;
}

/* Looks before a file is made: where a ledger was, none may be made anew. Another process may make the very
 * same ledger between our look at the file and our look at its anchor; then there is a file at the second
 * look. */
static status look_first(const struct ledger *ledger, const char *location, const char *dataset, error *why)
{
    bool exists = false;
    status result = look_at(ledger, location, dataset, &exists, why);
    if (result == DITHER_REFUSED && !exists)
        result = look_at(ledger, location, dataset, &exists, why);
    return result;
}

static status fill(struct ledger *ledger, const char *location, const struct ledger_config *config,
                   const struct ledger_options *options, error *why)
{
    ledger->process = getpid();
    TRY(batch_init(&ledger->batch, why));
    ledger->clock = options->clock != NULL ? options->clock : clock_system();
    state_init(&ledger->state);
    arena_init(&ledger->arena, 1 << 20);
    buffer_init(&ledger->config_text, ENTRY_BYTES);
    entry_write_config(config, &ledger->config_text);
    TRY(buffer_check(&ledger->config_text, why));
    TRY(anchor_folder(options->state_directory, &ledger->arena, &ledger->folder, why));
    TRY(look_first(ledger, location, config->dataset, why));
    TRY(store_open(location, config->dataset, STORE_WRITE, &ledger->store, why));
    TRY(open_locked(ledger, config, options, why));
    return look_open(ledger->store, &ledger->look, why);
}

status ledger_open(const char *location, const struct ledger_config *config,
                   const struct ledger_options *options, struct ledger **out, error *why)
{
    static const struct ledger_options defaults = {0};
    TRY(config_check(config, why));
    struct ledger *ledger = memory_allocate(sizeof *ledger);
    if (ledger == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    pthread_mutex_init(&ledger->state_lock, NULL); /* a plain one cannot fail here */
    status result = fill(ledger, location, config, options != NULL ? options : &defaults, why);
    if (result != DITHER_OK) {
        ledger_close(ledger);
        return result;
    }
    *out = ledger;
    return DITHER_OK;
}

void ledger_close(struct ledger *ledger)
{
    if (ledger == NULL)
        return;
    if (ledger->process == getpid())
        look_close(ledger->look);
    if (ledger->store != NULL && ledger->process == getpid())
        ledger->store->kind->close(ledger->store);
    state_free(&ledger->state);
    buffer_free(&ledger->config_text);
    arena_free(&ledger->arena);
    if (ledger->process == getpid()) /* in a child somebody who is not there may hold them */
        batch_free(&ledger->batch);
    if (ledger->process == getpid())
        pthread_mutex_destroy(&ledger->state_lock);
    memory_release(ledger, sizeof *ledger);
}
