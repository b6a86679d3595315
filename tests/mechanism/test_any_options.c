/* Whatever options and data a program gives, the library refuses in words or answers: it never stops, never
 * writes half an answer, never leaves the output interval, and refuses nothing because of what people's
 * values are. Options and data are drawn from a fixed seed, extreme ones among them; the sanitizers watch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/registry.h"
#include "tests/support/test.h"

enum { TRIALS = 3000, MOST_DATA = 24, MOST_EDGES = 12, MOST_COLUMNS = 5, MOST_ANSWERS = 1 << 17 };

static const double untouched = -12345.5;

/* xorshift64 (Marsaglia 2003). */
static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static double fraction(uint64_t *seed)
{
    return (double)(next(seed) >> 11) * 0x1p-53;
}

static double any_number(uint64_t *seed)
{
    static const double odd[] = {0,     -0.0,  0.5,      -1,        1e-300,    5e-324,
                                 1e15,  1e308, -1e308,   0x1p62,    -0x1p62,   0x1p53,
                                 1e300, NAN,   INFINITY, -INFINITY, 0x1p-1022, 0x1p1023};
    switch (next(seed) % 4) {
    case 0:
        return odd[next(seed) % (sizeof odd / sizeof odd[0])];
    case 1:
        return (fraction(seed) - 0.5) * ldexp(1, (int)(next(seed) % 1000) - 500);
    default:
        return (double)(next(seed) % 21) - 10;
    }
}

static double any_size(uint64_t *seed)
{
    return next(seed) % 3 == 0 ? fabs(any_number(seed)) : 0.05 + 3 * fraction(seed);
}

static dither_range any_range(uint64_t *seed)
{
    double lower = any_number(seed);
    return (dither_range){lower, next(seed) % 8 == 0 ? any_number(seed) : lower + any_size(seed)};
}

/* ---- One trial ---- */

struct trial {
    const struct mechanism_kind *kind;
    dither_options options;
    double edges[MOST_EDGES], values[MOST_DATA];
    uint32_t categories[MOST_COLUMNS];
    dither_data data;
    double confidence;
};

static void draw_lists(struct trial *trial, uint64_t *seed)
{
    trial->options.edge_count = 1 + next(seed) % MOST_EDGES;
    trial->edges[0] = any_number(seed);
    for (size_t i = 1; i < trial->options.edge_count; i++)
        trial->edges[i] =
            fmax(trial->edges[i - 1] + any_size(seed), nextafter(trial->edges[i - 1], INFINITY));
    trial->options.edges = trial->edges;
    trial->options.column_count = 1 + next(seed) % MOST_COLUMNS;
    for (size_t i = 0; i < trial->options.column_count; i++)
        trial->categories[i] = (uint32_t)(next(seed) % 6);
    trial->options.categories = trial->categories;
    trial->options.ways = (uint32_t)(next(seed) % (MOST_COLUMNS + 1));
}

/* Drops what the kind does not know, and sometimes what it does. */
static void drop_options(struct trial *trial, uint64_t *seed)
{
    dither_options *options = &trial->options;
    unsigned keep = trial->kind->needs | (trial->kind->understands & (unsigned)next(seed));
    if (keep & OPTION_EPSILON && keep & OPTION_RHO)
        keep &= next(seed) % 2 ? ~(unsigned)(OPTION_EPSILON | OPTION_DELTA) : ~(unsigned)OPTION_RHO;
    options->epsilon *= (keep & OPTION_EPSILON) != 0;
    options->delta *= (keep & OPTION_DELTA) != 0;
    options->rho *= (keep & OPTION_RHO) != 0;
    options->sensitivity *= (keep & OPTION_SENSITIVITY) != 0;
    options->group *= (keep & OPTION_GROUP) != 0;
    options->max_groups *= (keep & OPTION_MAX_GROUPS) != 0;
    options->min_size *= (keep & OPTION_MIN_SIZE) != 0;
    options->grid *= (keep & OPTION_GRID) != 0;
    options->ways *= (keep & OPTION_WAYS) != 0;
    options->edge_count *= (keep & OPTION_EDGES) != 0;
    options->column_count *= (keep & OPTION_CATEGORIES) != 0;
    if (!(keep & OPTION_RANGE))
        options->range = (dither_range){0, 0};
    if (!(keep & OPTION_OUTPUT))
        options->output = (dither_range){0, 0};
    if (!(keep & OPTION_THRESHOLD))
        options->threshold = 0;
    if (!(keep & OPTION_QUANTILE))
        options->quantile = 0;
}

static void draw_options(struct trial *trial, uint64_t *seed)
{
    trial->options = (dither_options){
        .epsilon = any_size(seed),
        .delta = next(seed) % 4 ? fraction(seed) : 1 - ldexp(1, -(int)(next(seed) % 60)),
        .rho = any_size(seed),
        .sensitivity = next(seed) % 2 ? 1 + (double)(next(seed) % 5) : any_size(seed),
        .group = next(seed) % 2 ? 1 : next(seed) >> (44 + next(seed) % 20),
        .max_groups = next(seed) % 2 ? 1 : next(seed) >> (44 + next(seed) % 20),
        .range = any_range(seed),
        .output = any_range(seed),
        .min_size = next(seed) >> next(seed) % 64,
        .grid = ldexp(1, next(seed) % 2 ? (int)(next(seed) % 21) - 10 : (int)(next(seed) % 2098) - 1074),
        .threshold = any_number(seed),
        .quantile = next(seed) % 3 ? fraction(seed) : (double)(next(seed) % 2),
    };
    draw_lists(trial, seed);
    drop_options(trial, seed);
}

/* True answers have to be finite, and whole for some; counts have to be counts; people may be anything. */
static void draw_data(struct trial *trial, uint64_t *seed)
{
    bool people = trial->kind->shape == SHAPE_RECORDS || trial->kind->shape == SHAPE_TABLE;
    size_t columns = trial->kind->shape == SHAPE_TABLE ? trial->options.column_count : 1;
    trial->data = (dither_data){trial->values, columns * (next(seed) % (MOST_DATA / MOST_COLUMNS))};
    for (size_t i = 0; i < trial->data.count; i++) {
        trial->values[i] = any_number(seed);
        if (!people)
            trial->values[i] = isfinite(trial->values[i]) ? floor(trial->values[i]) : 1;
        if (trial->kind->shape == SHAPE_COUNTS)
            trial->values[i] = fmin(fabs(trial->values[i]), 0x1p62);
    }
    trial->confidence = next(seed) % 2 ? fraction(seed) : 1 - ldexp(1, -1 - (int)(next(seed) % 54));
}

static void check_answer(const struct trial *trial, const double *answer, size_t count)
{
    dither_range output = trial->options.output;
    for (size_t i = 0; i < count; i++) {
        assert_true(answer[i] != untouched);
        if (output.lower < output.upper)
            assert_true(answer[i] >= output.lower && answer[i] <= output.upper);
    }
    assert_true(answer[count] == untouched);
}

static bool is_refusable(const struct trial *trial)
{
    enum mechanism_shape shape = trial->kind->shape;
    return shape == SHAPE_NUMBERS || shape == SHAPE_SCORES;
}

/* True when there was an answer. */
static bool release(const struct trial *trial, const dither_mechanism *mechanism, dither_random *random,
                    double *answer)
{
    size_t count = dither_answer_count(mechanism, &trial->data);
    assert_true(count < MOST_ANSWERS);
    for (size_t i = 0; i <= count; i++)
        answer[i] = untouched;
    dither_error why;
    bool answered = dither_release(mechanism, random, &trial->data, answer, count, &why) == DITHER_OK;
    if (answered)
        check_answer(trial, answer, count);
    for (size_t i = 0; !answered && i < count; i++)
        assert_true(answer[i] == untouched);
    if (!answered && !is_refusable(trial))
        fail_msg("%s refuses people's values: %s", trial->kind->name, why.message);
    double width = dither_half_width(mechanism, &trial->data, trial->confidence);
    assert_true(isnan(width) || width >= 0);
    assert_true(dither_mechanism_scale(mechanism) >= 0);
    return answered;
}

static void whatever_is_asked_is_answered_or_refused(void **state)
{
    (void)state;
    uint64_t seed = 20231015;
    dither_error why;
    dither_random *random = dither_random_new(&why);
    double *answer = test_malloc(MOST_ANSWERS * sizeof *answer);
    assert_non_null(random);
    for (size_t which = 0; which < mechanism_kind_count; which++) {
        size_t answered = 0;
        for (int i = 0; i < TRIALS / (int)mechanism_kind_count; i++) {
            struct trial trial = {.kind = mechanism_kinds[which]};
            draw_options(&trial, &seed);
            draw_data(&trial, &seed);
            dither_mechanism *mechanism = dither_mechanism_new(trial.kind->name, &trial.options, &why);
            if (mechanism == NULL)
                assert_true(why.status == DITHER_INVALID && strlen(why.message) > 10);
            else
                answered += release(&trial, mechanism, random, answer);
            dither_mechanism_free(mechanism);
        }
        if (answered < 5) /* else nothing was shown about it */
            fail_msg("%s answered only %zu times", mechanism_kinds[which]->name, answered);
    }
    test_free(answer);
    dither_random_free(random);
}

static void lists_that_are_not_there_are_refused(void **state)
{
    (void)state;
    dither_error why = {.message = ""};
    assert_null(dither_mechanism_new("cdf", &(dither_options){.epsilon = 1, .edge_count = 2}, &why));
    assert_int_equal(why.status, DITHER_INVALID);
    assert_null(dither_mechanism_new("point", &(dither_options){.epsilon = 1, .column_count = 2}, &why));
    assert_int_equal(why.status, DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_asked_is_answered_or_refused),
        cmocka_unit_test(lists_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
