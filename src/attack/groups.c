/* Groups: ten people who share a secret.
 *
 * Deck 000: ten students born in April all use the same editor. Bounded noise of a few units does not hide ten people, and
 * neither does noise that was made for one: epsilon for a person is ten times epsilon for ten (group privacy). Dither
 * protects whatever the policy calls a unit. Where households, teams or families share secrets, the unit is the group,
 * and all its rows are hidden together.
 *
 * One trial is one month of birth; all are asked about at once. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"

enum {
    GROUPS = 2000,
    QUICK_GROUPS = 400,
    PEOPLE = 10, /* in each */
    BOUNDED = 5, /* the baseline's noise is uniform within so many */
};

/* The policy's unit: a column, or "row". */
static status open_students(struct lab *lab, const bool *secret, size_t count, const char *unit,
                            const char *epsilon, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "team,month,notepad\n");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < PEOPLE; j++)
            buffer_format(text, "%zu,%zu,%s\n", i, i, secret[i] ? "true" : "false");
    TRY(lab_save(lab, "students.csv", why));
    text = lab_text(lab);
    buffer_format(
        text,
        "dataset: groups\ntables:\n  students:\n    source: students.csv\n    unit: %s\n"
        "    max_rows: %d\n    max_groups: 1\n    columns:\n      team: {type: integer, null: false}\n"
        "      month: {type: integer, range: [0, %zu], null: false}\n"
        "      notepad: {type: boolean, null: false}\n",
        unit, PEOPLE, count - 1);
    return lab_open(lab, epsilon, NULL, why);
}

static status attack_dither(const bool *secret, size_t count, const char *unit, const char *epsilon,
                            double *success, error *why)
{
    struct lab *lab = NULL;
    dither_answer *answer = NULL;
    double right = 0;
    TRY(lab_new(&lab, why));
    status done = open_students(lab, secret, count, unit, epsilon, why);
    if (done == DITHER_OK)
        done =
            lab_ask(lab, "SELECT month, count(*) FROM students WHERE notepad GROUP BY month ORDER BY month",
                    epsilon, &answer, why);
    for (size_t i = 0; i < count && done == DITHER_OK; i++) {
        double number = dither_cell_number(answer, i, 1);
        right += number == PEOPLE / 2.0 ? 0.5 : (number > PEOPLE / 2.0) == secret[i];
    }
    if (done == DITHER_OK)
        *success = right / (double)count;
    dither_answer_free(answer);
    lab_free(lab);
    return done;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    size_t count = settings->quick ? QUICK_GROUPS : GROUPS;
    struct dice dice;
    bool *secret;
    double right = 0, person;
    TRY(arena_take(&result->arena, count * sizeof *secret, (void **)&secret, why));
    dice_init(&dice, settings->seed, "groups");
    for (size_t i = 0; i < count; i++) {
        secret[i] = dice_chance(&dice, 0.5);
        double answer = PEOPLE * secret[i] + BOUNDED * (2 * dice_uniform(&dice) - 1);
        right += (answer > PEOPLE / 2.0) == secret[i];
    }
    result->guessing = 0.5;
    result->baseline = right / (double)count;
    result->bound = attack_bound(settings->epsilon);
    result->trials = count;
    TRY(attack_dither(secret, count, "row", settings->epsilon, &person, why));
    TRY(attack_dither(secret, count, "team", settings->epsilon, &result->dither, why));
    attack_fact(result, "Dither, unit a person", person);
    attack_fact(result, "Dither, unit a person, at most",
                1 / (1 + exp(-PEOPLE * dither_decimal(settings->epsilon))));
    attack_fact(result, "Dither, unit the group", result->dither);
    return DITHER_OK;
}

const struct attack attack_groups = {
    .name = "groups",
    .summary = "find out what ten people share",
    .baseline = "noise uniform within 5",
    .success = "groups of ten whose secret was told right (Dither: unit the group)",
    .reference = "deck 000, group privacy",
    .run = run,
};
