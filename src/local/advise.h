/* advise.h - which oracle has the least variance for a domain, an epsilon and a number of people. */
#ifndef LOCAL_ADVISE_H
#define LOCAL_ADVISE_H

#include "local/oracle.h"

enum { ADVICE_LIMIT = 16 };

struct advice {
    struct local_oracle oracle;
    double standard_error; /* of the share of a rare value */
};

/* The standard error of the estimated share of a rare value, as if the other values followed Zipf's law. */
double local_rare_error(const struct local_oracle *oracle, double people);

/* All oracles that can serve the setting (its optional fields are not looked at), best first, ties by smaller reports; returns how
 * many. Sketches are judged as if the other values followed Zipf's law (the share of the k-th is proportional to 1/k). */
size_t local_advise(uint32_t domain, double epsilon, double people, struct advice out[ADVICE_LIMIT]);

#endif
