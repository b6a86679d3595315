/* The chain and the anchor: a ledger that was edited, shortened, replaced or removed is refused, and
 * --verify names the first entry that does not hold. Hashes are computed here once more, from the
 * definition in entry.h alone. */
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <sqlite3.h>

#include "ledger/anchor.h"
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

/* Entries: 1 open, 2 policy, then reserve and settle three times: 8 in all. */
static void fill(struct ledger_fixture *fixture)
{
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("a", "0.5"), "first"));
    assert_ok(fixture, fixture_ask(fixture, "bob", release("b", "0.25"), "second"));
    assert_ok(fixture, fixture_ask(fixture, NULL, release("c", "0.125"), "third"));
    fixture_close(fixture);
}

static struct history_verdict verify(struct ledger_fixture *fixture)
{
    struct history_verdict verdict;
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why));
    return verdict;
}

static void expect_broken(struct ledger_fixture *fixture, uint64_t number, const char *words)
{
    struct history_verdict verdict = verify(fixture);
    assert_false(verdict.sound);
    assert_int_equal(verdict.broken, number);
    assert_int_equal(verdict.entries, number - 1);
    if (strstr(verdict.reason, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, verdict.reason);
}

static void a_ledger_that_nobody_touched_is_sound(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    struct history_verdict verdict = verify(fixture);
    assert_true(verdict.sound);
    assert_true(verdict.anchored);
    assert_int_equal(verdict.entries, 8);
    fixture_open(fixture);
    assert_int_equal(verify(fixture).entries, 8); /* opening with the same policy adds nothing */
}

/* As an auditor would: SHA-256 of the hash before, a newline, and the text. */
static void the_hashes_are_those_of_the_definition(void **state)
{
    struct ledger_fixture *fixture = *state;
    sqlite3 *database;
    sqlite3_stmt *rows;
    char before[65], line[20000];
    int count = 0;
    fill(fixture);
    memset(before, '0', 64);
    before[64] = '\0';
    assert_int_equal(sqlite3_open(fixture->file, &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(database, "SELECT body, hash FROM entry ORDER BY number", -1, &rows, NULL),
        SQLITE_OK);
    for (; sqlite3_step(rows) == SQLITE_ROW; count++) {
        unsigned char hash[32];
        int length =
            snprintf(line, sizeof line, "%s\n%s", before, (const char *)sqlite3_column_text(rows, 0));
        assert_int_equal(EVP_Digest(line, (size_t)length, hash, NULL, EVP_sha256(), NULL), 1);
        for (size_t i = 0; i < 32; i++)
            snprintf(before + 2 * i, 3, "%02x", hash[i]);
        assert_string_equal(before, (const char *)sqlite3_column_text(rows, 1));
    }
    assert_int_equal(count, 8);
    sqlite3_finalize(rows);
    sqlite3_close(database);
}

static void an_edited_entry_is_named(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture, "UPDATE entry SET body = replace(body, '\"epsilon\":\"0.5\"', "
                            "'\"epsilon\":\"0.1\"') WHERE number = 3");
    expect_broken(fixture, 3, "entry 3: its hash does not follow");
    assert_refused(fixture, fixture_try_open(fixture), "entry 3");
}

static void an_entry_whose_hash_was_edited_is_named(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture,
                   "UPDATE entry SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE number = 5");
    expect_broken(fixture, 5, "entry 5");
    assert_refused(fixture, fixture_try_open(fixture), "entry 5");
}

static void a_removed_or_exchanged_entry_is_named(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture, "UPDATE entry SET number = -number WHERE number IN (5, 6);"
                            "UPDATE entry SET number = 11 + number WHERE number < 0");
    expect_broken(fixture, 5, "entry 5");
    fixture_tamper(fixture, "DELETE FROM entry WHERE number = 4");
    expect_broken(fixture, 4, "entry 4 is missing");
    assert_refused(fixture, fixture_try_open(fixture), "entry 4 is missing");
}

static void a_shortened_ledger_is_noticed_through_the_anchor(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture, "DELETE FROM entry WHERE number > 6");
    expect_broken(fixture, 7, "entry 7 is missing: the anchor knows of 8 entries");
    assert_refused(fixture, fixture_try_open(fixture), "the ledger was shortened");
}

static void an_old_copy_put_back_is_noticed(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "cp %s/hospital.ledger %s/copy");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("d", "1"), NULL));
    fixture_close(fixture);
    fixture_shell(fixture, "mv %s/copy %s/hospital.ledger");
    assert_refused(fixture, fixture_try_open(fixture), "the ledger was shortened");
    fixture_shell(fixture, "mv %s/hospital.ledger %s/elsewhere.ledger"); /* also under another name */
    snprintf(fixture->file, sizeof fixture->file, "%.40s/elsewhere.ledger", fixture->folder);
    assert_refused(fixture, fixture_try_open(fixture), "the ledger was shortened");
}

/* Spends 1, keeps a copy, spends in another way in each: both chains are sound, but only one is the anchor's. `again`: the other
 * one goes on beyond the anchor's entry, and is not caught by being no further than the anchor. */
static void rewrite_tail(struct ledger_fixture *fixture, bool again)
{
    fill(fixture);
    fixture_shell(fixture, "cp -r %s/state %s/old-state && cp %s/hospital.ledger %s/copy");
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, NULL, release("expensive", "4"), "x"));
    fixture_close(fixture);
    fixture_shell(fixture, "cp -r %s/state %s/true-state && rm -r %s/state && mv %s/old-state %s/state &&"
                           " mv %s/copy %s/hospital.ledger");
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, NULL, release("cheap", "0.001"), "x"));
    if (again)
        assert_ok(fixture, fixture_ask(fixture, NULL, release("cheaper", "0.0001"), "x"));
    fixture_close(fixture);
    fixture_shell(fixture, "rm -r %s/state && mv %s/true-state %s/state");
    expect_broken(fixture, 10, "entry 10 is not the one that the anchor knows");
    assert_refused(fixture, fixture_try_open(fixture), "it was rewritten");
}

static void a_rewritten_tail_is_noticed_through_the_anchor(void **state)
{
    rewrite_tail(*state, false);
}

static void a_rewritten_tail_that_is_longer_than_the_anchors_is_noticed_too(void **state)
{
    rewrite_tail(*state, true);
}

static void deleting_the_file_does_not_refill_the_budget(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "mv %s/hospital.ledger %s/kept");
    assert_refused(fixture, fixture_try_open(fixture),
                   "is gone: its anchor knows of 8 entries and epsilon 0.875");
    assert_int_equal(access(fixture->file, F_OK), -1); /* and none was made */
    fixture_shell(fixture, ": > %s/hospital.ledger");
    assert_refused(fixture, fixture_try_open(fixture), "is gone");
    fixture->config.dataset = "hospital-two"; /* a new name is a new budget: the owner's decision */
    fixture_open(fixture);
    fixture_close(fixture);
    fixture->config.dataset = "hospital";
    fixture_shell(fixture, "mv %s/kept %s/hospital.ledger");
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
}

static void a_fresh_ledger_in_the_place_of_an_old_one_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "rm %s/hospital.ledger && mv %s/state %s/true-state");
    fixture_open(fixture); /* made under another account, say */
    fixture_close(fixture);
    fixture_shell(fixture, "rm -r %s/state && mv %s/true-state %s/state");
    assert_refused(fixture, fixture_try_open(fixture), "is gone");
    struct history *history = NULL; /* and the auditor is told so too */
    expect_broken(fixture, 1, "is gone: its anchor knows of 8 entries");
    assert_refused(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why),
                   "is gone");
}

static void a_ledger_that_was_moved_keeps_its_anchor(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "mkdir %s/new && mv %s/hospital.ledger %s/new/");
    snprintf(fixture->file, sizeof fixture->file, "%.40s/new/hospital.ledger", fixture->folder);
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
}

/* The crash between the commit of an entry and the anchor: the anchor lags. That is no tampering, and is made
 * good. */
static void an_anchor_that_lags_is_caught_up(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "cp -r %s/state %s/old-state");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("d", "1"), NULL));
    fixture_close(fixture);
    fixture_shell(fixture, "rm -r %s/state && mv %s/old-state %s/state");
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 8.125");
    fixture_close(fixture);
    fixture_tamper(fixture,
                   "DELETE FROM entry WHERE number > 8"); /* and the anchor has moved on: this is noticed */
    assert_refused(fixture, fixture_try_open(fixture), "the ledger was shortened");
}

static void a_damaged_anchor_is_a_refusal(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "for f in %s/state/*.anchor; do echo '{}' > $f; done");
    assert_refused(fixture, fixture_try_open(fixture), "is damaged");
    assert_false(verify(fixture).sound);
}

static void a_shortened_ledger_is_noticed_by_whoever_has_it_open(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_open(fixture);
    fixture_tamper(fixture, "DELETE FROM entry WHERE number > 6");
    assert_refused(fixture, fixture_reserve(fixture, NULL, release("d", "1"), NULL), "was shortened");
    assert_int_equal(fixture_reserve(fixture, NULL, release("d", "1"), NULL),
                     DITHER_IO); /* and the handle is spent */
}

/* Appends a forged entry 9 whose hash is right. */
static void forge(struct ledger_fixture *fixture, const char *previous, const char *fields)
{
    char text[1000], line[1200], hash[65], sql[2000];
    unsigned char digest[32];
    snprintf(text, sizeof text, "{\"entry\":9,%s}", fields);
    int length = snprintf(line, sizeof line, "%s\n%s", previous, text);
    assert_int_equal(EVP_Digest(line, (size_t)length, digest, NULL, EVP_sha256(), NULL), 1);
    for (size_t i = 0; i < 32; i++)
        snprintf(hash + 2 * i, 3, "%02x", digest[i]);
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO entry VALUES (9, '%s', '%s')", text, hash);
    fixture_tamper(fixture, sql);
}

/* A forger who recomputes the hashes must also keep the rules. */
static void a_forged_entry_with_a_good_hash_still_breaks_a_rule(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.renewal = LEDGER_DAILY;
    fill(fixture);
    struct history_verdict verdict = verify(fixture);
    static const char *const forged[][2] = {
        {"\"kind\":\"renew\",\"wall\":9999999999,\"boot\":\"b00t\",\"run\":5000000000001,\"window\":1",
         "renews the budget early"},
        {"\"kind\":\"renew\",\"wall\":1,\"boot\":\"b00t\",\"run\":5000000000000000,\"window\":2",
         "renews the budget early"},
        {"\"kind\":\"settle\",\"wall\":1,\"boot\":\"b00t\",\"run\":1,\"reservation\":3,\"answer\":"
         "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\",\"results\":[]",
         "not open"},
        {"\"kind\":\"tick\", \"wall\":1,\"boot\":\"b00t\",\"run\":1", "not a text that this program writes"},
        {"\"kind\":\"open\",\"wall\":1,\"boot\":\"b00t\",\"run\":1,\"ledger\":"
         "\"00000000000000000000000000000000\"",
         "only the first entry"},
        {"\"kind\":\"reserve\",\"wall\":1,\"boot\":\"b00t\",\"run\":1,\"analyst\":\"alice\",\"request\":null,"
         "\"question\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\","
         "\"settings\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\",\"releases\":[{"
         "\"release\":"
         "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\",\"cost\":{\"epsilon\":\"2.6\","
         "\"delta\":"
         "\"0\",\"rho\":\"0\"},\"blocks\":\"all\",\"pays\":\"all\"}]",
         "the cap of alice is reached"}, /* 0.5 + 2.6 > 3 */
    };
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        forge(fixture, verdict.hash, forged[i][0]);
        expect_broken(fixture, 9, forged[i][1]);
    }
    /* the same renewal, after a day that was witnessed, is sound */
    forge(fixture, verdict.hash,
          "\"kind\":\"renew\",\"wall\":1,\"boot\":\"b00t\",\"run\":100000000000000,\"window\":1");
    assert_true(verify(fixture).sound);
}

/* Of two writers the slower one comes to the anchor last. */
static void the_anchor_never_moves_back(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *slower;
    fill(fixture);
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &slower, &fixture->why));
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("d", "1"), NULL));
    fixture_close(fixture);
    assert_ok(fixture, anchor_advance(fixture->state, fixture->file, history_state(slower), &fixture->why));
    history_close(slower);
    fixture_tamper(fixture, "DELETE FROM entry WHERE number = 9");
    assert_refused(fixture, fixture_try_open(fixture), "its anchor knows of 9 entries");
}

/* Opens the ledger under a second name while the first handle is at work, and lets both spend in turn. */
static void expect_one_budget(struct ledger_fixture *fixture, const char *second_name)
{
    struct ledger *first = fixture->ledger, *second = NULL;
    char file[160];
    snprintf(file, sizeof file, "%.40s/%s", fixture->folder, second_name);
    assert_ok(fixture, ledger_open(file, &fixture->config, &fixture->options, &second, &fixture->why));
    assert_ok(fixture, fixture_ask(fixture, "carol", release("first", "5"), "x"));
    fixture->ledger = second;
    assert_refused(fixture, fixture_reserve(fixture, "carol", release("second", "5"), NULL), "copy");
    assert_int_equal(fixture_reserve(fixture, "carol", release("third", "1"), NULL), DITHER_IO);
    ledger_close(second);
    fixture->ledger = first;
}

static void two_copies_of_a_ledger_in_use_at_once_are_one_budget(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_shell(fixture, "cp %s/hospital.ledger %s/copy.ledger");
    fixture_open(fixture);
    expect_one_budget(fixture, "copy.ledger");
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 4.125");
}

/* Both had the ledger's lock, each its own, before either came to the anchor. */
static void of_two_copies_that_spend_in_the_same_moment_one_fails(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *twin;
    fill(fixture);
    fixture_shell(fixture, "cp -r %s/state %s/old-state && cp %s/hospital.ledger %s/copy");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("d", "1"), NULL));
    fixture_close(fixture);
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &twin, &fixture->why));
    fixture_shell(fixture, "rm -r %s/state && mv %s/old-state %s/state && mv %s/copy %s/hospital.ledger");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("e", "1"), NULL));
    assert_refused(fixture, anchor_advance(fixture->state, fixture->file, history_state(twin), &fixture->why),
                   "entry 9 is not the one that the ledger's anchor knows");
    history_close(twin);
}

static void an_altered_or_missing_answer_is_never_given_out(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture,
                   "UPDATE blob SET bytes = CAST('fiRst' AS BLOB) WHERE bytes = CAST('first' AS BLOB)");
    expect_broken(fixture, 4, "was altered");
    fixture_open(fixture);
    assert_int_equal(fixture_reserve(fixture, "alice", release("a", "0.5"), NULL), DITHER_IO);
    fixture_tamper(fixture, "DELETE FROM blob WHERE bytes = CAST('fiRst' AS BLOB)");
    expect_broken(fixture, 4, "is gone");
}

static void a_trigger_that_swallows_entries_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fill(fixture);
    fixture_tamper(fixture, "CREATE TRIGGER swallow AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE "
                            "number = new.number; END");
    assert_refused(fixture, fixture_try_open(fixture), "was altered");
    struct history_verdict verdict;
    assert_int_equal(history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why),
                     DITHER_REFUSED);
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(a_ledger_that_nobody_touched_is_sound),
        rule(the_hashes_are_those_of_the_definition),
        rule(an_edited_entry_is_named),
        rule(an_entry_whose_hash_was_edited_is_named),
        rule(a_removed_or_exchanged_entry_is_named),
        rule(a_shortened_ledger_is_noticed_through_the_anchor),
        rule(an_old_copy_put_back_is_noticed),
        rule(a_rewritten_tail_is_noticed_through_the_anchor),
        rule(a_rewritten_tail_that_is_longer_than_the_anchors_is_noticed_too),
        rule(deleting_the_file_does_not_refill_the_budget),
        rule(a_fresh_ledger_in_the_place_of_an_old_one_is_refused),
        rule(a_ledger_that_was_moved_keeps_its_anchor),
        rule(an_anchor_that_lags_is_caught_up),
        rule(a_damaged_anchor_is_a_refusal),
        rule(a_shortened_ledger_is_noticed_by_whoever_has_it_open),
        rule(a_forged_entry_with_a_good_hash_still_breaks_a_rule),
        rule(the_anchor_never_moves_back),
        rule(two_copies_of_a_ledger_in_use_at_once_are_one_budget),
        rule(of_two_copies_that_spend_in_the_same_moment_one_fails),
        rule(an_altered_or_missing_answer_is_never_given_out),
        rule(a_trigger_that_swallows_entries_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
