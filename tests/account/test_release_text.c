/* Releases as people write them are read exactly, rounded against ourselves, or refused with a word that
 * helps. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "account/release_text.h"

static struct release parsed(const char *text)
{
    struct release release;
    error why;
    if (release_parse(text, &release, &why) != DITHER_OK)
        fail_msg("%s: %s", text, why.message);
    return release;
}

static void every_kind_can_be_written(void **state)
{
    (void)state;
    struct release r = parsed("gaussian sigma=20 x1000");
    assert_true(r.kind == RELEASE_GAUSSIAN && r.scale == 20 && r.count == 1000);
    r = parsed("  laplace   scale=10 sensitivity=2 rate=0.5 x1e3 ");
    assert_true(r.kind == RELEASE_LAPLACE && r.scale == 10 && r.sensitivity == 2 && r.sampling == 0.5 &&
                r.count == 1000);
    r = parsed("discrete-laplace scale=3");
    assert_true(r.kind == RELEASE_DISCRETE_LAPLACE && r.count == 0);
    r = parsed("discrete-gaussian scale=3 x2");
    assert_true(r.kind == RELEASE_DISCRETE_GAUSSIAN);
    r = parsed("pure epsilon=0.5");
    assert_true(r.kind == RELEASE_PURE && r.epsilon == 0.5);
    r = parsed("approximate epsilon=0.5 delta=1e-9");
    assert_true(r.kind == RELEASE_APPROXIMATE && r.delta >= 1e-9);
    r = parsed("concentrated rho=0.25");
    assert_true(r.kind == RELEASE_CONCENTRATED && r.rho == 0.25);
    r = parsed("randomized-response epsilon=1 choices=4");
    assert_true(r.kind == RELEASE_RANDOMIZED_RESPONSE && r.choices == 4);
    r = parsed("gaussian");
    assert_true(r.scale == 0); /* to be found */
}

/* 0.1 lies between two doubles. */
static void numbers_are_rounded_against_ourselves(void **state)
{
    (void)state;
    assert_true(parsed("laplace scale=0.1").scale < (double)0.1L);
    assert_true(parsed("laplace scale=1 sensitivity=0.3").sensitivity > (double)0.3L - 0x1p-54);
    assert_true((long double)parsed("pure epsilon=0.1").epsilon >= 0.1L);
    assert_true((long double)parsed("pure epsilon=0.3").epsilon >= 0.3L);
    assert_true((long double)parsed("laplace scale=0.3").scale <= 0.3L);
    assert_true((long double)parsed("gaussian sigma=1 rate=0.3").sampling >= 0.3L);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "   ",
                                        "gausian sigma=1",
                                        "pair x3",
                                        "gaussian sigma",
                                        "gaussian sigma=",
                                        "gaussian sigma=abc",
                                        "gaussian sigma=nan",
                                        "gaussian sigma=0",
                                        "gaussian sigma=-1",
                                        "gaussian sigma=1 scale=1",
                                        "gaussian sigma=1 sigma=1",
                                        "gaussian sigma=1 epsilon=1",
                                        "gaussian sigma=1 x",
                                        "gaussian sigma=1 x0",
                                        "gaussian sigma=1 x3 x4",
                                        "gaussian sigma=1 x-3",
                                        "gaussian sigma=1 times3",
                                        "pure sigma=1",
                                        "concentrated rho=1 choices=3",
                                        "randomized-response epsilon=1 choices=two",
                                        "gaussian =5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct release release = {.count = 77};
        error why;
        if (release_parse(texts[i], &release, &why) != DITHER_INVALID)
            fail_msg("\"%s\" was not refused", texts[i]);
        assert_true(release.count == 77 && why.message[0] != 0);
    }
    char longest[400] = "gaussian sigma=";
    memset(longest + strlen(longest), '1', 300);
    struct release release;
    error why;
    assert_int_equal(release_parse(longest, &release, &why), DITHER_INVALID);
}

static void descriptions_say_what_it_is(void **state)
{
    (void)state;
    struct release release = parsed("laplace scale=10 sensitivity=2 rate=0.5 x7");
    char text[200];
    release_describe(&release, text, sizeof text);
    assert_string_equal(text, "7 x laplace, scale 10, sensitivity 2, on a sample of rate 0.5");
    char tiny[8];
    release_describe(&release, tiny, sizeof tiny);
    assert_int_equal(strlen(tiny), 7);
    for (size_t i = 0; release_text_kind(i); i++)
        assert_true(strlen(release_text_kind(i)) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_can_be_written),
        cmocka_unit_test(numbers_are_rounded_against_ourselves),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(descriptions_say_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
