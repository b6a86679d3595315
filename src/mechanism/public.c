/* The public face of the room: dither.h's mechanisms. The only file here that allocates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/bayes.h"
#include "mechanism/group.h"
#include "mechanism/mechanism.h"

/* The public names are the inner types. */
struct dither_mechanism {
    struct mechanism inner;
};

const char *dither_version(void)
{
    return DITHER_VERSION;
}

const char *dither_mechanism_name(size_t index)
{
    return index < mechanism_kind_count ? mechanism_kinds[index]->name : NULL;
}

const char *dither_mechanism_summary(size_t index)
{
    return index < mechanism_kind_count ? mechanism_kinds[index]->summary : NULL;
}

/* The options with arrays of our own behind the pointers, so that the caller's may go. The arrays follow the
 * mechanism in one allocation: edges first (stricter alignment), then categories. */
static dither_mechanism *allocate(const dither_options *options, dither_options *owned)
{
    const size_t limit = SIZE_MAX / 64;
    if (options->edge_count > limit || options->column_count > limit)
        return NULL;
    size_t edges = options->edge_count * sizeof(double);
    size_t categories = options->column_count * sizeof(uint32_t);
    dither_mechanism *made = calloc(1, sizeof *made + edges + categories);
    if (made == NULL)
        return NULL;
    double *edge = (double *)(made + 1);
    uint32_t *category = (uint32_t *)(edge + options->edge_count);
    for (size_t i = 0; i < options->edge_count; i++)
        edge[i] = options->edges[i];
    for (size_t i = 0; i < options->column_count; i++)
        category[i] = options->categories[i];
    *owned = *options;
    owned->edges = edge;
    owned->categories = category;
    return made;
}

dither_mechanism *dither_mechanism_new(const char *name, const dither_options *options, dither_error *why)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    if (kind == NULL) {
        (void)fail(why, DITHER_INVALID, "there is no mechanism \"%s\"", name);
        return NULL;
    }
    if ((options->edges == NULL && options->edge_count > 0) ||
        (options->categories == NULL && options->column_count > 0)) {
        (void)fail(why, DITHER_INVALID, "edges or categories are counted, but there are none");
        return NULL;
    }
    dither_options owned;
    dither_mechanism *made = allocate(options, &owned);
    if (made == NULL) {
        (void)fail(why, DITHER_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (mechanism_init(&made->inner, kind, &owned, why) != DITHER_OK) {
        free(made);
        return NULL;
    }
    return made;
}

void dither_mechanism_free(dither_mechanism *mechanism)
{
    free(mechanism);
}

size_t dither_answer_count(const dither_mechanism *mechanism, const dither_data *data)
{
    return mechanism->inner.kind->answer_count(&mechanism->inner, data);
}

/* The statistic of some data and room for an outcome, in one block that is wiped before it is freed. */
struct workspace {
    int64_t *statistic, *outcome;
    size_t statistic_count, outcome_count;
};

static status workspace_open(const struct mechanism *mechanism, const dither_data *data,
                             struct workspace *out, error *why)
{
    struct workspace made = {0};
    made.statistic_count = mechanism->kind->statistic_count(mechanism, data);
    made.outcome_count = mechanism->law.family->outcome_count(&mechanism->law, made.statistic_count);
    made.statistic = calloc(made.statistic_count + made.outcome_count + 1, sizeof(int64_t));
    if (made.statistic == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    made.outcome = made.statistic + made.statistic_count;
    *out = made;
    return DITHER_OK;
}

static void workspace_close(struct workspace *workspace)
{
    size_t bytes = (workspace->statistic_count + workspace->outcome_count) * sizeof(int64_t);
    explicit_bzero(workspace->statistic, bytes);
    free(workspace->statistic);
}

dither_status dither_release(const dither_mechanism *mechanism, dither_random *random,
                             const dither_data *data, double *answer, size_t capacity, dither_error *why)
{
    const struct mechanism *inner = &mechanism->inner;
    size_t needed = inner->kind->answer_count(inner, data);
    if (capacity < needed)
        return fail(why, DITHER_INVALID, "the answer has %zu numbers, but there is room for %zu", needed,
                    capacity);
    struct workspace work = {0};
    TRY(workspace_open(inner, data, &work, why));
    status result = mechanism_measure(inner, data, work.statistic, why);
    if (result == DITHER_OK)
        result = mechanism_noise(inner, (struct random *)random, work.statistic, work.statistic_count,
                                 work.outcome, why);
    if (result == DITHER_OK)
        inner->kind->finish(inner, work.outcome, work.outcome_count, answer);
    workspace_close(&work);
    return result;
}

dither_cost dither_mechanism_cost(const dither_mechanism *mechanism)
{
    return mechanism->inner.cost;
}

double dither_mechanism_scale(const dither_mechanism *mechanism)
{
    return mechanism->inner.kind->scale(&mechanism->inner);
}

double dither_half_width(const dither_mechanism *mechanism, const dither_data *data, double confidence)
{
    if (!(confidence > 0 && confidence < 1))
        return NAN;
    return mechanism->inner.kind->half_width(&mechanism->inner, data, confidence);
}

/* Which outcome is behind an answer of mechanism_finish_direct; false when the answer is no multiple of the
 * grid. */
static bool outcome_of_answer(const struct mechanism *mechanism, double answer, int64_t *out)
{
    double steps = answer / mechanism->grid;
    if (isnan(steps) || fabs(steps) >= (double)MECHANISM_LIMIT) {
        *out = LAW_HIDDEN;
        return isnan(answer);
    }
    *out = (int64_t)steps;
    return (double)*out == steps;
}

double dither_probability(const dither_mechanism *mechanism, const dither_data *data, size_t index,
                          double answer)
{
    const struct mechanism *inner = &mechanism->inner;
    struct workspace work = {0};
    if (workspace_open(inner, data, &work, NULL) != DITHER_OK)
        return NAN;
    double result = NAN;
    int64_t outcome = 0;
    if (index < work.outcome_count && inner->kind->finish == mechanism_finish_direct &&
        mechanism_measure(inner, data, work.statistic, NULL) == DITHER_OK) {
        result = 0;
        if (outcome_of_answer(inner, answer, &outcome))
            result = interval_middle(inner->law.family->probability(&inner->law, work.statistic,
                                                                    work.statistic_count, index, outcome));
    }
    workspace_close(&work);
    return result;
}

dither_cost dither_group_cost(dither_cost cost, uint64_t people)
{
    return group_cost(cost, people);
}

dither_range dither_posterior(double prior, double epsilon)
{
    return bayes_posterior(prior, epsilon);
}

dither_range dither_other_world(double posterior, double epsilon)
{
    return bayes_other_world(posterior, epsilon);
}
