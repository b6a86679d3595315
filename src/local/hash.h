/* hash.h - public hash functions whose independence is a theorem.
 *
 * Polynomials over the field of P = 2^31 - 1 elements, with uniform coefficients: degree 1 makes the images of any two
 * different values independent and uniform, degree 2 of any three. The field is then cut into `buckets` stretches, number
 * floor(y * buckets / P): their sizes differ by at most one, and hash_collision tells the exact probability that two values
 * share one, which the estimators use in place of 1 / buckets. */
#ifndef LOCAL_HASH_H
#define LOCAL_HASH_H

#include <stdint.h>

enum { HASH_PRIME = 0x7fffffff };

/* c0 + c1 x + c2 x^2; each coefficient below HASH_PRIME. */
struct hash {
    uint32_t c0, c1, c2;
};

/* Number `index` of the public family that `seed` names: coefficients from AES would do; SplitMix64 does, as nothing here
 * is secret and the choice is made before anybody answers. */
struct hash hash_of_family(uint64_t seed, uint64_t index);

/* x reduced modulo P, for x < 2^62. */
static inline uint32_t hash_reduce(uint64_t x)
{
    uint64_t folded = (x & HASH_PRIME) + (x >> 31);
    folded = (folded & HASH_PRIME) + (folded >> 31);
    return (uint32_t)(folded == HASH_PRIME ? 0 : folded);
}

static inline uint32_t hash_image(struct hash hash, uint32_t value)
{
    uint32_t inner = hash_reduce((uint64_t)hash.c2 * value + hash.c1);
    return hash_reduce((uint64_t)inner * value + hash.c0);
}

/* image < P, buckets <= P. */
static inline uint32_t hash_bucket(uint32_t image, uint32_t buckets)
{
    return (uint32_t)((uint64_t)image * buckets / HASH_PRIME);
}

/* The least image that lies in the bucket; of `buckets` itself, P. */
static inline uint32_t hash_bucket_start(uint32_t bucket, uint32_t buckets)
{
    return (uint32_t)(((uint64_t)bucket * HASH_PRIME + buckets - 1) / buckets);
}

/* The probability that two different values fall into one bucket: the sum of squares of (size / P). */
double hash_collision(uint32_t buckets);

#endif
