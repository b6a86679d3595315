/* Blocks, after SOUNDNESS section 7: charged in parallel, none free, levelled when people may have moved. */
#include <string.h>

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

static struct ledger_release on(const size_t *blocks, size_t count, const char *key, const char *cost)
{
    struct ledger_release one = release(key, cost);
    one.blocks = blocks;
    one.block_count = count;
    return one;
}

static void blocks_are_charged_in_parallel(void **state)
{
    struct ledger_fixture *fixture = *state;
    static const size_t north[] = {NORTH}, south[] = {SOUTH}, both[] = {SOUTH, NORTH, SOUTH};
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(north, 1, "a", "0.75"), NULL));
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(south, 1, "b", "0.5"), NULL));
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0.25"); /* the dataset's loss is the maximum */
    assert_string_equal(fixture_left_on(fixture, NULL, NORTH), "epsilon 0.25");
    assert_string_equal(fixture_left_on(fixture, NULL, SOUTH), "epsilon 0.5");
    assert_string_equal(fixture_left_on(fixture, NULL, EAST), "epsilon 1");
    assert_refused(fixture, fixture_reserve(fixture, NULL, on(both, 3, "c", "0.5"), NULL), "on block north");
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(both, 3, "c", "0.25"), NULL));
    assert_string_equal(fixture_left_on(fixture, NULL, SOUTH),
                        "epsilon 0.25"); /* named twice, charged once */
}

static void a_question_that_is_not_confined_charges_all_blocks_and_rest(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("a", "0.75"), NULL));
    for (size_t block = NORTH; block <= REST; block++)
        assert_string_equal(fixture_left_on(fixture, NULL, block), "epsilon 0.25");
}

static void no_release_is_free(void **state)
{
    struct ledger_fixture *fixture = *state;
    static const size_t rest[] = {REST}, beyond[] = {REST + 1};
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(rest, 1, "Atlantis", "0.75"), NULL));
    assert_string_equal(fixture_left_on(fixture, NULL, REST), "epsilon 0.25");
    assert_string_equal(fixture_left_on(fixture, NULL, NORTH), "epsilon 1");
    assert_int_equal(fixture_reserve(fixture, NULL, release("a", "0"), NULL), DITHER_INVALID);
    assert_int_equal(fixture_reserve(fixture, NULL, on(beyond, 1, "a", "0.1"), NULL), DITHER_INVALID);
}

static void a_new_data_version_lifts_every_block_to_the_maximum(void **state)
{
    struct ledger_fixture *fixture = *state;
    static const size_t north[] = {NORTH};
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", on(north, 1, "a", "0.75"), NULL));
    fixture->config.data_version = 2;
    fixture_open(fixture);
    for (size_t block = NORTH; block <= REST; block++)
        assert_string_equal(fixture_left_on(fixture, NULL, block), "epsilon 0.25");
    fixture->config.data_version = 1;
    assert_refused(fixture, fixture_try_open(fixture), "data version 1 is behind");
}

static void an_immutable_block_column_keeps_the_blocks_apart(void **state)
{
    struct ledger_fixture *fixture = *state;
    static const size_t north[] = {NORTH};
    fixture->config.total = epsilon("1");
    fixture->config.blocks_immutable = true;
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(north, 1, "a", "0.75"), NULL));
    fixture->config.data_version = 2;
    fixture_open(fixture);
    assert_string_equal(fixture_left_on(fixture, NULL, NORTH), "epsilon 0.25");
    assert_string_equal(fixture_left_on(fixture, NULL, SOUTH), "epsilon 1");
}

static void a_new_list_of_blocks_lifts_every_block_to_the_maximum(void **state)
{
    struct ledger_fixture *fixture = *state;
    static const size_t south[] = {SOUTH};
    fixture->config.total = epsilon("1");
    fixture->config.blocks_immutable = true;
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, on(south, 1, "a", "0.75"), NULL));
    fixture->config.block_count = 1; /* north; south is in the rest now */
    fixture_open(fixture);
    assert_string_equal(fixture_left_on(fixture, NULL, 0), "epsilon 0.25");
    assert_string_equal(fixture_left_on(fixture, NULL, 1), "epsilon 0.25");
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(blocks_are_charged_in_parallel),
        rule(a_question_that_is_not_confined_charges_all_blocks_and_rest),
        rule(no_release_is_free),
        rule(a_new_data_version_lifts_every_block_to_the_maximum),
        rule(an_immutable_block_column_keeps_the_blocks_apart),
        rule(a_new_list_of_blocks_lifts_every_block_to_the_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
