/* Killed at any moment, on SQLite: tests/support/kill.h says how. DITHER_TORTURE multiplies the number of
 * kills. */
#include "tests/support/kill.h"
#include "tests/support/test.h"
#include "tests/support/torture.h"

enum { KILLS = 200 };

static void whoever_dies_when_no_answer_is_without_its_record(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    kill_workers(&fixture, torture_count(KILLS));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whoever_dies_when_no_answer_is_without_its_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
