/* How a session begins: start-up packets, sign-in, options, TLS, cancel requests; nothing is answered before. */
#include "tests/support/session_client.h"

#include <string.h>

#include "base/memory.h"

static void a_client_starts_up_and_signs_in(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    STARTUP("user\0alice\0application_name\0test\0");
    client_expect(&client, "R[SCRAM-SHA-256|] ");
    client_sign_in(&client, "pencil");
    /* before it is forgotten: what the server says of itself */
    expect_in(memmem(client.received.data, client.received.length, "server_version\0", 15), "server_version");
    assert_non_null(memmem(client.received.data, client.received.length, "client_encoding\0UTF8", 21));
    assert_non_null(memmem(client.received.data, client.received.length, "application_name\0test", 22));
    assert_non_null(memmem(client.received.data, client.received.length, "DateStyle\0ISO, MDY", 19));
    const char *text = client_received(&client);
    expect_in(text, "R[v=");
    expect_in(text, "R[] Z[I] ");
    client_disconnect(&client);
}

static void a_wrong_name_and_a_wrong_password_are_refused_alike(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    STARTUP("user\0alice\0");
    client_sign_in(&client, "pencils");
    assert_int_equal(client.wants, SESSION_CLOSE);
    client_expect(&client, "E[SFATAL|VFATAL|C28P01|Mpassword authentication failed for user \"alice\"|] ");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0zoe\0");
    client_sign_in(&client, "pencil");
    assert_int_equal(client.wants, SESSION_CLOSE);
    assert_false(session_is_known(client.session));
    client_expect(&client, "E[SFATAL|VFATAL|C28P01|Mpassword authentication failed for user \"zoe\"|] ");
    client_disconnect(&client);
}

static void nothing_is_answered_before_the_sign_in(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    STARTUP("user\0alice\0");
    (void)client_received(&client);
    client_query(&client, "SELECT 1");
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(client_received(&client), "C08P01");
    client_disconnect(&client);
    client_connect(&client);
    client_send_bytes(&client, "GET / HTTP/1.1\r\n\r\n", 18);
    assert_int_equal(client.wants, SESSION_CLOSE);
    client_disconnect(&client);
    /* a large message of somebody who is not known */
    client_connect(&client);
    STARTUP("user\0alice\0");
    client_send_bytes(&client, "p\0\1\0\0", 5);
    assert_int_equal(client.wants, SESSION_CLOSE);
    client_disconnect(&client);
    expect_told("");
}

static void databases_options_and_versions(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    STARTUP("user\0alice\0database\0shop\0");
    expect_in(client_received(&client),
              "C3D000|Mdatabase \"shop\" does not exist|HThe database is called \"hospital\".");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0alice\0replication\0true\0");
    expect_in(client_received(&client), "there is no replication");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0alice\0client_encoding\0LATIN1\0");
    expect_in(client_received(&client), "client_encoding is always UTF8 here");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0alice\0client_encoding\0'utf-8'\0"); /* as asyncpg writes it */
    client_expect(&client, "R[SCRAM-SHA-256|] ");
    client_disconnect(&client);
    client_connect(&client);
    client_start_up(&client, 196610, "user\0alice\0_pq_.magic\0x\0", 25);
    client_expect(&client, "v[_pq_.magic|] R[SCRAM-SHA-256|] ");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0alice\0options\0-c dither.epsilon=0.25 -c geqo=off\0");
    expect_in(client_received(&client), "unrecognized configuration parameter \"geqo\"");
    client_disconnect(&client);
    client_connect(&client);
    STARTUP("user\0alice\0options\0-c dither.epsilon=0.25\0");
    client_sign_in(&client, "pencil");
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0.25) ");
    client_disconnect(&client);
}

static void tls_is_asked_for_and_nothing_slips_in_before_it(void **state)
{
    (void)state;
    struct client client;
    static const char request[] = "\0\0\0\x08\x04\xd2\x16\x2f", gss[] = "\0\0\0\x08\x04\xd2\x16\x30";
    client_connect(&client);
    client_send_bytes(&client, request, 8);
    assert_memory_equal(client.received.data, "N", 1);
    client_send_bytes(&client, gss, 8);
    assert_memory_equal(client.received.data, "NN", 2);
    buffer_free(&client.received);
    STARTUP("user\0alice\0");
    client_expect(&client, "R[SCRAM-SHA-256|] ");
    client_disconnect(&client);
    test_host.tls = true;
    test_host.binding_size = 4;
    client_connect(&client); /* without TLS nobody comes in */
    STARTUP("user\0alice\0");
    expect_in(client_received(&client), "connect with TLS");
    client_disconnect(&client);
    client_connect(&client);
    client_send_bytes(&client, request, 8);
    assert_int_equal(client.wants, SESSION_TLS);
    assert_memory_equal(client.received.data, "S", 1);
    buffer_free(&client.received);
    session_encrypted(client.session);
    client.wants = SESSION_INPUT;
    STARTUP("user\0alice\0");
    client_expect(&client, "R[SCRAM-SHA-256-PLUS|SCRAM-SHA-256|] ");
    client_disconnect(&client);
    client_connect(&client); /* a byte too many */
    session_input(client.session, "\0\0\0\x08\x04\xd2\x16\x2fX", 9);
    client_run(&client);
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(client_received(&client), "bytes came before the TLS handshake");
    client_disconnect(&client);
    test_host.tls = false;
}

static void a_cancel_request_is_passed_on_and_not_answered(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    host_cancelled = 0;
    client_send_bytes(&client, "\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x05\0\0\0\x09", 16);
    assert_int_equal(client.wants, SESSION_CLOSE);
    assert_int_equal(host_cancelled, 5);
    client_expect(&client, "");
    assert_true(session_has_key(client.session, 7, 0) || !session_has_key(client.session, 8, 0));
    client_disconnect(&client);
}

static void the_owner_is_not_an_analyst(void **state)
{
    (void)state;
    struct client client;
    client_connect(&client);
    STARTUP("user\0olga\0database\0olga\0");
    client_sign_in(&client, "pencil");
    buffer_clear(&backend_told);
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as owner epsilon 0) ");
    client_disconnect(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_starts_up_and_signs_in),
        cmocka_unit_test(a_wrong_name_and_a_wrong_password_are_refused_alike),
        cmocka_unit_test(nothing_is_answered_before_the_sign_in),
        cmocka_unit_test(databases_options_and_versions),
        cmocka_unit_test(tls_is_asked_for_and_nothing_slips_in_before_it),
        cmocka_unit_test(a_cancel_request_is_passed_on_and_not_answered),
        cmocka_unit_test(the_owner_is_not_an_analyst),
    };
    return cmocka_run_group_tests(tests, set_up_session, tear_down_session);
}
