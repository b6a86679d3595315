/* Outliers: one rich person moves a mean, and turns a regression.
 *
 * Deck 004: the mean income of ten patients of a hospital unit is 3300; with Ms. Rich, who earns 100,000, it is 12,090.90, and
 * whoever sees the mean knows that she was there. Income against age is -4524.2 + 207.5 age without her and
 * -54307 + 1652 age with her. (The deck shows the regression lines and not the ages; those below have these lines.)
 *
 * Dither clamps incomes to what the owner declared, 0 to 100,000, and hides one person who is anywhere in that range: the
 * noise is as large as Ms. Rich. One trial is one unit of many, each of ten ordinary people, and with her in one of two
 * cases; all units are asked about at once. */
#include <math.h>
#include <stdio.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"

enum {
    UNITS = 2000,
    QUICK_UNITS = 400,
    ORDINARY = 10,
    MOST = ORDINARY + 1,
    RICH_INCOME = 100000,
    RICH_AGE = 65,
};

static const double mean_threshold = 8000; /* between 3300 and 12,090 */
static const double slope_threshold = 700; /* between 207 and 1652 */

struct patient {
    double age, income;
};

struct unit {
    struct patient patients[MOST];
    size_t count;
    bool secret; /* Ms. Rich is there */
};

static const struct unit the_decks = {
    .patients = {{34, 1000},
                 {39, 2000},
                 {50, 3000},
                 {31, 2000},
                 {30, 1000},
                 {51, 6000},
                 {32, 2000},
                 {52, 10000},
                 {24, 2000},
                 {34, 4000},
                 {RICH_AGE, RICH_INCOME}},
};

/* ---- Exact statistics ---- */

struct line {
    double mean, intercept, slope;
};

static struct line fit(const struct patient *patients, size_t count)
{
    double n = (double)count, age = 0, income = 0, products = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        age += patients[i].age / n;
        income += patients[i].income / n;
    }
    for (size_t i = 0; i < count; i++) {
        products += (patients[i].age - age) * (patients[i].income - income);
        squares += (patients[i].age - age) * (patients[i].age - age);
    }
    double slope = squares > 0 ? products / squares : 0;
    return (struct line){income, income - slope * age, slope};
}

static void make_unit(struct unit *unit, struct dice *dice)
{
    unit->count = ORDINARY;
    for (size_t i = 0; i < ORDINARY; i++) {
        double income = 1000 * fmin(fmax(round(exp(1 + 0.6 * dice_normal(dice))), 1), 10);
        unit->patients[i] = (struct patient){20.0 + dice_below(dice, 45), income};
    }
    unit->secret = dice_chance(dice, 0.5);
    if (unit->secret)
        unit->patients[unit->count++] = (struct patient){RICH_AGE, RICH_INCOME};
}

static void attack_exact(struct attack_result *result, const struct unit *units, size_t count)
{
    struct line without = fit(the_decks.patients, ORDINARY), with = fit(the_decks.patients, MOST);
    double by_mean = 0, by_slope = 0;
    for (size_t i = 0; i < count; i++) {
        struct line line = fit(units[i].patients, units[i].count);
        by_mean += (line.mean > mean_threshold) == units[i].secret;
        by_slope += (line.slope > slope_threshold) == units[i].secret;
    }
    result->baseline = by_mean / (double)count;
    attack_fact(result, "deck 004, mean without Ms. Rich", without.mean);
    attack_fact(result, "deck 004, mean with Ms. Rich", with.mean);
    attack_fact(result, "deck 004, slope without Ms. Rich", without.slope);
    attack_fact(result, "deck 004, intercept without Ms. Rich", without.intercept);
    attack_fact(result, "deck 004, slope with Ms. Rich", with.slope);
    attack_fact(result, "deck 004, intercept with Ms. Rich", with.intercept);
    attack_fact(result, "exact, told by the mean", result->baseline);
    attack_fact(result, "exact, told by the slope", by_slope / (double)count);
}

/* ---- Dither ---- */

static status open_units(struct lab *lab, const struct unit *units, size_t count, const char *epsilon,
                         error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "unit,age,income\n");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < units[i].count; j++)
            buffer_format(text, "%zu,%g,%g\n", i, units[i].patients[j].age, units[i].patients[j].income);
    TRY(lab_save(lab, "patients.csv", why));
    text = lab_text(lab);
    buffer_format(
        text,
        "dataset: units\ntables:\n  patients:\n    source: patients.csv\n    unit: row\n"
        "    columns:\n      unit: {type: integer, range: [0, %zu], null: false}\n"
        "      age: {type: integer, range: [0, 120]}\n      income: {type: integer, range: [0, %d]}\n",
        count - 1, RICH_INCOME);
    return lab_open(lab, epsilon, NULL, why);
}

/* What is asked, and above what the adversary says that she was there. */
struct question {
    const char *statistic, *name;
    double threshold;
};

static const struct question questions[] = {
    {"sum(income)", "Dither, told by the sum", 83000}, /* ten ordinary people and half of Ms. Rich */
    {"avg(income)", "Dither, told by the mean", 8000},
    {"regr_slope(income, age)", "Dither, told by the slope", 700},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static status ask(const struct question *question, const struct unit *units, size_t count,
                  const char *epsilon, double *success, error *why)
{
    struct lab *lab = NULL;
    dither_answer *answer = NULL;
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT unit, %s FROM patients GROUP BY unit ORDER BY unit",
             question->statistic);
    TRY(lab_new(&lab, why));
    status done = open_units(lab, units, count, epsilon, why);
    if (done == DITHER_OK)
        done = lab_ask(lab, sql, epsilon, &answer, why);
    double right = 0;
    for (size_t i = 0; i < count && done == DITHER_OK; i++)
        right += (dither_cell_number(answer, i, 1) > question->threshold) == units[i].secret;
    if (done == DITHER_OK)
        *success = right / (double)count;
    dither_answer_free(answer);
    lab_free(lab);
    return done;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    size_t count = settings->quick ? QUICK_UNITS : UNITS;
    struct unit *units;
    struct dice dice;
    TRY(arena_take(&result->arena, count * sizeof *units, (void **)&units, why));
    dice_init(&dice, settings->seed, "outliers");
    for (size_t i = 0; i < count; i++)
        make_unit(&units[i], &dice);
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    result->trials = count;
    result->dither = 0;
    attack_exact(result, units, count);
    for (size_t i = 0; i < QUESTIONS; i++) {
        double success;
        TRY(ask(&questions[i], units, count, settings->epsilon, &success, why));
        attack_fact(result, questions[i].name, success);
        result->dither = fmax(result->dither, success);
    }
    return DITHER_OK;
}

const struct attack attack_outliers = {
    .name = "outliers",
    .summary = "see from a mean, or a regression, that a rich person is among the data",
    .baseline = "exact means of ten or eleven people",
    .success = "units of which it was told right whether Ms. Rich is there",
    .reference = "deck 004",
    .run = run,
};
