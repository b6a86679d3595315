#include "mechanism/law_common.h"

#include <math.h>

size_t law_one_each(const struct law *law, size_t n)
{
    (void)law;
    return n;
}

int64_t law_clamp(int64_t value, int64_t lower, int64_t upper)
{
    if (value < lower)
        return lower;
    return value > upper ? upper : value;
}

int128_t law_run_length(int128_t count)
{
    return (count + LAW_MOST_RUNS - 1) / LAW_MOST_RUNS;
}

void law_visit_run(struct interval left, struct interval first_ratio, struct interval last_ratio,
                   law_visit visit, void *context)
{
    struct interval ratio = {fmin(first_ratio.lower, last_ratio.lower),
                             fmax(first_ratio.upper, last_ratio.upper)};
    visit(context, left, interval_clip(interval_multiply(left, ratio), 0, 1));
}

void law_visit_same(law_visit visit, void *context)
{
    visit(context, interval_exact(1), interval_exact(1));
}
