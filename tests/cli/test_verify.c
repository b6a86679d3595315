/* `dither verify` convicts: a geometric mechanism whose noise has half the scale that it promises makes the
 * exit status 1, in every format; the honest one makes it 0. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "cli/verify.h"
#include "mechanism/mechanism.h"
#include "tests/support/capture.h"

static const struct mechanism_kind *honest(void)
{
    const struct mechanism_kind *kind = mechanism_find("geometric");
    assert_non_null(kind);
    return kind;
}

/* Sensitivity halved: the cost stays what was promised, the noise is for half of it. */
static status init_with_half_the_noise(struct mechanism *mechanism, error *why)
{
    TRY(honest()->init(mechanism, why));
    struct rational half;
    assert_true(rational_divide_by_integer(mechanism->law.noise.scale, 2, &half));
    return geometric_init(&mechanism->law.noise, half, why);
}

static struct capture capture;

static int check(const struct mechanism_kind *kind, enum cli_format format, bool verbose)
{
    const struct mechanism_kind *const kinds[] = {kind};
    const dither_options options = {.epsilon = 0.5};
    const struct verify_request request = {
        .kinds = kinds, .kind_count = 1, .options = &options, .format = format, .verbose = verbose};
    capture_begin(&capture);
    int result = verify_kinds(&request);
    capture_end(&capture);
    return result;
}

static void an_honest_mechanism_is_acquitted(void **state)
{
    (void)state;
    assert_int_equal(check(honest(), CLI_TABLE, false), CLI_DONE);
    assert_non_null(strstr(capture.out, "kept"));
    assert_null(strstr(capture.out, "BROKEN"));
    assert_string_equal(capture.err, "");
}

static void half_the_noise_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = *honest();
    broken.init = init_with_half_the_noise;
    assert_int_equal(check(&broken, CLI_TABLE, true), CLI_FAILED);
    assert_non_null(strstr(capture.out, "BROKEN"));
    assert_non_null(strstr(capture.out, "against")); /* the counterexample */
    assert_string_equal(capture.err, "dither: 1 of 1 promises is broken\n");
    assert_int_equal(check(&broken, CLI_CSV, false), CLI_FAILED);
    assert_non_null(strstr(capture.out, ",BROKEN\n"));

    assert_int_equal(check(&broken, CLI_JSON, false), CLI_FAILED);
    json_t *verdicts = json_loads(capture.out, 0, NULL);
    assert_non_null(verdicts);
    json_t *verdict = json_array_get(verdicts, 0);
    assert_true(json_is_true(json_object_get(verdict, "broken")));
    assert_true(json_is_false(json_object_get(verdict, "kept")));
    /* Half the scale is twice the loss. */
    double found = json_number_value(json_array_get(json_object_get(verdict, "found"), 0));
    assert_true(found > 0.999 && found < 1.001);
    json_decref(verdicts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_honest_mechanism_is_acquitted),
        cmocka_unit_test(half_the_noise_is_convicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
