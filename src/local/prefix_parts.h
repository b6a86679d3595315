/* prefix_parts.h - how prefixes are cut and hashed, for the client and the search alike. */
#ifndef LOCAL_PREFIX_PARTS_H
#define LOCAL_PREFIX_PARTS_H

#include "local/prefix.h"

/* The first `bits` bits of the text up to its first zero byte, and zeros. */
void prefix_cut(const char *text, size_t length, uint32_t bits, unsigned char out[PREFIX_LENGTH_LIMIT]);

/* The sum of coefficient * chunk over the field, without c0. Linear: the image of a prefix and the image of what extends it add up. */
uint32_t prefix_image(const unsigned char *bytes, const unsigned char *coefficients, uint32_t chunks);

#endif
