/* Rational numbers hold what they are given, exactly, and compare exactly; checked against GMP's own
 * rationals. */
#include <math.h>

#include <gmp.h>

#include "base/rational.h"
#include "tests/support/test.h"

/* The same number in GMP. */
static void to_mpq(struct rational value, mpq_t out)
{
    mpz_set_ui(mpq_numref(out), (unsigned long)(value.numerator >> 64));
    mpz_mul_2exp(mpq_numref(out), mpq_numref(out), 64);
    mpz_add_ui(mpq_numref(out), mpq_numref(out), (unsigned long)(uint64_t)value.numerator);
    mpz_set_ui(mpq_denref(out), value.denominator);
    mpq_canonicalize(out);
    if (value.exponent >= 0)
        mpq_mul_2exp(out, out, (mp_bitcnt_t)value.exponent);
    else
        mpq_div_2exp(out, out, (mp_bitcnt_t)-value.exponent);
}

static const double doubles[] = {0,       1,      0.1,       1.0 / 3, 5e-324, 1.7976931348623157e308,
                                 0x1p-20, 0x1p50, 12345.678, 6.02e23};
static const uint64_t integers[] = {1, 2, 3, 10, 79200, UINT64_C(1) << 62, UINT64_MAX};
enum { DOUBLES = sizeof doubles / sizeof doubles[0], INTEGERS = sizeof integers / sizeof integers[0] };

static void a_double_is_taken_exactly(void **state)
{
    (void)state;
    mpq_t ours, theirs;
    mpq_inits(ours, theirs, NULL);
    for (int i = 0; i < DOUBLES; i++) {
        to_mpq(rational_from_double(doubles[i]), ours);
        mpq_set_d(theirs, doubles[i]);
        assert_true(mpq_equal(ours, theirs));
        assert_true(rational_to_double(rational_from_double(doubles[i]), MPFR_RNDD) == doubles[i]);
        assert_true(rational_to_double(rational_from_double(doubles[i]), MPFR_RNDU) == doubles[i]);
    }
    mpq_clears(ours, theirs, NULL);
}

static void an_integer_over_or_times_a_double_is_exact(void **state)
{
    (void)state;
    mpq_t ours, theirs, factor;
    mpq_inits(ours, theirs, factor, NULL);
    for (int i = 1; i < DOUBLES; i++)
        for (int j = 0; j < INTEGERS; j++) {
            struct rational value = rational_from_double(doubles[i]);
            mpq_set_d(factor, doubles[i]);
            mpq_set_ui(theirs, integers[j], 1);
            mpq_div(theirs, theirs, factor);
            to_mpq(rational_divide_integer(integers[j], value), ours);
            assert_true(mpq_equal(ours, theirs));
            mpq_set_ui(theirs, integers[j], 1);
            mpq_mul(theirs, theirs, factor);
            to_mpq(rational_multiply_integer(integers[j], value), ours);
            assert_true(mpq_equal(ours, theirs));
        }
    mpq_clears(ours, theirs, factor, NULL);
}

static void squares_and_quotients_are_exact_or_refused(void **state)
{
    (void)state;
    mpq_t ours, theirs;
    mpq_inits(ours, theirs, NULL);
    struct rational out;
    for (int i = 0; i < DOUBLES; i++) {
        assert_true(rational_square(rational_from_double(doubles[i]), &out));
        mpq_set_d(theirs, doubles[i]);
        mpq_mul(theirs, theirs, theirs);
        to_mpq(out, ours);
        assert_true(mpq_equal(ours, theirs));
        assert_true(rational_divide_by_integer(rational_from_double(doubles[i]), 12, &out));
        mpq_set_d(theirs, doubles[i]);
        mpz_mul_ui(mpq_denref(theirs), mpq_denref(theirs), 12);
        mpq_canonicalize(theirs);
        to_mpq(out, ours);
        assert_true(mpq_equal(ours, theirs));
    }
    struct rational third = rational_from_ratio(1, 3), kept = third;
    assert_false(
        rational_divide_by_integer(third, UINT64_MAX - 1, &kept)); /* 3 (2^63 - 1) is beyond 64 bits */
    assert_int_equal(kept.denominator, 3);
    assert_false(rational_square((struct rational){(uint128_t)1 << 64, 1, 0}, &kept));
    assert_false(rational_square((struct rational){1, UINT64_C(1) << 33, 0}, &kept));
    mpq_clears(ours, theirs, NULL);
}

static void a_ratio_is_reduced(void **state)
{
    (void)state;
    struct rational value = rational_from_ratio(84, 36); /* 7/3 */
    assert_true(value.numerator == 7 && value.denominator == 3 && value.exponent == 0);
    value = rational_from_ratio(48, 1); /* 3 * 2^4 */
    assert_true(value.numerator == 3 && value.denominator == 1 && value.exponent == 4);
    assert_true(rational_is_zero(rational_from_ratio(0, 7)));
    assert_false(rational_is_zero(value));
}

static void rounding_goes_where_it_is_told(void **state)
{
    (void)state;
    struct rational third = rational_from_ratio(1, 3), tenth = rational_from_ratio(1, 10);
    assert_true(rational_to_double(third, MPFR_RNDN) == 1.0 / 3);
    assert_true(rational_to_double(third, MPFR_RNDD) == 1.0 / 3); /* the nearest is below */
    assert_true(rational_to_double(third, MPFR_RNDU) == nextafter(1.0 / 3, 1));
    assert_true(rational_to_double(tenth, MPFR_RNDU) == 0.1); /* the nearest is above */
    assert_true(rational_to_double(tenth, MPFR_RNDD) == nextafter(0.1, 0));
}

static void floors_are_whole_numbers_not_above(void **state)
{
    (void)state;
    assert_int_equal(rational_floor(rational_from_double(0)), 0);
    assert_int_equal(rational_floor(rational_from_double(0.999)), 0);
    assert_int_equal(rational_floor(rational_from_ratio(7, 2)), 3);
    assert_int_equal(rational_floor(rational_from_ratio(UINT64_MAX, 1)), UINT64_MAX);
    assert_int_equal(rational_floor(rational_from_ratio((uint128_t)UINT64_MAX * 3 + 2, 3)), UINT64_MAX);
    assert_int_equal(rational_floor((struct rational){1, 1, 64}), UINT64_MAX);
    assert_int_equal(rational_floor((struct rational){1, 1, 63}), UINT64_C(1) << 63);
}

static void comparisons_agree_with_gmp(void **state)
{
    (void)state;
    struct rational values[DOUBLES + INTEGERS + 3];
    size_t count = 0;
    for (int i = 0; i < DOUBLES; i++)
        values[count++] = rational_from_double(doubles[i]);
    for (int i = 0; i < INTEGERS; i++)
        values[count++] = rational_divide_integer(integers[i], rational_from_double(0.1));
    values[count++] = (struct rational){((uint128_t)1 << 127) + 1, UINT64_MAX, -64};
    values[count++] = (struct rational){(uint128_t)1 << 127, UINT64_MAX, -64};
    values[count++] = rational_from_ratio(1, 3);
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            to_mpq(values[i], left);
            to_mpq(values[j], right);
            int order = mpq_cmp(left, right);
            assert_int_equal(rational_compare(values[i], values[j]), (order > 0) - (order < 0));
        }
    mpq_clears(left, right, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_is_taken_exactly),
        cmocka_unit_test(an_integer_over_or_times_a_double_is_exact),
        cmocka_unit_test(squares_and_quotients_are_exact_or_refused),
        cmocka_unit_test(a_ratio_is_reduced),
        cmocka_unit_test(rounding_goes_where_it_is_told),
        cmocka_unit_test(floors_are_whole_numbers_not_above),
        cmocka_unit_test(comparisons_agree_with_gmp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
