#include "mechanism/divergence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void visit_loss(void *context, struct interval left, struct interval right)
{
    struct interval *worst = context;
    if (left.upper <= 0)
        return; /* impossible on the left: no outcome to tell by */
    bool same = left.lower == left.upper && right.lower == right.upper && left.lower == right.lower;
    struct interval loss =
        same ? interval_exact(0) : interval_subtract(interval_log(left), interval_log(right));
    if (isnan(loss.lower))
        loss.lower = -INFINITY;
    if (isnan(loss.upper))
        loss.upper = INFINITY;
    *worst = interval_max(*worst, loss);
}

struct interval divergence_loss(const struct law *law, struct statistic_pair pair)
{
    struct interval sum = {0, 0};
    size_t blocks = law->family->blocks(law, pair.n);
    for (size_t block = 0; block < blocks; block++) {
        /* The blocks are independent: the worst outcome is the worst of each together. */
        struct interval worst = {-INFINITY, -INFINITY};
        law->family->cells(law, pair.left, pair.right, pair.n, block, visit_loss, &worst);
        if (worst.lower != 0 || worst.upper != 0)
            sum = interval_add(sum, worst);
    }
    return sum;
}

/* ---- The hockey stick ---- */

struct cell {
    struct interval left, right;
};

struct cell_list {
    struct cell *cells;
    size_t count, capacity;
    bool failed;
};

static void visit_collect(void *context, struct interval left, struct interval right)
{
    struct cell_list *list = context;
    if (list->failed)
        return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        struct cell *grown = realloc(list->cells, capacity * sizeof *grown);
        if (grown == NULL) {
            list->failed = true;
            return;
        }
        list->cells = grown;
        list->capacity = capacity;
    }
    list->cells[list->count++] = (struct cell){left, right};
}

static bool same_cells(const struct cell_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct cell cell = list->cells[i];
        if (cell.left.lower != cell.right.lower || cell.left.upper != cell.right.upper)
            return false;
    }
    return true;
}

enum { MOST_BLOCKS = 8 };
#define MOST_OUTCOMES 2e7

/* The cells of every block in which the two sides differ; the others multiply both probabilities by the same
 * factors, which add up to 1. */
struct product {
    struct cell_list blocks[MOST_BLOCKS];
    size_t count;
};

static void product_free(struct product *product)
{
    for (size_t i = 0; i < product->count; i++)
        free(product->blocks[i].cells);
}

static status collect(const struct law *law, struct statistic_pair pair, struct product *product, error *why)
{
    double outcomes = 1;
    size_t blocks = law->family->blocks(law, pair.n);
    for (size_t block = 0; block < blocks; block++) {
        struct cell_list list = {0};
        law->family->cells(law, pair.left, pair.right, pair.n, block, visit_collect, &list);
        if (list.failed) {
            free(list.cells);
            return fail(why, DITHER_NO_MEMORY, "out of memory");
        }
        if (same_cells(&list)) {
            free(list.cells);
            continue;
        }
        outcomes *= (double)list.count;
        if (product->count == MOST_BLOCKS || outcomes > MOST_OUTCOMES) {
            free(list.cells);
            return fail(why, DITHER_INVALID,
                        "too many outcomes to look at all of them; use fewer keys or a coarser grid");
        }
        product->blocks[product->count++] = list;
    }
    return DITHER_OK;
}

static struct interval stick(const struct product *product, size_t block, struct cell outer,
                             struct interval growth)
{
    if (block == product->count) {
        struct interval excess = interval_subtract(outer.left, interval_multiply(growth, outer.right));
        return interval_clip(excess, 0, INFINITY);
    }
    struct interval sum = {0, 0};
    const struct cell_list *list = &product->blocks[block];
    for (size_t i = 0; i < list->count; i++) {
        struct cell inner = {interval_multiply(outer.left, list->cells[i].left),
                             interval_multiply(outer.right, list->cells[i].right)};
        sum = interval_add(sum, stick(product, block + 1, inner, growth));
    }
    return sum;
}

/* Whether the two statistics differ in one number only, and in which. */
static bool differs_once(struct statistic_pair pair, size_t *where)
{
    size_t differences = 0;
    for (size_t i = 0; i < pair.n; i++)
        if (pair.left[i] != pair.right[i]) {
            *where = i;
            differences++;
        }
    return differences == 1;
}

status divergence_delta(const struct law *law, struct statistic_pair pair, double epsilon,
                        struct interval *out, error *why)
{
    size_t where = 0;
    if (law->family->delta != NULL && differs_once(pair, &where) &&
        law->family->delta(law, pair.left, pair.right, where, epsilon, out))
        return DITHER_OK;
    struct product product = {0};
    status result = collect(law, pair, &product, why);
    if (result == DITHER_OK) {
        struct cell certain = {{1, 1}, {1, 1}};
        *out = interval_clip(stick(&product, 0, certain, interval_exp(interval_exact(epsilon))), 0, INFINITY);
    }
    product_free(&product);
    return result;
}

/* ---- Concentrated ---- */

/* sum over whole x of exp(-(x - c)^2 / (2v)) for a whole number c does not depend on c. With P around a and Q
 * around b, P^r Q^(1-r) is exp(r (r-1) (a-b)^2 / (2v)) times a bell around the whole number r a - (r-1) b,
 * over the same normaliser: so for whole orders the divergence is exactly r (a-b)^2 / (2v). (For other orders
 * it is at most that: Canonne, Kamath, Steinke 2020, Proposition 5.) */
struct interval divergence_concentrated(const struct law *law, struct statistic_pair pair)
{
    assert(law->family == &law_gaussian);
    struct interval squares = {0, 0};
    for (size_t i = 0; i < pair.n; i++) {
        struct interval distance = interval_exact((double)(pair.left[i] - pair.right[i]));
        squares = interval_add(squares, interval_multiply(distance, distance));
    }
    struct interval twice =
        interval_multiply(interval_exact(2), interval_from_rational(law->gaussian.variance));
    return interval_divide(squares, twice);
}
