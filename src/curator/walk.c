#include "curator/walk.h"

enum { FEW = 1024, ALL = SQL_MOST_NODES + 1 };

/* Relations seen, by number, a bit for each. Most plans number a few dozen; room for all that there may be is taken when
 * it is needed. */
struct walk {
    walk_visit visit;
    void *context;
    bool into_releases;
    unsigned char few[FEW / 8];
    unsigned char *all;
    struct arena *arena;
    status result;
    error *why;
};

static void look_at(struct walk *walk, const struct sql_relation *relation);

static void look_into(struct walk *walk, const struct sql_expression *expression)
{
    if (expression == NULL)
        return;
    if (expression->kind == SQL_SCALAR)
        look_at(walk, expression->relation);
    for (size_t i = 0; i < expression->argument_count; i++)
        look_into(walk, expression->arguments[i]);
}

static void look_into_aggregate(struct walk *walk, const struct sql_aggregate *aggregate)
{
    look_into(walk, aggregate->argument);
    look_into(walk, aggregate->second);
    look_into(walk, aggregate->filter);
}

static void look_into_order(struct walk *walk, const struct sql_order *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        look_into(walk, order[i].expression);
}

static void look_into_window(struct walk *walk, const struct sql_window *window)
{
    if (window->kind == SQL_WINDOW_AGGREGATE)
        look_into_aggregate(walk, &window->aggregate);
    for (size_t i = 0; i < window->argument_count; i++)
        look_into(walk, window->arguments[i]);
    for (size_t i = 0; i < window->partition_count; i++)
        look_into(walk, window->partition[i]);
    look_into_order(walk, window->order, window->order_count);
}

static void look_into_release(struct walk *walk, const struct sql_release *release)
{
    look_at(walk, release->input);
    look_at(walk, release->domain);
    for (size_t i = 0; i < release->key_count; i++)
        look_into(walk, release->keys[i]);
    for (size_t i = 0; i < release->measure_count; i++) {
        look_into(walk, release->measures[i].argument);
        look_into(walk, release->measures[i].second);
        look_into(walk, release->measures[i].filter);
    }
}

/* Where its number has its bit; NULL: there is no room. */
static unsigned char *seen_of(struct walk *walk, size_t number)
{
    void *room = NULL;
    if (number < FEW)
        return &walk->few[number / 8];
    if (walk->all == NULL && walk->result == DITHER_OK)
        walk->result = arena_take(walk->arena, ALL / 8 + 1, &room, walk->why);
    if (room != NULL)
        walk->all = room;
    return walk->all != NULL ? &walk->all[number / 8] : NULL;
}

static bool is_new(struct walk *walk, const struct sql_relation *relation)
{
    if (relation->number >= ALL)
        return true; /* beyond what a builder numbers: looked at each time */
    unsigned char *seen = seen_of(walk, relation->number);
    unsigned char bit = (unsigned char)(1u << relation->number % 8);
    if (seen == NULL || (*seen & bit) != 0)
        return false;
    *seen |= bit;
    return true;
}

static void look_at(struct walk *walk, const struct sql_relation *relation)
{
    if (relation == NULL || !is_new(walk, relation) || !walk->visit(walk->context, relation))
        return;
    look_at(walk, relation->input);
    look_at(walk, relation->right);
    look_into(walk, relation->condition);
    for (size_t i = 0; i < relation->expression_count; i++)
        look_into(walk, relation->expressions[i]);
    for (size_t i = 0; i < relation->aggregate_count; i++)
        look_into_aggregate(walk, &relation->aggregates[i]);
    for (size_t i = 0; i < relation->window_count; i++)
        look_into_window(walk, &relation->windows[i]);
    look_into_order(walk, relation->order, relation->order_count);
    look_into(walk, relation->limit);
    look_into(walk, relation->offset);
    if (walk->into_releases && relation->kind == SQL_RELEASE)
        look_into_release(walk, relation->release);
}

status walk_relation(const struct sql_relation *relation, bool into_releases, walk_visit visit, void *context,
                     struct arena *arena, error *why)
{
    struct walk walk = {.visit = visit,
                        .context = context,
                        .into_releases = into_releases,
                        .arena = arena,
                        .result = DITHER_OK,
                        .why = why};
    look_at(&walk, relation);
    return walk.result;
}
