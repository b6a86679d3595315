/* `dither budget` on a ledger that the test made: the figures it prints, what it says of a broken ledger, and
 * the owner's act. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/cli.h"
#include "tests/support/capture.h"
#include "tests/support/ledger.h"

static struct capture capture;

/* Alice spends 0.5 of her 3 on everything, bob 0.25 on the north, and carol is stopped. */
static int setup(void **state)
{
    static struct ledger_fixture fixture;
    static const size_t north[] = {NORTH};
    struct ledger_release confined = release("north", "0.25");
    confined.blocks = north;
    confined.block_count = 1;
    fixture_init(&fixture);
    setenv("XDG_STATE_HOME", fixture.folder, 1);
    fixture.options.state_directory = NULL; /* as the program has it */
    fixture_open(&fixture);
    assert_ok(&fixture, fixture_ask(&fixture, "alice", release("all", "0.5"), "1042"));
    assert_ok(&fixture, fixture_ask(&fixture, "bob", confined, "377"));
    assert_ok(&fixture, ledger_stop(fixture.ledger, "carol", "the engine failed", &fixture.why));
    fixture_close(&fixture);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

/* Runs the command on a policy or a ledger with up to two more arguments. */
static int budget_of(const char *place, const char *first, const char *second)
{
    char words[3][160];
    char *arguments[4] = {NULL};
    int count = 1;
    strcpy(words[0], place);
    if (first != NULL)
        strcpy(words[count++], first);
    if (second != NULL)
        strcpy(words[count++], second);
    for (int i = 0; i < count; i++)
        arguments[i] = words[i];
    capture_begin(&capture);
    int result = cli_budget.run(count, arguments);
    capture_end(&capture);
    return result;
}

static int budget(struct ledger_fixture *fixture, const char *first, const char *second)
{
    return budget_of(fixture->file, first, second);
}

static void expect_line(const char *line)
{
    if (strstr(capture.out, line) == NULL)
        fail_msg("\"%s\" is not in\n%s", line, capture.out);
}

static void spent_and_left_are_shown_with_bars(void **state)
{
    assert_int_equal(budget(*state, NULL, NULL), CLI_DONE);
    expect_line("hospital, data version 1, 7 entries\n");
    expect_line("dataset  hospital  #...................           0.75  9.25     10      0.75");
    expect_line("block    south     #...................           0.5   9.5      10      0.5");
    expect_line("group    interns   #####...............           0.25  0.75      1      0.25"); /* a quarter
                                                                                                     of 20 */
    expect_line(
        "analyst  alice     ###.................           0.5   2.5       3      0.5"); /* a sixth of 20 */
    expect_line("stopped");
    expect_line("alice       0.5   yes       SELECT count(*) FROM patients");
    assert_string_equal(capture.err, "");
}

static void a_policy_leads_to_its_ledger(void **state)
{
    struct ledger_fixture *fixture = *state;
    char policy[160];
    snprintf(policy, sizeof policy, "%s/policy.yaml", fixture->folder);
    FILE *file = fopen(policy, "w");
    assert_non_null(file);
    fprintf(file, "dataset: hospital\nledger: {sqlite: %s}\n", strrchr(fixture->file, '/') + 1);
    fclose(file);
    assert_int_equal(budget_of(policy, "--verify", NULL), CLI_DONE);
    expect_line("sound: 7 entries");
    file = fopen(policy, "w");
    assert_non_null(file);
    fprintf(file, "dataset: hospital\nledger: nowhere\n");
    fclose(file);
    assert_int_equal(budget_of(policy, NULL, NULL), CLI_FAILED);
    assert_non_null(strstr(capture.err, "policy.yaml:2: ledger must be"));
}

static void json_can_be_read_by_programs(void **state)
{
    assert_int_equal(budget(*state, "--format", "json"), CLI_DONE);
    json_t *root = json_loads(capture.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    json_t *left = json_object_get(json_object_get(root, "left"), "epsilon");
    assert_true(json_number_value(left) == 9.25);
    json_decref(root);
}

static void csv_has_every_entry(void **state)
{
    int lines = 0;
    assert_int_equal(budget(*state, "--csv", NULL), CLI_DONE);
    for (const char *next = capture.out; (next = strchr(next, '\n')) != NULL; next++)
        lines++;
    assert_int_equal(lines, 1 + 7);
    expect_line("3,2023-11-14T22:13:20Z,reserve,alice,,"); /* 1700000000 */
}

static void verify_names_the_first_broken_link(void **state)
{
    struct ledger_fixture *fixture = *state;
    assert_int_equal(budget(fixture, "--verify", NULL), CLI_DONE);
    expect_line("sound: 7 entries");
    fixture_tamper(fixture, "UPDATE entry SET body = replace(body, '0.25', '0.01') WHERE number = 5");
    assert_int_equal(budget(fixture, "--verify", NULL), CLI_FAILED);
    assert_string_equal(capture.out, "");
    assert_non_null(strstr(capture.err, "dither: the ledger is broken at entry 5:"));
    assert_int_equal(budget(fixture, NULL, NULL), CLI_FAILED); /* and nothing is shown of it */
    assert_string_equal(capture.out, "");
}

static void the_owner_lifts_a_stop(void **state)
{
    struct ledger_fixture *fixture = *state;
    assert_int_equal(budget(fixture, "--lift", "carol"), CLI_DONE);
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "carol", release("more", "1"), NULL));
}

static void a_question_cannot_command_the_owners_terminal(void **state)
{
    struct ledger_fixture *own = *state;
    struct ledger_release one = release("escape", "0.125");
    struct ledger_reservation *reservation = NULL;
    struct ledger_question question = {.analyst = "alice",
                                       .text = "SELECT 1 /*\x1b[2J\xc2\x9b"
                                               "2J\x7f\n\xc3\xa9*/",
                                       .releases = &one,
                                       .release_count = 1};
    fixture_open(own);
    assert_ok(own, ledger_reserve(own->ledger, &question, &reservation, &own->why));
    ledger_reservation_free(reservation);
    fixture_close(own);
    assert_int_equal(budget(own, NULL, NULL), CLI_DONE);
    expect_line("SELECT 1 /* [2J  2J  \xc3\xa9*/\n");
    assert_int_equal(budget(own, "--format", "json"), CLI_DONE);
    assert_null(strchr(capture.out, 0x1b));
}

static void wrong_usage_and_missing_ledgers_are_one_line(void **state)
{
    struct ledger_fixture *fixture = *state;
    assert_int_equal(budget(fixture, "another.ledger", NULL), CLI_USAGE);
    assert_int_equal(budget(fixture, "--format", "xml"), CLI_USAGE);
    fixture_clear(fixture);
    assert_int_equal(budget(fixture, NULL, NULL), CLI_FAILED);
    assert_non_null(strstr(capture.err, "there is no ledger at"));
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(spent_and_left_are_shown_with_bars),
        rule(a_policy_leads_to_its_ledger),
        rule(json_can_be_read_by_programs),
        rule(csv_has_every_entry),
        rule(verify_names_the_first_broken_link),
        rule(the_owner_lifts_a_stop),
        rule(a_question_cannot_command_the_owners_terminal),
        rule(wrong_usage_and_missing_ledgers_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
