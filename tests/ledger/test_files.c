/* Files that are not what they should be, and places that cannot be written: each is refused with a
 * message that says which, and nothing is made or changed. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static int setup(void **state)
{
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

static void expect_failure(struct ledger_fixture *fixture, status expected, const char *words)
{
    assert_int_equal(fixture_try_open(fixture), expected);
    if (strstr(fixture->why.message, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, fixture->why.message);
}

static void a_file_that_is_not_a_ledger_is_refused_and_left_alone(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *history;
    fixture_shell(fixture,
                  "yes 'patient,age' | head -c 10000 > %s/hospital.ledger && cp %s/hospital.ledger %s/copy");
    expect_failure(fixture, DITHER_INVALID, "is not a ledger");
    assert_int_equal(history_open(fixture->file, NULL, fixture->state, &history, &fixture->why),
                     DITHER_INVALID);
    fixture_shell(fixture, "cmp %s/hospital.ledger %s/copy");
}

static void another_programs_database_is_refused_and_left_alone(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *history;
    fixture_tamper(fixture, "CREATE TABLE patients (id)");
    expect_failure(fixture, DITHER_INVALID, "is a database, but not a ledger");
    assert_int_equal(history_open(fixture->file, NULL, fixture->state, &history, &fixture->why),
                     DITHER_INVALID);
    fixture_tamper(fixture, "INSERT INTO patients VALUES (1)");
}

static void a_ledger_of_a_newer_version_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history_verdict verdict;
    fixture_open(fixture);
    fixture_close(fixture);
    fixture_tamper(fixture, "PRAGMA user_version = 99");
    expect_failure(fixture, DITHER_INVALID, "is a ledger of version 99");
    assert_int_equal(history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why),
                     DITHER_INVALID);
}

static void a_ledger_cut_in_the_middle_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    for (int i = 0; i < 20; i++) {
        char key[24];
        snprintf(key, sizeof key, "release %d", i);
        assert_ok(fixture, fixture_ask(fixture, "carol", release(key, "0.1"), key));
    }
    fixture_close(fixture);
    fixture_shell(fixture, "truncate -s 20000 %s/hospital.ledger");
    assert_int_not_equal(fixture_try_open(fixture), DITHER_OK);
    assert_true(fixture->why.message[0] != '\0');
}

/* Root may write everywhere, so that the child gives up being root; whoever else runs the test is stopped by the modes. */
static void expect_failure_as_nobody(struct ledger_fixture *fixture, const char *words)
{
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        status result = fixture_try_open(fixture);
        if (result != DITHER_IO || strstr(fixture->why.message, words) == NULL)
            fprintf(stderr, "%d: %s\n", result, fixture->why.message);
        _exit(result == DITHER_IO && strstr(fixture->why.message, words) != NULL ? 0 : 1);
    }
    int outcome;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
}

static void a_read_only_ledger_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    fixture_close(fixture);
    fixture_shell(fixture, "chmod 755 %s && chmod 444 %s/hospital.ledger && chmod -R 777 %s/state");
    expect_failure_as_nobody(fixture, "cannot be");
    fixture_shell(fixture, "chmod 600 %s/hospital.ledger");
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 3");
}

static void a_folder_that_cannot_be_written_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_shell(fixture, "mkdir -m 777 %s/state && chmod 555 %s");
    expect_failure_as_nobody(fixture, "cannot be made");
    assert_int_equal(access(fixture->file, F_OK), -1);
    fixture_shell(fixture, "chmod 755 %s");
}

static void an_anchor_that_cannot_be_written_is_a_failure_before_anything_is_charged(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_shell(fixture, ": > %s/state");
    expect_failure(fixture, DITHER_IO, "anchor");
    assert_int_equal(access(fixture->file, F_OK), -1);
}

static void places_that_are_no_files_are_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    snprintf(fixture->file, sizeof fixture->file, "%s/nowhere/hospital.ledger", fixture->folder);
    expect_failure(fixture, DITHER_IO, "cannot be reached");
    snprintf(fixture->file, sizeof fixture->file, "%s", fixture->folder);
    expect_failure(fixture, DITHER_INVALID, "is not a file");
    fixture->file[0] = '\0';
    expect_failure(fixture, DITHER_INVALID, "empty or too long");
}

static void a_new_ledger_and_its_anchor_are_for_their_owner_alone(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct stat about;
    fixture_open(fixture);
    assert_int_equal(stat(fixture->file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(stat(fixture->state, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    fixture_shell(fixture, "test $(stat -c %a %s/hospital.ledger-wal) = 600");
    fixture_shell(fixture, "for f in %s/state/*; do test $(stat -c %a $f) = 600 || exit 1; done");
}

static void what_cannot_be_a_policy_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_config good = fixture->config;
    fixture->config.total.epsilon = decimal_unlimited();
    expect_failure(fixture, DITHER_INVALID, "must be limited");
    fixture->config = good;
    fixture->config.total.delta = decimal("1e-6");
    expect_failure(fixture, DITHER_INVALID, "not in its currency");
    fixture->config.currency = LEDGER_APPROXIMATE;
    fixture->config.total.delta = decimal("1");
    expect_failure(fixture, DITHER_INVALID, "protects nobody");
    fixture->config = good;
    fixture->config.dataset = "";
    expect_failure(fixture, DITHER_INVALID, "the dataset's name is empty");
    fixture->config.dataset = "h\xc3";
    expect_failure(fixture, DITHER_INVALID, "not valid UTF-8");
    fixture->config = good;
    fixture->analysts[2].name = "alice";
    expect_failure(fixture, DITHER_INVALID, "is declared twice");
    fixture->analysts[2].name = "carol";
    fixture->blocks[EAST] = "north";
    expect_failure(fixture, DITHER_INVALID, "declared twice");
    fixture->blocks[EAST] = "east";
    fixture->config.block_column = NULL;
    expect_failure(fixture, DITHER_INVALID, "need a block column");
    assert_int_equal(access(fixture->file, F_OK), -1);
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(a_file_that_is_not_a_ledger_is_refused_and_left_alone),
        rule(another_programs_database_is_refused_and_left_alone),
        rule(a_ledger_of_a_newer_version_is_refused),
        rule(a_ledger_cut_in_the_middle_is_refused),
        rule(a_read_only_ledger_is_refused),
        rule(a_folder_that_cannot_be_written_is_refused),
        rule(an_anchor_that_cannot_be_written_is_a_failure_before_anything_is_charged),
        rule(places_that_are_no_files_are_refused),
        rule(a_new_ledger_and_its_anchor_are_for_their_owner_alone),
        rule(what_cannot_be_a_policy_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
