/* characters.h - stepping through UTF-8 that is known to be valid; on other bytes the steps are odd, but end. */
#ifndef ENGINE_CHARACTERS_H
#define ENGINE_CHARACTERS_H

#include <stdbool.h>

static inline bool character_starts(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* The byte behind the character at `at`, which is before `end`. */
static inline const char *character_next(const char *at, const char *end)
{
    for (at++; at < end && !character_starts(*at); at++)
        ;
    return at;
}

/* The character before `at`, which is behind `start`. */
static inline const char *character_previous(const char *start, const char *at)
{
    for (at--; at > start && !character_starts(*at); at--)
        ;
    return at;
}

#endif
