/* Linkage by ratings: a data set without names, and a few things that somebody said elsewhere under his own.
 *
 * Narayanan and Shmatikov (2008) on the Netflix prize: eight ratings, two of them wrong, days off by two weeks, find a person
 * among half a million; four are often enough. Here: made-up ratings with the same long tails; who is found, his
 * record is read, and it is told whether he has seen a film that he never spoke about.
 *
 * Dither shows no records. The adversary asks instead how many have seen at least six of the eight known films and
 * the other one too: nobody or one, with noise. One target in each country, all countries in one question. */
#include <math.h>

#include "attack/attacks.h"
#include "attack/lab.h"
#include "attack/ratings.h"

enum {
    PEOPLE = 6000,
    QUICK_PEOPLE = 1500,
    FILMS = 3000,
    QUICK_FILMS = 1000,
    TARGETS = 400,
    QUICK_TARGETS = 100,
    KNOWN = 8,
    WRONG = 2,
    DAYS_OFF = 14,
};

/* Somebody, what the adversary knows of him, and the film that he wonders about. */
struct target {
    uint32_t person;
    struct rating known[KNOWN];
    uint32_t film;
    bool secret; /* he has rated it */
};

/* ---- What the adversary knows ---- */

static void disturb(struct rating *rating, struct dice *dice)
{
    if (dice_chance(dice, 0.5))
        rating->stars += dice_chance(dice, 0.5) ? 1 : -1;
    rating->day += (int)dice_below(dice, 2 * DAYS_OFF + 1) - DAYS_OFF;
}

static struct rating anybody(const struct ratings *ratings, struct dice *dice)
{
    return ratings->list[dice_below(dice, (uint32_t)ratings->count)];
}

/* The last WRONG ratings are somebody else's. The film is one that he has rated and that is not among the known ones, or one
 * that he has not. */
static void choose_target(const struct ratings *ratings, uint32_t person, struct dice *dice,
                          struct target *target)
{
    size_t start = ratings->starts[person], count = ratings->starts[person + 1] - start;
    uint32_t picked[KNOWN + 1];
    for (size_t i = 0; i < KNOWN + 1;) { /* different ones */
        picked[i] = dice_below(dice, (uint32_t)count);
        size_t j = 0;
        while (picked[j] != picked[i])
            j++;
        i += j == i;
    }
    target->person = person;
    for (size_t i = 0; i < KNOWN; i++) {
        target->known[i] = i < KNOWN - WRONG ? ratings->list[start + picked[i]] : anybody(ratings, dice);
        disturb(&target->known[i], dice);
    }
    target->secret = dice_chance(dice, 0.5);
    target->film = ratings->list[start + picked[KNOWN]].film;
    while (!target->secret && ratings_has(ratings, person, target->film))
        target->film = anybody(ratings, dice).film;
}

/* ---- Records without names ---- */

struct tally {
    double found, mistaken, told; /* shares of the targets */
};

/* With the first `right` and the last `wrong` of what is known. */
static struct tally link_records(const struct ratings *ratings, const struct target *targets, size_t count,
                                 size_t right, size_t wrong, double *scores)
{
    struct tally tally = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        struct rating known[KNOWN];
        for (size_t j = 0; j < right + wrong; j++)
            known[j] = targets[i].known[j < right ? j : KNOWN - 1 - (j - right)];
        struct match match = ratings_match(ratings, known, right + wrong, scores);
        bool correct = match.found && match.person == targets[i].person;
        bool seen = ratings_has(ratings, match.person, targets[i].film);
        tally.found += correct;
        tally.mistaken += match.found && !correct;
        tally.told += match.found ? seen == targets[i].secret : 0.5;
    }
    tally.found /= (double)count;
    tally.mistaken /= (double)count;
    tally.told /= (double)count;
    return tally;
}

static status attack_records(struct attack_result *result, const struct ratings *ratings,
                             const struct target *targets, size_t count, error *why)
{
    double *scores, *x, *y;
    TRY(arena_take(&result->arena, ratings->people * sizeof *scores, (void **)&scores, why));
    struct plot_panel *panel =
        attack_panel(result, "Who is found by a few ratings", "ratings known", "share of people found");
    TRY(attack_line(result, panel, "stars off by 1, days by 14", KNOWN - WRONG, &x, &y, why));
    for (size_t right = 1; right <= KNOWN - WRONG; right++) {
        x[right - 1] = (double)right;
        y[right - 1] = link_records(ratings, targets, count, right, 0, scores).found;
    }
    struct tally all = link_records(ratings, targets, count, KNOWN - WRONG, WRONG, scores);
    result->baseline = all.told;
    attack_fact(result, "ratings", (double)ratings->count);
    attack_fact(result, "people", (double)ratings->people);
    attack_fact(result, "found by 2 ratings", y[1]);
    attack_fact(result, "found by 4 ratings", y[3]);
    attack_fact(result, "found by 6 ratings", y[5]);
    attack_fact(result, "found by 8 ratings, 2 of them wrong", all.found);
    attack_fact(result, "taken for somebody else by 8 ratings, 2 of them wrong", all.mistaken);
    return DITHER_OK;
}

/* ---- Dither ---- */

/* Everybody's country: a target's own number, so that each country has one target; the others by chance. */
static status open_countries(const struct ratings *ratings, const struct target *targets, size_t count,
                             struct dice *dice, const char *epsilon, struct lab *lab, error *why)
{
    struct buffer *text = lab_text(lab);
    size_t next = 0;
    buffer_text(text, "person,country,film,stars,day\n");
    for (uint32_t person = 0; person < ratings->people; person++) {
        uint32_t country = dice_below(dice, (uint32_t)count);
        if (next < count && targets[next].person == person)
            country = (uint32_t)next++;
        for (size_t i = ratings->starts[person]; i < ratings->starts[person + 1]; i++) {
            const struct rating *rating = &ratings->list[i];
            buffer_format(text, "%u,%u,%u,%d,%d\n", person, country, rating->film, rating->stars,
                          rating->day);
        }
    }
    TRY(lab_save(lab, "ratings.csv", why));
    text = lab_text(lab);
    buffer_format(
        text,
        "dataset: ratings\ntables:\n  ratings:\n    source: ratings.csv\n    unit: person\n"
        "    max_rows: 1\n    max_groups: 1\n    columns:\n      person: {type: integer, null: false}\n"
        "      country: {type: integer, range: [0, %zu], null: false}\n"
        "      film: {type: integer, range: [0, %zu], null: false}\n"
        "      stars: {type: integer, range: [1, 5]}\n      day: {type: integer, range: [0, 2000]}\n",
        count - 1, ratings->films - 1);
    return lab_open(lab, epsilon, NULL, why);
}

static void write_question(struct buffer *sql, const struct target *targets, size_t count)
{
    buffer_text(sql, "SELECT country, count(*) FROM (SELECT person, country, sum(CASE ");
    for (size_t i = 0; i < count; i++) {
        buffer_format(sql, "WHEN country = %zu AND film IN (", i);
        for (size_t j = 0; j < KNOWN; j++)
            buffer_format(sql, j > 0 ? ",%u" : "%u", targets[i].known[j].film);
        buffer_text(sql, ") THEN 1 ");
    }
    buffer_text(sql, "ELSE 0 END) AS known, sum(CASE ");
    for (size_t i = 0; i < count; i++)
        buffer_format(sql, "WHEN country = %zu AND film = %u THEN 1 ", i, targets[i].film);
    buffer_format(
        sql,
        "ELSE 0 END) AS secret FROM ratings GROUP BY person, country) AS people WHERE known >= %d AND "
        "secret > 0 GROUP BY country ORDER BY country",
        KNOWN - WRONG);
}

static status attack_dither(const struct attack_settings *settings, struct attack_result *result,
                            const struct ratings *ratings, const struct target *targets, size_t count,
                            struct dice *dice, error *why)
{
    struct lab *lab = NULL;
    struct buffer sql;
    dither_answer *answer = NULL;
    double right = 0;
    TRY(lab_new(&lab, why));
    buffer_init(&sql, LAB_TEXT_BYTES);
    write_question(&sql, targets, count);
    status done = buffer_check(&sql, why);
    if (done == DITHER_OK)
        done = open_countries(ratings, targets, count, dice, settings->epsilon, lab, why);
    if (done == DITHER_OK)
        done = lab_ask(lab, sql.data, settings->epsilon, &answer, why);
    for (size_t i = 0; i < count && done == DITHER_OK; i++)
        right += (dither_cell_number(answer, i, 1) > 0.5) == targets[i].secret;
    if (done == DITHER_OK)
        result->dither = right / (double)count;
    dither_answer_free(answer);
    buffer_free(&sql);
    lab_free(lab);
    return done;
}

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    size_t people = settings->quick ? QUICK_PEOPLE : PEOPLE, films = settings->quick ? QUICK_FILMS : FILMS;
    size_t count = settings->quick ? QUICK_TARGETS : TARGETS;
    struct dice dice;
    struct ratings ratings;
    struct target *targets;
    dice_init(&dice, settings->seed, "ratings");
    TRY(ratings_make(&ratings, people, films, &dice, &result->arena, why));
    TRY(arena_take(&result->arena, count * sizeof *targets, (void **)&targets, why));
    for (size_t i = 0; i < count; i++)
        choose_target(&ratings, (uint32_t)(i * people / count), &dice, &targets[i]);
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    result->trials = count;
    TRY(attack_records(result, &ratings, targets, count, why));
    return attack_dither(settings, result, &ratings, targets, count, &dice, why);
}

const struct attack attack_linkage_ratings = {
    .name = "linkage-ratings",
    .summary = "find a person among ratings without names by a few that are known",
    .baseline = "records without names",
    .success = "people of whom it was told right whether they rated another film",
    .reference = "Narayanan and Shmatikov 2008; decks 001 and 002",
    .run = run,
};
