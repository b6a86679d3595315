/* Reconstruction by the exponential adversary (Dinur and Nissim 2003; deck 002).
 *
 * Every subset of n people is asked about, and every answer is within E of the truth. Whoever takes any data set that fits
 * all answers is wrong about at most 4E people: a set that fits differs from the truth by at most 2E on the people who
 * have the bit in one and not in the other, and again by at most 2E the other way round. Noise at random gives the truth
 * itself; answers half way between two data sets that are 4E apart fit both, so 4E is no more than what can happen.
 *
 * Dither answers 2^n - 1 questions too, each for a share of the budget that is as small. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "attack/subsets.h"
#include "attack/towns.h"

enum {
    PEOPLE = 16, /* of the baseline */
    QUICK_PEOPLE = 12,
    TOWN = 10, /* people behind Dither */
    QUICK_TOWN = 8,
    TOWNS = 200,
    QUICK_TOWNS = 50,
    MOST_ERROR = 3,
    AT_ONCE = 64, /* subsets in one question */
    REPEATS = 5,
};

/* ---- Answers within E ---- */

/* Noise uniform on [-E, E], as in deck 002. */
static void answer_at_random(struct dice *dice, uint32_t data, unsigned people, double reach, double *sums)
{
    for (uint32_t subset = 0; subset < 1u << people; subset++)
        sums[subset] = subsets_sum(data, subset) + reach * (2 * dice_uniform(dice) - 1);
}

/* Half way to a data set that is 4E away: 2E people lose the bit and 2E people get it. */
static void answer_in_the_worst_way(uint32_t data, uint32_t other, unsigned people, double *sums)
{
    for (uint32_t subset = 0; subset < 1u << people; subset++)
        sums[subset] = (subsets_sum(data, subset) + subsets_sum(other, subset)) / 2.0;
}

/* What was rebuilt at one error: share of bits right when noise is random, and how far a fitting data set may be. */
struct outcome {
    double right;
    int random_farthest, worst_farthest;
};

static struct outcome attack_within(struct dice *dice, unsigned people, int reach, double *sums)
{
    struct outcome outcome = {0, 0, 0};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        uint32_t data = (uint32_t)dice_word(dice) & ((1u << people) - 1), first = 0;
        int farthest;
        answer_at_random(dice, data, people, reach, sums);
        (void)subsets_consistent(sums, people, reach, data, &first, &farthest); /* the truth is always one */
        outcome.right += (1 - subsets_distance(first, data) / (double)people) / REPEATS;
        outcome.random_farthest = farthest > outcome.random_farthest ? farthest : outcome.random_farthest;
    }
    unsigned moved = 2 * (unsigned)reach;
    uint32_t data = (1u << moved) - 1, other = data << moved, first;
    answer_in_the_worst_way(data, other, people, sums);
    (void)subsets_consistent(sums, people, reach, data, &first, &outcome.worst_farthest);
    return outcome;
}

static status attack_baseline(const struct attack_settings *settings, struct attack_result *result,
                              struct dice *dice, error *why)
{
    static const char *const random_names[] = {"exact, people wrong", "within 1 at random, most people wrong",
                                               "within 2 at random, most people wrong",
                                               "within 3 at random, most people wrong"};
    static const char *const worst_names[] = {
        "exact, people wrong in the worst case", "within 1 in the worst way, most people wrong",
        "within 2 in the worst way, most people wrong", "within 3 in the worst way, most people wrong"};
    unsigned people = settings->quick ? QUICK_PEOPLE : PEOPLE;
    double *sums, *x[3], *y[3];
    TRY(arena_take(&result->arena, sizeof(double) << people, (void **)&sums, why));
    struct plot_panel *panel =
        attack_panel(result, "All subsets answered within E", "E", "people wrong, at most");
    TRY(attack_line(result, panel, "noise at random", MOST_ERROR + 1, &x[0], &y[0], why));
    TRY(attack_line(result, panel, "noise in the worst way", MOST_ERROR + 1, &x[1], &y[1], why));
    TRY(attack_line(result, panel, "4E", MOST_ERROR + 1, &x[2], &y[2], why));
    attack_fact(result, "people", people);
    for (int reach = 0; reach <= MOST_ERROR; reach++) {
        struct outcome outcome = attack_within(dice, people, reach, sums);
        x[0][reach] = x[1][reach] = x[2][reach] = reach;
        y[0][reach] = outcome.random_farthest;
        y[1][reach] = outcome.worst_farthest;
        y[2][reach] = 4.0 * reach;
        attack_fact(result, random_names[reach], outcome.random_farthest);
        attack_fact(result, worst_names[reach], outcome.worst_farthest);
        result->baseline = outcome.right;
    }
    return DITHER_OK;
}

/* ---- Dither ---- */

/* Towns of people who are numbered from 0; all towns are asked about at once. */
struct towns {
    size_t count;
    unsigned people;
    uint32_t *data; /* the secret bits of each */
    double **sums;  /* of each, by subset */
};

static bool has_bit(const void *context, size_t town, size_t person)
{
    const struct towns *towns = context;
    return towns->data[town] >> person & 1;
}

static void write_question(struct buffer *sql, unsigned people, uint32_t first, uint32_t last)
{
    buffer_text(sql, "SELECT town");
    for (uint32_t subset = first; subset <= last; subset++) {
        const char *comma = "";
        buffer_text(sql, ", count(*) FILTER (WHERE secret AND person IN (");
        for (unsigned person = 0; person < people; person++)
            if (subset >> person & 1) {
                buffer_format(sql, "%s%u", comma, person);
                comma = ", ";
            }
        buffer_format(sql, ")) AS subset_%u", subset);
    }
    buffer_text(sql, " FROM people GROUP BY town ORDER BY town");
}

static status ask_subsets(const struct towns *towns, struct lab *lab, const char *epsilon, error *why)
{
    uint32_t all = (1u << towns->people) - 1;
    char share[DECIMAL_TEXT];
    lab_share(epsilon, all / AT_ONCE + 1, share);
    struct buffer sql;
    buffer_init(&sql, LAB_TEXT_BYTES);
    status result = DITHER_OK;
    for (uint32_t first = 1; first <= all && result == DITHER_OK; first += AT_ONCE) {
        uint32_t last = first + AT_ONCE - 1 < all ? first + AT_ONCE - 1 : all;
        dither_answer *answer = NULL;
        buffer_clear(&sql);
        write_question(&sql, towns->people, first, last);
        result = buffer_check(&sql, why);
        if (result == DITHER_OK)
            result = lab_ask(lab, sql.data, share, &answer, why);
        for (size_t town = 0; town < towns->count && result == DITHER_OK; town++)
            for (uint32_t subset = first; subset <= last; subset++)
                towns->sums[town][subset] = dither_cell_number(answer, town, subset - first + 1);
        dither_answer_free(answer);
    }
    buffer_free(&sql);
    return result;
}

static status make_towns(struct towns *towns, struct dice *dice, struct arena *arena, error *why)
{
    TRY(arena_take(arena, towns->count * sizeof *towns->data, (void **)&towns->data, why));
    TRY(arena_take(arena, towns->count * sizeof *towns->sums, (void **)&towns->sums, why));
    for (size_t town = 0; town < towns->count; town++) {
        towns->data[town] = (uint32_t)dice_word(dice) & ((1u << towns->people) - 1);
        TRY(arena_take(arena, sizeof(double) << towns->people, (void **)&towns->sums[town], why));
    }
    return DITHER_OK;
}

static status attack_dither(const struct attack_settings *settings, struct attack_result *result,
                            struct dice *dice, error *why)
{
    struct towns towns = {.count = settings->quick ? QUICK_TOWNS : TOWNS,
                          .people = settings->quick ? QUICK_TOWN : TOWN};
    const struct towns_shape shape = {towns.count, towns.people, has_bit};
    struct lab *lab = NULL;
    double wrong = 0;
    TRY(make_towns(&towns, dice, &result->arena, why));
    TRY(lab_new(&lab, why));
    status done = towns_open(lab, &shape, &towns, settings->epsilon, why);
    if (done == DITHER_OK)
        done = ask_subsets(&towns, lab, settings->epsilon, why);
    lab_free(lab);
    TRY(done);
    for (size_t town = 0; town < towns.count; town++)
        wrong += subsets_distance(subsets_nearest(towns.sums[town], towns.people), towns.data[town]);
    result->trials = towns.count * towns.people;
    result->dither = 1 - wrong / (double)result->trials;
    attack_fact(result, "Dither, people in a town", towns.people);
    attack_fact(result, "Dither, subsets asked about", (double)((1u << towns.people) - 1));
    return DITHER_OK;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    dice_init(&dice, settings->seed, "exponential");
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    TRY(attack_baseline(settings, result, &dice, why));
    return attack_dither(settings, result, &dice, why);
}

const struct attack attack_exponential = {
    .name = "reconstruction-exponential",
    .summary = "ask about all subsets, take whatever data fit the answers",
    .baseline = "counts of all subsets, each within 3 at random",
    .success = "people whose secret bit was rebuilt",
    .reference = "Dinur and Nissim 2003; deck 002",
    .run = run,
};
