/* Sixty-four processes race for the last epsilon on one SQLite ledger: exactly as many win as fit, also
 * when the ledger does not exist before the start and all of them make it, and when each has several threads that share
 * its handle. */
#include <string.h>

#include "ledger/history.h"
#include "tests/support/race.h"
#include "tests/support/test.h"
#include "tests/support/torture.h"

static void check_spent(struct ledger_fixture *fixture, const char *spent)
{
    struct history_verdict verdict;
    struct history *history;
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why));
    assert_true(verdict.sound);
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why));
    struct history_sum sum = history_sum(history, HOLDER_DATASET_PLACE);
    assert_int_equal(decimal_compare(sum.lifetime.epsilon, decimal(spent)), 0);
    history_close(history);
}

static void exactly_as_many_win_as_fit(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    for (int i = 0; i < torture_count(1); i++) {
        fixture_init(&fixture);
        fixture.config.total = epsilon("1");
        fixture_open(&fixture);
        fixture_close(&fixture);
        struct race race = {.clients = 64, .questions = 1, .cost = "0.1", .all_at_once = true};
        assert_int_equal(race_run(&fixture, &race),
                         10); /* 0.1 ten times is 1; in doubles the sum is below 1 */
        check_spent(&fixture, "1");
        fixture_free(&fixture);
    }
}

static void all_may_make_the_ledger_at_once(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    for (int i = 0; i < torture_count(1); i++) {
        fixture_init(&fixture);
        fixture.config.total = epsilon("2.1");
        struct race race = {.clients = 64, .questions = 2, .cost = "0.3", .all_at_once = false};
        assert_int_equal(race_run(&fixture, &race), 7); /* 7 * 0.3 = 2.1 */
        check_spent(&fixture, "2.1");
        fixture_free(&fixture);
    }
}

static void threads_that_share_a_handle_win_no_more_than_fits(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    for (int i = 0; i < torture_count(1); i++) {
        fixture_init(&fixture);
        fixture.config.total = epsilon("5.6");
        fixture_open(&fixture);
        fixture_close(&fixture);
        struct race alone = {.clients = 1, .threads = 32, .questions = 3, .cost = "0.1", .all_at_once = true};
        assert_int_equal(race_run(&fixture, &alone), 56);
        check_spent(&fixture, "5.6");
        fixture_free(&fixture);
    }
}

static void threads_of_several_processes_win_no_more_than_fits(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    for (int i = 0; i < torture_count(1); i++) {
        fixture_init(&fixture);
        fixture.config.total = epsilon("2.1");
        struct race race = {.clients = 6, .threads = 8, .questions = 2, .cost = "0.07", .all_at_once = false};
        assert_int_equal(race_run(&fixture, &race), 30); /* 30 * 0.07 = 2.1 */
        check_spent(&fixture, "2.1");
        fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_as_many_win_as_fit),
        cmocka_unit_test(all_may_make_the_ledger_at_once),
        cmocka_unit_test(threads_that_share_a_handle_win_no_more_than_fits),
        cmocka_unit_test(threads_of_several_processes_win_no_more_than_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
