/* The example of the design is accepted, and every field of it is what was written; the example of
 * docs/policy.md too. Dates were counted by `date -u -d DAY +%s`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "tests/support/test.h"

static const char design[] =
    "dataset: hospital\n"
    "version: 1                           # of the data; the owner raises it when rows change\n"
    "engine:                              # omitted: DuckDB in memory, files imported once per data version\n"
    "  duckdb: hospital.duckdb            # must exist; or  postgres: \"host=127.0.0.1 dbname=hospital\"\n"
    "tables:\n"
    "  patients:\n"
    "    source: patients.csv             # DuckDB only: CSV, Parquet, JSON, a glob\n"
    "    unit: patient_id                 # or `row`: every row is its own unit\n"
    "    rows_per_unit: 1\n"
    "    columns:\n"
    "      patient_id: {type: integer}    # `null: false` where never NULL\n"
    "      age:     {type: integer, range: [0, 120]}\n"
    "      region:  {type: text, values: [north, south, east, west]}\n"
    "      salary:  {type: real, range: [0, 100000]}\n"
    "      disease: {type: text}          # domain not public: keys need enough units behind them\n"
    "  visits:\n"
    "    join: {patient_id: patients.patient_id}   # the unit follows up the chain\n"
    "    max_rows: 20                     # per unit and group\n"
    "    max_groups: 3                    # per unit\n"
    "    columns:\n"
    "      patient_id: {type: integer}\n"
    "      day:  {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      cost: {type: real, range: [0, 5000]}\n"
    "  clinics: {source: clinics.csv, public: true}\n"
    "budget:\n"
    "  epsilon: 10\n"
    "  delta: 1e-6\n"
    "  per_question: 0.1                  # what a question costs when the analyst does not say\n"
    "  delta_per_question: 1e-9           # spent only where keys are not public\n"
    "  max_per_question: 1\n"
    "  block: patients.region             # needs declared values and a one-row-per-unit table\n"
    "  renew: none                        # or monthly, ...\n"
    "ledger: {sqlite: hospital.ledger}    # default: the policy's name with .ledger; or {postgres: \"...\"}\n"
    "groups:\n"
    "  interns: {epsilon: 1}              # one cap for all members together\n"
    "analysts:\n"
    "  alice: {epsilon: 3}\n"
    "  bob:   {epsilon: 3, groups: [interns]}\n"
    "timing: {step: 100ms}\n";

static struct arena arena;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 2 * POLICY_ARENA_BYTES);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct policy *read_as(const char *text, const char *path)
{
    const struct policy *policy = NULL;
    error why = {.message = ""};
    if (policy_read_text(text, strlen(text), path, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return policy;
}

static void assert_amount(struct decimal value, const char *expected)
{
    char text[DECIMAL_TEXT];
    decimal_print(value, text);
    assert_string_equal(text, expected);
}

static const struct policy_column *column(const struct policy_table *table, const char *name)
{
    const struct policy_column *found = policy_find_column(table, name);
    assert_non_null(found);
    assert_string_equal(found->name, name);
    return found;
}

static void check_patients(const struct policy_table *patients, const char *source)
{
    assert_string_equal(patients->name, "patients");
    assert_string_equal(patients->source, source);
    assert_int_equal(patients->protection, POLICY_UNIT_COLUMN);
    assert_ptr_equal(patients->unit_column, column(patients, "patient_id"));
    assert_ptr_equal(patients->unit, patients);
    assert_ptr_equal(patients->tag, patients->unit_column);
    assert_int_equal(patients->path_length, 0);
    assert_int_equal(patients->rows_per_unit, 1);
    assert_int_equal(patients->max_rows, 1);
    assert_int_equal(patients->max_groups, 1);
    const struct policy_column *age = column(patients, "age");
    assert_int_equal(age->type, POLICY_INTEGER);
    assert_true(age->nullable && age->has_range && !age->peeked);
    assert_int_equal(age->lower.whole, 0);
    assert_int_equal(age->upper.whole, 120);
    const struct policy_column *region = column(patients, "region");
    const char *const regions[] = {"north", "south", "east", "west"};
    assert_int_equal(region->type, POLICY_TEXT);
    assert_int_equal(region->value_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(region->values[i].text, regions[i]);
    const struct policy_column *disease = column(patients, "disease");
    assert_int_equal(disease->value_count, 0);
    assert_false(disease->has_range);
}

static void check_visits(const struct policy_table *visits, const struct policy_table *patients)
{
    assert_null(visits->source);
    assert_int_equal(visits->protection, POLICY_UNIT_JOIN);
    assert_int_equal(visits->max_rows, 20);
    assert_int_equal(visits->max_groups, 3);
    assert_int_equal(visits->rows_per_unit, 0);
    assert_ptr_equal(visits->parent, patients);
    assert_int_equal(visits->key_count, 1);
    assert_ptr_equal(visits->keys[0].column, column(visits, "patient_id"));
    assert_ptr_equal(visits->keys[0].parent_column, column(patients, "patient_id"));
    assert_ptr_equal(visits->unit, patients);
    assert_int_equal(visits->path_length, 1);
    assert_int_equal(visits->joins, 0); /* its own column is the unit */
    assert_ptr_equal(visits->tag, column(visits, "patient_id"));
    const struct policy_column *day = column(visits, "day"), *cost = column(visits, "cost");
    assert_int_equal(day->type, POLICY_DATE);
    assert_int_equal(day->lower.whole, 1704067200 / 86400);
    assert_int_equal(day->upper.whole, 1798675200 / 86400);
    assert_true(cost->lower.real == 0 && cost->upper.real == 5000);
    assert_int_equal(cost->grid_exponent, -4); /* 5000/2^16 = 0.0763: 2^-4 = 0.0625 */
    assert_true(cost->grid == 0.0625);
}

static void check_budget(const struct policy *policy)
{
    const struct policy_budget *budget = &policy->budget;
    assert_int_equal(budget->currency, LEDGER_APPROXIMATE);
    assert_amount(budget->total.epsilon, "10");
    assert_amount(budget->total.delta, "0.000001");
    assert_amount(budget->total.rho, "0");
    assert_amount(budget->per_question, "0.1");
    assert_amount(budget->delta_per_question, "0.000000001");
    assert_amount(budget->max_per_question, "1");
    assert_ptr_equal(budget->block_table, &policy->tables[0]);
    assert_ptr_equal(budget->block, column(&policy->tables[0], "region"));
    assert_int_equal(policy->group_count, 1);
    assert_string_equal(policy->groups[0].name, "interns");
    assert_amount(policy->groups[0].cap.epsilon, "1");
    assert_amount(policy->groups[0].cap.delta, "unlimited");
    assert_string_equal(policy->analysts[0].name, "alice");
    assert_amount(policy->analysts[0].cap.epsilon, "3");
    assert_int_equal(policy->analysts[0].group_count, 0);
    assert_string_equal(policy->analysts[1].name, "bob");
    assert_amount(policy->analysts[1].cap.epsilon, "3");
    assert_int_equal(policy->analysts[1].group_count, 1);
    assert_int_equal(policy->analysts[1].groups[0], 0);
    assert_int_equal(policy->timing_step_milliseconds, 100);
    assert_false(policy->synthetic); /* unless it is said */
}

static void the_example_of_the_design_is_read_whole(void **state)
{
    (void)state;
    const struct policy *policy = read_as(design, "folder/hospital.yaml");
    assert_string_equal(policy->file, "folder/hospital.yaml");
    assert_string_equal(policy->dataset, "hospital");
    assert_int_equal(policy->version, 1);
    assert_null(policy->description);
    assert_int_equal(policy->engine.kind, POLICY_ENGINE_DUCKDB);
    assert_string_equal(policy->engine.place, "folder/hospital.duckdb");
    assert_int_equal(policy->engine.line, 3);
    assert_string_equal(policy->ledger, "folder/hospital.ledger");
    assert_int_equal(policy->table_count, 3);
    check_patients(&policy->tables[0], "folder/patients.csv");
    assert_int_equal(policy->tables[0].line, 6);
    assert_int_equal(column(&policy->tables[0], "age")->line, 12);
    const struct policy_column *salary = column(&policy->tables[0], "salary");
    assert_int_equal(salary->type, POLICY_REAL);
    assert_int_equal(salary->grid_exponent, 0); /* 100000/2^16 = 1.53 */
    check_visits(&policy->tables[1], &policy->tables[0]);
    assert_int_equal(policy->tables[2].protection, POLICY_PUBLIC);
    assert_int_equal(policy->tables[2].column_count, 0);
    assert_null(policy->tables[2].unit);
    check_budget(policy);
    assert_int_equal(policy->budget.renewal, LEDGER_NEVER);
    assert_false(policy->budget.block_immutable);
    assert_int_equal(policy->analyst_count, 2);
    assert_null(policy->peeked);
    assert_ptr_equal(policy_find_table(policy, "visits"), &policy->tables[1]);
    assert_null(policy_find_table(policy, "Visits"));
    assert_int_equal(policy->warnings->line, 15); /* disease has no values */
    assert_null(policy->warnings->next);
}

/* The first block of docs/policy.md that is marked as YAML. */
static const char *example_of_the_docs(void)
{
    static char text[20000];
    const char *source = getenv("SOURCE_DIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/policy.md", source != NULL ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    char *start = strstr(text, "```yaml\n");
    assert_non_null(start);
    start += strlen("```yaml\n");
    char *stop = strstr(start, "```");
    assert_non_null(stop);
    *stop = '\0';
    return start;
}

static void check_new_columns(const struct policy_table *patients, const struct policy_table *visits)
{
    assert_false(column(patients, "patient_id")->nullable);
    assert_int_equal(column(patients, "salary")->grid_exponent, -4);
    const struct policy_column *balance = column(patients, "balance");
    assert_int_equal(balance->type, POLICY_DECIMAL);
    assert_int_equal(balance->scale, 2);
    assert_int_equal(balance->lower.whole, -50000);
    assert_int_equal(balance->upper.whole, 9999999);
    assert_int_equal(column(patients, "insured")->type, POLICY_BOOLEAN);
    assert_string_equal(column(patients, "disease")->description, "ICD-10, three letters");
    const struct policy_column *seen = column(visits, "seen");
    assert_int_equal(seen->type, POLICY_TIMESTAMP);
    assert_true(seen->lower.whole == INT64_C(1704067200) * 1000000);
    assert_true(seen->upper.whole == INT64_C(1798761599) * 1000000);
}

static void the_example_of_the_docs_is_read_whole(void **state)
{
    (void)state;
    const struct policy *policy = read_as(example_of_the_docs(), "hospital.yaml");
    const struct policy_table *patients = &policy->tables[0], *visits = &policy->tables[1];
    const struct policy_table *prescriptions = policy_find_table(policy, "prescriptions");
    assert_string_equal(policy->description, "Visits to the four hospitals of the county");
    assert_string_equal(policy->engine.place, "hospital.duckdb");
    check_patients(patients, "patients.csv");
    check_visits(visits, patients);
    check_new_columns(patients, visits);
    assert_true(prescriptions->view_per_unit && !visits->view_per_unit);
    assert_ptr_equal(prescriptions->unit, patients);
    assert_int_equal(prescriptions->path_length, 2);
    assert_int_equal(prescriptions->joins, 1);
    assert_ptr_equal(prescriptions->tag, column(visits, "patient_id"));
    assert_ptr_equal(policy->peeked, column(prescriptions, "packs"));
    check_budget(policy);
    assert_int_equal(policy->budget.renewal, LEDGER_MONTHLY);
    assert_true(policy->budget.block_immutable);
    assert_int_equal(policy->analyst_count, 3);
    assert_amount(policy->analysts[2].cap.epsilon, "unlimited");
}

static void a_policy_is_read_from_its_file(void **state)
{
    (void)state;
    char path[] = "/tmp/dither-policy-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_true(fputs(design, file) >= 0);
    fclose(file);
    const struct policy *policy = NULL;
    error why;
    status result = policy_read(path, &arena, &policy, &why);
    remove(path);
    assert_int_equal(result, DITHER_OK);
    assert_string_equal(policy->tables[0].source, "/tmp/patients.csv");
    assert_int_equal(policy_read(path, &arena, &policy, &why), DITHER_IO);
    assert_non_null(strstr(why.message, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_example_of_the_design_is_read_whole, begin, end),
        cmocka_unit_test_setup_teardown(the_example_of_the_docs_is_read_whole, begin, end),
        cmocka_unit_test_setup_teardown(a_policy_is_read_from_its_file, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
