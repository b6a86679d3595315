/* Reading the whole chain. The anchor is looked up as soon as the first entry has named the ledger. */
#include <inttypes.h>
#include <string.h>

#include "ledger/anchor.h"
#include "ledger/handle.h"

struct loading {
    struct state *state;
    const char *folder;
    struct arena arena;
    struct anchor anchor;
    bool anchored;
};

static status load_row(void *context, const struct store_row *row, error *why)
{
    struct loading *loading = context;
    TRY(state_apply(loading->state, row, why));
    if (row->number == 1)
        TRY(anchor_read(loading->folder, loading->state->id, &loading->arena, &loading->anchor,
                        &loading->anchored, why));
    if (loading->anchored && row->number == loading->anchor.number &&
        !digest_equal(&row->hash, &loading->anchor.hash))
        return fail(why, DITHER_REFUSED,
                    "entry %" PRIu64 " is not the one that the ledger's anchor knows: it was rewritten",
                    row->number);
    return DITHER_OK;
}

status ledger_load(struct store *store, const char *folder, struct state *state, bool *anchored, error *why)
{
    struct loading loading = {.state = state, .folder = folder};
    arena_init(&loading.arena, 1 << 20);
    status result = store->kind->read(store, 1, load_row, &loading, why);
    if (result == DITHER_OK && loading.anchored && state->number < loading.anchor.number)
        result = fail(why, DITHER_REFUSED,
                      "the ledger was shortened: entry %" PRIu64
                      " is missing, and its anchor knows of %" PRIu64 " entries",
                      state->number + 1, loading.anchor.number);
    arena_free(&loading.arena);
    *anchored = loading.anchored;
    return result;
}
