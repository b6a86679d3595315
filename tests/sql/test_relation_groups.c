/* The rules of tagged relations, on relations built by hand: groups, windows, sets, order and limits, as test_relation.c has them for
 * the others. Each test names the hole that would be open without its rule. */
#include <string.h>

#include "tests/support/built.h"
#include "tests/support/test.h"

/* ---- Groups ---- */

static void a_group_of_each_unit_is_one_row_when_its_keys_are_fixed(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits");
    const struct sql_expression *keys[] = {built_named(visits, "patient_id"),
                                           built_named(visits, "clinic_id")};
    const struct sql_relation *one = built_group(visits, keys, 1, SQL_COUNT_ROWS, NULL);
    assert_true(one->one_row);
    assert_true(one->columns[0].unit && one->columns[1].fixed);
    assert_int_equal(one->columns[1].range.lower, 0);
    assert_int_equal(one->columns[1].range.upper, 20);
    const struct sql_relation *many = built_group(visits, keys, 2, SQL_COUNT_ROWS, NULL);
    assert_false(many->one_row);
    assert_int_equal(many->max_rows, 20);
    /* an expression of the unit is not the unit */
    const struct sql_expression *digit = built_call("%", keys[0], built_whole(10));
    struct sql_aggregate count = {.kind = SQL_COUNT_ROWS};
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_group(&built.builder, visits, &digit, 1, &count, 1, 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_group(&built.builder, visits, NULL, 0, &count, 1, 0, &made, NULL), DITHER_INVALID);
}

static void sums_of_reals_within_a_unit_are_sums_of_whole_steps(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits");
    const struct sql_expression *unit = built_named(visits, "patient_id"),
                                *cost = built_named(visits, "cost");
    const struct sql_relation *sum = built_group(visits, &unit, 1, SQL_TOTAL, cost);
    assert_int_equal(sum->kind, SQL_PROJECT);
    assert_int_equal(sum->columns[1].type, SQL_REAL);
    assert_int_equal(sum->input->kind, SQL_AGGREGATE);
    assert_int_equal(sum->input->aggregates[0].argument->type, SQL_INTEGER);
    assert_true(sum->columns[1].range.known);
    assert_true(sum->columns[1].range.real_lower <= 0);
    assert_true(sum->columns[1].range.real_upper >= 100000 && sum->columns[1].range.real_upper < 100001);
    /* over released or public rows nothing has to be exact */
    const struct sql_relation *clinics = built_scan("clinics");
    assert_int_equal(built_group(clinics, NULL, 0, SQL_TOTAL, built_named(clinics, "clinic_id"))->kind,
                     SQL_AGGREGATE);
}

static void what_shows_the_order_of_rows_is_refused_within_a_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *made = NULL;
    const struct sql_expression *unit = built_named(visits, "patient_id");
    const enum sql_aggregate_kind refused[] = {SQL_VAR_POP, SQL_VAR_SAMP, SQL_STDDEV_POP, SQL_STDDEV_SAMP};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sql_aggregate aggregate = {.kind = refused[i], .argument = built_named(visits, "cost")};
        assert_int_equal(sql_group(&built.builder, visits, &unit, 1, &aggregate, 1, 0, &made, NULL),
                         DITHER_INVALID);
    }
    const struct sql_relation *patients = built_scan("patients");
    const struct sql_expression *key = built_named(patients, "patient_id");
    struct sql_aggregate texts = {.kind = SQL_STRING_AGG, .argument = built_named(patients, "disease")};
    assert_int_equal(sql_group(&built.builder, patients, &key, 1, &texts, 1, 0, &made, NULL), DITHER_INVALID);
}

static void distinct_is_a_group_and_needs_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *made = NULL;
    error why = {.message = ""};
    assert_int_equal(sql_distinct(&built.builder, visits, 0, &made, &why), DITHER_OK);
    assert_int_equal(made->kind, SQL_AGGREGATE);
    const struct sql_expression *day = built_named(visits, "day");
    const char *name = "day";
    assert_int_equal(sql_project(&built.builder, visits, &day, &name, NULL, 1, 0, &made, &why), DITHER_OK);
    const struct sql_relation *days = made;
    assert_int_equal(sql_distinct(&built.builder, days, 4, &made, &why),
                     DITHER_INVALID); /* the tag is hidden */
    assert_int_equal(why.position, 4);
}

/* ---- Windows ---- */

static status window(const struct sql_relation *input, enum sql_window_kind kind,
                     const struct sql_expression *partition, const struct sql_expression *order, bool rows,
                     const struct sql_relation **out)
{
    struct sql_order by = {.expression = order};
    struct sql_window made = {.kind = kind,
                              .aggregate = {.kind = SQL_COUNT_ROWS},
                              .partition = &partition,
                              .partition_count = partition != NULL,
                              .order = &by,
                              .order_count = 1,
                              .frame = {.given = rows, .rows = rows, .to = SQL_CURRENT_ROW}};
    if (kind == SQL_LAST_VALUE || kind == SQL_FIRST_VALUE || kind == SQL_LAG) {
        made.arguments[0] = order;
        made.argument_count = 1;
    }
    struct sql_window *copy = NULL;
    const struct sql_expression **partitions = NULL;
    void *room = NULL;
    assert_int_equal(arena_take(&built.arena, sizeof *copy, &room, NULL), DITHER_OK);
    copy = room;
    *copy = made;
    assert_int_equal(arena_take(&built.arena, sizeof *partitions, &room, NULL), DITHER_OK);
    partitions = room;
    partitions[0] = partition;
    copy->partition = partitions;
    return sql_windows(&built.builder, input, copy, 1, 0, out, NULL);
}

static void a_window_stays_within_units(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *made = NULL;
    const struct sql_expression *unit = built_named(visits, "patient_id"), *day = built_named(visits, "day");
    assert_int_equal(window(visits, SQL_ROW_NUMBER, unit, day, false, &made), DITHER_OK);
    assert_int_equal(made->column_count, visits->column_count + 1);
    assert_int_equal(window(visits, SQL_ROW_NUMBER, NULL, day, false, &made), DITHER_INVALID);
    assert_int_equal(window(visits, SQL_ROW_NUMBER, day, day, false, &made), DITHER_INVALID);
    assert_int_equal(
        window(visits, SQL_ROW_NUMBER, built_call("%", unit, built_whole(10)), day, false, &made),
        DITHER_INVALID);
}

/* Every column but the units, which are the same in a partition, is among the order. */
static bool is_total(const struct sql_window *made, const struct sql_relation *input)
{
    for (size_t i = 0; i < input->column_count; i++) {
        bool found = input->columns[i].unit;
        for (size_t j = 0; j < made->order_count; j++)
            found = found ||
                    (made->order[j].expression->kind == SQL_COLUMN && made->order[j].expression->column == i);
        if (!found)
            return false;
    }
    return true;
}

static void functions_that_see_positions_get_a_total_order_and_ranks_keep_theirs(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *made = NULL;
    const struct sql_expression *unit = built_named(visits, "patient_id"), *day = built_named(visits, "day");
    const enum sql_window_kind positions[] = {SQL_ROW_NUMBER, SQL_LAG, SQL_FIRST_VALUE};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(window(visits, positions[i], unit, day, false, &made), DITHER_OK);
        assert_true(is_total(&made->windows[0], visits));
        assert_true(sql_same_expression(made->windows[0].order[0].expression, day));
    }
    assert_int_equal(window(visits, SQL_RANK, unit, day, false, &made), DITHER_OK);
    assert_int_equal(made->windows[0].order_count, 1);
    assert_int_equal(window(visits, SQL_WINDOW_AGGREGATE, unit, day, false, &made), DITHER_OK);
    assert_int_equal(made->windows[0].order_count, 1); /* RANGE takes all rows of a rank */
    assert_int_equal(window(visits, SQL_WINDOW_AGGREGATE, unit, day, true, &made), DITHER_OK);
    assert_true(is_total(&made->windows[0], visits)); /* ROWS does not */
    assert_int_equal(window(visits, SQL_LAST_VALUE, unit, day, false, &made), DITHER_INVALID);
    assert_int_equal(window(visits, SQL_LAST_VALUE, unit, day, true, &made), DITHER_OK);
}

static void the_first_row_of_each_unit_is_one_row(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *made = NULL;
    const struct sql_expression *unit = built_named(visits, "patient_id"), *day = built_named(visits, "day");
    assert_int_equal(window(visits, SQL_ROW_NUMBER, unit, day, false, &made), DITHER_OK);
    const struct sql_expression *number = built_at(made, visits->column_count);
    assert_true(built_filter(made, built_call("=", number, built_whole(1)))->one_row);
    assert_false(built_filter(made, built_call("=", number, built_whole(2)))->one_row);
    assert_false(built_filter(made, built_call("<=", number, built_whole(2)))->one_row);
    assert_int_equal(window(visits, SQL_RANK, unit, day, false, &made), DITHER_OK);
    assert_false(
        built_filter(made, built_call("=", built_at(made, visits->column_count), built_whole(1)))->one_row);
}

/* ---- Sets, order, limits ---- */

static void append_adds_rows_and_forgets_that_there_was_one(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits"),
                              *made = NULL;
    assert_int_equal(sql_append(&built.builder, patients, patients, 0, &made, NULL), DITHER_OK);
    assert_false(made->one_row);
    assert_int_equal(made->max_rows, 2);
    assert_true(made->columns[0].unit); /* patient_id on both sides */
    assert_false(made->columns[built_column(made, "region")].fixed);
    error why = {.message = ""};
    assert_int_equal(sql_append(&built.builder, patients, visits, 0, &made, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "same number of columns"));
    assert_int_equal(sql_append(&built.builder, built_scan("notes"), patients, 0, &made, &why),
                     DITHER_INVALID);
    assert_int_equal(sql_append(&built.builder, built_scan("clinics"), visits, 0, &made, &why),
                     DITHER_INVALID);
}

static void a_unit_on_one_side_of_append_alone_is_no_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *sides[2], *made = NULL;
    const char *name = "x";
    const struct sql_expression *values[] = {built_named(visits, "patient_id"),
                                             built_named(visits, "clinic_id")};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sql_project(&built.builder, visits, &values[i], &name, NULL, 1, 0, &sides[i], NULL),
                         DITHER_OK);
    assert_int_equal(sql_append(&built.builder, sides[0], sides[1], 0, &made, NULL), DITHER_OK);
    assert_false(made->columns[0].unit);
    assert_true(made->columns[made->tag].unit);
    assert_true(made->columns[made->tag].hidden);
}

static void nothing_chooses_among_private_rows(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *clinics = built_scan("clinics"), *made = NULL;
    struct sql_order by = {.expression = built_named(visits, "day")};
    assert_int_equal(sql_sort(&built.builder, visits, &by, 1, 0, &made, NULL), DITHER_OK);
    assert_ptr_equal(made, visits); /* its order means nothing */
    assert_int_equal(sql_limit(&built.builder, visits, built_whole(3), NULL, 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_limit(&built.builder, visits, NULL, built_whole(3), 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_limit(&built.builder, clinics, built_whole(3), NULL, 0, &made, NULL), DITHER_OK);
    const enum sql_set_kind kinds[] = {SQL_UNION, SQL_INTERSECT, SQL_INTERSECT_ALL, SQL_EXCEPT,
                                       SQL_EXCEPT_ALL};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(sql_set(&built.builder, kinds[i], visits, visits, 0, &made, NULL), DITHER_INVALID);
        assert_int_equal(sql_set(&built.builder, kinds[i], clinics, clinics, 0, &made, NULL), DITHER_OK);
    }
}

static void aggregates_have_postgresql_s_types(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *items = built_scan("items");
    const struct {
        enum sql_aggregate_kind kind;
        const struct sql_expression *argument;
        enum sql_type type; /* SQL_UNKNOWN: there is none */
    } cases[] = {
        {SQL_COUNT, built_named(patients, "disease"), SQL_INTEGER},
        {SQL_TOTAL, built_named(patients, "age"), SQL_INTEGER},
        {SQL_TOTAL, built_named(items, "price"), SQL_DECIMAL},
        {SQL_TOTAL, built_named(patients, "salary"), SQL_REAL},
        {SQL_TOTAL, built_named(patients, "disease"), SQL_UNKNOWN},
        {SQL_AVERAGE, built_named(patients, "age"), SQL_REAL},
        {SQL_AVERAGE, built_named(patients, "born"), SQL_UNKNOWN},
        {SQL_MAX, built_named(patients, "born"), SQL_DATE},
        {SQL_MIN, built_named(patients, "disease"), SQL_TEXT},
        {SQL_MIN, built_named(patients, "insured"), SQL_UNKNOWN},
        {SQL_BOOL_OR, built_named(patients, "insured"), SQL_BOOLEAN},
        {SQL_BOOL_OR, built_named(patients, "age"), SQL_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sql_aggregate aggregate = {.kind = cases[i].kind, .argument = cases[i].argument};
        enum sql_type type = SQL_UNKNOWN;
        int scale = -1;
        status result = sql_aggregate_type(&aggregate, 0, &type, &scale, NULL);
        assert_int_equal(result == DITHER_OK ? type : SQL_UNKNOWN, cases[i].type);
        if (cases[i].type == SQL_DECIMAL)
            assert_int_equal(scale, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_of_each_unit_is_one_row_when_its_keys_are_fixed),
        cmocka_unit_test(sums_of_reals_within_a_unit_are_sums_of_whole_steps),
        cmocka_unit_test(what_shows_the_order_of_rows_is_refused_within_a_unit),
        cmocka_unit_test(distinct_is_a_group_and_needs_the_unit),
        cmocka_unit_test(a_window_stays_within_units),
        cmocka_unit_test(functions_that_see_positions_get_a_total_order_and_ranks_keep_theirs),
        cmocka_unit_test(the_first_row_of_each_unit_is_one_row),
        cmocka_unit_test(append_adds_rows_and_forgets_that_there_was_one),
        cmocka_unit_test(a_unit_on_one_side_of_append_alone_is_no_unit),
        cmocka_unit_test(nothing_chooses_among_private_rows),
        cmocka_unit_test(aggregates_have_postgresql_s_types),
    };
    return cmocka_run_group_tests(tests, built_begin, built_end);
}
