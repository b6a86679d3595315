#include "local/field.h"

#include <assert.h>

uint32_t field_add(const struct field *field, uint32_t a, uint32_t b)
{
    uint32_t p = field->characteristic, sum = 0;
    for (uint32_t place = 1; place < field->size; place *= p)
        sum += (a / place + b / place) % p * place;
    return sum;
}

/* The element times a number below p, digit by digit. */
static uint32_t scale(const struct field *field, uint32_t a, uint32_t factor)
{
    uint32_t p = field->characteristic, product = 0;
    for (uint32_t place = 1; place < field->size; place *= p)
        product += a / place % p * factor % p * place;
    return product;
}

uint32_t field_negate(const struct field *field, uint32_t a)
{
    return scale(field, a, field->characteristic - 1);
}

/* The digits move up by one; the one that leaves at the top comes back as that many times the modulus. */
static uint32_t times_x(const struct field *field, uint32_t a)
{
    return field_add(field, a % field->top * field->characteristic,
                     scale(field, field->modulus, a / field->top));
}

/* Horner's rule over the digits of b. */
uint32_t field_multiply(const struct field *field, uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t place = field->top; place > 0; place /= field->characteristic)
        product =
            field_add(field, times_x(field, product), scale(field, a, b / place % field->characteristic));
    return product;
}

/* a^(q - 2), by squaring. */
uint32_t field_invert(const struct field *field, uint32_t a)
{
    assert(a != 0);
    uint32_t inverse = 1, power = a;
    for (uint32_t exponent = field->size - 2; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            inverse = field_multiply(field, inverse, power);
        power = field_multiply(field, power, power);
    }
    return inverse;
}

static uint32_t least_factor(uint32_t number)
{
    uint32_t factor = 2;
    while (number % factor != 0)
        factor++;
    return factor;
}

/* Does x run through all q - 1 nonzero elements before it comes back to 1? */
static bool x_generates(const struct field *field)
{
    uint32_t power = 1, steps = 0;
    do {
        power = times_x(field, power);
        steps++;
    } while (power > 1 && steps < field->size);
    return power == 1 && steps == field->size - 1;
}

bool field_init(struct field *field, uint32_t size)
{
    if (size < 2 || size > FIELD_LIMIT)
        return false;
    struct field made = {.size = size, .characteristic = least_factor(size), .top = 1};
    uint32_t reached = 1;
    for (; reached < size; reached *= made.characteristic) {
        made.degree++;
        made.top = reached;
    }
    if (reached != size)
        return false;
    if (made.degree > 1) /* for a prime field products never leave the one digit */
        while (!x_generates(&made)) {
            made.modulus++;
            assert(made.modulus < size); /* a primitive polynomial exists for every degree */
        }
    *field = made;
    return true;
}
