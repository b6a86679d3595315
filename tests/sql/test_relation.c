/* The rules of tagged relations, on relations built by hand: scans, rows, joins, and looking through them: what each constructor refuses, and what it knows of
 * the relation that it makes - units, fixed columns, one row for each unit, bounds, order. No text is parsed.
 *
 * Each test names the hole that would be open without its rule. */
#include <string.h>

#include "tests/support/built.h"
#include "tests/support/test.h"

/* ---- Scan ---- */

static void the_unit_column_is_the_unit_and_the_tag_is_hidden(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits");
    assert_int_equal(patients->place, SQL_TAGGED);
    assert_true(patients->one_row);
    assert_true(patients->columns[built_column(patients, "patient_id")].unit);
    assert_true(patients->columns[built_column(patients, "region")].fixed);
    assert_false(patients->columns[built_column(patients, "age")].unit);
    assert_true(patients->columns[patients->tag].hidden);
    assert_false(patients->columns[patients->tag].nullable);
    assert_false(visits->one_row);
    assert_true(visits->columns[built_column(visits, "patient_id")].unit);
    assert_false(visits->columns[built_column(visits, "cost")].fixed);
    assert_ptr_equal(visits->unit, patients->unit);
    assert_int_equal(visits->max_rows, 20);
    assert_int_equal(visits->max_groups, 3);
}

static void over_a_path_only_the_hidden_tag_is_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *items = built_scan("items"), *notes = built_scan("notes"),
                              *clinics = built_scan("clinics");
    for (size_t i = 0; i < items->column_count; i++)
        assert_int_equal(items->columns[i].unit, i == items->tag);
    assert_true(notes->one_row); /* each row is its own unit */
    assert_ptr_not_equal(notes->unit, items->unit);
    assert_int_equal(clinics->place, SQL_PUBLIC);
    assert_int_equal(clinics->column_count, 2);
}

static void a_path_over_a_key_that_is_not_proved_is_refused(void **state)
{
    (void)state;
    struct sql_table tables[8];
    struct sql_catalogue unproved = *built.builder.catalogue;
    error why = {.message = ""};
    const struct sql_relation *made = NULL;
    assert_true(unproved.table_count <= 8);
    memcpy(tables, unproved.tables, unproved.table_count * sizeof *tables);
    for (size_t i = 0; i < unproved.table_count; i++)
        if (strcmp(tables[i].declared->name, "visits") == 0)
            tables[i].unique_count = 0;
    unproved.tables = tables;
    struct sql_builder other = {.arena = &built.arena, .catalogue = &unproved};
    assert_int_equal(sql_scan(&other, sql_catalogue_table(&unproved, "items"), 3, &made, &why),
                     DITHER_INVALID);
    assert_string_equal(why.message,
                        "the owner has not proved that visits.visit_id is unique: dither check --data");
    assert_int_equal(why.position, 3);
    assert_int_equal(sql_scan(&other, sql_catalogue_table(&unproved, "visits"), 3, &made, &why), DITHER_OK);
}

/* ---- Rows ---- */

static void a_projection_keeps_the_tag_even_when_nobody_asks_for_it(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *made = NULL;
    const struct sql_expression *age = built_named(patients, "age"),
                                *unit = built_named(patients, "patient_id");
    const char *name = "x";
    assert_int_equal(sql_project(&built.builder, patients, &age, &name, NULL, 1, 0, &made, NULL), DITHER_OK);
    assert_int_equal(made->column_count, 2);
    assert_int_equal(made->tag, 1);
    assert_true(made->columns[1].hidden && made->columns[1].unit);
    assert_int_equal(sql_project(&built.builder, patients, &unit, &name, NULL, 1, 0, &made, NULL), DITHER_OK);
    assert_int_equal(made->column_count, 1); /* the unit column is the tag */
    const struct sql_expression *digit = built_call("%", unit, built_whole(10));
    assert_int_equal(sql_project(&built.builder, patients, &digit, &name, NULL, 1, 0, &made, NULL),
                     DITHER_OK);
    assert_false(made->columns[0].unit); /* patient_id % 10 is not the unit */
    assert_int_equal(made->column_count, 2);
}

static void a_filter_says_what_it_leaves(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients");
    const struct sql_expression *age = built_named(patients, "age");
    const struct sql_relation *kept =
        built_filter(patients, built_call("and", built_call(">=", age, built_whole(18)),
                                          built_call("<", age, built_whole(65))));
    const struct sql_column *left = &kept->columns[built_column(kept, "age")];
    assert_true(patients->columns[built_column(patients, "age")].nullable);
    assert_false(left->nullable);
    assert_int_equal(left->range.lower, 18);
    assert_int_equal(left->range.upper, 65);
    assert_true(kept->one_row);
    /* what contradicts the declaration leaves it alone, and OR says nothing */
    kept = built_filter(patients, built_call(">", age, built_whole(500)));
    assert_int_equal(kept->columns[built_column(kept, "age")].range.upper, 120);
    kept = built_filter(patients, built_call("or", built_call(">=", age, built_whole(18)),
                                             built_call("<", age, built_whole(5))));
    assert_int_equal(kept->columns[built_column(kept, "age")].range.lower, 0);
}

/* ---- Joins ---- */

static void a_join_of_two_tagged_relations_equates_units(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits");
    const struct sql_expression *units = built_equate(patients, "patient_id", visits, "patient_id");
    const struct sql_relation *both = built_join(SQL_INNER, patients, visits, units);
    assert_int_equal(both->place, SQL_TAGGED);
    assert_false(both->one_row);
    assert_int_equal(both->max_rows, 20);
    assert_int_equal(both->max_groups, 3);
    assert_true(both->columns[built_column(both, "region")].fixed);
    built_refuse_join(SQL_INNER, patients, visits, NULL, "equate their units");
    built_refuse_join(SQL_INNER, patients, visits, built_equate(patients, "age", visits, "clinic_id"),
                      "equate their units");
    const struct sql_expression *yes = NULL;
    struct sql_value truth = {.type = SQL_BOOLEAN, .whole = 1};
    assert_int_equal(sql_literal(&built.builder, &truth, 0, &yes, NULL), DITHER_OK);
    built_refuse_join(SQL_INNER, patients, visits, built_call("or", units, yes), "equate their units");
    assert_int_equal(built_join(SQL_INNER, patients, visits, built_call("and", units, yes))->place,
                     SQL_TAGGED);
    built_refuse_join(SQL_FULL, patients, visits, units, "FULL JOIN");
    built_refuse_join(SQL_INNER, patients, built_scan("notes"), NULL, "one kind of unit");
}

static void rows_of_a_unit_multiply_in_a_join_and_stay_below_the_policy_s_most(void **state)
{
    (void)state;
    const struct sql_relation *many = built_scan("visits");
    uint64_t expected[] = {400, 160000, 1000000000};
    for (size_t i = 0; i < 3; i++) {
        many = built_join(SQL_INNER, many, many, built_equate(many, "patient_id", many, "patient_id"));
        assert_int_equal(many->max_rows, expected[i]);
    }
}

static void after_an_outer_join_only_the_preserved_side_s_unit_is_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits");
    const struct sql_expression *units = built_equate(patients, "patient_id", visits, "patient_id");
    const struct sql_relation *left = built_join(SQL_LEFT, patients, visits, units);
    size_t border = patients->column_count;
    assert_int_equal(left->tag, patients->tag);
    for (size_t i = border; i < left->column_count; i++) {
        assert_false(left->columns[i].unit);
        assert_false(left->columns[i].fixed);
        assert_true(left->columns[i].nullable);
    }
    const struct sql_relation *right = built_join(SQL_RIGHT, patients, visits, units);
    assert_int_equal(right->tag, border + visits->tag);
    assert_false(right->columns[0].unit);
    assert_false(right->columns[built_column(right, "region")].fixed);
    assert_true(right->columns[border + built_column(visits, "patient_id")].unit);
    /* so grouping by it is no grouping by the unit */
    const struct sql_expression *key = built_at(left, border + built_column(visits, "patient_id"));
    struct sql_aggregate count = {.kind = SQL_COUNT_ROWS};
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_group(&built.builder, left, &key, 1, &count, 1, 0, &made, NULL), DITHER_INVALID);
    key = built_at(left, built_column(patients, "patient_id"));
    assert_int_equal(sql_group(&built.builder, left, &key, 1, &count, 1, 0, &made, NULL), DITHER_OK);
    assert_true(made->one_row);
}

static void a_public_partner_must_be_unique_for_one_row(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *clinics = built_scan("clinics");
    const struct sql_expression *key = built_equate(patients, "age", clinics, "clinic_id");
    assert_true(built_join(SQL_INNER, patients, clinics, key)->one_row);
    assert_true(built_join(SQL_LEFT, patients, clinics, key)->one_row);
    assert_false(
        built_join(SQL_INNER, patients, clinics, built_equate(patients, "region", clinics, "city"))->one_row);
    assert_false(built_join(SQL_INNER, patients, clinics, NULL)->one_row);
    const struct sql_relation *twice = NULL;
    assert_int_equal(sql_append(&built.builder, clinics, clinics, 0, &twice, NULL), DITHER_OK);
    assert_false(
        built_join(SQL_INNER, patients, twice, built_equate(patients, "age", twice, "clinic_id"))->one_row);
    /* clinic_id = clinic_id + 0 of the partner itself says nothing about the patient */
    const struct sql_relation *cross = built_join(SQL_INNER, patients, clinics, NULL);
    const struct sql_expression *own = built_named(cross, "clinic_id");
    assert_false(
        built_join(SQL_INNER, patients, clinics, built_call("=", own, built_call("+", own, built_whole(0))))
            ->one_row);
}

static void the_private_side_of_an_outer_join_is_preserved(void **state)
{
    (void)state;
    const struct sql_relation *visits = built_scan("visits"), *clinics = built_scan("clinics");
    const struct sql_expression *key = built_equate(clinics, "clinic_id", visits, "clinic_id");
    assert_int_equal(built_join(SQL_RIGHT, clinics, visits, key)->place, SQL_TAGGED);
    built_refuse_join(SQL_LEFT, clinics, visits, key, "preserve the private side");
    built_refuse_join(SQL_FULL, clinics, visits, key, "preserve the private side");
    key = built_equate(visits, "clinic_id", clinics, "clinic_id");
    built_refuse_join(SQL_RIGHT, visits, clinics, key, "preserve the private side");
    assert_int_equal(built_join(SQL_FULL, clinics, clinics, NULL)->place, SQL_PUBLIC);
}

static void a_declared_key_equates_units_that_no_column_shows(void **state)
{
    (void)state;
    const struct sql_relation *items = built_scan("items"), *visits = built_scan("visits");
    const struct sql_relation *both =
        built_join(SQL_INNER, items, visits, built_equate(items, "visit_id", visits, "visit_id"));
    assert_int_equal(both->place, SQL_TAGGED);
    /* two items of one visit: siblings */
    assert_int_equal(
        built_join(SQL_INNER, items, items, built_equate(items, "visit_id", items, "visit_id"))->place,
        SQL_TAGGED);
    built_refuse_join(SQL_INNER, items, items, built_equate(items, "kind", items, "kind"),
                      "equate their units");
    built_refuse_join(SQL_INNER, items, visits, built_equate(items, "visit_id", visits, "clinic_id"),
                      "equate their units");
}

static void a_semi_join_with_private_rows_equates_units(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits"),
                              *clinics = built_scan("clinics");
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    for (int anti = 0; anti < 2; anti++) {
        assert_int_equal(sql_semi_join(&built.builder, anti, patients, visits,
                                       built_equate(patients, "patient_id", visits, "patient_id"), 0, &made,
                                       &why),
                         DITHER_OK);
        assert_true(made->one_row);
        assert_int_equal(made->column_count, patients->column_count);
        assert_int_equal(sql_semi_join(&built.builder, anti, patients, visits, NULL, 5, &made, &why),
                         DITHER_INVALID);
        assert_int_equal(why.position, 5);
        assert_int_equal(sql_semi_join(&built.builder, anti, patients, visits,
                                       built_equate(patients, "age", visits, "clinic_id"), 0, &made, &why),
                         DITHER_INVALID);
        assert_int_equal(sql_semi_join(&built.builder, anti, clinics, visits,
                                       built_equate(clinics, "clinic_id", visits, "clinic_id"), 0, &made,
                                       &why),
                         DITHER_INVALID);
        assert_non_null(strstr(why.message, "not private cannot be chosen"));
        assert_int_equal(sql_semi_join(&built.builder, anti, patients, clinics, NULL, 0, &made, &why),
                         DITHER_OK);
    }
}

/* ---- Looking through ---- */

static void a_column_is_traced_to_its_table(void **state)
{
    (void)state;
    const struct sql_relation *patients = built_scan("patients"), *visits = built_scan("visits");
    const struct sql_relation *both =
        built_join(SQL_LEFT, patients, visits, built_equate(patients, "patient_id", visits, "patient_id"));
    struct sql_origin origin;
    assert_true(sql_trace(both, patients->column_count + built_column(visits, "cost"), &origin));
    assert_ptr_equal(origin.scan, visits);
    assert_int_equal(origin.column, built_column(visits, "cost"));
    assert_true(origin.null_extended);
    assert_true(sql_trace(both, built_column(patients, "region"), &origin));
    assert_false(origin.null_extended);
    assert_false(sql_trace(both, patients->tag, &origin));
    const struct sql_expression *unit = built_named(visits, "patient_id");
    const struct sql_relation *counted = built_group(visits, &unit, 1, SQL_COUNT_ROWS, NULL);
    assert_true(sql_trace(counted, 0, &origin));
    assert_false(sql_trace(counted, 1, &origin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_column_is_the_unit_and_the_tag_is_hidden),
        cmocka_unit_test(over_a_path_only_the_hidden_tag_is_the_unit),
        cmocka_unit_test(a_path_over_a_key_that_is_not_proved_is_refused),
        cmocka_unit_test(a_projection_keeps_the_tag_even_when_nobody_asks_for_it),
        cmocka_unit_test(a_filter_says_what_it_leaves),
        cmocka_unit_test(a_join_of_two_tagged_relations_equates_units),
        cmocka_unit_test(rows_of_a_unit_multiply_in_a_join_and_stay_below_the_policy_s_most),
        cmocka_unit_test(after_an_outer_join_only_the_preserved_side_s_unit_is_the_unit),
        cmocka_unit_test(a_public_partner_must_be_unique_for_one_row),
        cmocka_unit_test(the_private_side_of_an_outer_join_is_preserved),
        cmocka_unit_test(a_declared_key_equates_units_that_no_column_shows),
        cmocka_unit_test(a_semi_join_with_private_rows_equates_units),
        cmocka_unit_test(a_column_is_traced_to_its_table),
    };
    return cmocka_run_group_tests(tests, built_begin, built_end);
}
