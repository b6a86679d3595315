#include "tests/support/mechanisms.h"

#include <math.h>
#include <string.h>

#include "tests/support/test.h"

struct mechanism made(const char *name, dither_options options)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    if (kind == NULL)
        fail_msg("there is no %s", name);
    struct mechanism mechanism;
    error why = {0};
    if (mechanism_init(&mechanism, kind, &options, &why) != DITHER_OK)
        fail_msg("%s: %s", name, why.message);
    return mechanism;
}

void refused(const char *name, dither_options options, const char *words)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    if (kind == NULL)
        fail_msg("there is no %s", name);
    struct mechanism mechanism;
    error why = {0};
    if (mechanism_init(&mechanism, kind, &options, &why) != DITHER_INVALID)
        fail_msg("%s was not refused; expected \"%s\"", name, words);
    if (strstr(why.message, words) == NULL)
        fail_msg("%s: \"%s\" does not contain \"%s\"", name, why.message, words);
}

void measured(const struct mechanism *mechanism, const double *values, size_t count, int64_t *statistic)
{
    dither_data data = {values, count};
    error why = {0};
    if (mechanism_measure(mechanism, &data, statistic, &why) != DITHER_OK)
        fail_msg("%s: %s", mechanism->kind->name, why.message);
}

void measure_refused(const struct mechanism *mechanism, const double *values, size_t count, const char *words)
{
    dither_data data = {values, count};
    int64_t statistic[4096];
    error why = {0};
    assert_true(count <= sizeof statistic / sizeof statistic[0]);
    if (mechanism_measure(mechanism, &data, statistic, &why) != DITHER_INVALID)
        fail_msg("%s measured what it should refuse: \"%s\"", mechanism->kind->name, words);
    if (strstr(why.message, words) == NULL)
        fail_msg("%s: \"%s\" does not contain \"%s\"", mechanism->kind->name, why.message, words);
}

void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

void assert_just_above(double bound, double truth, double tolerance)
{
    if (!(bound >= truth && bound <= truth * (1 + tolerance)))
        fail_msg("%.17g should be just above %.17g", bound, truth);
}
