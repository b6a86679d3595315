/* PostgreSQL's binary numeric: digits to the base 10000 with the power of the first one. */
#include <math.h>

#include "serve/wire_write.h"
#include "sql/text_form.h"

enum {
    NUMERIC_BASE = 10000,
    NUMERIC_PLACES = 4,      /* of decimal in one digit */
    NUMERIC_MOST_DIGITS = 8, /* of 64 bits: 19 decimal places need six */
    NUMERIC_NEGATIVE = 0x4000,
    NUMERIC_NAN = 0xC000,
    NUMERIC_INFINITY = 0xD000,
    NUMERIC_MINUS_INFINITY = 0xF000,
    NUMERIC_READ_DIGITS = 100, /* of a parameter */
};

/* Units of 10^-scale. The point stands between two digits to the base 10000, so the last digit takes as many decimal
 * places as it has before that. */
void wire_put_numeric(struct wire_out *out, int64_t units, int scale)
{
    uint64_t rest = units < 0 ? -(uint64_t)units : (uint64_t)units;
    uint16_t digits[NUMERIC_MOST_DIGITS];
    int count = 0, behind = (scale + NUMERIC_PLACES - 1) / NUMERIC_PLACES;
    uint64_t base = NUMERIC_BASE, shift = 1;
    for (int place = scale; place < behind * NUMERIC_PLACES; place++) {
        base /= 10;
        shift *= 10;
    }
    for (; rest > 0; rest /= base, base = NUMERIC_BASE, shift = 1)
        digits[count++] = (uint16_t)(rest % base * shift);
    int first = 0; /* zeros at the end are left out */
    while (first < count && digits[first] == 0)
        first++;
    wire_put_uint32(out, (uint32_t)(8 + 2 * (count - first)));
    wire_put_uint16(out, (uint16_t)(count - first));
    wire_put_uint16(out, (uint16_t)(count > 0 ? count - 1 - behind : 0));
    wire_put_uint16(out, units < 0 ? NUMERIC_NEGATIVE : 0);
    wire_put_uint16(out, (uint16_t)scale);
    for (int i = count; i-- > first;)
        wire_put_uint16(out, digits[i]);
}

/* Base 10000 to a text, and from there to the nearest double. */
bool wire_read_numeric(struct cursor *cursor, double *out)
{
    uint16_t count = 0, weight = 0, sign = 0, scale = 0, digit = 0;
    if (!cursor_uint16(cursor, &count) || !cursor_uint16(cursor, &weight) || !cursor_uint16(cursor, &sign) ||
        !cursor_uint16(cursor, &scale) || cursor_left(cursor) != 2 * (size_t)count ||
        count > NUMERIC_READ_DIGITS)
        return false;
    if (sign == NUMERIC_NAN || sign == NUMERIC_INFINITY || sign == NUMERIC_MINUS_INFINITY) {
        *out = sign == NUMERIC_NAN        ? (double)NAN
               : sign == NUMERIC_INFINITY ? (double)INFINITY
                                          : -(double)INFINITY;
        return count == 0;
    }
    struct buffer text;
    buffer_init(&text, 2048);
    buffer_text(&text, sign == NUMERIC_NEGATIVE ? "-0" : "0");
    for (uint16_t i = 0; i < count && cursor_uint16(cursor, &digit); i++)
        buffer_format(&text, "%04u", digit);
    buffer_format(&text, "e%d", NUMERIC_PLACES * ((int16_t)weight - (int)count + 1));
    bool right = !text.failed && digit < NUMERIC_BASE && (sign == 0 || sign == NUMERIC_NEGATIVE) &&
                 text_form_read_real(text.data, text.length, out);
    buffer_free(&text);
    return right;
}
