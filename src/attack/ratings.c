#include "attack/ratings.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEWEST = 12, /* of one person */
    MOST = 400,
    DAYS = 2000,
    SEASON = 300, /* days in which somebody rates */
};

static const double rho0 = 1.5, d0 = 30, stands_out = 1.5;

size_t ratings_support(const struct ratings *ratings, uint32_t film)
{
    return ratings->film_starts[film + 1] - ratings->film_starts[film];
}

bool ratings_has(const struct ratings *ratings, uint32_t person, uint32_t film)
{
    for (size_t i = ratings->starts[person]; i < ratings->starts[person + 1]; i++)
        if (ratings->list[i].film == film)
            return true;
    return false;
}

/* ---- Making them ---- */

/* Popularity falls with the rank by a power law. */
static status weigh_films(size_t films, struct arena *arena, double **sums, error *why)
{
    TRY(arena_take(arena, films * sizeof **sums, (void **)sums, why));
    double sum = 0;
    for (size_t film = 0; film < films; film++)
        (*sums)[film] = sum += 1 / ((double)film + 10);
    return DITHER_OK;
}

/* Most people rate a few dozen films, some several hundred: log-normal. */
static status count_ratings(struct ratings *ratings, struct dice *dice, struct arena *arena, error *why)
{
    size_t most = ratings->films / 2 < MOST ? ratings->films / 2 : MOST;
    TRY(arena_take(arena, (ratings->people + 1) * sizeof *ratings->starts, (void **)&ratings->starts, why));
    for (size_t person = 0; person < ratings->people; person++) {
        double wanted = round(exp(3.6 + 0.8 * dice_normal(dice)));
        size_t count = (size_t)fmin(fmax(wanted, FEWEST), (double)most);
        ratings->starts[person + 1] = ratings->starts[person] + count;
    }
    ratings->count = ratings->starts[ratings->people];
    return arena_take(arena, ratings->count * sizeof *ratings->list, (void **)&ratings->list, why);
}

static void rate(struct ratings *ratings, uint32_t person, const double *popularity, uint32_t *last_rater,
                 struct dice *dice)
{
    double mood = 0.5 * dice_normal(dice);
    uint32_t season = dice_below(dice, DAYS - SEASON);
    for (size_t i = ratings->starts[person]; i < ratings->starts[person + 1];) {
        uint32_t film = (uint32_t)dice_weighted(dice, popularity, ratings->films);
        if (last_rater[film] == person + 1) /* nobody rates a film twice */
            continue;
        last_rater[film] = person + 1;
        double stars = round(3.5 + mood + dice_normal(dice));
        ratings->list[i++] = (struct rating){person, film, (int)fmin(fmax(stars, 1), 5),
                                             (int)(season + dice_below(dice, SEASON))};
    }
}

static status index_films(struct ratings *ratings, struct arena *arena, error *why)
{
    size_t *next;
    TRY(arena_take(arena, (ratings->films + 1) * sizeof *next, (void **)&ratings->film_starts, why));
    TRY(arena_take(arena, ratings->films * sizeof *next, (void **)&next, why));
    TRY(arena_take(arena, ratings->count * sizeof *next, (void **)&ratings->by_film, why));
    for (size_t i = 0; i < ratings->count; i++)
        ratings->film_starts[ratings->list[i].film + 1]++;
    for (size_t film = 0; film < ratings->films; film++) {
        ratings->film_starts[film + 1] += ratings->film_starts[film];
        next[film] = ratings->film_starts[film];
    }
    for (size_t i = 0; i < ratings->count; i++)
        ratings->by_film[next[ratings->list[i].film]++] = i;
    return DITHER_OK;
}

status ratings_make(struct ratings *ratings, size_t people, size_t films, struct dice *dice,
                    struct arena *arena, error *why)
{
    double *popularity;
    uint32_t *last_rater;
    *ratings = (struct ratings){.people = people, .films = films};
    TRY(weigh_films(films, arena, &popularity, why));
    TRY(arena_take(arena, films * sizeof *last_rater, (void **)&last_rater, why));
    TRY(count_ratings(ratings, dice, arena, why));
    for (uint32_t person = 0; person < people; person++)
        rate(ratings, person, popularity, last_rater, dice);
    return index_films(ratings, arena, why);
}

/* ---- The scoreboard ---- */

static void add_points(const struct ratings *ratings, const struct rating *known, double *scores)
{
    double weight = 1 / log(fmax((double)ratings_support(ratings, known->film), 2));
    for (size_t i = ratings->film_starts[known->film]; i < ratings->film_starts[known->film + 1]; i++) {
        const struct rating *rating = &ratings->list[ratings->by_film[i]];
        scores[rating->person] += weight * (exp(-abs(rating->stars - known->stars) / rho0) +
                                            exp(-abs(rating->day - known->day) / d0));
    }
}

struct match ratings_match(const struct ratings *ratings, const struct rating *known, size_t count,
                           double *scores)
{
    struct match match = {.found = false};
    double best = -1, second = -1, sum = 0, squares = 0, people = (double)ratings->people;
    for (size_t person = 0; person < ratings->people; person++)
        scores[person] = 0;
    for (size_t i = 0; i < count; i++)
        add_points(ratings, &known[i], scores);
    for (size_t person = 0; person < ratings->people; person++) {
        double score = scores[person];
        sum += score;
        squares += score * score;
        if (score > best) {
            second = best;
            best = score;
            match.person = (uint32_t)person;
        } else if (score > second) {
            second = score;
        }
    }
    double deviation = sqrt(fmax(squares / people - sum / people * (sum / people), 0));
    match.eccentricity = deviation > 0 ? (best - second) / deviation : 0;
    match.found = match.eccentricity >= stands_out;
    return match;
}
