/* oracle.h - frequency oracles: everybody randomises one value of a public domain 0 .. domain-1 and sends a report;
 * whoever collects the reports estimates how many people have each value.
 *
 * An oracle is a plain value made from a kind, a domain and an epsilon; client and collector make the same one
 * from the same public setting. A report has a fixed size in bytes. Almost all kinds are *pure protocols* (Wang,
 * Blocki, Li, Jha 2017): a report supports some of the values, the true one with probability p and every other one with
 * probability q. If C of n reports support a value, then
 *
 *     count = (C - n q) / (p - q)   is unbiased, and for a value that a share f of the people have
 *     Var(count) = n (q (1 - q) + f (p - q)(1 - p - q)) / (p - q)^2,   exactly.
 *
 * Sketches (cms, hcms, rappor) put the values into fewer buckets by public hashes; over the choice of the hashes they are
 * unbiased too, and two values that collide add to the variance: `collision` below.
 *
 * What it does not hide: that a person answered at all, and when. One report costs `epsilon`; a second fresh report
 * about the same person costs it again (see rappor.h for what to do about that). A client that does not follow the
 * protocol can move the estimate of a value by up to 1/(p - q) people: local_oracle_power. */
#ifndef LOCAL_ORACLE_H
#define LOCAL_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmp.h>

#include "local/coin.h"
#include "local/field.h"

enum {
    LOCAL_DOMAIN_LIMIT = 1 << 24, /* values of a domain */
    LOCAL_HASHES_LIMIT = 1 << 20,
    LOCAL_WIDTH_LIMIT = 1 << 16,
};

/* What a survey makes public. 0 stands for the default of the kind; a kind refuses what it does not know. */
struct local_setting {
    uint32_t domain;  /* 2 or more */
    double epsilon;   /* of one report; see LOCAL_EPSILON_LEAST and _MOST */
    uint32_t hashes;  /* sketches: how many hash functions or cohorts */
    uint32_t width;   /* sketches: buckets of each (cms, hcms: a power of two) */
    uint32_t bits;    /* rappor: bits that a value sets */
    double permanent; /* rappor: epsilon of the permanent response; 0: one-time, nothing but the report's */
    uint64_t seed;    /* sketches: public choice of the hashes */
};

struct local_oracle_kind;

/* Plain value; nothing to free. */
struct local_oracle {
    const struct local_oracle_kind *kind;
    struct local_setting setting; /* with the defaults filled in */
    size_t report_bytes;
    size_t cells;         /* counters of a tally */
    double p, q;          /* mean support of the true and of another value */
    double true_variance; /* variance of one report's support: p (1 - p) where it is 0 or 1 */
    double other_variance;
    double collision;          /* sketches: see local_oracle_variance */
    uint64_t coin, other_coin; /* thresholds, see coin.h */
    uint64_t inner_coin;       /* rappor: the instantaneous response; 0 when there is none */
    uint32_t size;             /* olh: g; ss: omega; hadamard: K; pgr: points in a hyperplane */
    uint32_t length;           /* pgr: coordinates of a point */
    struct field field;        /* pgr */
};

/* Counters of reports. Owns its cells. */
struct local_tally {
    uint64_t people;  /* reports counted */
    uint64_t refused; /* reports that were not well-formed, and so not counted */
    uint64_t *cells;
    size_t cell_count;
};

struct local_estimate {
    double count, variance; /* of the count; the truth varies with the people, this is the noise alone */
    double lower, upper;    /* interval for the count at the asked confidence, by the normal law */
};

/* The laws of a kind:
 *  1. for all values v, w and reports r: P(r | v) <= e^epsilon P(r | w), exactly, as `probability` tells;
 *  2. `randomise` draws from `probability` exactly, allocates nothing, and what it reads and how long it takes
 *     depend on its coins and not on the value (but for the cache lines of a value's own table entry);
 *  3. `check` accepts every report that randomise can write and refuses every other string of report_bytes bytes;
 *  4. `count` adds only reports that pass `check`; adding in batches of any size gives the same cells;
 *  5. `support` gives for every value the number of counted reports that support it (rappor: a mean over the value's
 *     bits). */
struct local_oracle_kind {
    const char *name;
    const char *summary;
    const char *options; /* the optional fields of local_setting it knows: "hashes width seed", or "" */
    status (*init)(struct local_oracle *oracle, error *why);
    status (*randomise)(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why);
    bool (*check)(const struct local_oracle *oracle, const unsigned char *report);
    void (*count)(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally);
    status (*support)(const struct local_oracle *oracle, const struct local_tally *tally, double *support,
                      error *why);
    /* P(report | value), exactly; for tests, which enumerate. */
    void (*probability)(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out);
};

/* Index 0, 1, 2 ... until NULL; and by name, or NULL. */
const struct local_oracle_kind *local_oracle_kind_at(size_t index);
const struct local_oracle_kind *local_oracle_kind_named(const char *name);

/* DITHER_INVALID for a setting that cannot be kept: a domain or epsilon out of range, an option that the kind does
 * not know. */
status local_oracle_init(struct local_oracle *oracle, const struct local_oracle_kind *kind,
                         const struct local_setting *setting, error *why) MUST_CHECK;

/* One report of oracle->report_bytes bytes. value < domain is the caller's promise. On failure the report is zero. */
status local_oracle_randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                              unsigned char *report, error *why) MUST_CHECK;

/* Exact variance of the count of a value that `share` of `people` have. Only sketches look at `squares`, the sum
 * of c (c - 1) over the counts c of all other values: people with one value collide with this one together. */
double local_oracle_variance(const struct local_oracle *oracle, double people, double share, double squares);

/* How far one hostile report can move the estimated count of a value. */
double local_oracle_power(const struct local_oracle *oracle);

status local_tally_init(struct local_tally *tally, const struct local_oracle *oracle, error *why) MUST_CHECK;
void local_tally_free(struct local_tally *tally);

/* `bytes` must be a whole number of reports, else all is refused with DITHER_INVALID and nothing counted. */
status local_tally_add(struct local_tally *tally, const struct local_oracle *oracle,
                       const unsigned char *reports, size_t bytes, error *why) MUST_CHECK;

/* `other` is added to `tally`; both of the same oracle. */
void local_tally_merge(struct local_tally *tally, const struct local_tally *other);

/* One estimate per value of the domain. Sketches take the squares that their variance needs from the estimates. */
status local_tally_estimate(const struct local_tally *tally, const struct local_oracle *oracle,
                            double confidence, struct local_estimate *out, error *why) MUST_CHECK;

/* Makes counts of `people` non-negative and adding up to them: the nearest such vector (norm-sub). Biased, as
 * every such step is; the intervals belong to the unbiased estimates. */
void local_project(double *counts, size_t count, double people);

#endif
