/* Numbers in text: what is read is exact, or rounded to the side that was asked for; what is not a number is
 * refused without being repeated. Expected doubles are hexadecimal constants and the compiler's own
 * conversions. */
#include "tests/support/test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

static double parse(const char *text, enum number_rounding rounding)
{
    double value = NAN;
    error why;
    if (number_parse(text, rounding, &value, &why) != DITHER_OK)
        fail_msg("%s %s", text, why.message);
    return value;
}

static void a_decimal_is_rounded_to_the_nearest_double(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-0.0", 0},
        {"1", 1},
        {"+1.", 1},
        {".5", 0.5},
        {"-2.5e3", -2500},
        {"1E2", 100},
        {"0.1", 0x1.999999999999ap-4},
        {"123456789012345678", 123456789012345678.0},
        {"9007199254740993", 9007199254740992.0}, /* a tie: to even */
        {"9007199254740993.0000000000000000001", 9007199254740994.0},
        {"1e23", 0x1.52d02c7e14af6p+76}, /* the classic: 1e22 * 10 rounds wrong */
        {"8.98846567431158e307", 8.98846567431158e307},
        {"1.7976931348623157e308", DBL_MAX},
        {"2.2250738585072014e-308", DBL_MIN},
        {"000000000000000000000000000000000000001.50000000000000000000000000", 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(parse(cases[i].text, NUMBER_NEAREST) == cases[i].value);
}

static void rounding_down_never_exceeds_what_was_typed(void **state)
{
    (void)state;
    /* The double next to 0.1 is above it; 0.3's is below. */
    assert_true(parse("0.1", NUMBER_DOWN) == 0x1.9999999999999p-4);
    assert_true(parse("0.1", NUMBER_UP) == 0x1.999999999999ap-4);
    assert_true(parse("0.3", NUMBER_DOWN) == 0x1.3333333333333p-2);
    assert_true(parse("0.3", NUMBER_UP) == 0x1.3333333333334p-2);
    assert_true(parse("-0.1", NUMBER_DOWN) == -0x1.999999999999ap-4);
    assert_true(parse("0.5", NUMBER_DOWN) == 0.5 && parse("0.5", NUMBER_UP) == 0.5);
    assert_true(parse("1e-6", NUMBER_DOWN) < parse("1e-6", NUMBER_UP));
}

static void what_is_not_a_number_is_refused(void **state)
{
    (void)state;
    const char *const cases[] = {"",    " ",    "abc", "1x",    "1 ",   " 1",  "--1",
                                 "1e",  "e5",   ".",   "1e+",   "0x10", "nan", "NaN",
                                 "inf", "-inf", "1,5", "1.2.3", "1_0",  "+",   "1e1.5"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 7;
        error why;
        assert_int_equal(number_parse(cases[i], NUMBER_NEAREST, &value, &why), DITHER_INVALID);
        assert_string_equal(why.message, "is not a number");
        assert_true(value == 7);
    }
}

static void what_no_double_can_hold_is_refused(void **state)
{
    (void)state;
    error why;
    double value = 7;
    const char *const large[] = {"1e309", "-1e309", "1e99999", "1e99999999999999999999", "1.8e308"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        for (int rounding = NUMBER_NEAREST; rounding <= NUMBER_UP; rounding++) {
            assert_int_equal(number_parse(large[i], (enum number_rounding)rounding, &value, &why),
                             DITHER_INVALID);
            assert_string_equal(why.message, "is too large");
        }
    assert_int_equal(number_parse("1e-400", NUMBER_DOWN, &value, &why), DITHER_INVALID);
    assert_string_equal(why.message, "is too close to zero");
    char digits[NUMBER_DIGITS + 2];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    assert_int_equal(number_parse(digits, NUMBER_DOWN, &value, &why), DITHER_INVALID);
    assert_string_equal(why.message, "has more than 800 digits");
    assert_true(value == 7);
}

static void a_rational_is_the_decimal_itself(void **state)
{
    (void)state;
    struct rational value;
    error why;
    assert_int_equal(number_parse_rational("0.1", &value, &why), DITHER_OK);
    assert_int_equal(rational_compare(value, rational_from_ratio(1, 10)), 0);
    assert_int_not_equal(rational_compare(value, rational_from_double(0.1)), 0);
    assert_int_equal(number_parse_rational("12.5e2", &value, &why), DITHER_OK);
    assert_int_equal(rational_compare(value, rational_from_ratio(1250, 1)), 0);
    assert_int_equal(number_parse_rational("1.651908", &value, &why), DITHER_OK);
    assert_int_equal(rational_compare(value, rational_from_ratio(1651908, 1000000)), 0);
    assert_int_equal(number_parse_rational("0.000000000000000000000000001", &value, &why), DITHER_OK);
    assert_int_equal(number_parse_rational("99999999999999999999999999999999999999", &value, &why),
                     DITHER_OK);
    assert_int_equal(number_parse_rational("0", &value, &why), DITHER_OK);
    assert_true(rational_is_zero(value));
}

static void a_rational_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct rational value;
    error why;
    const char *const cases[] = {"1e-28", "9999999999999999999999999999999999999999", "1e60"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(number_parse_rational(cases[i], &value, &why), DITHER_INVALID);
        assert_string_equal(why.message, "has too many digits to be taken exactly");
    }
    assert_int_equal(number_parse_rational("-1", &value, &why), DITHER_INVALID);
    assert_string_equal(why.message, "is negative");
    assert_int_equal(number_parse_rational("one", &value, &why), DITHER_INVALID);
}

static void whole_numbers_stop_at_64_bits(void **state)
{
    (void)state;
    uint64_t value = 0;
    error why;
    assert_int_equal(number_parse_whole("18446744073709551615", &value, &why), DITHER_OK);
    assert_true(value == UINT64_MAX);
    assert_int_equal(number_parse_whole("1e6", &value, &why), DITHER_OK);
    assert_true(value == 1000000);
    assert_int_equal(number_parse_whole("2.50e1", &value, &why), DITHER_OK);
    assert_true(value == 25);
    assert_int_equal(number_parse_whole("0", &value, &why), DITHER_OK);
    assert_true(value == 0);
    assert_int_equal(number_parse_whole("18446744073709551616", &value, &why), DITHER_INVALID);
    assert_int_equal(number_parse_whole("1e20", &value, &why), DITHER_INVALID);
    assert_int_equal(number_parse_whole("1e99999", &value, &why), DITHER_INVALID);
    assert_string_equal(why.message, "is too large");
    assert_int_equal(number_parse_whole("-1", &value, &why), DITHER_INVALID);
    assert_int_equal(number_parse_whole("1.5", &value, &why), DITHER_INVALID);
    assert_true(value == 0);
}

static void printing_for_machines_reads_back(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {3300, "3300"},
                 {-0.0, "0"},
                 {-999999999999999, "-999999999999999"},
                 {1e15, "1e+15"},
                 {1e300, "1e+300"},
                 {1.0 / 3, "0.3333333333333333"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {123456789.125, "123456789.125"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_TEXT];
        number_print_exact(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
        assert_true(parse(text, NUMBER_NEAREST) == cases[i].value);
    }
}

static void printing_for_people_has_twelve_digits(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    number_print(0.1 + 0.2, text);
    assert_string_equal(text, "0.3");
    number_print(133000.0 / 11, text);
    assert_string_equal(text, "12090.9090909");
    number_print(NAN, text);
    assert_non_null(strstr(text, "nan"));
}

static void the_point_is_a_point_in_every_locale(void **state)
{
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        skip(); /* this machine has no such locale */
    char text[NUMBER_TEXT];
    number_print_exact(0.5, text);
    double value = parse("0.1234567890123456789", NUMBER_DOWN);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "0.5");
    assert_true(value > 0.123456789 && value < 0.12345679);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decimal_is_rounded_to_the_nearest_double),
        cmocka_unit_test(rounding_down_never_exceeds_what_was_typed),
        cmocka_unit_test(what_is_not_a_number_is_refused),
        cmocka_unit_test(what_no_double_can_hold_is_refused),
        cmocka_unit_test(a_rational_is_the_decimal_itself),
        cmocka_unit_test(a_rational_that_does_not_fit_is_refused),
        cmocka_unit_test(whole_numbers_stop_at_64_bits),
        cmocka_unit_test(printing_for_machines_reads_back),
        cmocka_unit_test(printing_for_people_has_twelve_digits),
        cmocka_unit_test(the_point_is_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
