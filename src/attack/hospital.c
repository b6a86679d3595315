/* The puzzle of deck 003: Bob knows Don's age and weight, and that Don is going to check into a hospital that says how
 * many patients have a disease and what their average age and weight are. Has Don got it?
 *
 * Bob asks the day before and the day after. Counts times averages are sums; if the number of the sick has grown by one,
 * and the sums by Don's age and weight, Don has it. Others come too, so Bob weighs the two explanations: that the k
 * newcomers are Don and k - 1 others, or k others; others have ages and weights as the population has them.
 *
 * Against Dither the data have two versions and one budget. Bob spends half of it before and half after, all on the
 * count: the averages would only take from it, as Don moves them by less of their noise.
 *
 * One trial is one hospital, of many that are asked about at once. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "base/memory.h"

enum {
    HOSPITALS = 2000,
    QUICK_HOSPITALS = 400,
    SICK_BEFORE = 25, /* in each hospital */
    MOST_OTHERS = 6,
    MOST_SICK = SICK_BEFORE + MOST_OTHERS + 1,
};

static const double others_mean = 0.5; /* who come with the disease on the same day, besides Don: Poisson */
static const double age_mean = 50, age_spread = 18, weight_mean = 75, weight_spread = 14;

/* Ages are in whole years, weights in tenths of a kilogram. */
struct person {
    int age, weight;
};

struct hospital {
    struct person sick[MOST_SICK];
    size_t before, after; /* how many of them were there on each day */
    struct person don;
    bool secret; /* Don has the disease */
};

static struct person somebody(struct dice *dice)
{
    double age = age_mean + age_spread * dice_normal(dice);
    double weight = weight_mean + weight_spread * dice_normal(dice);
    return (struct person){(int)fmin(fmax(round(age), 0), 120),
                           (int)fmin(fmax(round(weight * 10), 30), 2500)};
}

/* The probability of k others: Poisson, cut at MOST_OTHERS. */
static double others_probability(int k)
{
    if (k < 0 || k > MOST_OTHERS)
        return 0;
    return exp(-others_mean + k * log(others_mean) - lgamma(k + 1.0));
}

static void make_hospital(struct hospital *hospital, struct dice *dice)
{
    size_t others = 0;
    for (double left = dice_uniform(dice); others < MOST_OTHERS; others++)
        if ((left -= others_probability((int)others)) < 0)
            break;
    for (size_t i = 0; i < SICK_BEFORE + others; i++)
        hospital->sick[i] = somebody(dice);
    hospital->before = SICK_BEFORE;
    hospital->after = SICK_BEFORE + others;
    hospital->don = somebody(dice);
    hospital->secret = dice_chance(dice, 0.5);
    if (hospital->secret)
        hospital->sick[hospital->after++] = hospital->don;
}

/* ---- Exact averages ---- */

/* What the hospital publishes on one day. */
struct published {
    double count, age, weight;
};

static struct published publish(const struct hospital *hospital, size_t count)
{
    struct published day = {(double)count, 0, 0};
    for (size_t i = 0; i < count; i++) {
        day.age += hospital->sick[i].age / day.count;
        day.weight += hospital->sick[i].weight / 10.0 / day.count;
    }
    return day;
}

/* How likely it is that there are k others, who add up to this age and weight, within a year and a tenth of a
 * kilogram. */
static double likelihood(int k, double age, double weight)
{
    if (k == 0)
        return fabs(age) < 0.5 && fabs(weight) < 0.05 ? others_probability(0) : 0;
    double a = (age - k * age_mean) / age_spread, w = (weight - k * weight_mean) / weight_spread;
    double cell = 0.1 / (2 * acos(-1) * k * age_spread * weight_spread);
    return others_probability(k) * cell * exp(-(a * a + w * w) / (2.0 * k));
}

static bool guess_exactly(const struct hospital *hospital)
{
    struct published before = publish(hospital, hospital->before), after = publish(hospital, hospital->after);
    int newcomers = (int)lround(after.count - before.count);
    double age = after.count * after.age - before.count * before.age;
    double weight = after.count * after.weight - before.count * before.weight;
    if (newcomers == 0)
        return false;
    double weight_of_don = hospital->don.weight / 10.0;
    return likelihood(newcomers - 1, age - hospital->don.age, weight - weight_of_don) >
           likelihood(newcomers, age, weight);
}

/* ---- Dither ---- */

static status open_day(struct lab *lab, const struct hospital *hospitals, size_t count, int day,
                       const char *epsilon, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "hospital,age,weight\n");
    for (size_t i = 0; i < count; i++) {
        size_t sick = day == 1 ? hospitals[i].before : hospitals[i].after;
        for (size_t j = 0; j < sick; j++)
            buffer_format(text, "%zu,%d,%.1f\n", i, hospitals[i].sick[j].age,
                          hospitals[i].sick[j].weight / 10.0);
    }
    TRY(lab_save(lab, "sick.csv", why));
    text = lab_text(lab);
    buffer_format(
        text,
        "dataset: hospitals\nversion: %d\ntables:\n  sick:\n    source: sick.csv\n    unit: row\n"
        "    columns:\n      hospital: {type: integer, range: [0, %zu], null: false}\n"
        "      age: {type: integer, range: [0, 120]}\n      weight: {type: real, range: [0, 250]}\n",
        day, count - 1);
    return lab_open(lab, epsilon, NULL, why);
}

/* The same question on both days, for half of the budget each: how much the counts have grown, with noise. */
static status ask_growth(const struct hospital *hospitals, size_t count, const char *epsilon, double *growth,
                         error *why)
{
    struct lab *lab = NULL;
    char half[DECIMAL_TEXT];
    lab_share(epsilon, 2, half);
    TRY(lab_new(&lab, why));
    status result = DITHER_OK;
    for (size_t i = 0; i < count; i++)
        growth[i] = 0;
    for (int day = 1; day <= 2 && result == DITHER_OK; day++) {
        dither_answer *answer = NULL;
        result = open_day(lab, hospitals, count, day, epsilon, why);
        if (result == DITHER_OK)
            result = lab_ask(lab, "SELECT hospital, count(*) FROM sick GROUP BY hospital ORDER BY hospital",
                             half, &answer, why);
        for (size_t i = 0; i < count && result == DITHER_OK; i++)
            growth[i] += (day == 1 ? -1 : 1) * dither_cell_number(answer, i, 1);
        dither_answer_free(answer);
    }
    lab_free(lab);
    return result;
}

/* The law of the difference of two geometric noises of this epsilon, up to a factor. With a = e^-epsilon it is the sum over
 * all j of a^(|j| + |j - d|), which is a^|d| (|d| + (1 + a^2) / (1 - a^2)). */
static double noise_likelihood(double epsilon, double difference)
{
    double size = fabs(difference), between = (1 + exp(-2 * epsilon)) / -expm1(-2 * epsilon);
    return exp(-epsilon * size) * (size + between);
}

static bool guess_noisily(double epsilon, double growth)
{
    double with_don = 0, without = 0;
    for (int k = 0; k <= MOST_OTHERS; k++) {
        with_don += others_probability(k) * noise_likelihood(epsilon, growth - k - 1);
        without += others_probability(k) * noise_likelihood(epsilon, growth - k);
    }
    return with_don > without;
}

/* ---- The attack ---- */

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    struct hospital *hospitals;
    double *growth, half = dither_decimal(settings->epsilon) / 2, exact = 0, noisy = 0;
    size_t count = settings->quick ? QUICK_HOSPITALS : HOSPITALS, alone = 0;
    TRY(arena_take(&result->arena, count * sizeof *hospitals, (void **)&hospitals, why));
    TRY(arena_take(&result->arena, count * sizeof *growth, (void **)&growth, why));
    dice_init(&dice, settings->seed, "hospital");
    for (size_t i = 0; i < count; i++)
        make_hospital(&hospitals[i], &dice);
    TRY(ask_growth(hospitals, count, settings->epsilon, growth, why));
    for (size_t i = 0; i < count; i++) {
        exact += guess_exactly(&hospitals[i]) == hospitals[i].secret;
        noisy += guess_noisily(half, growth[i]) == hospitals[i].secret;
        alone += hospitals[i].after - hospitals[i].before <= 1;
    }
    result->guessing = 0.5;
    result->baseline = exact / (double)count;
    result->dither = noisy / (double)count;
    result->bound = attack_bound(settings->epsilon);
    result->trials = count;
    attack_fact(result, "hospitals with at most one newcomer", (double)alone / (double)count);
    return DITHER_OK;
}

const struct attack attack_hospital = {
    .name = "hospital",
    .summary = "compare averages of the sick before and after somebody checks in",
    .baseline = "exact counts and averages, on two days",
    .success = "people of whom it was told right whether they have the disease",
    .reference = "deck 003, exercise",
    .run = run,
};
