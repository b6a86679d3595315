/* Parse, Bind, Describe, Execute: parameters, formats, portals, and what an error skips. */
#include "tests/support/session_client.h"

#include <string.h>

static void a_prepared_question_is_bound_and_asked(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    SEND('P', "s1\0SELECT $1, $2\0\0\1\0\0\0\x17");
    SEND('D', "Ss1\0");
    SEND('B', "\0s1\0\0\2\0\1\0\0\0\2\0\0\0\4\0\0\0\x2a\0\0\0\3o'x\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    expect_told("describe(SELECT $1, $2 as alice epsilon 0 $1=2:null0 $2=0:null0) "
                "describe(SELECT $1, $2 as alice epsilon 0 $1=2:42 $2=0:o'x0) "
                "ask(SELECT $1, $2 as alice epsilon 0 $1=2:42 $2=0:o'x0) ");
    const char *text = client_received(&client);
    expect_in(text, "1[] t[] T[region");
    expect_in(text, "2[] T[region");
    expect_in(text, COST "C[SELECT 2|] Z[I] ");
    /* the statement is there for the next time; closed, it is not */
    SEND('C', "Ss1\0");
    SEND('B', "\0s1\0\0\0\0\0\0\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    client_expect(&client, "3[] E[SERROR|VERROR|C26000|Mprepared statement \"s1\" does not exist|] Z[I] ");
    client_disconnect(&client);
}

static void a_described_statement_knows_its_parameters(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    SEND('P', "s\0SELECT $1, $2, $3\0\0\1\0\0\0\x17");
    SEND('D', "Ss\0");
    /* what the client declared (int4), nothing (text), and what the question made of it (date); then the columns */
    assert_non_null(memmem(client.received.data, client.received.length,
                           "t\0\0\0\x12\0\3\0\0\0\x17\0\0\0\x19\0\0\x04\x3aT", 20));
    /* 2000-01-02 in binary: it is read as what was said */
    SEND('B', "\0s\0\0\3\0\0\0\0\0\1\0\3\0\0\0\0017\0\0\0\1x\0\0\0\4\0\0\0\1\0\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    expect_told("describe(SELECT $1, $2, $3 as alice epsilon 0 $1=2:null0 $2=0:null0 $3=0:null0) "
                "ask(SELECT $1, $2, $3 as alice epsilon 0 $1=2:7 $2=0:x0 $3=6:10958) ");
    (void)client_received(&client);
    /* a statement that cannot be described leaves nothing behind */
    SEND('P', "bad\0SELECT $1\0\0\1\0\0\x03\xf8");
    SEND('D', "Sbad\0");
    SEND('S', "");
    expect_in(client_received(&client), "C0A000");
    SEND('B', "\0s\0\0\0\0\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    SEND('D', "P\0");
    SEND('S', "");
    client_expect(&client, "2[] T[region|n|] Z[I] ");
    client_disconnect(&client);
}

static void results_are_binary_where_that_is_asked_for(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    SEND('P', "\0SELECT 1\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\2\0\0\0\1");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    assert_non_null(memmem(client.received.data, client.received.length,
                           "D\0\0\0\x1b\0\2\0\0\0\5north\0\0\0\x08\0\0\0\0\0\0\0\x0a", 28));
    client_disconnect(&client);
}

static void a_portal_gives_its_rows_in_portions_and_asks_once(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    backend_rows = 5;
    client_query(&client, "BEGIN; SET dither.notices = off");
    (void)client_received(&client);
    SEND('P', "\0SELECT 1\0\0\0");
    SEND('B', "p1\0\0\0\0\0\0\0\0");
    SEND('E', "p1\0\0\0\0\2");
    SEND('S', "");
    client_expect(&client, "1[] 2[] D[north|10] D[20] s[] Z[T] ");
    SEND('E', "p1\0\0\0\0\2");
    SEND('E', "p1\0\0\0\0\2");
    SEND('E', "p1\0\0\0\0\2");
    SEND('S', "");
    client_expect(&client, "D[north|30] D[north|40] s[] D[north|50] C[SELECT 1|] C[SELECT 0|] Z[T] ");
    client_query(&client, "COMMIT");
    (void)client_received(&client);
    SEND('E', "p1\0\0\0\0\0");
    SEND('S', "");
    expect_in(client_received(&client), "C34000");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    backend_rows = 2;
    client_disconnect(&client);
}

static void a_cursor_of_sql_is_a_portal(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    backend_rows = 5;
    client_query(&client, "DECLARE c CURSOR FOR SELECT 1");
    expect_in(client_received(&client), "C25P01");
    client_query(&client, "BEGIN; DECLARE c NO SCROLL CURSOR FOR SELECT 1");
    client_expect(&client, "C[BEGIN|] " COST "C[DECLARE CURSOR|] Z[T] ");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    client_query(&client, "FETCH 2 FROM c");
    const char *text = client_received(&client);
    expect_in(text, "T[region");
    expect_in(text, "D[north|10] D[20] C[FETCH 2|] Z[T] ");
    client_query(&client, "MOVE 1 IN c; FETCH FORWARD 10 FROM c; FETCH c; FETCH 0 FROM c");
    text = client_received(&client);
    expect_in(text, "C[MOVE 1|] T[");
    expect_in(text, "D[north|40] D[north|50] C[FETCH 2|] T[");
    expect_in(text, "C[FETCH 0|] T[");
    /* by the other protocol, and in binary: the portal is described, and read by a FETCH */
    client_query(&client, "DECLARE d CURSOR FOR SELECT 2");
    (void)client_received(&client);
    SEND('D', "Pd\0");
    SEND('P', "\0FETCH 1 FROM d\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\1\0\1");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    assert_non_null(memmem(client.received.data, client.received.length,
                           "D\0\0\0\x1b\0\2\0\0\0\5north\0\0\0\x08\0\0\0\0\0\0\0\x0a", 28));
    text = client_received(&client);
    expect_in(text, "T[region");
    expect_in(text, "C[FETCH 1|] Z[T] ");
    SEND('D', "Pd\0");
    SEND('S', "");
    expect_in(client_received(&client), "T[region");
    /* twice the same name costs nothing */
    buffer_clear(&backend_told);
    client_query(&client, "DECLARE c CURSOR FOR SELECT 1");
    expect_in(client_received(&client), "C42P03");
    expect_told("");
    client_query(&client, "ROLLBACK; FETCH c");
    expect_in(client_received(&client),
              "C[ROLLBACK|] E[SERROR|VERROR|C34000|Mcursor \"c\" does not exist|] Z[I] ");
    /* held beyond its transaction; backwards; closed; the names of errors in the question */
    client_query(&client, "DECLARE h CURSOR WITH HOLD FOR SELECT 1");
    client_query(&client, "FETCH h");
    (void)client_received(&client);
    client_query(&client, "FETCH PRIOR FROM h");
    expect_in(client_received(&client), "C55000|Mcursor can only scan forward");
    client_query(&client, "CLOSE h; CLOSE ALL; CLOSE h");
    expect_in(client_received(&client), "C[CLOSE CURSOR|] C[CLOSE CURSOR ALL|] E[SERROR|VERROR|C34000");
    backend_fails_with = "column \"x\" does not exist";
    backend_fails_at = 7;
    client_query(&client, "DECLARE h CURSOR WITH HOLD FOR SELECT x");
    expect_in(client_received(&client), "C42703|Mcolumn \"x\" does not exist|P39|");
    client_query(&client, "DECLARE h CURSOR WITH HOLD FOR SELECT 7");
    backend_rows = 2;
    client_disconnect(&client);
}

static void after_an_error_all_is_skipped_until_sync(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    SEND('P', "\0SELECT 1; SELECT 2\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('E', "\0\0\0\0\0");
    client_query(&client, "SELECT 3");
    SEND('S', "");
    expect_in(client_received(&client), "one statement only can be prepared");
    expect_told("");
    SEND('P', "\0SELECT $1\0\0\1\0\0\3\xf8"); /* an array of bigint */
    SEND('B', "\0\0\0\0\0\1\0\0\0\3{1}\0\0");
    SEND('S', "");
    expect_in(client_received(&client), "C0A000|Mparameters of the type 1016");
    SEND('P', "\0SELECT $1\0\0\1\0\0\0\x14");
    SEND('B', "\0\0\0\0\0\1\0\0\0\3abc\0\0");
    SEND('S', "");
    expect_in(client_received(&client), "C22P02");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('S', "");
    expect_in(client_received(&client), "supplies 0 parameters, but the statement requires 1");
    SEND('P', "\0\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('H', "");
    SEND('S', "");
    client_expect(&client, "1[] 2[] n[] I[] Z[I] ");
    SEND('P', "\0SET dither.epsilon = 3\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    client_expect(&client, "1[] 2[] n[] C[SET|] Z[I] ");
    SEND('F', "\0\0\0\0");
    expect_in(client_received(&client), "function calls are not available");
    client_disconnect(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prepared_question_is_bound_and_asked),
        cmocka_unit_test(a_described_statement_knows_its_parameters),
        cmocka_unit_test(results_are_binary_where_that_is_asked_for),
        cmocka_unit_test(a_portal_gives_its_rows_in_portions_and_asks_once),
        cmocka_unit_test(a_cursor_of_sql_is_a_portal),
        cmocka_unit_test(after_an_error_all_is_skipped_until_sync),
    };
    return cmocka_run_group_tests(tests, set_up_session, tear_down_session);
}
