/* What a person's file and an app's account have in common: sums that are never too small, and a check against damage. */
#include <math.h>

#include "local/person_file.h"

uint64_t person_hash(const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ next[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Knuth's two-sum gives what rounding lost, exactly; where it lost something, the next double is surely not below. */
double person_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    double lost = (a - (sum - part)) + (b - part);
    return lost > 0 ? nextafter(sum, INFINITY) : sum;
}
