/* Floating point: the low-order bits of textbook noise.
 *
 * Mironov (2012): -b ln(u) with u a multiple of 2^-53 reaches only some of the doubles, and which ones are left after adding
 * the true answer depends on that answer. An adversary who sees an answer that cannot have come from 0 knows that it came
 * from 1, whatever epsilon is. Dither draws whole numbers of a power of two; every number that one side can
 * give the other can give too, and the probabilities differ by e^epsilon at most. */
#include "attack/floating_point.h"

#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"

enum {
    ANSWERS = 20000,
    QUICK_ANSWERS = 4000,
    LEVELS = 8, /* true answers 0, 1, 2, 4 ... 64 */
    NEAR = 64,  /* multiples of 2^-53 looked at around the one that the exponential gives */
};

/* ---- The textbook sampler, looked at from behind ---- */

int floating_point_ways(double answer, double center, double scale)
{
    double most = ldexp(1, 53), k = floor(ldexp(exp(-fabs(answer - center) / scale), 53));
    int ways = 0;
    for (double near = fmax(k - NEAR, 1); near <= fmin(k + NEAR, most); near++) {
        double size = -scale * log(ldexp(near, -53));
        ways += center + size == answer;
        ways += center - size == answer;
    }
    return ways;
}

/* ---- The game: 0 or 1, one answer ---- */

struct tally {
    double right, impossible; /* shares of the answers */
};

/* Whether the likelier side is right; one half where both are as likely. */
static double score(bool truth, double from_zero, double from_one)
{
    return from_zero == from_one ? 0.5 : (from_one > from_zero) == truth;
}

/* The truth is `lower` or one more. */
static struct tally attack_textbook(struct dice *dice, size_t answers, double lower)
{
    struct tally tally = {0, 0};
    for (size_t i = 0; i < answers; i++) {
        bool truth = dice_chance(dice, 0.5);
        double answer = lower + truth + dice_laplace(dice, 1);
        int from_zero = floating_point_ways(answer, lower, 1);
        int from_one = floating_point_ways(answer, lower + 1, 1);
        tally.impossible += ((from_zero > 0) != (from_one > 0)) / (double)answers;
        tally.right += score(truth, from_zero, from_one) / (double)answers;
    }
    return tally;
}

/* Through the public interface: a mechanism, its answers, and its law, by which the adversary judges what is possible. */
static status attack_mechanism(const dither_mechanism *mechanism, struct dice *dice, dither_random *random,
                               size_t answers, struct tally *tally, error *why)
{
    const double zero = 0, one = 1;
    const dither_data nobody = {&zero, 1}, somebody = {&one, 1};
    *tally = (struct tally){0, 0};
    for (size_t i = 0; i < answers; i++) {
        bool truth = dice_chance(dice, 0.5);
        double answer;
        TRY(dither_release(mechanism, random, truth ? &somebody : &nobody, &answer, 1, why));
        double from_zero = dither_probability(mechanism, &nobody, 0, answer);
        double from_one = dither_probability(mechanism, &somebody, 0, answer);
        tally->impossible += ((from_zero > 0) != (from_one > 0)) / (double)answers;
        tally->right += score(truth, from_zero, from_one) / (double)answers;
    }
    return DITHER_OK;
}

static status attack_dither(const char *epsilon, struct dice *dice, size_t answers, struct tally *tally,
                            error *why)
{
    const dither_options options = {.epsilon = dither_decimal(epsilon)};
    dither_random *random = dither_random_new(why);
    if (random == NULL)
        return why->status;
    status done = DITHER_OK;
    dither_mechanism *mechanism = dither_mechanism_new("laplace", &options, why);
    if (mechanism == NULL)
        done = why->status;
    else
        done = attack_mechanism(mechanism, dice, random, answers, tally, why);
    dither_mechanism_free(mechanism);
    dither_random_free(random);
    return done;
}

/* The larger the truth, the more of the noise's low-order bits are rounded away when it is added. */
static status attack_all_textbook(struct attack_result *result, struct dice *dice, size_t answers, error *why)
{
    double *x[2], *y[2];
    struct plot_panel *panel = attack_panel(result, "Textbook Laplace noise, epsilon 1",
                                            "true answer, or one more", "share of answers");
    TRY(attack_line(result, panel, "told right", LEVELS, &x[0], &y[0], why));
    TRY(attack_line(result, panel, "impossible on one side", LEVELS, &x[1], &y[1], why));
    for (size_t i = 0; i < LEVELS; i++) {
        double lower = i == 0 ? 0 : ldexp(1, (int)i - 1);
        struct tally tally = attack_textbook(dice, answers, lower);
        x[0][i] = x[1][i] = lower;
        y[0][i] = tally.right;
        y[1][i] = tally.impossible;
    }
    result->baseline = y[0][0];
    attack_fact(result, "textbook, 0 or 1, answers impossible on one side", y[1][0]);
    attack_fact(result, "textbook, 2 or 3, answers impossible on one side", y[1][2]);
    attack_fact(result, "textbook, 64 or 65, answers impossible on one side", y[1][LEVELS - 1]);
    attack_fact(result, "textbook, success promised on paper, at most", attack_bound("1"));
    return DITHER_OK;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    size_t answers = settings->quick ? QUICK_ANSWERS : ANSWERS;
    struct dice dice;
    struct tally dither = {0};
    dice_init(&dice, settings->seed, "floating point");
    TRY(attack_all_textbook(result, &dice, answers, why));
    TRY(attack_dither(settings->epsilon, &dice, answers, &dither, why));
    result->guessing = 0.5;
    result->dither = dither.right;
    result->bound = attack_bound(settings->epsilon);
    result->trials = answers;
    attack_fact(result, "Dither, answers impossible on one side", dither.impossible);
    return DITHER_OK;
}

const struct attack attack_floating_point = {
    .name = "floating-point",
    .summary = "read the low-order bits of noise",
    .baseline = "textbook Laplace noise in doubles, epsilon 1",
    .success = "answers whose origin, 0 or 1, was told right",
    .reference = "Mironov 2012",
    .run = run,
};
