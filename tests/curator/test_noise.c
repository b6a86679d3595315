/* From exact groups to a noisy table, with groups made by hand: huge amounts leave the truth, small ones a law
 * that is tested for its fit; hidden keys appear by their units alone; and tables and answers survive as bytes.
 * The random source is fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curator/code.h"
#include "curator/noise.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

struct fixture {
    struct arena arena;
    struct random *random;
    struct sql_relation domain_relation;
    struct sql_measure measures[4];
    struct sql_release release;
    const struct sql_release *list[1];
    struct price_facts facts;
    struct sql_plan plan;
    struct policy_budget budget;
    struct mechanism_known known;
    struct price price;
    struct engine_groups groups;
    struct sql_rows domain, table;
    error why;
};

static int begin(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){
        .budget = {.currency = LEDGER_APPROXIMATE, .delta_per_question = decimal("1e-6")},
        .release = {.max_rows = 1, .max_groups = 1, .measures = fixture.measures},
    };
    arena_init(&fixture.arena, 256 << 20);
    fixture.random = fixed_source(20261116);
    fixture.list[0] = &fixture.release;
    fixture.plan = (struct sql_plan){.releases = fixture.list, .release_count = 1};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    random_close(fixture->random);
    arena_free(&fixture->arena);
    return 0;
}

static struct sql_measure *add(struct fixture *fixture, enum sql_measure_kind kind, int64_t most,
                               size_t column)
{
    struct sql_measure *measure = &fixture->measures[fixture->release.measure_count++];
    *measure = (struct sql_measure){.kind = kind, .unit_upper = most, .column = column};
    return measure;
}

static void public_keys(struct fixture *fixture, const struct sql_value *keys, size_t count)
{
    fixture->release.key_count = 1;
    fixture->release.domain = &fixture->domain_relation;
    fixture->domain = (struct sql_rows){1, count, keys};
    fixture->facts.domain_rows = count;
}

static void draw(struct fixture *fixture, const char *amount)
{
    fixture->plan.options.epsilon = decimal(amount);
    assert_ok(fixture, price_plan(&fixture->plan, &fixture->facts, &fixture->budget, &fixture->known,
                                  &fixture->arena, &fixture->price, &fixture->why));
    assert_ok(fixture, noise_release(fixture->price.releases, &fixture->groups, &fixture->domain,
                                     fixture->random, &fixture->arena, &fixture->table, &fixture->why));
}

#define INTEGER(value)                                                                                       \
    {                                                                                                        \
        .type = SQL_INTEGER, .whole = (value)                                                                \
    }

static void a_huge_amount_leaves_the_truth_in_its_place(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_value keys[3] = {INTEGER(10), INTEGER(20), INTEGER(30)};
    const int64_t numbers[6] = {5, -100, 0, 0, INT64_C(1) << 60, 7};
    public_keys(fixture, keys, 3);
    add(fixture, SQL_MEASURE_ROWS, 1, 1);
    add(fixture, SQL_MEASURE_SUM, 100, 2)->steps.upper = 100;
    fixture->groups = (struct engine_groups){.group_count = 3, .numbers = numbers, .numbers_per_group = 2};
    draw(fixture, "1000000");
    assert_int_equal(fixture->table.row_count, 3);
    assert_int_equal(fixture->table.column_count, 3);
    for (size_t row = 0; row < 3; row++) {
        assert_int_equal(sql_rows_cell(&fixture->table, row, 0)->whole, keys[row].whole);
        assert_int_equal(sql_rows_cell(&fixture->table, row, 1)->whole, numbers[2 * row]);
        assert_int_equal(sql_rows_cell(&fixture->table, row, 2)->whole, numbers[2 * row + 1]);
    }
}

/* 3 groups per unit, 2 rows each, epsilon 0.5: scale 12. */
static double tail_of_scale_12(const void *law, int64_t k)
{
    (void)law;
    double q = exp(-1 / 12.0);
    return k > 0 ? pow(q, (double)k) / (1 + q) : 1 - pow(q, (double)(1 - k)) / (1 + q);
}

static void the_noise_of_a_count_has_the_scale_of_its_price(void **state)
{
    enum { GROUPS = 20000 };
    struct fixture *fixture = *state;
    int64_t *numbers = calloc(GROUPS, sizeof *numbers), *noise = calloc(GROUPS, sizeof *noise);
    struct sql_value *keys = calloc(GROUPS, sizeof *keys);
    for (size_t i = 0; i < GROUPS; i++) {
        keys[i] = (struct sql_value)INTEGER((int64_t)i);
        numbers[i] = 1000 * (int64_t)i;
    }
    public_keys(fixture, keys, GROUPS);
    add(fixture, SQL_MEASURE_ROWS, 2, 1);
    fixture->release.max_groups = 3;
    fixture->groups =
        (struct engine_groups){.group_count = GROUPS, .numbers = numbers, .numbers_per_group = 1};
    draw(fixture, "0.5");
    for (size_t i = 0; i < GROUPS; i++)
        noise[i] = sql_rows_cell(&fixture->table, i, 1)->whole - numbers[i];
    struct fit_noise fit = fit_noise(noise, GROUPS, 1, tail_of_scale_12, NULL);
    assert_true(fit.chi_square < fit_threshold(fit.freedom));
    free(keys);
    free(noise);
    free(numbers);
}

/* Shown by the number of units, whatever the measure says: with epsilon 20 and delta 1e-6 a key with one unit is
 * shown with probability 1e-6, with two at most exp(20) times as often, and with forty almost surely. */
static void hidden_keys_are_shown_by_their_units(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_value keys[4] = {INTEGER(1), INTEGER(2), INTEGER(3), INTEGER(4)};
    const int64_t units[4] = {1, 40, 0, 40}, numbers[4] = {1000000, 40, 1000000, 41};
    fixture->release.key_count = 1;
    add(fixture, SQL_MEASURE_ROWS, 1, 1);
    fixture->groups = (struct engine_groups){
        .group_count = 4, .keys = {1, 4, keys}, .units = units, .numbers = numbers, .numbers_per_group = 1};
    draw(fixture, "40");
    assert_int_equal(fixture->table.row_count, 2);
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 0)->whole, 2);
    assert_int_equal(sql_rows_cell(&fixture->table, 1, 0)->whole, 4);
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 1)->whole, 40);
    assert_int_equal(sql_rows_cell(&fixture->table, 1, 1)->whole, 41);
}

/* Values 10, 10, 12, 15, 15, 15, 19: the median is 15, the smallest 10, the largest 19. */
static void quantiles_are_cells_of_the_grid_in_steps(void **state)
{
    struct fixture *fixture = *state;
    const double one_by_one[3] = {0, 0.5, 1};
    const int64_t expected[3] = {10, 15, 19};
    double many[19];
    const int64_t counts[10] = {2, 0, 1, 0, 0, 3, 0, 0, 0, 1};
    struct sql_measure *measure = add(fixture, SQL_MEASURE_QUANTILES, 1, 0);
    measure->steps = (struct sql_steps){.lower = 10, .upper = 19};
    measure->quantile_count = 1;
    fixture->groups = (struct engine_groups){.group_count = 1, .numbers = counts, .numbers_per_group = 10};
    for (size_t i = 0; i < 3; i++) {
        measure->quantiles = &one_by_one[i];
        draw(fixture, "100000");
        assert_int_equal(fixture->price.releases[0].parts[0].kind, PRICE_QUANTILES);
        assert_int_equal(sql_rows_cell(&fixture->table, 0, 0)->whole, expected[i]);
    }
    for (size_t i = 0; i < 19; i++)
        many[i] = 0.05 * (double)(i + 1);
    measure->quantiles = many;
    measure->quantile_count = 19;
    draw(fixture, "100000");
    assert_int_equal(fixture->price.releases[0].parts[0].kind, PRICE_TREE);
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 0)->whole, 10);  /* 0.05 of 7 */
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 6)->whole, 12);  /* 0.35 of 7 = 2.45: the third */
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 9)->whole, 15);  /* 0.5 of 7 = 3.5: the fourth */
    assert_int_equal(sql_rows_cell(&fixture->table, 0, 18)->whole, 19); /* 0.95 of 7 = 6.65: the seventh */
}

/* 100 values at 20 and 100 at 40 of 0..999: every cell from 40 on is a quantile 1, and nearly all of them lie far beyond.
 * Of 400 answers at most one in 21 should lie outside of 20..40, that is 19; without the shift nearly all would. */
static void the_greatest_value_is_not_lost_in_an_empty_range(void **state)
{
    struct fixture *fixture = *state;
    static int64_t counts[1000];
    const double shares[2] = {0, 1};
    int outside = 0;
    counts[20] = counts[40] = 100;
    struct sql_measure *measure = add(fixture, SQL_MEASURE_QUANTILES, 1, 0);
    measure->steps = (struct sql_steps){.lower = 0, .upper = 999};
    measure->quantile_count = 1;
    fixture->groups = (struct engine_groups){.group_count = 1, .numbers = counts, .numbers_per_group = 1000};
    for (size_t i = 0; i < 2; i++) {
        measure->quantiles = &shares[i];
        draw(fixture, "100000");
        assert_int_equal(sql_rows_cell(&fixture->table, 0, 0)->whole, i == 0 ? 20 : 40);
        for (int trial = 0; trial < 200; trial++) {
            draw(fixture, "1");
            int64_t value = sql_rows_cell(&fixture->table, 0, 0)->whole;
            outside += value < 20 || value > 40;
        }
    }
    assert_true(outside <= 40);
}

static void top_values_come_by_rank_without_repetition(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_value values[4] = {{.type = SQL_TEXT, .text = "ash"},
                                        {.type = SQL_TEXT, .text = "birch"},
                                        {.type = SQL_TEXT, .text = "elm"},
                                        {.type = SQL_TEXT, .text = "oak"}};
    const int64_t counts[4] = {30, 500, 2, 90};
    struct sql_measure *measure = add(fixture, SQL_MEASURE_TOP, 1, 0);
    measure->domain = (struct sql_rows){1, 4, values};
    measure->top = 3;
    fixture->groups = (struct engine_groups){.group_count = 1, .numbers = counts, .numbers_per_group = 4};
    draw(fixture, "1000");
    assert_string_equal(sql_rows_cell(&fixture->table, 0, 0)->text, "birch, oak, ash");
}

/* ---- As bytes ---- */

static const struct sql_value all_kinds[] = {
    {.type = SQL_BOOLEAN, .whole = 1},
    INTEGER(INT64_MIN),
    {.type = SQL_DECIMAL, .scale = 2, .whole = -1250},
    {.type = SQL_REAL, .real = 0.1},
    {.type = SQL_TEXT, .text = "caf\xC3\xA9, \"quoted\""},
    {.type = SQL_DATE, .whole = -1},
    {.type = SQL_TIMESTAMP, .whole = 1234567890123456},
    {.type = SQL_INTERVAL, .whole = 7, .months = -3, .days = 2},
    {.type = SQL_TEXT, .null = true},
    {.type = SQL_TEXT, .text = ""},
};
enum { KINDS = sizeof all_kinds / sizeof all_kinds[0] };

static void tables_are_the_same_after_a_way_through_bytes(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_rows rows = {KINDS / 2, 2, all_kinds};
    struct sql_rows back;
    struct buffer bytes;
    buffer_init(&bytes, 1 << 20);
    code_write_rows(&bytes, &rows);
    assert_ok(fixture, code_read_rows((struct ledger_bytes){bytes.data, bytes.length}, &fixture->arena, &back,
                                      &fixture->why));
    assert_int_equal(back.column_count, KINDS / 2);
    assert_int_equal(back.row_count, 2);
    for (size_t i = 0; i < KINDS; i++) {
        assert_int_equal(back.cells[i].type, all_kinds[i].type);
        assert_int_equal(back.cells[i].null, all_kinds[i].null);
        assert_int_equal(back.cells[i].scale, all_kinds[i].scale);
        assert_int_equal(back.cells[i].months, all_kinds[i].months);
        assert_int_equal(back.cells[i].days, all_kinds[i].days);
        assert_int_equal(sql_value_compare(&back.cells[i], &all_kinds[i]), 0);
    }
    buffer_free(&bytes);
}

/* Every beginning of the bytes, and every byte changed, is refused or read: never a crash (run under ASan). */
static void damaged_bytes_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct sql_rows rows = {KINDS, 1, all_kinds};
    struct sql_rows back;
    struct buffer bytes;
    buffer_init(&bytes, 1 << 20);
    code_write_rows(&bytes, &rows);
    for (size_t length = 0; length < bytes.length; length++)
        assert_int_equal(
            code_read_rows((struct ledger_bytes){bytes.data, length}, &fixture->arena, &back, NULL),
            DITHER_IO);
    for (size_t i = 0; i < bytes.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[i] = (char)(bytes.data[i] ^ (1 << bit));
            status result =
                code_read_rows((struct ledger_bytes){bytes.data, bytes.length}, &fixture->arena, &back, NULL);
            assert_true(result == DITHER_OK || result == DITHER_IO);
            bytes.data[i] = (char)(bytes.data[i] ^ (1 << bit));
        }
    buffer_free(&bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_huge_amount_leaves_the_truth_in_its_place),
        TEST(the_noise_of_a_count_has_the_scale_of_its_price),
        TEST(hidden_keys_are_shown_by_their_units),
        TEST(quantiles_are_cells_of_the_grid_in_steps),
        TEST(the_greatest_value_is_not_lost_in_an_empty_range),
        TEST(top_values_come_by_rank_without_repetition),
        TEST(tables_are_the_same_after_a_way_through_bytes),
        TEST(damaged_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
