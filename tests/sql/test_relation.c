/* The rules of tagged relations, on relations built by hand: what each constructor refuses, and what it knows of
 * the relation that it makes - units, fixed columns, one row for each unit, bounds, order. No text is parsed.
 *
 * Each test names the hole that would be open without its rule. */
#include <string.h>

#include "sql/relation.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

static struct arena arena;
static struct sql_builder builder;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, POLICY_ARENA_BYTES);
    builder = (struct sql_builder){.arena = &arena, .catalogue = catalogue_of(catalogue_hospital, &arena)};
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* ---- Building ---- */

static const struct sql_relation *scan(const char *table)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    if (sql_scan(&builder, sql_catalogue_table(builder.catalogue, table), 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

static size_t column(const struct sql_relation *relation, const char *name)
{
    for (size_t i = 0; i < relation->column_count; i++)
        if (strcmp(relation->columns[i].name, name) == 0)
            return i;
    fail_msg("no column %s", name);
    return 0;
}

static const struct sql_expression *at(const struct sql_relation *relation, size_t index)
{
    const struct sql_expression *made = NULL;
    assert_int_equal(sql_column_of(&builder, relation, index, 0, &made, NULL), DITHER_OK);
    return made;
}

static const struct sql_expression *named(const struct sql_relation *relation, const char *name)
{
    return at(relation, column(relation, name));
}

static const struct sql_expression *whole(int64_t number)
{
    const struct sql_expression *made = NULL;
    struct sql_value value = {.type = SQL_INTEGER, .whole = number};
    assert_int_equal(sql_literal(&builder, &value, 0, &made, NULL), DITHER_OK);
    return made;
}

static const struct sql_expression *call(const char *name, const struct sql_expression *a,
                                         const struct sql_expression *b)
{
    const struct sql_expression *made = NULL;
    error why = {.message = ""};
    if (sql_call2(&builder, name, a, b, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

/* Column `a` of the left = column `b` of the right, as a join's condition has them. */
static const struct sql_expression *equate(const struct sql_relation *left, const char *a,
                                           const struct sql_relation *right, const char *b)
{
    struct sql_expression *moved = NULL;
    void *room = NULL;
    assert_int_equal(arena_take(&arena, sizeof *moved, &room, NULL), DITHER_OK);
    moved = room;
    *moved = *named(right, b);
    moved->column += left->column_count;
    return call("=", named(left, a), moved);
}

static const struct sql_relation *join(enum sql_join_kind kind, const struct sql_relation *left,
                                       const struct sql_relation *right,
                                       const struct sql_expression *condition)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    if (sql_join(&builder, kind, left, right, condition, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

static void refuse_join(enum sql_join_kind kind, const struct sql_relation *left,
                        const struct sql_relation *right, const struct sql_expression *condition,
                        const char *words)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    assert_int_equal(sql_join(&builder, kind, left, right, condition, 7, &made, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, words));
    assert_int_equal(why.position, 7);
    assert_null(made);
}

static const struct sql_relation *group(const struct sql_relation *input,
                                        const struct sql_expression *const *keys, size_t key_count,
                                        enum sql_aggregate_kind kind, const struct sql_expression *argument)
{
    const struct sql_relation *made = NULL;
    struct sql_aggregate aggregate = {.kind = kind, .argument = argument};
    error why = {.message = ""};
    if (sql_group(&builder, input, keys, key_count, &aggregate, 1, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

static const struct sql_relation *filter(const struct sql_relation *input,
                                         const struct sql_expression *condition)
{
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_filter(&builder, input, condition, &made, NULL), DITHER_OK);
    return made;
}

/* ---- Scan ---- */

static void the_unit_column_is_the_unit_and_the_tag_is_hidden(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits");
    assert_int_equal(patients->place, SQL_TAGGED);
    assert_true(patients->one_row);
    assert_true(patients->columns[column(patients, "patient_id")].unit);
    assert_true(patients->columns[column(patients, "region")].fixed);
    assert_false(patients->columns[column(patients, "age")].unit);
    assert_true(patients->columns[patients->tag].hidden);
    assert_false(patients->columns[patients->tag].nullable);
    assert_false(visits->one_row);
    assert_true(visits->columns[column(visits, "patient_id")].unit);
    assert_false(visits->columns[column(visits, "cost")].fixed);
    assert_ptr_equal(visits->unit, patients->unit);
    assert_int_equal(visits->max_rows, 20);
    assert_int_equal(visits->max_groups, 3);
}

static void over_a_path_only_the_hidden_tag_is_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *items = scan("items"), *notes = scan("notes"), *clinics = scan("clinics");
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
    struct sql_catalogue unproved = *builder.catalogue;
    error why = {.message = ""};
    const struct sql_relation *made = NULL;
    assert_true(unproved.table_count <= 8);
    memcpy(tables, unproved.tables, unproved.table_count * sizeof *tables);
    for (size_t i = 0; i < unproved.table_count; i++)
        if (strcmp(tables[i].declared->name, "visits") == 0)
            tables[i].unique_count = 0;
    unproved.tables = tables;
    struct sql_builder other = {.arena = &arena, .catalogue = &unproved};
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
    const struct sql_relation *patients = scan("patients"), *made = NULL;
    const struct sql_expression *age = named(patients, "age"), *unit = named(patients, "patient_id");
    const char *name = "x";
    assert_int_equal(sql_project(&builder, patients, &age, &name, NULL, 1, 0, &made, NULL), DITHER_OK);
    assert_int_equal(made->column_count, 2);
    assert_int_equal(made->tag, 1);
    assert_true(made->columns[1].hidden && made->columns[1].unit);
    assert_int_equal(sql_project(&builder, patients, &unit, &name, NULL, 1, 0, &made, NULL), DITHER_OK);
    assert_int_equal(made->column_count, 1); /* the unit column is the tag */
    const struct sql_expression *digit = call("%", unit, whole(10));
    assert_int_equal(sql_project(&builder, patients, &digit, &name, NULL, 1, 0, &made, NULL), DITHER_OK);
    assert_false(made->columns[0].unit); /* patient_id % 10 is not the unit */
    assert_int_equal(made->column_count, 2);
}

static void a_filter_says_what_it_leaves(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients");
    const struct sql_expression *age = named(patients, "age");
    const struct sql_relation *kept =
        filter(patients, call("and", call(">=", age, whole(18)), call("<", age, whole(65))));
    const struct sql_column *left = &kept->columns[column(kept, "age")];
    assert_true(patients->columns[column(patients, "age")].nullable);
    assert_false(left->nullable);
    assert_int_equal(left->range.lower, 18);
    assert_int_equal(left->range.upper, 65);
    assert_true(kept->one_row);
    /* what contradicts the declaration leaves it alone, and OR says nothing */
    kept = filter(patients, call(">", age, whole(500)));
    assert_int_equal(kept->columns[column(kept, "age")].range.upper, 120);
    kept = filter(patients, call("or", call(">=", age, whole(18)), call("<", age, whole(5))));
    assert_int_equal(kept->columns[column(kept, "age")].range.lower, 0);
}

/* ---- Joins ---- */

static void a_join_of_two_tagged_relations_equates_units(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits");
    const struct sql_expression *units = equate(patients, "patient_id", visits, "patient_id");
    const struct sql_relation *both = join(SQL_INNER, patients, visits, units);
    assert_int_equal(both->place, SQL_TAGGED);
    assert_false(both->one_row);
    assert_int_equal(both->max_rows, 20);
    assert_int_equal(both->max_groups, 3);
    assert_true(both->columns[column(both, "region")].fixed);
    refuse_join(SQL_INNER, patients, visits, NULL, "equate their units");
    refuse_join(SQL_INNER, patients, visits, equate(patients, "age", visits, "clinic_id"),
                "equate their units");
    const struct sql_expression *yes = NULL;
    struct sql_value truth = {.type = SQL_BOOLEAN, .whole = 1};
    assert_int_equal(sql_literal(&builder, &truth, 0, &yes, NULL), DITHER_OK);
    refuse_join(SQL_INNER, patients, visits, call("or", units, yes), "equate their units");
    assert_int_equal(join(SQL_INNER, patients, visits, call("and", units, yes))->place, SQL_TAGGED);
    refuse_join(SQL_FULL, patients, visits, units, "FULL JOIN");
    refuse_join(SQL_INNER, patients, scan("notes"), NULL, "one kind of unit");
}

static void rows_of_a_unit_multiply_in_a_join_and_stay_below_the_policy_s_most(void **state)
{
    (void)state;
    const struct sql_relation *many = scan("visits");
    uint64_t expected[] = {400, 160000, 1000000000};
    for (size_t i = 0; i < 3; i++) {
        many = join(SQL_INNER, many, many, equate(many, "patient_id", many, "patient_id"));
        assert_int_equal(many->max_rows, expected[i]);
    }
}

static void after_an_outer_join_only_the_preserved_side_s_unit_is_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits");
    const struct sql_expression *units = equate(patients, "patient_id", visits, "patient_id");
    const struct sql_relation *left = join(SQL_LEFT, patients, visits, units);
    size_t border = patients->column_count;
    assert_int_equal(left->tag, patients->tag);
    for (size_t i = border; i < left->column_count; i++) {
        assert_false(left->columns[i].unit);
        assert_false(left->columns[i].fixed);
        assert_true(left->columns[i].nullable);
    }
    const struct sql_relation *right = join(SQL_RIGHT, patients, visits, units);
    assert_int_equal(right->tag, border + visits->tag);
    assert_false(right->columns[0].unit);
    assert_false(right->columns[column(right, "region")].fixed);
    assert_true(right->columns[border + column(visits, "patient_id")].unit);
    /* so grouping by it is no grouping by the unit */
    const struct sql_expression *key = at(left, border + column(visits, "patient_id"));
    struct sql_aggregate count = {.kind = SQL_COUNT_ROWS};
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_group(&builder, left, &key, 1, &count, 1, 0, &made, NULL), DITHER_INVALID);
    key = at(left, column(patients, "patient_id"));
    assert_int_equal(sql_group(&builder, left, &key, 1, &count, 1, 0, &made, NULL), DITHER_OK);
    assert_true(made->one_row);
}

static void a_public_partner_must_be_unique_for_one_row(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *clinics = scan("clinics");
    const struct sql_expression *key = equate(patients, "age", clinics, "clinic_id");
    assert_true(join(SQL_INNER, patients, clinics, key)->one_row);
    assert_true(join(SQL_LEFT, patients, clinics, key)->one_row);
    assert_false(join(SQL_INNER, patients, clinics, equate(patients, "region", clinics, "city"))->one_row);
    assert_false(join(SQL_INNER, patients, clinics, NULL)->one_row);
    const struct sql_relation *twice = NULL;
    assert_int_equal(sql_append(&builder, clinics, clinics, 0, &twice, NULL), DITHER_OK);
    assert_false(join(SQL_INNER, patients, twice, equate(patients, "age", twice, "clinic_id"))->one_row);
    /* clinic_id = clinic_id + 0 of the partner itself says nothing about the patient */
    const struct sql_relation *cross = join(SQL_INNER, patients, clinics, NULL);
    const struct sql_expression *own = named(cross, "clinic_id");
    assert_false(join(SQL_INNER, patients, clinics, call("=", own, call("+", own, whole(0))))->one_row);
}

static void the_private_side_of_an_outer_join_is_preserved(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *clinics = scan("clinics");
    const struct sql_expression *key = equate(clinics, "clinic_id", visits, "clinic_id");
    assert_int_equal(join(SQL_RIGHT, clinics, visits, key)->place, SQL_TAGGED);
    refuse_join(SQL_LEFT, clinics, visits, key, "preserve the private side");
    refuse_join(SQL_FULL, clinics, visits, key, "preserve the private side");
    key = equate(visits, "clinic_id", clinics, "clinic_id");
    refuse_join(SQL_RIGHT, visits, clinics, key, "preserve the private side");
    assert_int_equal(join(SQL_FULL, clinics, clinics, NULL)->place, SQL_PUBLIC);
}

static void a_declared_key_equates_units_that_no_column_shows(void **state)
{
    (void)state;
    const struct sql_relation *items = scan("items"), *visits = scan("visits");
    const struct sql_relation *both =
        join(SQL_INNER, items, visits, equate(items, "visit_id", visits, "visit_id"));
    assert_int_equal(both->place, SQL_TAGGED);
    /* two items of one visit: siblings */
    assert_int_equal(join(SQL_INNER, items, items, equate(items, "visit_id", items, "visit_id"))->place,
                     SQL_TAGGED);
    refuse_join(SQL_INNER, items, items, equate(items, "kind", items, "kind"), "equate their units");
    refuse_join(SQL_INNER, items, visits, equate(items, "visit_id", visits, "clinic_id"),
                "equate their units");
}

static void a_semi_join_with_private_rows_equates_units(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits"),
                              *clinics = scan("clinics");
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    for (int anti = 0; anti < 2; anti++) {
        assert_int_equal(sql_semi_join(&builder, anti, patients, visits,
                                       equate(patients, "patient_id", visits, "patient_id"), 0, &made, &why),
                         DITHER_OK);
        assert_true(made->one_row);
        assert_int_equal(made->column_count, patients->column_count);
        assert_int_equal(sql_semi_join(&builder, anti, patients, visits, NULL, 5, &made, &why),
                         DITHER_INVALID);
        assert_int_equal(why.position, 5);
        assert_int_equal(sql_semi_join(&builder, anti, patients, visits,
                                       equate(patients, "age", visits, "clinic_id"), 0, &made, &why),
                         DITHER_INVALID);
        assert_int_equal(sql_semi_join(&builder, anti, clinics, visits,
                                       equate(clinics, "clinic_id", visits, "clinic_id"), 0, &made, &why),
                         DITHER_INVALID);
        assert_non_null(strstr(why.message, "not private cannot be chosen"));
        assert_int_equal(sql_semi_join(&builder, anti, patients, clinics, NULL, 0, &made, &why), DITHER_OK);
    }
}

/* ---- Groups ---- */

static void a_group_of_each_unit_is_one_row_when_its_keys_are_fixed(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits");
    const struct sql_expression *keys[] = {named(visits, "patient_id"), named(visits, "clinic_id")};
    const struct sql_relation *one = group(visits, keys, 1, SQL_COUNT_ROWS, NULL);
    assert_true(one->one_row);
    assert_true(one->columns[0].unit && one->columns[1].fixed);
    assert_int_equal(one->columns[1].range.lower, 0);
    assert_int_equal(one->columns[1].range.upper, 20);
    const struct sql_relation *many = group(visits, keys, 2, SQL_COUNT_ROWS, NULL);
    assert_false(many->one_row);
    assert_int_equal(many->max_rows, 20);
    /* an expression of the unit is not the unit */
    const struct sql_expression *digit = call("%", keys[0], whole(10));
    struct sql_aggregate count = {.kind = SQL_COUNT_ROWS};
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_group(&builder, visits, &digit, 1, &count, 1, 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_group(&builder, visits, NULL, 0, &count, 1, 0, &made, NULL), DITHER_INVALID);
}

static void sums_of_reals_within_a_unit_are_sums_of_whole_steps(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits");
    const struct sql_expression *unit = named(visits, "patient_id"), *cost = named(visits, "cost");
    const struct sql_relation *sum = group(visits, &unit, 1, SQL_TOTAL, cost);
    assert_int_equal(sum->kind, SQL_PROJECT);
    assert_int_equal(sum->columns[1].type, SQL_REAL);
    assert_int_equal(sum->input->kind, SQL_AGGREGATE);
    assert_int_equal(sum->input->aggregates[0].argument->type, SQL_INTEGER);
    assert_true(sum->columns[1].range.known);
    assert_true(sum->columns[1].range.real_lower <= 0);
    assert_true(sum->columns[1].range.real_upper >= 100000 && sum->columns[1].range.real_upper < 100001);
    /* over released or public rows nothing has to be exact */
    const struct sql_relation *clinics = scan("clinics");
    assert_int_equal(group(clinics, NULL, 0, SQL_TOTAL, named(clinics, "clinic_id"))->kind, SQL_AGGREGATE);
}

static void what_shows_the_order_of_rows_is_refused_within_a_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *made = NULL;
    const struct sql_expression *unit = named(visits, "patient_id");
    const enum sql_aggregate_kind refused[] = {SQL_VAR_POP, SQL_VAR_SAMP, SQL_STDDEV_POP, SQL_STDDEV_SAMP};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sql_aggregate aggregate = {.kind = refused[i], .argument = named(visits, "cost")};
        assert_int_equal(sql_group(&builder, visits, &unit, 1, &aggregate, 1, 0, &made, NULL),
                         DITHER_INVALID);
    }
    const struct sql_relation *patients = scan("patients");
    const struct sql_expression *key = named(patients, "patient_id");
    struct sql_aggregate texts = {.kind = SQL_STRING_AGG, .argument = named(patients, "disease")};
    assert_int_equal(sql_group(&builder, patients, &key, 1, &texts, 1, 0, &made, NULL), DITHER_INVALID);
}

static void distinct_is_a_group_and_needs_the_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *made = NULL;
    error why = {.message = ""};
    assert_int_equal(sql_distinct(&builder, visits, 0, &made, &why), DITHER_OK);
    assert_int_equal(made->kind, SQL_AGGREGATE);
    const struct sql_expression *day = named(visits, "day");
    const char *name = "day";
    assert_int_equal(sql_project(&builder, visits, &day, &name, NULL, 1, 0, &made, &why), DITHER_OK);
    const struct sql_relation *days = made;
    assert_int_equal(sql_distinct(&builder, days, 4, &made, &why), DITHER_INVALID); /* the tag is hidden */
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
    assert_int_equal(arena_take(&arena, sizeof *copy, &room, NULL), DITHER_OK);
    copy = room;
    *copy = made;
    assert_int_equal(arena_take(&arena, sizeof *partitions, &room, NULL), DITHER_OK);
    partitions = room;
    partitions[0] = partition;
    copy->partition = partitions;
    return sql_windows(&builder, input, copy, 1, 0, out, NULL);
}

static void a_window_stays_within_units(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *made = NULL;
    const struct sql_expression *unit = named(visits, "patient_id"), *day = named(visits, "day");
    assert_int_equal(window(visits, SQL_ROW_NUMBER, unit, day, false, &made), DITHER_OK);
    assert_int_equal(made->column_count, visits->column_count + 1);
    assert_int_equal(window(visits, SQL_ROW_NUMBER, NULL, day, false, &made), DITHER_INVALID);
    assert_int_equal(window(visits, SQL_ROW_NUMBER, day, day, false, &made), DITHER_INVALID);
    assert_int_equal(window(visits, SQL_ROW_NUMBER, call("%", unit, whole(10)), day, false, &made),
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
    const struct sql_relation *visits = scan("visits"), *made = NULL;
    const struct sql_expression *unit = named(visits, "patient_id"), *day = named(visits, "day");
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
    const struct sql_relation *visits = scan("visits"), *made = NULL;
    const struct sql_expression *unit = named(visits, "patient_id"), *day = named(visits, "day");
    assert_int_equal(window(visits, SQL_ROW_NUMBER, unit, day, false, &made), DITHER_OK);
    const struct sql_expression *number = at(made, visits->column_count);
    assert_true(filter(made, call("=", number, whole(1)))->one_row);
    assert_false(filter(made, call("=", number, whole(2)))->one_row);
    assert_false(filter(made, call("<=", number, whole(2)))->one_row);
    assert_int_equal(window(visits, SQL_RANK, unit, day, false, &made), DITHER_OK);
    assert_false(filter(made, call("=", at(made, visits->column_count), whole(1)))->one_row);
}

/* ---- Sets, order, limits ---- */

static void append_adds_rows_and_forgets_that_there_was_one(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits"), *made = NULL;
    assert_int_equal(sql_append(&builder, patients, patients, 0, &made, NULL), DITHER_OK);
    assert_false(made->one_row);
    assert_int_equal(made->max_rows, 2);
    assert_true(made->columns[0].unit); /* patient_id on both sides */
    assert_false(made->columns[column(made, "region")].fixed);
    error why = {.message = ""};
    assert_int_equal(sql_append(&builder, patients, visits, 0, &made, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "same number of columns"));
    assert_int_equal(sql_append(&builder, scan("notes"), patients, 0, &made, &why), DITHER_INVALID);
    assert_int_equal(sql_append(&builder, scan("clinics"), visits, 0, &made, &why), DITHER_INVALID);
}

static void a_unit_on_one_side_of_append_alone_is_no_unit(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *sides[2], *made = NULL;
    const char *name = "x";
    const struct sql_expression *values[] = {named(visits, "patient_id"), named(visits, "clinic_id")};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sql_project(&builder, visits, &values[i], &name, NULL, 1, 0, &sides[i], NULL),
                         DITHER_OK);
    assert_int_equal(sql_append(&builder, sides[0], sides[1], 0, &made, NULL), DITHER_OK);
    assert_false(made->columns[0].unit);
    assert_true(made->columns[made->tag].unit);
    assert_true(made->columns[made->tag].hidden);
}

static void nothing_chooses_among_private_rows(void **state)
{
    (void)state;
    const struct sql_relation *visits = scan("visits"), *clinics = scan("clinics"), *made = NULL;
    struct sql_order by = {.expression = named(visits, "day")};
    assert_int_equal(sql_sort(&builder, visits, &by, 1, 0, &made, NULL), DITHER_OK);
    assert_ptr_equal(made, visits); /* its order means nothing */
    assert_int_equal(sql_limit(&builder, visits, whole(3), NULL, 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_limit(&builder, visits, NULL, whole(3), 0, &made, NULL), DITHER_INVALID);
    assert_int_equal(sql_limit(&builder, clinics, whole(3), NULL, 0, &made, NULL), DITHER_OK);
    const enum sql_set_kind kinds[] = {SQL_UNION, SQL_INTERSECT, SQL_INTERSECT_ALL, SQL_EXCEPT,
                                       SQL_EXCEPT_ALL};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(sql_set(&builder, kinds[i], visits, visits, 0, &made, NULL), DITHER_INVALID);
        assert_int_equal(sql_set(&builder, kinds[i], clinics, clinics, 0, &made, NULL), DITHER_OK);
    }
}

/* ---- Looking through ---- */

static void a_column_is_traced_to_its_table(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *visits = scan("visits");
    const struct sql_relation *both =
        join(SQL_LEFT, patients, visits, equate(patients, "patient_id", visits, "patient_id"));
    struct sql_origin origin;
    assert_true(sql_trace(both, patients->column_count + column(visits, "cost"), &origin));
    assert_ptr_equal(origin.scan, visits);
    assert_int_equal(origin.column, column(visits, "cost"));
    assert_true(origin.null_extended);
    assert_true(sql_trace(both, column(patients, "region"), &origin));
    assert_false(origin.null_extended);
    assert_false(sql_trace(both, patients->tag, &origin));
    const struct sql_expression *unit = named(visits, "patient_id");
    const struct sql_relation *counted = group(visits, &unit, 1, SQL_COUNT_ROWS, NULL);
    assert_true(sql_trace(counted, 0, &origin));
    assert_false(sql_trace(counted, 1, &origin));
}

static void aggregates_have_postgresql_s_types(void **state)
{
    (void)state;
    const struct sql_relation *patients = scan("patients"), *items = scan("items");
    const struct {
        enum sql_aggregate_kind kind;
        const struct sql_expression *argument;
        enum sql_type type; /* SQL_UNKNOWN: there is none */
    } cases[] = {
        {SQL_COUNT, named(patients, "disease"), SQL_INTEGER},
        {SQL_TOTAL, named(patients, "age"), SQL_INTEGER},
        {SQL_TOTAL, named(items, "price"), SQL_DECIMAL},
        {SQL_TOTAL, named(patients, "salary"), SQL_REAL},
        {SQL_TOTAL, named(patients, "disease"), SQL_UNKNOWN},
        {SQL_AVERAGE, named(patients, "age"), SQL_REAL},
        {SQL_AVERAGE, named(patients, "born"), SQL_UNKNOWN},
        {SQL_MAX, named(patients, "born"), SQL_DATE},
        {SQL_MIN, named(patients, "disease"), SQL_TEXT},
        {SQL_MIN, named(patients, "insured"), SQL_UNKNOWN},
        {SQL_BOOL_OR, named(patients, "insured"), SQL_BOOLEAN},
        {SQL_BOOL_OR, named(patients, "age"), SQL_UNKNOWN},
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
        cmocka_unit_test(a_column_is_traced_to_its_table),
        cmocka_unit_test(aggregates_have_postgresql_s_types),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
