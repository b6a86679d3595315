#include "mechanism/neighbours.h"

#include <math.h>
#include <string.h>

enum {
    MOST_VALUES = 16, /* of the universe of one person */
    MOST_PEOPLE = 12,
    MOST_COLUMNS = 8,
    MOST_NUMBERS = 4,
    BUDGET = 5000, /* pairs, roughly: how large the data sets may get */
};

/* ---- People: records and tables ---- */

/* What one person can be. For a record one number, for a table one row. */
struct universe {
    double person[MOST_VALUES][MOST_COLUMNS];
    size_t count, columns;
};

static void universe_add(struct universe *universe, double value)
{
    if (universe->count < MOST_VALUES)
        universe->person[universe->count++][0] = value;
}

static void record_universe(const struct mechanism *mechanism, struct universe *universe)
{
    const dither_options *options = &mechanism->options;
    universe->columns = 1;
    if (options->range.lower < options->range.upper) {
        double size = options->range.upper - options->range.lower;
        universe_add(universe, options->range.lower);
        universe_add(universe, options->range.upper);
        universe_add(universe, options->range.lower + 0.3 * size);
        universe_add(universe, options->range.upper + 10 * size);
        universe_add(universe, -INFINITY);
        universe_add(universe, NAN);
    }
    for (size_t i = 0; i < options->edge_count && universe->count < 8; i++) {
        universe_add(universe, options->edges[i]);
        if (i + 1 < options->edge_count)
            universe_add(universe, (options->edges[i] + options->edges[i + 1]) / 2);
    }
    if (options->edge_count > 0) {
        universe_add(universe, options->edges[0] - 1);
        universe_add(universe, options->edges[options->edge_count - 1] + 1);
    }
    if (options->column_count > 0) /* one column of categories */
        for (uint32_t category = 0; category <= options->categories[0]; category++)
            universe_add(universe, category);
    if (universe->count == 0) { /* values in [0, 1] by definition */
        universe_add(universe, 0);
        universe_add(universe, 1);
        universe_add(universe, 0.4);
        universe_add(universe, 7);
        universe_add(universe, NAN);
    }
}

/* Every row of categories while there is room, and one row that is out of the domain. */
static void table_universe(const struct mechanism *mechanism, struct universe *universe)
{
    const dither_options *options = &mechanism->options;
    universe->columns = options->column_count < MOST_COLUMNS ? options->column_count : MOST_COLUMNS;
    uint64_t rows = 1;
    for (size_t column = 0; column < universe->columns; column++)
        rows *= options->categories[column];
    for (uint64_t row = 0; row < rows && row + 1 < MOST_VALUES; row++) {
        uint64_t rest = row;
        for (size_t column = 0; column < universe->columns; column++) {
            universe->person[row][column] = (double)(rest % options->categories[column]);
            rest /= options->categories[column];
        }
        universe->count++;
    }
    for (size_t column = 0; column < universe->columns; column++)
        universe->person[universe->count][column] = options->categories[column] + 3.0;
    universe->count++;
}

struct people {
    double values[MOST_PEOPLE * MOST_COLUMNS];
    size_t count, columns;
};

static dither_data people_data(const struct people *people)
{
    return (dither_data){people->values, people->count * people->columns};
}

static void people_add(struct people *people, const struct universe *universe, size_t which)
{
    memcpy(people->values + people->count * people->columns, universe->person[which],
           people->columns * sizeof(double));
    people->count++;
}

struct search {
    const struct universe *universe;
    size_t most_people;
    uint64_t group;
    bool replace;
    neighbours_visit visit;
    void *context;
};

static status visit_people(const struct search *search, const struct people *left, const struct people *right,
                           error *why)
{
    dither_data before = people_data(left), after = people_data(right);
    return search->visit(search->context, &before, &after, why);
}

/* All ways to add `missing` more people to `right`, in ascending order of their kind. */
static status add_people(const struct search *search, const struct people *left, struct people right,
                         size_t least, uint64_t missing, error *why)
{
    if (missing == 0)
        return visit_people(search, left, &right, why);
    for (size_t which = least; which < search->universe->count; which++) {
        struct people more = right;
        people_add(&more, search->universe, which);
        TRY(add_people(search, left, more, which, missing - 1, why));
    }
    return DITHER_OK;
}

/* All ways to have one person more than `common`, on the left and, differently, on the right. */
static status replace_person(const struct search *search, const struct people *common, error *why)
{
    for (size_t one = 0; one < search->universe->count; one++)
        for (size_t other = 0; other < one; other++) {
            struct people left = *common, right = *common;
            people_add(&left, search->universe, one);
            people_add(&right, search->universe, other);
            TRY(visit_people(search, &left, &right, why));
        }
    return DITHER_OK;
}

/* Every multiset of up to most_people people, each once: kinds in ascending order. */
static status every_multiset(const struct search *search, struct people people, size_t least, error *why)
{
    TRY(search->replace ? replace_person(search, &people, why)
                        : add_people(search, &people, people, 0, search->group, why));
    if (people.count == search->most_people)
        return DITHER_OK;
    for (size_t which = least; which < search->universe->count; which++) {
        struct people more = people;
        people_add(&more, search->universe, which);
        TRY(every_multiset(search, more, which, why));
    }
    return DITHER_OK;
}

/* How many multisets of exactly n people there are: (kinds + n - 1 over n). */
static double multisets(size_t kinds, size_t n)
{
    double count = 1;
    for (size_t i = 1; i <= n; i++)
        count = count * (double)(kinds + i - 1) / (double)i;
    return count;
}

static status search_people(const struct mechanism *mechanism, bool replace, neighbours_visit visit,
                            void *context, error *why)
{
    struct universe universe = {0};
    if (mechanism->kind->shape == SHAPE_TABLE)
        table_universe(mechanism, &universe);
    else
        record_universe(mechanism, &universe);
    struct search search = {.universe = &universe,
                            .group = mechanism->options.group,
                            .replace = replace,
                            .visit = visit,
                            .context = context};
    if (search.group >= MOST_PEOPLE / 2)
        return fail(why, DITHER_INVALID, "a group of more than %d people is too large to verify",
                    MOST_PEOPLE / 2 - 1);
    double steps = replace ? multisets(universe.count, 2) : multisets(universe.count, search.group);
    double pairs = steps;
    while (search.most_people + search.group < MOST_PEOPLE) {
        pairs += steps * multisets(universe.count, search.most_people + 1);
        if (pairs > BUDGET)
            break;
        search.most_people++;
    }
    return every_multiset(&search, (struct people){.columns = universe.columns}, 0, why);
}

/* ---- Numbers ---- */

/* left + step, or the double before it: far from 0 a sum may be rounded to more than the step, and that would
 * be no neighbour. */
static double moved(double left, double step)
{
    double right = left + step;
    return fabs(right - left) > fabs(step) ? nextafter(right, left) : right;
}

/* Where a number may stand: on the grid and off it, at the ends of an output interval and between. */
static size_t number_places(const struct mechanism *mechanism, double *places)
{
    const dither_options *options = &mechanism->options;
    double grid = mechanism->grid;
    double near[] = {0, grid / 2, grid / 3, -0.49 * grid, 3 * grid, -2.5 * grid, -7 * grid, 1000 * grid};
    size_t count = 0;
    if (options->output.lower < options->output.upper) {
        double size = options->output.upper - options->output.lower;
        for (int i = -1; i <= 9; i++)
            places[count++] = options->output.lower + size * i / 8;
        places[count++] = options->output.lower + grid / 3;
        const double lower = (double)mechanism->law.lower, upper = (double)mechanism->law.upper;
        const double whole[] = {lower, upper, floor(lower / 2 + upper / 2), lower - 2};
        for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
            places[count++] = whole[i] * grid;
        return count;
    }
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++)
        places[count++] = near[i];
    return count;
}

/* One number moves by parts of the sensitivity; two numbers share it. A pair that measure refuses (an integer
 * mechanism and a fraction) is the visitor's business. */
static status numbers_pairs(const struct mechanism *mechanism, neighbours_visit visit, void *context,
                            error *why)
{
    double places[MOST_VALUES];
    size_t count = number_places(mechanism, places);
    double move = mechanism->options.sensitivity * (double)mechanism->options.group;
    bool euclidean = mechanism->law.family == &law_gaussian;
    const double moves[] = {move, move / 2, move / 3, 0.999 * move, fmin(move, mechanism->grid)};
    for (size_t i = 0; i < count; i++)
        for (size_t part = 0; part < sizeof moves / sizeof moves[0]; part++) {
            double first = moves[part];
            double left[2] = {places[i], places[count - 1 - i]};
            double right[2] = {moved(left[0], first), left[1]};
            TRY(visit(context, &(dither_data){left, 1}, &(dither_data){right, 1}, why));
            double rest = euclidean ? sqrt(move * move - first * first) : move - first;
            right[1] = moved(left[1], rest);
            TRY(visit(context, &(dither_data){left, 2}, &(dither_data){right, 2}, why));
            right[1] = moved(left[1], -rest);
            TRY(visit(context, &(dither_data){left, 2}, &(dither_data){right, 2}, why));
        }
    return DITHER_OK;
}

/* ---- Scores ---- */

/* Up to three scores, each at one of a few places, each moved down, not at all or up. */
static status scores_pairs(const struct mechanism *mechanism, neighbours_visit visit, void *context,
                           error *why)
{
    const double size = mechanism->options.sensitivity;
    const double places[] = {0, size, 2.3 * size};
    const double moves[] = {0, 1, -1, 0.6};
    const double move = size * (double)mechanism->options.group;
    for (size_t n = 1; n <= 3; n++) {
        size_t place_count = (size_t)pow(3, (double)n), move_count = (size_t)pow(4, (double)n);
        for (size_t place = 0; place < place_count; place++)
            for (size_t step = 1; step < move_count; step++) {
                double left[3], right[3];
                size_t where = place, how = step;
                for (size_t i = 0; i < n; i++, where /= 3, how /= 4) {
                    left[i] = mechanism->options.threshold + places[where % 3];
                    right[i] = moved(left[i], move * moves[how % 4]);
                }
                TRY(visit(context, &(dither_data){left, n}, &(dither_data){right, n}, why));
            }
    }
    return DITHER_OK;
}

/* ---- Counts ---- */

/* All vectors of `keys` counts below `limit`, and for each all ways to change them by `least`..1 in at most
 * max_groups keys; adding a person changes counts by 0 or 1, replacing one by -1, 0 or 1. */
static status count_vectors(const struct mechanism *mechanism, size_t keys, unsigned limit, bool replace,
                            neighbours_visit visit, void *context, error *why)
{
    const unsigned ways = replace ? 3 : 2;
    size_t vectors = (size_t)pow(limit, (double)keys), changes = (size_t)pow(ways, (double)keys);
    for (size_t vector = 0; vector < vectors; vector++)
        for (size_t change = 1; change < changes; change++) {
            double left[MOST_NUMBERS], right[MOST_NUMBERS];
            size_t where = vector, how = change;
            uint64_t up = 0, down = 0;
            for (size_t i = 0; i < keys; i++, where /= limit, how /= ways) {
                left[i] = (double)(where % limit);
                right[i] = left[i] + (how % ways == 2 ? -1.0 : (double)(how % ways));
                up += right[i] > left[i];
                down += right[i] < left[i];
                if (right[i] < 0)
                    up = mechanism->options.max_groups + 1; /* nobody there to leave */
            }
            if (up <= mechanism->options.max_groups && down <= mechanism->options.max_groups)
                TRY(visit(context, &(dither_data){left, keys}, &(dither_data){right, keys}, why));
        }
    return DITHER_OK;
}

static status counts_pairs(const struct mechanism *mechanism, bool replace, neighbours_visit visit,
                           void *context, error *why)
{
    TRY(count_vectors(mechanism, 1, 64, replace, visit, context, why));
    return count_vectors(mechanism, 2, 6, replace, visit, context, why);
}

/* ---- By shape ---- */

status neighbours_added(const struct mechanism *mechanism, neighbours_visit visit, void *context, error *why)
{
    switch (mechanism->kind->shape) {
    case SHAPE_NUMBERS:
        return numbers_pairs(mechanism, visit, context, why);
    case SHAPE_SCORES:
        return scores_pairs(mechanism, visit, context, why);
    case SHAPE_COUNTS:
        return counts_pairs(mechanism, false, visit, context, why);
    case SHAPE_RECORDS:
    case SHAPE_TABLE:
        return search_people(mechanism, false, visit, context, why);
    }
    return fail(why, DITHER_INVALID, "unknown shape");
}

status neighbours_replaced(const struct mechanism *mechanism, neighbours_visit visit, void *context,
                           error *why)
{
    switch (mechanism->kind->shape) {
    case SHAPE_NUMBERS:
    case SHAPE_SCORES:
        return DITHER_OK;
    case SHAPE_COUNTS:
        return counts_pairs(mechanism, true, visit, context, why);
    case SHAPE_RECORDS:
    case SHAPE_TABLE:
        return search_people(mechanism, true, visit, context, why);
    }
    return fail(why, DITHER_INVALID, "unknown shape");
}
