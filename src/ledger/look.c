/* Whether what was shown before may be shown again, without a transaction.
 *
 * ledger_may_show locks the ledger, reads what others have added, looks at the anchor and lets go: the first and the last
 * are most of its time, and it stands in line behind whoever is syncing. But it only needs to know that the state in
 * memory is all that is on disk. The last entry on disk and its hash say so: the hash of an entry is that of the whole
 * chain before it. The entries that this process has appended and not yet committed are in the state too; they are
 * charges and settlements, which take away and never give, else nothing is said here and the long way is gone. */
#include "ledger/look.h"

#include <sqlite3.h>
#include <string.h>

#include "base/memory.h"
#include "ledger/reservation.h"

struct look {
    sqlite3 *database;
    sqlite3_stmt *last;
};

void look_close(struct look *look)
{
    if (look == NULL)
        return;
    sqlite3_finalize(look->last);
    sqlite3_close(look->database);
    memory_release(look, sizeof *look);
}

status look_open(const struct store *store, struct look **out, error *why)
{
    *out = NULL;
    if (store->location[0] != '/')
        return DITHER_OK;
    struct look *look = memory_allocate(sizeof *look);
    if (look == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    if (sqlite3_open_v2(store->location, &look->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK ||
        sqlite3_prepare_v3(look->database, "SELECT number, hash FROM entry ORDER BY number DESC LIMIT 1", -1,
                           SQLITE_PREPARE_PERSISTENT, &look->last, NULL) != SQLITE_OK) {
        look_close(look);
        return fail(why, DITHER_IO, "%.200s cannot be read", store->location);
    }
    *out = look;
    return DITHER_OK;
}

bool look_last(struct look *look, uint64_t *number, struct digest *hash)
{
    bool found = sqlite3_step(look->last) == SQLITE_ROW;
    const char *text = found ? (const char *)sqlite3_column_text(look->last, 1) : NULL;
    found = text != NULL && strlen(text) == DIGEST_TEXT - 1 && digest_parse(text, hash);
    *number = found ? (uint64_t)sqlite3_column_int64(look->last, 0) : 0;
    sqlite3_reset(look->last);
    return found;
}

/* ---- What the ledger makes of it ---- */

static bool is(uint64_t number, const struct digest *hash, uint64_t known, const struct digest *known_hash)
{
    return number == known && digest_equal(hash, known_hash);
}

/* Whether this is an entry that was the last of this chain when we wrote or read it. */
static bool is_ours(const struct ledger *ledger, uint64_t number, const struct digest *hash)
{
    return is(number, hash, ledger->state.number, &ledger->state.hash) ||
           is(number, hash, ledger->confirmed.number, &ledger->confirmed.hash);
}

/* As ledger_begin has it: no copy of the ledger was used since. */
static bool anchor_agrees(const struct ledger *ledger)
{
    struct arena arena;
    struct anchor anchor;
    bool found = false;
    arena_init(&arena, 1 << 20);
    bool read =
        anchor_read(ledger->folder, ledger->state.id, &arena, &anchor, &found, NULL) == DITHER_OK && found;
    bool agrees = read && (is(anchor.number, &anchor.hash, ledger->anchored.number, &ledger->anchored.hash) ||
                           is_ours(ledger, anchor.number, &anchor.hash));
    arena_free(&arena);
    return agrees;
}

/* Under the lock of the state: it can be read by itself, and allows nothing that is not on disk. A window that may end is
 * not for us: that takes an entry. */
static bool is_readable(const struct ledger *ledger)
{
    return !ledger->loosens && ledger->state.config.renewal == LEDGER_NEVER;
}

/* Under the lock of the state, too. */
static bool knows_all(struct ledger *ledger)
{
    uint64_t number = 0;
    struct digest hash;
    return is_readable(ledger) && look_last(ledger->look, &number, &hash) && is_ours(ledger, number, &hash) &&
           anchor_agrees(ledger);
}

/* A state that knew all when it was looked at knows it still, and perhaps more: it only grows, or is spent, which
 * ledger_usable tells. So one look does for several askers, whenever their turn comes, if they had asked before it began:
 * each gets what he would have got at the time of the look, or later. What was appended since and loosens is told by
 * is_readable. */
status ledger_may_show_now(struct ledger *ledger, struct ledger_sight *sight, const char *analyst,
                           struct ledger_cost *left, bool *known, error *why)
{
    status result = DITHER_OK;
    bool seen = sight != NULL && sight->seen == ledger;
    *known = false;
    TRY(ledger_usable(ledger, why));
    if (ledger->look == NULL || pthread_mutex_trylock(&ledger->state_lock) != 0)
        return DITHER_OK;
    *known = seen ? is_readable(ledger) : knows_all(ledger);
    if (*known && sight != NULL)
        sight->seen = ledger;
    if (*known)
        result = owner_may_show(ledger, analyst, left, why);
    pthread_mutex_unlock(&ledger->state_lock);
    return result;
}
