/* mechanisms.h - mechanisms made, measured and refused, for tests. */
#ifndef TESTS_SUPPORT_MECHANISMS_H
#define TESTS_SUPPORT_MECHANISMS_H

#include "mechanism/mechanism.h"

/* The mechanism of that name; fails the test when it is refused. */
struct mechanism made(const char *name, dither_options options);

/* Fails the test unless the options are refused with DITHER_INVALID and a message that contains `words`. */
void refused(const char *name, dither_options options, const char *words);

/* The statistic of some values; fails the test when measuring does. */
void measured(const struct mechanism *mechanism, const double *values, size_t count, int64_t *statistic);

/* Fails the test unless these data are refused with a message that contains `words`. */
void measure_refused(const struct mechanism *mechanism, const double *values, size_t count,
                     const char *words);

/* Fails the test unless |found - expected| <= tolerance * |expected|. */
void assert_close(double found, double expected, double tolerance);

/* Fails the test unless `bound` is a bound from above for `truth`, and not more than `tolerance` too large.
 */
void assert_just_above(double bound, double truth, double tolerance);

#endif
