#include "sql/plan.h"

#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/bind.h"

/* ---- Options ---- */

static struct decimal smaller_said(struct decimal a, struct decimal b)
{
    if (decimal_is_zero(a) || decimal_is_zero(b))
        return decimal_max(a, b); /* the one that was said */
    return decimal_min(a, b);
}

static uint64_t smaller_count(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0)
        return a | b;
    return a < b ? a : b;
}

/* Settings and text both only tighten: of each number that both say, the smaller one holds. */
static struct sql_options tighten(const struct sql_options *settings, const struct sql_options *text)
{
    return (struct sql_options){
        .epsilon = smaller_said(settings->epsilon, text->epsilon),
        .delta = smaller_said(settings->delta, text->delta),
        .rho = smaller_said(settings->rho, text->rho),
        .max_groups = smaller_count(settings->max_groups, text->max_groups),
        .max_rows = smaller_count(settings->max_rows, text->max_rows),
        .other = settings->other || text->other,
        .non_negative = settings->non_negative || text->non_negative,
    };
}

/* ---- Which releases are needed ---- */

/* A release that nothing uses is neither run nor charged, and every release that is used is among those that the
 * builder knows: what is not run could not be shown. Relations are shared; each is visited once, by its number. */
struct search {
    bool *seen; /* by relation number */
    size_t seen_count;
    const struct sql_release *needed[SQL_MOST_RELEASES]; /* by release number; or NULL */
    size_t steps; /* expressions are shared too: their walk is limited */
};

enum { MOST_STEPS = 4000000 };

static void visit_relation(struct search *search, const struct sql_relation *relation);

static void visit_expression(struct search *search, const struct sql_expression *expression)
{
    if (expression == NULL || search->steps > MOST_STEPS)
        return;
    search->steps++;
    if (expression->kind == SQL_SCALAR)
        visit_relation(search, expression->relation);
    for (size_t i = 0; i < expression->argument_count; i++)
        visit_expression(search, expression->arguments[i]);
}

static void visit_expressions(struct search *search, const struct sql_expression *const *expressions,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        visit_expression(search, expressions[i]);
}

static void visit_aggregate(struct search *search, const struct sql_aggregate *aggregate)
{
    visit_expression(search, aggregate->argument);
    visit_expression(search, aggregate->second);
    visit_expression(search, aggregate->filter);
}

static void visit_order(struct search *search, const struct sql_order *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        visit_expression(search, order[i].expression);
}

static void visit_window(struct search *search, const struct sql_window *window)
{
    visit_aggregate(search, &window->aggregate);
    visit_expressions(search, window->arguments, window->argument_count);
    visit_expressions(search, window->partition, window->partition_count);
    visit_order(search, window->order, window->order_count);
}

static void visit_release(struct search *search, const struct sql_release *release)
{
    assert(release->number < SQL_MOST_RELEASES);
    const struct sql_release **needed = &search->needed[release->number];
    assert(*needed == NULL || *needed == release);
    if (*needed != NULL)
        return;
    *needed = release;
    visit_relation(search, release->input);
    visit_relation(search, release->domain);
    visit_expressions(search, release->keys, release->key_count);
    for (size_t i = 0; i < release->measure_count; i++) {
        visit_expression(search, release->measures[i].argument);
        visit_expression(search, release->measures[i].second);
        visit_expression(search, release->measures[i].filter);
    }
}

static void visit_relation(struct search *search, const struct sql_relation *relation)
{
    if (relation == NULL)
        return;
    assert(relation->number < search->seen_count);
    if (search->seen[relation->number])
        return;
    search->seen[relation->number] = true;
    if (relation->kind == SQL_RELEASE)
        visit_release(search, relation->release);
    visit_relation(search, relation->input);
    visit_relation(search, relation->right);
    visit_expression(search, relation->condition);
    visit_expression(search, relation->limit);
    visit_expression(search, relation->offset);
    visit_expressions(search, relation->expressions, relation->expression_count);
    visit_order(search, relation->order, relation->order_count);
    for (size_t i = 0; i < relation->aggregate_count; i++)
        visit_aggregate(search, &relation->aggregates[i]);
    for (size_t i = 0; i < relation->window_count; i++)
        visit_window(search, &relation->windows[i]);
}

static status keep_needed(const struct sql_builder *builder, struct sql_plan *plan, error *why)
{
    struct search search = {.seen_count = builder->node_count + 1};
    void *room = NULL;
    TRY(arena_take(builder->arena, search.seen_count * sizeof *search.seen, &room, why));
    search.seen = room;
    visit_relation(&search, plan->result);
    if (search.steps > MOST_STEPS)
        return sql_refuse(why, -1, "the question is too large");
    TRY(arena_take(builder->arena, (builder->release_count + 1) * sizeof(void *), &room, why));
    const struct sql_release **kept = room;
    for (size_t i = 0; i < builder->release_count; i++) {
        const struct sql_release **needed = &search.needed[builder->releases[i]->number];
        if (*needed != builder->releases[i])
            continue;
        kept[plan->release_count++] = *needed;
        *needed = NULL;
    }
    for (size_t i = 0; i < SQL_MOST_RELEASES; i++)
        assert(search.needed[i] == NULL);
    plan->releases = kept;
    return DITHER_OK;
}

/* ---- The plan ---- */

/* Where the first column of the answer stands in the text. */
static int first_target(const struct sql_parsed *parsed)
{
    const PgQuery__SelectStmt *select = parsed->select;
    while (select->larg != NULL)
        select = select->larg;
    if (select->n_target_list == 0 || select->target_list[0]->node_case != PG_QUERY__NODE__NODE_RES_TARGET)
        return -1;
    return sql_parsed_position(parsed, select->target_list[0]->res_target->location);
}

/* What leaves the house is public or released, and nothing else: this is the last door. */
static status check_result(const struct sql_parsed *parsed, const struct sql_relation *result, error *why)
{
    if (result->place == SQL_PUBLIC || result->place == SQL_RELEASED)
        return DITHER_OK;
    status refused = fail(why, DITHER_REFUSED,
                          "this would show private rows, one by one: ask for numbers about many, such as "
                          "SELECT count(*), avg(...) ... GROUP BY ...");
    if (why != NULL)
        why->position = first_target(parsed);
    return refused;
}

static status make_plan(struct binder *binder, const struct sql_plan **out, error *why)
{
    struct arena *arena = binder->builder.arena;
    struct sql_plan *plan = NULL;
    void *room = NULL;
    char *notes = NULL;
    TRY(arena_take(arena, SQL_MOST_RELEASES * sizeof(void *), &room, why));
    binder->builder.releases = room;
    binder->builder.release_room = SQL_MOST_RELEASES;
    TRY(arena_take(arena, sizeof *plan, &room, why));
    plan = room;
    TRY(bind_query(binder, binder->parsed->select, &plan->result, why));
    TRY(check_result(binder->parsed, plan->result, why));
    TRY(keep_needed(&binder->builder, plan, why));
    TRY(buffer_check(binder->notes, why));
    TRY(arena_text(arena, binder->notes->length > 0 ? binder->notes->data : "", binder->notes->length, &notes,
                   why));
    plan->notes = notes;
    plan->options = binder->options;
    *out = plan;
    return DITHER_OK;
}

status sql_plan(const char *text, size_t length, const struct sql_catalogue *catalogue,
                const struct sql_options *options, struct arena *arena, const struct sql_plan **out,
                error *why)
{
    return sql_plan_bound(text, length, NULL, catalogue, options, arena, out, why);
}

status sql_plan_bound(const char *text, size_t length, const struct sql_parameters *parameters,
                      const struct sql_catalogue *catalogue, const struct sql_options *options,
                      struct arena *arena, const struct sql_plan **out, error *why)
{
    struct sql_parsed parsed = {.tree = NULL};
    struct buffer notes;
    TRY(sql_parse_bound(text, length, parameters, arena, &parsed, why));
    buffer_init(&notes, SQL_TEXT_BYTES);
    bool infers = parameters != NULL && parameters->inferred != NULL;
    for (size_t i = 0; infers && i < parameters->count; i++)
        parameters->inferred[i] = SQL_UNKNOWN;
    const struct sql_inference inference = {text, length, parsed.characters,
                                            infers ? parameters->inferred : NULL,
                                            infers ? parameters->count : 0};
    struct binder binder = {
        .builder = {.arena = arena, .catalogue = catalogue, .inference = infers ? &inference : NULL},
        .parsed = &parsed,
        .options = tighten(options, &parsed.options),
        .notes = &notes,
    };
    status result = make_plan(&binder, out, why);
    buffer_free(&notes);
    sql_parsed_free(&parsed);
    return result;
}
