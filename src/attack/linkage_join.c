/* Linkage by a join: a medical file without names, a voters' list with them, and three columns that both have.
 *
 * Sweeney (1997, 2000): postal code, day of birth and sex are unique for most people of the United States (she counted 87%,
 * Golle 2006 63%). With P people in a postal code and births spread over 80 years and two sexes, a share of
 * (1 - 1/58400)^(P - 1) is unique; at 8000 people that is 87%. Who is unique in the voters' list is found in the
 * medical file.
 *
 * Dither has no file to join with. The adversary asks how many with the target's postal code, day of birth and sex are
 * sick. One target for every postal code, sex and decade of birth, so that one question asks about all of them. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/lab.h"
#include "attack/rows.h"

enum {
    CODES = 25, /* postal codes */
    QUICK_CODES = 8,
    PEOPLE = 8000, /* in each */
    QUICK_PEOPLE = 1000,
    DAYS = 29200, /* 80 years */
    DECADE = 3650,
    DECADES = DAYS / DECADE,
    CELLS = 2 * DAYS,
    TARGETS_EACH = 2 * DECADES,
};

struct resident {
    uint32_t born;
    bool female, sick;
};

struct country {
    size_t codes, people; /* people in each */
    struct resident *residents;
    uint32_t *targets; /* of each code, by decade and sex; where nobody is, PEOPLE */
};

static uint32_t cell_of(const struct resident *resident)
{
    return resident->born * 2 + resident->female;
}

static uint32_t class_of(const struct resident *resident)
{
    return resident->born / DECADE * 2 + resident->female;
}

static status make_country(struct country *country, struct dice *dice, struct arena *arena, error *why)
{
    size_t count = country->codes * country->people, targets = country->codes * TARGETS_EACH;
    TRY(arena_take(arena, count * sizeof *country->residents, (void **)&country->residents, why));
    TRY(arena_take(arena, targets * sizeof *country->targets, (void **)&country->targets, why));
    for (size_t i = 0; i < count; i++)
        country->residents[i] =
            (struct resident){dice_below(dice, DAYS), dice_chance(dice, 0.5), dice_chance(dice, 0.5)};
    for (size_t i = 0; i < targets; i++)
        country->targets[i] = PEOPLE;
    for (size_t i = 0; i < count;
         i++) { /* people are in no order: the first of each class is as good as any */
        uint32_t *target =
            &country->targets[i / country->people * TARGETS_EACH + class_of(&country->residents[i])];
        if (*target == PEOPLE)
            *target = (uint32_t)(i % country->people);
    }
    return DITHER_OK;
}

/* ---- The join ---- */

/* Who is unique is told right; of the others the adversary takes the majority of those who could be meant. */
static status attack_join(struct attack_result *result, const struct country *country, error *why)
{
    uint32_t *people, *sick;
    double unique = 0, right = 0, count = (double)(country->codes * country->people);
    TRY(arena_take(&result->arena, CELLS * sizeof *people, (void **)&people, why));
    TRY(arena_take(&result->arena, CELLS * sizeof *sick, (void **)&sick, why));
    for (size_t code = 0; code < country->codes; code++) {
        const struct resident *residents = country->residents + code * country->people;
        for (size_t cell = 0; cell < CELLS; cell++)
            people[cell] = sick[cell] = 0;
        for (size_t i = 0; i < country->people; i++) {
            people[cell_of(&residents[i])]++;
            sick[cell_of(&residents[i])] += residents[i].sick;
        }
        for (size_t i = 0; i < country->people; i++) {
            uint32_t all = people[cell_of(&residents[i])], bad = sick[cell_of(&residents[i])];
            unique += all == 1;
            right += 2 * bad == all ? 0.5 : (2 * bad > all) == residents[i].sick;
        }
    }
    result->baseline = right / count;
    attack_fact(result, "people in a postal code", (double)country->people);
    attack_fact(result, "unique by postal code, birth and sex", unique / count);
    attack_fact(result, "unique by the formula", pow(1 - 1.0 / CELLS, (double)country->people - 1));
    return DITHER_OK;
}

/* ---- Dither ---- */

static status open_country(const struct country *country, const char *epsilon, struct lab *lab, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "code,born,female,sick\n");
    for (size_t i = 0; i < country->codes * country->people; i++) {
        const struct resident *resident = &country->residents[i];
        buffer_format(text, "%zu,%u,%s,%s\n", i / country->people, resident->born,
                      resident->female ? "true" : "false", resident->sick ? "true" : "false");
    }
    TRY(lab_save(lab, "residents.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: residents\ntables:\n  residents:\n    source: residents.csv\n    unit: row\n"
                  "    columns:\n      code: {type: integer, range: [0, %zu], null: false}\n"
                  "      born: {type: integer, range: [0, %d], null: false}\n"
                  "      female: {type: boolean, null: false}\n      sick: {type: boolean, null: false}\n",
                  country->codes - 1, DAYS - 1);
    return lab_open(lab, epsilon, NULL, why);
}

static void write_question(struct buffer *sql, const struct country *country)
{
    const char *comma = "";
    buffer_format(sql,
                  "SELECT code, born / %d AS decade, female, count(*) FROM residents WHERE sick AND "
                  "code * %d + born * 2 + CASE WHEN female THEN 1 ELSE 0 END IN (",
                  DECADE, CELLS);
    for (size_t i = 0; i < country->codes * TARGETS_EACH; i++) {
        size_t code = i / TARGETS_EACH;
        if (country->targets[i] == PEOPLE)
            continue;
        const struct resident *target = &country->residents[code * country->people + country->targets[i]];
        buffer_format(sql, "%s%zu", comma, code * CELLS + cell_of(target));
        comma = ",";
    }
    buffer_format(sql, ") GROUP BY code, born / %d, female ORDER BY code, decade, female", DECADE);
}

static void score(struct attack_result *result, const struct country *country, const dither_answer *answer)
{
    double right = 0;
    for (size_t i = 0; i < country->codes * TARGETS_EACH; i++) {
        if (country->targets[i] == PEOPLE)
            continue;
        size_t person = i / TARGETS_EACH * country->people + country->targets[i];
        right += (dither_cell_number(answer, i, 3) > 0.5) == country->residents[person].sick;
        result->trials++;
    }
    result->dither = right / (double)result->trials;
}

static status attack_dither(const struct attack_settings *settings, struct attack_result *result,
                            const struct country *country, error *why)
{
    struct lab *lab = NULL;
    struct buffer sql;
    dither_answer *answer = NULL;
    TRY(lab_new(&lab, why));
    buffer_init(&sql, LAB_TEXT_BYTES);
    write_question(&sql, country);
    status done = buffer_check(&sql, why);
    if (done == DITHER_OK)
        done = open_country(country, settings->epsilon, lab, why);
    if (done == DITHER_OK)
        done = lab_ask(lab, sql.data, settings->epsilon, &answer, why);
    if (done == DITHER_OK)
        score(result, country, answer);
    dither_answer_free(answer);
    buffer_free(&sql);
    lab_free(lab);
    return done;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct country country = {.codes = settings->quick ? QUICK_CODES : CODES,
                              .people = settings->quick ? QUICK_PEOPLE : PEOPLE};
    struct dice dice;
    dice_init(&dice, settings->seed, "join");
    TRY(make_country(&country, &dice, &result->arena, why));
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    TRY(attack_join(result, &country, why));
    return attack_dither(settings, result, &country, why);
}

const struct attack attack_linkage_join = {
    .name = "linkage-join",
    .summary = "join a file without names with a list that has them",
    .baseline = "postal code, day of birth and sex left in the file",
    .success = "people of whom it was told right whether they are sick",
    .reference = "Sweeney 2000; Golle 2006; deck 001",
    .run = run,
    .run_on_rows = rows_linkage,
    .baseline_on_rows = "all columns but the unit left in the file",
    .success_on_rows = "people whose secret was told right",
};
