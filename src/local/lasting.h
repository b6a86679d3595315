/* lasting.h - the same question asked again and again: two stages of noise, the first of which is kept.
 *
 * A person's value falls under a *key*. For every key a *memo* is drawn once and kept (permanent response, `permanent`); every
 * report is a fresh noisy copy of the memo of the day (instantaneous response). The second stage is calibrated for what both
 * together do, exactly, so that one report keeps `epsilon`: nothing is wasted and nothing is claimed that is not so.
 *
 *   lgrr      key: the value; memo and report: k-ary randomised response, twice        (Arcolezi et al. 2021, L-GRR)
 *   lsue      key: the value; a bit per value, symmetric noise, twice                  (basic RAPPOR, L-SUE)
 *   losue     key: the value; first stage optimised, second symmetric                  (L-OSUE)
 *   rappor    key: the value; a Bloom filter's bits; the cohort is kept for life       (Erlingsson, Pihur, Korolova 2014)
 *   biloloha  key: the value's bucket of 2 under a hash function kept for life         (Arcolezi et al. 2023, LOLOHA)
 *   ololoha   the same with the best number of buckets for one report
 *   dbitflip  key: which of `bits` buckets, drawn for life, the value is; no second stage (Ding, Kulkarni, Yekhanin 2017)
 *
 * What is kept. Call two histories of a person alike in pattern when their keys are the same on the same days. Such histories are
 * told apart by all reports of a life by at most (number of different keys) * `permanent`, never more than keys * `permanent`.
 * A history with one key is told from another such one, after T reports, by local_lasting_loss(T) <= permanent.
 *
 * What is not kept: *that* the key changed. Memos are shared by the days of one key, so many reports show on which days it was
 * the same; with dbitflip two different reports prove a change. Where that matters, draw fresh reports (T * epsilon for
 * everything) or split epsilon over the days. A memo that is lost is drawn again, and is paid for again. */
#ifndef LOCAL_LASTING_H
#define LOCAL_LASTING_H

#include "local/oracle.h"

struct local_lasting_setting {
    uint32_t domain;
    double epsilon;   /* of one report */
    double permanent; /* of all reports about one key; above epsilon. dbitflip: 0, it is epsilon */
    uint32_t
        bits; /* dbitflip: buckets that a person is asked about (1); rappor: bits that a value sets; else 0 */
    uint32_t hashes, width; /* rappor: cohorts, and bits of each */
    uint64_t seed;          /* rappor: public choice of the hashes */
};

struct local_lasting_kind;

/* Plain value; nothing to free. */
struct local_lasting {
    const struct local_lasting_kind *kind;
    struct local_lasting_setting setting; /* with the defaults filled in */
    struct local_oracle oracle; /* one round of reports, to the collector: all of oracle.h serves it */
    size_t identity_bytes;      /* what a client draws for life, whatever the value; 0: nothing */
    size_t memo_bytes;
    uint32_t keys; /* that a person can ever have */
    uint64_t memo_coin, memo_other_coin, report_coin;
};

/* The laws of a kind:
 *  1. memos: P(memo | key) <= e^permanent P(memo | other key), exactly, for every identity;
 *  2. reports: the same with epsilon, over both stages, exactly;
 *  3. the identity is drawn without looking at a value; identity, memos and reports are drawn without allocating. */
struct local_lasting_kind {
    const char *name;
    const char *summary;
    status (*init)(struct local_lasting *lasting, error *why);
    status (*identify)(const struct local_lasting *lasting, struct random *random, unsigned char *identity,
                       error *why);
    /* Names a memo; one identity knows at most `keys` different ones. */
    uint32_t (*key)(const struct local_lasting *lasting, const unsigned char *identity, uint32_t value);
    /* Whether these bytes, read from somewhere, are an identity. */
    bool (*check)(const struct local_lasting *lasting, const unsigned char *identity);
    status (*memorise)(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                       struct random *random, unsigned char *memo, error *why);
    status (*report)(const struct local_lasting *lasting, const unsigned char *identity,
                     const unsigned char *memo, struct random *random, unsigned char *report, error *why);
    /* For tests, which enumerate: P(memo | key) and P(report | memo), given the identity. */
    void (*memo_probability)(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                             const unsigned char *memo, mpq_t out);
    void (*report_probability)(const struct local_lasting *lasting, const unsigned char *identity,
                               const unsigned char *memo, const unsigned char *report, mpq_t out);
    double (*loss)(const struct local_lasting *lasting, double reports);
};

/* Index 0, 1, 2 ... until NULL; and by name, or NULL. */
const struct local_lasting_kind *local_lasting_kind_at(size_t index);
const struct local_lasting_kind *local_lasting_kind_named(const char *name);

status local_lasting_init(struct local_lasting *lasting, const struct local_lasting_kind *kind,
                          const struct local_lasting_setting *setting, error *why) MUST_CHECK;

/* What a memo costs, once: `permanent`, or epsilon for dbitflip. */
double local_lasting_cost(const struct local_lasting *lasting);

/* The exact loss of T >= 1 reports about one key that never changes: the largest log-ratio of their joint probabilities. */
double local_lasting_loss(const struct local_lasting *lasting, double reports);

#endif
