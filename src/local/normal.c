#include "local/normal.h"

#include <assert.h>
#include <math.h>

/* P(|Z| > w) = erfc(w / sqrt 2) falls in w; 40 is beyond the smallest double. */
double normal_two_sided(double confidence)
{
    assert(confidence > 0 && confidence < 1);
    double low = 0, high = 40;
    for (int step = 0; step < 80; step++) {
        double middle = (low + high) / 2;
        *(erfc(middle / sqrt(2)) > 1 - confidence ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
