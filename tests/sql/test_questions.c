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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/test.h"
#include "tests/support/town.h"

static struct arena lasting;
static const struct sql_catalogue *catalogue;

static int begin(void **state)
{
    (void)state;
    arena_init(&lasting, POLICY_ARENA_BYTES);
    catalogue = town_catalogue(&lasting);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&lasting);
    return 0;
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

static bool expect(const struct town_block *block, const struct outcome *outcome, const char *what,
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

static size_t check_block(const char *file, const struct town_block *block)
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
    char *text = town_read(file), *rest = text;
    struct town_block *block = calloc(1, sizeof *block);
    size_t count = 0, wrong = 0;
    int line = 0;
    while (town_next_block(&rest, &line, block)) {
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
