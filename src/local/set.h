/* set.h - sets of items under local privacy, by padding and sampling (Qin et al. 2016; Wang, Li, Jha 2018).
 *
 * Everybody has a set of items of 0 .. domain-1. It is padded with dummies to `limit` items, one of all these is drawn, and a frequency
 * oracle over domain + limit values reports it: the whole set is protected by epsilon, whatever it holds. If C of n reports
 * support an item, then
 *
 *     count = limit (C - n q) / (p - q)   is unbiased for the people who have it, as long as nobody has more than `limit`;
 *
 * a larger set counts each of its items by limit / (its size). A larger limit costs variance, by its square. */
#ifndef LOCAL_SET_H
#define LOCAL_SET_H

#include "local/oracle.h"

enum { LOCAL_SET_LIMIT = 1 << 16 };

/* Plain value; nothing to free. The oracle is what tallies are made with. */
struct local_set {
    struct local_oracle oracle; /* over domain + limit values */
    uint32_t domain, limit;
};

/* setting->domain is the number of items. */
status local_set_init(struct local_set *set, const struct local_oracle_kind *kind,
                      const struct local_setting *setting, uint32_t limit, error *why) MUST_CHECK;

/* One report of set->oracle.report_bytes bytes. Items are below the domain; one that is named twice is drawn twice as often. */
status local_set_randomise(const struct local_set *set, const uint32_t *items, size_t count,
                           struct random *random, unsigned char *report, error *why) MUST_CHECK;

/* Exact variance of the count of an item that `share` of `people` have, drawing included; `squares` as of the oracle. */
double local_set_variance(const struct local_set *set, double people, double share, double squares);

/* One estimate per item of the domain. */
status local_set_estimate(const struct local_tally *tally, const struct local_set *set, double confidence,
                          struct local_estimate *out, error *why) MUST_CHECK;

#endif
