#include "base/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* A message that did not fit may end in the middle of a character: that one goes too. */
static void drop_broken_end(char *message, size_t length)
{
    while (length > 0 && ((unsigned char)message[length - 1] & 0xC0) == 0x80)
        length--;
    if (length > 0 && (unsigned char)message[length - 1] >= 0xC0)
        length--;
    message[length] = '\0';
}

status fail(error *why, status code, const char *format, ...)
{
    assert(code != DITHER_OK);
    if (why != NULL) {
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(why->message, sizeof why->message, format, arguments);
        va_end(arguments);
        if (length >= (int)sizeof why->message)
            drop_broken_end(why->message, sizeof why->message - 1);
        why->status = code;
        why->position = -1;
    }
    return code;
}
