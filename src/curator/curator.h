/* curator.h - question in, private answer out.
 *
 *     TRY(curator_open("hospital.yaml", &options, &curator, why));
 *     TRY(curator_ask(curator, &(struct curator_question){.text = sql}, &answer, why));
 *     ... answer->rows, answer->intervals, answer->cost ...
 *     curator_answer_free(answer);
 *
 * A question is planned (sql/), priced from public facts, looked up in the ledger, reserved and synced; only then
 * is the engine asked. Its whole numbers get their noise here and nowhere else, are stored with the settlement,
 * and go to scratch for the rest of the question. After an engine failure the charge stays, the text is fixed,
 * and the analyst is stopped until the owner lifts it.
 *
 * An object belongs to one thread; curator_interrupt may be called from any. */
#ifndef CURATOR_CURATOR_H
#define CURATOR_CURATOR_H

#include "engine/engine.h"
#include "ledger/ledger.h"
#include "sql/parse.h"

struct curator;

#define CURATOR_NOT_OPENED "the data source could not be opened; the owner has been told"

struct curator_options {
    struct engine_options engine;
    const char *state_directory; /* of the ledger's anchor; NULL: the default */
    /* The owner's own run: peeked ranges are accepted for explain only, progress is shown, and what is wrong with the
     * rows is said. Else a data source that cannot be opened has one text, and the owner's log the rest. */
    bool owner;
    /* The `dither` program, so that what follows a release runs in a process of its own (scratch.h), where it cannot reach
     * private rows whatever it does: for those who answer strangers. "/proc/self/exe" where we are it. NULL: in this process. */
    const char *scratch_program;
    /* The caller holds answers back to the policy's step (serve/tick.h); else curator_ask sleeps. */
    bool at_once;
    /* The source of secret bits; NULL: the system's. Tests alone give another. */
    struct random *random;
};

status curator_open(const char *policy_path, const struct curator_options *options, struct curator **out,
                    error *why) MUST_CHECK;
void curator_close(struct curator *curator);

/* A further curator for another thread: policy, data, ledger and what is remembered are shared, and nothing is imported
 * again. `first` was not joined itself, and is closed after it. */
status curator_join(struct curator *first, struct curator **out, error *why) MUST_CHECK;

/* Intervals of what is computed from several released numbers are the middle of at most a thousand draws: beyond 0.99
 * there would be fewer than five on either side to say where it ends. */
#define CURATOR_CONFIDENCE       0.95 /* unless the question says another */
#define CURATOR_LEAST_CONFIDENCE 0.5
#define CURATOR_MOST_CONFIDENCE  0.99

struct curator_question {
    const char *text;
    const char *analyst; /* NULL: the owner */
    const char *request; /* id for a retry, or NULL */
    struct sql_options settings;
    struct sql_parameters parameters; /* values of $1, $2 ...; without values: there are none */
    /* The least cost whose interval is this narrow: "50" or "5%" (of declared_size). NULL: not asked. */
    const char *error_wanted;
    double declared_size; /* what `error_wanted` on averages and percentages is reckoned with; 0: not said */
    double confidence;    /* of intervals, CURATOR_LEAST_ to CURATOR_MOST_CONFIDENCE; 0: 0.95 */
    /* Called once with the price, before anything is spent; anything but DITHER_OK stops. May be NULL. */
    status (*confirm)(void *context, const struct ledger_cost *cost, double half_width, error *why);
    void *context;
};

struct curator_interval {
    bool known;
    double lower, upper;
};

/* How a column is made noisy, for a column that is one measure's; else mechanism is NULL. */
struct curator_noise {
    const char *mechanism; /* "geometric", "discrete-gaussian", "quantile" ... */
    double scale, grid;
    double epsilon, delta, rho;
};

struct curator_column {
    const char *name;
    enum sql_type type;
    int scale;
    bool noisy;
    struct curator_noise noise;
};

struct curator_answer {
    struct curator_column *columns;
    size_t column_count;
    struct sql_rows rows;                     /* the visible columns */
    const struct curator_interval *intervals; /* one for each cell */
    double confidence;                        /* with which the intervals hold */
    enum ledger_currency currency;
    struct ledger_cost cost; /* what the analyst paid for this */
    bool cached;             /* all of it was paid before, by the same analyst */
    struct ledger_cost remaining;
    struct arena *arena; /* owns everything */
};

/* DITHER_INVALID, DITHER_REFUSED: with a position in the text where there is one; nothing was spent unless the
 * text says so. DITHER_IO with ENGINE_FAILED: spent. */
status curator_ask(struct curator *curator, const struct curator_question *question,
                   struct curator_answer **out, error *why) MUST_CHECK;
void curator_answer_free(struct curator_answer *answer);

/* What curator_ask would give again at once, because this process has given it to the same analyst before and he may still
 * ask. `out` is NULL when it would have to wait for anything: then ask. May be called from any thread at any time.
 * `sight` is shared by questions that had all come before the first of them is recalled (ledger.h). */
status curator_recall(struct curator *curator, const struct curator_question *question,
                      struct ledger_sight *sight, struct curator_answer **out, error *why) MUST_CHECK;
/* Whether what curator_recall gave to the analyst may be shown to him again: ledger_may_show_now. */
status curator_may_show_now(struct curator *curator, struct ledger_sight *sight, const char *analyst,
                            struct ledger_cost *left, bool *known, error *why) MUST_CHECK;

/* The DESIGN section 7 forms of an answer. `ascii`: no box-drawing, "+-" for the sign. */
void curator_answer_json(const struct curator_answer *answer, struct buffer *out);
void curator_answer_csv(const struct curator_answer *answer, struct buffer *out);
void curator_answer_table(const struct curator_answer *answer, bool ascii, struct buffer *out);

/* Plan, unit path, bounds, sensitivities, mechanisms, cost, expected half widths, the SQL for the engine: as text
 * for people or as JSON. Spends nothing, touches no row. */
status curator_explain(struct curator *curator, const struct curator_question *question, bool json,
                       struct buffer *out, error *why) MUST_CHECK;

/* The columns that an answer would have, in the arena: nothing is spent, no row is touched. */
status curator_describe(struct curator *curator, const struct curator_question *question, struct arena *arena,
                        struct curator_column **columns, size_t *count, error *why) MUST_CHECK;

/* What the analyst (NULL: the owner) may still spend on all blocks together. */
status curator_remaining(struct curator *curator, const char *analyst, struct ledger_cost *left,
                         error *why) MUST_CHECK;

/* Has the ledger looked at (ledger/handle.h): what was spent, by whom. */
status curator_look(struct curator *curator, status (*look)(struct ledger *ledger, void *context, error *why),
                    void *context, error *why) MUST_CHECK;

const struct policy *curator_policy(const struct curator *curator);
/* What may be named in a question. */
const struct sql_catalogue *curator_catalogue(const struct curator *curator);
void curator_interrupt(struct curator *curator);
/* Forgets an interrupt that came when nothing ran; between questions only. */
void curator_resume(struct curator *curator);
double curator_progress(struct curator *curator);

#endif
