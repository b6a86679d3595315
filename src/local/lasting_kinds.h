/* lasting_kinds.h - the mechanisms for repeated questions that there are, and what their files share. */
#ifndef LOCAL_LASTING_KINDS_H
#define LOCAL_LASTING_KINDS_H

#include "local/lasting.h"

extern const struct local_lasting_kind lasting_lgrr;     /* lasting_response.c */
extern const struct local_lasting_kind lasting_biloloha; /* lasting_response.c */
extern const struct local_lasting_kind lasting_ololoha;  /* lasting_response.c */
extern const struct local_lasting_kind lasting_lsue;     /* lasting_bits.c */
extern const struct local_lasting_kind lasting_losue;    /* lasting_bits.c */
extern const struct local_lasting_kind lasting_rappor;   /* lasting_bits.c */
extern const struct local_lasting_kind lasting_dbitflip; /* dbitflip.c */

/* Puts the two probabilities of support into the oracle, with the variances of a bit. */
void lasting_set_support(struct local_oracle *oracle, double p, double q);

/* DITHER_INVALID unless the memo's coin is above the report's: between them lies the second stage. */
status lasting_check_stages(uint64_t memo_coin, uint64_t report_coin, error *why) MUST_CHECK;

/* ln ((p + (1 - p) r) / (q + (1 - q) r)), r the ratio of the two likelihoods of what was reported. */
double lasting_log_ratio(double p, double q, double r);

/* Without an identity. */
status lasting_no_identity(const struct local_lasting *lasting, struct random *random,
                           unsigned char *identity, error *why) MUST_CHECK;
bool lasting_any_identity(const struct local_lasting *lasting, const unsigned char *identity);
uint32_t lasting_value_key(const struct local_lasting *lasting, const unsigned char *identity,
                           uint32_t value);

#endif
