/* The auditor's look at a ledger: the chain link by link, and every stored text behind it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ledger/anchor.h"
#include "ledger/history.h"

struct checking {
    struct store *store;
    struct state state;
    struct arena arena; /* of the anchor */
    const char *folder;
    struct anchor anchor;
    struct history_verdict *verdict;
};

static status check_blob(struct checking *checking, const struct digest *name, error *why)
{
    struct buffer bytes;
    buffer_init(&bytes, LEDGER_ANSWER_BYTES);
    status result = store_get_checked(checking->store, name, &bytes, why);
    buffer_free(&bytes);
    return result;
}

static status check_blobs(struct checking *checking, const struct entry *entry, error *why)
{
    if (entry->kind == ENTRY_RESERVE) {
        TRY(check_blob(checking, &entry->question, why));
        TRY(check_blob(checking, &entry->settings, why));
    }
    if (entry->kind == ENTRY_SETTLE) {
        TRY(check_blob(checking, &entry->answer, why));
        for (size_t i = 0; i < entry->result_count; i++)
            TRY(check_blob(checking, &entry->results[i].result, why));
    }
    return DITHER_OK;
}

static status check_link(struct checking *checking, const struct store_row *row, error *why)
{
    struct history_verdict *verdict = checking->verdict;
    TRY(state_apply(&checking->state, row, why));
    if (row->number == 1)
        TRY(anchor_read(checking->folder, checking->state.id, &checking->arena, &checking->anchor,
                        &verdict->anchored, why));
    if (verdict->anchored && row->number == checking->anchor.number &&
        !digest_equal(&row->hash, &checking->anchor.hash))
        return fail(why, DITHER_REFUSED, "entry %" PRIu64 " is not the one that the anchor knows",
                    row->number);
    struct arena scratch;
    struct entry entry;
    arena_init(&scratch, 1 << 30);
    status result = entry_read(row->body, row->body_size, &scratch, &entry, why);
    if (result == DITHER_OK)
        result = check_blobs(checking, &entry, why);
    arena_free(&scratch);
    return result;
}

/* The first link that does not hold ends the reading; it is the verdict, and no failure of ours. */
static status check_row(void *context, const struct store_row *row, error *why)
{
    struct checking *checking = context;
    struct history_verdict *verdict = checking->verdict;
    uint64_t expected = verdict->entries + 1;
    status result = check_link(checking, row, why);
    if (result == DITHER_OK) {
        verdict->entries = row->number;
        digest_print(&row->hash, verdict->hash);
    } else if (result != DITHER_NO_MEMORY && verdict->broken == 0) {
        verdict->broken = expected;
        snprintf(verdict->reason, sizeof verdict->reason, "%.449s", why->message);
    }
    return result;
}

/* A sound chain may still be another's, put in the place of the one that the anchor knows. */
static status check_place(const struct checking *checking, error *why)
{
    struct history_verdict *verdict = checking->verdict;
    const struct state *state = &checking->state;
    if (verdict->broken != 0 || verdict->anchored || !state->configured)
        return DITHER_OK;
    status result = anchor_refuse_absent(checking->folder, checking->store->location, state->config.dataset,
                                         state->id, why);
    if (result != DITHER_REFUSED)
        return result;
    verdict->broken = 1;
    verdict->entries = 0;
    snprintf(verdict->reason, sizeof verdict->reason, "%.449s", why->message);
    return DITHER_OK;
}

static status check_chain(struct checking *checking, error *why)
{
    struct history_verdict *verdict = checking->verdict;
    TRY(checking->store->kind->view(checking->store, why));
    status result = checking->store->kind->read(checking->store, 1, check_row, checking, why);
    checking->store->kind->cancel(checking->store);
    if (result != DITHER_OK && verdict->broken == 0)
        return result;
    if (verdict->broken == 0 && verdict->anchored && verdict->entries < checking->anchor.number) {
        verdict->broken = verdict->entries + 1;
        snprintf(verdict->reason, sizeof verdict->reason,
                 "entry %" PRIu64 " is missing: the anchor knows of %" PRIu64 " entries", verdict->broken,
                 checking->anchor.number);
    }
    TRY(check_place(checking, why));
    verdict->sound = verdict->broken == 0;
    return DITHER_OK;
}

status history_verify(const char *location, const char *dataset, const char *state_directory,
                      struct history_verdict *out, error *why)
{
    struct history_verdict verdict = {0};
    struct checking checking = {.verdict = &verdict};
    error inner = {0};
    arena_init(&checking.arena, 1 << 20);
    state_init(&checking.state);
    status result = anchor_folder(state_directory, &checking.arena, &checking.folder, &inner);
    if (result == DITHER_OK)
        result = store_open(location, dataset, STORE_READ, &checking.store, &inner);
    if (result == DITHER_OK) {
        result = check_chain(&checking, &inner);
        checking.store->kind->close(checking.store);
    }
    state_free(&checking.state);
    arena_free(&checking.arena);
    if (result != DITHER_OK)
        return fail(why, result, "%s", inner.message);
    *out = verdict;
    return DITHER_OK;
}
