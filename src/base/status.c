#include "base/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

status fail(error *why, status code, const char *format, ...)
{
    assert(code != DITHER_OK);
    if (why != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(why->message, sizeof why->message, format, arguments);
        va_end(arguments);
        why->status = code;
        why->position = -1;
    }
    return code;
}
