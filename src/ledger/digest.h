/* digest.h - SHA-256, and how it is written. */
#ifndef LEDGER_DIGEST_H
#define LEDGER_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum {
    DIGEST_BYTES = 32,
    DIGEST_TEXT = 2 * DIGEST_BYTES + 1,
};

struct digest {
    unsigned char bytes[DIGEST_BYTES];
};

status digest_of(const void *bytes, size_t size, struct digest *out, error *why) MUST_CHECK;

struct digest_part {
    const void *data;
    size_t size;
};

/* The digest of several parts, one behind the other. */
status digest_of_joined(const struct digest_part *parts, size_t count, struct digest *out,
                        error *why) MUST_CHECK;

/* The digest of several parts in which none can run into the next: each is preceded by its length. */
status digest_of_parts(const struct digest_part *parts, size_t count, struct digest *out,
                       error *why) MUST_CHECK;

bool digest_equal(const struct digest *left, const struct digest *right);

/* Lower-case hexadecimal, with a NUL; reading takes exactly 64 such characters. */
void digest_print(const struct digest *digest, char text[DIGEST_TEXT]);
bool digest_parse(const char *text, struct digest *out);

#endif
