/* draws.h - error bars by drawing the noise again.
 *
 * Where x = truth + noise was released, x - noise' with fresh noise of the same law is spread around x as the
 * truth may be. So each release gets `count` further tables, told apart by a last column; the rest of the
 * question runs over all of them in one statement, and the middle (95%, say) of what a cell becomes is its interval.
 * This is post-processing: it costs nothing. ORDER BY, LIMIT and conditions on noisy columns at the end of the
 * question are left out, so that rows do not come and go.
 *
 * A column that divides by a released number is drawn by itself, without those rows of a table in which that
 * number came out at 0 or less. If that happens in more of the draws than may lie on one side of an interval the number is not known to be
 * above 0, and the interval is all that the column's declared range allows. */
#ifndef CURATOR_DRAWS_H
#define CURATOR_DRAWS_H

#include "curator/room.h"

/* As a number; NaN for NULL and for what is none. */
double interval_number(const struct sql_value *value);

/* denominators.c: for each release (the first of those that are the same), for each of its measures: the column
 * divides by it. */
struct denominators {
    bool *const *measures;
    bool any;
};
status denominators_of(const struct prepared *prepared, size_t column, struct arena *arena,
                       struct denominators *out, error *why) MUST_CHECK;

/* Fills in the intervals of the wanted columns, where they can be had: rows are recognised by their columns
 * that are not noisy. */
status draws_intervals(struct curator *curator, const struct prepared *prepared,
                       const struct sql_rows *tables, const struct sql_rows *rows, const bool *wanted,
                       struct arena *arena, struct curator_interval *intervals, error *why) MUST_CHECK;

#endif
