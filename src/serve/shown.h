/* shown.h - answers in the very bytes in which they left, for whoever asks the very same again.
 *
 * What the bytes depend on is the key: who asks, with which settings, in which words. And what they say of the budget is
 * beside them: they may be shown again only while the same is left. Whether they may be shown at all is not for this to
 * say: it forgets everything when the curator is another, and its user asks the ledger each time.
 *
 * Of two answers that fall into the same place the later one stays. For one thread. */
#ifndef SERVE_SHOWN_H
#define SERVE_SHOWN_H

#include "ledger/ledger.h"
#include "serve/users.h"

enum { SHOWN_MOST_BYTES = 16 << 10 }; /* of one answer, and of its key; there are at most a thousand */

struct shown;

struct shown_key {
    const char *who;
    enum serve_role role;
    const char *settings; /* as settings_print has them */
    const char *text;
};

struct shown_answer {
    struct ledger_cost left; /* as its notice says */
    enum ledger_currency currency;
    const char *bytes;
    size_t size;
};

status shown_new(struct shown **out, error *why) MUST_CHECK;
void shown_free(struct shown *shown); /* NULL is fine */
void shown_forget(struct shown *shown);

/* NULL: it is not here. Until the next call that changes something. */
const struct shown_answer *shown_find(const struct shown *shown, const struct shown_key *key);
/* Keeps a copy if it can. */
void shown_keep(struct shown *shown, const struct shown_key *key, const struct shown_answer *answer);

#endif
