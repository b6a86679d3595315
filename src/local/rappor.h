/* rappor.h - the two steps of RAPPOR for a client that reports again and again, and its decoding by regression.
 *
 * The permanent response is drawn once per value and kept by the client (the memo); every report is a fresh noisy copy of
 * it. One report costs `epsilon`; all reports about one value together never cost more than `permanent`, and a value that
 * changes costs that again. A client that loses its memo draws anew, and pays anew. */
#ifndef LOCAL_RAPPOR_H
#define LOCAL_RAPPOR_H

#include "local/oracle.h"

enum {
    RAPPOR_BITS_LIMIT = 8,
    RAPPOR_REGRESSION_LIMIT = 1024, /* values */
};

/* memo: report_bytes of the client's secret memory. */
status rappor_memorise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                       unsigned char *memo, error *why) MUST_CHECK;

/* A report from the memo. Without a permanent epsilon it is the memo itself. */
status rappor_report(const struct local_oracle *oracle, const unsigned char *memo, struct random *random,
                     unsigned char *report, error *why) MUST_CHECK;

/* The bits (0 .. width-1) that the value sets in a cohort; returns how many are different. */
uint32_t rappor_bits(const struct local_oracle *oracle, uint32_t cohort, uint32_t value,
                     uint32_t bits[RAPPOR_BITS_LIMIT]);

/* Least squares: the debiased number of times each bit of each cohort was set, explained by counts of the values. Given the
 * hashes it is unbiased; its variance does not grow with the counts of others, where the plain estimate's does. Refused when
 * the values are more than the regression holds, or when their bits do not tell them apart. */
status rappor_regress(const struct local_tally *tally, const struct local_oracle *oracle, double confidence,
                      struct local_estimate *out, error *why) MUST_CHECK;

#endif
