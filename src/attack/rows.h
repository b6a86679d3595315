/* rows.h - the people of a policy's own rows, for attacks on data that somebody else made.
 *
 *     TRY(rows_read("examples/hospital/hospital.yaml", &arena, &rows, why));
 *
 * Only rows that the owner calls made up (`synthetic: true`) are read: an attack that succeeds tells about real people. What an
 * adversary would look for is taken from the policy: a table with one row for each unit, read from a CSV file; a column of
 * true and false is the secret, and a column of whole numbers with a range, such as the age, is how he finds his victims. Where a
 * policy has no such table, its rows are refused.
 *
 * One victim is chosen for each value of that column. One question, grouped by it, then asks about all of them, and each is protected as
 * if asked about alone. */
#ifndef ATTACK_ROWS_H
#define ATTACK_ROWS_H

#include "attack/attack.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "policy/policy.h"

struct rows_person {
    const char *id;     /* as it stands in the file: a whole number */
    const char *others; /* all columns but id and secret */
    size_t group;       /* the value of `by`, from the lower end of its range */
    bool secret;
};

struct rows {
    const struct policy *policy;
    const struct policy_table *table;
    const struct policy_column *id, *secret, *by;
    size_t group_count;
    struct rows_person *people;
    size_t count;
};

status rows_read(const char *file, struct arena *arena, struct rows *out, error *why) MUST_CHECK;

/* The victims of one round: persons' indices, at most one of each group, half of them with the secret. */
struct rows_victims {
    size_t *people, count;
};

status rows_choose(const struct rows *rows, struct dice *dice, struct arena *arena, struct rows_victims *out,
                   error *why) MUST_CHECK;

/* Puts the rows behind Dither, under the owner's policy with another budget; but for the people of `left_out`, which may be NULL
 * (else one flag for each person). */
status rows_open(const struct rows *rows, struct lab *lab, const char *epsilon, const bool *left_out,
                 error *why) MUST_CHECK;

/* "patient_id" IN (4, 17, ...): the victims, or all but them. */
void rows_print_victims(const struct rows *rows, const struct rows_victims *victims, bool but,
                        struct buffer *out);

/* Counts those of whom the condition holds, and adds `sign` times the count of his group to each victim's sum. */
status rows_ask(const struct rows *rows, struct lab *lab, const struct rows_victims *victims,
                const char *condition, const char *epsilon, double sign, double *sums, bool *cached,
                error *why) MUST_CHECK;

/* rows_games.c: the attacks that can be played on any such rows. */
status rows_averaging(const struct attack_settings *settings, struct attack_result *result,
                      error *why) MUST_CHECK;
status rows_intersection(const struct attack_settings *settings, struct attack_result *result,
                         error *why) MUST_CHECK;
status rows_tracker(const struct attack_settings *settings, struct attack_result *result,
                    error *why) MUST_CHECK;
status rows_linkage(const struct attack_settings *settings, struct attack_result *result,
                    error *why) MUST_CHECK;
status rows_membership(const struct attack_settings *settings, struct attack_result *result,
                       error *why) MUST_CHECK;
/* rows_reconstruction.c */
status rows_reconstruction(const struct attack_settings *settings, struct attack_result *result,
                           error *why) MUST_CHECK;

#endif
