/* attack.h - the adversary's side: what data without protection, or with bad protection, give away, and how the
 * same attack fares against Dither.
 *
 * An attack makes its data from a seed, plays its game against a baseline that falls, and then against Dither
 * through the interface that an analyst has: include/dither.h, questions in SQL, a connection to the server.
 * It knows what a real adversary would know (the policy, the noise's law and scale, what it is told about its
 * victims) and nothing else; the truth is looked at only to count how often it was right.
 *
 * Success is a share of trials, always between 0 and 1, beside what guessing alone would reach. Against
 * Dither it varies a little from run to run: the data are predictable, Dither's noise is not. */
#ifndef ATTACK_ATTACK_H
#define ATTACK_ATTACK_H

#include "base/arena.h"
#include "base/plot_svg.h"
#include "base/status.h"

enum {
    ATTACK_FACTS = 24,
    ATTACK_PANELS = 3,
    ATTACK_ARENA_BYTES = 256 << 20,
};

struct rows; /* rows.h */

/* How an attack is run. */
struct attack_settings {
    uint64_t seed;           /* of the data and of the adversary's choices */
    const char *epsilon;     /* all that Dither lets anybody learn; an exact decimal */
    bool quick;              /* fewer trials: for tests and the impatient */
    const char *program;     /* the file of the program, for attacks on a running server */
    const struct rows *rows; /* somebody's made-up rows, for attacks that can play on them; or NULL */
};

/* A number that the attack found on its way, with a name that says what it is. */
struct attack_fact {
    const char *name;
    double value;
};

struct attack_result {
    struct arena arena; /* names, points of the plot and whatever the attack likes to keep */
    double guessing;    /* success of one who looks at nothing */
    double baseline;    /* success against the baseline */
    double dither;      /* success against Dither */
    double bound;       /* what Dither's budget proves that no attack can pass; NaN where it says nothing */
    size_t trials;      /* behind `dither`: its standard error is at most 0.5 / sqrt(trials) */
    struct attack_fact facts[ATTACK_FACTS];
    size_t fact_count;
    struct plot_panel panels[ATTACK_PANELS];
    size_t panel_count;
};

struct attack_result;
typedef status attack_run(const struct attack_settings *settings, struct attack_result *result, error *why);

struct attack {
    const char *name;
    const char *summary;   /* one line: what the adversary does */
    const char *baseline;  /* what falls, in a few words */
    const char *success;   /* what the figures are the share of */
    const char *reference; /* where it comes from */
    /* Fills in the result, which is empty and has its arena. */
    attack_run *run;
    /* The same on settings->rows, with other people and another baseline; NULL: it needs data of a shape of its own. */
    attack_run *run_on_rows;
    const char *baseline_on_rows, *success_on_rows;
};

/* All attacks, in the order in which they are told. */
extern const struct attack *const attack_list[];
extern const size_t attack_count;

/* By name; DITHER_INVALID, with the nearest one, where there is none. */
status attack_find(const char *name, const struct attack **out, error *why) MUST_CHECK;

void attack_result_init(struct attack_result *result);
void attack_result_free(struct attack_result *result);

/* For attacks: a fact (the name is borrowed), an empty panel (at most ATTACK_PANELS), a line with room for
 * `count` points, which the caller fills through `x` and `y`. */
void attack_fact(struct attack_result *result, const char *name, double value);
struct plot_panel *attack_panel(struct attack_result *result, const char *title, const char *x_name,
                                const char *y_name);
status attack_line(struct attack_result *result, struct plot_panel *panel, const char *name, size_t count,
                   double **x, double **y, error *why) MUST_CHECK;

/* The best chance of telling two equally likely neighbours apart after answers that cost epsilon together:
 * e^epsilon / (1 + e^epsilon) (Wasserman and Zhou 2010; Kairouz, Oh, Viswanath 2015). NaN for what is no
 * decimal. */
double attack_bound(const char *epsilon);

#endif
