/* Query: questions and the small statements beside them, errors and where they leave the session. What goes out is shown as
 * a letter for each message with its content (tests/support/session_client.h). */
#include "tests/support/session_client.h"

#include <string.h>

static void a_query_is_answered_with_its_cost(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "SELECT region, n FROM t;");
    expect_told("ask(SELECT region, n FROM t as alice epsilon 0) ");
    const char *text = client_received(&client);
    expect_in(text, "T[region");
    expect_in(text, COST "C[SELECT 2|] Z[I] ");
    /* several statements, and none */
    client_query(&client, "SET dither.epsilon = 0.5; SELECT 1; ; SHOW dither.epsilon");
    text = client_received(&client);
    expect_in(text, "C[SET|] T[");
    expect_in(text, "C[SELECT 2|] T[dither.epsilon");
    expect_in(text, "D[0.5] C[SHOW|] Z[I] ");
    expect_told("ask(SELECT 1 as alice epsilon 0.5) ");
    client_query(&client, "");
    client_expect(&client, "I[] Z[I] ");
    /* one row and one noisy number: its interval is said too */
    backend_rows = 1;
    client_query(&client, "SELECT 1");
    expect_in(client_received(&client), "Dn lies between 7 and 13 with probability 0.95.");
    client_query(&client, "SET dither.notices = off; SELECT 1");
    assert_null(strstr(client_received(&client), "NOTICE"));
    backend_rows = 2;
    client_disconnect(&client);
}

static void errors_have_a_code_a_place_and_a_hint(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    backend_fails_with = "column \"agee\" does not exist; did you mean \"age\"?";
    backend_fails_at = 7;
    client_query(&client, "SELECT '\xc3\xa4'; SELECT agee FROM t; SELECT 3");
    expect_told("ask(SELECT '\xc3\xa4' as alice epsilon 0) "); /* fails at the first: the rest is not run */
    expect_in(client_received(&client),
              "E[SERROR|VERROR|C42703|Mcolumn \"agee\" does not exist|Hdid you mean \"age\"?|P8|] Z[I] ");
    client_query(&client, "SELECT 1");
    backend_fails_with = "syntax error at or near \"x\"";
    buffer_clear(&backend_told);
    (void)client_received(&client);
    client_query(&client, "SELECT 1; SELECT x x x");
    client_disconnect(&client);
    client = client_signed_in();
    backend_fails_with = NULL;
    client_query(&client, "SET = 1");
    expect_in(client_received(&client), "C42601|Msyntax error at or near \"=\"|P5|] Z[I] ");
    client_query(&client, "DROP TABLE patients");
    expect_in(client_received(&client), "C0A000|MDROP is not available: questions only read|] Z[I] ");
    client_query(&client, "COPY t FROM STDIN");
    expect_in(client_received(&client), "COPY is not available");
    client_query(&client, "PREPARE p AS SELECT 1");
    expect_in(client_received(&client),
              "C0A000|MPREPARE and EXECUTE in SQL are not available|HAsk the question");
    client_query(&client, "EXECUTE p(1)");
    expect_in(client_received(&client),
              "C0A000|MPREPARE and EXECUTE in SQL are not available|HAsk the question");
    client_query(&client, "EXPLAIN ANALYZE SELECT 1");
    expect_in(client_received(&client), "ANALYZE would run the question");
    client_query(&client, "SET nothing.such = 1");
    expect_in(client_received(&client), "C42704");
    client_query(&client, "SET dither.epsilon = -1");
    expect_in(client_received(&client), "C22023|Mdither.epsilon");
    expect_told("");
    client_disconnect(&client);
}

static void positions_count_characters_of_the_whole_text(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "SET dither.notices = off");
    (void)client_received(&client);
    backend_fails_at = 7;
    backend_fails_with = "no";
    client_query(&client, "/* \xc3\xa4 */ SELECT x");
    expect_in(client_received(&client), "|P16|"); /* eight characters before the SELECT, and from 1 */
    buffer_clear(&backend_told);
    client_disconnect(&client);
}

static void explain_and_show(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "EXPLAIN SELECT 1");
    expect_told("explain(SELECT 1 as alice epsilon 0) ");
    expect_in(client_received(&client), "D[cost: nothing] D[plan] C[EXPLAIN|] Z[I] ");
    client_query(&client, "EXPLAIN (FORMAT JSON) SELECT 1");
    expect_told("explain json(SELECT 1 as alice epsilon 0) ");
    expect_in(client_received(&client), "D[cost: nothingplan] C[EXPLAIN|] ");
    client_query(&client, "SHOW dither.remaining");
    expect_in(client_received(&client), "D[alice has plenty] C[SHOW|] ");
    client_query(&client, "SHOW ALL");
    expect_in(client_received(&client), "server_version");
    client_query(&client, "SHOW session_authorization");
    expect_in(client_received(&client), "D[alice]");
    client_query(&client, "SHOW nothing");
    expect_in(client_received(&client), "C42704");
    client_disconnect(&client);
}

static void transactions_are_nothing_but_remembered(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "BEGIN");
    client_expect(&client, "C[BEGIN|] Z[T] ");
    client_query(&client, "SELECT 1");
    expect_in(client_received(&client), "C[SELECT 2|] Z[T] ");
    backend_fails_with = "no";
    backend_fails_at = -1;
    client_query(&client, "SELECT 2");
    expect_in(client_received(&client), "] Z[E] ");
    buffer_clear(&backend_told);
    client_query(&client, "SELECT 3");
    expect_in(client_received(&client), "C25P02");
    expect_told("");
    client_query(&client, "COMMIT");
    client_expect(&client, "C[ROLLBACK|] Z[I] ");
    client_query(&client, "ROLLBACK");
    expect_in(client_received(&client), "C25P01");
    client_query(&client, "BEGIN; SAVEPOINT a; RELEASE a; ROLLBACK TO a; END");
    client_expect(&client, "C[BEGIN|] C[SAVEPOINT|] C[RELEASE|] C[ROLLBACK|] C[COMMIT|] Z[I] ");
    client_disconnect(&client);
}

static void settings_are_set_told_and_reset(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "SET application_name = 'me'");
    assert_non_null(memmem(client.received.data, client.received.length, "application_name\0me", 20));
    (void)client_received(&client);
    client_query(
        &client,
        "SET dither.request_id = 'r1'; SET dither.epsilon TO 2; SELECT 1; SELECT 2; DISCARD ALL; SELECT 3");
    expect_told("ask(SELECT 1 as alice epsilon 2 request r1) ask(SELECT 2 as alice epsilon 2) ask(SELECT 3 "
                "as alice epsilon 0) ");
    (void)client_received(&client);
    client_query(&client, "SET dither.intervals = on; SELECT 1");
    const char *text = client_received(&client);
    expect_in(text, "n_low");
    expect_in(text, "n_high");
    expect_in(text, "D[north|10|7|13]"); /* 10 lies between 7.5 and 12.5, outwards 7 and 13 */
    client_query(&client,
                 "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET extra_float_digits = 3; SET "
                 "datestyle = 'ISO'");
    client_expect(&client, "C[SET|] C[SET|] C[SET|] Z[I] ");
    client_query(&client,
                 "UNLISTEN *; RESET ROLE; SET SESSION AUTHORIZATION DEFAULT; SET jit = off; CLOSE ALL");
    client_expect(&client, "C[UNLISTEN|] C[RESET|] C[SET|] C[SET|] C[CLOSE CURSOR ALL|] Z[I] ");
    client_query(&client, "SET ROLE postgres");
    expect_in(client_received(&client), "C22023");
    client_query(&client, "SET SESSION AUTHORIZATION olga");
    expect_in(client_received(&client), "C55P02");
    client_query(&client, "SET standard_conforming_strings = off");
    expect_in(client_received(&client), "C22023");
    client_query(&client, "SET server_version = '9'");
    expect_in(client_received(&client), "C55P02");
    client_query(&client,
                 "SET dither.confidence = 0.95; SET dither.max_rows = 3; RESET ALL; SHOW dither.max_rows");
    expect_in(client_received(&client), "C[RESET|] ");
    client_disconnect(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_answered_with_its_cost),
        cmocka_unit_test(errors_have_a_code_a_place_and_a_hint),
        cmocka_unit_test(positions_count_characters_of_the_whole_text),
        cmocka_unit_test(explain_and_show),
        cmocka_unit_test(transactions_are_nothing_but_remembered),
        cmocka_unit_test(settings_are_set_told_and_reset),
    };
    return cmocka_run_group_tests(tests, set_up_session, tear_down_session);
}
