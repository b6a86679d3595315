/* Uniform numbers and biased coins have exactly the law that they claim.
 *
 * A sampler sees nothing but words; so feeding it the words on both sides of every point where its answer
 * changes shows the whole map from words to answers, and with it the exact probabilities: no seed, no luck.
 * The points are computed here independently, with MPFR at 320 bits or by long division. */
#include <math.h>

#include "random/bernoulli.h"
#include "random/uniform.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

/* ---- Uniform ---- */

static uint64_t uniform_of(uint64_t n, uint64_t first, uint64_t second)
{
    uint64_t words[2] = {first, second}, out = 0;
    struct random *random = script_source(words, 2);
    assert_int_equal(uniform_below(random, n, &out, NULL), DITHER_OK);
    random_close(random);
    return out;
}

/* value v is given by the words w with floor(w n / 2^64) = v and low half >= 2^64 mod n: from ceil((v 2^64 +
 * excess) / n) to ceil((v+1) 2^64 / n) - 1, floor(2^64 / n) many for every v. */
static void each_value_below_n_has_equally_many_words(void **state)
{
    (void)state;
    const uint64_t sizes[] = {1, 2, 3, 5, 10, 1000, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint128_t n = sizes[i], whole = (uint128_t)1 << 64, excess = whole % n;
        const uint64_t values[] = {0, (uint64_t)n / 3, (uint64_t)n - 1};
        for (size_t j = 0; j < 3; j++) {
            uint128_t v = values[j];
            uint128_t first = (v * whole + excess + n - 1) / n, end = ((v + 1) * whole - 1) / n;
            assert_true(end - first + 1 == whole / n);
            assert_int_equal(uniform_of(sizes[i], (uint64_t)first, 0), values[j]);
            assert_int_equal(uniform_of(sizes[i], (uint64_t)end, 0), values[j]);
            /* The word before would give one value more than its share: it is drawn again, and another value
             * comes. */
            uint64_t other = v == 0 ? (uint64_t)n - 1 : 0;
            uint128_t word_of_other = ((uint128_t)other * whole + excess + n - 1) / n;
            if (n > 1 && excess != 0 && first > 0 && (uint64_t)((first - 1) * n) < excess)
                assert_int_equal(uniform_of(sizes[i], (uint64_t)(first - 1), (uint64_t)word_of_other), other);
        }
    }
}

static void uniform_numbers_fit(void **state)
{
    (void)state;
    enum { N = 37, DRAWS = 200000 };
    struct random *random = fixed_source(1);
    uint64_t seen[N] = {0};
    double probability[N];
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = 0;
        assert_int_equal(uniform_below(random, N, &value, NULL), DITHER_OK);
        assert_true(value < N);
        seen[value]++;
    }
    for (int i = 0; i < N; i++)
        probability[i] = 1.0 / N;
    size_t freedom = 0;
    double chi = fit_chi_square(seen, probability, N, DRAWS, &freedom);
    assert_true(chi < fit_threshold(freedom));
    random_close(random);
}

/* ---- Coins ---- */

enum { DEPTH = 4 }; /* words of a probability's expansion that are looked at */

/* A probability as an oracle of the test: its first DEPTH words. */
static void expansion(mpfr_t probability, uint64_t words[DEPTH])
{
    mpfr_t rest;
    mpfr_init2(rest, 512);
    mpfr_set(rest, probability, MPFR_RNDN);
    for (int i = 0; i < DEPTH; i++) {
        mpfr_mul_2ui(rest, rest, 64, MPFR_RNDN);
        words[i] = mpfr_get_uj(rest, MPFR_RNDD);
        mpfr_sub_ui(rest, rest, words[i], MPFR_RNDN);
    }
    mpfr_clear(rest);
}

typedef status (*coin_function)(struct random *, struct rational, bool *, error *);

static bool toss(coin_function coin, struct rational parameter, const uint64_t *words, size_t count)
{
    bool out = false;
    struct random *random = script_source(words, count);
    assert_int_equal(coin(random, parameter, &out, NULL), DITHER_OK);
    random_close(random);
    return out;
}

/* Words that agree with the expansion up to place i and are one below or above there decide, and decide
 * rightly, so the coin is true for exactly the numbers below the probability, to 2^-256. */
static void check_map(coin_function coin, struct rational parameter, mpfr_t probability)
{
    uint64_t expected[DEPTH], words[DEPTH];
    expansion(probability, expected);
    for (int place = 0; place < DEPTH; place++) {
        for (int i = 0; i < DEPTH; i++)
            words[i] = i < place ? expected[i] : 0;
        const uint64_t far[] = {1, UINT64_C(1) << 20, UINT64_C(1) << 40, UINT64_C(1) << 60};
        for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
            if (expected[place] >= far[i]) {
                words[place] = expected[place] - far[i];
                assert_true(toss(coin, parameter, words, DEPTH));
            }
            if (expected[place] <= UINT64_MAX - far[i]) {
                words[place] = expected[place] + far[i];
                assert_false(toss(coin, parameter, words, DEPTH));
            }
        }
    }
}

static void a_rational_coin_is_exact(void **state)
{
    (void)state;
    const struct rational parameters[] = {
        {1, 3, 0},          {2, 3, 0},   {1, 7, -5},        {UINT64_MAX - 1, UINT64_MAX, 0},
        {1, UINT64_MAX, 0}, {3, 1, -2},  {5, 7, -70},       {((uint128_t)1 << 100) + 1, 3, -100},
        {1, 1, -64},        {1, 1, -65}, {12345, 67891, 2},
    };
    mpfr_t probability;
    mpfr_init2(probability, 512);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        rational_to_mpfr(parameters[i], probability, MPFR_RNDN);
        check_map(bernoulli_rational, parameters[i], probability);
    }
    mpfr_clear(probability);
}

static void a_coin_of_probability_zero_or_one_is_certain(void **state)
{
    (void)state;
    const uint64_t words[] = {0};
    assert_false(toss(bernoulli_rational, (struct rational){0, 1, 0}, words, 1));
    assert_true(toss(bernoulli_rational, (struct rational){1, 1, 0}, words, 1));
    assert_true(toss(bernoulli_rational, (struct rational){2, 1, -1}, words, 1));
    assert_true(toss(bernoulli_exp, (struct rational){0, 1, 0}, words, 1));
}

static void an_exponential_coin_is_exact(void **state)
{
    (void)state;
    const struct rational parameters[] = {
        {1, 1, 0},  {1, 10, 0},  {693147, 1000000, 0}, {1, 3, -40},         {1, 1, -60},
        {44, 1, 0}, {100, 1, 0}, {UINT64_MAX, 3, -62}, {1, UINT64_MAX, 60}, {5000, 1, 0},
    };
    mpfr_t probability;
    mpfr_init2(probability, 512);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        rational_to_mpfr(parameters[i], probability, MPFR_RNDN);
        mpfr_neg(probability, probability, MPFR_RNDN);
        mpfr_exp(probability, probability, MPFR_RNDN);
        check_map(bernoulli_exp, parameters[i], probability);
    }
    mpfr_clear(probability);
}

static void check_frequency(coin_function coin, struct rational parameter, double probability, uint64_t seed)
{
    enum { DRAWS = 100000 };
    struct random *random = fixed_source(seed);
    uint64_t seen[2] = {0};
    for (int i = 0; i < DRAWS; i++) {
        bool heads = false;
        assert_int_equal(coin(random, parameter, &heads, NULL), DITHER_OK);
        seen[heads]++;
    }
    const double law[2] = {1 - probability, probability};
    size_t freedom = 0;
    double chi = fit_chi_square(seen, law, 2, DRAWS, &freedom);
    assert_true(chi < fit_threshold(1));
    random_close(random);
}

static void coins_fall_as_often_as_they_should(void **state)
{
    (void)state;
    check_frequency(bernoulli_rational, (struct rational){1, 3, 0}, 1.0 / 3, 11);
    check_frequency(bernoulli_rational, (struct rational){5, 7, -4}, 5.0 / 112, 12);
    check_frequency(bernoulli_rational, (struct rational){12345, 67891, 2}, 4 * 12345.0 / 67891, 13);
    check_frequency(bernoulli_rational, (struct rational){((uint128_t)1 << 100) + 1, 3, -100}, 1.0 / 3, 14);
    check_frequency(bernoulli_rational, (struct rational){3, 1, -2}, 0.75, 15);
    check_frequency(bernoulli_exp, (struct rational){1, 1, 0}, exp(-1), 16);
    check_frequency(bernoulli_exp, (struct rational){5, 1, 0}, exp(-5), 17);
    check_frequency(bernoulli_exp, (struct rational){1, 100, 0}, exp(-0.01), 18);
}

static void a_stream_without_bits_gives_no_coin(void **state)
{
    (void)state;
    const uint64_t nothing[1] = {0};
    bool out = true;
    uint64_t number = 5;
    error why;
    struct random *random = script_source(nothing, 0);
    assert_int_equal(bernoulli_exp(random, (struct rational){1, 1, 0}, &out, &why), DITHER_NO_ENTROPY);
    assert_int_equal(bernoulli_rational(random, (struct rational){1, 2, 0}, &out, &why), DITHER_NO_ENTROPY);
    assert_int_equal(uniform_below(random, 3, &number, &why), DITHER_NO_ENTROPY);
    assert_int_equal(number, 5);
    random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_value_below_n_has_equally_many_words),
        cmocka_unit_test(uniform_numbers_fit),
        cmocka_unit_test(a_rational_coin_is_exact),
        cmocka_unit_test(a_coin_of_probability_zero_or_one_is_certain),
        cmocka_unit_test(an_exponential_coin_is_exact),
        cmocka_unit_test(coins_fall_as_often_as_they_should),
        cmocka_unit_test(a_stream_without_bits_gives_no_coin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
