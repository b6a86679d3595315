/* SCRAM-SHA-256's server side says what RFC 7677 says it says, lets nobody in who does not know the password, does not tell
 * wrong names from wrong passwords, and notices a channel that is not its own. The client in this test is a second
 * implementation, on OpenSSL's HMAC, that follows RFC 5802 from the client's side. */
#include "tests/support/test.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

#include "serve/scram.h"

static const unsigned char rfc_salt[] = {0x5b, 0x6d, 0x99, 0x68, 0x9d, 0x12, 0x35, 0x8e,
                                         0xec, 0xa0, 0x4b, 0x14, 0x12, 0x36, 0xfa, 0x81};

static struct scram_setup setup_of(const char *password, bool known)
{
    struct scram_setup setup = {.known = known, .nonce = "server"};
    error why;
    assert_int_equal(scram_verifier_make(password, rfc_salt, sizeof rfc_salt, 4096, &setup.verifier, &why),
                     DITHER_OK);
    return setup;
}

static void the_vector_of_rfc_7677_is_kept(void **state)
{
    (void)state;
    struct scram_setup setup = setup_of("pencil", true);
    struct scram *scram = test_malloc(sizeof *scram);
    struct buffer out;
    error why;
    snprintf(setup.nonce, sizeof setup.nonce, "%s", "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");
    buffer_init(&out, 1000);
    scram_begin(scram, &setup);
    const char *first = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    assert_int_equal(scram_answer_first(scram, first, strlen(first), &out, &why), DITHER_OK);
    assert_string_equal(
        out.data, "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
    buffer_free(&out);
    const char *final = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                        "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    assert_int_equal(scram_answer_final(scram, final, strlen(final), &out, &why), DITHER_OK);
    assert_string_equal(out.data, "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    buffer_free(&out);
    test_free(scram);
}

/* ---- A client ---- */

struct client {
    const char *password, *flag; /* "n", "y", "p=tls-server-end-point" */
    const char *binding;         /* bytes behind the header in c= */
    const char *nonce;           /* what it repeats; NULL: what it was given */
};

static void hmac(const void *key, const char *text, unsigned char out[32])
{
    unsigned int size = 0;
    assert_non_null(HMAC(EVP_sha256(), key, 32, (const unsigned char *)text, strlen(text), out, &size));
}

/* Runs both sides; the status of the step that failed, or of the last. */
static status sign_in(const struct scram_setup *setup, const struct client *client, error *why)
{
    struct scram *scram = test_malloc(sizeof *scram);
    struct buffer out;
    unsigned char salted[32], key[32], stored[32], proof[32], server[32], signature[32];
    char first[200], header[100], bound[200], words[1000], without[600], final[700], base64[64];
    unsigned int size = 0;
    scram_begin(scram, setup);
    buffer_init(&out, 1000);
    snprintf(first, sizeof first, "%s,,n=,r=client", client->flag);
    status result = scram_answer_first(scram, first, strlen(first), &out, why);
    if (result == DITHER_OK) {
        snprintf(header, sizeof header, "%s,,%s", client->flag,
                 client->binding != NULL ? client->binding : "");
        EVP_EncodeBlock((unsigned char *)bound, (const unsigned char *)header, (int)strlen(header));
        snprintf(without, sizeof without, "c=%s,r=%s", bound,
                 client->nonce != NULL ? client->nonce : "clientserver");
        snprintf(words, sizeof words, "n=,r=client,%s,%s", out.data, without);
        PKCS5_PBKDF2_HMAC(client->password, (int)strlen(client->password), setup->verifier.salt,
                          (int)setup->verifier.salt_size, (int)setup->verifier.iterations, EVP_sha256(), 32,
                          salted);
        hmac(salted, "Client Key", key);
        EVP_Digest(key, 32, stored, &size, EVP_sha256(), NULL);
        hmac(stored, words, proof);
        for (int i = 0; i < 32; i++)
            proof[i] ^= key[i];
        EVP_EncodeBlock((unsigned char *)base64, proof, 32);
        snprintf(final, sizeof final, "%s,p=%s", without, base64);
        buffer_clear(&out);
        result = scram_answer_final(scram, final, strlen(final), &out, why);
    }
    if (result == DITHER_OK) { /* the server knows the password too */
        hmac(salted, "Server Key", server);
        hmac(server, words, signature);
        EVP_EncodeBlock((unsigned char *)base64, signature, 32);
        assert_memory_equal(out.data, "v=", 2);
        assert_string_equal(out.data + 2, base64);
    }
    buffer_free(&out);
    test_free(scram);
    return result;
}

static void the_right_password_comes_in_and_no_other(void **state)
{
    (void)state;
    struct scram_setup setup = setup_of("pencil", true);
    error why;
    assert_int_equal(sign_in(&setup, &(struct client){.password = "pencil", .flag = "n"}, &why), DITHER_OK);
    assert_int_equal(sign_in(&setup, &(struct client){.password = "pencil", .flag = "y"}, &why), DITHER_OK);
    assert_int_equal(sign_in(&setup, &(struct client){.password = "pencill", .flag = "n"}, &why),
                     DITHER_REFUSED);
    assert_string_equal(why.message, SCRAM_REFUSED);
    /* a made-up verifier lets nobody in, not even who hits it; the words are the same */
    setup.known = false;
    assert_int_equal(sign_in(&setup, &(struct client){.password = "pencil", .flag = "n"}, &why),
                     DITHER_REFUSED);
    assert_string_equal(why.message, SCRAM_REFUSED);
    setup.known = true;
    assert_int_equal(
        sign_in(&setup, &(struct client){.password = "pencil", .flag = "n", .nonce = "clientserves"}, &why),
        DITHER_INVALID);
}

static void the_channel_is_bound_or_the_client_is_refused(void **state)
{
    (void)state;
    static const char flag[] = "p=tls-server-end-point";
    struct scram_setup setup = setup_of("pencil", true);
    error why;
    setup.offered = setup.plus = true;
    setup.binding_size = 4;
    memcpy(setup.binding, "hash", 4);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", flag, "hash", NULL}, &why), DITHER_OK);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", flag, "hasj", NULL}, &why), DITHER_REFUSED);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", flag, "hash2", NULL}, &why), DITHER_REFUSED);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", flag, "", NULL}, &why), DITHER_REFUSED);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", "n", "", NULL}, &why), DITHER_INVALID);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", "p=tls-unique", "hash", NULL}, &why),
                     DITHER_INVALID);
    /* offered and not chosen: fine for a client that cannot, a downgrade for one that can and believes we cannot */
    setup.plus = false;
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", "n", "", NULL}, &why), DITHER_OK);
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", "y", "", NULL}, &why), DITHER_REFUSED);
    assert_non_null(strstr(why.message, "hidden"));
    assert_int_equal(sign_in(&setup, &(struct client){"pencil", flag, "hash", NULL}, &why), DITHER_INVALID);
}

static void malformed_messages_are_refused(void **state)
{
    (void)state;
    static const char *const firsts[] = {"",
                                         "n",
                                         "n,",
                                         "n,,",
                                         "n,,n=x",
                                         "n,,r=x",
                                         "n,a=x,n=,r=y",
                                         "x,,n=,r=y",
                                         "n,,m=1,n=,r=y",
                                         "n,,n=,r=",
                                         "n,,n=,r=a b"};
    struct scram_setup setup = setup_of("pencil", true);
    struct scram *scram = test_malloc(sizeof *scram);
    struct buffer out;
    error why;
    buffer_init(&out, 1000);
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        scram_begin(scram, &setup);
        assert_int_equal(scram_answer_first(scram, firsts[i], strlen(firsts[i]), &out, &why), DITHER_INVALID);
        assert_int_equal(scram_answer_final(scram, "c=biws,r=x,p=", 13, &out, &why), DITHER_INVALID);
    }
    char long_one[3000];
    memset(long_one, 'x', sizeof long_one);
    memcpy(long_one, "n,,n=,r=", 8);
    assert_int_equal(scram_answer_first(scram, long_one, sizeof long_one, &out, &why), DITHER_INVALID);
    scram_begin(scram, &setup);
    assert_int_equal(scram_answer_first(scram, "n,,n=,r=client", 14, &out, &why), DITHER_OK);
    static const char *const finals[] = {"",
                                         "c=biws",
                                         "c=biws,r=clientserver",
                                         "c=biws,r=clientserver,p=",
                                         "c=biws,r=clientserver,p=AAAA",
                                         "r=clientserver,c=biws,p=AAAA",
                                         "c=b,r=x,p=x"};
    for (size_t i = 0; i < sizeof finals / sizeof finals[0]; i++)
        assert_int_equal(scram_answer_final(scram, finals[i], strlen(finals[i]), &out, &why), DITHER_INVALID);
    buffer_free(&out);
    test_free(scram);
}

/* PostgreSQL 15: CREATE ROLE x PASSWORD 'pencil' gave this one. */
static const char postgres_verifier[] =
    "SCRAM-SHA-256$4096:ySBdgdwfuPAvZwp98bFYIQ==$MFUznEV7eLl18INla80YONMsZDgzUxf5GFqAVf1DoNg=:"
    "CmzSfUcQvKihSauWGV6uhAPkFsmNnvy4hS8hDDQcSnk=";

static void verifiers_are_those_of_postgresql(void **state)
{
    (void)state;
    struct scram_verifier read, made;
    char text[SCRAM_VERIFIER_TEXT];
    error why;
    assert_true(scram_verifier_parse(postgres_verifier, &read));
    assert_int_equal(scram_verifier_make("pencil", read.salt, read.salt_size, read.iterations, &made, &why),
                     DITHER_OK);
    scram_verifier_print(&made, text);
    assert_string_equal(text, postgres_verifier);
    static const char *const wrong[] = {"",
                                        "SCRAM-SHA-256$",
                                        "md5abc",
                                        "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==",
                                        "SCRAM-SHA-256$1:W22ZaJ0SNY7soEsUEjb6gQ==$AAAA:AAAA",
                                        "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$AAAA:AAAA"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(scram_verifier_parse(wrong[i], &read));
}

static void a_name_that_is_not_there_has_a_salt_of_its_own(void **state)
{
    (void)state;
    const unsigned char secret[SCRAM_KEY_BYTES] = {1}, other[SCRAM_KEY_BYTES] = {2};
    struct scram_verifier a, again, b, c;
    error why;
    assert_int_equal(scram_verifier_mock(secret, "zoe", 4096, &a, &why), DITHER_OK);
    assert_int_equal(scram_verifier_mock(secret, "zoe", 4096, &again, &why), DITHER_OK);
    assert_int_equal(scram_verifier_mock(secret, "zoey", 4096, &b, &why), DITHER_OK);
    assert_int_equal(scram_verifier_mock(other, "zoe", 4096, &c, &why), DITHER_OK);
    assert_int_equal(a.salt_size, SCRAM_SALT_BYTES);
    assert_memory_equal(a.salt, again.salt, SCRAM_SALT_BYTES);
    assert_memory_not_equal(a.salt, b.salt, SCRAM_SALT_BYTES);
    assert_memory_not_equal(a.salt, c.salt, SCRAM_SALT_BYTES);
    assert_memory_not_equal(a.stored, a.server, SCRAM_KEY_BYTES);
}

static void passwords_are_printable_ascii(void **state)
{
    (void)state;
    error why;
    char long_one[SCRAM_MOST_PASSWORD + 2];
    memset(long_one, 'x', sizeof long_one);
    long_one[sizeof long_one - 1] = '\0';
    assert_int_equal(scram_check_password("correct horse", &why), DITHER_OK);
    assert_int_equal(scram_check_password("", &why), DITHER_INVALID);
    assert_int_equal(scram_check_password("p\xc3\xa4ss", &why), DITHER_INVALID);
    assert_int_equal(scram_check_password("a\tb", &why), DITHER_INVALID);
    assert_int_equal(scram_check_password(long_one, &why), DITHER_INVALID);
}

static void base64_is_strict(void **state)
{
    (void)state;
    unsigned char out[8];
    size_t count = 0;
    assert_true(scram_base64_parse("YWI=", 4, out, sizeof out, &count) && count == 2);
    static const char *const wrong[] = {
        "", "YWI", "YWI ", " YWI", "YWJ=", "YW==YW==", "====", "Y===", "AAAAAAAAAAAA"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(scram_base64_parse(wrong[i], strlen(wrong[i]), out, sizeof out, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vector_of_rfc_7677_is_kept),
        cmocka_unit_test(the_right_password_comes_in_and_no_other),
        cmocka_unit_test(the_channel_is_bound_or_the_client_is_refused),
        cmocka_unit_test(malformed_messages_are_refused),
        cmocka_unit_test(verifiers_are_those_of_postgresql),
        cmocka_unit_test(a_name_that_is_not_there_has_a_salt_of_its_own),
        cmocka_unit_test(passwords_are_printable_ascii),
        cmocka_unit_test(base64_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
