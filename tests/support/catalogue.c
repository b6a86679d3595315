#include "tests/support/catalogue.h"

#include <string.h>

#include "tests/support/test.h"

const char catalogue_hospital[] =
    "dataset: hospital\n"
    "tables:\n"
    "  patients:\n"
    "    source: patients.csv\n"
    "    unit: patient_id\n"
    "    rows_per_unit: 1\n"
    "    columns:\n"
    "      patient_id: {type: integer}\n"
    "      age:     {type: integer, range: [0, 120]}\n"
    "      region:  {type: text, values: [north, south, east, west]}\n"
    "      salary:  {type: real, range: [0, 100000]}\n"
    "      disease: {type: text}\n"
    "      born:    {type: date, range: [1900-01-01, 2026-12-31]}\n"
    "      insured: {type: boolean}\n"
    "  visits:\n"
    "    source: visits.csv\n"
    "    join: {patient_id: patients.patient_id}\n"
    "    max_rows: 20\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      visit_id:   {type: integer}\n"
    "      patient_id: {type: integer}\n"
    "      clinic_id:  {type: integer, range: [1, 50]}\n"
    "      day:  {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      cost: {type: real, range: [0, 5000]}\n"
    "  items:\n"
    "    source: items.csv\n"
    "    join: {visit_id: visits.visit_id}\n"
    "    max_rows: 50\n"
    "    max_groups: 5\n"
    "    columns:\n"
    "      visit_id: {type: integer}\n"
    "      kind:     {type: text, values: [drug, scan, bed]}\n"
    "      price:    {type: decimal, scale: 2, range: [0, 1000]}\n"
    "  notes:\n"
    "    source: notes.csv\n"
    "    unit: row\n"
    "    columns:\n"
    "      words: {type: integer, range: [0, 1000]}\n"
    "  clinics:\n"
    "    source: clinics.csv\n"
    "    public: true\n"
    "    columns:\n"
    "      clinic_id: {type: integer}\n"
    "      city:      {type: text}\n"
    "budget: {epsilon: 10, delta: 1e-6, per_question: 0.1, delta_per_question: 1e-9, max_per_question: 1}\n";

static void *take(struct arena *arena, size_t size)
{
    void *room = NULL;
    assert_int_equal(arena_take(arena, size, &room, NULL), DITHER_OK);
    return room;
}

static void add_unique(struct arena *arena, struct sql_table *table, const size_t *columns, size_t count)
{
    struct sql_unique *uniques = take(arena, (table->unique_count + 1) * sizeof *uniques);
    if (table->unique_count > 0)
        memcpy(uniques, table->uniques, table->unique_count * sizeof *uniques);
    size_t *copy = take(arena, count * sizeof *copy);
    memcpy(copy, columns, count * sizeof *copy);
    uniques[table->unique_count++] = (struct sql_unique){.columns = copy, .column_count = count};
    table->uniques = uniques;
}

const struct sql_catalogue *catalogue_of(const char *policy_text, struct arena *arena)
{
    const struct policy *policy = NULL;
    error why;
    if (policy_read_text(policy_text, strlen(policy_text), "test.yaml", arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    struct sql_table *tables = take(arena, policy->table_count * sizeof *tables);
    for (size_t i = 0; i < policy->table_count; i++) {
        const struct policy_table *declared = &policy->tables[i];
        tables[i] = (struct sql_table){
            .declared = declared, .columns = declared->columns, .column_count = declared->column_count};
    }
    for (size_t i = 0; i < policy->table_count; i++) {
        const struct policy_table *declared = &policy->tables[i];
        size_t first = 0;
        if (declared->protection == POLICY_UNIT_COLUMN && declared->rows_per_unit == 1) {
            size_t unit = (size_t)(declared->unit_column - declared->columns);
            add_unique(arena, &tables[i], &unit, 1);
        }
        if (declared->protection == POLICY_PUBLIC && declared->column_count > 0)
            add_unique(arena, &tables[i], &first, 1);
        if (declared->protection != POLICY_UNIT_JOIN)
            continue;
        size_t columns[8];
        assert_true(declared->key_count <= 8);
        for (size_t k = 0; k < declared->key_count; k++)
            columns[k] = (size_t)(declared->keys[k].parent_column - declared->parent->columns);
        add_unique(arena, &tables[declared->parent - policy->tables], columns, declared->key_count);
    }
    struct sql_catalogue *catalogue = take(arena, sizeof *catalogue);
    *catalogue =
        (struct sql_catalogue){.policy = policy, .tables = tables, .table_count = policy->table_count};
    return catalogue;
}
