/* wards.h - many small wards with one victim in each: the data of the attacks that subtract counts.
 *
 * The patient in bed 1 is the victim of the ward; the adversary knows that, and wants to know whether that patient is
 * sick. Wards are disjoint, so one question grouped by ward asks about every victim, and each is protected as if
 * asked about alone: as many trials as wards. */
#ifndef ATTACK_WARDS_H
#define ATTACK_WARDS_H

#include "attack/attack.h"
#include "attack/dice.h"
#include "attack/lab.h"

enum {
    WARD_BEDS = 30,
    WARD_FEWEST = 5, /* the exact system refuses counts of fewer people, or of all but fewer */
};

struct patient {
    uint32_t bed;
    bool female, sick;
};

struct wards {
    size_t count;
    struct patient (*patients)[WARD_BEDS];
};

/* A count of those of whom something holds: in SQL, for Dither, and in C, for the exact system. The secret is the sum of
 * the counts with these signs. */
struct probe {
    int sign;
    const char *condition;
    bool (*holds)(const struct patient *patient);
};

status wards_make(struct wards *wards, size_t count, struct dice *dice, struct arena *arena,
                  error *why) MUST_CHECK;

bool wards_secret(const struct wards *wards, size_t ward);

/* The exact system: false when it refuses one of the probes. */
bool wards_subtract(const struct wards *wards, size_t ward, const struct probe *probes, size_t count,
                    int *sum);

/* Puts the wards behind Dither. */
status wards_open(const struct wards *wards, struct lab *lab, const char *epsilon, error *why) MUST_CHECK;

/* Asks every probe once, each for an equal share of the budget, and gives the sum for every ward. */
status wards_ask(const struct wards *wards, struct lab *lab, const char *epsilon, const struct probe *probes,
                 size_t count, double *sums, error *why) MUST_CHECK;

/* The share of wards whose secret is told right by a sum above one half; refusals count as a coin's throw. */
double wards_success_exact(const struct wards *wards, const struct probe *probes, size_t count);
status wards_success_dither(const struct wards *wards, const char *epsilon, const struct probe *probes,
                            size_t count, double *out, error *why) MUST_CHECK;

#endif
