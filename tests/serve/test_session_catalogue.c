/* Questions for PostgreSQL's catalogue go to ours and never to the backend: in both protocols, with parameters and results
 * in text and binary, described before values are known, in portions, and with errors that point. The binary forms are
 * written out by hand from PostgreSQL's documentation of its types' send functions. */
#include "tests/support/session_client.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/catalogue.h"
#include "tests/support/two_catalogues.h"

static struct arena arena;

static int open_catalogue(void **state)
{
    error why;
    arena_init(&arena, 64 << 20);
    if (set_up_session(state) != 0)
        return -1;
    struct catalogue *catalogue = NULL;
    if (catalogue_open(catalogue_of(two_catalogues_policy, &arena), NULL, &catalogue, &why) != DITHER_OK)
        return -1;
    test_host.catalogue = catalogue;
    return 0;
}

static int close_catalogue(void **state)
{
    catalogue_close(test_host.catalogue);
    test_host.catalogue = NULL;
    arena_free(&arena);
    return tear_down_session(state);
}

static void expect_bytes(struct client *client, const char *bytes, size_t count)
{
    if (memmem(client->received.data, client->received.length, bytes, count) == NULL)
        fail_msg("the bytes are not in %s", client_received(client));
    (void)client_received(client);
}
#define BYTES(text) expect_bytes(&client, text, sizeof text - 1)

static void a_query_is_answered_by_the_catalogue_alone(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "SELECT relname, relkind FROM pg_class WHERE relname = 'patients'; SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    /* name is 19 and has 64 bytes, "char" is 18 and has one */
    BYTES("relname\0\0\0\0\0\0\0\0\0\0\x13\0\x40\xff\xff\xff\xff\0\0"
          "relkind\0\0\0\0\0\0\0\0\0\0\x12\0\x01\xff\xff\xff\xff\0\0"
          "D\0\0\0\x17\0\2\0\0\0\x08patients\0\0\0\1r"
          "C\0\0\0\x0dSELECT 1");
    client_query(&client, "SELECT current_user, version()");
    const char *text = client_received(&client);
    expect_in(text, "T[current_user");
    expect_in(text, "D[alice|PostgreSQL 15");
    assert_null(strstr(text, "NOTICE"));
    client_query(&client,
                 "SET dither.epsilon = 0.25; SELECT current_setting('dither.epsilon'), "
                 "pg_catalog.current_setting('Application_Name', true), current_setting('x.y', true)");
    expect_in(client_received(&client), "C[SET|] T[current_setting|current_setting|current_setting|] D[0.25");
    client_query(&client, "RESET dither.epsilon; SELECT current_setting('x.y')");
    expect_in(client_received(&client),
              "E[SERROR|VERROR|C42704|Munrecognized configuration parameter \"x.y\"|");
    client_query(&client, "SELECT count(*) FROM patients WHERE region = 'pg_class'");
    expect_told("ask(SELECT count(*) FROM patients WHERE region = 'pg_class' as alice epsilon 0) ");
    client_disconnect(&client);
}

static void errors_say_what_and_where(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "SELECT 1; /* \xc3\xa4 */ SELECT * FROM pg_class, patients");
    expect_in(client_received(&client),
              "C42P01|Mrelation \"patients\" is not one that the catalogue knows|P43|] Z[I] ");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    client_query(&client, "SELECT pg_read_file('x'), version()");
    expect_in(client_received(&client),
              "C0A000|Mfunction pg_read_file is not one that the catalogue knows|P8|");
    client_query(&client, "BEGIN; SELECT * FROM pg_catalog.pg_nothing");
    expect_in(client_received(&client), "C42P01");
    client_query(&client, "SELECT version()");
    expect_in(client_received(&client), "C25P02");
    client_query(&client, "ROLLBACK; SELECT a.attnum FROM pg_attribute a, pg_attribute b, pg_class c");
    expect_in(client_received(&client), "C54000");
    expect_told("");
    client_disconnect(&client);
}

static void parameters_come_in_text_and_binary(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    SEND('P',
         "s\0SELECT $1::oid AS number, $2::text AS word, $3::int2 FROM pg_type WHERE oid = $1::oid\0\0\0");
    SEND('D', "Ss\0");
    BYTES("t\0\0\0\x12\0\3\0\0\0\x1a\0\0\0\x19\0\0\0\x15"); /* oid, text, int2 */
    /* 16 in binary, a word in text, -2 in binary; results: binary, text, binary */
    SEND('B', "\0s\0\0\3\0\1\0\0\0\1\0\3\0\0\0\4\0\0\0\x10\0\0\0\3o'x\0\0\0\2\xff\xfe\0\3\0\1\0\0\0\1");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    BYTES("D\0\0\0\x1b\0\3\0\0\0\4\0\0\0\x10\0\0\0\3o'x\0\0\0\2\xff\xfe"
          "C\0\0\0\x0dSELECT 1");
    /* an array of names in binary: two elements from 1; NULL for the other */
    SEND('P',
         "\0SELECT relname FROM pg_class WHERE relname = ANY($1::name[]) AND $2 IS NULL ORDER BY 1\0\0\0");
    SEND('B', "\0\0\0\1\0\1\0\2\0\0\0\x2b\0\0\0\1\0\0\0\0\0\0\0\x13\0\0\0\2\0\0\0\1"
              "\0\0\0\6visits\0\0\0\x09no such\"x\xff\xff\xff\xff\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    const char *text = client_received(&client);
    expect_in(text, "1[] 2[] T[relname");
    expect_in(text, "D[visits] C[SELECT 1|] Z[I] ");
    /* bytes that are no array */
    SEND('B', "\0\0\0\1\0\1\0\2\0\0\0\3abc\xff\xff\xff\xff\0\0");
    SEND('S', "");
    expect_in(client_received(&client), "C22P02");
    expect_told("");
    client_disconnect(&client);
}

static void each_type_has_its_binary_form(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    static const struct {
        const char *value, *bytes;
        size_t count;
    } cases[] = {
        {"true", "\0\0\0\1\1", 5},
        {"'r'::\"char\"", "\0\0\0\1r", 5},
        {"'x y'::name", "\0\0\0\3x y", 7},
        {"-3::int8", "\0\0\0\x08\xff\xff\xff\xff\xff\xff\xff\xfd", 12},
        {"7::int4", "\0\0\0\4\0\0\0\7", 8},
        {"1.5::float8", "\0\0\0\x08\x3f\xf8\0\0\0\0\0\0", 12},
        {"1.5::float4", "\0\0\0\4\x3f\xc0\0\0", 8},
        {"'2000-01-02'::date", "\0\0\0\4\0\0\0\1", 8},
        {"'2000-01-01 00:00:01'::timestamp", "\0\0\0\x08\0\0\0\0\0\x0f\x42\x40", 12},
        {"NULL::int4", "\xff\xff\xff\xff", 4},
        {"ARRAY['a b', NULL, '\"']::text[]",
         "\0\0\0\x24\0\0\0\1\0\0\0\1\0\0\0\x19\0\0\0\3\0\0\0\1\0\0\0\3a b\xff\xff\xff\xff\0\0\0\1\"", 40},
        {"ARRAY[]::text[]", "\0\0\0\x0c\0\0\0\0\0\0\0\0\0\0\0\x19", 16},
        {"indkey FROM pg_index LIMIT 1", "\0\0\0\x1a\0\0\0\1\0\0\0\0\0\0\0\x15\0\0\0\1", 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char parse[200];
        int length =
            snprintf(parse, sizeof parse, "%cSELECT version(), %s%c%c%c", 0, cases[i].value, 0, 0, 0);
        client_send(&client, 'P', parse, (size_t)length);
        SEND('B', "\0\0\0\0\0\0\0\2\0\0\0\1");
        SEND('E', "\0\0\0\0\0");
        SEND('S', "");
        if (memmem(client.received.data, client.received.length, cases[i].bytes, cases[i].count) == NULL)
            fail_msg("%s: %s", cases[i].value, client_received(&client));
        (void)client_received(&client);
    }
    client_disconnect(&client);
}

static void a_portal_of_the_catalogue_gives_its_rows_in_portions(void **state)
{
    (void)state;
    struct client client = client_signed_in();
    client_query(&client, "BEGIN");
    (void)client_received(&client);
    SEND('P', "\0SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 2200 ORDER BY 1\0\0\0");
    SEND('B', "p\0\0\0\0\0\0\0\0");
    SEND('D', "Pp\0");
    SEND('E', "p\0\0\0\0\2");
    SEND('S', "");
    const char *text = client_received(&client);
    expect_in(text, "D[clinics] D[patients] s[] Z[T] ");
    SEND('E', "p\0\0\0\0\0");
    SEND('S', "");
    client_expect(&client, "D[visits] C[SELECT 1|] Z[T] ");
    expect_told("");
    client_disconnect(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_answered_by_the_catalogue_alone),
        cmocka_unit_test(errors_say_what_and_where),
        cmocka_unit_test(parameters_come_in_text_and_binary),
        cmocka_unit_test(each_type_has_its_binary_form),
        cmocka_unit_test(a_portal_of_the_catalogue_gives_its_rows_in_portions),
    };
    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
