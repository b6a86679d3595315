/* field.h - the finite field of q elements, q a prime power.
 *
 * An element is a number below q = p^degree: its base-p digits are the coefficients of a polynomial, and products are taken
 * modulo a fixed one of that degree, chosen so that x generates all nonzero elements (which makes it irreducible). */
#ifndef LOCAL_FIELD_H
#define LOCAL_FIELD_H

#include <stdbool.h>
#include <stdint.h>

enum { FIELD_LIMIT = 1024 };

struct field {
    uint32_t size;           /* q */
    uint32_t characteristic; /* p */
    uint32_t degree;
    uint32_t top;     /* p^(degree - 1) */
    uint32_t modulus; /* what x^degree is equal to */
};

/* False when q is not a prime power from 2 to FIELD_LIMIT. */
bool field_init(struct field *field, uint32_t size);

uint32_t field_add(const struct field *field, uint32_t a, uint32_t b);
uint32_t field_negate(const struct field *field, uint32_t a);
uint32_t field_multiply(const struct field *field, uint32_t a, uint32_t b);

/* a != 0. */
uint32_t field_invert(const struct field *field, uint32_t a);

#endif
