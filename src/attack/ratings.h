/* ratings.h - made-up ratings of films: few people rate much, few films are rated by many, and the long tails of both
 * are what makes people stand out. */
#ifndef ATTACK_RATINGS_H
#define ATTACK_RATINGS_H

#include "attack/dice.h"
#include "base/arena.h"

struct rating {
    uint32_t person, film;
    int stars, day; /* 1 to 5; 0 to 1999 */
};

/* Person by person: those of person p are `list[starts[p]]` up to `list[starts[p + 1]]`. And the same film by film, as
 * positions in the list. */
struct ratings {
    size_t people, films, count;
    struct rating *list;
    size_t *starts, *film_starts, *by_film;
};

status ratings_make(struct ratings *ratings, size_t people, size_t films, struct dice *dice,
                    struct arena *arena, error *why) MUST_CHECK;

/* How many people have rated the film. */
size_t ratings_support(const struct ratings *ratings, uint32_t film);

bool ratings_has(const struct ratings *ratings, uint32_t person, uint32_t film);

/* The scoreboard of Narayanan and Shmatikov (2008): each of the known ratings gives points to everybody who has rated the
 * film, more when it is rare, and when stars (rho0 = 1.5) and days (d0 = 30) agree. The best is the answer if
 * it stands out from the second by 1.5 deviations of all scores; else there is none. `scores` is room for all people. */
struct match {
    bool found;
    uint32_t person;
    double eccentricity;
};

struct match ratings_match(const struct ratings *ratings, const struct rating *known, size_t count,
                           double *scores);

#endif
