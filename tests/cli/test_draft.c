/* A draft policy: what is guessed from names, what is left to the owner, and that it is a policy as soon as the owner has
 * filled it in, and not before. The files' descriptions are written by hand; nothing is read. */
#include "tests/support/test.h"

#include <string.h>

#include "cli/draft_yaml.h"

#define COLUMNS(...)                                                                                         \
    (const struct draft_column[]){__VA_ARGS__},                                                              \
        sizeof((const struct draft_column[]){__VA_ARGS__}) / sizeof(struct draft_column)

static const struct draft_table hospital_tables[] = {
    {"clinics", "clinics.csv",
     COLUMNS({.name = "clinic_id", .type = POLICY_INTEGER}, {.name = "name", .type = POLICY_TEXT})},
    {"prescriptions", "prescriptions.csv",
     COLUMNS({.name = "visit_id", .type = POLICY_INTEGER}, {.name = "drug", .type = POLICY_TEXT})},
    {"visits", "visits.csv",
     COLUMNS({.name = "visit_id", .type = POLICY_INTEGER}, {.name = "clinic_id", .type = POLICY_INTEGER},
             {.name = "patient_id", .type = POLICY_INTEGER}, {.name = "cost", .type = POLICY_REAL})},
    {"patients", "patients.csv",
     COLUMNS({.name = "patient_id", .type = POLICY_INTEGER}, {.name = "age", .type = POLICY_INTEGER},
             {.name = "paid", .type = POLICY_BOOLEAN})},
};
static const struct draft hospital = {NULL, hospital_tables, 4};

static void tables_hang_below_people(void **state)
{
    (void)state;
    struct draft_guess guesses[4];
    draft_guess(&hospital, guesses);
    assert_int_equal(guesses[3].unit, 0); /* patients: patient_id */
    assert_int_equal(guesses[3].parent, DRAFT_NONE);
    assert_int_equal(guesses[2].parent, 3); /* visits: the patient, not the clinic, though that comes first */
    assert_int_equal(guesses[2].key, 2);
    assert_int_equal(guesses[2].parent_column, 0);
    assert_int_equal(guesses[1].parent, 2); /* prescriptions -> visits -> patients */
    assert_int_equal(guesses[1].key, 0);
    assert_int_equal(guesses[0].parent, DRAFT_NONE);
    assert_int_equal(guesses[0].unit, 0);
}

static void a_table_alone_has_the_person_in_it_for_a_unit(void **state)
{
    (void)state;
    const struct draft_table tables[] = {
        {"orders", "orders.csv",
         COLUMNS({.name = "order_id", .type = POLICY_INTEGER}, {.name = "CustomerID", .type = POLICY_TEXT})},
    };
    struct draft_guess guess;
    draft_guess(&(struct draft){NULL, tables, 1}, &guess);
    assert_int_equal(guess.unit, 1);
    assert_int_equal(guess.own_key, 0);
}

/* "paid" is no id of anything, and a real or a boolean is nobody's number. */
static void what_is_no_key_is_left_to_the_owner(void **state)
{
    (void)state;
    const struct draft_table tables[] = {
        {"payments", "payments.csv",
         COLUMNS({.name = "paid", .type = POLICY_INTEGER}, {.name = "user_id", .type = POLICY_REAL},
                 {.name = "humid", .type = POLICY_TEXT})},
    };
    struct draft_guess guess;
    draft_guess(&(struct draft){NULL, tables, 1}, &guess);
    assert_int_equal(guess.unit, DRAFT_NONE);
    assert_int_equal(guess.own_key, DRAFT_NONE);
}

static void paths_do_not_run_in_a_circle(void **state)
{
    (void)state;
    const struct draft_table tables[] = {
        {"orders", "o",
         COLUMNS({.name = "order_id", .type = POLICY_INTEGER}, {.name = "item_id", .type = POLICY_INTEGER})},
        {"items", "i",
         COLUMNS({.name = "item_id", .type = POLICY_INTEGER}, {.name = "order_id", .type = POLICY_INTEGER})},
    };
    struct draft_guess guesses[2];
    draft_guess(&(struct draft){NULL, tables, 2}, guesses);
    assert_true((guesses[0].parent == DRAFT_NONE) != (guesses[1].parent == DRAFT_NONE));
}

/* ---- YAML ---- */

static const char *const hospital_sources[] = {"clinics.csv", "prescriptions.csv", "visits.csv",
                                               "patients.csv"};
static const struct draft_request hospital_request = {.dataset = "hospital", .sources = hospital_sources};

static void write_draft(const struct draft *draft, const struct draft_request *request, struct buffer *out)
{
    error why;
    buffer_init(out, 1 << 20);
    if (draft_yaml(draft, request, out, &why) != DITHER_OK)
        fail_msg("%s", why.message);
}

/* Replaces `old` wherever it stands by `new`, which is not longer: the rest becomes blanks. */
static void fill_in(struct buffer *text, const char *old, const char *new)
{
    assert_true(strlen(new) <= strlen(old));
    char *at = text->data;
    assert_non_null(strstr(at, old));
    while ((at = strstr(at, old)) != NULL) {
        memset(at, ' ', strlen(old));
        memcpy(at, new, strlen(new));
    }
}

static status read_policy(const struct buffer *text, struct arena *arena, const struct policy **out,
                          error *why)
{
    arena_init(arena, POLICY_ARENA_BYTES);
    return policy_read_text(text->data, text->length, "draft.yaml", arena, out, why);
}

static void a_draft_is_refused_until_it_is_filled_in(void **state)
{
    (void)state;
    struct buffer text;
    struct arena arena;
    const struct policy *policy = NULL;
    error why;
    write_draft(&hospital, &hospital_request, &text);
    assert_int_equal(read_policy(&text, &arena, &policy, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "max_rows of table prescriptions must be a whole number"));
    arena_free(&arena);
    fill_in(&text, "max_rows:          #", "max_rows: 5      #");
    fill_in(&text, "max_groups:        #", "max_groups: 2    #");
    assert_int_equal(read_policy(&text, &arena, &policy, &why), DITHER_INVALID);
    if (strstr(why.message, "range of column visits.cost needs both bounds") == NULL)
        fail_msg("%s", why.message);
    arena_free(&arena);
    fill_in(&text, "range:         #", "range: [0, 99] #");
    if (read_policy(&text, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    const struct policy_table *visits = policy_find_table(policy, "visits");
    assert_string_equal(visits->parent->name, "patients");
    assert_string_equal(visits->source, "visits.csv");
    assert_true(policy_find_column(visits, "cost")->has_range);
    assert_false(policy_find_column(visits, "patient_id")->has_range);
    assert_int_equal(policy_find_table(policy, "prescriptions")->path_length, 2);
    assert_int_equal(policy_find_table(policy, "patients")->rows_per_unit, 1);
    assert_string_equal(policy->dataset, "hospital");
    arena_free(&arena);
    buffer_free(&text);
}

/* All tables of a DuckDB file; what it declares is written down, and it gives the dataset its name. */
static void a_database_is_an_engine(void **state)
{
    (void)state;
    const struct draft_table tables[] = {
        {"orders", NULL,
         COLUMNS({.name = "order_id", .type = POLICY_INTEGER, .unique = true, .not_null = true},
                 {.name = "total", .type = POLICY_DECIMAL, .scale = 2, .not_null = true})},
    };
    struct buffer text;
    struct arena arena;
    const struct policy *policy = NULL;
    error why;
    write_draft(&(struct draft){"files/shop.duckdb", tables, 1},
                &(struct draft_request){.database = "shop.duckdb"}, &text);
    fill_in(&text, "range:         #", "range: [0, 99] #");
    if (read_policy(&text, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_string_equal(policy->dataset, "shop");
    assert_int_equal(policy->engine.kind, POLICY_ENGINE_DUCKDB);
    assert_string_equal(policy->engine.place, "shop.duckdb");
    const struct policy_column *total = policy_find_column(&policy->tables[0], "total");
    assert_int_equal(total->type, POLICY_DECIMAL);
    assert_int_equal(total->scale, 2);
    assert_false(total->nullable);
    assert_string_equal(policy->tables[0].unit_column->name, "order_id");
    arena_free(&arena);
    buffer_free(&text);
}

static void peeked_ranges_are_marked(void **state)
{
    (void)state;
    const struct draft_table tables[] = {
        {"people", "people.csv",
         COLUMNS({.name = "person_id", .type = POLICY_INTEGER, .lower = "0", .upper = "1000"},
                 {.name = "age", .type = POLICY_INTEGER, .lower = "0", .upper = "100"},
                 {.name = "born", .type = POLICY_DATE, .lower = "1900-01-01", .upper = "2030-01-01"},
                 {.name = "empty", .type = POLICY_REAL})},
    };
    static const char *const sources[] = {"people.csv"};
    struct buffer text;
    struct arena arena;
    const struct policy *policy = NULL;
    error why;
    write_draft(&(struct draft){NULL, tables, 1}, &(struct draft_request){.peek = true, .sources = sources},
                &text);
    assert_non_null(strstr(text.data, "the owner's act, and no\n# private release"));
    fill_in(&text, "range:         #", "range: [0, 99] #");
    if (read_policy(&text, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    const struct policy_table *people = policy_find_table(policy, "people");
    assert_false(policy_find_column(people, "person_id")->has_range); /* ids are not summed, nor shown */
    assert_true(policy_find_column(people, "age")->peeked);
    assert_int_equal(policy_find_column(people, "age")->upper.whole, 100);
    assert_true(policy_find_column(people, "born")->peeked);
    assert_false(policy_find_column(people, "empty")->peeked);
    assert_string_equal(policy->peeked->name, "age");
    arena_free(&arena);
    buffer_free(&text);
}

/* Names that YAML would take for something else, or that hold its marks, come back as they were. */
static void odd_names_survive(void **state)
{
    (void)state;
    static const char *const names[] = {"no", "1st", "a: b", "# x", "\"quoted\\\"", "caf\xc3\xa9", "-", "{}"};
    enum { COUNT = sizeof names / sizeof names[0] };
    struct draft_column columns[COUNT + 1] = {{.name = "patient_id", .type = POLICY_INTEGER}};
    for (size_t i = 0; i < COUNT; i++)
        columns[i + 1] = (struct draft_column){.name = names[i], .type = POLICY_TEXT};
    const struct draft_table tables[] = {{"Odd Table's", "odd file's #1.csv", columns, COUNT + 1}};
    static const char *const sources[] = {"odd file's #1.csv"};
    struct buffer text;
    struct arena arena;
    const struct policy *policy = NULL;
    error why;
    write_draft(&(struct draft){NULL, tables, 1}, &(struct draft_request){.sources = sources}, &text);
    fill_in(&text, "max_rows:          #", "max_rows: 5      #");
    fill_in(&text, "max_groups:        #", "max_groups: 2    #");
    if (read_policy(&text, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s\n%s", why.message, text.data);
    assert_string_equal(policy->dataset, "Odd Table's");
    assert_string_equal(policy->tables[0].source, "odd file's #1.csv");
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(policy->tables[0].columns[i + 1].name, names[i]);
    arena_free(&arena);
    buffer_free(&text);
}

static void names_that_no_policy_can_have_are_refused(void **state)
{
    (void)state;
    const struct draft_table twice[] = {
        {"a", "a.csv", COLUMNS({.name = "x", .type = POLICY_TEXT}, {.name = "X", .type = POLICY_TEXT})}};
    const struct draft_table unnamed[] = {{"a", "a.csv", COLUMNS({.name = "", .type = POLICY_TEXT})}};
    const struct draft_table control[] = {{"a", "a.csv", COLUMNS({.name = "b\ac", .type = POLICY_TEXT})}};
    const struct draft_table same[] = {{"a", "a.csv", COLUMNS({.name = "x", .type = POLICY_TEXT})},
                                       {"A", "b/A.csv", COLUMNS({.name = "x", .type = POLICY_TEXT})}};
    const struct draft_table number[] = {
        {"a", "a.csv", COLUMNS({.name = "x", .type = POLICY_TEXT}, {.name = "4711", .type = POLICY_TEXT})}};
    const struct draft_table semicolons[] = {{"a", "a.csv", COLUMNS({.name = "x;y", .type = POLICY_TEXT})}};
    const struct {
        struct draft draft;
        const char *says;
    } cases[] = {{{NULL, number, 1}, "a.csv: a column is called by a number"},
                 {{NULL, semicolons, 1}, "a.csv has one column: fields are separated by commas"},
                 {{NULL, twice, 1}, "two columns called \"X\""},
                 {{NULL, unnamed, 1}, "a column has no name"},
                 {{NULL, control, 1}, "a control character"},
                 {{NULL, same, 2}, "two tables are called \"A\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffer text;
        error why;
        buffer_init(&text, 1 << 20);
        assert_int_equal(draft_yaml(&cases[i].draft, &(struct draft_request){.dataset = "x"}, &text, &why),
                         DITHER_INVALID);
        if (strstr(why.message, cases[i].says) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", why.message, cases[i].says);
        buffer_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hang_below_people),
        cmocka_unit_test(a_table_alone_has_the_person_in_it_for_a_unit),
        cmocka_unit_test(what_is_no_key_is_left_to_the_owner),
        cmocka_unit_test(paths_do_not_run_in_a_circle),
        cmocka_unit_test(a_draft_is_refused_until_it_is_filled_in),
        cmocka_unit_test(a_database_is_an_engine),
        cmocka_unit_test(peeked_ranges_are_marked),
        cmocka_unit_test(odd_names_survive),
        cmocka_unit_test(names_that_no_policy_can_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
