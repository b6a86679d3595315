/* From measures to answers. The whole numbers of a release are computed here by the formula of release.h from four
 * people, without noise, and put into the scratch database; what the projection above makes of them is compared with
 * numbers from Python's statistics module. Then: grouping sets, and the row for what is hidden. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/grouped.h"
#include "tests/support/scratch_rows.h"
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
    "      age:     {type: integer, range: [0, 121], null: false}\n"
    "      heat:    {type: real, range: [-40, 60], null: false}\n"
    "      wealth:  {type: integer, range: [0, 1000000000000], null: false}\n"
    "      balance: {type: decimal, scale: 2, range: [-50, 150], null: false}\n"
    "      born:    {type: date, range: [1900-01-01, 2021-12-31], null: false}\n"
    "      seen:    {type: timestamp, range: [\"2024-01-01 00:00:00\", \"2024-12-31 00:00:00\"], null: "
    "false}\n"
    "      region:  {type: text, values: [north, south], null: false}\n"
    "      band:    {type: integer, range: [1, 100], null: false}\n"
    "  visits:\n"
    "    source: visits.csv\n"
    "    join: {id: people.id}\n"
    "    max_rows: 20\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      id:      {type: integer, null: false}\n"
    "      kind:    {type: text, null: false}\n"
    "      clinic:  {type: integer, range: [1, 4], null: false}\n"
    "      urgent:  {type: boolean, null: false}\n"
    "      cost:    {type: integer, range: [0, 100], null: false}\n"
    "budget: {epsilon: 10, delta: 1e-6, per_question: 0.1, delta_per_question: 1e-9, max_per_question: 1}\n";

enum { PEOPLE = 4 };
static const double ages[PEOPLE] = {20, 40, 60, 90}, heats[PEOPLE] = {10, 20, 35, -5.5},
                    wealths[PEOPLE] = {1e12, 5e11, 0, 123456789012};

static struct grouped grouped;
static struct scratch *scratch;

static int open_scratch(void **state)
{
    (void)state;
    error why = {.message = ""};
    if (scratch_open(&(struct scratch_options){.threads = 1}, &scratch, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return 0;
}

static int close_scratch(void **state)
{
    (void)state;
    scratch_close(scratch);
    return 0;
}

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

/* ---- Numbers without noise ---- */

static const double *values_of(const struct sql_release *release, const struct sql_expression *argument)
{
    const char *name = release->input->columns[argument->column].name;
    return strcmp(name, "age") == 0 ? ages : strcmp(name, "heat") == 0 ? heats : wealths;
}

static int64_t deviation(const struct sql_steps *steps, double value)
{
    return (int64_t)floor(ldexp(value, -steps->exponent) + 0.5) - steps->centre;
}

static int64_t number_of(const struct sql_release *release, const struct sql_measure *measure)
{
    int64_t sum = 0;
    for (size_t i = 0; i < PEOPLE; i++) {
        int64_t one = 1;
        if (measure->kind == SQL_MEASURE_SUM || measure->kind == SQL_MEASURE_PRODUCT)
            one = deviation(&measure->steps, values_of(release, measure->argument)[i]);
        if (measure->kind == SQL_MEASURE_PRODUCT)
            one *= deviation(&measure->second_steps, values_of(release, measure->second)[i]);
        sum += one;
    }
    return sum;
}

/* The projection's input: the node that shows the release. */
static const struct sql_relation *shown_release(const struct sql_relation *relation)
{
    while (relation->kind != SQL_RELEASE)
        relation = relation->input;
    return relation;
}

static struct sql_rows answer(void)
{
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
    const struct sql_release *release = grouped.binder.builder.releases[0];
    int64_t numbers[32];
    for (size_t i = 0; i < release->measure_count; i++)
        numbers[i] = number_of(release, &release->measures[i]);
    scratch_put_release(scratch, shown_release(result), 1, numbers, NULL);
    return scratch_rows(scratch, result, &grouped.arena);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void statistics_of_one_argument_are_pythons(void **state)
{
    (void)state;
    grouped_call(&grouped, "count", "*");
    grouped_call(&grouped, "sum", "age");
    grouped_call(&grouped, "avg", "age");
    grouped_call(&grouped, "var_pop", "age");
    grouped_call(&grouped, "var_samp", "age");
    grouped_call(&grouped, "stddev_pop", "age");
    grouped_call(&grouped, "stddev", "age");
    grouped_call(&grouped, "sum", "heat");
    grouped_call(&grouped, "avg", "heat");
    struct sql_rows rows = answer();
    assert_int_equal(rows.cells[0].type, SQL_INTEGER);
    assert_int_equal(rows.cells[0].whole, 4);
    assert_int_equal(rows.cells[1].type, SQL_INTEGER);
    assert_int_equal(rows.cells[1].whole, 210);
    near(rows.cells[2].real, 52.5);
    near(rows.cells[3].real, 668.75);
    near(rows.cells[4].real, 891.6666666666666);
    near(rows.cells[5].real, 25.860201081971503);
    near(rows.cells[6].real, 29.860788111948193);
    near(rows.cells[7].real, 59.5);
    near(rows.cells[8].real, 14.875);
}

static void statistics_of_two_arguments_are_pythons(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } cases[] = {{"covar_pop", -129.6875},
                 {"covar_samp", -172.91666666666666},
                 {"corr", -0.3400085172484709},
                 {"regr_slope", -0.5961358902535373},
                 {"regr_intercept", 61.36752136752137},
                 {"regr_r2", 0.11560579180150375},
                 {"regr_avgx", 14.875},
                 {"regr_avgy", 52.5},
                 {"regr_sxx", 870.1875},
                 {"regr_syy", 2675.0},
                 {"regr_sxy", -518.75}};
    enum { COUNT = sizeof cases / sizeof cases[0] };
    for (size_t i = 0; i < COUNT; i++)
        grouped_call2(&grouped, cases[i].name, "age", "heat");
    struct sql_rows rows = answer();
    for (size_t i = 0; i < COUNT; i++)
        near(rows.cells[i].real, cases[i].value);
}

/* Sums and squares of wealth have different steps (2^9 and 2^19) and so different middles. */
static void steps_of_different_size_are_reconciled(void **state)
{
    (void)state;
    grouped_call(&grouped, "avg", "wealth");
    grouped_call(&grouped, "stddev_pop", "wealth");
    struct sql_rows rows = answer();
    assert_true(fabs(rows.cells[0].real - 405864197253.0) < 512);
    assert_true(fabs(rows.cells[1].real - 389338731795.9341) < 1 << 19);
}

/* Whatever the noise says: averages stay in the range, variances are not negative, correlations are correlations. */
static void noise_does_not_break_the_formulas(void **state)
{
    (void)state;
    grouped_call(&grouped, "avg", "age");
    grouped_call(&grouped, "var_samp", "age");
    grouped_call(&grouped, "stddev_pop", "age");
    grouped_call2(&grouped, "corr", "age", "heat");
    grouped_call2(&grouped, "regr_slope", "age", "heat");
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
    const struct sql_relation *release = shown_release(result);
    uint32_t random = 99;
    for (int trial = 0; trial < 60; trial++) {
        int64_t numbers[32];
        for (size_t i = 0; i < release->column_count; i++) {
            random = random * 1664525 + 1013904223;
            numbers[i] =
                (int64_t)(random >> 8) % (trial % 2 == 0 ? 5 : 1000000) - (trial % 3 == 0 ? 0 : 3000);
        }
        scratch_put_release(scratch, release, 1, numbers, NULL);
        struct sql_rows rows = scratch_rows(scratch, result, &grouped.arena);
        assert_true(rows.cells[0].real >= 0 && rows.cells[0].real <= 121);
        assert_true(rows.cells[1].real >= 0 && rows.cells[2].real >= 0);
        assert_true(rows.cells[3].null || fabs(rows.cells[3].real) <= 1);
        assert_true(rows.cells[4].null || isfinite(rows.cells[4].real));
    }
}

/* ---- Types ---- */

static void results_have_the_types_that_sql_gives_them(void **state)
{
    (void)state;
    grouped_call(&grouped, "sum", "balance");
    grouped_call(&grouped, "avg", "balance");
    grouped_call(&grouped, "min", "born");
    grouped_call(&grouped, "max", "age");
    grouped_call(&grouped, "median", "age");
    grouped_call(&grouped, "max", "seen");
    grouped_call(&grouped, "min", "balance");
    grouped_call(&grouped, "percentile_disc", "0.5");
    grouped_within(&grouped, "balance");
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
    static const enum sql_type types[] = {SQL_DECIMAL, SQL_REAL,      SQL_DATE,    SQL_INTEGER,
                                          SQL_REAL,    SQL_TIMESTAMP, SQL_DECIMAL, SQL_DECIMAL};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(result->columns[i].type, types[i]);
    const struct sql_release *release = grouped.binder.builder.releases[0];
    /* measures: sum, units, centred sum, born, age (max, median), seen, balance (two shares) */
    assert_int_equal(release->measure_count, 7);
    int64_t moment = release->measures[5].steps.upper;
    int64_t numbers[] = {12345, 2, 500, -25567 / 16, 121, 60, moment, -3, 2000};
    /* quantile columns ascend by share: age has 0.5 before 1 */
    numbers[4] = 60;
    numbers[5] = 121;
    scratch_put_release(scratch, shown_release(result), 1, numbers, NULL);
    struct sql_rows rows = scratch_rows(scratch, result, &grouped.arena);
    assert_int_equal(rows.cells[0].whole, 12345); /* 123.45 */
    near(rows.cells[1].real, 52.5);               /* 50 + 5.00/2 */
    assert_int_equal(rows.cells[2].whole, -25567 / 16 * 16);
    assert_int_equal(rows.cells[3].whole, 121);
    near(rows.cells[4].real, 60);
    assert_int_equal(rows.cells[5].whole, 1735603200000000); /* clamped to 2024-12-31 */
    /* -50.00 ... 150.00 are 20001 units: steps of 8 */
    assert_int_equal(release->measures[6].steps.exponent, 3);
    assert_int_equal(rows.cells[6].whole, -24);
    assert_int_equal(rows.cells[7].whole, 15000); /* 160.00 is clamped to the range */
}

static void counts_are_raised_to_zero_when_asked(void **state)
{
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        grouped_again(&grouped);
        grouped.binder.options.non_negative = asked == 1;
        grouped_call(&grouped, "count", "*");
        const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
        scratch_put_release(scratch, shown_release(result), 1, &(int64_t){-7}, NULL);
        assert_int_equal(scratch_rows(scratch, result, &grouped.arena).cells[0].whole, asked == 1 ? 0 : -7);
    }
}

static void released_columns_know_that_they_are_noisy(void **state)
{
    (void)state;
    grouped_key(&grouped, "region");
    grouped_call(&grouped, "avg", "age");
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
    assert_int_equal(result->place, SQL_RELEASED);
    assert_false(result->columns[0].noisy);
    assert_true(result->columns[1].noisy);
    assert_string_equal(result->columns[0].name, "region");
}

/* ---- Grouping sets ---- */

/* region x band are 2 x 100 cells, max_groups 1. By itself each of the 3 sets has 3 times the noise. (region)
 * rolled up: sqrt(100) = 10 times that of one release. No gain: three releases. */
static void fine_cells_are_not_rolled_up(void **state)
{
    (void)state;
    grouped_key(&grouped, "region");
    grouped_key(&grouped, "band");
    grouped_call(&grouped, "count", "*");
    grouped_set(&grouped, 3);
    grouped_set(&grouped, 1);
    grouped_set(&grouped, 0);
    (void)grouped_build(&grouped, grouped_table(&grouped, "people"));
    assert_int_equal(grouped.binder.builder.release_count, 3);
    assert_non_null(strstr(grouped.notes.data, "grouping set (region): released by itself"));
}

/* (region) and (): 2 cells. () rolled up has sqrt(2) times the noise of one release at the whole price, against 2 times
 * for two releases at half of it. */
static void few_cells_are_rolled_up(void **state)
{
    (void)state;
    grouped_key(&grouped, "region");
    grouped_call(&grouped, "count", "*");
    grouped_call(&grouped, "avg", "age");
    grouped_set(&grouped, 1);
    grouped_set(&grouped, 0);
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "people"));
    assert_int_equal(grouped.binder.builder.release_count, 1);
    assert_string_equal(grouped.notes.data, "grouping set (region): released by itself\n"
                                            "grouping set (): rolled up from (region)\n");
    const struct sql_relation *release = shown_release(result);
    /* region, units, sum of age - 60: north 2 people 50 and 60, south one of 70 */
    int64_t numbers[] = {0, 2, -10, 0, 1, 10};
    const char *texts[] = {"north", NULL, NULL, "south", NULL, NULL};
    scratch_put_release(scratch, release, 2, numbers, texts);
    struct sql_rows rows = scratch_rows(scratch, result, &grouped.arena);
    char shown[500];
    scratch_show(&rows, 4, shown, sizeof shown);
    assert_string_equal(shown, "NULL 3 60 1|north 2 55 0|south 1 70 0");
    assert_true(result->columns[3].hidden);
    assert_string_equal(result->columns[3].name, "grouping");
}

/* (clinic, urgent) and (clinic): a clinic's two cells have sqrt(2) times the noise of one, against 2 times for two
 * releases. Rows add up; different values of cells do not, nor do units that may be in several cells. */
static void what_does_not_add_up_is_not_rolled_up(void **state)
{
    (void)state;
    static const struct {
        const char *name, *argument;
        bool distinct;
        size_t releases;
    } cases[] = {
        {"count", "*", false, 1},     {"sum", "cost", false, 1}, {"stddev", "cost", false, 1},
        {"count", "kind", true, 2},   {"sum", "cost", true, 2},  {"count", "id", true, 2},
        {"median", "cost", false, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        grouped_again(&grouped);
        grouped_key(&grouped, "clinic");
        grouped_key(&grouped, "urgent");
        grouped_call(&grouped, cases[i].name, cases[i].argument)->distinct = cases[i].distinct;
        grouped_set(&grouped, 3);
        grouped_set(&grouped, 1);
        (void)grouped_build(&grouped, grouped_table(&grouped, "visits"));
        assert_int_equal(grouped.binder.builder.release_count, cases[i].releases);
    }
}

/* Hidden cells would be missing in the sums. */
static void hidden_keys_are_not_rolled_up(void **state)
{
    (void)state;
    grouped_key(&grouped, "kind");
    grouped_call(&grouped, "sum", "cost");
    grouped_set(&grouped, 1);
    grouped_set(&grouped, 0);
    (void)grouped_build(&grouped, grouped_table(&grouped, "visits"));
    assert_int_equal(grouped.binder.builder.release_count, 2);
}

static void the_same_set_twice_is_drawn_once(void **state)
{
    (void)state;
    grouped_key(&grouped, "kind");
    grouped_call(&grouped, "count", "*");
    grouped_set(&grouped, 1);
    grouped_set(&grouped, 1);
    (void)grouped_build(&grouped, grouped_table(&grouped, "visits"));
    assert_int_equal(grouped.binder.builder.release_count, 1);
}

/* ---- What is hidden ---- */

static void other_is_a_total_of_its_own_minus_what_is_shown(void **state)
{
    (void)state;
    grouped.binder.options.other = true;
    grouped_key(&grouped, "kind");
    grouped_call(&grouped, "count", "*");
    grouped_call(&grouped, "sum", "cost");
    grouped_call(&grouped, "avg", "cost");
    grouped_call(&grouped, "count", "clinic")->distinct = true;
    grouped_call(&grouped, "median", "cost");
    const struct sql_relation *result = grouped_build(&grouped, grouped_table(&grouped, "visits"));
    assert_int_equal(grouped.binder.builder.release_count, 2);
    const struct sql_release *shown = grouped.binder.builder.releases[0],
                             *total = grouped.binder.builder.releases[1];
    assert_int_equal(total->key_count, 0);
    assert_int_equal(total->max_groups, 1);
    assert_int_equal(total->max_rows, 60); /* 20 rows in each of 3 groups */
    assert_int_equal(total->measure_count, 3);
    assert_int_equal(sql_measure_sensitivity(&total->measures[0]), 60);
    assert_int_equal(sql_measure_sensitivity(&total->measures[1]), 6000);
    assert_int_equal(sql_measure_sensitivity(&total->measures[2]), 3000);
    assert_int_equal(shown->measure_count, 5);
    /* shown: flu with 10 rows, sum 400 and 10 (50 - 10) centred; total: 25 rows, 700 */
    int64_t numbers[] = {0, 10, 400, -100, 3, 45};
    const char *texts[] = {"flu", NULL, NULL, NULL, NULL, NULL};
    scratch_put_release(scratch, shown_release(result->input), 1, numbers, texts);
    struct sql_relation table = {.release = total, .column_count = 3};
    struct sql_column columns[3] = {{.type = SQL_INTEGER}, {.type = SQL_INTEGER}, {.type = SQL_INTEGER}};
    table.columns = columns;
    scratch_put_release(scratch, &table, 1, (int64_t[]){25, 700, -550}, NULL);
    struct sql_rows rows = scratch_rows(scratch, result, &grouped.arena);
    char text[500];
    scratch_show(&rows, 6, text, sizeof text);
    /* other: 15 rows, 300, average 50 - 450/15 */
    assert_string_equal(text, "flu 10 400 40 3 45|other 15 300 20 NULL NULL");
    /* nothing is shown: all of it is other, and the row is there */
    scratch_put_release(scratch, shown_release(result->input), 0, NULL, NULL);
    rows = scratch_rows(scratch, result, &grouped.arena);
    scratch_show(&rows, 6, text, sizeof text);
    assert_string_equal(text, "other 25 700 28 NULL NULL");
}

/* A unit may stand behind several keys: what is shown of units does not add up to those who are shown. */
static void other_says_nothing_of_units_in_several_groups(void **state)
{
    (void)state;
    grouped.binder.options.other = true;
    grouped_key(&grouped, "kind");
    grouped_call(&grouped, "count", "id")->distinct = true;
    grouped_call(&grouped, "count", "*");
    (void)grouped_build(&grouped, grouped_table(&grouped, "visits"));
    const struct sql_release *total = grouped.binder.builder.releases[1];
    assert_int_equal(total->measure_count, 1);
    assert_int_equal(total->measures[0].kind, SQL_MEASURE_ROWS);
}

static void public_keys_have_no_other(void **state)
{
    (void)state;
    grouped.binder.options.other = true;
    grouped_key(&grouped, "urgent");
    grouped_call(&grouped, "count", "*");
    (void)grouped_build(&grouped, grouped_table(&grouped, "visits"));
    assert_int_equal(grouped.binder.builder.release_count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(statistics_of_one_argument_are_pythons),
        TEST(statistics_of_two_arguments_are_pythons),
        TEST(steps_of_different_size_are_reconciled),
        TEST(noise_does_not_break_the_formulas),
        TEST(results_have_the_types_that_sql_gives_them),
        TEST(counts_are_raised_to_zero_when_asked),
        TEST(released_columns_know_that_they_are_noisy),
        TEST(fine_cells_are_not_rolled_up),
        TEST(few_cells_are_rolled_up),
        TEST(what_does_not_add_up_is_not_rolled_up),
        TEST(hidden_keys_are_not_rolled_up),
        TEST(the_same_set_twice_is_drawn_once),
        TEST(other_is_a_total_of_its_own_minus_what_is_shown),
        TEST(other_says_nothing_of_units_in_several_groups),
        TEST(public_keys_have_no_other),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
