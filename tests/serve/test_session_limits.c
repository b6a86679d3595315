/* A session stays within its limits, can be stopped, and survives when memory ends. */
#include "tests/support/session_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void there_is_a_limit_to_everything(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    char parse[64];
    for (int i = 0; i <= SESSION_MOST_STATEMENTS; i++) {
        int length = snprintf(parse, sizeof parse, "s%d%cSELECT 1%c%c%c", i, 0, 0, 0, 0);
        client_send(&client, 'P', parse, (size_t)length);
    }
    SEND('S', "");
    expect_in(client_received(&client) + 256 * 4, "too many prepared statements");
    client_query(&client, "DEALLOCATE ALL");
    client_expect(&client, "C[DEALLOCATE ALL|] Z[I] ");
    /* a large answer goes out in pieces (see run) */
    backend_rows = 50000;
    client_query(&client, "SELECT 1");
    assert_true(client.received.length > 1000000);
    buffer_free(&client.received);
    backend_rows = 2;
    /* nor can many large answers be kept: each of 200000 rows takes more than ten megabytes */
    backend_rows = 200000;
    client_query(&client, "BEGIN; SET dither.notices = off");
    (void)client_received(&client);
    int kept = 0;
    for (; kept < 20 && strstr(client_received(&client), "C53400") == NULL; kept++) {
        char declare[64];
        snprintf(declare, sizeof declare, "DECLARE c%d CURSOR FOR SELECT 1", kept);
        client_query(&client, declare);
    }
    assert_true(kept > 1 && kept < 10);
    client_query(&client, "ROLLBACK; DECLARE d CURSOR WITH HOLD FOR SELECT 1; CLOSE ALL");
    expect_in(client_received(&client), "C[DECLARE CURSOR|] C[CLOSE CURSOR ALL|] Z[I] ");
    backend_rows = 2;
    /* a question that is too long; ten thousand parameters */
    char *text = malloc(200000);
    assert_non_null(text);
    memset(text, ' ', 200000);
    memcpy(text, "SELECT 1", 8);
    text[199999] = '\0';
    client_query(&client, text);
    expect_in(client_received(&client), "C54000");
    int at = snprintf(text, 200000, "%cSELECT 1 IN ($1", 0);
    for (int i = 2; i <= 9000; i++)
        at += snprintf(text + at, 10, ",$%d", i);
    at += snprintf(text + at, 10, ")%c%c%c", 0, 0, 0);
    client_send(&client, 'P', text, (size_t)at);
    struct buffer bind;
    buffer_init(&bind, 1 << 20);
    buffer_append(&bind, "\0\0\0\0\x23\x28", 6);
    for (int i = 0; i < 9000; i++)
        buffer_append(&bind, "\0\0\0\1x", 5);
    buffer_append(&bind, "\0\0", 2);
    client_send(&client, 'B', bind.data, bind.length);
    buffer_free(&bind);
    SEND('S', "");
    client_expect(&client, "1[] 2[] Z[I] ");
    free(text);
    SEND('X', "");
    assert_int_equal(client.wants, SESSION_CLOSE);
    client_disconnect(&client);
}

static void what_waits_can_be_cancelled_and_an_idle_session_dismissed(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    session_input(client.session, "Q\0\0\0\x0dSELECT 1\0", 14);
    assert_int_equal(session_step(client.session), SESSION_WORK);
    assert_false(session_is_idle(client.session));
    session_refuse(client.session, "interrupted; nothing was charged");
    client_run(&client);
    expect_in(client_received(&client), "C57014|Minterrupted; nothing was charged|] Z[I] ");
    expect_told("");
    assert_true(session_is_idle(client.session));
    session_dismiss(client.session);
    client_run(&client);
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(client_received(&client), "C57P01");
    client_disconnect(&client);
}

/* Every allocation of a conversation fails once: the client is backend_told, or is let go; nothing is lost or leaks. */
static void no_memory_harms_nothing(void **state)
{
    (void)state;
    bool reached = true;
    for (uint64_t n = 1; reached && n < 400; n++) {
        struct client client = client_signed_in();
        memory_fail_at(n);
        session_input(client.session, "Q\0\0\0\x1aSHOW ALL; SET a.b = 1\0", 27);
        while ((client.wants = session_step(client.session)) == SESSION_FLUSH)
            session_written(client.session, session_output(client.session)->length);
        reached = memory_has_failed();
        memory_fail_at(0);
        assert_true(client.wants == SESSION_INPUT || client.wants == SESSION_CLOSE);
        client_disconnect(&client);
    }
    assert_false(reached);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_limit_to_everything),
        cmocka_unit_test(what_waits_can_be_cancelled_and_an_idle_session_dismissed),
        cmocka_unit_test(no_memory_harms_nothing),
    };
    return cmocka_run_group_tests(tests, set_up_session, tear_down_session);
}
