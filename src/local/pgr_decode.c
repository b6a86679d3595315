/* Counting orthogonal reports for all points at once. The coordinates of a point x are fixed one by one, the highest
 * first; after i of them, a table holds for every choice of the remaining coordinates of y and every z how many reports
 * have these coordinates and a product so far of z. Fixing the next coordinate folds the table to 1/q of its size; at the
 * end the entry of z = 0 is the answer. Tables of a prefix are shared by all points that begin with it: t K q additions in
 * all. */
#include "base/memory.h"
#include "local/pgr.h"

struct decoding {
    const struct local_oracle *oracle;
    uint16_t *multiply, *subtract; /* q x q */
    const uint64_t *histogram;     /* the table before the first coordinate: z is 0 there */
    uint64_t *levels[32];          /* the table after i coordinates, q^(t-i) * q counters */
    double *out;
};

/* target[rest][z] = sum over e of source[e rest][z - digit e]. */
static void fold(const struct decoding *decoding, uint32_t level, uint32_t digit, uint64_t rests)
{
    uint32_t q = decoding->oracle->field.size;
    const uint64_t *source = level == 0 ? decoding->histogram : decoding->levels[level];
    uint64_t *target = decoding->levels[level + 1];
    for (uint64_t i = 0; i < rests * q; i++)
        target[i] = 0;
    for (uint32_t e = 0; e < q; e++) {
        uint32_t product = decoding->multiply[digit * q + e];
        if (level == 0) {
            for (uint64_t rest = 0; rest < rests; rest++)
                target[rest * q + product] += source[e * rests + rest];
            continue;
        }
        for (uint64_t rest = 0; rest < rests; rest++)
            for (uint32_t z = 0; z < q; z++)
                target[rest * q + z] += source[(e * rests + rest) * q + decoding->subtract[z * q + product]];
    }
}

/* The value whose point has this vector: those of shorter vectors come first. */
static uint64_t value_of(uint32_t field_size, uint64_t point)
{
    uint64_t before = 0, block = 1;
    for (; point >= block * field_size; block *= field_size)
        before += block;
    return before + point - block;
}

/* Visits the points that begin with `prefix`; `rests` is the number of ways to go on. A first nonzero coordinate is 1. */
static void visit(const struct decoding *decoding, uint32_t level, uint64_t prefix, uint64_t rests)
{
    uint32_t q = decoding->oracle->field.size;
    uint32_t domain = decoding->oracle->setting.domain;
    if (level == decoding->oracle->length) {
        if (prefix > 0 && value_of(q, prefix) < domain)
            decoding->out[value_of(q, prefix)] = (double)decoding->levels[level][0];
        return;
    }
    uint32_t digits = prefix == 0 ? 2 : q;
    for (uint32_t digit = 0; digit < digits; digit++) {
        uint64_t longer = prefix * q + digit;
        if (longer > 0 && value_of(q, longer * (rests / q)) >= domain)
            break;
        fold(decoding, level, digit, rests / q);
        visit(decoding, level + 1, longer, rests / q);
    }
}

static void fill_tables(const struct decoding *decoding)
{
    const struct field *field = &decoding->oracle->field;
    for (uint32_t a = 0; a < field->size; a++)
        for (uint32_t b = 0; b < field->size; b++) {
            decoding->multiply[a * field->size + b] = (uint16_t)field_multiply(field, a, b);
            decoding->subtract[a * field->size + b] = (uint16_t)field_add(field, a, field_negate(field, b));
        }
}

/* One piece of memory for all: the tables, then levels 1 .. t, each a q-th of the one before. */
status pgr_decode(const struct local_oracle *oracle, const uint64_t *cells, double *out, error *why)
{
    uint32_t q = oracle->field.size;
    uint64_t vectors = oracle->cells, counters = 0;
    for (uint64_t size = vectors; size >= q; size /= q)
        counters += size;
    size_t bytes = counters * sizeof(uint64_t) + (size_t)2 * q * q * sizeof(uint16_t);
    uint64_t *memory = memory_allocate(bytes);
    if (memory == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to decode a space of %llu vectors",
                    (unsigned long long)vectors);
    struct decoding decoding = {.oracle = oracle, .histogram = cells, .out = out};
    decoding.multiply = (uint16_t *)(memory + counters);
    decoding.subtract = decoding.multiply + (size_t)q * q;
    fill_tables(&decoding);
    uint64_t *next = memory;
    for (uint32_t level = 1; level <= oracle->length; level++) {
        decoding.levels[level] = next;
        next += vectors;
        vectors /= q;
    }
    visit(&decoding, 0, 0, oracle->cells);
    memory_release(memory, bytes);
    return DITHER_OK;
}
