/* The general tracker: a question that is refused is hidden among people who have nothing to do with it.
 *
 * Counts of fewer than 5 people, and of all but fewer than 5, are refused, and there is no pair of sets that differ in the
 * victim alone. Yet for any tracker T of middling size, with C the refused condition,
 *     count(C) = count(C or T) + count(C or not T) - count(T) - count(not T)
 * and all four are answered (Denning, Denning, Schwartz 1979). Noise makes each of them uncertain, and four
 * uncertain numbers are worse than one. */
#include "attack/attacks.h"
#include "attack/rows.h"
#include "attack/wards.h"

enum {
    WARDS = 2000,
    QUICK_WARDS = 400,
};

static bool hidden_among_women(const struct patient *patient)
{
    return (patient->bed == 1 && patient->sick) || patient->female;
}

static bool hidden_among_men(const struct patient *patient)
{
    return (patient->bed == 1 && patient->sick) || !patient->female;
}

static bool is_a_woman(const struct patient *patient)
{
    return patient->female;
}

static bool is_a_man(const struct patient *patient)
{
    return !patient->female;
}

static const struct probe tracker[] = {
    {+1, "(bed = 1 AND sick) OR female", hidden_among_women},
    {+1, "(bed = 1 AND sick) OR NOT female", hidden_among_men},
    {-1, "female", is_a_woman},
    {-1, "NOT female", is_a_man},
};

static status run(const struct attack_settings *settings, struct attack_result *result, error *why)
{
    struct dice dice;
    struct wards wards;
    dice_init(&dice, settings->seed, "tracker");
    TRY(wards_make(&wards, settings->quick ? QUICK_WARDS : WARDS, &dice, &result->arena, why));
    result->guessing = 0.5;
    result->bound = attack_bound(settings->epsilon);
    result->trials = wards.count;
    result->baseline = wards_success_exact(&wards, tracker, 4);
    return wards_success_dither(&wards, settings->epsilon, tracker, 4, &result->dither, why);
}

const struct attack attack_tracker = {
    .name = "tracker",
    .summary = "hide a refused question among people who have nothing to do with it",
    .baseline = "exact counts, small and large ones refused",
    .success = "patients of whom it was told right whether they are sick",
    .reference = "Denning, Denning, Schwartz 1979",
    .run = run,
    .run_on_rows = rows_tracker,
    .baseline_on_rows = "exact counts, small and large ones refused",
    .success_on_rows = "people whose secret was told right",
};
