/* Exact decimals: what is read, added, compared and printed, against hand-written figures and, for doubles,
 * against the exact binary expansion that the C library prints. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "tests/support/test.h"

static struct decimal parse(const char *text)
{
    struct decimal value = {0};
    if (decimal_parse(text, &value, NULL) != DITHER_OK)
        fail_msg("%s", text);
    return value;
}

static void expect_text(struct decimal value, const char *expected)
{
    char text[DECIMAL_TEXT];
    decimal_print(value, text);
    assert_string_equal(text, expected);
}

static void what_is_read_is_printed_in_one_form(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"0", "0"},
        {"0.0", "0"},
        {".5", "0.5"},
        {"5.", "5"},
        {"007", "7"},
        {"0.10", "0.1"},
        {"1e-9", "0.000000001"},
        {"1E-24", "0.000000000000000000000001"},
        {"1.5e3", "1500"},
        {"12e+2", "1200"},
        {"1e14", "100000000000000"},
        {"0e999999999", "0"},
        {"1000e-3", "1"},
        {"0.1000000000000000000000000000000000000000000", "0.1"},
        {"99999999999999.999999999999999999999999", "99999999999999.999999999999999999999999"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        expect_text(parse(pairs[i][0]), pairs[i][1]);
}

static void what_is_not_a_decimal_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        " 1",
                                        "1 ",
                                        "-1",
                                        "+1",
                                        ".",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "0x1",
                                        "nan",
                                        "inf",
                                        "1,5",
                                        "1.2.3",
                                        "1e-25",
                                        "1e15",
                                        "1.00000000000000000000000001",
                                        "100000000000000.000000000000000000000001",
                                        "1e99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct decimal value = {7};
        assert_int_equal(decimal_parse(texts[i], &value, NULL), DITHER_INVALID);
        assert_true(value.units == 7);
    }
}

static void a_million_tenths_are_a_hundred_thousand(void **state)
{
    (void)state;
    struct decimal tenth = parse("0.1"), sum = decimal_zero(), limit = parse("100000");
    double drifting = 0;
    for (int i = 0; i < 1000000; i++) {
        assert_true(decimal_add(sum, tenth, &sum));
        drifting += 0.1;
    }
    assert_int_equal(decimal_compare(sum, limit), 0);
    assert_true(drifting != 100000); /* doubles would have drifted */
    assert_true(decimal_add(sum, parse("1e-24"), &sum));
    assert_int_equal(decimal_compare(sum, limit), 1);
}

static void doubles_are_rounded_up_to_the_next_unit(void **state)
{
    (void)state;
    struct decimal value;
    /* 0.1 is 0.1000000000000000055511151231257827... */
    assert_int_equal(decimal_from_double(0.1, &value, NULL), DITHER_OK);
    expect_text(value, "0.100000000000000005551116");
    assert_int_equal(decimal_from_double(0.5, &value, NULL), DITHER_OK);
    expect_text(value, "0.5");
    assert_int_equal(decimal_from_double(DBL_TRUE_MIN, &value, NULL), DITHER_OK);
    expect_text(value, "0.000000000000000000000001");
    assert_int_equal(decimal_from_double(0, &value, NULL), DITHER_OK);
    expect_text(value, "0");
    static const double bad[] = {-1, -DBL_TRUE_MIN, 1e15, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(decimal_from_double(bad[i], &value, NULL), DITHER_INVALID);
}

static void the_double_below_a_decimal_never_exceeds_it(void **state)
{
    (void)state;
    static const char *const texts[] = {"0.1", "0.2",        "0.3",   "0.7", "1e-9",
                                        "3.3", "123456.789", "1e-24", "0"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct decimal value = parse(texts[i]), back, above;
        double below = decimal_to_double(value);
        assert_int_equal(decimal_from_double(below, &back, NULL), DITHER_OK);
        assert_true(decimal_compare(back, value) <= 0);
        assert_int_equal(decimal_from_double(nextafter(below, INFINITY), &above, NULL), DITHER_OK);
        assert_true(decimal_compare(above, value) > 0 || value.units == 0);
    }
    assert_true(decimal_to_double(parse("0.1")) == nextafter(0.1, 0)); /* 0.1 itself is above one tenth */
    assert_true(decimal_to_double(parse("0.5")) == 0.5);
}

static void sums_beyond_the_largest_are_refused(void **state)
{
    (void)state;
    struct decimal out = {7};
    assert_true(decimal_add(parse("99999999999999"), parse("1"), &out));
    expect_text(out, "100000000000000");
    assert_false(decimal_add(out, parse("1e-24"), &out));
    assert_false(decimal_add(decimal_unlimited(), parse("1"), &out));
    assert_false(decimal_multiply(parse("1e13"), 11, &out));
    assert_false(decimal_multiply(parse("1e14"), UINT64_MAX, &out));
    assert_false(decimal_half_square(parse("1e8"), &out));
    expect_text(out, "100000000000000");
}

static void half_squares_and_differences(void **state)
{
    (void)state;
    struct decimal out;
    assert_true(decimal_half_square(parse("0.1"), &out));
    expect_text(out, "0.005");
    assert_true(decimal_half_square(parse("1e-24"), &out)); /* 5e-49, rounded up */
    expect_text(out, "0.000000000000000000000001");
    assert_true(decimal_half_square(parse("3"), &out));
    expect_text(out, "4.5");
    expect_text(decimal_subtract(parse("1"), parse("0.3")), "0.7");
    expect_text(decimal_subtract(parse("0.3"), parse("1")), "0");
    expect_text(decimal_subtract(decimal_unlimited(), parse("1")), "unlimited");
    assert_int_equal(decimal_compare(decimal_unlimited(), parse("1e14")), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_printed_in_one_form),
        cmocka_unit_test(what_is_not_a_decimal_is_refused),
        cmocka_unit_test(a_million_tenths_are_a_hundred_thousand),
        cmocka_unit_test(doubles_are_rounded_up_to_the_next_unit),
        cmocka_unit_test(the_double_below_a_decimal_never_exceeds_it),
        cmocka_unit_test(sums_beyond_the_largest_are_refused),
        cmocka_unit_test(half_squares_and_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
