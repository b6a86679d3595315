/* kinds.h - the frequency oracles that there are, and what their files share. */
#ifndef LOCAL_KINDS_H
#define LOCAL_KINDS_H

#include <string.h>

#include "local/oracle.h"

extern const struct local_oracle_kind local_grr;      /* grr.c: k-ary randomised response */
extern const struct local_oracle_kind local_sue;      /* unary.c: symmetric unary encoding */
extern const struct local_oracle_kind local_oue;      /* unary.c: optimised unary encoding */
extern const struct local_oracle_kind local_olh;      /* olh.c: optimal local hashing */
extern const struct local_oracle_kind local_ss;       /* subset.c: subset selection */
extern const struct local_oracle_kind local_hadamard; /* hadamard.c: Hadamard response */
extern const struct local_oracle_kind local_pgr;      /* pgr.c: projective geometry response */
extern const struct local_oracle_kind local_cms;      /* cms.c: count-mean sketch */
extern const struct local_oracle_kind local_hcms;     /* hcms.c: its Hadamard form, one bit a report */
extern const struct local_oracle_kind local_rappor;   /* rappor.c */

/* Numbers in reports are little-endian, whatever the machine. */
static inline uint32_t report_number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void report_put(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

/* `yes` where the mask is all ones, `no` where it is 0, without a branch. */
static inline uint32_t pick(uint64_t mask, uint64_t yes, uint64_t no)
{
    return (uint32_t)((yes & mask) | (no & ~mask));
}

/* A report that is one number below oracle->cells, counted in the cell of that number. */
bool number_check(const struct local_oracle *oracle, const unsigned char *report);
void number_count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally);

/* A report that is a bit for each value, counted in that value's cell; runs of well-formed ones together. */
void string_count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally);

#endif
