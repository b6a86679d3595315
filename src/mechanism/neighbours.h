/* neighbours.h - small data sets and their neighbours, all of them, for the shape of a mechanism.
 *
 * For people (records, tables): every multiset up to a few people over a small universe of values that holds
 * the ends of the declared range, values between and beyond them, infinity and NaN; a neighbour has `group`
 * people more. For numbers and scores: values on and between grid points, and every way to move them by at
 * most the sensitivity that matters (whole, halves, thirds, shared among coordinates). For counts: every
 * small vector of counts, and one person more under up to max_groups keys. */
#ifndef MECHANISM_NEIGHBOURS_H
#define MECHANISM_NEIGHBOURS_H

#include "mechanism/mechanism.h"

/* Receives one pair; the arrays live only during the call. A failure stops the enumeration and is passed on.
 */
typedef status (*neighbours_visit)(void *context, const dither_data *left, const dither_data *right,
                                   error *why);

/* Pairs that differ by people added (the caller looks at both directions). */
status neighbours_added(const struct mechanism *mechanism, neighbours_visit visit, void *context,
                        error *why) MUST_CHECK;

/* Pairs in which one person has another value. Visits nothing for shapes where that makes no sense (numbers,
 * scores). */
status neighbours_replaced(const struct mechanism *mechanism, neighbours_visit visit, void *context,
                           error *why) MUST_CHECK;

#endif
