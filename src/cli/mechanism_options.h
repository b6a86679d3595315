/* mechanism_options.h - the flags of `dither mechanism` and `dither verify`, one for each field of
 * dither_options.
 *
 * Decimals become doubles rounded against ourselves: epsilon, delta and rho down, sensitivities up, ranges
 * outward. So what is promised is never more than what was typed. */
#ifndef CLI_MECHANISM_OPTIONS_H
#define CLI_MECHANISM_OPTIONS_H

#include "base/arena.h"
#include "cli/cli.h"
#include "mechanism/mechanism.h"

enum { MECHANISM_OPTION_COUNT = 15 };

/* The options as typed; their arrays live in the arena. */
struct mechanism_options {
    struct arena arena;
    dither_options options;
    bool any; /* at least one was given */
};

void mechanism_options_init(struct mechanism_options *options);
void mechanism_options_free(struct mechanism_options *options);

/* Writes the flags that read into `options`; those that `kind` neither needs nor understands are left out,
 * unless it is NULL. Returns how many were written. */
size_t mechanism_options_list(struct mechanism_options *options, const struct mechanism_kind *kind,
                              struct cli_option list[MECHANISM_OPTION_COUNT]);

/* Appends the options as flags, as they would be typed: " --epsilon 1 --range 0:10". */
void mechanism_options_print(const dither_options *options, struct buffer *out);

#endif
