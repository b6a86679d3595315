/* Killed at any moment, on SQLite: tests/support/kill.h says how. DITHER_TORTURE multiplies the number of
 * kills. */
#include "tests/support/kill.h"
#include "tests/support/test.h"
#include "tests/support/torture.h"

enum { KILLS = 150, KILLS_OF_THREADS = 60, THREADS = 8 };

static void whoever_dies_when_no_answer_is_without_its_record(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    kill_workers(&fixture, torture_count(KILLS), 1);
    fixture_free(&fixture);
}

static void whoever_dies_in_the_middle_of_a_batch_leaves_all_of_it_or_nothing(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    kill_workers(&fixture, torture_count(KILLS_OF_THREADS), THREADS);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_dies_when_no_answer_is_without_its_record),
        cmocka_unit_test(whoever_dies_in_the_middle_of_a_batch_leaves_all_of_it_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
