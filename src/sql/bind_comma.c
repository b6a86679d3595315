/* FROM a, b, c WHERE ...: the parts of WHERE that speak of two tables become the conditions of joins, so that two
 * private tables can be joined that way. The order of the tables in FROM need not be one in which each equates
 * its unit with those before it: the next one is the first that does. */
#include <string.h>

#include "sql/bind_room.h"

static const size_t NOT_JOINED = SIZE_MAX;

static size_t item_of(const struct bind_comma *comma, size_t column)
{
    size_t item = comma->count;
    while (comma->starts[--item] > column)
        ;
    return item;
}

/* Which tables a part of WHERE speaks of. */
struct mentions {
    const struct bind_comma *comma;
    size_t candidate;
    bool outside, candidate_seen, joined_seen, other_seen;
};

static void look_at_column(void *context, size_t column)
{
    struct mentions *mentions = context;
    const struct bind_comma *comma = mentions->comma;
    if (column < comma->shift) {
        mentions->outside = true;
        return;
    }
    if (item_of(comma, column - comma->shift) == mentions->candidate)
        mentions->candidate_seen = true;
    else if (comma->map[column - comma->shift] != NOT_JOINED)
        mentions->joined_seen = true;
    else
        mentions->other_seen = true;
}

static bool connects(const struct bind_comma *comma, size_t candidate, const struct sql_expression *part)
{
    struct mentions mentions = {.comma = comma, .candidate = candidate};
    if (part == NULL)
        return false;
    sql_visit_columns(part, look_at_column, &mentions);
    return mentions.candidate_seen && mentions.joined_seen && !mentions.other_seen && !mentions.outside;
}

/* The parts that connect the candidate with what is joined already, over the columns of both. */
static status condition_for(struct binder *binder, const struct bind_comma *comma,
                            const struct sql_relation *joined, size_t candidate,
                            const struct sql_expression **out, error *why)
{
    struct sql_builder *builder = &binder->builder;
    const struct sql_relation *pair = NULL;
    const struct sql_expression **columns = NULL, *all = NULL, *moved = NULL;
    size_t width = comma->items[candidate].relation->column_count, total = comma->shift + comma->column_count;
    bool any = false;
    *out = NULL;
    for (size_t i = 0; i < comma->part_count; i++)
        any = any || connects(comma, candidate, comma->parts[i]);
    if (!any)
        return DITHER_OK;
    TRY(bind_pair(binder, joined, comma->items[candidate].relation, &pair, why));
    TRY(relation_take(builder, total, sizeof *columns, &columns, why));
    for (size_t i = 0; i < comma->column_count; i++) {
        size_t own = i - comma->starts[candidate];
        size_t at = comma->map[i];
        if (i >= comma->starts[candidate] && own < width)
            at = joined->column_count + own;
        if (at != NOT_JOINED)
            TRY(sql_column_of(builder, pair, at, -1, &columns[comma->shift + i], why));
    }
    for (size_t i = 0; i < comma->part_count; i++) {
        if (!connects(comma, candidate, comma->parts[i]))
            continue;
        TRY(sql_substitute(builder, comma->parts[i], columns, total, &moved, why));
        TRY(bind_and(binder, all, moved, &all, why));
    }
    *out = all;
    return DITHER_OK;
}

/* The first table that may come next: one that is connected, and if two are private, by their units. If there
 * is none the first of all, and the join says what is wrong. */
static status choose(struct binder *binder, const struct bind_comma *comma, const struct sql_relation *joined,
                     const bool *done, size_t *candidate, const struct sql_expression **condition, error *why)
{
    size_t first = comma->count;
    for (size_t i = 0; i < comma->count; i++) {
        const struct sql_relation *item = comma->items[i].relation;
        if (done[i])
            continue;
        first = first == comma->count ? i : first;
        TRY(condition_for(binder, comma, joined, i, condition, why));
        bool two_tagged = joined->place == SQL_TAGGED && item->place == SQL_TAGGED;
        if (*condition == NULL || (two_tagged && !relation_equates_units(joined, item, *condition)))
            continue;
        *candidate = i;
        return DITHER_OK;
    }
    *candidate = first;
    return condition_for(binder, comma, joined, first, condition, why);
}

static void take_in(struct bind_comma *comma, size_t item, size_t first_column)
{
    for (size_t i = 0; i < comma->items[item].relation->column_count; i++)
        comma->map[comma->starts[item] + i] = first_column + i;
}

status bind_comma_join(struct binder *binder, struct bind_comma *comma, const struct sql_relation **out,
                       error *why)
{
    const struct sql_relation *joined = comma->items[0].relation;
    bool *done = NULL;
    TRY(relation_take(&binder->builder, comma->count, sizeof *done, &done, why));
    TRY(relation_take(&binder->builder, comma->column_count, sizeof *comma->map, &comma->map, why));
    for (size_t i = 0; i < comma->column_count; i++)
        comma->map[i] = NOT_JOINED;
    take_in(comma, 0, 0);
    done[0] = true;
    for (size_t step = 1; step < comma->count; step++) {
        const struct sql_expression *condition = NULL;
        const struct sql_relation *next = NULL;
        size_t candidate = 0;
        TRY(choose(binder, comma, joined, done, &candidate, &condition, why));
        const struct sql_relation *item = comma->items[candidate].relation;
        TRY(sql_join(&binder->builder, SQL_INNER, joined, item, condition, item->position, &next, why));
        for (size_t i = 0; i < comma->part_count; i++)
            if (connects(comma, candidate, comma->parts[i]))
                comma->parts[i] = NULL;
        take_in(comma, candidate, joined->column_count);
        done[candidate] = true;
        joined = next;
    }
    *out = joined;
    return DITHER_OK;
}
