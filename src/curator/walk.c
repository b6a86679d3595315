#include "curator/walk.h"

/* Relations seen, by number: an open-addressed set would do as well, but numbers are small and dense. */
struct walk {
    walk_visit visit;
    void *context;
    bool into_releases;
    unsigned char *seen;
    size_t seen_count;
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

static bool is_new(struct walk *walk, const struct sql_relation *relation)
{
    if (relation->number >= walk->seen_count)
        return true; /* beyond what a builder numbers: looked at each time */
    bool seen = walk->seen[relation->number] != 0;
    walk->seen[relation->number] = 1;
    return !seen;
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
    struct walk walk = {
        .visit = visit, .context = context, .into_releases = into_releases, .seen_count = SQL_MOST_NODES + 1};
    void *seen = NULL;
    TRY(arena_take(arena, walk.seen_count, &seen, why));
    walk.seen = seen;
    look_at(&walk, relation);
    return DITHER_OK;
}
