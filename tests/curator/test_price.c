/* The price of a plan: shares against hand-made figures, sums exactly, noise against the formulas of price.h,
 * and every refusal. Releases are made by hand; nothing is parsed and no data are touched. */
#include <math.h>
#include <string.h>

#include "curator/price.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

enum { MOST = 8 };

struct fixture {
    struct arena arena;
    struct sql_relation domain;
    struct sql_measure measures[MOST][MOST];
    struct sql_release releases[MOST];
    const struct sql_release *list[MOST];
    struct price_facts facts[MOST];
    struct sql_plan plan;
    struct policy_budget budget;
    struct mechanism_known known;
    struct price price;
    error why;
};

static int begin(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.budget = {.currency = LEDGER_PURE, .per_question = decimal("0.1")}};
    arena_init(&fixture.arena, 64 << 20);
    for (size_t i = 0; i < MOST; i++) {
        fixture.list[i] = &fixture.releases[i];
        fixture.facts[i] = (struct price_facts){.same_as = i, .domain_rows = 1000};
        fixture.releases[i] = (struct sql_release){
            .number = i, .measures = fixture.measures[i], .max_rows = 1, .max_groups = 1};
    }
    fixture.plan.releases = fixture.list;
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    arena_free(&fixture->arena);
    return 0;
}

/* One more measure of release `release`, to which a unit adds at most `most`. */
static struct sql_measure *add(struct fixture *fixture, size_t release, enum sql_measure_kind kind,
                               int64_t most)
{
    struct sql_release *at = &fixture->releases[release];
    if (fixture->plan.release_count <= release)
        fixture->plan.release_count = release + 1;
    struct sql_measure *measure = &fixture->measures[release][at->measure_count++];
    *measure = (struct sql_measure){.kind = kind, .unit_upper = most};
    return measure;
}

static status priced(struct fixture *fixture)
{
    return price_plan(&fixture->plan, fixture->facts, &fixture->budget, &fixture->known, &fixture->arena,
                      &fixture->price, &fixture->why);
}

static const struct price_part *part(const struct fixture *fixture, size_t release, size_t number)
{
    return &fixture->price.releases[release].parts[number];
}

static void expect_decimal(struct decimal value, const char *text)
{
    char printed[DECIMAL_TEXT];
    decimal_print(value, printed);
    assert_string_equal(printed, text);
}

static void grouped(struct fixture *fixture, size_t release, uint64_t groups)
{
    fixture->releases[release].key_count = 1;
    fixture->releases[release].domain = &fixture->domain;
    fixture->releases[release].max_groups = groups;
}

static double scale(const struct price_part *part)
{
    return part->mechanisms->kind->scale(part->mechanisms);
}

/* ---- Shares ---- */

static void one_count_gets_the_whole_amount(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    assert_ok(fixture, priced(fixture));
    expect_decimal(fixture->price.cost.epsilon, "0.1");
    assert_string_equal(part(fixture, 0, 0)->mechanisms->kind->name, "geometric");
    assert_true(fabs(scale(part(fixture, 0, 0)) - 10) < 1e-12);
}

static void parts_of_one_kind_share_equally(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    add(fixture, 1, SQL_MEASURE_UNITS, 1);
    assert_ok(fixture, priced(fixture));
    expect_decimal(part(fixture, 0, 0)->cost.epsilon, "0.05");
    expect_decimal(part(fixture, 1, 0)->cost.epsilon, "0.05");
}

/* (8 / e)^2 + (1 / (0.1 - e))^2 is least at e = 0.08: 8^(2/3) is 4. */
static void a_part_with_eight_times_the_noise_gets_four_times_the_epsilon(void **state)
{
    struct fixture *fixture = *state;
    fixture->releases[0].max_rows = 8;
    add(fixture, 0, SQL_MEASURE_ROWS, 8);
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    assert_ok(fixture, priced(fixture));
    assert_true(fabs(decimal_to_double(part(fixture, 0, 0)->cost.epsilon) - 0.08) < 1e-9);
    assert_true(fabs(decimal_to_double(part(fixture, 0, 1)->cost.epsilon) - 0.02) < 1e-9);
}

static void a_sum_is_weighed_against_its_range_not_its_steps(void **state)
{
    struct fixture *fixture = *state;
    struct sql_measure *sum = add(fixture, 0, SQL_MEASURE_SUM, 65536);
    sum->steps = (struct sql_steps){.lower = 0, .upper = 65536};
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    assert_ok(fixture, priced(fixture));
    expect_decimal(part(fixture, 0, 0)->cost.epsilon, "0.05");
    assert_true(fabs(scale(part(fixture, 0, 0)) - 65536 / 0.05) < 1e-3);
}

static void rho_is_shared_in_proportion_to_the_noise(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget = (struct policy_budget){.currency = LEDGER_CONCENTRATED, .per_question = decimal("0.9")};
    fixture->releases[0].max_rows = 8;
    add(fixture, 0, SQL_MEASURE_ROWS, 8);
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    assert_ok(fixture, priced(fixture));
    assert_true(fabs(decimal_to_double(part(fixture, 0, 0)->cost.rho) - 0.8) < 1e-9);
    assert_true(fabs(decimal_to_double(part(fixture, 0, 1)->cost.rho) - 0.1) < 1e-9);
    assert_string_equal(part(fixture, 0, 0)->mechanisms->kind->name, "discrete-gaussian");
    /* sigma^2 = s^2 / (2 rho): 64 / 1.6 and 1 / 0.2 */
    assert_true(fabs(scale(part(fixture, 0, 0)) - sqrt(40)) < 1e-6);
    assert_true(fabs(scale(part(fixture, 0, 1)) - sqrt(5)) < 1e-6);
}

static struct decimal sum_of_parts(const struct fixture *fixture)
{
    struct decimal sum = decimal_zero();
    for (size_t i = 0; i < fixture->price.release_count; i++)
        for (size_t j = 0; j < fixture->price.releases[i].part_count; j++)
            assert_true(decimal_add(sum, part(fixture, i, j)->cost.epsilon, &sum));
    return sum;
}

static void shares_add_up_to_the_amount_exactly(void **state)
{
    struct fixture *fixture = *state;
    static const char *const amounts[] = {"0.1", "0.000000000000000000000007", "1", "99999999999999", "0.3"};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 7; j++)
            add(fixture, i, SQL_MEASURE_ROWS, (int64_t)(1 + i * 13 + j * j * j * 101));
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        fixture->plan.options.epsilon = decimal(amounts[i]);
        if (priced(fixture) != DITHER_OK) {
            assert_int_equal(i, 1); /* 7 units cannot be shared by 21 parts */
            continue;
        }
        expect_decimal(fixture->price.cost.epsilon, amounts[i]);
        assert_int_equal(decimal_compare(sum_of_parts(fixture), fixture->price.cost.epsilon), 0);
    }
}

static void no_mechanism_uses_more_than_its_part_is_charged(void **state)
{
    struct fixture *fixture = *state;
    fixture->releases[0].max_rows = 3;
    grouped(fixture, 0, 7);
    add(fixture, 0, SQL_MEASURE_ROWS, 3);
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    add(fixture, 0, SQL_MEASURE_DISTINCT, 3);
    assert_ok(fixture, priced(fixture));
    for (size_t i = 0; i < 3; i++) {
        struct decimal used;
        const struct mechanism *mechanism = part(fixture, 0, i)->mechanisms;
        assert_int_equal(decimal_from_double(mechanism->cost.epsilon, &used, NULL), DITHER_OK);
        assert_true(decimal_compare(used, part(fixture, 0, i)->cost.epsilon) <= 0);
        /* the law itself: L1 sensitivity over scale */
        double loss =
            7.0 * (double)sql_measure_sensitivity(&fixture->measures[0][i]) / scale(part(fixture, 0, i));
        assert_true(loss <= mechanism->cost.epsilon * (1 + 1e-12));
    }
}

/* ---- Groups ---- */

static void a_unit_in_three_groups_moves_three_numbers(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    grouped(fixture, 0, 3);
    assert_ok(fixture, priced(fixture));
    assert_true(fabs(scale(part(fixture, 0, 0)) - 30) < 1e-9);
}

static void a_public_domain_of_two_keys_bounds_the_groups(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    grouped(fixture, 0, 3);
    fixture->facts[0].domain_rows = 2;
    assert_ok(fixture, priced(fixture));
    assert_true(fabs(scale(part(fixture, 0, 0)) - 20) < 1e-9);
}

static void rho_pays_for_groups_by_their_root(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget = (struct policy_budget){.currency = LEDGER_CONCENTRATED, .per_question = decimal("0.5")};
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    grouped(fixture, 0, 9);
    assert_ok(fixture, priced(fixture));
    assert_true(fabs(scale(part(fixture, 0, 0)) - 3) < 1e-9);
}

static void the_same_release_twice_is_paid_once(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    add(fixture, 1, SQL_MEASURE_UNITS, 1);
    fixture->facts[1].same_as = 0;
    assert_ok(fixture, priced(fixture));
    expect_decimal(fixture->price.cost.epsilon, "0.1");
    expect_decimal(fixture->price.releases[0].cost.epsilon, "0.1");
    assert_ptr_equal(fixture->price.releases[1].parts, fixture->price.releases[0].parts);
}

/* ---- Hidden keys ---- */

static void hide_keys(struct fixture *fixture)
{
    fixture->releases[0].key_count = 1;
    fixture->releases[0].max_groups = 4;
}

static void hidden_keys_cost_epsilon_and_delta(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget.currency = LEDGER_APPROXIMATE;
    fixture->budget.delta_per_question = decimal("1e-9");
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    hide_keys(fixture);
    assert_ok(fixture, priced(fixture));
    expect_decimal(fixture->price.cost.epsilon, "0.1");
    expect_decimal(fixture->price.cost.delta, "0.000000001");
    const struct price_part *selection = price_part_of(&fixture->price.releases[0], NULL);
    assert_non_null(selection);
    assert_string_equal(selection->mechanisms->kind->name, "partition-selection");
    /* of one key: a quarter of each, at most */
    assert_true(selection->mechanisms->law.epsilon <= 0.05 / 4);
    assert_true(selection->mechanisms->law.delta <= 1e-9 / 4 * (1 + 1e-8));
}

static void public_keys_cost_no_delta(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget.currency = LEDGER_APPROXIMATE;
    fixture->budget.delta_per_question = decimal("1e-9");
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    grouped(fixture, 0, 4);
    assert_ok(fixture, priced(fixture));
    assert_true(decimal_is_zero(fixture->price.cost.delta));
}

static void a_pure_budget_refuses_hidden_keys_with_a_hint(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    hide_keys(fixture);
    fixture->releases[0].position = 17;
    assert_refused(fixture, priced(fixture), "declare the column's values");
    assert_int_equal(fixture->why.position, 17);
}

static void hidden_keys_under_rho_spend_its_pure_epsilon(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget = (struct policy_budget){.currency = LEDGER_CONCENTRATED,
                                             .per_question = decimal("0.02"),
                                             .delta_per_question = decimal("1e-9")};
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    hide_keys(fixture);
    fixture->releases[0].max_groups = 1;
    assert_ok(fixture, priced(fixture));
    const struct price_part *selection = price_part_of(&fixture->price.releases[0], NULL);
    double epsilon = selection->mechanisms->law.epsilon, rho = decimal_to_double(selection->cost.rho);
    assert_true(epsilon * epsilon / 2 <= rho * (1 + 1e-15) && epsilon * epsilon / 2 > rho * 0.999999);
    expect_decimal(fixture->price.cost.delta, "0.000000001");
}

static void epsilon_of_rho_never_costs_more(void **state)
{
    (void)state;
    static const char *const rhos[] = {"0.5", "0.02", "0.000001", "3", "0.123456789012345678901234"};
    for (size_t i = 0; i < sizeof rhos / sizeof rhos[0]; i++)
        for (uint64_t parts = 1; parts < 50; parts++) {
            struct decimal epsilon, each, all;
            double value = price_epsilon_of_rho(decimal(rhos[i]), parts);
            assert_int_equal(decimal_from_double(value, &epsilon, NULL), DITHER_OK);
            assert_true(decimal_half_square(epsilon, &each) && decimal_multiply(each, parts, &all));
            assert_true(decimal_compare(all, decimal(rhos[i])) <= 0);
            assert_true(value * value / 2 * (double)parts > 0.999999 * decimal_to_double(decimal(rhos[i])));
        }
}

/* ---- What the analyst says ---- */

static void the_analyst_may_name_the_amount(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    fixture->plan.options.epsilon = decimal("0.4");
    assert_ok(fixture, priced(fixture));
    expect_decimal(fixture->price.cost.epsilon, "0.4");
}

static void what_is_fixed_for_an_aggregate_comes_first(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1)->epsilon = decimal("0.3");
    add(fixture, 0, SQL_MEASURE_ROWS, 1);
    fixture->plan.options.epsilon = decimal("0.4");
    assert_ok(fixture, priced(fixture));
    expect_decimal(part(fixture, 0, 0)->cost.epsilon, "0.3");
    expect_decimal(part(fixture, 0, 1)->cost.epsilon, "0.1");
    fixture->plan.options.epsilon = decimal("0.3");
    assert_int_equal(priced(fixture), DITHER_INVALID);
    assert_non_null(strstr(fixture->why.message, "leaves nothing"));
    fixture->plan.options.epsilon = decimal_zero(); /* then the others have the usual amount */
    assert_ok(fixture, priced(fixture));
    expect_decimal(fixture->price.cost.epsilon, "0.4");
}

static void amounts_in_another_currency_are_refused(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    fixture->plan.options.rho = decimal("0.4");
    assert_int_equal(priced(fixture), DITHER_INVALID);
    fixture->plan.options = (struct sql_options){.delta = decimal("1e-9")};
    assert_int_equal(priced(fixture), DITHER_INVALID);
    fixture->budget.currency = LEDGER_CONCENTRATED;
    fixture->plan.options = (struct sql_options){.epsilon = decimal("0.4")};
    assert_int_equal(priced(fixture), DITHER_INVALID);
    assert_non_null(strstr(fixture->why.message, "say rho"));
}

static void without_a_usual_amount_the_analyst_must_say(void **state)
{
    struct fixture *fixture = *state;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    fixture->budget.per_question = decimal_zero();
    assert_int_equal(priced(fixture), DITHER_INVALID);
    assert_non_null(strstr(fixture->why.message, "per_question"));
}

static void gaussian_noise_is_used_where_delta_is_offered_and_it_is_narrower(void **state)
{
    struct fixture *fixture = *state;
    fixture->budget.currency = LEDGER_APPROXIMATE;
    add(fixture, 0, SQL_MEASURE_UNITS, 1);
    grouped(fixture, 0, 400);
    assert_ok(fixture, priced(fixture));
    double plain = part(fixture, 0, 0)->half_width;
    fixture->plan.options.delta = decimal("1e-6");
    assert_ok(fixture, priced(fixture));
    assert_string_equal(part(fixture, 0, 0)->mechanisms->kind->name, "discrete-gaussian");
    assert_true(part(fixture, 0, 0)->half_width < plain);
    expect_decimal(fixture->price.cost.delta, "0.000001");
    grouped(fixture, 0, 1);
    assert_ok(fixture, priced(fixture));
    assert_string_equal(part(fixture, 0, 0)->mechanisms->kind->name, "geometric");
    assert_true(decimal_is_zero(fixture->price.cost.delta));
}

/* ---- Choices ---- */

static void a_quantile_spends_its_epsilon_once_for_each_group(void **state)
{
    struct fixture *fixture = *state;
    const double median = 0.5;
    fixture->releases[0].max_rows = 4;
    grouped(fixture, 0, 5);
    struct sql_measure *measure = add(fixture, 0, SQL_MEASURE_QUANTILES, 4);
    measure->steps = (struct sql_steps){.lower = 0, .upper = 119};
    measure->quantiles = &median;
    measure->quantile_count = 1;
    assert_ok(fixture, priced(fixture));
    assert_int_equal(part(fixture, 0, 0)->kind, PRICE_QUANTILES);
    /* rate = epsilon / (2 * sensitivity): 0.1 / 5 groups, 4 rows of half a rank each */
    double rate = rational_to_double(part(fixture, 0, 0)->mechanisms->law.rate, MPFR_RNDN);
    assert_true(fabs(rate * 0x1p30 - 0.02 / (2 * 4 * 0.5)) < 1e-12);
    assert_true(isnan(part(fixture, 0, 0)->half_width));
}

static void many_quantiles_are_read_from_one_distribution(void **state)
{
    struct fixture *fixture = *state;
    double shares[MOST * 4];
    struct sql_measure *measure = add(fixture, 0, SQL_MEASURE_QUANTILES, 1);
    measure->steps = (struct sql_steps){.lower = 0, .upper = 7};
    measure->quantiles = shares;
    for (size_t i = 0; i < 19; i++)
        shares[i] = 0.05 * (double)(i + 1);
    measure->quantile_count = 2;
    assert_ok(fixture, priced(fixture));
    assert_int_equal(part(fixture, 0, 0)->kind, PRICE_QUANTILES);
    assert_int_equal(part(fixture, 0, 0)->mechanism_count, 2);
    measure->quantile_count = 19;
    assert_ok(fixture, priced(fixture));
    assert_int_equal(part(fixture, 0, 0)->kind, PRICE_TREE);
    /* 8 leaves: each is in at most 4 nodes */
    assert_true(fabs(scale(part(fixture, 0, 0)) - 40) < 1e-9);
}

/* Four picks of a quarter each; counts of at most 2 rows of a unit move one way: epsilon / sensitivity, not half of it. */
static void top_values_cost_each(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_value values[5] = {{.type = SQL_INTEGER}};
    fixture->releases[0].max_rows = 2;
    struct sql_measure *measure = add(fixture, 0, SQL_MEASURE_TOP, 2);
    measure->domain = (struct sql_rows){1, 5, values};
    measure->top = 4;
    assert_ok(fixture, priced(fixture));
    double rate = rational_to_double(part(fixture, 0, 0)->mechanisms->law.rate, MPFR_RNDN);
    assert_true(fabs(rate - 0.1 / 4 / 2) < 1e-12);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(one_count_gets_the_whole_amount),
        TEST(parts_of_one_kind_share_equally),
        TEST(a_part_with_eight_times_the_noise_gets_four_times_the_epsilon),
        TEST(a_sum_is_weighed_against_its_range_not_its_steps),
        TEST(rho_is_shared_in_proportion_to_the_noise),
        TEST(shares_add_up_to_the_amount_exactly),
        TEST(no_mechanism_uses_more_than_its_part_is_charged),
        TEST(a_unit_in_three_groups_moves_three_numbers),
        TEST(a_public_domain_of_two_keys_bounds_the_groups),
        TEST(rho_pays_for_groups_by_their_root),
        TEST(the_same_release_twice_is_paid_once),
        TEST(hidden_keys_cost_epsilon_and_delta),
        TEST(public_keys_cost_no_delta),
        TEST(a_pure_budget_refuses_hidden_keys_with_a_hint),
        TEST(hidden_keys_under_rho_spend_its_pure_epsilon),
        TEST(epsilon_of_rho_never_costs_more),
        TEST(the_analyst_may_name_the_amount),
        TEST(what_is_fixed_for_an_aggregate_comes_first),
        TEST(amounts_in_another_currency_are_refused),
        TEST(without_a_usual_amount_the_analyst_must_say),
        TEST(gaussian_noise_is_used_where_delta_is_offered_and_it_is_narrower),
        TEST(a_quantile_spends_its_epsilon_once_for_each_group),
        TEST(many_quantiles_are_read_from_one_distribution),
        TEST(top_values_cost_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
