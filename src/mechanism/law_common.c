#include "mechanism/law_common.h"

#include <math.h>

enum {
    MOST_SINGLE = 256, /* outcomes of a stretch that are visited one by one */
    RUNS = 64,
};

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

static struct interval ratio_at(const struct law_stretch *stretch, int128_t k)
{
    return interval_divide(stretch->left(stretch->context, k, 1), stretch->right(stretch->context, k, 1));
}

static void visit_run(const struct law_stretch *stretch, int128_t start, int128_t count, law_visit visit,
                      void *context)
{
    struct interval left = stretch->left(stretch->context, start, count);
    struct interval right = stretch->right(stretch->context, start, count);
    if (count > 1) {
        struct interval first = ratio_at(stretch, start), last = ratio_at(stretch, start + count - 1);
        struct interval ratio = {fmin(first.lower, last.lower), fmax(first.upper, last.upper)};
        struct interval wide = interval_divide(left, ratio);
        right = (struct interval){fmin(right.lower, wide.lower), fmax(right.upper, wide.upper)};
    }
    visit(context, left, right);
}

void law_visit_stretch(const struct law_stretch *stretch, law_visit visit, void *context)
{
    int128_t length = stretch->last - stretch->first + 1;
    int128_t size = length <= MOST_SINGLE ? 1 : (length + RUNS - 1) / RUNS;
    for (int128_t start = stretch->first; start <= stretch->last; start += size) {
        int128_t rest = stretch->last - start + 1;
        visit_run(stretch, start, rest < size ? rest : size, visit, context);
    }
}
