/* draws.h - error bars by drawing the noise again.
 *
 * Where x = truth + noise was released, x - noise' with fresh noise of the same law is spread around x as the
 * truth may be. So each release gets `count` further tables, told apart by a last column; the rest of the
 * question runs over all of them in one statement, and the middle 95% of what a cell becomes is its interval.
 * This is post-processing: it costs nothing. ORDER BY, LIMIT and conditions on noisy columns at the end of the
 * question are left out, so that rows do not come and go. */
#ifndef CURATOR_DRAWS_H
#define CURATOR_DRAWS_H

#include "curator/room.h"

/* As a number; NaN for NULL and for what is none. */
double interval_number(const struct sql_value *value);

/* Fills in the intervals of the wanted columns, where they can be had: rows are recognised by their columns
 * that are not noisy. */
status draws_intervals(struct curator *curator, const struct prepared *prepared,
                       const struct sql_rows *tables, const struct sql_rows *rows, const bool *wanted,
                       struct arena *arena, struct curator_interval *intervals, error *why) MUST_CHECK;

#endif
