/* local_figures.h - what is told about the numbers behind reports: mean, variance, quantiles, and a picture of their density. */
#ifndef CLI_LOCAL_FIGURES_H
#define CLI_LOCAL_FIGURES_H

#include "cli/local.h"
#include "cli/local_rows.h"
#include "local/numeric.h"

struct local_figures_wanted {
    const struct local_numeric *numeric;
    const struct local_tally *tally;
    const struct local_estimate_request *request;
    uint32_t attribute;
};

/* Adds a row for each figure; bits have a mean alone. */
status local_figures(const struct local_figures_wanted *wanted, struct arena *arena, struct local_rows *rows,
                     error *why) MUST_CHECK;

/* Draws the estimated density to request->plot; request->plain: without smoothing. */
status local_figures_draw(const struct local_numeric *numeric, const struct local_tally *tally,
                          const struct local_estimate_request *request, error *why) MUST_CHECK;

#endif
