/* prefix.h - frequent strings of an unknown domain, by extending prefixes (PEM: Wang, Li, Jha 2021).
 *
 * A string is its first `length` bytes, padded with zeros. Everybody draws one of the groups: group i is asked about the first
 * (i + 1) * step bits, the last about all of them. The report is that of local hashing (olh.c) over prefixes of that length: a hash
 * function of one's own, and the prefix's bucket by randomised response. So it keeps epsilon whatever the string is, and
 * is sent once. The collector goes through the groups: of the prefixes that were frequent so far all extensions are counted, and those
 * above the threshold go on, at most `keep` of them.
 *
 * The hash function is c0 + sum c_i x_i over the field of 2^31 - 1 elements with three bytes a coefficient: the images of two different
 * prefixes are independent and uniform, exactly, so that estimates and variances are those of local hashing.
 *
 * Threshold: one of a group's candidates that nobody has reaches it with probability 1 - confidence at most, by the exact binomial
 * law of the reports that support it by chance; so nothing is shown that nobody has, with that confidence. A string is missed when its count falls below the threshold in some group: strings that fewer than
 * prefix_threshold(...) people have are not found. What it does not hide: as oracle.h. */
#ifndef LOCAL_PREFIX_H
#define LOCAL_PREFIX_H

#include "local/oracle.h"

enum {
    PREFIX_LENGTH_LIMIT = 48, /* bytes */
    PREFIX_STEP_LIMIT = 12,   /* bits */
    PREFIX_KEEP_LIMIT = 4096,
    PREFIX_CHUNKS = PREFIX_LENGTH_LIMIT / 3,
};

struct prefix_setting {
    double epsilon;
    uint32_t length; /* bytes, 1 to PREFIX_LENGTH_LIMIT */
    uint32_t step;   /* bits that a group adds; 0: 8 */
};

/* Plain value; nothing to free. */
struct prefix {
    struct prefix_setting setting;
    uint32_t groups, chunks, buckets;
    size_t report_bytes; /* group, c0, a coefficient a chunk, bucket: four bytes each */
    uint64_t coin;
    double p, q;
};

status prefix_init(struct prefix *prefix, const struct prefix_setting *setting, error *why) MUST_CHECK;

/* Bits that a group is asked about. */
uint32_t prefix_bits(const struct prefix *prefix, uint32_t group);

/* One report; a string that is longer counts as its first bytes, and ends at a zero byte. On failure the report is zero. */
status prefix_randomise(const struct prefix *prefix, const char *text, size_t length, struct random *random,
                        unsigned char *report, error *why) MUST_CHECK;

/* Whether a client could have sent it. */
bool prefix_check(const struct prefix *prefix, const unsigned char *report);

/* P(bucket | string), given group and hash function, exactly; for tests. */
void prefix_probability(const struct prefix *prefix, const char *text, size_t length,
                        const unsigned char *report, mpq_t out);

/* Reports are kept, not counted: what to count is known group by group. So they are gone through once for each group, wherever they lie; a
 * search needs no memory that grows with them. `replay` hands all of them to `visit`, in any order and in pieces of whole reports. */
typedef void prefix_visit(void *visitor, const unsigned char *reports, size_t bytes);
struct prefix_source {
    status (*replay)(void *context, prefix_visit *visit, void *visitor, error *why);
    void *context;
};

/* Reports that lie in memory: the context of prefix_replay_memory. */
struct prefix_reports {
    const unsigned char *reports;
    size_t bytes;
};
status prefix_replay_memory(void *context, prefix_visit *visit, void *visitor, error *why) MUST_CHECK;

struct prefix_hitter {
    char text[PREFIX_LENGTH_LIMIT + 1]; /* its bytes, then zeros */
    struct local_estimate estimate;     /* of all people, not of the last group alone */
};

struct prefix_search {
    uint32_t keep;     /* candidates that go on from each group; 1 to PREFIX_KEEP_LIMIT */
    double confidence; /* of the threshold, and of the intervals */
};

/* What a search found. */
struct prefix_found {
    uint64_t people, refused; /* reports that were counted, and that no client could have sent */
    size_t count;             /* of hitters */
};

/* The most frequent first; at most search->keep. */
status prefix_find(const struct prefix_source *source, const struct prefix *prefix,
                   const struct prefix_search *search, struct prefix_hitter *out, struct prefix_found *found,
                   error *why) MUST_CHECK;

/* How far one hostile report can move the estimated count of a string: it claims to be in the last group, and stands for all groups. */
double prefix_power(const struct prefix *prefix);

/* How many of `people` must have a string so that its count lies at the threshold of the largest group of candidates, on average. */
double prefix_threshold(const struct prefix *prefix, const struct prefix_search *search, double people);

#endif
