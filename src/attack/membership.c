/* Membership: was somebody among the people whose averages were published?
 *
 * Homer and others (2008), Dwork and others (2015): a study publishes, for each of d yes-or-no attributes, how many of its n
 * people have it. Whoever knows a person's attributes x, and the shares p of the population, adds up
 * (x - p)(published - p): larger for members, by sqrt(d / n) deviations, so that half way between
 * Phi(sqrt(d / n) / 2) are told right. With d well above n the study's membership is public. Exact histograms are no better: who knows everybody else in a cell knows the rest.
 *
 * Dither answers d counts for one budget: each gets epsilon / d. Half of the trials are members, half are not. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "attack/rows.h"

enum {
    ATTRIBUTES = 1000,
    QUICK_ATTRIBUTES = 200,
    MEMBERS = 50, /* and as many others */
    AT_ONCE = 50, /* attributes in one question */
    CELLS = 400,  /* of the histogram */
    QUICK_CELLS = 200,
    IN_CELL = 3, /* others, whom the adversary knows */
};

struct study {
    size_t attributes;
    double *shares;         /* of the population */
    bool *members, *others; /* person by person */
    double *published;      /* share of the members, exact or noisy */
};

static void make_people(const struct study *study, bool *people, struct dice *dice)
{
    for (size_t i = 0; i < MEMBERS * study->attributes; i++)
        people[i] = dice_chance(dice, study->shares[i % study->attributes]);
}

static status make_study(struct study *study, struct dice *dice, struct arena *arena, error *why)
{
    size_t size = MEMBERS * study->attributes * sizeof(bool);
    TRY(arena_take(arena, study->attributes * sizeof(double), (void **)&study->shares, why));
    TRY(arena_take(arena, study->attributes * sizeof(double), (void **)&study->published, why));
    TRY(arena_take(arena, size, (void **)&study->members, why));
    TRY(arena_take(arena, size, (void **)&study->others, why));
    for (size_t j = 0; j < study->attributes; j++)
        study->shares[j] = 0.1 + 0.8 * dice_uniform(dice);
    make_people(study, study->members, dice);
    make_people(study, study->others, dice);
    return DITHER_OK;
}

static void publish_exactly(const struct study *study)
{
    for (size_t j = 0; j < study->attributes; j++) {
        study->published[j] = 0;
        for (size_t i = 0; i < MEMBERS; i++)
            study->published[j] += study->members[i * study->attributes + j] / (double)MEMBERS;
    }
}

static double likeness(const struct study *study, const bool *person)
{
    double sum = 0;
    for (size_t j = 0; j < study->attributes; j++)
        sum += (person[j] - study->shares[j]) * (study->published[j] - study->shares[j]);
    return sum;
}

/* A member adds his own (x - p)^2 / n, on average p (1 - p) / n for each attribute: half of that is the threshold. */
static double success_of(const struct study *study)
{
    double threshold = 0, right = 0;
    for (size_t j = 0; j < study->attributes; j++)
        threshold += study->shares[j] * (1 - study->shares[j]) / (2.0 * MEMBERS);
    for (size_t i = 0; i < MEMBERS; i++) {
        right += likeness(study, study->members + i * study->attributes) > threshold;
        right += likeness(study, study->others + i * study->attributes) <= threshold;
    }
    return right / (2.0 * MEMBERS);
}

/* ---- Averages from Dither ---- */

/* A row for each member, a column for each attribute. */
static status open_study(const struct study *study, const char *epsilon, struct lab *lab, error *why)
{
    struct buffer *text = lab_text(lab);
    for (size_t j = 0; j < study->attributes; j++)
        buffer_format(text, j > 0 ? ",a%zu" : "a%zu", j);
    buffer_byte(text, '\n');
    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t j = 0; j < study->attributes; j++)
            buffer_format(text, "%s%c", study->members[i * study->attributes + j] ? "true" : "false",
                          j + 1 < study->attributes ? ',' : '\n');
    TRY(lab_save(lab, "members.csv", why));
    text = lab_text(lab);
    buffer_text(
        text, "dataset: study\ntables:\n  members:\n    source: members.csv\n    unit: row\n    columns:\n");
    for (size_t j = 0; j < study->attributes; j++)
        buffer_format(text, "      a%zu: {type: boolean, null: false}\n", j);
    return lab_open(lab, epsilon, NULL, why);
}

static status ask_averages(const struct study *study, const char *epsilon, struct lab *lab, error *why)
{
    char share[DECIMAL_TEXT];
    struct buffer sql;
    status done = DITHER_OK;
    lab_share(epsilon, study->attributes / AT_ONCE, share);
    buffer_init(&sql, LAB_TEXT_BYTES);
    for (size_t first = 0; first < study->attributes && done == DITHER_OK; first += AT_ONCE) {
        dither_answer *answer = NULL;
        buffer_clear(&sql);
        for (size_t j = first; j < first + AT_ONCE; j++)
            buffer_format(&sql, "%s count(*) FILTER (WHERE a%zu)", j == first ? "SELECT" : ",", j);
        buffer_text(&sql, " FROM members");
        done = buffer_check(&sql, why);
        if (done == DITHER_OK)
            done = lab_ask(lab, sql.data, share, &answer, why);
        for (size_t j = first; j < first + AT_ONCE && done == DITHER_OK; j++)
            study->published[j] = dither_cell_number(answer, 0, j - first) / MEMBERS;
        dither_answer_free(answer);
    }
    buffer_free(&sql);
    return done;
}

static status attack_averages(const struct attack_settings *settings, struct attack_result *result,
                              struct dice *dice, error *why)
{
    struct study study = {.attributes = settings->quick ? QUICK_ATTRIBUTES : ATTRIBUTES};
    struct lab *lab = NULL;
    TRY(make_study(&study, dice, &result->arena, why));
    publish_exactly(&study);
    result->baseline = success_of(&study);
    TRY(lab_new(&lab, why));
    status done = open_study(&study, settings->epsilon, lab, why);
    if (done == DITHER_OK)
        done = ask_averages(&study, settings->epsilon, lab, why);
    lab_free(lab);
    TRY(done);
    result->dither = success_of(&study);
    result->trials = 2 * (size_t)MEMBERS;
    attack_fact(result, "attributes", (double)study.attributes);
    attack_fact(result, "people in the study", MEMBERS);
    attack_fact(result, "exact averages", result->baseline);
    attack_fact(result, "exact averages, by the formula",
                0.5 * erfc(-sqrt((double)study.attributes / MEMBERS) / 2 / sqrt(2)));
    attack_fact(result, "Dither, averages", result->dither);
    return DITHER_OK;
}

/* ---- Histograms ---- */

/* One victim and IN_CELL known others in each cell; the count less the known ones is the victim's membership. */
static status attack_histogram(const struct attack_settings *settings, struct attack_result *result,
                               struct dice *dice, error *why)
{
    size_t cells = settings->quick ? QUICK_CELLS : CELLS;
    struct lab *lab = NULL;
    dither_answer *answer = NULL;
    bool *secret;
    double right = 0;
    TRY(arena_take(&result->arena, cells * sizeof *secret, (void **)&secret, why));
    TRY(lab_new(&lab, why));
    struct buffer *text = lab_text(lab);
    buffer_text(text, "cell\n");
    for (size_t i = 0; i < cells; i++) {
        secret[i] = dice_chance(dice, 0.5);
        for (int person = 0; person < IN_CELL + secret[i]; person++)
            buffer_format(text, "%zu\n", i);
    }
    status done = lab_save(lab, "people.csv", why);
    text = lab_text(lab);
    buffer_format(
        text,
        "dataset: histogram\ntables:\n  people:\n    source: people.csv\n    unit: row\n    columns:\n"
        "      cell: {type: integer, range: [0, %zu], null: false}\n",
        cells - 1);
    if (done == DITHER_OK)
        done = lab_open(lab, settings->epsilon, NULL, why);
    if (done == DITHER_OK)
        done = lab_ask(lab, "SELECT cell, count(*) FROM people GROUP BY cell ORDER BY cell",
                       settings->epsilon, &answer, why);
    for (size_t i = 0; i < cells && done == DITHER_OK; i++)
        right += (dither_cell_number(answer, i, 1) > IN_CELL + 0.5) == secret[i];
    if (done == DITHER_OK)
        attack_fact(result, "Dither, histogram, everybody else known", right / (double)cells);
    dither_answer_free(answer);
    lab_free(lab);
    return done;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    dice_init(&dice, settings->seed, "membership");
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    TRY(attack_averages(settings, result, &dice, why));
    return attack_histogram(settings, result, &dice, why);
}

const struct attack attack_membership = {
    .name = "membership",
    .summary = "tell from many averages who was among the people averaged",
    .baseline = "exact averages of 1000 attributes of 50 people",
    .success = "people of whom it was told right whether they were in the study",
    .reference = "Homer and others 2008; Dwork, Smith, Steinke, Ullman, Vadhan 2015",
    .run = run,
    .run_on_rows = rows_membership,
    .baseline_on_rows = "an exact histogram",
    .success_on_rows = "people of whom it was told right whether they are in the data",
};
