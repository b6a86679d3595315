/* The order of values, which sorts what is released: total, and the same everywhere. And names in the catalogue, as
 * PostgreSQL folds them. Expected orders are written by hand. */
#include <math.h>
#include <stdio.h>

#include "sql/plan.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

/* Each value comes strictly before the next. */
static void expect_ascending(const struct sql_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (sql_value_compare(&values[i], &values[j]) != (i > j) - (i < j))
                fail_msg("values %zu and %zu compare as %d", i, j, sql_value_compare(&values[i], &values[j]));
}

static void null_comes_first_in_every_type(void **state)
{
    (void)state;
    for (int type = SQL_BOOLEAN; type <= SQL_INTERVAL; type++) {
        const struct sql_value null = {.type = (enum sql_type)type, .null = true};
        const struct sql_value least = {
            .type = (enum sql_type)type, .whole = INT64_MIN, .real = -INFINITY, .text = ""};
        assert_int_equal(sql_value_compare(&null, &least), -1);
        assert_int_equal(sql_value_compare(&least, &null), 1);
        assert_int_equal(sql_value_compare(&null, &null), 0);
    }
}

static void reals_are_ordered_with_nan_last_and_one_zero(void **state)
{
    (void)state;
    const struct sql_value reals[] = {
        {.type = SQL_REAL, .real = -INFINITY}, {.type = SQL_REAL, .real = -1},
        {.type = SQL_REAL, .real = 0},         {.type = SQL_REAL, .real = 5e-324},
        {.type = SQL_REAL, .real = INFINITY},  {.type = SQL_REAL, .real = NAN}};
    expect_ascending(reals, 6);
    const struct sql_value minus = {.type = SQL_REAL, .real = -0.0};
    assert_int_equal(sql_value_compare(&minus, &reals[2]), 0);
}

static void texts_are_ordered_by_bytes_without_a_locale(void **state)
{
    (void)state;
    const struct sql_value texts[] = {
        {.type = SQL_TEXT, .text = ""},  {.type = SQL_TEXT, .text = "B"},
        {.type = SQL_TEXT, .text = "a"}, {.type = SQL_TEXT, .text = "aa"},
        {.type = SQL_TEXT, .text = "b"}, {.type = SQL_TEXT, .text = "\xC3\xA4"}};
    expect_ascending(texts, 6);
}

static void decimals_of_different_scales_are_compared_by_value(void **state)
{
    (void)state;
    const struct sql_value decimals[] = {
        {.type = SQL_DECIMAL, .scale = 0, .whole = INT64_MIN},
        {.type = SQL_DECIMAL, .scale = 1, .whole = -15},        /* -1.5 */
        {.type = SQL_DECIMAL, .scale = 18, .whole = -1},        /* -10^-18 */
        {.type = SQL_DECIMAL, .scale = 3, .whole = 0},          /* 0 */
        {.type = SQL_DECIMAL, .scale = 2, .whole = 149},        /* 1.49 */
        {.type = SQL_DECIMAL, .scale = 1, .whole = 15},         /* 1.5 */
        {.type = SQL_DECIMAL, .scale = 18, .whole = INT64_MAX}, /* 9.22... */
        {.type = SQL_DECIMAL, .scale = 0, .whole = 10},
    };
    expect_ascending(decimals, 8);
    const struct sql_value same = {.type = SQL_DECIMAL, .scale = 4, .whole = 15000};
    assert_int_equal(sql_value_compare(&same, &decimals[5]), 0);
}

static void intervals_are_ordered_as_postgresql_does_and_ties_by_their_parts(void **state)
{
    (void)state;
    const int64_t hour = INT64_C(3600000000);
    const struct sql_value intervals[] = {
        {.type = SQL_INTERVAL, .days = -1},
        {.type = SQL_INTERVAL, .days = 1, .whole = -25 * hour}, /* -1 hour */
        {.type = SQL_INTERVAL},
        {.type = SQL_INTERVAL, .whole = 24 * hour}, /* equal in PostgreSQL, told apart here */
        {.type = SQL_INTERVAL, .days = 1},
        {.type = SQL_INTERVAL, .days = 30},
        {.type = SQL_INTERVAL, .months = 1},
        {.type = SQL_INTERVAL, .days = 31},
    };
    expect_ascending(intervals, 8);
}

static const struct sql_catalogue *three_tables(struct arena *arena, const char *first, const char *second)
{
    char text[2000];
    snprintf(text, sizeof text,
             "dataset: d\n"
             "tables:\n"
             "  %s: {source: a.csv, public: true}\n"
             "  %s: {source: b.csv, public: true}\n"
             "  people:\n"
             "    source: c.csv\n"
             "    unit: id\n"
             "    rows_per_unit: 1\n"
             "    columns: {id: {type: integer}, a: {type: integer}, b: {type: integer}}\n"
             "budget: {epsilon: 1, per_question: 0.1}\n",
             first, second);
    return catalogue_of(text, arena);
}

static void an_unquoted_name_finds_the_one_table_that_it_may_mean(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, SQL_ARENA_BYTES);
    const struct sql_catalogue *catalogue = three_tables(&arena, "Clinics", "wards");
    assert_ptr_equal(sql_catalogue_table(catalogue, "Clinics"), &catalogue->tables[0]);
    assert_ptr_equal(sql_catalogue_table(catalogue, "clinics"), &catalogue->tables[0]);
    assert_null(
        sql_catalogue_table(catalogue, "CLINICS")); /* was quoted: unquoted ones are in small letters */
    assert_null(sql_catalogue_table(catalogue, "clinic"));
    assert_null(sql_catalogue_table(catalogue, "clinicss"));
    assert_null(sql_catalogue_table(catalogue, ""));
    assert_ptr_equal(sql_catalogue_table(catalogue, "people"), &catalogue->tables[2]);
    /* A policy cannot declare both; if it could, neither would be taken for the other. */
    struct policy_table again = *catalogue->tables[1].declared;
    again.name = "CLINICS";
    const struct sql_table tables[] = {catalogue->tables[0], {.declared = &again}};
    const struct sql_catalogue alike = {.policy = catalogue->policy, .tables = tables, .table_count = 2};
    assert_null(sql_catalogue_table(&alike, "clinics"));
    assert_ptr_equal(sql_catalogue_table(&alike, "CLINICS"), &tables[1]);
    arena_free(&arena);
}

static void rows_are_unique_only_in_all_columns_of_a_proved_key(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, SQL_ARENA_BYTES);
    const struct sql_catalogue *catalogue = three_tables(&arena, "x", "y");
    struct sql_table table = catalogue->tables[2];
    const size_t id = 0, both[] = {1, 2}, other[] = {2, 0, 1};
    const struct sql_unique pair = {.columns = both, .column_count = 2};
    assert_true(sql_table_is_unique(&table, &id, 1));
    assert_true(sql_table_is_unique(&table, other, 3));
    assert_true(sql_table_one_row_per_unit(&table));
    table.uniques = &pair;
    assert_false(sql_table_is_unique(&table, &id, 1));
    assert_false(sql_table_is_unique(&table, both, 1));
    assert_true(sql_table_is_unique(&table, both, 2));
    assert_false(sql_table_is_unique(&table, NULL, 0));
    assert_false(sql_table_one_row_per_unit(&table)); /* declared, and not proved */
    table.unique_count = 0;
    assert_false(sql_table_is_unique(&table, other, 3));
    arena_free(&arena);
}

static void only_a_units_own_table_can_have_one_row_for_each(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, SQL_ARENA_BYTES);
    const struct sql_catalogue *catalogue = catalogue_of(catalogue_hospital, &arena);
    assert_true(sql_table_one_row_per_unit(sql_catalogue_table(catalogue, "patients")));
    assert_false(sql_table_one_row_per_unit(sql_catalogue_table(catalogue, "visits")));
    assert_false(sql_table_one_row_per_unit(sql_catalogue_table(catalogue, "items")));
    assert_true(sql_table_one_row_per_unit(sql_catalogue_table(catalogue, "notes")));
    assert_false(sql_table_one_row_per_unit(sql_catalogue_table(catalogue, "clinics")));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_comes_first_in_every_type),
        cmocka_unit_test(reals_are_ordered_with_nan_last_and_one_zero),
        cmocka_unit_test(texts_are_ordered_by_bytes_without_a_locale),
        cmocka_unit_test(decimals_of_different_scales_are_compared_by_value),
        cmocka_unit_test(intervals_are_ordered_as_postgresql_does_and_ties_by_their_parts),
        cmocka_unit_test(an_unquoted_name_finds_the_one_table_that_it_may_mean),
        cmocka_unit_test(rows_are_unique_only_in_all_columns_of_a_proved_key),
        cmocka_unit_test(only_a_units_own_table_can_have_one_row_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
