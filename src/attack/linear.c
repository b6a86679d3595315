/* Reconstruction by the polynomial adversary: a few times n random subsets of n people, and linear algebra.
 *
 * Dinur and Nissim 2003; by least squares Dwork and Yekhanin 2008. With m questions and noise of deviation
 * sigma = c * sqrt(n) the estimate of each bit has deviation 2 sigma / sqrt(m - n), so that rounding it is right with
 * probability Phi(sqrt(m/n - 1) / (4c)): noise of the order of sqrt(n) is needed, whatever n is, and more with every
 * further question. That is why the noise of Dither grows with the number of questions: the budget sees to it.
 *
 * Against Dither the questions are SQL, one for each subset, all towns at once, until the budget is spent and the next
 * one is refused. */
#include <math.h>
#include <stdio.h>

#include "attack/attacks.h"
#include "attack/least_distance.h"
#include "attack/linear.h"
#include "attack/rows.h"

enum {
    PEOPLE = 2000,
    QUICK_PEOPLE = 256,
    QUESTIONS_EACH = 4, /* m / n */
    PROGRAM_PEOPLE = 128,
    QUICK_PROGRAM_PEOPLE = 40,
    TOWN = 128,
    QUICK_TOWN = 32,
    TOWNS = 16,
    LEVELS = 9,
};

/* sigma / sqrt(n) */
static const double levels[LEVELS] = {0, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8};
enum { BASELINE_LEVEL = 2 };

double linear_law(double questions_each, double level)
{
    return 0.5 * erfc(-sqrt(questions_each - 1) / (4 * level) / sqrt(2));
}

/* ---- Noise of a fixed size ---- */

status linear_trial(const struct linear_game *game, struct dice *dice, struct arena *arena, double *right,
                    error *why)
{
    size_t n = game->people, m = game->people * game->questions_each;
    struct subset_matrix matrix;
    double *bits, *answers, *guess;
    TRY(subset_matrix_make(&matrix, m, n, dice, arena, why));
    TRY(arena_take(arena, n * sizeof *bits, (void **)&bits, why));
    TRY(arena_take(arena, m * sizeof *answers, (void **)&answers, why));
    TRY(arena_take(arena, n * sizeof *guess, (void **)&guess, why));
    for (size_t i = 0; i < n; i++)
        bits[i] = dice_chance(dice, 0.5);
    subset_matrix_sums(&matrix, bits, answers);
    for (size_t i = 0; i < m; i++)
        answers[i] += game->level * sqrt((double)n) * dice_normal(dice);
    TRY(game->solve(&matrix, answers, guess, why));
    *right = linear_right(bits, guess, n);
    return DITHER_OK;
}

double linear_right(const double *bits, const double *guess, size_t count)
{
    double right = 0;
    for (size_t i = 0; i < count; i++)
        right += (guess[i] > 0.5) == (bits[i] > 0.5);
    return right / (double)count;
}

static status draw_levels(struct attack_result *result, struct plot_panel *panel, const char *name,
                          struct linear_game game, struct dice *dice, double **success, error *why)
{
    double *x;
    TRY(attack_line(result, panel, name, LEVELS, &x, success, why));
    for (size_t i = 0; i < LEVELS; i++) {
        struct arena arena;
        game.level = x[i] = levels[i];
        arena_init(&arena, ATTACK_ARENA_BYTES);
        status done = linear_trial(&game, dice, &arena, &(*success)[i], why);
        arena_free(&arena);
        TRY(done);
    }
    return DITHER_OK;
}

static status attack_baseline(const struct attack_settings *settings, struct attack_result *result,
                              struct dice *dice, error *why)
{
    struct plot_panel *panel =
        attack_panel(result, "4n random subsets", "noise, in units of sqrt(n)", "share of people rebuilt");
    struct linear_game squares = {settings->quick ? QUICK_PEOPLE : PEOPLE, QUESTIONS_EACH, 0, least_squares};
    struct linear_game program = {settings->quick ? QUICK_PROGRAM_PEOPLE : PROGRAM_PEOPLE, QUESTIONS_EACH, 0,
                                  least_distance};
    double *x, *y, *by_squares, *by_program;
    TRY(draw_levels(result, panel, "least squares", squares, dice, &by_squares, why));
    TRY(draw_levels(result, panel, "linear program", program, dice, &by_program, why));
    TRY(attack_line(result, panel, "the law for least squares", LEVELS, &x, &y, why));
    for (size_t i = 0; i < LEVELS; i++) {
        x[i] = levels[i];
        y[i] = i == 0 ? 1 : linear_law(QUESTIONS_EACH, levels[i]);
    }
    TRY(attack_line(result, panel, "noise of sqrt(n)", 2, &x, &y, why));
    x[0] = x[1] = 1;
    y[0] = 0.5;
    y[1] = 1;
    panel->log_x = true;
    result->baseline = by_squares[BASELINE_LEVEL];
    attack_fact(result, "people, least squares", (double)squares.people);
    attack_fact(result, "rebuilt at noise sqrt(n) / 8, least squares", by_squares[BASELINE_LEVEL]);
    attack_fact(result, "rebuilt at noise sqrt(n) / 4, least squares", by_squares[BASELINE_LEVEL + 1]);
    attack_fact(result, "rebuilt at noise sqrt(n) / 4, the law", linear_law(QUESTIONS_EACH, 0.25));
    attack_fact(result, "rebuilt at noise 8 sqrt(n), least squares", by_squares[LEVELS - 1]);
    attack_fact(result, "people, linear program", (double)program.people);
    attack_fact(result, "rebuilt at noise sqrt(n) / 8, linear program", by_program[BASELINE_LEVEL]);
    attack_fact(result, "rebuilt at noise sqrt(n) / 4, linear program", by_program[BASELINE_LEVEL + 1]);
    return DITHER_OK;
}

/* ---- Through SQL ---- */

static const char *const budget_names[] = {
    "Dither, rebuilt with the budget", "rebuilt with 10 times the budget",
    "rebuilt with 100 times the budget", "rebuilt with 1000 times the budget"};

/* 10^exponent times the budget. */
static status multiplied(const char *epsilon, int exponent, char out[DECIMAL_TEXT], error *why)
{
    struct decimal value;
    uint64_t factor = 1;
    TRY(decimal_parse(epsilon, &value, why));
    for (int i = 0; i < exponent; i++)
        factor *= 10;
    if (!decimal_multiply(value, factor, &value))
        return fail(why, DITHER_INVALID, "the budget is too large to be multiplied");
    decimal_print(value, out);
    return DITHER_OK;
}

static status attack_dither(const struct attack_settings *settings, struct attack_result *result,
                            struct dice *dice, error *why)
{
    int budgets = settings->quick ? 1 : (int)(sizeof budget_names / sizeof budget_names[0]);
    struct linear_towns towns = {.count = TOWNS, .people = settings->quick ? QUICK_TOWN : TOWN};
    double *x, *y;
    struct plot_panel *panel = attack_panel(result, "4n random subsets in SQL, until the budget ends",
                                            "epsilon", "share of people rebuilt");
    TRY(attack_line(result, panel, "Dither", (size_t)budgets, &x, &y, why));
    panel->log_x = true;
    TRY(linear_towns_make(&towns, QUESTIONS_EACH, dice, &result->arena, why));
    for (int i = 0; i < budgets; i++) {
        char epsilon[DECIMAL_TEXT];
        size_t answered;
        TRY(multiplied(settings->epsilon, i, epsilon, why));
        TRY(linear_towns_attack(&towns, epsilon, &y[i], &answered, why));
        x[i] = dither_decimal(epsilon);
        if (i == 0)
            attack_fact(result, "Dither, questions answered before the budget ended", (double)answered);
        attack_fact(result, budget_names[i], y[i]);
    }
    result->dither = y[0];
    result->trials = towns.count * towns.people;
    return DITHER_OK;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    dice_init(&dice, settings->seed, "linear");
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    TRY(attack_baseline(settings, result, &dice, why));
    return attack_dither(settings, result, &dice, why);
}

const struct attack attack_linear = {
    .name = "reconstruction-linear",
    .summary = "ask about a few times n random subsets, solve for everybody",
    .baseline = "counts of 4n random subsets, noise sqrt(n) / 8",
    .success = "people whose secret bit was rebuilt",
    .reference = "Dinur and Nissim 2003; Dwork, McSherry, Talwar 2007; Dwork and Yekhanin 2008; deck 002",
    .run = run,
    .run_on_rows = rows_reconstruction,
    .baseline_on_rows = "counts of 4n random subsets, noise sqrt(n) / 8",
    .success_on_rows = "people whose secret was rebuilt",
};
