/* Census blocks: from published statistics of seven people back to the seven people.
 *
 * Garfinkel, Abowd and Martindale (2018; deck 002 cites it): the statistics are exact, small groups are suppressed, and
 * still only one block fits; when one statistic is withheld there are two. Here blocks are made up, published in
 * the same way, and solved. Dither answers the same statistics with noise: taken as they are nobody could live there, and
 * within their intervals so many could that the statistics say nothing. */
#include <math.h>
#include <stdio.h>

#include "attack/attacks.h"
#include "attack/census.h"
#include "attack/dice.h"
#include "attack/lab.h"

enum {
    BLOCKS = 24,
    QUICK_BLOCKS = 5,
    CONDITION_BYTES = 100,
    ENOUGH = 50, /* solutions are counted no further */
};

static struct census_block make_block(struct dice *dice)
{
    struct census_block block;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        int age = (int)dice_below(dice, 95);
        block.people[i] = (struct census_person){age, dice_chance(dice, 0.5), dice_chance(dice, 0.5),
                                                 age >= CENSUS_MARRIED_FROM && dice_chance(dice, 0.5)};
    }
    census_sort(&block);
    return block;
}

/* The share of people of the truth who stand in the guess, with all columns. */
static double rebuilt(const struct census_block *truth, const struct census_block *guess)
{
    bool used[CENSUS_PEOPLE] = {false};
    double found = 0;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++)
        for (size_t j = 0; j < CENSUS_PEOPLE; j++) {
            const struct census_person *one = &truth->people[i], *other = &guess->people[j];
            if (!used[j] && one->age == other->age && one->female == other->female &&
                one->black == other->black && one->married == other->married) {
                used[j] = true;
                found++;
                break;
            }
        }
    return found / CENSUS_PEOPLE;
}

/* ---- Exact statistics ---- */

static status attack_exact(struct attack_result *result, const struct census_block *blocks, size_t count,
                           error *why)
{
    struct census_block found[2];
    size_t unique = 0, solutions;
    result->baseline = 0;
    for (size_t i = 0; i < count; i++) {
        struct census_statistic statistics[CENSUS_GROUPS];
        size_t published = 0;
        for (int group = 0; group < CENSUS_GROUPS; group++)
            published += census_publish(&blocks[i], census_group_at(group), &statistics[published]);
        TRY(census_solve(statistics, published, found, 2, &solutions, why));
        unique += solutions == 1;
        result->baseline += rebuilt(&blocks[i], &found[0]) / (double)count;
    }
    attack_fact(result, "made-up blocks with one solution only", (double)unique / (double)count);
    return DITHER_OK;
}

/* The block of the paper, as printed there; black women last. */
static status solve_the_papers(struct attack_result *result, error *why)
{
    const struct census_group all_of_them = {0}, female = {.female = CENSUS_YES},
                              male = {.female = CENSUS_NO}, black = {.black = CENSUS_YES},
                              white = {.black = CENSUS_NO}, married = {.married = CENSUS_YES},
                              black_female = {.female = CENSUS_YES, .black = CENSUS_YES};
    const struct census_statistic printed[] = {
        census_printed(all_of_them, 7, 30, 38),    census_printed(female, 4, 30, 33.5),
        census_printed(male, 3, 30, 44),           census_printed(black, 4, 51, 48.5),
        census_printed(white, 3, 24, 24),          census_printed(married, 4, 51, 54),
        census_printed(black_female, 3, 36, 36.7),
    };
    struct census_block found[ENOUGH];
    size_t all, withheld;
    TRY(census_solve(printed, 7, found, ENOUGH, &all, why));
    TRY(census_solve(printed, 6, found, ENOUGH, &withheld, why));
    attack_fact(result, "the paper's block, solutions", (double)all);
    attack_fact(result, "the paper's block with one statistic withheld, solutions", (double)withheld);
    return DITHER_OK;
}

/* ---- Dither's statistics ---- */

static status open_blocks(struct lab *lab, const struct census_block *blocks, size_t count,
                          const char *epsilon, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "block,age,female,black,married\n");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < CENSUS_PEOPLE; j++) {
            const struct census_person *person = &blocks[i].people[j];
            buffer_format(text, "%zu,%d,%s,%s,%s\n", i, person->age, person->female ? "true" : "false",
                          person->black ? "true" : "false", person->married ? "true" : "false");
        }
    TRY(lab_save(lab, "people.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: census\ntables:\n  people:\n    source: people.csv\n    unit: row\n    columns:\n"
                  "      block: {type: integer, range: [0, %zu], null: false}\n"
                  "      age: {type: integer, range: [0, %d], null: false}\n"
                  "      female: {type: boolean, null: false}\n      black: {type: boolean, null: false}\n"
                  "      married: {type: boolean, null: false}\n",
                  count - 1, CENSUS_OLDEST);
    return lab_open(lab, epsilon, NULL, why);
}

/* What Dither said about one group of one block: taken for the truth, and within its intervals. Of the many intervals of
 * a block one in twenty misses the truth, so the adversary takes them three times as wide. */
struct said {
    struct census_statistic taken, within;
};

static int limited(double value, int most)
{
    return (int)fmin(fmax(value, 0), most);
}

static bool widened(const dither_answer *answer, size_t row, size_t column, dither_range *interval)
{
    if (!dither_cell_interval(answer, row, column, interval))
        return false;
    double width = interval->upper - interval->lower;
    interval->lower -= width;
    interval->upper += width;
    return true;
}

static struct said read_statistic(const dither_answer *answer, size_t row, struct census_group group)
{
    dither_range interval;
    double count = round(dither_cell_number(answer, row, 1)), mean = dither_cell_number(answer, row, 2);
    double median = dither_cell_number(answer, row, 3);
    int people = limited(count, CENSUS_PEOPLE);
    struct said said = {census_printed(group, people, fmax(median, 0), mean),
                        {group, 0, CENSUS_PEOPLE, 0, CENSUS_MOST_SUM, -1}};
    if (count < 0 || count > CENSUS_PEOPLE)
        said.taken.sum_lower = CENSUS_MOST_SUM + 1; /* no such block */
    if (widened(answer, row, 1, &interval)) {
        said.within.count_lower = limited(ceil(interval.lower), CENSUS_PEOPLE);
        said.within.count_upper = limited(floor(interval.upper), CENSUS_PEOPLE);
    }
    if (widened(answer, row, 2, &interval)) {
        said.within.sum_lower = limited(floor(interval.lower) * said.within.count_lower, CENSUS_MOST_SUM);
        said.within.sum_upper = limited(ceil(interval.upper) * said.within.count_upper, CENSUS_MOST_SUM);
    }
    return said;
}

/* The group in SQL. */
static void write_condition(int index, char condition[CONDITION_BYTES])
{
    static const char *const female[] = {"", " AND female", " AND NOT female"};
    static const char *const black[] = {"", " AND black", " AND NOT black"};
    static const char *const married[] = {"", " AND married", " AND NOT married"};
    struct census_group group = census_group_at(index);
    snprintf(condition, CONDITION_BYTES, "age >= 0%s%s%s", female[group.female], black[group.black],
             married[group.married]);
}

static status ask(struct lab *lab, const char *epsilon, size_t count, struct said (*said)[CENSUS_GROUPS],
                  error *why)
{
    char share[DECIMAL_TEXT], condition[CONDITION_BYTES], sql[400];
    lab_share(epsilon, CENSUS_GROUPS, share);
    for (int group = 0; group < CENSUS_GROUPS; group++) {
        dither_answer *answer = NULL;
        write_condition(group, condition);
        snprintf(
            sql, sizeof sql,
            "SELECT block, count(*), avg(age), percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM people "
            "WHERE %s GROUP BY block ORDER BY block",
            condition);
        TRY(lab_ask(lab, sql, share, &answer, why));
        for (size_t i = 0; i < count; i++)
            said[i][group] = read_statistic(answer, i, census_group_at(group));
        dither_answer_free(answer);
    }
    return DITHER_OK;
}

static status solve_said(struct attack_result *result, const struct census_block *blocks, size_t count,
                         struct said (*said)[CENSUS_GROUPS], error *why)
{
    struct census_block found[ENOUGH];
    size_t impossible = 0, fewest = ENOUGH, solutions;
    result->dither = 0;
    for (size_t i = 0; i < count; i++) {
        struct census_statistic taken[CENSUS_GROUPS], within[CENSUS_GROUPS];
        for (int group = 0; group < CENSUS_GROUPS; group++) {
            taken[group] = said[i][group].taken;
            within[group] = said[i][group].within;
        }
        TRY(census_solve(taken, CENSUS_GROUPS, found, 1, &solutions, why));
        impossible += solutions == 0;
        TRY(census_solve(within, CENSUS_GROUPS, found, ENOUGH, &solutions, why));
        fewest = solutions < fewest ? solutions : fewest;
        if (solutions > 0) /* the best that is left: any block that fits the intervals */
            result->dither += rebuilt(&blocks[i], &found[0]) / (double)count;
    }
    attack_fact(result, "Dither, blocks whose statistics fit nobody", (double)impossible / (double)count);
    attack_fact(result, "Dither, solutions within thrice the intervals of a block, at least", (double)fewest);
    return DITHER_OK;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    size_t count = settings->quick ? QUICK_BLOCKS : BLOCKS;
    struct census_block *blocks;
    struct said(*said)[CENSUS_GROUPS];
    struct dice dice;
    struct lab *lab = NULL;
    TRY(arena_take(&result->arena, count * sizeof *blocks, (void **)&blocks, why));
    TRY(arena_take(&result->arena, count * sizeof *said, (void **)&said, why));
    dice_init(&dice, settings->seed, "census");
    for (size_t i = 0; i < count; i++)
        blocks[i] = make_block(&dice);
    result->trials = count * CENSUS_PEOPLE;
    result->guessing = 0;
    TRY(solve_the_papers(result, why));
    TRY(attack_exact(result, blocks, count, why));
    TRY(lab_new(&lab, why));
    status done = open_blocks(lab, blocks, count, settings->epsilon, why);
    if (done == DITHER_OK)
        done = ask(lab, settings->epsilon, count, said, why);
    lab_free(lab);
    TRY(done);
    return solve_said(result, blocks, count, said, why);
}

const struct attack attack_census = {
    .name = "census",
    .summary = "solve published statistics of seven people for the seven people",
    .baseline = "exact counts, medians and means, small groups suppressed",
    .success = "people rebuilt with age, sex, race and marriage",
    .reference = "Garfinkel, Abowd, Martindale 2018; deck 002",
    .run = run,
};
