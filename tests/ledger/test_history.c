/* What owners and auditors read: the figures in the JSON and in the CSV, parsed again and compared with sums
 * done by hand. */
#include <string.h>

#include <jansson.h>

#include "base/csv.h"
#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

/* Alice spends 0.5 on all blocks, bob 0.25 on the north; carol sees alice's release, and her next question
 * dies. */
static int setup(void **state)
{
    static struct ledger_fixture fixture;
    static const size_t north[] = {NORTH};
    struct ledger_release confined = release("north", "0.25");
    confined.blocks = north;
    confined.block_count = 1;
    fixture_init(&fixture);
    fixture_open(&fixture);
    assert_ok(&fixture, fixture_ask(&fixture, "alice", release("all", "0.5"), "1042"));
    assert_ok(&fixture, fixture_ask(&fixture, "bob", confined, "377"));
    assert_ok(&fixture, fixture_ask(&fixture, "carol", release("all", "0.5"), "1042"));
    assert_ok(&fixture, fixture_reserve(&fixture, "carol", release("more", "1"), NULL));
    assert_ok(&fixture, ledger_stop(fixture.ledger, "carol", "the engine failed, \"badly\"", &fixture.why));
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

static struct history *open_history(struct ledger_fixture *fixture)
{
    struct history *history;
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why));
    return history;
}

/* The number at a path such as "spent.epsilon" of an object. */
static double number_at(json_t *object, const char *first, const char *second)
{
    json_t *value = json_object_get(json_object_get(object, first), second);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static json_t *named(json_t *list, const char *name)
{
    size_t index;
    json_t *element;
    json_array_foreach(list, index, element) if (strcmp(json_string_value(json_object_get(element, "name")),
                                                        name) == 0) return element;
    fail_msg("there is no %s", name);
    return NULL;
}

static json_t *load(struct ledger_fixture *fixture, size_t questions)
{
    struct buffer text;
    struct history *history = open_history(fixture);
    buffer_init(&text, 1 << 20);
    assert_ok(fixture, history_json(history, questions, &text, &fixture->why));
    json_t *root = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    buffer_free(&text);
    history_close(history);
    return root;
}

static void the_json_has_the_sums(void **state)
{
    json_t *root = load(*state, 3);
    assert_string_equal(json_string_value(json_object_get(root, "dataset")), "hospital");
    assert_true(number_at(root, "spent", "epsilon") == 1.75); /* the north: 0.5 + 0.25 + 1 */
    assert_true(number_at(root, "left", "epsilon") == 8.25);
    assert_true(number_at(root, "lifetime", "epsilon") == 1.75);
    json_t *blocks = json_object_get(root, "blocks");
    assert_int_equal(json_array_size(blocks), 4);
    assert_true(number_at(named(blocks, "north"), "spent", "epsilon") == 1.75);
    assert_true(number_at(named(blocks, "rest"), "spent", "epsilon") == 1.5);
    json_t *analysts = json_object_get(root, "analysts");
    assert_true(number_at(named(analysts, "alice"), "left", "epsilon") == 2.5);
    assert_true(number_at(named(analysts, "carol"), "spent", "epsilon") == 1.5);
    assert_true(json_is_null(json_object_get(json_object_get(named(analysts, "carol"), "left"), "epsilon")));
    assert_string_equal(json_string_value(json_object_get(named(analysts, "carol"), "stopped")),
                        "the engine failed, \"badly\"");
    assert_true(number_at(named(json_object_get(root, "groups"), "interns"), "left", "epsilon") == 0.75);
    json_t *questions = json_object_get(root, "questions");
    assert_int_equal(json_array_size(questions), 3);
    json_t *last = json_array_get(questions, 2);
    assert_true(json_is_false(json_object_get(last, "settled")));
    assert_true(number_at(last, "cost", "epsilon") == 1);
    assert_string_equal(json_string_value(json_object_get(last, "question")),
                        "SELECT count(*) FROM patients");
    assert_int_equal(json_integer_value(json_object_get(root, "entries")), 10);
    json_decref(root);
}

struct sums {
    struct decimal drawn; /* what the dataset paid for */
    int lines, settled;
};

static status add_record(void *context, const struct csv_record *record, error *why)
{
    struct sums *sums = context;
    (void)why;
    assert_int_equal(record->count, 14);
    if (record->number == 1) {
        assert_string_equal(record->fields[8].text, "epsilon");
        return DITHER_OK;
    }
    sums->lines++;
    sums->settled += strcmp(record->fields[2].text, "settle") == 0;
    assert_int_equal(record->fields[13].length, 64);
    if (strcmp(record->fields[2].text, "reserve") == 0 && strcmp(record->fields[7].text, "all") == 0)
        assert_true(decimal_add(sums->drawn, decimal(record->fields[8].text), &sums->drawn));
    if (strcmp(record->fields[2].text, "stop") == 0)
        assert_string_equal(record->fields[12].text, "the engine failed, \"badly\"");
    return DITHER_OK;
}

static void the_csv_adds_up(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct buffer text;
    struct sums sums = {0};
    struct history *history = open_history(fixture);
    buffer_init(&text, 1 << 20);
    assert_ok(fixture, history_csv(history, &text, &fixture->why));
    assert_ok(fixture, csv_read_bytes(text.data, text.length, &(struct csv_options){.name = "csv"},
                                      add_record, &sums, &fixture->why));
    assert_int_equal(sums.lines, 10);
    assert_int_equal(sums.settled, 3);
    assert_int_equal(decimal_compare(sums.drawn, decimal("1.75")), 0);
    buffer_free(&text);
    history_close(history);
}

static void reading_changes_nothing(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history_verdict before, after;
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &before, &fixture->why));
    json_decref(load(fixture, 0));
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &after, &fixture->why));
    assert_int_equal(before.entries, 10);
    assert_string_equal(before.hash, after.hash);
}

static void there_must_be_a_ledger(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *history;
    fixture_clear(fixture);
    assert_int_equal(history_open(fixture->file, NULL, fixture->state, &history, &fixture->why), DITHER_IO);
    assert_non_null(strstr(fixture->why.message, "there is no ledger"));
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(the_json_has_the_sums),
        rule(the_csv_adds_up),
        rule(reading_changes_nothing),
        rule(there_must_be_a_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
