#include "tests/support/exact_law.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "tests/support/test.h"

/* The ratio of an output between the inputs that differ most; its probabilities are added to the inputs' sums. */
static void find_ratio(const struct exact_law *law, size_t output, mpq_t *sums, mpq_t ratio)
{
    mpq_t most, least, here;
    mpq_inits(most, least, here, NULL);
    for (size_t input = 0; input < law->inputs; input++) {
        law->probability(law->context, input, output, here);
        assert_true(mpq_sgn(here) > 0);
        mpq_add(sums[input], sums[input], here);
        if (input == 0 || mpq_cmp(here, most) > 0)
            mpq_set(most, here);
        if (input == 0 || mpq_cmp(here, least) < 0)
            mpq_set(least, here);
    }
    mpq_div(ratio, most, least);
    mpq_clears(most, least, here, NULL);
}

double exact_law_check(const struct exact_law *law, double epsilon)
{
    mpq_t ratio, largest, *sums = calloc(law->inputs, sizeof *sums);
    mpfr_t limit;
    assert_non_null(sums);
    mpq_inits(ratio, largest, NULL);
    mpfr_init2(limit, 300);
    for (size_t input = 0; input < law->inputs; input++)
        mpq_init(sums[input]);
    for (size_t output = 0; output < law->outputs; output++) {
        find_ratio(law, output, sums, ratio);
        if (mpq_cmp(ratio, largest) > 0)
            mpq_set(largest, ratio);
    }
    mpfr_set_d(limit, epsilon, MPFR_RNDN);
    mpfr_exp(limit, limit, MPFR_RNDD);
    assert_true(mpfr_cmp_q(limit, largest) >= 0);
    double found = log(mpq_get_d(largest));
    for (size_t input = 0; input < law->inputs; input++) {
        assert_int_equal(mpq_cmp_ui(sums[input], 1, 1), 0);
        mpq_clear(sums[input]);
    }
    free(sums);
    mpq_clears(ratio, largest, NULL);
    mpfr_clear(limit);
    return found;
}
