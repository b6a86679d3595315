/* Averaging: ask the same thing again and again, until the noise has averaged out.
 *
 * Deck 000: the adversary knows that Bob alone was born on a certain day, and asks how many born on that day
 * code with Notepad: 0 or 1, plus Laplace noise. Against fresh noise and no budget its belief after k answers
 * y is the logistic function of the sum of epsilon * (|y| - |y - 1|); at epsilon = 1 ten answers settle the
 * question and five do not. Dither gives the same answer to the same question, and every other question eats
 * from one budget: all that can be done is to spend it, at once or in pieces.
 *
 * One trial is one day. Days are disjoint groups, so one question asks about Bobs of all days at no further
 * cost, and each of them is protected as if he were asked about alone. */
#include <math.h>
#include <stdio.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "attack/rows.h"

enum {
    BASELINE_TRIALS = 20000,
    QUICK_BASELINE_TRIALS = 10000,
    DAYS = 4000,
    QUICK_DAYS = 1000,
    ANSWERS = 40,        /* of the baseline, in the plot */
    BASELINE_AFTER = 20, /* answers: where its success is taken */
    QUESTIONS = 12,      /* that are put to Dither; the budget pays for PIECES of them */
    PIECES = 10,
};

/* What answer y, with noise of scale 1/epsilon, says for 1 and against 0: the logarithm of the odds. */
static double evidence(double epsilon, double y)
{
    return epsilon * (fabs(y) - fabs(y - 1));
}

/* 1 for right, 0 for wrong, one half where the evidence says nothing. */
static double score(bool truth, double odds)
{
    return odds == 0 ? 0.5 : (odds > 0) == truth;
}

/* ---- Fresh noise, no budget ---- */

struct curve {
    double success[ANSWERS], belief[ANSWERS]; /* after 1, 2 ... answers */
};

static void attack_fresh_noise(struct dice *dice, size_t trials, struct curve *curve)
{
    *curve = (struct curve){.success = {0}};
    for (size_t trial = 0; trial < trials; trial++) {
        bool truth = dice_chance(dice, 0.5);
        double odds = 0;
        for (size_t k = 0; k < ANSWERS; k++) {
            odds += evidence(1, truth + dice_laplace(dice, 1));
            curve->success[k] += score(truth, odds) / (double)trials;
            curve->belief[k] += 1 / (1 + exp(truth ? -odds : odds)) / (double)trials;
        }
    }
}

/* ---- Dither ---- */

struct game {
    const struct attack_settings *settings;
    size_t days;
    const bool *truth;
    double *odds; /* of each day's Bob */
};

static status make_students(struct lab *lab, const struct game *game, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "day,editor\n");
    for (size_t day = 0; day < game->days; day++)
        buffer_format(text, "%zu,%s\n", day, game->truth[day] ? "notepad" : "vim");
    TRY(lab_save(lab, "students.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: averaging\ntables:\n  students:\n    source: students.csv\n    unit: row\n"
                  "    columns:\n      day: {type: integer, range: [0, %zu], null: false}\n"
                  "      editor: {type: text, values: [notepad, vim]}\n",
                  game->days - 1);
    return lab_open(lab, game->settings->epsilon, NULL, why);
}

static double success_of(const struct game *game)
{
    double right = 0;
    for (size_t day = 0; day < game->days; day++)
        right += score(game->truth[day], game->odds[day]);
    return right / (double)game->days;
}

/* How the adversary divides the budget: `questions` in `pieces`, worded differently or not. */
struct plan {
    size_t questions, pieces;
    bool reworded;
};

static status ask_once(struct lab *lab, const struct game *game, const struct plan *plan, size_t number,
                       error *why)
{
    char sql[200], share[DECIMAL_TEXT];
    dither_answer *answer = NULL;
    snprintf(sql, sizeof sql,
             "SELECT day, count(*) FROM students WHERE editor = 'notepad' AND day > -%zu GROUP BY day ORDER "
             "BY day",
             plan->reworded ? number + 1 : 1);
    lab_share(game->settings->epsilon, plan->pieces, share);
    TRY(lab_ask(lab, sql, share, &answer, why));
    for (size_t day = 0; day < game->days; day++)
        if (!dither_answer_cached(answer)) /* what it knows already is no new evidence */
            game->odds[day] += evidence(dither_decimal(share), dither_cell_number(answer, day, 1));
    dither_answer_free(answer);
    return DITHER_OK;
}

/* Success after each question; the last value stays once the budget has ended. `paid`: how many were answered. */
static status attack_dither(struct game *game, const struct plan *plan, double *success, size_t *paid,
                            error *why)
{
    struct lab *lab = NULL;
    TRY(lab_new(&lab, why));
    status result = make_students(lab, game, why);
    for (size_t day = 0; day < game->days; day++)
        game->odds[day] = 0;
    *paid = 0;
    for (size_t i = 0; i < plan->questions && result == DITHER_OK; i++) {
        status asked = ask_once(lab, game, plan, i, why);
        *paid += asked == DITHER_OK;
        success[i] = success_of(game);
        result = asked == DITHER_REFUSED ? DITHER_OK : asked;
    }
    lab_free(lab);
    return result;
}

/* ---- The attack ---- */

static status draw(struct attack_result *result, struct plot_panel *panel, const char *name,
                   const double *success, size_t count, error *why)
{
    double *x, *y;
    TRY(attack_line(result, panel, name, count, &x, &y, why));
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)(i + 1);
        y[i] = success[i];
    }
    return DITHER_OK;
}

static status report_baseline(struct attack_result *result, const struct curve *curve,
                              struct plot_panel *panel, error *why)
{
    result->baseline = curve->success[BASELINE_AFTER - 1];
    attack_fact(result, "fresh noise, success after 1 answer", curve->success[0]);
    attack_fact(result, "fresh noise, success after 5 answers", curve->success[4]);
    attack_fact(result, "fresh noise, success after 10 answers", curve->success[9]);
    attack_fact(result, "fresh noise, success after 20 answers", curve->success[19]);
    attack_fact(result, "fresh noise, belief in the truth after 1 answer", curve->belief[0]);
    attack_fact(result, "fresh noise, belief in the truth after 5 answers", curve->belief[4]);
    attack_fact(result, "fresh noise, belief in the truth after 10 answers", curve->belief[9]);
    attack_fact(result, "fresh noise, belief in the truth after 20 answers", curve->belief[19]);
    return draw(result, panel, "fresh noise, epsilon 1 each, no budget", curve->success, ANSWERS, why);
}

static status play(struct game *game, struct attack_result *result, struct plot_panel *panel, error *why)
{
    const struct plan again = {QUESTIONS, 1, false}, pieces = {QUESTIONS, PIECES, true};
    double once[QUESTIONS], divided[QUESTIONS];
    size_t answered, paid;
    TRY(attack_dither(game, &again, once, &answered, why));
    TRY(attack_dither(game, &pieces, divided, &paid, why));
    result->dither = fmax(once[QUESTIONS - 1], divided[QUESTIONS - 1]);
    attack_fact(result, "Dither, the whole budget at once", once[0]);
    attack_fact(result, "Dither, the same question 12 times", once[QUESTIONS - 1]);
    attack_fact(result, "Dither, a tenth of the budget for each of 12 wordings", divided[QUESTIONS - 1]);
    attack_fact(result, "Dither, wordings that were answered", (double)paid);
    TRY(draw(result, panel, "Dither, the same question again", once, QUESTIONS, why));
    return draw(result, panel, "Dither, reworded until refused", divided, QUESTIONS, why);
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    struct curve curve;
    struct game game = {.settings = settings, .days = settings->quick ? QUICK_DAYS : DAYS};
    bool *truth;
    TRY(arena_take(&result->arena, game.days * sizeof *truth, (void **)&truth, why));
    TRY(arena_take(&result->arena, game.days * sizeof *game.odds, (void **)&game.odds, why));
    dice_init(&dice, settings->seed, "averaging");
    for (size_t day = 0; day < game.days; day++)
        truth[day] = dice_chance(&dice, 0.5);
    game.truth = truth;
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    result->trials = game.days;
    struct plot_panel *panel =
        attack_panel(result, "Averaging: Bob's editor, after so many answers", "answers", "success");
    attack_fresh_noise(&dice, settings->quick ? QUICK_BASELINE_TRIALS : BASELINE_TRIALS, &curve);
    TRY(report_baseline(result, &curve, panel, why));
    return play(&game, result, panel, why);
}

const struct attack attack_averaging = {
    .name = "averaging",
    .summary = "repeat a count about one person until the noise averages out",
    .baseline = "fresh noise (epsilon 1), no budget, 20 answers",
    .success = "people whose editor was guessed right",
    .reference = "deck 000",
    .run = run,
    .run_on_rows = rows_averaging,
    .baseline_on_rows = "fresh noise (epsilon 1), no budget, 20 answers",
    .success_on_rows = "people whose secret was told right",
};
