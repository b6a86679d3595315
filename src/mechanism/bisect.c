#include "mechanism/bisect.h"

#include <math.h>

/* Halves the exponent while the ends are far apart, then the distance. */
static double between(double a, double b)
{
    if (a > 0 && b > 0 && (a > 4 * b || b > 4 * a))
        return sqrt(a) * sqrt(b);
    return a / 2 + b / 2;
}

double bisect(bisect_surely surely, const void *context, double good, double bad)
{
    enum { STEPS = 200 };
    for (int step = 0; step < STEPS; step++) {
        double middle = between(good, bad);
        if (middle == good || middle == bad)
            break;
        if (surely(context, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}
