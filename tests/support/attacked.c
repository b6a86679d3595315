#include "tests/support/attacked.h"

#include <stdlib.h>
#include <string.h>

struct attack_result attacked(const struct attack *attack, const char *epsilon)
{
    const struct attack_settings settings = {
        .seed = 1, .epsilon = epsilon, .quick = true, .program = getenv("DITHER")};
    struct attack_result result;
    error why;
    attack_result_init(&result);
    if (attack->run(&settings, &result, &why) != DITHER_OK)
        fail_msg("%s: %s", attack->name, why.message);
    return result;
}

double attacked_fact(const struct attack_result *result, const char *name)
{
    for (size_t i = 0; i < result->fact_count; i++)
        if (strcmp(result->facts[i].name, name) == 0)
            return result->facts[i].value;
    fail_msg("no such fact: %s", name);
    return NAN;
}

void assert_attack_fails_on_dither(const struct attack_result *result, double baseline)
{
    double most = isnan(result->bound) ? result->guessing : result->bound;
    assert_true(result->trials > 0);
    double deviation = sqrt(fmax(most * (1 - most), 1e-3) / (double)result->trials);
    assert_true(result->baseline >= baseline && result->baseline <= 1 + 1e-9);
    if (!(result->dither >= 0 && result->dither <= most + 5 * deviation))
        fail_msg("success against Dither is %g, and no more than %g is allowed", result->dither, most);
}
