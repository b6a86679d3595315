/* ledger.h - what was spent, by whom, on which block; and whether the next question may be answered.
 *
 * A ledger belongs to one dataset. It is a chain of entries that are only ever added: the policy that was
 * in force, every reservation, every settlement, every act of the owner. Each entry carries the hash of
 * the one before. What was spent is nothing but the sum over the chain; it is computed from it when the
 * ledger is opened.
 *
 *     TRY(ledger_open("hospital.ledger", &config, NULL, &ledger, why));
 *     TRY(ledger_reserve(ledger, &question, &reservation, why));       the charge is on disk now
 *     if (ledger_reservation_answer(reservation, &answer))             a retry: this is the stored answer
 *         return send(answer);
 *     ... run the releases whose result ledger_reservation_stored does not give; make the answer ...
 *     TRY(ledger_settle(ledger, reservation, results, answer, why));   the answer is on disk now
 *     ... the first byte may leave ...
 *
 * What it guarantees, whatever dies when and however many processes share the ledger:
 *  - No limit is passed: a reservation is granted only if, with everything that anybody reserved before,
 *    it fits the dataset's total on every block it touches, the analyst's cap, the caps of all his groups,
 *    and the maximum for one question. Sums and comparisons are exact.
 *  - A reservation is durable before it is granted, and stays spent whether or not it is ever settled.
 *  - A settled answer is durable before ledger_settle returns; a retry gets these bytes and pays nothing.
 *  - An edited or shortened ledger is refused: by the chain, and by the anchor (anchor.h), kept elsewhere.
 *  - A ledger object that failed to read or write is spent: every later call fails with DITHER_IO. Open it
 *    again; what is on disk decides.
 *
 * What the caller must ensure: that costs are true (never below the privacy loss), that the key of a
 * release names everything its law depends on beside cost and data version, and that a release is confined
 * to the blocks it says. What it does not hide: what is left of the total shows analysts that others have
 * spent, and a release that leaves it unchanged is one that was asked before (stored releases are free for
 * the dataset).
 *
 * Several threads may use one object at the same time: what they ask while a sync is under way goes into the next
 * transaction together, with one sync for all of it (batch.h), and nobody is told anything before that. A reservation
 * belongs to one thread. An object belongs to one process; it refuses work in a forked child. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "ledger/clock.h"
#include "ledger/cost.h"

enum ledger_renewal {
    LEDGER_NEVER,
    LEDGER_DAILY,
    LEDGER_WEEKLY,
    LEDGER_MONTHLY,   /* 31 days of witnessed time: see clock.h */
    LEDGER_QUARTERLY, /* 92 days */
    LEDGER_YEARLY,    /* 366 days */
};

enum {
    LEDGER_NAME_BYTES = 200,       /* the most in a name or a request id */
    LEDGER_TEXT_BYTES = 64 * 1024, /* in a question, in the description of the units */
    LEDGER_MOST_BLOCKS = 4096,
    LEDGER_MOST_HOLDERS = 65536,    /* analysts; groups */
    LEDGER_MOST_RELEASES = 4096,    /* in one question */
    LEDGER_ANSWER_BYTES = 64 << 20, /* in one answer, in one release's result */
};

/* One cap for all members together. A component without a cap is decimal_unlimited(); zero means zero. */
struct ledger_group {
    const char *name;
    struct ledger_cost cap;
};

struct ledger_analyst {
    const char *name;
    struct ledger_cost cap;
    const size_t *groups; /* indices into the configuration's groups */
    size_t group_count;
};

/* What the owner declared. Borrowed during ledger_open only. */
struct ledger_config {
    const char *dataset;
    uint64_t data_version;
    const char *unit; /* units and paths in a canonical text: who is protected */
    enum ledger_currency currency;
    struct ledger_cost total;         /* for everybody together; limited in the currency's components */
    struct ledger_cost question_most; /* for one question */
    enum ledger_renewal renewal;
    const char *block_column; /* NULL: no blocks, and all is "rest" */
    const char *const *blocks;
    size_t block_count; /* the block with this index is "rest" */
    bool blocks_immutable;
    const struct ledger_group *groups;
    size_t group_count;
    const struct ledger_analyst *analysts;
    size_t analyst_count;
};

/* The owner's act that lets the units, the block column or the currency change without a new dataset name.
 * Everybody's spending on every block becomes its maximum over the blocks; it is multiplied for groups where
 * one new unit may hold several old ones; pure epsilon becomes epsilon^2/2 where the new currency is rho.
 * What has no such bound (rho to epsilon, delta to pure, delta for groups) is refused. */
struct ledger_carry {
    uint64_t old_units_in_new; /* at least 1 */
};

/* All fields may be zero. */
struct ledger_options {
    const char *state_directory;      /* of the anchor; default $XDG_STATE_HOME/dither */
    const struct ledger_clock *clock; /* default the system's */
    const struct ledger_carry *carry; /* the owner's act, when the policy has changed */
};

struct ledger;

/* Opens the ledger, making it when there is none. `location` is a file name, or "postgres:" and a libpq
 * connection string. The chain is read and checked; the configuration is recorded when it differs from the
 * one in force: new limits hold from here on, a higher data version levels the blocks (every block's spending
 * becomes the maximum over the blocks, unless they are immutable), and so does a new list of blocks.
 * DITHER_REFUSED: the chain is broken, the ledger is shorter than its anchor or gone, the data version is
 * behind, the dataset's name is another's, or units, block column or currency changed without `carry`. */
status ledger_open(const char *location, const struct ledger_config *config,
                   const struct ledger_options *options, struct ledger **out, error *why) MUST_CHECK;
void ledger_close(struct ledger *ledger);

/* One release that the question needs. */
struct ledger_release {
    const void *key; /* canonical bytes: the release with its bounds and settings */
    size_t key_size;
    struct ledger_cost cost; /* not zero: no release is free */
    const size_t *blocks;    /* to which it is proved to be confined; none means all, and rest */
    size_t block_count;
};

struct ledger_question {
    const char *analyst;  /* NULL: the owner, whom only the dataset's total limits */
    const char *request;  /* id under which it may be retried, or NULL */
    const char *text;     /* as it was asked */
    const char *settings; /* everything else that the answer depends on, in a canonical text; NULL: none */
    const struct ledger_release *releases;
    size_t release_count;
};

struct ledger_bytes {
    const void *data;
    size_t size;
};

struct ledger_reservation;

/* Charges the question, or refuses it. DITHER_REFUSED says whose limit was hit, what is left of it and what
 * would still fit; nothing was charged then. Releases whose result is stored cost the dataset nothing; they
 * cost the analyst and his groups unless he was charged for them before. A request id that is settled gives
 * the stored answer and charges nothing; one that was reserved and never settled is refused, and so is one
 * that belongs to another analyst, question or settings. */
status ledger_reserve(struct ledger *ledger, const struct ledger_question *question,
                      struct ledger_reservation **out, error *why) MUST_CHECK;
void ledger_reservation_free(struct ledger_reservation *reservation);

/* Whether this is a retry; then the stored answer, which lives as long as the reservation. Do not settle it.
 */
bool ledger_reservation_answer(const struct ledger_reservation *reservation, struct ledger_bytes *answer);

/* Whether the release's result is stored, and must be used instead of a new draw. For the curator alone:
 * shown to an analyst it tells what others asked. */
bool ledger_reservation_stored(const struct ledger_reservation *reservation, size_t release,
                               struct ledger_bytes *result);

/* Whether the analyst himself was charged for this very release before: what an answer may call `cached`. */
bool ledger_reservation_cached(const struct ledger_reservation *reservation, size_t release);

/* What the analyst pays for the question: all releases that are not cached, on the block that costs most. */
struct ledger_cost ledger_reservation_cost(const struct ledger_reservation *reservation);

/* Once settled: whether whoever asks for its releases again gets these very results. Not so when another question that was
 * under way at the same time drew one of them too, and settled it first: then that one's stays. */
bool ledger_reservation_kept(const struct ledger_reservation *reservation);

/* What ledger_left, on all blocks, would have said to the analyst when this was reserved or, later, settled. */
struct ledger_cost ledger_reservation_left(const struct ledger_reservation *reservation);

/* Whether the analyst may be shown again what this ledger's holder has already shown him: the policy in force is still
 * the one that was opened, and he is named in it and not stopped. Writes nothing. `left` as ledger_left has it, on all
 * blocks. */
status ledger_may_show(struct ledger *ledger, const char *analyst, struct ledger_cost *left,
                       error *why) MUST_CHECK;

/* A look at the disk does for all questions that had come before it began: what was committed by then, by whomever, is heeded
 * in their answers. Zero bytes at first: whoever needs it first has a look, and the others have it too. */
struct ledger_sight {
    const struct ledger
        *seen; /* that knew all that there was; NULL: nobody has looked, or it could not be told */
};

/* As ledger_may_show, without a transaction, and without waiting for anybody. `known` is false when it cannot be told so:
 * nothing else is said then, and ledger_may_show is to be asked. What it says is as true as what ledger_may_show said at the
 * time of the look, or later. `sight` NULL: it looks for itself alone. */
status ledger_may_show_now(struct ledger *ledger, struct ledger_sight *sight, const char *analyst,
                           struct ledger_cost *left, bool *known, error *why) MUST_CHECK;

/* Records the answer. `results` has one element for each release; those of stored releases are not looked at.
 * Not DITHER_OK: no byte of the answer may leave, and the charge stays. Once for each reservation. */
status ledger_settle(struct ledger *ledger, struct ledger_reservation *reservation,
                     const struct ledger_bytes *results, struct ledger_bytes answer, error *why) MUST_CHECK;

/* After an engine failure: the analyst gets no further answers until the owner lifts it. NULL is the owner.
 * `reason` is for the owner and must not depend on private rows. To lift whom nothing stops is refused. */
status ledger_stop(struct ledger *ledger, const char *analyst, const char *reason, error *why) MUST_CHECK;
status ledger_lift(struct ledger *ledger, const char *analyst, error *why) MUST_CHECK;

/* Writes down that time has passed, and renews when a window is over. A server calls it hourly, so that time
 * before a restart counts; without a renewal window it does nothing. */
status ledger_tick(struct ledger *ledger, error *why) MUST_CHECK;

/* What is left for the analyst on the given blocks (none: all and rest): the least of what is left of his
 * cap, of his groups' caps, and of the total. One question may be limited to less: question_most. */
status ledger_left(struct ledger *ledger, const char *analyst, const size_t *blocks, size_t block_count,
                   struct ledger_cost *out, error *why) MUST_CHECK;

#endif
