/* Verifiers: made from passwords, written, read, and made up. */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "serve/scram.h"

/* ---- Base64 ---- */

void scram_base64_print(const void *bytes, size_t count, char *text)
{
    text[EVP_EncodeBlock((unsigned char *)text, bytes, (int)count)] = '\0';
}

/* OpenSSL's decoder forgives blanks and bits that do not count: what does not come back the same is refused. */
bool scram_base64_parse(const char *text, size_t length, unsigned char *out, size_t room, size_t *count)
{
    unsigned char bytes[SCRAM_BASE64_MOST];
    char again[SCRAM_BASE64_MOST / 3 * 4 + 8];
    if (length == 0 || length % 4 != 0 || length > SCRAM_BASE64_MOST)
        return false;
    int decoded = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)length);
    if (decoded < 0)
        return false;
    size_t padding = (text[length - 1] == '=') + (text[length - 1] == '=' && text[length - 2] == '=');
    size_t size = (size_t)decoded - padding;
    scram_base64_print(bytes, size, again);
    bool same = size <= room && strlen(again) == length && memcmp(again, text, length) == 0;
    if (same) {
        memcpy(out, bytes, size);
        *count = size;
    }
    OPENSSL_cleanse(bytes, sizeof bytes);
    return same;
}

/* ---- From a password ---- */

status scram_check_password(const char *password, error *why)
{
    size_t length = strlen(password);
    if (length == 0)
        return fail(why, DITHER_INVALID, "must not be empty");
    if (length > SCRAM_MOST_PASSWORD)
        return fail(why, DITHER_INVALID, "must have at most %d characters", SCRAM_MOST_PASSWORD);
    for (size_t i = 0; i < length; i++)
        if (password[i] < 0x20 || password[i] > 0x7e)
            return fail(why, DITHER_INVALID,
                        "must be of printable ASCII characters, which all programs send alike");
    return DITHER_OK;
}

static status no_digest(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "SHA-256 is not to be had");
}

static bool hmac(const unsigned char *key, const char *text, unsigned char out[SCRAM_KEY_BYTES])
{
    unsigned int size = 0;
    return HMAC(EVP_sha256(), key, SCRAM_KEY_BYTES, (const unsigned char *)text, strlen(text), out, &size) !=
           NULL;
}

status scram_verifier_make(const char *password, const unsigned char *salt, size_t salt_size,
                           uint32_t iterations, struct scram_verifier *out, error *why)
{
    struct scram_verifier verifier = {.iterations = iterations, .salt_size = salt_size};
    unsigned char salted[SCRAM_KEY_BYTES], client[SCRAM_KEY_BYTES];
    unsigned int size = 0;
    memcpy(verifier.salt, salt, salt_size);
    bool done = PKCS5_PBKDF2_HMAC(password, (int)strlen(password), salt, (int)salt_size, (int)iterations,
                                  EVP_sha256(), sizeof salted, salted) == 1 &&
                hmac(salted, "Client Key", client) && hmac(salted, "Server Key", verifier.server) &&
                EVP_Digest(client, sizeof client, verifier.stored, &size, EVP_sha256(), NULL) == 1;
    OPENSSL_cleanse(salted, sizeof salted);
    OPENSSL_cleanse(client, sizeof client);
    if (!done)
        return no_digest(why);
    *out = verifier;
    return DITHER_OK;
}

/* The salt is a hash of the name under the secret; so are the keys, which fit no password that anybody knows. */
status scram_verifier_mock(const unsigned char secret[SCRAM_KEY_BYTES], const char *name, uint32_t iterations,
                           struct scram_verifier *out, error *why)
{
    struct scram_verifier verifier = {.iterations = iterations, .salt_size = SCRAM_SALT_BYTES};
    unsigned char salt[SCRAM_KEY_BYTES];
    char labelled[300];
    snprintf(labelled, sizeof labelled, "salt %.280s", name);
    bool done = hmac(secret, labelled, salt);
    snprintf(labelled, sizeof labelled, "stored %.280s", name);
    done = done && hmac(secret, labelled, verifier.stored);
    snprintf(labelled, sizeof labelled, "server %.280s", name);
    done = done && hmac(secret, labelled, verifier.server);
    if (!done)
        return no_digest(why);
    memcpy(verifier.salt, salt, SCRAM_SALT_BYTES);
    *out = verifier;
    return DITHER_OK;
}

/* ---- As text ---- */

void scram_verifier_print(const struct scram_verifier *verifier, char text[SCRAM_VERIFIER_TEXT])
{
    char salt[SCRAM_MOST_SALT_BYTES * 2], stored[64], server[64];
    scram_base64_print(verifier->salt, verifier->salt_size, salt);
    scram_base64_print(verifier->stored, SCRAM_KEY_BYTES, stored);
    scram_base64_print(verifier->server, SCRAM_KEY_BYTES, server);
    snprintf(text, SCRAM_VERIFIER_TEXT, SCRAM_PLAIN "$%u:%s$%s:%s", verifier->iterations, salt, stored,
             server);
}

static bool parse_iterations(const char *text, size_t length, uint32_t *out)
{
    uint64_t number = 0;
    char digits[16];
    if (length == 0 || length >= sizeof digits || strspn(text, "0123456789") != length)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length, text);
    if (number_parse_whole(digits, &number, NULL) != DITHER_OK || number < SCRAM_LEAST_ITERATIONS ||
        number > SCRAM_MOST_ITERATIONS)
        return false;
    *out = (uint32_t)number;
    return true;
}

bool scram_verifier_parse(const char *text, struct scram_verifier *out)
{
    static const char begin[] = SCRAM_PLAIN "$";
    struct scram_verifier verifier = {0};
    size_t stored = 0, server = 0;
    if (strncmp(text, begin, strlen(begin)) != 0)
        return false;
    const char *iterations = text + strlen(begin), *salt = strchr(iterations, ':');
    const char *first = salt != NULL ? strchr(salt, '$') : NULL,
               *second = first != NULL ? strchr(first, ':') : NULL;
    if (second == NULL)
        return false;
    bool right =
        parse_iterations(iterations, (size_t)(salt - iterations), &verifier.iterations) &&
        scram_base64_parse(salt + 1, (size_t)(first - salt - 1), verifier.salt, sizeof verifier.salt,
                           &verifier.salt_size) &&
        scram_base64_parse(first + 1, (size_t)(second - first - 1), verifier.stored, SCRAM_KEY_BYTES,
                           &stored) &&
        scram_base64_parse(second + 1, strlen(second + 1), verifier.server, SCRAM_KEY_BYTES, &server) &&
        stored == SCRAM_KEY_BYTES && server == SCRAM_KEY_BYTES;
    if (right)
        *out = verifier;
    return right;
}
