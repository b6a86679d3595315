/* account.h - the parts of `dither account`. */
#ifndef CLI_ACCOUNT_H
#define CLI_ACCOUNT_H

#include "account/account_plan.h"
#include "cli/cli.h"

enum { ACCOUNT_MOST_RELEASES = 1000 };

struct account_request {
    struct release *releases;
    size_t count;
    double delta;          /* rounded down */
    double delta_as_given; /* to the nearest, for printing */
    double target_epsilon; /* 0: not asked for */
    uint64_t people;       /* 1: no group */
    const char *plot;      /* a file, or NULL */
    enum cli_format format;
};

/* One plan in every currency. Not a number: the currency does not apply. */
struct account_figures {
    double pure, basic, advanced, zcdp, renyi;
    struct account_bounds pld, group;
};

status account_figure_out(const struct account_plan *plan, double delta, struct account_figures *figures,
                          error *why) MUST_CHECK;

/* account_show.c: what is printed. */
status account_show(const struct account_request *request, error *why) MUST_CHECK;
status account_show_target(const struct account_request *request, error *why) MUST_CHECK;

/* account_plot.c: epsilon against delta, and against the number of releases, as an SVG file. */
status account_draw(const struct account_request *request, error *why) MUST_CHECK;

/* account_meaning.c: `dither account meaning EPSILON`. Gets the arguments after "meaning". */
int account_meaning(int argc, char **argv);

/* The least number of six digits that is not below the value; and the largest that is not above. */
double account_round_up(double value);
double account_round_down(double value);

/* Reads --people for both forms of the command: a whole number from 1 to 1000000 into a uint64_t. */
status account_read_people(const char *text, void *place, error *why);

#endif
