/* Intersection (differencing): two harmless counts, one person between them.
 *
 * The system answers exactly, and refuses counts of few people, so that "is the patient in bed 1 sick?" is refused. "How
 * many are sick?" and "how many are sick, but for bed 1?" are not, and their difference is the answer. Dither refuses
 * neither; both answers are noisy, so that it does not matter how the sets were chosen. */
#include "attack/attacks.h"
#include "attack/rows.h"
#include "attack/wards.h"

enum {
    WARDS = 2000,
    QUICK_WARDS = 400,
};

static bool is_sick(const struct patient *patient)
{
    return patient->sick;
}

static bool is_sick_but_not_the_victim(const struct patient *patient)
{
    return patient->sick && patient->bed != 1;
}

static bool is_the_sick_victim(const struct patient *patient)
{
    return patient->sick && patient->bed == 1;
}

static const struct probe difference[] = {
    {+1, "sick", is_sick},
    {-1, "sick AND bed <> 1", is_sick_but_not_the_victim},
};
static const struct probe direct[] = {{+1, "sick AND bed = 1", is_the_sick_victim}};

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    struct wards wards;
    double asked_directly;
    dice_init(&dice, settings->seed, "intersection");
    TRY(wards_make(&wards, settings->quick ? QUICK_WARDS : WARDS, &dice, &result->arena, why));
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    result->trials = wards.count;
    result->baseline = wards_success_exact(&wards, difference, 2);
    TRY(wards_success_dither(&wards, settings->epsilon, difference, 2, &result->dither, why));
    TRY(wards_success_dither(&wards, settings->epsilon, direct, 1, &asked_directly, why));
    attack_fact(result, "exact counts of 5 to 25 of 30, asked directly",
                wards_success_exact(&wards, direct, 1));
    attack_fact(result, "exact counts of 5 to 25 of 30, by difference", result->baseline);
    attack_fact(result, "Dither, asked directly, which is not refused", asked_directly);
    attack_fact(result, "Dither, by difference", result->dither);
    result->dither = asked_directly > result->dither ? asked_directly : result->dither;
    return DITHER_OK;
}

const struct attack attack_intersection = {
    .name = "intersection",
    .summary = "subtract two counts that differ in one person",
    .baseline = "exact counts, small ones refused",
    .success = "patients of whom it was told right whether they are sick",
    .reference = "Denning and Denning 1979; decks 000 and 004",
    .run = run,
    .run_on_rows = rows_intersection,
    .baseline_on_rows = "exact counts, small ones refused",
    .success_on_rows = "people whose secret was told right",
};
