/* entry.h - one entry of the chain, and the one text that stands for it.
 *
 * An entry's text is a JSON object with its fields in a fixed order, no blanks, whole numbers, decimals as
 * strings without needless zeros, and no escapes but \" \\ and \u00xx for control characters. There is
 * exactly one text for an entry; the reader takes no other. Anybody can therefore check a ledger with
 * sqlite3, sha256sum and jq:
 *
 *     hash(n) = SHA-256( hexadecimal hash(n-1), newline, text(n) ),   hash(0) = 64 zeros.
 *
 * Texts of questions, settings, results and answers are blobs named by their SHA-256; the entry has the
 * name. */
#ifndef LEDGER_ENTRY_H
#define LEDGER_ENTRY_H

#include "base/arena.h"
#include "base/buffer.h"
#include "ledger/digest.h"
#include "ledger/ledger.h"

enum entry_kind {
    ENTRY_OPEN,    /* the first entry: which ledger this is */
    ENTRY_POLICY,  /* the configuration that holds from here on */
    ENTRY_CARRY,   /* the same, after the owner's act that carries the spending over */
    ENTRY_RESERVE, /* a question was charged */
    ENTRY_SETTLE,  /* and answered */
    ENTRY_STOP,
    ENTRY_LIFT,
    ENTRY_RENEW, /* a window is over */
    ENTRY_TICK,  /* time was witnessed */
};

enum { ENTRY_BYTES = 64 << 20, ENTRY_ID_TEXT = 33 };

enum entry_payer {
    PAYS_ALL,     /* the dataset, the analyst and his groups: the release is drawn */
    PAYS_ANALYST, /* the analyst and his groups: it is stored, and he was not charged for it before */
    PAYS_NOBODY,  /* he was */
};

struct entry_release {
    struct digest name; /* of key, cost, blocks and data version */
    struct ledger_cost cost;
    const char **blocks; /* NULL is rest; no blocks: all and rest */
    size_t block_count;
    enum entry_payer payer;
};

struct entry_result {
    uint64_t release; /* its place in the reservation */
    struct digest result;
};

struct entry {
    uint64_t number;
    enum entry_kind kind;
    struct instant when;

    char id[ENTRY_ID_TEXT]; /* OPEN: random */

    struct ledger_config config; /* POLICY, CARRY */
    uint64_t old_units_in_new;   /* CARRY */

    const char *analyst; /* RESERVE, STOP, LIFT; NULL is the owner */
    const char *reason;  /* STOP */

    const char *request; /* RESERVE; or NULL */
    struct digest question, settings;
    struct entry_release *releases;
    size_t release_count;

    uint64_t reservation; /* SETTLE: the number of its entry */
    struct digest answer;
    struct entry_result *results; /* of the releases that were drawn */
    size_t result_count;

    uint64_t window; /* RENEW: the window that begins, from 0 */
};

const char *entry_kind_name(enum entry_kind kind);

void entry_write(const struct entry *entry, struct buffer *out);

/* Reads the text that entry_write writes, and no other. What it points to lies in the arena. */
status entry_read(const char *text, size_t size, struct arena *arena, struct entry *out,
                  error *why) MUST_CHECK;

/* The configuration alone, as it stands in the entry: equal texts are equal configurations. */
void entry_write_config(const struct ledger_config *config, struct buffer *out);

/* hash(n) from hash(n-1) and text(n). */
status entry_hash(const struct digest *previous, const char *text, size_t size, struct digest *out,
                  error *why) MUST_CHECK;

#endif
