#include "ledger/spending.h"

#include "base/memory.h"

status spending_init(struct spending *spending, size_t count, error *why)
{
    struct ledger_cost *window = memory_allocate(count * sizeof *window);
    struct ledger_cost *lifetime = memory_allocate(count * sizeof *lifetime);
    if (window == NULL || lifetime == NULL) {
        memory_release(window, count * sizeof *window);
        memory_release(lifetime, count * sizeof *lifetime);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    *spending = (struct spending){window, lifetime, count};
    return DITHER_OK;
}

void spending_free(struct spending *spending)
{
    memory_release(spending->window, spending->count * sizeof *spending->window);
    memory_release(spending->lifetime, spending->count * sizeof *spending->lifetime);
    *spending = (struct spending){0};
}

status spending_add(struct spending *spending, const struct ledger_cost *charge, error *why)
{
    struct ledger_cost sum;
    for (size_t i = 0; i < spending->count; i++) /* the lifetime is never below the window */
        if (!ledger_cost_add(spending->lifetime[i], charge[i], &sum))
            return fail(why, DITHER_REFUSED, "the sum of all costs would pass 1e14");
    for (size_t i = 0; i < spending->count; i++)
        if (!ledger_cost_add(spending->lifetime[i], charge[i], &spending->lifetime[i]) ||
            !ledger_cost_add(spending->window[i], charge[i], &spending->window[i]))
            return fail(why, DITHER_REFUSED, "the sum of all costs would pass 1e14");
    return DITHER_OK;
}

static struct ledger_cost maximum(const struct ledger_cost *costs, size_t count)
{
    struct ledger_cost most = ledger_cost_zero();
    for (size_t i = 0; i < count; i++)
        most = ledger_cost_max(most, costs[i]);
    return most;
}

struct ledger_cost spending_window(const struct spending *spending)
{
    return maximum(spending->window, spending->count);
}

struct ledger_cost spending_lifetime(const struct spending *spending)
{
    return maximum(spending->lifetime, spending->count);
}

status spending_level(struct spending *spending, size_t count, error *why)
{
    struct spending level;
    struct ledger_cost window = spending_window(spending), lifetime = spending_lifetime(spending);
    TRY(spending_init(&level, count, why));
    for (size_t i = 0; i < count; i++) {
        level.window[i] = window;
        level.lifetime[i] = lifetime;
    }
    spending_free(spending);
    *spending = level;
    return DITHER_OK;
}

void spending_renew(struct spending *spending)
{
    for (size_t i = 0; i < spending->count; i++)
        spending->window[i] = ledger_cost_zero();
}

status spending_each(struct spending *spending, spending_convert *convert, const void *context, error *why)
{
    for (size_t i = 0; i < spending->count; i++) {
        TRY(convert(context, &spending->window[i], why));
        TRY(convert(context, &spending->lifetime[i], why));
    }
    return DITHER_OK;
}
