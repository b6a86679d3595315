#include "mechanism/law_common.h"

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

void law_visit_same(law_visit visit, void *context)
{
    visit(context, interval_exact(1), interval_exact(1));
}
