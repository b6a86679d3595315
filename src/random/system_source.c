/* AES in counter mode is uniform as far as anybody can tell (it takes about 2^64 blocks under one key to see
 * that blocks never repeat; a key here lives for 2^11). Fast key erasure: after every refill the stream's
 * next bytes become the new key, so that a look into memory tells nothing about what was drawn before
 * (Bernstein 2017, "Fast-key-erasure random-number generators"). Fresh entropy is mixed in by exclusive or:
 * the key is at least as unknown as either. */
#include "random/system_source.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

enum { KEY_BYTES = 32, COUNTER_BYTES = 16, SEED_BYTES = KEY_BYTES + COUNTER_BYTES };

struct system_source {
    entropy_function entropy;
    EVP_CIPHER_CTX *cipher; /* holds the only copy of the key for the *next* refill */
    size_t until_reseed;    /* bytes that may still be drawn before fresh entropy is due */
};

bool system_entropy(void *bytes, size_t count)
{
    unsigned char *next = bytes;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        count -= (size_t)got;
    }
    return true;
}

/* The key stream is the encryption of zeros. Requests are far below what an int holds. */
static bool stream(EVP_CIPHER_CTX *cipher, unsigned char *bytes, size_t count)
{
    int written = 0;
    memset(bytes, 0, count);
    return EVP_EncryptUpdate(cipher, bytes, &written, bytes, (int)count) == 1 && (size_t)written == count;
}

/* Wipes the seed: from now on only the cipher knows it. */
static status set_key(struct system_source *source, unsigned char seed[SEED_BYTES], error *why)
{
    bool good = EVP_EncryptInit_ex(source->cipher, NULL, NULL, seed, seed + KEY_BYTES) == 1;
    OPENSSL_cleanse(seed, SEED_BYTES);
    return good ? DITHER_OK : fail(why, DITHER_NO_ENTROPY, "the cipher behind the random bits failed");
}

static status fresh_entropy(struct system_source *source, unsigned char seed[SEED_BYTES], error *why)
{
    if (!source->entropy(seed, SEED_BYTES))
        return fail(why, DITHER_NO_ENTROPY,
                    "the system gives no random bits (getrandom failed); nothing is released");
    source->until_reseed = RANDOM_RESEED_BYTES;
    return DITHER_OK;
}

/* The next key comes from the stream itself and, when it is due, from the system as well. */
static status rekey(struct system_source *source, bool with_entropy, error *why)
{
    unsigned char seed[SEED_BYTES], fresh[SEED_BYTES] = {0};
    if (with_entropy)
        TRY(fresh_entropy(source, fresh, why));
    if (!stream(source->cipher, seed, SEED_BYTES))
        return fail(why, DITHER_NO_ENTROPY, "the cipher behind the random bits failed");
    for (size_t i = 0; i < SEED_BYTES; i++)
        seed[i] ^= fresh[i];
    OPENSSL_cleanse(fresh, sizeof fresh);
    return set_key(source, seed, why);
}

static status refill(void *state, unsigned char *bytes, size_t count, error *why)
{
    struct system_source *source = state;
    assert(count <= RANDOM_RESEED_BYTES);
    if (source->until_reseed < count)
        TRY(rekey(source, true, why));
    source->until_reseed -= count;
    if (!stream(source->cipher, bytes, count))
        return fail(why, DITHER_NO_ENTROPY, "the cipher behind the random bits failed");
    return rekey(source, false, why);
}

static void close_source(void *state)
{
    struct system_source *source = state;
    EVP_CIPHER_CTX_free(source->cipher); /* wipes the key schedule */
    OPENSSL_cleanse(source, sizeof *source);
    free(source);
}

status system_source_open(entropy_function entropy, struct random_source *out, error *why)
{
    struct system_source *made = calloc(1, sizeof *made);
    if (made == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    made->entropy = entropy;
    made->cipher = EVP_CIPHER_CTX_new();
    unsigned char seed[SEED_BYTES];
    status result = DITHER_OK;
    if (made->cipher == NULL || EVP_EncryptInit_ex(made->cipher, EVP_aes_256_ctr(), NULL, NULL, NULL) != 1)
        result = fail(why, DITHER_NO_ENTROPY, "AES-256-CTR is not to be had from OpenSSL");
    if (result == DITHER_OK)
        result = fresh_entropy(made, seed, why);
    if (result == DITHER_OK)
        result = set_key(made, seed, why);
    if (result != DITHER_OK) {
        close_source(made);
        return result;
    }
    *out = (struct random_source){.refill = refill, .close = close_source, .state = made};
    return DITHER_OK;
}
