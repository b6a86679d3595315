#include "tests/support/town.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/catalogue.h"
#include "tests/support/test.h"

static const char policy_text[] =
    "dataset: town\n"
    "engine: {duckdb: town.duckdb}\n"
    "tables:\n"
    "  patients:\n"
    "    unit: patient_id\n"
    "    rows_per_unit: 1\n"
    "    columns:\n"
    "      patient_id: {type: integer}\n"
    "      age:     {type: integer, range: [0, 120]}\n"
    "      region:  {type: text, values: [north, south, east, west]}\n"
    "      salary:  {type: real, range: [0, 100000]}\n"
    "      disease: {type: text}\n"
    "      home_clinic: {type: integer, range: [1, 50]}\n"
    "      Height:  {type: real, range: [0, 250]}\n"
    "      born:    {type: date, range: [1900-01-01, 2026-12-31]}\n"
    "      insured: {type: boolean}\n"
    "      weight:  {type: real}\n"
    "  visits:\n"
    "    join: {patient_id: patients.patient_id}\n"
    "    max_rows: 20\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      patient_id: {type: integer}\n"
    "      clinic_id:  {type: integer, range: [1, 50]}\n"
    "      day:  {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      cost: {type: real, range: [0, 5000]}\n"
    "      reason: {type: text}\n"
    "  readings:\n"
    "    unit: patient_id\n"
    "    max_rows: 50\n"
    "    max_groups: 5\n"
    "    columns:\n"
    "      patient_id: {type: integer}\n"
    "      day:   {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      pulse: {type: integer, range: [20, 250]}\n"
    "  clinics:\n"
    "    public: true\n"
    "    columns:\n"
    "      clinic_id: {type: integer}\n"
    "      city:      {type: text}\n"
    "      beds:      {type: integer}\n"
    "  towns:\n"
    "    public: true\n"
    "    columns:\n"
    "      name: {type: text}\n"
    "      city: {type: text}\n"
    "  customers:\n"
    "    unit: household\n"
    "    max_rows: 5\n"
    "    max_groups: 2\n"
    "    columns:\n"
    "      id: {type: integer}\n"
    "      household: {type: integer}\n"
    "      city: {type: text, values: [Bonn, Kiel]}\n"
    "  orders:\n"
    "    join: {customer_id: customers.id}\n"
    "    max_rows: 10\n"
    "    max_groups: 2\n"
    "    columns:\n"
    "      shop: {type: text}\n"
    "      number: {type: integer}\n"
    "      customer_id: {type: integer}\n"
    "      placed: {type: date, range: [2024-01-01, 2026-12-31]}\n"
    "      total: {type: decimal, scale: 2, range: [0, 1000]}\n"
    "  items:\n"
    "    join: [{shop: orders.shop}, {order_number: orders.number}]\n"
    "    max_rows: 30\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      shop: {type: text}\n"
    "      order_number: {type: integer}\n"
    "      product: {type: text}\n"
    "      price: {type: decimal, scale: 2, range: [0, 100]}\n"
    "  parcels:\n"
    "    join: [{shop: orders.shop}, {order_number: orders.number}]\n"
    "    max_rows: 30\n"
    "    max_groups: 3\n"
    "    columns:\n"
    "      shop: {type: text}\n"
    "      order_number: {type: integer}\n"
    "      weight: {type: real, range: [0, 30]}\n"
    "  events:\n"
    "    unit: row\n"
    "    columns:\n"
    "      kind: {type: text, values: [a, b]}\n"
    "      size: {type: integer, range: [0, 9]}\n"
    "  writers:\n"
    "    unit: person\n"
    "    max_rows: 5\n"
    "    max_groups: 2\n"
    "    columns: {id: {type: integer}, person: {type: integer}}\n"
    "  letters:\n"
    "    join: {writer: writers.id}\n"
    "    max_rows: 5\n"
    "    max_groups: 2\n"
    "    columns: {writer: {type: integer}, pages: {type: integer, range: [0, 20]}}\n"
    "budget: {epsilon: 10, delta: 1e-6, per_question: 0.1, delta_per_question: 1e-9, max_per_question: 1}\n";

const struct sql_catalogue *town_catalogue(struct arena *arena)
{
    const struct sql_catalogue *catalogue = catalogue_of(policy_text, arena);
    for (size_t i = 0; i < catalogue->table_count; i++) {
        struct sql_table *table = NULL; /* made by catalogue_of, in the arena */
        const struct sql_table *found = &catalogue->tables[i];
        memcpy(&table, &found, sizeof table);
        if (strcmp(table->declared->name, "writers") == 0)
            table->unique_count = 0;
    }
    return catalogue;
}

char *town_read(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/sql/%s", getenv("SOURCE_DIR"), name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    char *text = calloc(1, 1 << 20);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(length > 0 && length < (1 << 20) - 1);
    fclose(file);
    return text;
}

static void add_line(struct town_block *block, const char *line)
{
    if (strncmp(line, "--> ", 4) == 0) {
        assert_true(block->expected_count < TOWN_MOST_EXPECTATIONS);
        snprintf(block->expected[block->expected_count++], sizeof block->expected[0], "%s", line + 4);
    } else if (strncmp(line, "-- ", 3) == 0) {
        snprintf(block->title, sizeof block->title, "%s", line + 3);
    } else {
        size_t length = strlen(block->question);
        snprintf(block->question + length, sizeof block->question - length, "%s%s", length > 0 ? "\n" : "",
                 line);
    }
}

bool town_next_block(char **text, int *line_number, struct town_block *block)
{
    *block = (struct town_block){.line = 0};
    while (**text != '\0') {
        char *line = *text, *stop = strchr(line, '\n');
        (*line_number)++;
        *text = stop != NULL ? stop + 1 : line + strlen(line);
        if (stop != NULL)
            *stop = '\0';
        if (line[0] == '\0' && block->question[0] != '\0')
            return true;
        if (line[0] == '\0' || strncmp(line, "---", 3) == 0)
            continue;
        block->line = block->line == 0 ? *line_number : block->line;
        add_line(block, line);
    }
    return block->question[0] != '\0';
}
