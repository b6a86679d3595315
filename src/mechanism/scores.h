/* scores.h - what the mechanisms that take scores share: the grid, the sensitivity in steps, the shape.
 *
 * Each score is rounded to the grid; two scores that differ by at most the sensitivity are at most
 * ceil(sensitivity / grid) steps apart afterwards, and a group of g people moves them g times as far. The
 * answer is an index, so mechanism->grid is 1; the scores' grid is options.grid, filled in here when it was
 * not given. */
#ifndef MECHANISM_SCORES_H
#define MECHANISM_SCORES_H

#include "mechanism/mechanism.h"

enum {
    SCORES_OPTIONS = OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID, /* beside epsilon, which all need */
};

/* Sets options.grid, sensitivity, grid and cost. */
status scores_init(struct mechanism *mechanism, error *why) MUST_CHECK;

/* epsilon / (2 sensitivity), exactly: the rate of the laws with exponential weights. */
struct rational scores_rate(const struct mechanism *mechanism);

/* Two-sided geometric noise of scale factor * sensitivity / epsilon. */
status scores_noise(const struct mechanism *mechanism, uint64_t factor, struct geometric *noise,
                    error *why) MUST_CHECK;

size_t scores_count(const struct mechanism *mechanism, const dither_data *data);
size_t scores_answer_count(const struct mechanism *mechanism, const dither_data *data);
status scores_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                      error *why);

/* 2 sensitivity / epsilon, in the scores' unit; half of it for scores that move one way. */
double scores_scale(const struct mechanism *mechanism);

/* A score's distance, from steps to the scores' unit: rounded up, and one step more, because the best and the
 * chosen score may each have been moved by half a step. */
double scores_distance(const struct mechanism *mechanism, double steps);

/* How far an index drawn by exponential weights, with either law, is from the best. */
double scores_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence);

#endif
