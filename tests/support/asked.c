#include "tests/support/asked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "curator/format.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static FILE *file_in(const struct asked *asked, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", asked->folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fail_msg("%s cannot be written", path);
    return file;
}

static void write_people(const struct asked *asked)
{
    static const char *const regions[] = {"north", "south", "east", "west"};
    FILE *file = file_in(asked, "people.csv");
    fputs("id,age,region,salary,disease\n", file);
    for (size_t i = 0; i < asked->people; i++) {
        fprintf(file, "%zu,%zu,%s,", i, i % 100, regions[i % 4]);
        if (i % 10 != 0)
            fprintf(file, "%zu", i % 1000);
        fprintf(file, ",%s\n", i + 1 == asked->people ? "rare" : i % 3 == 0 ? "flu" : "cold");
    }
    fclose(file);
}

static void write_visits(const struct asked *asked)
{
    FILE *file = file_in(asked, "visits.csv");
    fputs("person,clinic,cost\n", file);
    for (size_t i = 0; i < asked->people; i++)
        for (size_t k = 0; k < i % 4; k++)
            fprintf(file, "%zu,%zu,%zu\n", i, (i + k) % 3, 100 * k);
    fclose(file);
    file = file_in(asked, "clinics.csv");
    fputs("clinic,name\n0,abbey\n1,bridge\n2,castle\n", file);
    fclose(file);
}

static void write_policy(const struct asked *asked)
{
    FILE *file = file_in(asked, "policy.yaml");
    fprintf(file,
            "dataset: asked\n"
            "tables:\n"
            "  people:\n"
            "    source: people.csv\n"
            "    unit: id\n"
            "    rows_per_unit: 1\n"
            "    columns:\n"
            "      id: {type: integer, null: false}\n"
            "      age: {type: integer, range: [0, 99], null: false}\n"
            "      region: {type: text, values: [north, south, east, west], null: false}\n"
            "      salary: {type: real, range: [0, 1000]}\n"
            "      disease: {type: text, null: false}\n"
            "  visits:\n"
            "    source: visits.csv\n"
            "    join: {person: people.id}\n"
            "    max_rows: 3\n"
            "    max_groups: 3\n"
            "    columns:\n"
            "      person: {type: integer, null: false}\n"
            "      clinic: {type: integer, range: [0, 2], null: false}\n"
            "      cost: {type: real, range: [0, 500], null: false}\n"
            "  clinics:\n"
            "    source: clinics.csv\n"
            "    public: true\n"
            "    columns:\n"
            "      clinic: {type: integer}\n"
            "      name: {type: text}\n"
            "budget:\n%s%s",
            asked->budget, asked->more);
    fclose(file);
}

static void ignore(void *context, enum engine_severity severity, const char *line)
{
    (void)context;
    (void)severity;
    (void)line;
}

static void prove(struct asked *asked)
{
    struct arena arena;
    const struct policy *policy = NULL;
    arena_init(&arena, POLICY_ARENA_BYTES);
    if (policy_read(asked->policy, &arena, &policy, &asked->why) != DITHER_OK ||
        engine_prove(policy, ignore, NULL, &asked->why) != DITHER_OK)
        fail_msg("%s", asked->why.message);
    arena_free(&arena);
}

void asked_reopen(struct asked *asked)
{
    struct curator_options options = {
        .engine = {.threads = 1}, .state_directory = asked->state, .random = asked->random};
    curator_close(asked->curator);
    asked->curator = NULL;
    if (curator_open(asked->policy, &options, &asked->curator, &asked->why) != DITHER_OK)
        fail_msg("%s", asked->why.message);
}

void asked_open(struct asked *asked, size_t people, const char *budget, const char *more)
{
    *asked = (struct asked){.people = people, .budget = budget, .more = more};
    snprintf(asked->folder, sizeof asked->folder, "/tmp/dither-asked-XXXXXX");
    if (mkdtemp(asked->folder) == NULL)
        fail_msg("no folder can be made");
    snprintf(asked->policy, sizeof asked->policy, "%s/policy.yaml", asked->folder);
    snprintf(asked->state, sizeof asked->state, "%s/state", asked->folder);
    setenv("XDG_STATE_HOME", asked->state, 1);
    write_people(asked);
    write_visits(asked);
    write_policy(asked);
    prove(asked);
    asked->random = fixed_source(4);
    asked_reopen(asked);
}

void asked_close(struct asked *asked)
{
    char command[128];
    curator_answer_free(asked->answer);
    curator_close(asked->curator);
    random_close(asked->random);
    snprintf(command, sizeof command, "rm -rf '%s'", asked->folder);
    if (system(command) != 0)
        fail_msg("%s failed", command);
    *asked = (struct asked){0};
}

status asked_try(struct asked *asked, const struct curator_question *question)
{
    curator_answer_free(asked->answer);
    asked->answer = NULL;
    return curator_ask(asked->curator, question, &asked->answer, &asked->why);
}

const struct curator_answer *asked_question(struct asked *asked, const char *text)
{
    if (asked_try(asked, &(struct curator_question){.text = text}) != DITHER_OK)
        fail_msg("%s: %s", text, asked->why.message);
    return asked->answer;
}

const char *asked_cell(const struct asked *asked, size_t row, size_t column)
{
    static char texts[4][256];
    static size_t turn;
    char *text = texts[turn++ % 4];
    struct buffer out;
    buffer_init(&out, 1 << 16);
    assert_true(row < asked->answer->rows.row_count && column < asked->answer->column_count);
    format_value(&out, sql_rows_cell(&asked->answer->rows, row, column));
    snprintf(text, 256, "%s", out.data != NULL ? out.data : "");
    buffer_free(&out);
    return text;
}

const char *asked_rows(const struct asked *asked)
{
    static char text[65536];
    size_t length = 0;
    text[0] = '\0';
    for (size_t row = 0; row < asked->answer->rows.row_count; row++)
        for (size_t i = 0; i < asked->answer->column_count; i++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       i > 0     ? ","
                                       : row > 0 ? ";"
                                                 : "",
                                       asked_cell(asked, row, i));
            assert_true(length < sizeof text);
        }
    return text;
}

const char *asked_left(struct asked *asked, const char *analyst)
{
    static char text[LEDGER_COST_TEXT];
    struct curator_question question = {.text = "SELECT 1 AS one", .analyst = analyst};
    if (asked_try(asked, &question) != DITHER_OK)
        fail_msg("%s", asked->why.message);
    ledger_cost_print(asked->answer->remaining, asked->answer->currency, text);
    return text;
}

void asked_as(struct asked *asked, const char *analyst, const char *text)
{
    struct curator_question question = {.text = text, .analyst = analyst};
    if (asked_try(asked, &question) != DITHER_OK)
        fail_msg("%s: %s", text, asked->why.message);
}

void asked_expect_cost(const struct asked *asked, const char *epsilon)
{
    char printed[DECIMAL_TEXT];
    decimal_print(asked->answer->cost.epsilon, printed);
    assert_string_equal(printed, epsilon);
}

void asked_expect_left(struct asked *asked, const char *analyst, const char *left)
{
    assert_string_equal(asked_left(asked, analyst), left);
}
