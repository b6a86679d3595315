/* spending.h - what one holder has spent, block by block.
 *
 * A holder is the dataset, an analyst, or a group. Blocks are disjoint slices of the units, so a unit's
 * loss is what was spent on its block, and the loss of all is the maximum over the blocks (parallel
 * composition: McSherry 2009, Theorem 4). The last block is "rest". `window` is what counts against a
 * limit; `lifetime` is never reset. */
#ifndef LEDGER_SPENDING_H
#define LEDGER_SPENDING_H

#include <stddef.h>

#include "ledger/cost.h"

struct spending {
    struct ledger_cost *window, *lifetime; /* block_count + 1 each */
    size_t count;                          /* block_count + 1 */
};                                         /* starts as zero bytes */

/* `count` blocks, rest included, all with nothing spent. */
status spending_init(struct spending *spending, size_t count, error *why) MUST_CHECK;
void spending_free(struct spending *spending);

/* Adds the charge of each block to both. Refuses what would pass 10^14; nothing is changed then. */
status spending_add(struct spending *spending, const struct ledger_cost *charge, error *why) MUST_CHECK;

/* The maximum over the blocks. */
struct ledger_cost spending_window(const struct spending *spending);
struct ledger_cost spending_lifetime(const struct spending *spending);

/* Every block's spending becomes the maximum over the blocks, and there are `count` blocks from now on. */
status spending_level(struct spending *spending, size_t count, error *why) MUST_CHECK;

/* A new window: nothing is spent in it. */
void spending_renew(struct spending *spending);

/* Passes every number through `convert`, which refuses what it cannot convert; the spending is spoilt then.
 */
typedef status spending_convert(const void *context, struct ledger_cost *cost, error *why);
status spending_each(struct spending *spending, spending_convert *convert, const void *context,
                     error *why) MUST_CHECK;

#endif
