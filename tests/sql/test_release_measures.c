/* Which measures an aggregate becomes, and what one unit can do to them. Expected numbers were computed by hand from
 * the declared ranges; that bounds hold is tried with random units by the formula of release.h, written again here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/grouped.h"
#include "tests/support/test.h"

static const char policy[] =
    "dataset: clinic\n"
    "tables:\n"
    "  people:\n"
    "    source: people.csv\n"
    "    unit: id\n"
    "    rows_per_unit: 1\n"
    "    columns:\n"
    "      id:      {type: integer, null: false}\n"
    "      age:     {type: integer, range: [0, 120], null: false}\n"
    "      year:    {type: integer, range: [1900, 2021], null: false}\n"
    "      wealth:  {type: integer, range: [0, 1000000000000], null: false}\n"
    "      heat:    {type: real, range: [-40, 60], null: false}\n"
    "      balance: {type: decimal, scale: 2, range: [-50, 150], null: false}\n"
    "      born:    {type: date, range: [1900-01-01, 2021-12-31], null: false}\n"
    "      seen:    {type: timestamp, range: [\"2024-01-01 00:00:00\", \"2024-12-31 00:00:00\"], null: "
    "false}\n"
    "      maybe:   {type: integer, range: [0, 9]}\n"
    "      region:  {type: text, values: [north, south, east], null: false}\n"
    "  visits:\n"
    "    source: visits.csv\n"
    "    join: {id: people.id}\n"
    "    max_rows: 20\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      id:    {type: integer, null: false}\n"
    "      cost:  {type: real, range: [0, 5000], null: false}\n"
    "      bonus: {type: real, null: false}\n"
    "      kind:  {type: text, null: false}\n"
    "      debt:  {type: integer, range: [-300, 100], null: false}\n"
    "budget: {epsilon: 10, delta: 1e-6, per_question: 0.1, delta_per_question: 1e-9, max_per_question: 1}\n";

static struct grouped grouped;

static int begin(void **state)
{
    (void)state;
    grouped_begin(&grouped, policy);
    return 0;
}

static int end(void **state)
{
    (void)state;
    grouped_end(&grouped);
    return 0;
}

/* The only release of the calls that were made, over a table. */
static const struct sql_release *released(const char *table)
{
    (void)grouped_build(&grouped, grouped_table(&grouped, table));
    assert_int_equal(grouped.binder.builder.release_count, 1);
    return grouped.binder.builder.releases[0];
}

static void check(const struct sql_measure *measure, enum sql_measure_kind kind, int64_t lower, int64_t upper,
                  uint64_t sensitivity)
{
    assert_int_equal(measure->kind, kind);
    assert_int_equal(measure->unit_lower, lower);
    assert_int_equal(measure->unit_upper, upper);
    assert_int_equal(sql_measure_sensitivity(measure), sensitivity);
}

static void check_steps(const struct sql_steps *steps, int exponent, int64_t lower, int64_t upper,
                        int64_t centre)
{
    assert_int_equal(steps->exponent, exponent);
    assert_int_equal(steps->lower, lower);
    assert_int_equal(steps->upper, upper);
    assert_int_equal(steps->centre, centre);
}

/* ---- Counts ---- */

static void one_row_for_each_unit_is_counted_as_units(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "*");
    const struct sql_release *release = released("people");
    assert_true(release->one_row);
    assert_int_equal(release->max_rows, 1);
    assert_int_equal(release->max_groups, 1);
    check(&release->measures[0], SQL_MEASURE_UNITS, 0, 1, 1);
}

static void rows_of_a_unit_count_up_to_max_rows(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "*");
    grouped_key(&grouped, "kind");
    const struct sql_release *release = released("visits");
    assert_false(release->one_row);
    assert_int_equal(release->max_rows, 20);
    assert_int_equal(release->max_groups, 3);
    check(&release->measures[0], SQL_MEASURE_ROWS, 0, 20, 20);
    assert_null(release->domain);
}

static void without_keys_a_unit_is_in_one_group(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "*");
    assert_int_equal(released("visits")->max_groups, 1);
}

static void options_tighten_the_caps_and_never_loosen_them(void **state)
{
    (void)state;
    grouped.binder.options = (struct sql_options){.max_rows = 5, .max_groups = 2};
    grouped_call(&grouped, "count", "*");
    grouped_key(&grouped, "kind");
    const struct sql_release *release = released("visits");
    assert_int_equal(release->max_rows, 5);
    assert_int_equal(release->max_groups, 2);
    grouped_again(&grouped);
    grouped.binder.options = (struct sql_options){.max_rows = 50, .max_groups = 20};
    grouped_call(&grouped, "count", "*");
    grouped_key(&grouped, "kind");
    release = released("visits");
    assert_int_equal(release->max_rows, 20);
    assert_int_equal(release->max_groups, 3);
}

static void count_of_a_column_leaves_out_null_only_where_there_can_be_one(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "maybe");
    grouped_call(&grouped, "count", "age");
    grouped_call(&grouped, "count", "*");
    const struct sql_release *release = released("people");
    assert_int_equal(release->measure_count, 2);
    assert_int_equal(release->measures[0].kind, SQL_MEASURE_ROWS);
    assert_true(sql_is_call(release->measures[0].filter, "is not null"));
    assert_int_equal(release->measures[1].kind, SQL_MEASURE_UNITS);
    assert_null(release->measures[1].filter);
}

static void distinct_units_are_units_and_other_distinct_values_are_capped(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "id")->distinct = true;
    grouped_call(&grouped, "count", "kind")->distinct = true;
    grouped_call(&grouped, "count", "id")->distinct = true;
    grouped_filter(&grouped, "cost > 100"); /* different tags, of which a unit has one */
    const struct sql_release *release = released("visits");
    check(&release->measures[0], SQL_MEASURE_UNITS, 0, 1, 1);
    check(&release->measures[1], SQL_MEASURE_DISTINCT, 0, 20, 20);
    check(&release->measures[2], SQL_MEASURE_DISTINCT, 0, 1, 1);
}

static void a_filter_joins_the_measure(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "*");
    grouped_filter(&grouped, "age > 65");
    grouped_call(&grouped, "count", "maybe");
    grouped_filter(&grouped, "age > 65");
    const struct sql_release *release = released("people");
    assert_true(sql_is_call(release->measures[0].filter, ">"));
    assert_true(sql_is_call(release->measures[1].filter, "and"));
}

/* ---- Sums ---- */

static void sensitivity_of_a_sum_is_its_larger_bound_not_its_width(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "year");
    const struct sql_release *release = released("people");
    check(&release->measures[0], SQL_MEASURE_SUM, 0, 2021, 2021);
    check_steps(&release->measures[0].steps, 0, 1900, 2021, 0);
}

/* debt lies in [-300, 100], 20 rows: a unit adds between -6000 and 2000. */
static void negative_ranges_count_by_magnitude(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "debt");
    check(&released("visits")->measures[0], SQL_MEASURE_SUM, -6000, 2000, 6000);
}

/* heat: 100 wide, 100/2^16 = 0.0015, so the grid is 2^-10: [-40960, 61440] steps, middle 10240 (10 degrees). */
static void reals_are_counted_on_the_grid_of_their_column(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "heat");
    grouped_call(&grouped, "avg", "heat");
    const struct sql_release *release = released("people");
    check_steps(&release->measures[0].steps, -10, -40960, 61440, 0);
    check(&release->measures[0], SQL_MEASURE_SUM, -40960, 61440, 61440);
    check(&release->measures[1], SQL_MEASURE_UNITS, 0, 1, 1);
    check_steps(&release->measures[2].steps, -10, -40960, 61440, 10240);
    check(&release->measures[2], SQL_MEASURE_SUM, -51200, 51200, 51200);
}

static void decimals_are_counted_in_their_units(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "balance");
    grouped_call(&grouped, "avg", "balance");
    const struct sql_release *release = released("people");
    check_steps(&release->measures[0].steps, 0, -5000, 15000, 0);
    check(&release->measures[0], SQL_MEASURE_SUM, -5000, 15000, 15000);
    check(&release->measures[2], SQL_MEASURE_SUM, -10000, 10000, 10000);
}

/* An odd width has no middle: [1900, 2021] is centred on 1960, and 61 above it. */
static void averages_are_centred(void **state)
{
    (void)state;
    grouped_call(&grouped, "avg", "year");
    const struct sql_release *release = released("people");
    check(&release->measures[1], SQL_MEASURE_SUM, -60, 61, 61);
}

/* 10^12 is more than 2^30 steps of 1; 10^12/2^10 = 976562500 are fewer. Centred, 2^9 is enough. */
static void wide_ranges_get_coarser_steps(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "wealth");
    grouped_call(&grouped, "avg", "wealth");
    const struct sql_release *release = released("people");
    check_steps(&release->measures[0].steps, 10, 0, 976562500, 0);
    check_steps(&release->measures[2].steps, 9, 0, 1953125000, 976562500);
}

/* cost: 5000/2^16 = 0.076, grid 2^-4: 80000 steps; 20 rows. */
static void max_rows_multiplies_the_bounds(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "cost");
    grouped_call(&grouped, "avg", "cost");
    const struct sql_release *release = released("visits");
    check(&release->measures[0], SQL_MEASURE_SUM, 0, 1600000, 1600000);
    check(&release->measures[1], SQL_MEASURE_ROWS, 0, 20, 20);
    check(&release->measures[2], SQL_MEASURE_SUM, -800000, 800000, 800000);
}

static void ranges_follow_expressions(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "age + 5");
    grouped_call(&grouped, "sum", "CASE WHEN age > 60 THEN age ELSE 0 END");
    const struct sql_release *release = released("people");
    check_steps(&release->measures[0].steps, 0, 5, 125, 0);
    check(&release->measures[0], SQL_MEASURE_SUM, 0, 125, 125);
    check(&release->measures[1], SQL_MEASURE_SUM, 0, 120, 120);
    grouped_again(&grouped);
    /* [0, 1000]: 1000/2^16 = 0.0153, grid 2^-7 = 0.0078: 128000 steps */
    grouped_call(&grouped, "sum", "greatest(least(bonus, 1000), 0)");
    check(&released("visits")->measures[0], SQL_MEASURE_SUM, 0, 128000 * 20, 128000 * 20);
}

static void calls_that_need_the_same_share_it(void **state)
{
    (void)state;
    grouped_call(&grouped, "avg", "age");
    grouped_call(&grouped, "count", "*");
    grouped_call(&grouped, "stddev", "age");
    grouped_call(&grouped, "var_pop", "age");
    grouped_call(&grouped, "avg", "age");
    assert_int_equal(released("people")->measure_count, 3); /* units, centred sum, squares */
}

/* ---- Bounds that the analyst gives ---- */

static void an_analysts_bounds_only_tighten(void **state)
{
    (void)state;
    struct bind_call *call = grouped_call(&grouped, "sum", "debt");
    call->has_bounds = true;
    call->bound_lower = -100;
    call->bound_upper = 9000;
    check(&released("visits")->measures[0], SQL_MEASURE_SUM, -100, 2000, 2000);
}

static void bounds_stand_in_for_a_range(void **state)
{
    (void)state;
    struct bind_call *call = grouped_call(&grouped, "sum", "bonus");
    call->has_bounds = true;
    call->bound_lower = 5; /* whoever has nothing to add must not add 5 */
    call->bound_upper = 1024;
    /* [0, 1024]: grid 2^-6, 65536 steps */
    const struct sql_release *release = released("visits");
    check_steps(&release->measures[0].steps, -6, 0, 65536, 0);
    check(&release->measures[0], SQL_MEASURE_SUM, 0, 65536, 65536);
}

/* A value that several have counts once, so no unit's share can be clamped: only the values can. */
static void bounds_of_a_distinct_sum_are_the_values(void **state)
{
    (void)state;
    struct bind_call *call = grouped_call(&grouped, "sum", "debt");
    call->distinct = true;
    check(&released("visits")->measures[0], SQL_MEASURE_DISTINCT_SUM, -6000, 2000, 6000);
    grouped_again(&grouped);
    call = grouped_call(&grouped, "sum", "debt");
    call->distinct = call->has_bounds = true;
    call->bound_lower = -10;
    call->bound_upper = 90;
    const struct sql_release *release = released("visits");
    check_steps(&release->measures[0].steps, 0, -10, 90, 0);
    check(&release->measures[0], SQL_MEASURE_DISTINCT_SUM, -200, 1800, 1800);
    grouped_again(&grouped);
    grouped_call(&grouped, "avg", "debt")->distinct = true;
    release = released("visits"); /* centred on -100, 200 away at most */
    check(&release->measures[0], SQL_MEASURE_DISTINCT, 0, 20, 20);
    check(&release->measures[1], SQL_MEASURE_DISTINCT_SUM, -4000, 4000, 4000);
}

static void bounds_of_a_count_cap_a_units_rows(void **state)
{
    (void)state;
    struct bind_call *call = grouped_call(&grouped, "count", "*");
    call->has_bounds = true;
    call->bound_lower = 0;
    call->bound_upper = 4;
    check(&released("visits")->measures[0], SQL_MEASURE_ROWS, 0, 4, 4);
}

static void an_epsilon_is_shared_by_the_calls_measures(void **state)
{
    (void)state;
    struct decimal half;
    assert_int_equal(decimal_parse("0.5", &half, NULL), DITHER_OK);
    assert_int_equal(decimal_parse("1", &grouped_call(&grouped, "avg", "age")->epsilon, NULL), DITHER_OK);
    const struct sql_release *release = released("people");
    assert_int_equal(release->measure_count, 2);
    assert_int_equal(decimal_compare(release->measures[0].epsilon, half), 0);
    assert_int_equal(decimal_compare(release->measures[1].epsilon, half), 0);
}

/* ---- Squares and products ---- */

/* age is centred on 60: squares up to 3600; heat on 10 degrees, 51200 steps away at most. */
static void squares_and_products_are_centred(void **state)
{
    (void)state;
    grouped_call(&grouped, "var_samp", "age");
    grouped_call2(&grouped, "covar_pop", "age", "heat");
    const struct sql_release *release = released("people");
    assert_int_equal(release->measure_count, 5); /* units, sum age, age^2, sum heat, age heat */
    check(&release->measures[2], SQL_MEASURE_PRODUCT, 0, 3600, 3600);
    check(&release->measures[4], SQL_MEASURE_PRODUCT, -60 * 51200, 60 * 51200, 60 * 51200);
}

/* wealth: factors are at most 2^20 from the centre: 10^12/2^19 = 1907348.6..., half of 1907349 is below 2^20. */
static void factors_get_coarser_steps_than_sums(void **state)
{
    (void)state;
    grouped_call(&grouped, "stddev_pop", "wealth");
    const struct sql_release *release = released("people");
    check_steps(&release->measures[2].steps, 19, 0, 1907349, 953674);
    check(&release->measures[2], SQL_MEASURE_PRODUCT, 0, 953675LL * 953675LL, 953675ULL * 953675ULL);
}

static void regressions_ask_for_what_their_formula_has(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t measures;
    } cases[] = {{"regr_count", 1},     {"regr_avgx", 2}, {"regr_avgy", 2},  {"regr_sxx", 3},
                 {"regr_syy", 3},       {"regr_sxy", 4},  {"covar_samp", 4}, {"regr_slope", 5},
                 {"regr_intercept", 5}, {"corr", 6},      {"regr_r2", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grouped_again(&grouped);
        grouped_call2(&grouped, cases[i].name, "age", "heat");
        assert_int_equal(released("people")->measure_count, cases[i].measures);
    }
}

/* ---- Ranks ---- */

static void percentiles_of_one_argument_are_one_measure(void **state)
{
    (void)state;
    grouped_call(&grouped, "percentile_cont", "0.75");
    grouped_within(&grouped, "age");
    grouped_call(&grouped, "percentile_cont", "0.75")->descending = true;
    grouped_within(&grouped, "age");
    grouped_call(&grouped, "median", "age");
    grouped_call(&grouped, "min", "age");
    grouped_call(&grouped, "max", "age");
    const struct sql_release *release = released("people");
    assert_int_equal(release->measure_count, 1);
    const struct sql_measure *measure = &release->measures[0];
    static const double shares[] = {0, 0.25, 0.5, 0.75, 1};
    check(measure, SQL_MEASURE_QUANTILES, 0, 1, 1);
    assert_int_equal(measure->quantile_count, 5);
    assert_memory_equal(measure->quantiles, shares, sizeof shares);
    assert_int_equal(sql_measure_width(measure), 121);
    assert_int_equal(sql_measure_columns(measure), 5);
}

static void the_grid_of_a_quantile_is_small(void **state)
{
    (void)state;
    grouped_call(&grouped, "median", "wealth");
    grouped_call(&grouped, "median", "heat");
    grouped_call(&grouped, "max", "seen");
    grouped_call(&grouped, "min", "born");
    const struct sql_release *release = released("people");
    for (size_t i = 0; i < release->measure_count; i++) {
        size_t width = sql_measure_width(&release->measures[i]);
        assert_in_range(width, SQL_MOST_CELLS / 4, SQL_MOST_CELLS);
    }
    /* 100 degrees in steps of 2^-5: 3201 cells; born: 44560 days in steps of 16 */
    assert_int_equal(release->measures[1].steps.exponent, -5);
    assert_int_equal(release->measures[3].steps.exponent, 4);
}

static void the_commonest_values_come_from_a_declared_list(void **state)
{
    (void)state;
    grouped_call2(&grouped, "approx_top_k", "region", "2");
    const struct sql_release *release = released("people");
    check(&release->measures[0], SQL_MEASURE_TOP, 0, 1, 1);
    assert_int_equal(release->measures[0].top, 2);
    assert_int_equal(sql_measure_width(&release->measures[0]), 3);
    assert_string_equal(release->measures[0].domain.cells[2].text, "east");
}

/* ---- Refusals ---- */

static void expect_refusal(const char *table, const char *words)
{
    const struct sql_relation *out = NULL;
    status result = grouped_try(&grouped, grouped_table(&grouped, table), &out);
    if (result == DITHER_OK || strstr(grouped.why.message, words) == NULL)
        fail_msg("wanted \"%s\", got %d: %s", words, (int)result, grouped.why.message);
    assert_int_equal(grouped.binder.builder.release_count, 0);
    grouped_again(&grouped);
}

static void what_has_no_private_form_is_refused_with_a_hint(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "bonus");
    expect_refusal("visits",
                   "sum(bonus) has no bounds: declare `range:` of visits.bonus in the policy, or write "
                   "sum(bonus, contribution_bounds_per_group => (0, 1000)) or "
                   "greatest(least(bonus, 1000), 0)");
    grouped_call2(&grouped, "corr", "cost", "bonus");
    expect_refusal("visits", "visits.bonus");
    grouped_call2(&grouped, "string_agg", "kind", "', '");
    expect_refusal("visits", "it would show rows");
    grouped_call(&grouped, "bool_or", "age > 5");
    expect_refusal("people", "FILTER (WHERE x)");
    grouped_call(&grouped, "mode", "region");
    expect_refusal("people", "approx_top_k");
    grouped_call(&grouped, "xmlagg", "region");
    expect_refusal("people", "has no private form");
    grouped_call(&grouped, "max", "region");
    expect_refusal("people", "max of text has no private form");
    grouped_call(&grouped, "sum", "region");
    expect_refusal("people", "function sum(text) does not exist");
    grouped_call(&grouped, "stddev", "age")->distinct = true;
    expect_refusal("people", "DISTINCT");
    grouped_call2(&grouped, "approx_top_k", "kind", "2");
    expect_refusal("visits", "declared `values:`");
    grouped_call(&grouped, "percentile_cont", "1.5");
    grouped_within(&grouped, "age");
    expect_refusal("people", "share from 0 to 1");
    grouped_call(&grouped, "count", "*");
    grouped_key(&grouped, "id");
    expect_refusal("people", "a group for each unit");
}

static void bounds_that_say_nothing_are_refused(void **state)
{
    (void)state;
    struct bind_call *call = grouped_call(&grouped, "avg", "age");
    call->has_bounds = true;
    call->bound_lower = 200;
    call->bound_upper = 300;
    expect_refusal("people", "no value lies within");
    call = grouped_call(&grouped, "avg", "age");
    call->has_bounds = true;
    call->bound_lower = 9;
    call->bound_upper = 3;
    expect_refusal("people", "lower bound comes first");
}

/* ---- The promise ---- */

static int64_t steps_of(const struct sql_steps *steps, double value)
{
    double whole = floor(ldexp(value, -steps->exponent) + 0.5);
    if (!(whole > (double)steps->lower))
        return steps->lower;
    return whole < (double)steps->upper ? (int64_t)whole : steps->upper;
}

/* release.h: what a unit with these rows contributes, without the last clamp. */
static double contribution(const struct sql_measure *measure, uint64_t max_rows, const double *values,
                           size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = (double)(steps_of(&measure->steps, values[i]) - measure->steps.centre);
        if (measure->kind == SQL_MEASURE_PRODUCT)
            x *= (double)(steps_of(&measure->second_steps, values[i]) - measure->second_steps.centre);
        sum += measure->kind == SQL_MEASURE_ROWS ? 1 : x;
    }
    return count > max_rows ? trunc(sum * (double)max_rows / (double)count) : sum;
}

/* Random units, with values far outside of the range too: bounds hold by themselves, before the clamp that enforces
 * them. And they are reached: a smaller sensitivity would be wrong. */
static void no_unit_moves_a_measure_by_more_than_its_sensitivity(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "debt");
    grouped_call(&grouped, "avg", "debt");
    grouped_call(&grouped, "var_pop", "debt");
    grouped_call(&grouped, "sum", "cost");
    grouped_call(&grouped, "var_pop", "cost");
    const struct sql_release *release = released("visits");
    static const double extremes[] = {-1e300, -300, 100, 0, 5000, 1e300, (double)NAN, (double)INFINITY};
    uint32_t random = 12345;
    for (size_t m = 0; m < release->measure_count; m++) {
        const struct sql_measure *measure = &release->measures[m];
        double sensitivity = (double)sql_measure_sensitivity(measure), reached = 0;
        for (int trial = 0; trial < 3000; trial++) {
            double values[50];
            size_t count = 1 + (size_t)(trial % 50);
            for (size_t i = 0; i < count; i++) {
                random = random * 1664525 + 1013904223;
                values[i] = (random >> 16) % 3 == 0 ? extremes[(random >> 20) % 8]
                                                    : (double)((int)((random >> 12) % 12000) - 6000);
                if (trial % 7 == 0)
                    values[i] = extremes[(trial / 7) % 8];
            }
            double added = contribution(measure, release->max_rows, values, count);
            assert_true(added >= (double)measure->unit_lower && added <= (double)measure->unit_upper);
            assert_true(fabs(added) <= sensitivity);
            reached = fmax(reached, fabs(added));
        }
        assert_true(reached == sensitivity);
    }
}

/* However wide the range and however many the rows, a unit's bounds fit into 52 bits. */
static void bounds_never_leave_52_bits(void **state)
{
    (void)state;
    static const char wide[] =
        "dataset: wide\n"
        "tables:\n"
        "  t:\n"
        "    source: t.csv\n"
        "    unit: id\n"
        "    max_rows: 1000000000\n"
        "    max_groups: 1000000000\n"
        "    columns:\n"
        "      id: {type: integer}\n"
        "      a:  {type: integer, range: [-9223372036854775808, 9223372036854775807]}\n"
        "      b:  {type: real, range: [-1e300, 1e300]}\n"
        "      c:  {type: real, range: [1e9, 1000000001]}\n"
        "      d:  {type: decimal, scale: 6, range: [-900000000000, 900000000000]}\n"
        "budget: {epsilon: 10, per_question: 0.1, max_per_question: 1}\n";
    static const char *const columns[] = {"a", "b", "c", "d"};
    struct grouped other;
    grouped_begin(&other, wide);
    for (size_t i = 0; i < 4; i++) {
        grouped_again(&other);
        grouped_call(&other, "sum", columns[i]);
        grouped_call(&other, "stddev", columns[i]);
        grouped_call(&other, "median", columns[i]);
        (void)grouped_build(&other, grouped_table(&other, "t"));
        const struct sql_release *release = other.binder.builder.releases[0];
        assert_int_equal(release->max_rows, 1000000000);
        for (size_t m = 0; m < release->measure_count; m++) {
            const struct sql_measure *measure = &release->measures[m];
            assert_true(sql_measure_sensitivity(measure) <= UINT64_C(1) << 52);
            assert_true(measure->unit_lower <= 0 && measure->unit_upper >= 0);
            assert_true(measure->steps.lower <= measure->steps.upper);
            assert_true(sql_measure_width(measure) <= SQL_MOST_CELLS);
        }
    }
    grouped_end(&other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_row_for_each_unit_is_counted_as_units),
        TEST(rows_of_a_unit_count_up_to_max_rows),
        TEST(without_keys_a_unit_is_in_one_group),
        TEST(options_tighten_the_caps_and_never_loosen_them),
        TEST(count_of_a_column_leaves_out_null_only_where_there_can_be_one),
        TEST(distinct_units_are_units_and_other_distinct_values_are_capped),
        TEST(a_filter_joins_the_measure),
        TEST(sensitivity_of_a_sum_is_its_larger_bound_not_its_width),
        TEST(negative_ranges_count_by_magnitude),
        TEST(reals_are_counted_on_the_grid_of_their_column),
        TEST(decimals_are_counted_in_their_units),
        TEST(averages_are_centred),
        TEST(wide_ranges_get_coarser_steps),
        TEST(max_rows_multiplies_the_bounds),
        TEST(ranges_follow_expressions),
        TEST(calls_that_need_the_same_share_it),
        TEST(an_analysts_bounds_only_tighten),
        TEST(bounds_stand_in_for_a_range),
        TEST(bounds_of_a_distinct_sum_are_the_values),
        TEST(bounds_of_a_count_cap_a_units_rows),
        TEST(an_epsilon_is_shared_by_the_calls_measures),
        TEST(squares_and_products_are_centred),
        TEST(factors_get_coarser_steps_than_sums),
        TEST(regressions_ask_for_what_their_formula_has),
        TEST(percentiles_of_one_argument_are_one_measure),
        TEST(the_grid_of_a_quantile_is_small),
        TEST(the_commonest_values_come_from_a_declared_list),
        TEST(what_has_no_private_form_is_refused_with_a_hint),
        TEST(bounds_that_say_nothing_are_refused),
        TEST(no_unit_moves_a_measure_by_more_than_its_sensitivity),
        TEST(bounds_never_leave_52_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
