/* Linkage of two releases: each is k-anonymous, both together are not.
 *
 * Ganta, Kasiviswanathan, Smith (2008): two hospitals publish their patients with ages and postal codes coarsened until
 * every row is like at least k - 1 others. Whoever was in both is in one class of each, and his disease is among those
 * that both classes have: often one alone. Differential privacy composes: two hospitals with a budget of epsilon each give
 * away no more than 2 epsilon, so that of M equally likely diseases the right one is told with probability at most
 * e^(2 epsilon) / M.
 *
 * Against Dither: how many in each hospital with the victim's age and postal code have each disease; the disease with
 * the largest sum. One victim in each postal code, all in one question. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/k_anonymous.h"
#include "attack/lab.h"

enum {
    CODES = 100, /* postal codes; and ages */
    DISEASES = 200,
    PEOPLE = 8000,
    IN_BOTH = 2000, /* the first ones */
    HOSPITALS = 2,
    K = 5,
    LEVELS = 7,
};

static const size_t levels[LEVELS] = {2, 3, 5, 7, 10, 15, 20};

/* The first IN_BOTH are in both hospitals, half of the rest in each. */
struct region {
    struct quasi_identifier people[PEOPLE];
    uint32_t disease[PEOPLE];
    uint32_t class_of[HOSPITALS][PEOPLE];
    uint32_t victims[CODES]; /* one for each postal code, among those in both; PEOPLE where there is none */
};

static bool is_patient(size_t person, size_t hospital)
{
    return person < IN_BOTH || person % HOSPITALS == hospital;
}

static void make_region(struct region *region, struct dice *dice)
{
    for (size_t code = 0; code < CODES; code++)
        region->victims[code] = PEOPLE;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        int age = (int)dice_below(dice, CODES), code = (int)dice_below(dice, CODES);
        region->people[i] = (struct quasi_identifier){{age, code}};
        region->disease[i] = dice_below(dice, DISEASES);
        if (i < IN_BOTH)
            region->victims[code] = i;
    }
}

/* ---- k-anonymous releases ---- */

static void publish(struct region *region, size_t hospital, size_t k)
{
    uint32_t order[PEOPLE];
    size_t count = 0;
    for (uint32_t i = 0; i < PEOPLE; i++)
        if (is_patient(i, hospital))
            order[count++] = i;
    (void)k_anonymous_classes(region->people, order, count, k, region->class_of[hospital]);
}

/* How many of each disease are in the victim's class. */
static void read_class(const struct region *region, size_t hospital, size_t victim, uint32_t *counts)
{
    for (size_t disease = 0; disease < DISEASES; disease++)
        counts[disease] = 0;
    for (size_t i = 0; i < PEOPLE; i++)
        if (is_patient(i, hospital) && region->class_of[hospital][i] == region->class_of[hospital][victim])
            counts[region->disease[i]]++;
}

struct success {
    double one, both; /* share of victims told right from one release, from both */
};

/* A guess in proportion to how many there are; with both, to the product. */
static struct success attack_releases(struct region *region, size_t k, size_t victims)
{
    struct success success = {0, 0};
    publish(region, 0, k);
    publish(region, 1, k);
    for (size_t victim = 0; victim < victims; victim++) {
        uint32_t first[DISEASES], second[DISEASES], truth = region->disease[victim];
        double all = 0, common = 0;
        read_class(region, 0, victim, first);
        read_class(region, 1, victim, second);
        for (size_t disease = 0; disease < DISEASES; disease++) {
            all += first[disease];
            common += first[disease] * second[disease];
        }
        success.one += first[truth] / all / (double)victims;
        success.both += first[truth] * second[truth] / common / (double)victims;
    }
    return success;
}

static status attack_baseline(struct attack_result *result, struct region *region, size_t victims, error *why)
{
    double *x[2], *y[2];
    struct plot_panel *panel =
        attack_panel(result, "Two k-anonymous releases", "k", "share of diseases told right");
    TRY(attack_line(result, panel, "one release", LEVELS, &x[0], &y[0], why));
    TRY(attack_line(result, panel, "both releases", LEVELS, &x[1], &y[1], why));
    for (size_t i = 0; i < LEVELS; i++) {
        struct success success = attack_releases(region, levels[i], victims);
        x[0][i] = x[1][i] = (double)levels[i];
        y[0][i] = success.one;
        y[1][i] = success.both;
        if (levels[i] == K) {
            result->baseline = success.both;
            attack_fact(result, "k = 5, one release", success.one);
            attack_fact(result, "k = 5, both releases", success.both);
        }
    }
    attack_fact(result, "k = 10, both releases", y[1][4]);
    attack_fact(result, "k = 20, both releases", y[1][LEVELS - 1]);
    return DITHER_OK;
}

/* ---- Dither ---- */

static status open_hospital(const struct region *region, size_t hospital, const char *epsilon,
                            struct lab *lab, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "age,code,disease\n");
    for (size_t i = 0; i < PEOPLE; i++)
        if (is_patient(i, hospital))
            buffer_format(text, "%d,%d,%u\n", region->people[i].values[0], region->people[i].values[1],
                          region->disease[i]);
    TRY(lab_save(lab, "patients.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: hospital_%zu\ntables:\n  patients:\n    source: patients.csv\n    unit: row\n"
                  "    columns:\n      age: {type: integer, range: [0, %d], null: false}\n"
                  "      code: {type: integer, range: [0, %d], null: false}\n"
                  "      disease: {type: integer, range: [0, %d], null: false}\n",
                  hospital, CODES - 1, CODES - 1, DISEASES - 1);
    return lab_open(lab, epsilon, NULL, why);
}

static void write_question(struct buffer *sql, const struct region *region)
{
    const char *comma = "";
    buffer_format(sql, "SELECT code, disease, count(*) FROM patients WHERE age * %d + code IN (", CODES);
    for (size_t code = 0; code < CODES; code++)
        if (region->victims[code] < PEOPLE) {
            const int *values = region->people[region->victims[code]].values;
            buffer_format(sql, "%s%d", comma, values[0] * CODES + values[1]);
            comma = ",";
        }
    buffer_text(sql, ") GROUP BY code, disease ORDER BY code, disease");
}

/* Adds the answers of one hospital to the sums, by code and disease. */
static status ask_hospital(const struct region *region, size_t hospital, const char *epsilon, const char *sql,
                           double *sums, error *why)
{
    struct lab *lab = NULL;
    dither_answer *answer = NULL;
    TRY(lab_new(&lab, why));
    status done = open_hospital(region, hospital, epsilon, lab, why);
    if (done == DITHER_OK)
        done = lab_ask(lab, sql, epsilon, &answer, why);
    for (size_t i = 0; i < CODES * DISEASES && done == DITHER_OK; i++)
        sums[i] += dither_cell_number(answer, i, 2);
    dither_answer_free(answer);
    lab_free(lab);
    return done;
}

static status attack_dither(const struct attack_settings *settings, struct attack_result *result,
                            const struct region *region, error *why)
{
    double *sums, right = 0;
    struct buffer sql;
    TRY(arena_take(&result->arena, CODES * DISEASES * sizeof *sums, (void **)&sums, why));
    buffer_init(&sql, LAB_TEXT_BYTES);
    write_question(&sql, region);
    status done = buffer_check(&sql, why);
    for (size_t hospital = 0; hospital < HOSPITALS && done == DITHER_OK; hospital++)
        done = ask_hospital(region, hospital, settings->epsilon, sql.data, sums, why);
    buffer_free(&sql);
    TRY(done);
    for (size_t code = 0; code < CODES; code++) {
        const double *own = sums + code * DISEASES;
        size_t best = 0;
        for (size_t disease = 1; disease < DISEASES; disease++)
            best = own[disease] > own[best] ? disease : best;
        if (region->victims[code] == PEOPLE)
            continue;
        right += best == region->disease[region->victims[code]];
        result->trials++;
    }
    result->dither = right / (double)result->trials;
    return DITHER_OK;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    struct region *region;
    double epsilon = dither_decimal(settings->epsilon);
    TRY(arena_take(&result->arena, sizeof *region, (void **)&region, why));
    dice_init(&dice, settings->seed, "releases");
    make_region(region, &dice);
    result->guessing = 1.0 / DISEASES;
    result->bound = fmin(exp(2 * epsilon) / DISEASES, 1);
    TRY(attack_baseline(result, region, settings->quick ? IN_BOTH / 10 : IN_BOTH, why));
    return attack_dither(settings, result, region, why);
}

const struct attack attack_linkage_releases = {
    .name = "linkage-releases",
    .summary = "put two k-anonymous tables side by side",
    .baseline = "two 5-anonymous releases",
    .success = "people whose disease, one of 200, was told",
    .reference = "Ganta, Kasiviswanathan, Smith 2008; deck 002",
    .run = run,
};
