/* The PostgreSQL store, on a scratch server: the same rules, the race of sixty-four clients, a server that
 * dies, and a server that does not sync. */
#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "ledger/history.h"
#include "tests/support/kill.h"
#include "tests/support/race.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"
#include "tests/support/torture.h"

static struct scratch_postgres server;

static int start_server(void **state)
{
    (void)state;
    scratch_postgres_start(&server, "");
    return 0;
}

static int stop_server(void **state)
{
    (void)state;
    scratch_postgres_stop(&server);
    return 0;
}

static int setup(void **state)
{
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    snprintf(fixture.file, sizeof fixture.file, "postgres:%s", server.connection);
    *state = &fixture;
    return 0;
}

static void run_sql(const char *sql)
{
    PGconn *connection = PQconnectdb(server.connection);
    PQclear(PQexec(connection, "SET client_min_messages = warning"));
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
}

static int teardown(void **state)
{
    fixture_free(*state);
    run_sql("DROP SCHEMA IF EXISTS dither_ledger CASCADE");
    return 0;
}

static void charges_answers_and_retries_are_kept(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("count", "0.5");
    struct ledger_question question = {
        .analyst = "alice", .request = "r1", .text = "SELECT 'ü'", .releases = &one, .release_count = 1};
    struct ledger_reservation *reservation;
    struct ledger_bytes answer, bytes = {"a\0b\xff", 4};
    fixture_open(fixture);
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    assert_ok(fixture, ledger_settle(fixture->ledger, reservation, &bytes, bytes, &fixture->why));
    ledger_reservation_free(reservation);
    fixture_open(fixture);
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    assert_true(ledger_reservation_answer(reservation, &answer));
    assert_int_equal(answer.size, 4);
    assert_memory_equal(answer.data, "a\0b\xff", 4);
    ledger_reservation_free(reservation);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
}

static void two_datasets_share_a_database_and_nothing_else(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "3"), "1042"));
    fixture->config.dataset = "school";
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 3");
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "1"), "7"));
    fixture->config.dataset = "hospital";
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 0");
}

static void tampering_and_truncation_are_noticed(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history_verdict verdict;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "0.5"), "1042"));
    fixture_close(fixture);
    run_sql("DELETE FROM dither_ledger.entry WHERE number = 4");
    assert_refused(fixture, fixture_try_open(fixture), "the ledger was shortened");
    run_sql("UPDATE dither_ledger.entry SET body = convert_to(replace(convert_from(body, 'UTF8'), '0.5', "
            "'0.1'), 'UTF8')"
            " WHERE number = 3");
    assert_ok(fixture, history_verify(fixture->file, "hospital", fixture->state, &verdict, &fixture->why));
    assert_int_equal(verdict.broken, 3);
    run_sql("DELETE FROM dither_ledger.entry");
    assert_refused(fixture, fixture_try_open(fixture), "is gone");
    run_sql("DROP SCHEMA dither_ledger CASCADE");
    assert_refused(fixture, fixture_try_open(fixture), "is gone");
}

static void sixty_four_clients_race_and_as_many_win_as_fit(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history_verdict verdict;
    fixture->config.total = epsilon("1");
    struct race race = {.clients = 64, .questions = 1, .cost = "0.1", .all_at_once = false};
    assert_int_equal(race_run(fixture, &race), 10);
    assert_ok(fixture, history_verify(fixture->file, "hospital", fixture->state, &verdict, &fixture->why));
    assert_true(verdict.sound);
    assert_int_equal(verdict.entries, 2 + 20);
}

static void whoever_dies_when_no_answer_is_without_its_record(void **state)
{
    kill_workers(*state, torture_count(40), 1);
}

static void threads_share_a_handle_and_as_many_win_as_fit(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.total = epsilon("1.2");
    struct race race = {.clients = 4, .threads = 8, .questions = 1, .cost = "0.1", .all_at_once = false};
    assert_int_equal(race_run(fixture, &race), 12);
}

static void whoever_dies_in_the_middle_of_a_batch_leaves_all_of_it_or_nothing(void **state)
{
    kill_workers(*state, torture_count(20), 8);
}

static void after_the_server_died_the_handle_is_spent_and_the_charge_is_kept(void **state)
{
    struct ledger_fixture *fixture = *state;
    for (int i = 0; i < torture_count(1); i++) {
        fixture_open(fixture);
        assert_ok(fixture, fixture_reserve(fixture, "carol", release("count", "0.5"), NULL));
        scratch_postgres_crash(&server);
        assert_int_equal(fixture_reserve(fixture, "carol", release("more", "0.5"), NULL), DITHER_IO);
        assert_int_equal(fixture_reserve(fixture, "carol", release("more", "0.5"), NULL), DITHER_IO);
        fixture_open(fixture);
        struct ledger_cost left;
        assert_ok(fixture, ledger_left(fixture->ledger, "carol", NULL, 0, &left, &fixture->why));
        assert_int_equal(decimal_compare(left.epsilon, decimal("9.5")), i == 0 ? 0 : -1);
    }
}

static void a_newer_schema_and_a_server_that_does_not_sync_are_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    fixture_close(fixture);
    run_sql("UPDATE dither_ledger.version SET version = 99");
    assert_int_equal(fixture_try_open(fixture), DITHER_INVALID);
    assert_non_null(strstr(fixture->why.message, "version 99"));
    run_sql("UPDATE dither_ledger.version SET version = 1");
    run_sql("ALTER SYSTEM SET fsync = off");
    run_sql("SELECT pg_reload_conf()");
    status result = DITHER_OK;
    for (int i = 0; i < 100 && result == DITHER_OK; i++)
        result = fixture_try_open(fixture);
    assert_int_equal(result, DITHER_REFUSED);
    assert_non_null(strstr(fixture->why.message, "fsync off"));
    run_sql("ALTER SYSTEM RESET fsync");
    run_sql("SELECT pg_reload_conf()");
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    if (!scratch_postgres_available()) {
        printf("there is no PostgreSQL server to test with\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        rule(charges_answers_and_retries_are_kept),
        rule(two_datasets_share_a_database_and_nothing_else),
        rule(tampering_and_truncation_are_noticed),
        rule(sixty_four_clients_race_and_as_many_win_as_fit),
        rule(whoever_dies_when_no_answer_is_without_its_record),
        rule(threads_share_a_handle_and_as_many_win_as_fit),
        rule(whoever_dies_in_the_middle_of_a_batch_leaves_all_of_it_or_nothing),
        rule(after_the_server_died_the_handle_is_spent_and_the_charge_is_kept),
        rule(a_newer_schema_and_a_server_that_does_not_sync_are_refused),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
