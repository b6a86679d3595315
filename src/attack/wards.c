#include "attack/wards.h"

#include <stdio.h>

#include "base/memory.h"

status wards_make(struct wards *wards, size_t count, struct dice *dice, struct arena *arena, error *why)
{
    wards->count = count;
    TRY(arena_take(arena, count * sizeof *wards->patients, (void **)&wards->patients, why));
    for (size_t ward = 0; ward < count; ward++)
        for (uint32_t bed = 0; bed < WARD_BEDS; bed++) {
            struct patient *patient = &wards->patients[ward][bed];
            patient->bed = bed + 1;
            patient->female = bed % 2 == 0; /* half of them: no question about sex is refused for its size */
            patient->sick = dice_chance(dice, 0.5);
        }
    return DITHER_OK;
}

bool wards_secret(const struct wards *wards, size_t ward)
{
    return wards->patients[ward][0].sick;
}

bool wards_subtract(const struct wards *wards, size_t ward, const struct probe *probes, size_t count,
                    int *sum)
{
    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        int people = 0;
        for (size_t bed = 0; bed < WARD_BEDS; bed++)
            people += probes[i].holds(&wards->patients[ward][bed]);
        if (people < WARD_FEWEST || people > WARD_BEDS - WARD_FEWEST)
            return false;
        *sum += probes[i].sign * people;
    }
    return true;
}

status wards_open(const struct wards *wards, struct lab *lab, const char *epsilon, error *why)
{
    struct buffer *text = lab_text(lab);
    buffer_text(text, "ward,bed,female,sick\n");
    for (size_t ward = 0; ward < wards->count; ward++)
        for (size_t bed = 0; bed < WARD_BEDS; bed++) {
            const struct patient *patient = &wards->patients[ward][bed];
            buffer_format(text, "%zu,%u,%s,%s\n", ward, patient->bed, patient->female ? "true" : "false",
                          patient->sick ? "true" : "false");
        }
    TRY(lab_save(lab, "patients.csv", why));
    text = lab_text(lab);
    buffer_format(text,
                  "dataset: wards\ntables:\n  patients:\n    source: patients.csv\n    unit: row\n"
                  "    columns:\n      ward: {type: integer, range: [0, %zu], null: false}\n"
                  "      bed: {type: integer, range: [1, %d], null: false}\n"
                  "      female: {type: boolean, null: false}\n      sick: {type: boolean, null: false}\n",
                  wards->count - 1, WARD_BEDS);
    return lab_open(lab, epsilon, NULL, why);
}

status wards_ask(const struct wards *wards, struct lab *lab, const char *epsilon, const struct probe *probes,
                 size_t count, double *sums, error *why)
{
    char share[DECIMAL_TEXT], sql[400];
    lab_share(epsilon, count, share);
    for (size_t ward = 0; ward < wards->count; ward++)
        sums[ward] = 0;
    for (size_t i = 0; i < count; i++) {
        dither_answer *answer = NULL;
        snprintf(sql, sizeof sql, "SELECT ward, count(*) FROM patients WHERE %s GROUP BY ward ORDER BY ward",
                 probes[i].condition);
        TRY(lab_ask(lab, sql, share, &answer, why));
        for (size_t ward = 0; ward < wards->count; ward++)
            sums[ward] += probes[i].sign * dither_cell_number(answer, ward, 1);
        dither_answer_free(answer);
    }
    return DITHER_OK;
}

double wards_success_exact(const struct wards *wards, const struct probe *probes, size_t count)
{
    double right = 0;
    for (size_t ward = 0; ward < wards->count; ward++) {
        int sum;
        if (!wards_subtract(wards, ward, probes, count, &sum))
            right += 0.5;
        else
            right += (sum > 0) == wards_secret(wards, ward);
    }
    return right / (double)wards->count;
}

status wards_success_dither(const struct wards *wards, const char *epsilon, const struct probe *probes,
                            size_t count, double *out, error *why)
{
    struct lab *lab = NULL;
    size_t size = wards->count * sizeof(double);
    double *sums = memory_allocate(size), right = 0;
    if (sums == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for an attack");
    status result = lab_new(&lab, why);
    if (result == DITHER_OK)
        result = wards_open(wards, lab, epsilon, why);
    if (result == DITHER_OK)
        result = wards_ask(wards, lab, epsilon, probes, count, sums, why);
    for (size_t ward = 0; ward < wards->count && result == DITHER_OK; ward++)
        right += (sums[ward] > 0.5) == wards_secret(wards, ward);
    if (result == DITHER_OK)
        *out = right / (double)wards->count;
    lab_free(lab);
    memory_release(sums, size);
    return result;
}
