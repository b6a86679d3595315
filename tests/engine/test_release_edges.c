/* The edges of a release: keys come back as they were, in order; bounds tighter than the rows' own hold; more sums
 * than one pass takes; the text for explain; failures that say nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_release.h"
#include "tests/support/release_data.h"
#include "tests/support/test.h"

static const uint8_t hash_key[16] = {9, 8, 7};

/* A release by one hidden key, or by none (DATA_COLUMNS). */
static struct sql_release release_by(enum release_data_column key, const struct sql_measure *measures,
                                     size_t count)
{
    static const struct sql_expression *keys[1];

    if (key < DATA_COLUMNS)
        keys[0] = release_data_column_expression(key);
    return (struct sql_release){.input = release_data_input(false),
                                .keys = keys,
                                .key_count = key < DATA_COLUMNS,
                                .measures = measures,
                                .measure_count = count,
                                .max_rows = 2,
                                .max_groups = 10};
}

static const struct sql_measure units = {.kind = SQL_MEASURE_UNITS, .unit_upper = 1};

static void hidden_keys_come_back_exactly_and_sorted(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 2);
    release_data_run(
        &data,
        "INSERT INTO data(u, t, r, d) VALUES (1, 'b', 'nan', '2024-02-29'), (1, 'a', -0.0, '1969-12-31'),"
        " (2, NULL, 0.0, NULL), (2, '', -1.5, '0001-01-01'), (3, 'a' || chr(0) || 'z', 'infinity', NULL),"
        " (3, 'ä', NULL, NULL), (NULL, 'nobody', 77, '2000-01-01')");
    for (int one_row = 0; one_row < 2; one_row++) { /* as if it were proved: the same keys, another way */
        struct sql_release release = release_by(DATA_T, &units, 1);
        release.one_row = one_row;
        struct engine_groups groups = release_data_release(&data, &release, NULL, hash_key);
        const char *const texts[] = {NULL, "", "a", "b", "ä"};
        assert_int_equal(groups.group_count, 5);
        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(groups.keys.cells[i].type, SQL_TEXT);
            assert_int_equal(groups.keys.cells[i].null, !texts[i]);
            if (texts[i])
                assert_string_equal(groups.keys.cells[i].text, texts[i]);
        }
        assert_int_equal(groups.units[2], 2); /* the text ends at the NUL byte */

        release = release_by(DATA_R, &units, 1);
        release.one_row = one_row;
        groups = release_data_release(&data, &release, NULL, hash_key);
        assert_int_equal(groups.group_count, 5); /* NULL, -1.5, 0, infinity, NaN */
        assert_true(groups.keys.cells[0].null);
        assert_true(groups.keys.cells[1].real == -1.5 && groups.keys.cells[3].real == INFINITY);
        assert_true(groups.keys.cells[2].real == 0 && !signbit(groups.keys.cells[2].real));
        assert_true(isnan(groups.keys.cells[4].real));
        assert_int_equal(groups.units[2], 2); /* -0 is 0 */

        release = release_by(DATA_D, &units, 1);
        release.one_row = one_row;
        groups = release_data_release(&data, &release, NULL, hash_key);
        assert_int_equal(groups.group_count, 4);
        assert_int_equal(groups.keys.cells[1].whole, -719162); /* days, by Python's datetime */
        assert_int_equal(groups.keys.cells[2].whole, -1);
        assert_int_equal(groups.keys.cells[3].whole, 19782);
    }
    release_data_close(&data);
}

static void nothing_at_all_is_a_row_of_zeros_or_no_row(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 2);
    for (int one_row = 0; one_row < 2; one_row++) {
        const struct sql_measure sum = {.kind = SQL_MEASURE_SUM,
                                        .argument = release_data_column_expression(DATA_Y),
                                        .steps = {.lower = 0, .upper = 9},
                                        .unit_upper = 18};
        struct sql_release release = release_by(DATA_COLUMNS, &sum, 1);
        release.one_row = one_row;
        struct engine_groups groups = release_data_release(&data, &release, NULL, hash_key);
        assert_int_equal(groups.group_count, 1);
        assert_int_equal(groups.units[0], 0);
        assert_int_equal(groups.numbers[0], 0);

        release = release_by(DATA_T, &sum, 1);
        release.one_row = one_row;
        groups = release_data_release(&data, &release, NULL, hash_key);
        assert_int_equal(groups.group_count, 0);

        struct sql_rows domain = release_data_run_domain(&data, 5, 7, true);
        release = release_by(DATA_K, &sum, 1);
        release.one_row = one_row;
        groups = release_data_release(&data, &release, &domain, hash_key);
        assert_int_equal(groups.group_count, 4);
        assert_int_equal(groups.numbers[0] + groups.numbers[3] + groups.units[1], 0);
    }
    release_data_close(&data);
}

/* Bounds that are tighter than what one row can bring, as contribution_bounds_per_group makes them. */
static void tight_bounds_hold_also_where_one_row_is_proved(void **state)
{
    struct release_data data;
    const struct sql_expression *y = release_data_column_expression(DATA_Y);
    const struct sql_steps steps = {.lower = -100, .upper = 100};
    const struct sql_measure measures[] = {
        {.kind = SQL_MEASURE_SUM, .argument = y, .steps = steps, .unit_lower = -3, .unit_upper = 5},
        {.kind = SQL_MEASURE_DISTINCT_SUM, .argument = y, .steps = steps, .unit_lower = -6, .unit_upper = 10},
        {.kind = SQL_MEASURE_DISTINCT, .argument = y, .unit_upper = 0},
        {.kind = SQL_MEASURE_ROWS, .unit_upper = 0},
    };
    (void)state;

    release_data_open(&data, 2);
    release_data_run(&data, "INSERT INTO data(u, y) VALUES (1, 50), (2, -50), (3, 2), (4, NULL)");
    struct sql_release release = release_by(DATA_COLUMNS, measures, 4);
    release.one_row = true;
    struct engine_groups groups = release_data_release(&data, &release, NULL, hash_key);
    assert_int_equal(groups.units[0], 4);
    assert_int_equal(groups.numbers[0], 5 - 3 + 2);
    assert_int_equal(groups.numbers[1], 5 - 3 + 2); /* of two values a unit may have, each at most half */
    assert_int_equal(groups.numbers[2], 0);
    assert_int_equal(groups.numbers[3], 0);
    release_data_close(&data);
}

/* Twenty sums of one thing, and products among them: several passes keep the same groups. */
static void more_sums_than_one_pass_takes_are_all_the_same(void **state)
{
    struct release_data data;
    struct sql_measure measures[40];
    const struct sql_expression *y = release_data_column_expression(DATA_Y);
    (void)state;

    for (size_t i = 0; i < 40; i++)
        measures[i] = (struct sql_measure){.kind = i % 2 ? SQL_MEASURE_SUM : SQL_MEASURE_PRODUCT,
                                           .argument = y,
                                           .second = y,
                                           .steps = {.lower = -(1 << 30), .upper = 1 << 30},
                                           .second_steps = {.lower = -(1 << 30), .upper = 1 << 30},
                                           .unit_lower = -(INT64_C(1) << 61),
                                           .unit_upper = INT64_C(1) << 61};
    release_data_open(&data, 2);
    release_data_run(
        &data,
        "INSERT INTO data(u, k, y) SELECT i %% 50, i %% 7, i * 1000003 - 400000000 FROM range(700) AS r(i)");
    struct sql_release release = release_by(DATA_K, measures, 40);
    release.max_groups = 2;
    release.max_rows = 100;
    struct engine_groups groups = release_data_release(&data, &release, NULL, hash_key);
    assert_int_equal(groups.group_count, 7);
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 2; j < 40; j++)
            assert_int_equal(groups.numbers[i * 40 + j], groups.numbers[i * 40 + j % 2]);
    release.max_groups = 7; /* then nothing is left out, and plain SQL says what the sums are */
    groups = release_data_release(&data, &release, NULL, hash_key);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(groups.numbers[i * 40 + 1],
                         release_data_number(&data, "SELECT sum(y)::BIGINT FROM data WHERE k = %zu", i));
        assert_int_equal(groups.numbers[i * 40],
                         release_data_number(&data,
                                             "SELECT least(4611686018427387904, sum(y::HUGEINT * y))::BIGINT"
                                             " FROM data WHERE k = %zu",
                                             i));
    }
    release_data_close(&data);
}

static const struct sql_measure all_kinds[] = {
    {.kind = SQL_MEASURE_UNITS, .unit_upper = 1},
    {.kind = SQL_MEASURE_ROWS, .unit_upper = 2},
};

static void explain_has_a_text_that_can_be_prepared(void **state)
{
    static const struct sql_column column = {.name = "k", .type = SQL_INTEGER, .nullable = true};
    struct release_data data;
    struct buffer first, second;
    error why;
    (void)state;

    release_data_open(&data, 2);
    struct sql_rows rows = release_data_run_domain(&data, 1, 3, true);
    const struct sql_relation domain = {
        .kind = SQL_VALUES, .place = SQL_PUBLIC, .columns = &column, .column_count = 1, .rows = &rows};
    for (int kind = 0; kind < 4; kind++) {
        struct sql_release release = release_by(DATA_K, all_kinds, 2);
        release.domain = kind % 2 ? &domain : NULL;
        release.one_row = kind / 2;
        buffer_init(&first, 1 << 20);
        buffer_init(&second, 1 << 20);
        assert_int_equal(duckdb_release_text(&sql_duckdb, &release, &first, &why), DITHER_OK);
        assert_int_equal(duckdb_release_text(&sql_duckdb, &release, &second, &why), DITHER_OK);
        assert_string_equal(first.data, second.data);
        assert_true(release.one_row || strstr(first.data, "'KEY'"));
        for (int i = 0; i < 3; i++) /* with literals; with slots; as the shadow did before */
            assert_int_equal(
                duckdb_release_prepare(data.connection, i ? &data.keeper : NULL, &sql_duckdb, &release, &why),
                DITHER_OK);
        buffer_clear(&second);
        release.max_rows++;
        release.max_groups++;
        assert_int_equal(duckdb_release_text(&sql_duckdb, &release, &second, &why), DITHER_OK);
        assert_int_equal(strcmp(first.data, second.data) == 0, release.one_row);
        buffer_free(&first);
        buffer_free(&second);
    }
    release_data_run(&data, "DROP TABLE data");
    struct sql_release release = release_by(DATA_K, all_kinds, 2);
    release.max_groups = 77; /* not one of those that it took before */
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            duckdb_release_prepare(data.connection, i ? &data.keeper : NULL, &sql_duckdb, &release, &why),
            DITHER_REFUSED);
    release_data_close(&data);
}

static void a_failure_says_nothing_to_analysts(void **state)
{
    struct release_data data;
    struct engine_groups groups;
    struct buffer complaint;
    error why;
    (void)state;

    release_data_open(&data, 2);
    release_data_run(&data, "DROP TABLE data");
    struct sql_release release = release_by(DATA_K, all_kinds, 2);
    struct engine_request request = {.release = &release};
    buffer_init(&complaint, 1 << 20);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(duckdb_release_run(data.connection, i ? &data.keeper : NULL, &sql_duckdb, &request,
                                            &data.arena, &groups, &complaint, &why),
                         DITHER_IO);
        assert_string_equal(why.message, ENGINE_FAILED);
        assert_non_null(strstr(complaint.data, "data"));
        buffer_clear(&complaint);
    }
    buffer_free(&complaint);
    release_data_close(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_keys_come_back_exactly_and_sorted),
        cmocka_unit_test(nothing_at_all_is_a_row_of_zeros_or_no_row),
        cmocka_unit_test(tight_bounds_hold_also_where_one_row_is_proved),
        cmocka_unit_test(more_sums_than_one_pass_takes_are_all_the_same),
        cmocka_unit_test(explain_has_a_text_that_can_be_prepared),
        cmocka_unit_test(a_failure_says_nothing_to_analysts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
