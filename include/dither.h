/* dither.h - the public interface of libdither.
 *
 * Dither answers questions about sensitive data with just enough noise that nobody in the data can be told
 * apart from somebody who is not. This header is the specification of what the library offers; it is the only
 * one that is installed.
 *
 *     dither_random *random = dither_random_new(&why);
 *     dither_mechanism *count = dither_mechanism_new("geometric", &(dither_options){.epsilon = 0.5}, &why);
 *     double answer;
 *     dither_release(count, random, &(dither_data){&truth, 1}, &answer, 1, &why);
 *
 * Every call that can fail returns a dither_status and, through a dither_error that the caller owns, one line
 * of plain text. On failure nothing is written to the outputs and nothing is spent. No object may be used by
 * two threads at once; different objects may.
 *
 * The mechanisms charge nothing by themselves: whoever calls them keeps the account, with a dither_filter in
 * memory or a dither_ledger on disk. */
#ifndef DITHER_H
#define DITHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DITHER_API   __attribute__((visibility("default")))
#define DITHER_CHECK __attribute__((warn_unused_result))
#else
#define DITHER_API
#define DITHER_CHECK
#endif

/* ---- Failing ------------------------------------------------------------------------------------------- */

typedef enum dither_status {
    DITHER_OK = 0,
    DITHER_INVALID,    /* an argument, option or file is wrong; the message says which and why */
    DITHER_REFUSED,    /* understood, and not allowed: privacy or budget */
    DITHER_NO_ENTROPY, /* the system gives no random bits; nothing is released without them */
    DITHER_NO_MEMORY,
    DITHER_IO, /* a file, a database or a connection failed */
} dither_status;

typedef struct dither_error {
    dither_status status;
    int position; /* offset into the analyst's text, or -1 */
    char message[500];
} dither_error;

/* The library's version, "0.1.0". */
DITHER_API const char *dither_version(void);

/* ---- Secret randomness --------------------------------------------------------------------------------- */

/* A stream of secret bits (AES-256-CTR keyed by the system). One per thread; safe across fork. */
typedef struct dither_random dither_random;

DITHER_API dither_random *dither_random_new(dither_error *why) DITHER_CHECK;
DITHER_API void dither_random_free(dither_random *random);

/* ---- Mechanisms ---------------------------------------------------------------------------------------- */

typedef struct dither_range {
    double lower, upper;
} dither_range;

/* What a mechanism is asked to promise, and what is public about the data. Doubles are taken exactly as they
 * are. A field that is 0 (or an empty range) was not given; a mechanism names the fields that it needs and
 * refuses fields that it does not know.
 *
 * Numbers further from 0 than 2^62 grid steps are answered as if they were there. The grid that laplace,
 * gaussian and their kin choose by themselves reaches to 3e10 times the sensitivity: give a coarser one where
 * the truth may lie beyond. */
typedef struct dither_options {
    double epsilon; /* the largest privacy loss */
    double delta;   /* the probability with which epsilon may fail; 0 is pure differential privacy */
    double rho;     /* zero-concentrated privacy, in place of epsilon, for Gaussian noise */

    double sensitivity;  /* how far one person can move the given numbers or scores; default 1 */
    uint64_t group;      /* how many people are hidden at once; default 1 */
    uint64_t max_groups; /* under how many keys one person may be counted; default 1 */

    dither_range range;  /* declared range of a person's value; values outside are clamped */
    dither_range output; /* interval in which the answer must lie */
    uint64_t min_size;   /* the data hold at least this many people (public knowledge) */
    double grid;      /* answers are multiples of this power of two; default: chosen from the sensitivity */
    double threshold; /* the level for above-threshold */
    double quantile;  /* between 0 and 1 */

    const double *edges; /* bucket edges, thresholds or candidates, ascending; borrowed */
    size_t edge_count;
    const uint32_t *categories; /* per column of a table: how many categories, numbered from 0; borrowed */
    size_t column_count;
    uint32_t ways; /* how many columns each marginal joins */
} dither_options;

/* What a mechanism is applied to. What the values mean is the mechanism's shape: true answers, scores, one
 * count per key, one value per person, or a table of categories row by row. */
typedef struct dither_data {
    const double *values;
    size_t count;
} dither_data;

/* What one release spends, never less than the truth. A mechanism that promises rho leaves epsilon 0. */
typedef struct dither_cost {
    double epsilon, delta, rho;
} dither_cost;

typedef struct dither_mechanism dither_mechanism;

/* Names and one-line summaries, index 0, 1, 2 ... until NULL. */
DITHER_API const char *dither_mechanism_name(size_t index);
DITHER_API const char *dither_mechanism_summary(size_t index);

DITHER_API dither_mechanism *dither_mechanism_new(const char *name, const dither_options *options,
                                                  dither_error *why) DITHER_CHECK;
DITHER_API void dither_mechanism_free(dither_mechanism *mechanism);

/* How many numbers an answer about these data has: one per bucket, per marginal cell, ... */
DITHER_API size_t dither_answer_count(const dither_mechanism *mechanism, const dither_data *data);

/* Releases one private answer and writes dither_answer_count numbers. `capacity` is the room in `answer`.
 * A number that is hidden (a key with too few people) is NaN. */
DITHER_API dither_status dither_release(const dither_mechanism *mechanism, dither_random *random,
                                        const dither_data *data, double *answer, size_t capacity,
                                        dither_error *why) DITHER_CHECK;

DITHER_API dither_cost dither_mechanism_cost(const dither_mechanism *mechanism);

/* The noise's scale in the answer's unit: b of a Laplace distribution, sigma of a Gaussian. */
DITHER_API double dither_mechanism_scale(const dither_mechanism *mechanism);

/* The truth lies within this distance of a released number with at least this probability; NaN where public
 * knowledge gives no such bound. For a choice among scores: how far the chosen score is from the best one.
 * Confidence lies strictly between 0 and 1. */
DITHER_API double dither_half_width(const dither_mechanism *mechanism, const dither_data *data,
                                    double confidence);

/* The probability that number `index` of the answer about `data` is exactly `answer`, or NaN where the answer
 * is made from several noisy numbers. It needs the data: for tests and study, never for publication. */
DITHER_API double dither_probability(const dither_mechanism *mechanism, const dither_data *data, size_t index,
                                     double answer);

/* ---- What an epsilon means ----------------------------------------------------------------------------- */

/* The same promise for k people at once. */
DITHER_API dither_cost dither_group_cost(dither_cost cost, uint64_t people);

/* Whoever believed something with probability `prior` believes it, after an epsilon-private answer, with a
 * probability in this range (the two-worlds view: the range of the belief that would have been formed had
 * the person not taken part, given the belief that was formed). */
DITHER_API dither_range dither_posterior(double prior, double epsilon);
DITHER_API dither_range dither_other_world(double posterior, double epsilon);

/* ---- What planned releases cost ------------------------------------------------------------------------ */

/* For a list that is complete before the first answer is seen: which noise, how often. It is given whole, to
 * every call; where the next release may depend on earlier answers, use a dither_filter.
 *
 * A release is a text, as for `dither account`: "KIND NAME=NUMBER... xCOUNT".
 *     laplace scale=B, gaussian sigma=S, discrete-laplace scale=B, discrete-gaussian sigma=S: that noise;
 *         sensitivity=N (1) is how far one person moves the number
 *     pure epsilon=E, approximate epsilon=E delta=D, concentrated rho=R: any release with that promise
 *     randomized-response epsilon=E choices=K
 * All but concentrated take rate=Q: a secret Poisson sample of the people. Numbers are rounded against
 * ourselves, noise down and all else up. At most 65536 texts; they are borrowed during the call. */

/* Each is an epsilon such that the whole list is (epsilon, delta)-private, by one way of counting, rounded
 * up. Infinite where that way cannot count the list. */
typedef struct dither_epsilons {
    double pure;      /* the sum of pure epsilons; it needs no delta */
    double basic;     /* each release made (epsilon, delta)-private, and added up */
    double advanced;  /* with the composition theorem of Kairouz, Oh and Viswanath (2015) */
    double zcdp;      /* the rhos added up, converted once */
    double rdp;       /* Renyi divergences added up order by order, converted at the best */
    dither_range pld; /* privacy-loss distributions: promise `upper`; NaN where only a rho is known */
} dither_epsilons;

/* delta lies strictly between 0 and 1. */
DITHER_API dither_status dither_account(const char *const *releases, size_t count, double delta,
                                        dither_epsilons *out, dither_error *why) DITHER_CHECK;

/* The smallest delta such that the list is (epsilon, delta)-private lies in this range; promise `upper`.
 * DITHER_REFUSED where only a rho is known. */
DITHER_API dither_status dither_account_delta(const char *const *releases, size_t count, double epsilon,
                                              dither_range *out, dither_error *why) DITHER_CHECK;

/* The factor by which all noise must be multiplied so that the list keeps promise.epsilon at promise.delta
 * (0 is for pure releases alone); a scale that is not given counts as 1. Proved to be enough, and at most one
 * part in 10^6 above what is needed. DITHER_REFUSED where no noise is enough, or none is needed. */
DITHER_API dither_status dither_account_noise(const char *const *releases, size_t count, dither_cost promise,
                                              double *factor, dither_error *why) DITHER_CHECK;

/* ---- Releases chosen one after the other --------------------------------------------------------------- */

typedef enum dither_currency {
    DITHER_PURE,         /* epsilon */
    DITHER_APPROXIMATE,  /* epsilon and delta, each added up */
    DITHER_CONCENTRATED, /* rho of zCDP; and apart from it the delta of releases that spend one */
} dither_currency;

/* A budget in memory, asked before each release. Whatever it lets pass is private as a whole, to the limit,
 * even if each release was chosen in the light of all answers before. It offers only what is valid then: sums
 * of epsilon, of delta, of rho, or of the Renyi divergence at one order. It ends with the process; a
 * dither_ledger does not. */
typedef struct dither_filter dither_filter;

/* A limit has the components of its currency and no others. */
DITHER_API dither_filter *dither_filter_new(dither_currency currency, dither_cost limit,
                                            dither_error *why) DITHER_CHECK;
/* (limit.epsilon, limit.delta), kept by Renyi divergences at an order that is fixed now; 0: a good one. */
DITHER_API dither_filter *dither_filter_new_renyi(dither_cost limit, double order,
                                                  dither_error *why) DITHER_CHECK;
DITHER_API void dither_filter_free(dither_filter *filter);

/* May this release (a text as above, all of its count) happen? DITHER_OK: yes, and it is charged.
 * DITHER_REFUSED: no, because it does not fit or the currency cannot express it; nothing is charged. */
DITHER_API dither_status dither_filter_spend(dither_filter *filter, const char *release,
                                             dither_error *why) DITHER_CHECK;

/* The same for what a mechanism says that it costs. A Renyi filter refuses: it needs to know the noise. */
DITHER_API dither_status dither_filter_spend_cost(dither_filter *filter, dither_cost cost,
                                                  dither_error *why) DITHER_CHECK;

/* What is left, rounded down, in the components of the currency. Of a Renyi filter: the pure epsilon that
 * fits in any case. */
DITHER_API dither_cost dither_filter_left(const dither_filter *filter);

/* ---- The ledger ---------------------------------------------------------------------------------------- */

/* What was spent, by whom, on which block; on disk, and shared by any number of processes.
 *
 *     dither_ledger_open("hospital.ledger", &config, NULL, &ledger, &why)
 *     dither_ledger_reserve(ledger, &question, &reservation, &why)          the charge is on disk now
 *     if (dither_reservation_answer(reservation, &answer)) ...              a retry: send this, and no other
 *     ... draw the releases whose result dither_reservation_stored does not give; make the answer ...
 *     dither_ledger_settle(ledger, reservation, results, count, answer, &why)   the answer is on disk now
 *     ... the first byte may leave ...
 *
 * Whatever dies when: no limit is ever passed; a charge is on disk before it is granted and stays, settled or
 * not; a settled answer is on disk before dither_ledger_settle returns, and a retry gets these bytes and pays
 * nothing; an edited or shortened ledger is refused. After a failed read or write every further call fails
 * with DITHER_IO: close and open again. A ledger refuses work in a forked child.
 *
 * The caller ensures that costs are true (never below the privacy loss), that a release's key names all that
 * its law depends on beside cost and data version, and that a release is confined to the blocks it names.
 * Everything given is borrowed during the call only. */
typedef struct dither_ledger dither_ledger;
typedef struct dither_reservation dither_reservation;

/* Exact decimals, "0.5" or "1e-9", with up to 24 places. NULL is 0. */
typedef struct dither_amount {
    const char *epsilon, *delta, *rho;
} dither_amount;
/* The same for a limit that need not be there. NULL is no limit; "0" allows nothing. */
typedef struct dither_cap {
    const char *epsilon, *delta, *rho;
} dither_cap;
/* An amount that the library writes: decimals without exponent. */
typedef struct dither_amount_text {
    char epsilon[48], delta[48], rho[48];
} dither_amount_text;

/* Between decimals and a mechanism's doubles, so that what is charged covers what is spent. The largest
 * double that is not above the decimal, for dither_options (the double 0.1 is more than a tenth); NaN if it
 * is no decimal. And the smallest decimals that are not below a cost. */
DITHER_API double dither_decimal(const char *decimal);
DITHER_API dither_status dither_cost_text(dither_cost cost, dither_amount_text *out,
                                          dither_error *why) DITHER_CHECK;

typedef enum dither_renewal { /* counted in time that a process has witnessed, never by the wall clock */
                              DITHER_NEVER,
                              DITHER_DAILY,
                              DITHER_WEEKLY,
                              DITHER_MONTHLY,   /* 31 days */
                              DITHER_QUARTERLY, /* 92 days */
                              DITHER_YEARLY,    /* 366 days */
} dither_renewal;

typedef struct dither_group {
    const char *name;
    dither_cap cap; /* for all members together */
} dither_group;
typedef struct dither_analyst {
    const char *name;
    dither_cap cap;
    const size_t *groups; /* indices into the configuration's groups */
    size_t group_count;
} dither_analyst;

/* What the owner declares. */
typedef struct dither_ledger_config {
    const char *dataset;
    uint64_t data_version; /* raised when rows change: stored results are then used no more */
    const char *unit;      /* who is protected, in a text that stays the same */
    dither_currency currency;
    dither_amount total;     /* for everybody together; in the currency's components */
    dither_cap per_question; /* the most for one question */
    dither_renewal renewal;
    const char *block_column; /* NULL: no blocks, and all is "rest" */
    const char *const *blocks;
    size_t block_count;    /* and the block with this index is "rest": everybody else */
    bool blocks_immutable; /* nobody ever moves from block to block */
    const dither_group *groups;
    size_t group_count;
    const dither_analyst *analysts;
    size_t analyst_count;
} dither_ledger_config;

/* All may be 0. With `carry_old_units_in_new` the owner lets unit, block column or currency change: spending
 * is carried over, where one new unit holds at most so many old ones. 0: such a change is refused. */
typedef struct dither_ledger_options {
    const char *state_directory; /* where the anchor is kept; default $XDG_STATE_HOME/dither */
    uint64_t carry_old_units_in_new;
} dither_ledger_options;

/* Opens the ledger, making it where there is none. `location` is a file name, or "postgres:" and a libpq
 * connection string. The chain is read and checked; a configuration that differs from the one in force is
 * recorded, and holds from here on. DITHER_REFUSED: the ledger is broken, shorter than its anchor or gone, of
 * another dataset or a newer data version; or unit, block column or currency changed. */
DITHER_API dither_status dither_ledger_open(const char *location, const dither_ledger_config *config,
                                            const dither_ledger_options *options, dither_ledger **out,
                                            dither_error *why) DITHER_CHECK;
DITHER_API void dither_ledger_close(dither_ledger *ledger);

typedef struct dither_bytes {
    const void *data;
    size_t size;
} dither_bytes;

/* One release that a question needs. */
typedef struct dither_question_release {
    dither_bytes key;     /* canonical: the release with its bounds and settings */
    dither_amount cost;   /* not 0: no release is free */
    const size_t *blocks; /* to which it is proved to be confined; none means all, and rest */
    size_t block_count;
} dither_question_release;

typedef struct dither_question {
    const char *analyst;  /* NULL: the owner, whom only the total limits */
    const char *request;  /* id under which it may be retried, or NULL */
    const char *text;     /* as it was asked */
    const char *settings; /* all else that the answer depends on; NULL: nothing */
    const dither_question_release *releases;
    size_t release_count;
} dither_question;

/* Charges the question. DITHER_REFUSED says whose limit was hit, what is left of it and what would fit;
 * nothing was charged then. A stored release costs the dataset nothing, and the analyst unless he paid for it
 * before. A request id that was settled gives the stored answer and charges nothing; one that was never
 * settled, or belongs to another analyst, text or settings, is refused. */
DITHER_API dither_status dither_ledger_reserve(dither_ledger *ledger, const dither_question *question,
                                               dither_reservation **out, dither_error *why) DITHER_CHECK;
DITHER_API void dither_reservation_free(dither_reservation *reservation);

/* Whether this is a retry; then the stored answer. Bytes live as long as the reservation. */
DITHER_API bool dither_reservation_answer(const dither_reservation *reservation, dither_bytes *answer);

/* Whether the release's result is stored, and must be used in place of a new draw. Shown to an analyst it
 * would tell what others asked. */
DITHER_API bool dither_reservation_stored(const dither_reservation *reservation, size_t release,
                                          dither_bytes *result);

/* Whether the analyst himself paid for this release before: that he may know. */
DITHER_API bool dither_reservation_cached(const dither_reservation *reservation, size_t release);

/* What the analyst pays for the question: on the block that costs most. */
DITHER_API void dither_reservation_cost(const dither_reservation *reservation, dither_amount_text *out);

/* Records the answer, once, in the ledger that granted the reservation. One result for each release; those of
 * stored releases are not looked at. Unless DITHER_OK no byte of the answer may leave; the charge stays. */
DITHER_API dither_status dither_ledger_settle(dither_ledger *ledger, dither_reservation *reservation,
                                              const dither_bytes *results, size_t result_count,
                                              dither_bytes answer, dither_error *why) DITHER_CHECK;

/* After a failure while drawing: the analyst (NULL: the owner) gets no more answers until the owner lifts it.
 * `reason` is for the owner, and must not depend on private rows. */
DITHER_API dither_status dither_ledger_stop(dither_ledger *ledger, const char *analyst, const char *reason,
                                            dither_error *why) DITHER_CHECK;
DITHER_API dither_status dither_ledger_lift(dither_ledger *ledger, const char *analyst,
                                            dither_error *why) DITHER_CHECK;

/* Writes down that time has passed, so that it counts for the renewal: hourly, in a server. */
DITHER_API dither_status dither_ledger_tick(dither_ledger *ledger, dither_error *why) DITHER_CHECK;

/* What is left for the analyst on these blocks (none: all and rest): the least that his cap, his groups' caps
 * and the total leave. */
DITHER_API dither_status dither_ledger_left(dither_ledger *ledger, const char *analyst, const size_t *blocks,
                                            size_t block_count, dither_amount_text *out,
                                            dither_error *why) DITHER_CHECK;

/* ---- Questions in SQL ---------------------------------------------------------------------------------- */

/* The whole of Dither: a policy file says who is protected and how much may be learnt, questions are ordinary SQL,
 * answers have an interval for every noisy number.
 *
 *     dither_open("hospital.yaml", NULL, &curator, &why)
 *     dither_ask(curator, "SELECT region, count(*) FROM patients GROUP BY region", NULL, &answer, &why)
 *     ... dither_cell_text(answer, row, column), dither_cell_interval(answer, row, column, &interval) ...
 *     dither_answer_free(answer)
 *     dither_close(curator)
 *
 * A question is charged in the policy's ledger, on disk, before the data are touched, and its answer is stored
 * before it is shown. The same question again gets the same answer and costs its asker nothing. */
typedef struct dither_curator dither_curator;
typedef struct dither_answer dither_answer;

/* All may be 0. */
typedef struct dither_open_options {
    const char *state_directory; /* where the ledger's anchor is kept; default $XDG_STATE_HOME/dither */
    unsigned threads;            /* of the engine; 0: all cores */
    uint64_t memory_bytes;       /* of the engine; 0: its default */
    /* The program `dither`, of this version: what follows the noise then runs in a process of its own, which can reach no file,
     * no network and no row of the data. For those who let others ask. NULL: in this process. */
    const char *scratch_program;
} dither_open_options;

/* Reads the policy and opens its data, read-only, and its ledger. */
DITHER_API dither_status dither_open(const char *policy, const dither_open_options *options,
                                     dither_curator **out, dither_error *why) DITHER_CHECK;
DITHER_API void dither_close(dither_curator *curator);

/* What a question may say beside its text; all may be 0. Settings only ever tighten the policy. */
typedef struct dither_ask_options {
    const char *analyst;               /* NULL: the owner */
    const char *request;               /* id for a retry: it gets the stored answer, and pays nothing */
    const char *epsilon, *delta, *rho; /* exact decimals; NULL: the policy's amount for a question */
    const char *error;                 /* instead of an amount: "50", or "5%" of `size` */
    double size;                       /* how many there are, for the error of averages and percentages */
    uint64_t max_groups, max_rows;     /* of one unit; 0: the policy's */
    bool other;                        /* show what is hidden as one row */
    bool non_negative;                 /* counts are raised to 0 */
} dither_ask_options;

/* DITHER_INVALID and DITHER_REFUSED have a position in the text where there is one; nothing was spent then unless
 * the message says so. DITHER_IO: the data source failed; the charge stays. */
DITHER_API dither_status dither_ask(dither_curator *curator, const char *sql,
                                    const dither_ask_options *options, dither_answer **out,
                                    dither_error *why) DITHER_CHECK;
DITHER_API void dither_answer_free(dither_answer *answer);

/* What the question would cost and why: a text for people, or JSON. Spends nothing, touches no row. The caller frees
 * it with dither_text_free. */
DITHER_API dither_status dither_explain(dither_curator *curator, const char *sql,
                                        const dither_ask_options *options, bool json, char **out,
                                        dither_error *why) DITHER_CHECK;
DITHER_API void dither_text_free(char *text);

/* From another thread: stops what the curator is doing. What was charged stays charged. */
DITHER_API void dither_interrupt(dither_curator *curator);

DITHER_API size_t dither_answer_columns(const dither_answer *answer);
DITHER_API size_t dither_answer_rows(const dither_answer *answer);

/* Of a column: its name, its type as PostgreSQL calls it ("bigint"), whether noise went into it. */
DITHER_API const char *dither_column_name(const dither_answer *answer, size_t column);
DITHER_API const char *dither_column_type(const dither_answer *answer, size_t column);
DITHER_API bool dither_column_noisy(const dither_answer *answer, size_t column);

/* A cell as text, as PostgreSQL would write it; NULL for a NULL. Lives as long as the answer. */
DITHER_API const char *dither_cell_text(const dither_answer *answer, size_t row, size_t column);
/* The same as a number; NaN for a NULL and for what is no number. */
DITHER_API double dither_cell_number(const dither_answer *answer, size_t row, size_t column);
/* The interval in which the number would lie without noise, with 95% confidence. False where public knowledge gives
 * none, or there is no noise. */
DITHER_API bool dither_cell_interval(const dither_answer *answer, size_t row, size_t column,
                                     dither_range *out);

/* What the question cost its asker, what is left to him; whether he had paid for all of it before. */
DITHER_API void dither_answer_cost(const dither_answer *answer, dither_amount_text *out);
DITHER_API void dither_answer_left(const dither_answer *answer, dither_amount_text *out);
DITHER_API bool dither_answer_cached(const dither_answer *answer);

/* ---- Without a curator: the client of a survey --------------------------------------------------------- */

/* For an app whose users do not trust anybody with their answers: an answer is randomised here, and what leaves the device keeps
 * its epsilon whoever reads it (docs/local.md). Nothing below allocates memory, or needs anything but random bits; these functions, with
 * dither_random_new and _free, are also in the small libdither_client.a.
 *
 *     dither_local_init(&client, &commuting_transport, &why)
 *     dither_local_report(&client, 2, time(NULL), &account, random, report, &why)
 *     ... save the account; send dither_local_report_size(&client) bytes, the same ones again until they are acknowledged ...
 *
 * `dither local survey SURVEY --code` prints the questions of a survey for this. */
typedef enum dither_local_period {
    DITHER_LOCAL_ONCE,
    DITHER_LOCAL_DAILY,
    DITHER_LOCAL_WEEKLY,
    DITHER_LOCAL_MONTHLY,
    DITHER_LOCAL_QUARTERLY,
    DITHER_LOCAL_YEARLY,
} dither_local_period;

/* What a survey makes public of a question. What a mechanism does not know stays 0. */
typedef struct dither_local_question {
    uint64_t key; /* of survey, version and question: the collector refuses reports of any other */
    /* Of values and sets: grr, sue, oue, olh, ss, hadamard, pgr, cms, hcms, rappor. Of numbers: duchi, piecewise, hybrid, wave. Of texts: prefix. Of
     * values that are asked for again and again: lgrr, lsue, losue, biloloha, ololoha, dbitflip; rappor with `permanent`. */
    const char *mechanism;
    dither_local_period period;
    double epsilon;               /* of one report */
    uint32_t domain;              /* of values: how many there are */
    uint32_t hashes, width, bits; /* of sketches; bits of dbitflip too */
    uint64_t seed;
    double lower, upper; /* of numbers: the range, and the steps of its grid */
    uint32_t steps;
    uint32_t items;              /* of sets: they are padded to so many */
    uint32_t length, group_bits; /* of texts: bytes that are looked at, and bits by which prefixes grow */
    double permanent;            /* of repeated questions: epsilon of all reports about one value together */
} dither_local_question;

/* A plain value, for as long as the program runs. */
typedef struct dither_local_client {
    uint64_t state[96];
} dither_local_client;

/* What a person may lose in a life, over all surveys, and has lost: kept by the app, on the device. No survey raises the cap. */
typedef struct dither_local_account {
    double cap, spent;
} dither_local_account;

DITHER_API dither_status dither_local_init(dither_local_client *client, const dither_local_question *question,
                                           dither_error *why) DITHER_CHECK;

/* Bytes of a report. */
DITHER_API size_t dither_local_report_size(const dither_local_client *client);

/* One report about a value below the domain, for the period of a moment (seconds since 1970). The epsilon is added to the account first;
 * DITHER_REFUSED, with nothing spent, when that would pass its cap. Save the account before the report leaves: a report whose charge is lost is
 * one too many. The report has a random retry id, and sending the same bytes again costs nothing; a new report about the same thing costs
 * epsilon again. On failure the report is zero. */
DITHER_API dither_status dither_local_report(const dither_local_client *client, uint32_t value,
                                             int64_t seconds, dither_local_account *account,
                                             dither_random *random, unsigned char *report,
                                             dither_error *why) DITHER_CHECK;

/* The same about a number (outside the range: its nearer end; NaN: the lower), about a set of different values below the domain, and about a
 * text, of which the first bytes count, up to a zero byte. */
DITHER_API dither_status dither_local_report_number(const dither_local_client *client, double number,
                                                    int64_t seconds, dither_local_account *account,
                                                    dither_random *random, unsigned char *report,
                                                    dither_error *why) DITHER_CHECK;
DITHER_API dither_status dither_local_report_set(const dither_local_client *client, const uint32_t *values,
                                                 size_t count, int64_t seconds, dither_local_account *account,
                                                 dither_random *random, unsigned char *report,
                                                 dither_error *why) DITHER_CHECK;
DITHER_API dither_status dither_local_report_text(const dither_local_client *client, const char *text,
                                                  size_t length, int64_t seconds,
                                                  dither_local_account *account, dither_random *random,
                                                  unsigned char *report, dither_error *why) DITHER_CHECK;

/* What a client of a repeated question remembers for life: for every value that the person ever had, a first noisy answer (the memo), of which each
 * report is a fresh noisy copy. The app owns the bytes: zeros at first, kept on the device with the account, one for each question. Lost
 * or cleared, they are drawn anew, and paid for anew. */
typedef struct dither_local_memory {
    unsigned char *bytes;
    size_t size;
} dither_local_memory;

/* Bytes that hold the memos of so many different values; 0: of all that there are. Returns 0 when the question keeps no memos, or that is more than
 * a size_t holds. */
DITHER_API size_t dither_local_memory_size(const dither_local_client *client, uint32_t values);

/* One report of a repeated question. Only a memo that is not there yet costs something: `permanent` (dbitflip: epsilon), for all reports about that
 * value together. DITHER_REFUSED, with account and memory as they were, when that would pass the cap, or the memory has no room for another value;
 * DITHER_INVALID when it is damaged, or belongs to another setting. Save account and memory before the report leaves. That a value changed, and
 * when, memos do not hide (docs/local.md). */
DITHER_API dither_status dither_local_report_again(const dither_local_client *client, uint32_t value,
                                                   int64_t seconds, dither_local_account *account,
                                                   const dither_local_memory *memory, dither_random *random,
                                                   unsigned char *report, dither_error *why) DITHER_CHECK;

/* Where a survey says `ask`: which questions this person is asked, `asked` different numbers below `questions`, ascending. For every person and
 * period anew, and before the answers are looked at. */
DITHER_API dither_status dither_local_draw(uint32_t questions, uint32_t asked, dither_random *random,
                                           uint32_t *chosen, dither_error *why) DITHER_CHECK;

#ifdef __cplusplus
}
#endif
#endif
