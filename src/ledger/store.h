/* store.h - where the entries of a ledger lie.
 *
 * Two stores: sqlite.c (one file, the default) and postgres.c (several curators, one budget). A store
 * knows nothing of budgets: it keeps numbered rows and, beside them, blobs that are named by their
 * SHA-256.
 *
 * The laws:
 *  1. Between `begin` and `commit` or `cancel` nobody else appends to this ledger: what `read` shows is
 *     everything that was ever committed.
 *  2. When `commit` returns DITHER_OK, all that was appended and put since `begin` is on stable storage
 *     and is seen by every later reader. When it does not, all of it or none of it may be there; never a
 *     part.
 *  3. `cancel`, or the death of the process at any moment before `commit`, leaves nothing.
 *  4. Rows are numbered from 1 without gaps and never change. (The chain checks this; the store need not.)
 *  5. `view` begins a transaction that only reads, and sees one moment of the ledger; `cancel` ends it.
 *  6. DITHER_REFUSED means that somebody else holds the ledger for too long, and nothing was done;
 *     DITHER_IO that the store failed, and that the handle must not be used again. */
#ifndef LEDGER_STORE_H
#define LEDGER_STORE_H

#include <stdint.h>

#include "base/buffer.h"
#include "ledger/digest.h"

struct store_row {
    uint64_t number;
    const char *body;
    size_t body_size;
    struct digest hash;
};

/* Is given each row in turn; what is not DITHER_OK ends the reading. The row is borrowed. */
typedef status store_visitor(void *context, const struct store_row *row, error *why);

struct store;

struct store_kind {
    status (*begin)(struct store *store, error *why);
    status (*view)(struct store *store, error *why);
    status (*read)(struct store *store, uint64_t first, store_visitor *visit, void *context, error *why);
    status (*append)(struct store *store, const struct store_row *row, error *why);
    status (*put)(struct store *store, const struct digest *name, const void *bytes, size_t size, error *why);
    /* Appends the blob to `out`; `found` is false, and nothing appended, when there is none of that name. */
    status (*get)(struct store *store, const struct digest *name, struct buffer *out, bool *found,
                  error *why);
    status (*commit)(struct store *store, error *why);
    void (*cancel)(struct store *store);
    void (*close)(struct store *store);
};

/* Every store begins with this. */
struct store {
    const struct store_kind *kind;
    char *location; /* canonical: the same for everybody on this machine who means this ledger */
    size_t location_size;
};

enum store_access {
    STORE_READ,  /* must exist */
    STORE_WRITE, /* is made when it is not there */
};

/* "postgres:..." or the name of a file. Refuses what is not a ledger, and a ledger of a newer version; brings
 * an older one up to date. For PostgreSQL the dataset names the ledger within the database; for a file it may
 * be NULL. */
status store_open(const char *location, const char *dataset, enum store_access access, struct store **out,
                  error *why) MUST_CHECK;

/* The canonical location, and whether something that may be a ledger is there, without making it. `out` is
 * freed with memory_release. Only for files; a PostgreSQL ledger always counts as being there. */
status store_locate(const char *location, char **out, size_t *out_size, bool *exists, error *why) MUST_CHECK;

/* The file is there, if only as an empty one. */
status sqlite_store_open(const char *path, enum store_access access, struct store **out,
                         error *why) MUST_CHECK;
status postgres_store_open(const char *connection, const char *dataset, enum store_access access,
                           struct store **out, error *why) MUST_CHECK;

#endif
