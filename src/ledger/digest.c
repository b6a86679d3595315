#include "ledger/digest.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <openssl/evp.h>

static status no_digest(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "SHA-256 could not be computed (out of memory?)");
}

/* Looked up once: EVP_sha256() looks it up among the providers at each use, which takes longer than a short digest. It is
 * kept until the process ends. */
static const EVP_MD *sha256;

static void find_sha256(void)
{
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (sha256 == NULL)
        sha256 = EVP_sha256();
}

static const EVP_MD *get_sha256(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find_sha256);
    return sha256;
}

status digest_of(const void *bytes, size_t size, struct digest *out, error *why)
{
    struct digest digest;
    if (EVP_Digest(size > 0 ? bytes : "", size, digest.bytes, NULL, get_sha256(), NULL) != 1)
        return no_digest(why);
    *out = digest;
    return DITHER_OK;
}

static bool add_length(EVP_MD_CTX *context, size_t size)
{
    unsigned char length[8];
    for (int k = 0; k < 8; k++)
        length[k] = (unsigned char)((uint64_t)size >> (56 - 8 * k));
    return EVP_DigestUpdate(context, length, sizeof length) == 1;
}

static status digest_all(const struct digest_part *parts, size_t count, bool lengths, struct digest *out,
                         error *why)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool fine = context != NULL && EVP_DigestInit_ex(context, get_sha256(), NULL) == 1;
    for (size_t i = 0; i < count && fine; i++)
        fine = (!lengths || add_length(context, parts[i].size)) &&
               (parts[i].size == 0 || EVP_DigestUpdate(context, parts[i].data, parts[i].size) == 1);
    struct digest digest;
    fine = fine && EVP_DigestFinal_ex(context, digest.bytes, NULL) == 1;
    EVP_MD_CTX_free(context);
    if (!fine)
        return no_digest(why);
    *out = digest;
    return DITHER_OK;
}

status digest_of_joined(const struct digest_part *parts, size_t count, struct digest *out, error *why)
{
    return digest_all(parts, count, false, out, why);
}

status digest_of_parts(const struct digest_part *parts, size_t count, struct digest *out, error *why)
{
    return digest_all(parts, count, true, out, why);
}

bool digest_equal(const struct digest *left, const struct digest *right)
{
    return memcmp(left->bytes, right->bytes, DIGEST_BYTES) == 0;
}

void digest_print(const struct digest *digest, char text[DIGEST_TEXT])
{
    static const char hexadecimal[] = "0123456789abcdef";
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        text[2 * i] = hexadecimal[digest->bytes[i] >> 4];
        text[2 * i + 1] = hexadecimal[digest->bytes[i] & 15];
    }
    text[DIGEST_TEXT - 1] = '\0';
}

static int nibble(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return -1;
}

bool digest_parse(const char *text, struct digest *out)
{
    struct digest digest;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        int high = nibble(text[2 * i]);
        int low = high < 0 ? -1 : nibble(text[2 * i + 1]);
        if (low < 0)
            return false;
        digest.bytes[i] = (unsigned char)(high << 4 | low);
    }
    *out = digest;
    return true;
}
