/* utf8.h - is this text UTF-8, as RFC 3629 has it? No overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *text, size_t length);

/* How many characters a valid text has: for lining up columns (one column each). */
size_t utf8_length(const char *text);

#endif
