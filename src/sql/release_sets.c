/* Grouping sets: each a release of its own, or rolled up from the finest.
 *
 * m releases that share one price have m times the noise each. A set that is rolled up costs nothing: its cells
 * are sums of the finest set's, and a sum of k cells has sqrt(k) times their noise. Which is better follows
 * from the sizes of public domains and from the caps alone. With j of m sets rolled up, whose cells have r times
 * the finest's noise each, noises are (m - j) and (m - j) r; we take the j that makes the product of all
 * noises least, among those where no set is worse off than with m releases. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/release_room.h"

struct set_plan {
    const struct bind_grouping_set *set;
    size_t same_as;    /* an earlier set with the same keys, or itself */
    bool below_finest; /* a proper part of the finest */
    double ratio;      /* of its noise to the finest's, rolled up */
    bool rolled_up;
    struct release_made made;
};

static bool has_key(const struct bind_grouping_set *set, size_t key)
{
    for (size_t i = 0; i < set->key_count; i++)
        if (set->keys[i] == key)
            return true;
    return false;
}

static bool is_part(const struct bind_grouping_set *part, const struct bind_grouping_set *whole)
{
    for (size_t i = 0; i < part->key_count; i++)
        if (!has_key(whole, part->keys[i]))
            return false;
    return true;
}

static bool is_same_set(const struct bind_grouping_set *a, const struct bind_grouping_set *b)
{
    return a->key_count == b->key_count && is_part(a, b);
}

/* How many values a key has, from public facts; 0: not known. */
static status key_size(struct release_draft *draft, size_t key, double *size, error *why)
{
    const struct sql_expression *expression = draft->request->keys[key];
    struct bind_grouping_set alone = {.keys = &key, .key_count = 1};
    const struct sql_relation *domain = NULL;
    uint64_t most = 0;
    TRY(release_find_domain(draft, &alone, &domain, &most, why));
    *size = (double)most;
    if (most > 0 && expression->type == SQL_INTEGER && expression->range.known)
        *size = fmin(*size, (double)expression->range.upper - (double)expression->range.lower + 1 +
                                expression->nullable);
    return DITHER_OK;
}

static double set_size(const struct bind_grouping_set *set, const double *sizes)
{
    double product = 1;
    for (size_t i = 0; i < set->key_count; i++)
        product *= sizes[set->keys[i]];
    return product;
}

static size_t find_finest(const struct bind_release *request)
{
    size_t finest = 0;
    for (size_t i = 1; i < request->set_count; i++)
        if (request->sets[i].key_count > request->sets[finest].key_count)
            finest = i;
    return finest;
}

/* Whether sums over the finest's cells are what its parts would count. Hidden cells would be missing. */
static bool can_roll_up(const struct release_draft *draft, const struct set_plan *finest, double size)
{
    uint64_t groups = release_max_groups(draft, finest->set);
    for (size_t i = 0; i < draft->measure_count; i++)
        if (!release_is_additive(&draft->measures[i], groups))
            return false;
    return size > 0;
}

/* Marks the `j` least noisy parts of the finest as rolled up and says what the noises multiply to, as a
 * logarithm; infinity when somebody would be worse off. */
static double mark(struct set_plan *plans, size_t count, size_t distinct, size_t j)
{
    for (size_t i = 0; i < count; i++)
        plans[i].rolled_up = false;
    double noise = (double)(distinct - j), logarithm = (double)distinct * log(noise);
    for (size_t k = 0; k < j; k++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (plans[i].below_finest && plans[i].same_as == i && !plans[i].rolled_up &&
                (best == count || plans[i].ratio < plans[best].ratio))
                best = i;
        if (best == count || plans[best].ratio * noise > (double)distinct)
            return INFINITY;
        plans[best].rolled_up = true;
        logarithm += log(plans[best].ratio);
    }
    return logarithm;
}

static void decide(struct set_plan *plans, size_t count, size_t distinct)
{
    size_t chosen = 0;
    double least = mark(plans, count, distinct, 0);
    for (size_t j = 1; j < distinct; j++) {
        double logarithm = mark(plans, count, distinct, j);
        if (logarithm < least) {
            least = logarithm;
            chosen = j;
        }
    }
    (void)mark(plans, count, distinct, chosen);
}

static status plan_sets(struct release_draft *draft, struct set_plan *plans, size_t finest, error *why)
{
    const struct bind_release *request = draft->request;
    double sizes[SQL_MOST_KEYS] = {0};
    size_t distinct = 0;
    for (size_t i = 0; i < request->key_count; i++)
        TRY(key_size(draft, i, &sizes[i], why));
    double whole = set_size(&request->sets[finest], sizes);
    uint64_t groups = release_max_groups(draft, &request->sets[finest]);
    plans[finest].set = &request->sets[finest];
    bool possible = can_roll_up(draft, &plans[finest], whole);
    for (size_t i = 0; i < request->set_count; i++) {
        const struct bind_grouping_set *set = &request->sets[i];
        plans[i].set = set;
        plans[i].same_as = 0;
        while (!is_same_set(&request->sets[plans[i].same_as], set))
            plans[i].same_as++;
        distinct += plans[i].same_as == i;
        plans[i].below_finest =
            possible && set->key_count < plans[finest].set->key_count && is_part(set, plans[finest].set);
        plans[i].ratio =
            sqrt(whole / set_size(set, sizes)) * (double)groups / (double)release_max_groups(draft, set);
    }
    decide(plans, request->set_count, distinct);
    return DITHER_OK;
}

/* ---- Building ---- */

/* Sums over the finest's cells, with the columns that a release of the set would have. */
static status roll_up(struct release_draft *draft, const struct set_plan *finest,
                      const struct bind_grouping_set *set, const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    const struct sql_relation *cells = finest->made.relation;
    const struct sql_expression **keys = NULL;
    struct sql_aggregate *sums = NULL;
    TRY(relation_take(builder, set->key_count, sizeof *keys, &keys, why));
    TRY(relation_take(builder, draft->measure_count, sizeof *sums, &sums, why));
    for (size_t i = 0; i < set->key_count; i++) {
        size_t place = 0;
        while (finest->set->keys[place] != set->keys[i])
            place++;
        TRY(sql_column_of(builder, cells, place, -1, &keys[i], why));
    }
    for (size_t i = 0; i < draft->measure_count; i++) {
        sums[i].kind = SQL_TOTAL;
        TRY(sql_column_of(builder, cells, finest->made.release->measures[i].column, -1, &sums[i].argument,
                          why));
    }
    return sql_group(builder, cells, keys, set->key_count, sums, draft->measure_count,
                     draft->request->position, out, why);
}

static void name_set(struct buffer *notes, const struct bind_release *request,
                     const struct bind_grouping_set *set)
{
    buffer_byte(notes, '(');
    for (size_t i = 0; i < set->key_count; i++)
        buffer_format(notes, "%s%s", i > 0 ? ", " : "", request->key_names[set->keys[i]]);
    buffer_byte(notes, ')');
}

static void tell(struct release_draft *draft, const struct set_plan *plan, const struct set_plan *finest)
{
    struct buffer *notes = draft->binder->notes;
    buffer_text(notes, "grouping set ");
    name_set(notes, draft->request, plan->set);
    buffer_text(notes, plan->rolled_up ? ": rolled up from " : ": released by itself");
    if (plan->rolled_up)
        name_set(notes, draft->request, finest->set);
    buffer_byte(notes, '\n');
}

/* The rows of one set, as the analyst sees them. */
static status show_set(struct release_draft *draft, struct set_plan *plans, size_t index, size_t finest,
                       const struct sql_relation **out, error *why)
{
    struct set_plan *plan = &plans[index], *first = &plans[plan->same_as];
    const struct sql_relation *base = first->made.relation;
    if (plan->same_as == index)
        tell(draft, plan, &plans[finest]);
    if (first->rolled_up) {
        TRY(roll_up(draft, &plans[finest], plan->set, &base, why));
        return release_finish(draft, base, plan->set, out, why);
    }
    TRY(release_finish(draft, base, plan->set, out, why));
    return plan->same_as != index ? DITHER_OK
                                  : release_add_other(draft, plan->set, &plan->made, *out, out, why);
}

/* The same, with the last column hidden: it is for GROUPING alone. */
static status hide_grouping(struct release_draft *draft, const struct sql_relation *all,
                            const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    size_t count = all->column_count;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL;
    TRY(relation_take(builder, count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, count, sizeof *names, &names, why));
    TRY(relation_take(builder, count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < count; i++) {
        TRY(sql_column_of(builder, all, i, -1, &expressions[i], why));
        names[i] = all->columns[i].name;
        hidden[i] = i + 1 == count;
    }
    return sql_project(builder, all, expressions, names, hidden, count, draft->request->position, out, why);
}

status release_build_sets(struct release_draft *draft, const struct sql_relation **out, error *why)
{
    const struct bind_release *request = draft->request;
    struct set_plan *plans = NULL;
    if (request->set_count == 0)
        return sql_refuse(why, request->position, "GROUP BY has no grouping set");
    if (request->key_count >= SQL_MOST_KEYS)
        return sql_refuse(why, request->position, "more than %d grouping keys", SQL_MOST_KEYS - 1);
    TRY(relation_take(&draft->binder->builder, request->set_count, sizeof *plans, &plans, why));
    size_t finest = find_finest(request);
    TRY(plan_sets(draft, plans, finest, why));
    for (size_t i = 0; i < request->set_count; i++)
        if (plans[i].same_as == i && !plans[i].rolled_up)
            TRY(release_make(draft, plans[i].set, &plans[i].made, why));
    const struct sql_relation *all = NULL;
    for (size_t i = 0; i < request->set_count; i++) {
        const struct sql_relation *one = NULL;
        TRY(show_set(draft, plans, i, finest, &one, why));
        if (all == NULL)
            all = one;
        else
            TRY(sql_append(&draft->binder->builder, all, one, request->position, &all, why));
    }
    if (request->set_count > 1)
        return hide_grouping(draft, all, out, why);
    *out = all;
    return DITHER_OK;
}
