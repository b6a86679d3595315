#include "local/hash.h"

/* Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators". */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct hash hash_of_family(uint64_t seed, uint64_t index)
{
    uint32_t coefficient[3];
    uint64_t state = mix(seed) + UINT64_C(0x9e3779b97f4a7c15) * (3 * index);
    for (int i = 0; i < 3; i++) {
        state += UINT64_C(0x9e3779b97f4a7c15);
        coefficient[i] = (uint32_t)((mix(state) >> 2) % HASH_PRIME);
    }
    return (struct hash){coefficient[0], coefficient[1], coefficient[2]};
}

/* P = buckets * size + more: `more` stretches are one longer. */
double hash_collision(uint32_t buckets)
{
    double size = HASH_PRIME / buckets, more = HASH_PRIME % buckets;
    double pairs = more * (size + 1) * (size + 1) + (buckets - more) * size * size;
    return pairs / ((double)HASH_PRIME * HASH_PRIME);
}
