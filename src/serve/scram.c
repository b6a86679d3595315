#include "serve/scram.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"

static const char bound_flag[] = "p=tls-server-end-point";

/* ---- The message of a client, attribute by attribute ---- */

/* Copies the message as a text; false when it holds a NUL or is too long. */
static bool as_text(const void *message, size_t size, char text[SCRAM_MOST_MESSAGE])
{
    if (size == 0 || size >= SCRAM_MOST_MESSAGE || memchr(message, '\0', size) != NULL)
        return false;
    memcpy(text, message, size);
    text[size] = '\0';
    return true;
}

/* "x=value" up to the next comma or the end; moves `at` behind both. */
static bool attribute(const char **at, char name, const char **value, size_t *length)
{
    if ((*at)[0] != name || (*at)[1] != '=')
        return false;
    *value = *at + 2;
    *length = strcspn(*value, ",");
    *at = *value + *length;
    if (**at == ',')
        ++*at;
    return true;
}

static bool printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x21 || text[i] > 0x7e)
            return false;
    return length > 0;
}

static status malformed(error *why)
{
    return fail(why, DITHER_INVALID, "the SCRAM message is not well-formed");
}

/* ---- client-first-message ---- */

void scram_begin(struct scram *scram, const struct scram_setup *setup)
{
    *scram = (struct scram){.setup = *setup};
}

/* Which flag is right is decided by what was offered and chosen (RFC 5802, section 6). */
static status check_flag(const struct scram *scram, const char *flag, size_t length, error *why)
{
    bool bound = length == strlen(bound_flag) && memcmp(flag, bound_flag, length) == 0;
    if (bound && !scram->setup.plus)
        return fail(why, DITHER_INVALID, "the client binds the channel without having chosen " SCRAM_PLUS);
    if (bound)
        return DITHER_OK;
    if (flag[0] == 'p')
        return fail(why, DITHER_INVALID,
                    "this kind of channel binding is not known: tls-server-end-point is");
    if (length != 1 || (flag[0] != 'n' && flag[0] != 'y'))
        return malformed(why);
    if (scram->setup.plus)
        return fail(why, DITHER_INVALID, "the client chose " SCRAM_PLUS " and does not bind the channel");
    if (flag[0] == 'y' && scram->setup.offered)
        return fail(why, DITHER_REFUSED,
                    "somebody between client and server has hidden that the channel can be bound");
    return DITHER_OK;
}

static status read_first(struct scram *scram, const char *text, const char **nonce, size_t *length,
                         error *why)
{
    size_t flag = strcspn(text, ",");
    const char *rest = text + flag, *user = NULL;
    size_t user_length = 0;
    TRY(check_flag(scram, text, flag, why));
    if (strncmp(rest, ",,", 2) != 0) /* another identity to act for: there is none */
        return malformed(why);
    rest += 2;
    snprintf(scram->header, sizeof scram->header, "%.*s", (int)(rest - text), text);
    snprintf(scram->bare, sizeof scram->bare, "%s", rest);
    if (!attribute(&rest, 'n', &user, &user_length) || !attribute(&rest, 'r', nonce, length) ||
        !printable(*nonce, *length))
        return malformed(why);
    return DITHER_OK;
}

status scram_answer_first(struct scram *scram, const void *message, size_t size, struct buffer *out,
                          error *why)
{
    char text[SCRAM_MOST_MESSAGE], salt[SCRAM_MOST_SALT_BYTES * 2];
    const char *nonce = NULL;
    size_t length = 0;
    if (!as_text(message, size, text))
        return malformed(why);
    TRY(read_first(scram, text, &nonce, &length, why));
    scram_base64_print(scram->setup.verifier.salt, scram->setup.verifier.salt_size, salt);
    snprintf(scram->first, sizeof scram->first, "r=%.*s%s,s=%s,i=%u", (int)length, nonce, scram->setup.nonce,
             salt, scram->setup.verifier.iterations);
    scram->nonce_size = length + strlen(scram->setup.nonce);
    buffer_text(out, scram->first);
    return DITHER_OK;
}

/* ---- client-final-message ---- */

static bool hmac(const unsigned char *key, const void *bytes, size_t count,
                 unsigned char out[SCRAM_KEY_BYTES])
{
    unsigned int size = 0;
    return HMAC(EVP_sha256(), key, SCRAM_KEY_BYTES, bytes, count, out, &size) != NULL &&
           size == SCRAM_KEY_BYTES;
}

static bool sha256(const unsigned char *bytes, unsigned char out[SCRAM_KEY_BYTES])
{
    unsigned int size = 0;
    return EVP_Digest(bytes, SCRAM_KEY_BYTES, out, &size, EVP_sha256(), NULL) == 1 && size == SCRAM_KEY_BYTES;
}

/* c= must repeat the header, with the hash of our certificate behind it if the channel is bound. */
static bool binding_fits(const struct scram *scram, const char *value, size_t length)
{
    unsigned char said[SCRAM_BASE64_MOST], expected[sizeof scram->header + SCRAM_MOST_BINDING];
    size_t said_size = 0, header = strlen(scram->header),
           bound = scram->setup.plus ? scram->setup.binding_size : 0;
    if (!scram_base64_parse(value, length, said, sizeof said, &said_size))
        return false;
    memcpy(expected, scram->header, header);
    memcpy(expected + header, scram->setup.binding, bound);
    return said_size == header + bound && CRYPTO_memcmp(said, expected, said_size) == 0;
}

struct final {
    size_t unproved; /* bytes before ",p=" */
    unsigned char proof[SCRAM_KEY_BYTES];
};

static status read_final(const struct scram *scram, const char *text, struct final *out, error *why)
{
    const char *rest = text, *binding = NULL, *nonce = NULL, *proof = strstr(text, ",p=");
    size_t binding_length = 0, nonce_length = 0, count = 0;
    if (proof == NULL || !attribute(&rest, 'c', &binding, &binding_length) ||
        !attribute(&rest, 'r', &nonce, &nonce_length) ||
        !scram_base64_parse(proof + 3, strlen(proof + 3), out->proof, sizeof out->proof, &count) ||
        count != SCRAM_KEY_BYTES)
        return malformed(why);
    out->unproved = (size_t)(proof - text);
    if (!binding_fits(scram, binding, binding_length))
        return fail(why, DITHER_REFUSED, "the channel that the client speaks of is not this one");
    if (nonce_length != scram->nonce_size || memcmp(nonce, scram->first + 2, nonce_length) != 0)
        return fail(why, DITHER_INVALID, "the SCRAM nonce is not the one that was given");
    return DITHER_OK;
}

/* Both sides have seen the same words: ClientKey = ClientProof XOR HMAC(StoredKey, AuthMessage) hashes to StoredKey. */
static bool prove(const struct scram *scram, const struct final *final, const char *words, size_t length,
                  unsigned char signature[SCRAM_KEY_BYTES])
{
    unsigned char client[SCRAM_KEY_BYTES], hashed[SCRAM_KEY_BYTES];
    bool done = hmac(scram->setup.verifier.stored, words, length, client);
    for (size_t i = 0; i < SCRAM_KEY_BYTES; i++)
        client[i] ^= final->proof[i];
    done = done && sha256(client, hashed) && hmac(scram->setup.verifier.server, words, length, signature);
    bool right = done && CRYPTO_memcmp(hashed, scram->setup.verifier.stored, SCRAM_KEY_BYTES) == 0;
    OPENSSL_cleanse(client, sizeof client);
    return right & scram->setup.known;
}

status scram_answer_final(struct scram *scram, const void *message, size_t size, struct buffer *out,
                          error *why)
{
    char text[SCRAM_MOST_MESSAGE], words[3 * SCRAM_MOST_MESSAGE + 2 * SCRAM_VERIFIER_TEXT], shown[64];
    unsigned char signature[SCRAM_KEY_BYTES] = {0};
    struct final final = {0};
    if (!as_text(message, size, text) || scram->nonce_size == 0)
        return malformed(why);
    TRY(read_final(scram, text, &final, why));
    int length =
        snprintf(words, sizeof words, "%s,%s,%.*s", scram->bare, scram->first, (int) final.unproved, text);
    assert(length > 0 && (size_t)length < sizeof words);
    if (!prove(scram, &final, words, (size_t)length, signature))
        return fail(why, DITHER_REFUSED, SCRAM_REFUSED);
    scram_base64_print(signature, sizeof signature, shown);
    buffer_format(out, "v=%s", shown);
    return DITHER_OK;
}

void scram_wipe(struct scram *scram)
{
    OPENSSL_cleanse(scram, sizeof *scram);
}
