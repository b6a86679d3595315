/* Questions in SQL files: which are accepted, what becomes of them, and which are refused, where and in which words.
 *
 * A file is blocks, separated by blank lines:
 *
 *     -- a title
 *     SELECT ...                        the question, on as many lines as it takes
 *     --> refused: words                the message holds these words
 *     --> at: text                      and points to this text of the question ("-": to nothing)
 *
 *     --> releases: 2                   how many are made
 *     --> columns: region, n            what the analyst sees
 *     --> has: join on the unit         the description of the plan holds this (each line of it trimmed)
 *     --> lacks: window                 or not
 *     --> one row: yes                  the first release's input is proved to have one row for each unit
 *
 * Every block must say something. What is expected is written by hand from the rules of tagged relations. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

/* A hospital; a shop whose units are reached over two joins, one with a key of two columns; events without any
 * unit but themselves; letters, whose owner proved nothing. */
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

static struct arena lasting;
static const struct sql_catalogue *catalogue;

/* All keys are proved but that of writers. */
static int begin(void **state)
{
    (void)state;
    arena_init(&lasting, POLICY_ARENA_BYTES);
    catalogue = catalogue_of(policy_text, &lasting);
    for (size_t i = 0; i < catalogue->table_count; i++) {
        struct sql_table *table = NULL; /* made by catalogue_of, in the arena */
        const struct sql_table *found = &catalogue->tables[i];
        memcpy(&table, &found, sizeof table);
        if (strcmp(table->declared->name, "writers") == 0)
            table->unique_count = 0;
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&lasting);
    return 0;
}

/* ---- Reading a file ---- */

enum { MOST_EXPECTATIONS = 24, BLOCK_BYTES = 4096 };

struct block {
    int line;
    char title[200];
    char question[BLOCK_BYTES];
    char expected[MOST_EXPECTATIONS][300];
    size_t expected_count;
};

static char *read_all(const char *name)
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

static void add_line(struct block *block, const char *line)
{
    if (strncmp(line, "--> ", 4) == 0) {
        assert_true(block->expected_count < MOST_EXPECTATIONS);
        snprintf(block->expected[block->expected_count++], sizeof block->expected[0], "%s", line + 4);
    } else if (strncmp(line, "-- ", 3) == 0) {
        snprintf(block->title, sizeof block->title, "%s", line + 3);
    } else {
        size_t length = strlen(block->question);
        snprintf(block->question + length, sizeof block->question - length, "%s%s", length > 0 ? "\n" : "",
                 line);
    }
}

/* The next block of the text, or false. Lines that begin with "---" are remarks. */
static bool next_block(char **text, int *line_number, struct block *block)
{
    *block = (struct block){.line = 0};
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

/* ---- Checking a block ---- */

struct outcome {
    status status;
    error why;
    const struct sql_plan *plan;
    struct buffer description;
};

static void describe(struct outcome *outcome)
{
    struct buffer raw;
    buffer_init(&raw, 1 << 20);
    sql_describe_relation(&raw, outcome->plan->result);
    assert_false(raw.failed);
    bool start = true;
    for (size_t i = 0; i < raw.length; i++) {
        if (start && raw.data[i] == ' ')
            continue;
        start = raw.data[i] == '\n';
        buffer_byte(&outcome->description, raw.data[i]);
    }
    buffer_byte(&outcome->description, '\0');
    buffer_free(&raw);
}

static void visible_columns(const struct sql_relation *relation, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < relation->column_count; i++)
        if (!relation->columns[i].hidden && length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       relation->columns[i].name);
}

static bool expect(const struct block *block, const struct outcome *outcome, const char *what,
                   const char *value)
{
    char columns[1000], number[20];
    bool refused = outcome->status != DITHER_OK;
    if (strcmp(what, "refused") == 0)
        return refused && strstr(outcome->why.message, value) != NULL;
    if (strcmp(what, "at") == 0 && strcmp(value, "-") == 0)
        return refused && outcome->why.position == -1;
    if (strcmp(what, "at") == 0)
        return refused && outcome->why.position >= 0 &&
               (size_t)outcome->why.position < strlen(block->question) &&
               strncmp(block->question + outcome->why.position, value, strlen(value)) == 0;
    if (refused)
        return false;
    snprintf(number, sizeof number, "%zu", outcome->plan->release_count);
    visible_columns(outcome->plan->result, columns, sizeof columns);
    if (strcmp(what, "releases") == 0)
        return strcmp(value, number) == 0;
    if (strcmp(what, "columns") == 0)
        return strcmp(value, columns) == 0;
    if (strcmp(what, "has") == 0)
        return strstr(outcome->description.data, value) != NULL;
    if (strcmp(what, "lacks") == 0)
        return strstr(outcome->description.data, value) == NULL;
    if (strcmp(what, "one row") == 0)
        return outcome->plan->release_count > 0 &&
               outcome->plan->releases[0]->one_row == (strcmp(value, "yes") == 0);
    return false;
}

static size_t check_block(const char *file, const struct block *block)
{
    struct arena arena;
    struct outcome outcome = {.why = {.message = ""}};
    struct sql_options options = {.other = false};
    size_t wrong = 0;
    arena_init(&arena, SQL_ARENA_BYTES);
    buffer_init(&outcome.description, 1 << 20);
    outcome.status = sql_plan(block->question, strlen(block->question), catalogue, &options, &arena,
                              &outcome.plan, &outcome.why);
    if (outcome.status == DITHER_OK)
        describe(&outcome);
    for (size_t i = 0; i < block->expected_count; i++) {
        char what[300];
        snprintf(what, sizeof what, "%s", block->expected[i]);
        char *colon = strstr(what, ": ");
        if (colon == NULL)
            fail_msg("%s:%d: an expectation has the form \"what: value\": %s", file, block->line, what);
        *colon = '\0';
        if (expect(block, &outcome, what, colon + 2))
            continue;
        wrong++;
        print_error("%s:%d: %s\n  expected %s\n", file, block->line, block->title, block->expected[i]);
    }
    if (wrong > 0 && outcome.status != DITHER_OK)
        print_error("  refused at %d \"%.20s\": %s\n", outcome.why.position,
                    outcome.why.position >= 0 ? block->question + outcome.why.position : "",
                    outcome.why.message);
    else if (wrong > 0)
        print_error("%s", outcome.description.data);
    buffer_free(&outcome.description);
    arena_free(&arena);
    return wrong;
}

static void check_file(const char *file, bool refusals, size_t at_least)
{
    char *text = read_all(file), *rest = text;
    struct block *block = calloc(1, sizeof *block);
    size_t count = 0, wrong = 0;
    int line = 0;
    while (next_block(&rest, &line, block)) {
        count++;
        if (block->title[0] == '\0' || block->expected_count == 0)
            fail_msg("%s:%d: a block has a title and something that is expected", file, block->line);
        if ((strncmp(block->expected[0], "refused: ", 9) == 0) != refusals)
            fail_msg("%s:%d: this block belongs into the other file", file, block->line);
        wrong += check_block(file, block);
    }
    free(block);
    free(text);
    assert_int_equal(wrong, 0);
    assert_true(count >= at_least);
}

static void what_must_be_refused_is_refused_with_words_and_a_position(void **state)
{
    (void)state;
    check_file("refusals.sql", true, 80);
}

static void what_must_be_accepted_becomes_the_plan_that_the_rules_say(void **state)
{
    (void)state;
    check_file("accepted.sql", false, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_be_refused_is_refused_with_words_and_a_position),
        cmocka_unit_test(what_must_be_accepted_becomes_the_plan_that_the_rules_say),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
