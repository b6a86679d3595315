/* answer.h - a released answer, shown with its interval, its noise and its cost. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "cli/cli.h"
#include "cli/values.h"
#include "mechanism/mechanism.h"

struct answer {
    const struct mechanism_kind *kind;
    const dither_options *options; /* as given */
    const struct values *values;   /* for the names of keys only */
    const double *numbers;
    size_t count;
    double confidence;
    double half_width; /* NaN: unknown */
    double scale;
    dither_cost cost;
};

/* Hidden numbers (keys with too few people) are left out in every format. */
status answer_print(const struct answer *answer, enum cli_format format, struct buffer *out,
                    error *why) MUST_CHECK;

#endif
