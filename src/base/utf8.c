#include "base/utf8.h"

#include "base/cursor.h"

/* What may follow a first byte: how many continuation bytes, and the range of the first of them (RFC 3629,
 * 4). */
struct lead {
    unsigned char from, to;
    int more;
    unsigned char low, high;
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF}, {0xE1, 0xEC, 2, 0x80, 0xBF},
    {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
    {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static bool take_rest(struct cursor *cursor, const struct lead *lead)
{
    unsigned char low = lead->low, high = lead->high;
    for (int i = 0; i < lead->more; i++) {
        unsigned char byte = 0;
        if (!cursor_byte(cursor, &byte) || byte < low || byte > high)
            return false;
        low = 0x80;
        high = 0xBF;
    }
    return true;
}

static bool take_character(struct cursor *cursor)
{
    unsigned char first = 0;
    if (!cursor_byte(cursor, &first))
        return false;
    if (first < 0x80)
        return true;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (first >= leads[i].from && first <= leads[i].to)
            return take_rest(cursor, &leads[i]);
    return false;
}

bool utf8_valid(const char *text, size_t length)
{
    struct cursor cursor = cursor_over(text, length);
    while (cursor_left(&cursor) > 0)
        if (!take_character(&cursor))
            return false;
    return true;
}

size_t utf8_length(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}
