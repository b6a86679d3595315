#include "local/report_text.h"

static int digit(char text)
{
    if (text >= '0' && text <= '9')
        return text - '0';
    return text >= 'a' && text <= 'f' ? text - 'a' + 10 : -1;
}

bool report_read(const char *text, size_t length, unsigned char *report, size_t bytes)
{
    if (length / 2 != bytes || length % 2 != 0)
        return false;
    for (size_t i = 0; i < bytes; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        report[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

void report_write(struct buffer *out, const unsigned char *report, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes; i++) {
        buffer_byte(out, digits[report[i] >> 4]);
        buffer_byte(out, digits[report[i] & 15]);
    }
    buffer_byte(out, '\n');
}
