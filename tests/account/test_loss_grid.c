/* The grids bound one release's curve delta(epsilon) from above and below, everywhere, and close in as the
 * square of the step.
 *
 * The exact curves are closed forms: Laplace and Gaussian noise, with and without sampling, in both
 * directions. */
#include "tests/support/test.h"

#include <math.h>
#include <stdint.h>

#include "account/loss_grid.h"

static double random_between(uint64_t *state, double lower, double upper)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * ((double)(*state >> 11) * 0x1p-53);
}

/* Probability that the unsampled loss exceeds l, with and without the person. */
struct sides {
    long double with, without;
};

static struct sides above(const struct release *release, long double l)
{
    long double shift = (long double)release->sensitivity / release->scale;
    if (release->kind == RELEASE_GAUSSIAN) {
        long double z = l / shift;
        return (struct sides){erfcl((z - shift / 2) / sqrtl(2)) / 2, erfcl((z + shift / 2) / sqrtl(2)) / 2};
    }
    if (l < -shift)
        return (struct sides){1, 1};
    if (l >= shift)
        return (struct sides){0, 0};
    /* y = (l + shift) / 2 from the left centre */
    return (struct sides){1 - expl((l - shift) / 2) / 2, expl(-(l + shift) / 2) / 2};
}

/* The hockey-stick divergence: all outcomes whose loss exceeds epsilon. */
static long double exact_delta(const struct release *release, enum loss_direction direction,
                               long double epsilon)
{
    long double rate = release->sampling;
    if (direction == LOSS_REMOVE) {
        long double ratio = expm1l(epsilon) / rate;
        struct sides s = ratio <= -1 ? (struct sides){1, 1} : above(release, log1pl(ratio));
        return (1 - rate) * s.without + rate * s.with - expl(epsilon) * s.without;
    }
    long double ratio = expm1l(-epsilon) / rate; /* -loss > epsilon: the base loss lies below log1p(ratio) */
    if (ratio <= -1)
        return 0;
    struct sides mirrored = above(release, -log1pl(ratio)); /* the sides are each other's mirror image */
    long double without = mirrored.with, with = mirrored.without;
    return without - expl(epsilon) * ((1 - rate) * without + rate * with);
}

struct grids {
    struct loss_grid upper, lower;
};

static struct grids grids_of(const struct release *release, enum loss_direction direction, double step)
{
    struct loss_law law;
    struct pieces pieces;
    struct grids grids;
    error why;
    assert_int_equal(loss_law_init(&law, release, 1e-40, &why), DITHER_OK);
    struct pieces_wish wish = {release->sampling, direction, step, 1e-18};
    assert_int_equal(pieces_cut(&pieces, &law, wish, &why), DITHER_OK);
    assert_int_equal(loss_grid_upper(&grids.upper, &pieces, step, &why), DITHER_OK);
    assert_int_equal(loss_grid_lower(&grids.lower, &pieces, step, &why), DITHER_OK);
    pieces_clear(&pieces);
    loss_law_clear(&law);
    return grids;
}

static void grids_clear(struct grids *grids)
{
    loss_grid_clear(&grids->upper);
    loss_grid_clear(&grids->lower);
}

/* Compares at many epsilons, negative ones too: composition uses the whole curve. */
static void is_bounded(const struct release *release, enum loss_direction direction, double step)
{
    struct grids grids = grids_of(release, direction, step);
    double reach =
        1.2 * fmax(fabs((double)grids.upper.first), (double)grids.upper.first + (double)grids.upper.count) *
        step;
    for (double part = -1; part <= 1; part += 0.0137) {
        double epsilon = part * reach;
        long double truth = exact_delta(release, direction, epsilon);
        double upper = loss_grid_delta(&grids.upper, epsilon), lower = loss_grid_delta(&grids.lower, epsilon);
        if (!(lower <= truth + 1e-17L + truth * 1e-13L && truth <= upper + 1e-17L + upper * 1e-13L))
            fail_msg("kind %d rate %g step %g epsilon %g: %.17Lg not in [%.17g, %.17g]", (int)release->kind,
                     release->sampling, step, epsilon, truth, lower, upper);
    }
    for (size_t i = 0; i < grids.lower.count; i++)
        assert_true(grids.lower.mass[i] >= 0);
    for (size_t i = 0; i < grids.upper.count; i++)
        assert_true(grids.upper.mass[i] >= 0);
    grids_clear(&grids);
}

static void the_curve_lies_between_the_grids_everywhere(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < 120; i++) {
        struct release release = {.kind = i % 2 ? RELEASE_GAUSSIAN : RELEASE_LAPLACE,
                                  .scale = exp(random_between(&seed, log(0.2), log(50))),
                                  .sampling = i % 3 ? exp(random_between(&seed, log(0.001), 0)) : 1};
        error why;
        assert_int_equal(release_check(&release, &why), DITHER_OK);
        double step = exp(random_between(&seed, log(1e-3), log(0.5))) / release.scale;
        is_bounded(&release, LOSS_REMOVE, step);
        is_bounded(&release, LOSS_ADD, step);
    }
}

static void the_grids_close_in_as_the_square_of_the_step(void **state)
{
    (void)state;
    struct release release = {.kind = RELEASE_GAUSSIAN, .scale = 1};
    error why;
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    double before = 0;
    for (double step = 0.08; step > 0.004; step /= 2) {
        struct grids grids = grids_of(&release, LOSS_REMOVE, step);
        double gap = loss_grid_cumulant(&grids.upper, 1).value - loss_grid_cumulant(&grids.lower, 1).value;
        if (before > 0)
            assert_true(gap > before / 5 && gap < before / 3);
        before = gap;
        grids_clear(&grids);
    }
}

static void a_loss_on_a_point_of_the_grid_stays_there(void **state)
{
    (void)state;
    struct release release = {.kind = RELEASE_PURE, .epsilon = 0.75};
    error why;
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    struct grids grids = grids_of(&release, LOSS_REMOVE, 0.25 * (1 - 1e-14));
    double kept = 1 / (1 + exp(-0.75));
    assert_true(fabs(loss_grid_delta(&grids.lower, 0.5) - kept * -expm1(-0.25)) < 1e-11);
    grids_clear(&grids);
}

static void cumulants_are_those_of_the_masses(void **state)
{
    (void)state;
    double mass[] = {0.2, 0, 0.5, 0.3};
    struct loss_grid grid = {.step = 0.5, .first = -1, .count = 4, .mass = mass};
    static const double orders[] = {-3, -0.5, 0, 0.5, 2, 700};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        long double s = orders[i], low = 0.2L * expl(-0.5L * s), middle = 0.5L * expl(0.5L * s),
                    high = 0.3L * expl(s);
        long double sum = low + middle + high, mean = (-0.5L * low + 0.5L * middle + high) / sum;
        long double square = (0.25L * low + 0.25L * middle + high) / sum;
        struct cumulant found = loss_grid_cumulant(&grid, orders[i]);
        assert_true(fabsl(found.value - logl(sum)) < 1e-13L * (1 + fabsl(s)));
        assert_true(fabsl(found.mean - mean) < 1e-14L);
        assert_true(fabsl(found.variance - (square - mean * mean)) < 1e-14L);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_lies_between_the_grids_everywhere),
        cmocka_unit_test(the_grids_close_in_as_the_square_of_the_step),
        cmocka_unit_test(a_loss_on_a_point_of_the_grid_stays_there),
        cmocka_unit_test(cumulants_are_those_of_the_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
