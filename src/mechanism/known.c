#include "mechanism/known.h"

static bool borrows(const dither_options *options)
{
    return options->edges != NULL || options->edge_count > 0 || options->categories != NULL ||
           options->column_count > 0;
}

static bool is_range(dither_range left, dither_range right)
{
    return left.lower == right.lower && left.upper == right.upper;
}

/* Every field that is not borrowed. What is not equal to itself is asked anew, and refused anew. */
static bool are_same(const dither_options *left, const dither_options *right)
{
    return left->epsilon == right->epsilon && left->delta == right->delta && left->rho == right->rho &&
           left->sensitivity == right->sensitivity && left->group == right->group &&
           left->max_groups == right->max_groups && is_range(left->range, right->range) &&
           is_range(left->output, right->output) && left->min_size == right->min_size &&
           left->grid == right->grid && left->threshold == right->threshold &&
           left->quantile == right->quantile && left->ways == right->ways;
}

static const struct mechanism *find(const struct mechanism_known *known, const struct mechanism_kind *kind,
                                    const dither_options *options)
{
    size_t count = known->count < MECHANISM_MOST_KNOWN ? known->count : MECHANISM_MOST_KNOWN;
    for (size_t i = 0; i < count; i++)
        if (known->list[i].made.kind == kind && are_same(&known->list[i].asked, options))
            return &known->list[i].made;
    return NULL;
}

status mechanism_init_known(struct mechanism_known *known, struct mechanism *mechanism,
                            const struct mechanism_kind *kind, const dither_options *options, error *why)
{
    if (known == NULL || borrows(options))
        return mechanism_init(mechanism, kind, options, why);
    const struct mechanism *found = find(known, kind, options);
    if (found != NULL) {
        *mechanism = *found;
        return DITHER_OK;
    }
    TRY(mechanism_init(mechanism, kind, options, why));
    size_t place = known->count++ % MECHANISM_MOST_KNOWN;
    known->list[place].asked = *options;
    known->list[place].made = *mechanism;
    return DITHER_OK;
}
