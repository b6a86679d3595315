/* Which keys are public, and all of them; computed by DuckDB from the domain's relation, and compared with lists that
 * were written by hand. Also: caps of groups, and the blocks to which a release is confined. */
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
    "      age:     {type: integer, range: [0, 35], null: false}\n"
    "      region:  {type: text, values: [north, south, east], null: false}\n"
    "      colour:  {type: text, values: [red, blue]}\n"
    "      smoker:  {type: boolean}\n"
    "      insured: {type: boolean, null: false}\n"
    "      born:    {type: date, range: [2024-01-30, 2024-02-02], null: false}\n"
    "      code:    {type: integer, range: [0, 9999], null: false}\n"
    "      far:     {type: integer, range: [0, 20000], null: false}\n"
    "      disease: {type: text, null: false}\n"
    "      wealth:  {type: real, range: [0, 1000], null: false}\n"
    "  visits:\n"
    "    source: visits.csv\n"
    "    join: {id: people.id}\n"
    "    max_rows: 20\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      id:     {type: integer, null: false}\n"
    "      clinic: {type: integer, null: false}\n"
    "      kind:   {type: text, values: [short, long], null: false}\n"
    "  clinics:\n"
    "    source: clinics.csv\n"
    "    public: true\n"
    "    columns:\n"
    "      clinic_id: {type: integer, null: false}\n"
    "      city:      {type: text, null: false}\n"
    "budget: {epsilon: 10, delta: 1e-6, per_question: 0.1, delta_per_question: 1e-9, max_per_question: 1,\n"
    "         block: people.region}\n";

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

static const struct sql_release *released(const struct sql_relation *input)
{
    grouped_call(&grouped, "count", "*");
    (void)grouped_build(&grouped, input);
    return grouped.binder.builder.releases[0];
}

/* The domain of `key` over the input. NULL expected: hidden. */
static void check_domain(const struct sql_relation *input, const char *key, const char *expected)
{
    char shown[4000];
    grouped_again(&grouped);
    grouped_key(&grouped, key);
    const struct sql_release *release = released(input);
    if (release->domain == NULL || expected == NULL) {
        if ((release->domain == NULL) != (expected == NULL))
            fail_msg("%s is %s", key, release->domain == NULL ? "hidden" : "enumerated");
        return;
    }
    assert_int_equal(release->domain->place, SQL_PUBLIC);
    assert_int_equal(release->domain->column_count, release->key_count);
    assert_int_equal(release->domain->columns[0].type, release->keys[0]->type);
    struct sql_rows rows = scratch_rows(scratch, release->domain, &grouped.arena);
    scratch_show(&rows, release->domain->column_count, shown, sizeof shown);
    if (strcmp(shown, expected) != 0)
        fail_msg("%s: %s instead of %s", key, shown, expected);
}

static void keys_with_public_values_are_enumerated(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_domain(people, "region", "east|north|south");
    check_domain(people, "age / 10", "0|1|2|3");
    check_domain(people, "(age / 10) * 10", "0|10|20|30");
    check_domain(people, "born", "19752|19753|19754|19755"); /* 2024-01-30 is day 19752 */
    check_domain(people, "extract(month FROM born)", "1|2");
    check_domain(people, "upper(region)", "EAST|NORTH|SOUTH");
    check_domain(people, "insured", "false|true");
    check_domain(people, "age >= 18 AND insured", "false|true");
    check_domain(people, "7", "7");
}

static void null_is_enumerated_where_the_policy_allows_it(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_domain(people, "colour", "NULL|blue|red");
    check_domain(people, "smoker", "NULL|false|true");
    check_domain(people, "coalesce(colour, 'none')", "blue|none|red");
}

/* The columns below have no public values, but what is made of them has. */
static void an_expressions_own_values_are_enough(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_domain(people, "CASE WHEN wealth > 500 THEN 'rich' WHEN wealth > 100 THEN 'fine' ELSE 'poor' END",
                 "fine|poor|rich");
    check_domain(people, "CASE WHEN wealth > 500 THEN 'rich' END", "NULL|rich");
    check_domain(people, "width_bucket(wealth, 0, 1000, 4)", "0|1|2|3|4|5");
    check_domain(people, "disease = 'flu'", "false|true");
    check_domain(people, "floor(wealth / 250)", "0|1|2|3|4");
    check_domain(people, "floor(wealth / 250) * 250", "0|1000|250|500|750");
    check_domain(people, "ceil(wealth / 400)::int", "0|1|2|3");
    check_domain(people, "round(wealth / 400)", "0|1|2|3"); /* 1000/400 is 2.5: 3 is more than there can be */
    check_domain(people, "region || CASE WHEN wealth > 500 THEN '+' ELSE '-' END",
                 "east+|east-|north+|north-|south+|south-");
    check_domain(grouped_made(&grouped, people, "CASE WHEN wealth > 500 THEN 'rich' ELSE 'poor' END"), "made",
                 "poor|rich");
}

static void other_keys_are_hidden(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_domain(people, "disease", NULL);
    check_domain(people, "far", NULL); /* 20001 values are too many */
    check_domain(people, "wealth", NULL);
    check_domain(people, "id % 10000000", NULL);
    check_domain(people, "floor(wealth / 0.001)", NULL); /* a million values */
    check_domain(people, "disease || region", NULL);
    check_domain(people, "far / 1000", "0|1|10|11|12|13|14|15|16|17|18|19|2|20|3|4|5|6|7|8|9");
}

static void keys_multiply_and_share_their_columns(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    grouped_key(&grouped, "insured");
    check_domain(people, "region", "east|north|south"); /* grouped_again has forgotten the first key */
    char shown[1000];
    grouped_again(&grouped);
    grouped_key(&grouped, "age / 20");
    grouped_key(&grouped, "age >= 30");
    const struct sql_release *release = released(people);
    struct sql_rows rows = scratch_rows(scratch, release->domain, &grouped.arena);
    scratch_show(&rows, 2, shown, sizeof shown);
    assert_string_equal(shown, "0 false|1 false|1 true"); /* 0 true cannot be: both are of one age */
    grouped_again(&grouped);
    grouped_key(&grouped, "code");
    grouped_key(&grouped, "age"); /* 10000 x 36 is too much */
    assert_null(released(people)->domain);
}

static void conditions_on_the_keys_columns_narrow_the_domain(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *adult = grouped_where(&grouped, people, "age >= 18 AND disease = 'flu'");
    check_domain(adult, "age / 10", "1|2|3");
    check_domain(adult, "region", "east|north|south");
    check_domain(grouped_where(&grouped, people, "colour IS NOT NULL"), "colour", "blue|red");
    check_domain(grouped_where(&grouped, people, "region IN ('north', 'Atlantis')"), "region", "north");
    /* a condition on another column of the same table says nothing */
    check_domain(grouped_where(&grouped, people, "age > 20 OR region = 'east'"), "age / 20", "0|1");
}

static void outer_joins_add_null(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *visits = grouped_table(&grouped, "visits");
    const struct sql_relation *left = grouped_join(&grouped, SQL_LEFT, people, visits, "id = r.id");
    check_domain(left, "kind", "NULL|long|short");
    check_domain(left, "coalesce(kind, 'none')", "long|none|short");
    const struct sql_relation *inner = grouped_join(&grouped, SQL_INNER, people, visits, "id = r.id");
    check_domain(inner, "kind", "long|short");
    /* made below the join: NULL where there is no visit, although the expression itself is never NULL */
    const struct sql_relation *flagged = grouped_made(&grouped, visits, "coalesce(kind, 'none') = 'long'");
    check_domain(grouped_join(&grouped, SQL_LEFT, people, flagged, "id = r.id"), "made", "NULL|false|true");
    /* a condition below the join does not hold where there is no visit */
    const struct sql_relation *some = grouped_where(&grouped, visits, "kind = 'long'");
    check_domain(grouped_join(&grouped, SQL_LEFT, people, some, "id = r.id"), "kind", "NULL|long|short");
}

static void union_all_has_the_values_of_both(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *both =
        grouped_append(&grouped, grouped_where(&grouped, people, "age > 3"), people);
    check_domain(both, "region", "east|north|south");
    check_domain(both, "colour", "NULL|blue|red");
    check_domain(both, "age / 20", "0|1");
    check_domain(both, "disease", NULL);
}

static void a_table_joined_with_itself_has_two_columns(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *twice = grouped_join(&grouped, SQL_INNER, people, people, "id = r.id");
    /* the right side's columns are found by their place: the project below names the second `insured` */
    const struct sql_relation *named = grouped_made(&grouped, twice, "insured");
    const struct sql_expression *second = NULL;
    size_t column = people->column_count + 5;
    assert_string_equal(twice->columns[column].name, "insured");
    assert_int_equal(sql_column_of(&grouped.binder.builder, twice, column, -1, &second, &grouped.why), 0);
    const struct sql_expression *keys[] = {named->expressions[named->expression_count - 1], second};
    static const size_t both[] = {0, 1};
    static const char *const names[] = {"a", "b"};
    struct bind_grouping_set set = {both, 2};
    struct bind_call call = {.name = "count", .star = true};
    struct bind_release request = {twice, keys, names, 2, &set, 1, &call, 1, -1};
    const struct sql_relation *out = NULL;
    assert_int_equal(release_build(&grouped.binder, &request, &out, &grouped.why), DITHER_OK);
    struct sql_rows rows = scratch_rows(scratch, grouped.binder.builder.releases[0]->domain, &grouped.arena);
    assert_int_equal(rows.row_count, 4);
}

/* The domain of a public table's column is the table itself. */
static void public_tables_give_their_own_values(void **state)
{
    (void)state;
    const struct sql_relation *visits = grouped_table(&grouped, "visits");
    const struct sql_relation *clinics = grouped_table(&grouped, "clinics");
    grouped_key(&grouped, "city");
    const struct sql_release *release =
        released(grouped_join(&grouped, SQL_INNER, visits, clinics, "clinic = clinic_id"));
    assert_non_null(release->domain);
    assert_int_equal(release->domain->place, SQL_PUBLIC);
    assert_int_equal(release->domain->kind, SQL_DISTINCT);
}

static void the_unit_is_in_one_group_of_keys_that_are_its_own(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *visits = grouped_table(&grouped, "visits");
    const struct sql_relation *joined = grouped_join(&grouped, SQL_INNER, people, visits, "id = r.id");
    grouped_key(&grouped, "kind");
    assert_int_equal(released(joined)->max_groups, 3);
    grouped_again(&grouped);
    grouped_key(&grouped, "region");
    assert_int_equal(released(joined)->max_groups, 1);
    grouped_again(&grouped);
    grouped_key(&grouped, "region");
    grouped_key(&grouped, "kind");
    assert_int_equal(released(joined)->max_groups, 3);
}

/* ---- Blocks: north 0, south 1, east 2, rest 3 ---- */

static void check_blocks(const struct sql_relation *input, const char *expected)
{
    char shown[100] = "";
    grouped_again(&grouped);
    const struct sql_release *release = released(input);
    for (size_t i = 0; i < release->block_count; i++)
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%zu", i > 0 ? " " : "",
                 release->blocks[i]);
    if (strcmp(shown, expected) != 0)
        fail_msg("blocks are \"%s\" instead of \"%s\"", shown, expected);
}

static void top_level_conditions_confine_to_blocks(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_blocks(people, "");
    check_blocks(grouped_where(&grouped, people, "region = 'north'"), "0");
    check_blocks(grouped_where(&grouped, people, "'south' = region AND age > 3"), "1");
    check_blocks(grouped_where(&grouped, people, "region IN ('east', 'north')"), "0 2");
    check_blocks(grouped_where(&grouped, people, "region = 'east' OR region = 'south'"), "1 2");
    check_blocks(grouped_where(&grouped, people, "(region = 'east' AND age > 3) OR region = 'south'"), "1 2");
}

static void what_is_not_proved_is_all_blocks(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_blocks(grouped_where(&grouped, people, "region = 'north' OR age > 3"), "");
    check_blocks(grouped_where(&grouped, people, "NOT (region = 'north')"), "");
    check_blocks(grouped_where(&grouped, people, "upper(region) = 'NORTH'"), "");
    check_blocks(grouped_where(&grouped, people, "CASE WHEN region = 'north' THEN true ELSE age > 3 END"),
                 "");
    check_blocks(grouped_where(&grouped, people, "region = colour"), "");
    check_blocks(grouped_where(&grouped, people, "region IN ('north', colour)"), "");
    check_blocks(grouped_where(&grouped, people, "colour = 'north'"), "");
    check_blocks(grouped_where(&grouped, people, "region LIKE 'north'"), "");
    check_blocks(grouped_where(&grouped, people, "coalesce(region, 'north') = 'north'"), "");
}

static void no_release_is_free(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_blocks(grouped_where(&grouped, people, "region = 'Atlantis'"), "3");
    check_blocks(grouped_where(&grouped, people, "region = 'north' AND region = 'south'"), "3");
    check_blocks(grouped_where(&grouped, people, "region = NULL"), "3");
    check_blocks(grouped_where(&grouped, people, "region IN ('Atlantis', 'north')"), "0 3");
    check_blocks(grouped_where(&grouped, people, "region IN ('Atlantis', 'north', 'south', 'east')"), "");
}

static void joins_confine_by_every_tagged_side(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *visits = grouped_table(&grouped, "visits");
    const struct sql_relation *north = grouped_where(&grouped, people, "region = 'north'");
    const struct sql_relation *south = grouped_where(&grouped, people, "region = 'south'");
    check_blocks(grouped_join(&grouped, SQL_INNER, visits, north, "id = r.id"), "0");
    check_blocks(grouped_join(&grouped, SQL_LEFT, visits, north, "id = r.id"), "");
    check_blocks(grouped_join(&grouped, SQL_LEFT, north, visits, "id = r.id"), "0");
    check_blocks(grouped_join(&grouped, SQL_RIGHT, visits, north, "id = r.id"), "0");
    check_blocks(grouped_join(&grouped, SQL_RIGHT, north, visits, "id = r.id"), "");
    check_blocks(grouped_join(&grouped, SQL_INNER, south, north, "id = r.id"), "3");
    check_blocks(grouped_join(&grouped, SQL_INNER, visits, people, "id = r.id AND region = 'east'"), "2");
    check_blocks(grouped_join(&grouped, SQL_LEFT, visits, people, "id = r.id AND region = 'east'"), "");
    /* a condition above an outer join is not true of its NULLs */
    check_blocks(grouped_where(&grouped, grouped_join(&grouped, SQL_LEFT, visits, people, "id = r.id"),
                               "region = 'east'"),
                 "2");
}

static void semi_joins_confine_and_their_negation_does_not(void **state)
{
    (void)state;
    const struct sql_relation *visits = grouped_table(&grouped, "visits");
    const struct sql_relation *north =
        grouped_where(&grouped, grouped_table(&grouped, "people"), "region = 'north'");
    check_blocks(grouped_semi_join(&grouped, false, visits, north, "id = r.id"), "0");
    check_blocks(grouped_semi_join(&grouped, true, visits, north, "id = r.id"), "");
}

static void union_all_is_confined_to_the_blocks_of_both(void **state)
{
    (void)state;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    const struct sql_relation *north = grouped_where(&grouped, people, "region = 'north'");
    const struct sql_relation *south = grouped_where(&grouped, people, "region = 'south'");
    check_blocks(grouped_append(&grouped, north, south), "0 1");
    check_blocks(grouped_append(&grouped, north, people), "");
}

/* What a release says of regions is not the region of the unit beside which it stands; nor is it public before the
 * release has run. */
static void a_released_column_is_nobodys(void **state)
{
    (void)state;
    grouped_key(&grouped, "region");
    grouped_call(&grouped, "count", "*");
    const struct sql_relation *regions = grouped_build(&grouped, grouped_table(&grouped, "people"));
    const struct sql_relation *joined =
        grouped_join(&grouped, SQL_INNER, grouped_table(&grouped, "visits"), regions, "clinic = count");
    check_blocks(grouped_where(&grouped, joined, "region = 'north'"), "");
    check_domain(joined, "region", NULL);
    check_domain(joined, "kind", "long|short");
}

/* Without a proof that a unit has one row in the block table, a unit may be in two blocks. */
static void blocks_need_a_proved_table(void **state)
{
    (void)state;
    struct sql_catalogue catalogue = *grouped.binder.builder.catalogue;
    struct sql_table tables[8];
    memcpy(tables, catalogue.tables, catalogue.table_count * sizeof *tables);
    tables[0].unique_count = 0;
    catalogue.tables = tables;
    grouped.binder.builder.catalogue = &catalogue;
    const struct sql_relation *people = grouped_table(&grouped, "people");
    check_blocks(grouped_where(&grouped, people, "region = 'north'"), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keys_with_public_values_are_enumerated),
        TEST(null_is_enumerated_where_the_policy_allows_it),
        TEST(an_expressions_own_values_are_enough),
        TEST(other_keys_are_hidden),
        TEST(keys_multiply_and_share_their_columns),
        TEST(conditions_on_the_keys_columns_narrow_the_domain),
        TEST(outer_joins_add_null),
        TEST(union_all_has_the_values_of_both),
        TEST(a_table_joined_with_itself_has_two_columns),
        TEST(public_tables_give_their_own_values),
        TEST(the_unit_is_in_one_group_of_keys_that_are_its_own),
        TEST(top_level_conditions_confine_to_blocks),
        TEST(what_is_not_proved_is_all_blocks),
        TEST(no_release_is_free),
        TEST(joins_confine_by_every_tagged_side),
        TEST(semi_joins_confine_and_their_negation_does_not),
        TEST(union_all_is_confined_to_the_blocks_of_both),
        TEST(a_released_column_is_nobodys),
        TEST(blocks_need_a_proved_table),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
