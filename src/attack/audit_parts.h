/* audit_parts.h - what the checks of an audit share: the run, what it found, and the questions. */
#ifndef ATTACK_AUDIT_PARTS_H
#define ATTACK_AUDIT_PARTS_H

#include "attack/audit.h"
#include "attack/audit_statistics.h"
#include "attack/audit_world.h"

/* ---- What was found ---- */

struct audit_finding {
    enum audit_check check;
    const char *question, *text;
    const struct audit_finding *next;
};

/* What a kind of question promises, and what was found of it. */
struct audit_bound {
    const char *kind, *question;
    double claimed_epsilon, claimed_delta;
    double guesses, events; /* lower bounds on epsilon; NaN: not looked for */
    uint64_t samples;
    const struct audit_bound *next;
};

enum { AUDIT_CURVES = 4, AUDIT_POINTS = 64 };

/* Seen and expected, for a plot. */
struct audit_curve {
    const char *title, *x_name, *y_name;
    double x[AUDIT_POINTS], seen[AUDIT_POINTS], expected[AUDIT_POINTS];
    size_t count;
};

struct audit_report {
    struct arena arena;
    const char *policy;
    enum audit_size size;
    uint64_t seed;
    double error, seconds;
    uint64_t answers;             /* that were asked for */
    uint64_t tests[AUDIT_CHECKS]; /* comparisons that could have convicted */
    uint64_t convictions[AUDIT_CHECKS];
    const char *skipped[AUDIT_CHECKS];    /* why a check was not made; NULL: it was */
    const struct audit_finding *findings; /* in order; at most AUDIT_MOST_FINDINGS of each check */
    struct audit_finding *last_finding;
    const struct audit_bound *bounds;
    struct audit_bound *last_bound;
    struct audit_curve curves[AUDIT_CURVES];
    size_t curve_count;
};

enum { AUDIT_MOST_FINDINGS = 5 };

/* ---- The run ---- */

/* Tests share the run's error evenly, so there is a most of them. */
enum { AUDIT_MOST_FITS = 500, AUDIT_MOST_BOUNDS = 100 };

struct audit_run {
    const struct audit_options *options;
    const struct policy *policy;
    struct arena arena;
    struct audit_report *report;
    double fit_error, bound_error; /* of one test */
    size_t fits, bounds;           /* made so far */
    bool shortly;
    bool noise_drawn; /* the report has its plot */
};

/* Convicts. The text is a sentence without its end; question may be NULL. */
void audit_convict(struct audit_run *run, enum audit_check check, const char *question, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* One comparison more. */
void audit_tested(struct audit_run *run, enum audit_check check);
void audit_tell(const struct audit_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A statistical test: convicts when the probability is below the test's error. */
void audit_fit(struct audit_run *run, enum audit_check check, const char *question, const char *what,
               double probability);
status audit_add_bound(struct audit_run *run, const struct audit_bound *bound, error *why) MUST_CHECK;

/* Asks, and counts. */
status audit_run_ask(struct audit_run *run, struct audit_world *world, const char *sql,
                     const struct audit_settings *settings, struct audit_answer *out, error *why) MUST_CHECK;
status audit_run_open(struct audit_run *run, const struct audit_data *data, struct audit_world *out,
                      error *why) MUST_CHECK;
struct audit_world_options audit_run_world(const struct audit_run *run);

/* The kinds of units: the tables that declare one. */
const struct policy_table *audit_kind(const struct audit_run *run, size_t index);
/* Rows of an ordinary person: so few that nothing of him is left out by any bound. */
uint64_t audit_quiet_rows(const struct audit_run *run, const struct policy_table *kind);
/* `count` ordinary people of each kind, with ids from 1. */
void audit_quiet_people(const struct audit_run *run, struct audit_data *data, uint64_t count);

/* ---- audit_questions.c ---- */

struct audit_question {
    const char *kind, *text;
    const struct policy_table *table;
    bool square; /* its work grows with the square of a person's rows */
};

struct audit_questions {
    struct audit_question *list;
    size_t count;
};

/* Questions of every kind for every private table, as far as the table has what they need; in a short audit some of them. */
status audit_questions_make(struct audit_run *run, struct audit_questions *out, error *why) MUST_CHECK;

/* A column that keys may be made of, with a public domain of at most `most` values; `skip` of them are passed over. NULL: none. */
const struct policy_column *audit_public_key(const struct audit_run *run, const struct policy_table *table,
                                             uint64_t most, size_t skip);
const struct policy_column *audit_hidden_key(const struct audit_run *run, const struct policy_table *table);
const struct policy_column *audit_number_column(const struct audit_run *run, const struct policy_table *table,
                                                size_t skip);
/* The unit's column, where it stands in the table itself. */
const char *audit_unit_name(const struct policy_table *table);
/* "name", with quotes inside it doubled. */
void audit_print_name(struct buffer *out, const char *name);

/* ---- audit_laws.c: the stated laws of noise, in steps of the grid ---- */

/* P(noise <= k) for "geometric" and "discrete-gaussian"; NaN for others. */
double audit_law_cumulative(const char *mechanism, double scale, double k);
/* P(two draws are equal). */
double audit_law_collision(const char *mechanism, double scale);
/* How well the differences of two draws each follow the law of such differences. */
double audit_law_fit_differences(const char *mechanism, double scale, const double *differences,
                                 size_t count);
/* How well whole numbers follow the law: the probability of a worse chi-square. Fewer than the least: 1. */
enum { AUDIT_LEAST_SAMPLE = 200 };
double audit_law_fit(const char *mechanism, double scale, const double *noise, size_t count,
                     struct audit_curve *curve);

/* ---- audit_pairs.c: numbers that should have nothing to do with each other ---- */

struct audit_pairs {
    uint64_t signs, same_sign;
    uint64_t sizes, same_size;
    uint64_t equal;
    double bound, size_probability, equal_probability;
};

struct audit_pairs audit_pairs_of(const char *mechanism, double scale);
/* Two draws of noise, in steps; no draw is in two pairs. */
void audit_pairs_add(struct audit_pairs *pairs, double a, double b);
/* `what` ends "signs of noise ...". */
void audit_pairs_judge(struct audit_run *run, const char *question, const char *what,
                       const struct audit_pairs *pairs);

/* ---- The checks ---- */

status audit_sensitivity(struct audit_run *run, const struct audit_questions *questions,
                         error *why) MUST_CHECK;
status audit_shape(struct audit_run *run, const struct audit_questions *questions, error *why) MUST_CHECK;
status audit_processes(struct audit_run *run, error *why) MUST_CHECK;
status audit_boards(struct audit_run *run, error *why) MUST_CHECK;
status audit_draws(struct audit_run *run, error *why) MUST_CHECK;
status audit_keys(struct audit_run *run, error *why) MUST_CHECK;
status audit_budget(struct audit_run *run, error *why) MUST_CHECK;
status audit_blocks(struct audit_run *run, error *why) MUST_CHECK;
status audit_failing(struct audit_run *run, error *why) MUST_CHECK;
/* All that can be looked at on a server. */
status audit_server(struct audit_run *run, error *why) MUST_CHECK;

#endif
