/* All keys that can be: the image of public values, or nothing where keys are not public. */
#include <string.h>

#include "sql/release_source.h"

/* ---- Conditions that every row of the input fulfils ---- */

struct conditions {
    struct sources *sources;
    const struct sql_relation *relation; /* over whose columns the conjunct at hand is */
    struct source_path path;
    const struct sql_expression *all;
    status status;
    error *why;
};

/* A part that uses nothing but columns of the sources is true of every row's sources, and may narrow the
 * domain. Others are passed over. */
static void add_condition(void *context, const struct sql_expression *part)
{
    struct conditions *conditions = context;
    const struct sql_expression *rewritten = NULL;
    if (conditions->status != DITHER_OK)
        return;
    conditions->status = source_rewrite(conditions->sources, conditions->relation, part, conditions->path,
                                        &rewritten, conditions->why);
    if (conditions->status != DITHER_OK || rewritten == NULL || rewritten->type != SQL_BOOLEAN)
        return;
    if (conditions->all == NULL)
        conditions->all = rewritten;
    else
        conditions->status = sql_call2(conditions->sources->builder, "and", conditions->all, rewritten, -1,
                                       &conditions->all, conditions->why);
}

/* Filters and inner joins on the way down; not below the side of an outer join that may be missing, nor below
 * UNION ALL. */
static void collect_conditions(struct conditions *conditions, const struct sql_relation *relation,
                               struct source_path path)
{
    if (relation->place != SQL_TAGGED || conditions->status != DITHER_OK ||
        conditions->sources->steps++ >= SOURCES_MOST_STEPS)
        return;
    conditions->path = path;
    struct source_path side = path;
    switch (relation->kind) {
    case SQL_FILTER:
        conditions->relation = relation->input;
        relation_visit_conjuncts(relation->condition, add_condition, conditions);
        collect_conditions(conditions, relation->input, path);
        return;
    case SQL_PROJECT:
    case SQL_WINDOW:
    case SQL_AGGREGATE:
    case SQL_SEMI_JOIN:
        collect_conditions(conditions, relation->input, path);
        return;
    case SQL_JOIN:
        conditions->relation = relation;
        if (relation->join == SQL_INNER)
            relation_visit_conjuncts(relation->condition, add_condition, conditions);
        if (relation->join != SQL_RIGHT && relation->join != SQL_FULL && source_turn(relation, false, &side))
            collect_conditions(conditions, relation->input, side);
        side = path;
        if (relation->join != SQL_LEFT && relation->join != SQL_FULL && source_turn(relation, true, &side))
            collect_conditions(conditions, relation->right, side);
        return;
    default:
        return;
    }
}

/* ---- The sources as relations ---- */

/* The source's columns that are used, in the order in which they were first used. */
static size_t columns_of(const struct sources *sources, size_t source, size_t *numbers)
{
    size_t count = 0;
    for (size_t i = 0; i < sources->column_count; i++)
        if (sources->columns[i].source == source)
            numbers[count++] = i;
    return count;
}

static status add_null_row(struct sources *sources, const struct sql_relation *relation,
                           const struct sql_relation **out, error *why)
{
    struct sql_value *cells = NULL;
    struct sql_rows *rows = NULL;
    size_t count = relation->column_count;
    TRY(relation_take(sources->builder, count, sizeof *cells, &cells, why));
    TRY(relation_take(sources->builder, 1, sizeof *rows, &rows, why));
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sql_value){
            .type = relation->columns[i].type, .scale = relation->columns[i].scale, .null = true};
    *rows = (struct sql_rows){.column_count = count, .row_count = 1, .cells = cells};
    struct sql_column *columns = NULL;
    TRY(relation_take(sources->builder, count, sizeof *columns, &columns, why));
    memcpy(columns, relation->columns, count * sizeof *columns);
    for (size_t i = 0; i < count; i++)
        columns[i].nullable = true;
    const struct sql_relation *nulls = NULL;
    TRY(sql_values(sources->builder, columns, rows, -1, &nulls, why));
    return sql_append(sources->builder, relation, nulls, -1, out, why);
}

static status public_source(struct sources *sources, const struct source *source, const size_t *numbers,
                            size_t count, const struct sql_relation **out, error *why)
{
    const struct sql_expression *expressions[SOURCES_MOST_COLUMNS];
    const char *names[SOURCES_MOST_COLUMNS];
    for (size_t i = 0; i < count; i++) {
        names[i] = "value";
        TRY(sql_column_of(sources->builder, source->public, sources->columns[numbers[i]].column, -1,
                          &expressions[i], why));
    }
    const struct sql_relation *relation = NULL;
    TRY(sql_project(sources->builder, source->public, expressions, names, NULL, count, -1, &relation, why));
    TRY(sql_distinct(sources->builder, relation, -1, &relation, why));
    if (source->nulls)
        return add_null_row(sources, relation, out, why);
    *out = relation;
    return DITHER_OK;
}

static status listed_source(struct sources *sources, const struct source *source, size_t number,
                            const struct sql_relation **out, error *why)
{
    struct sql_rows *rows = NULL;
    struct sql_column column = sources->columns[number].description;
    column.name = "value";
    column.hidden = false;
    TRY(relation_take(sources->builder, 1, sizeof *rows, &rows, why));
    *rows = source->rows;
    return sql_values(sources->builder, &column, rows, -1, out, why);
}

/* One row without anything, for keys that use no source. */
static status unit_relation(struct sources *sources, const struct sql_relation **out, error *why)
{
    static const struct sql_value cell = {.type = SQL_INTEGER};
    static const struct sql_rows rows = {.column_count = 1, .row_count = 1, .cells = &cell};
    struct sql_column column = {.name = "value", .type = SQL_INTEGER};
    return sql_values(sources->builder, &column, &rows, -1, out, why);
}

/* The cross join of all sources; places[number] is where a column of the sources stands in it. */
static status cross_join(struct sources *sources, size_t *places, const struct sql_relation **out, error *why)
{
    const struct sql_relation *all = NULL;
    for (size_t i = 0; i < sources->source_count; i++) {
        size_t numbers[SOURCES_MOST_COLUMNS] = {0}, count = columns_of(sources, i, numbers);
        const struct sql_relation *one = NULL;
        if (count == 0)
            continue;
        if (sources->sources[i].public != NULL)
            TRY(public_source(sources, &sources->sources[i], numbers, count, &one, why));
        else
            TRY(listed_source(sources, &sources->sources[i], numbers[0], &one, why));
        for (size_t j = 0; j < count; j++)
            places[numbers[j]] = j + (all == NULL ? 0 : all->column_count);
        if (all == NULL)
            all = one;
        else
            TRY(sql_join(sources->builder, SQL_INNER, all, one, NULL, -1, &all, why));
    }
    if (all == NULL)
        TRY(unit_relation(sources, &all, why));
    *out = all;
    return DITHER_OK;
}

/* ---- The domain ---- */

/* At most how many rows: 0 is "not known" where public tables are among the sources. */
static bool count_rows(const struct sources *sources, uint64_t *most)
{
    bool known = true;
    uint64_t product = 1;
    for (size_t i = 0; i < sources->source_count; i++) {
        if (sources->sources[i].public != NULL)
            known = false;
        else
            product *= sources->sources[i].rows.row_count;
        if (product > RELEASE_MOST_DOMAIN_ROWS)
            return false;
    }
    *most = known ? product : 0;
    return true;
}

/* The keys over the sources; `found` false: one of them is not public, or there are too many. */
static status rewrite_keys(struct release_draft *draft, const struct bind_grouping_set *set,
                           struct sources *sources, const struct sql_expression **keys, bool *found,
                           uint64_t *most, error *why)
{
    *found = false;
    for (size_t i = 0; i < set->key_count; i++) {
        TRY(source_rewrite(sources, draft->request->input, draft->request->keys[set->keys[i]],
                           (struct source_path){.turns = 1}, &keys[i], why));
        if (keys[i] == NULL)
            return DITHER_OK;
    }
    *found = count_rows(sources, most);
    return DITHER_OK;
}

static status build_domain(struct release_draft *draft, const struct bind_grouping_set *set,
                           struct sources *sources, const struct sql_expression **keys,
                           const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = sources->builder;
    struct conditions conditions = {.sources = sources, .why = why};
    sources->frozen = true;
    sources->steps = 0;
    collect_conditions(&conditions, draft->request->input, (struct source_path){.turns = 1});
    TRY(conditions.status);
    size_t places[SOURCES_MOST_COLUMNS] = {0};
    const struct sql_relation *all = NULL;
    TRY(cross_join(sources, places, &all, why));
    const struct sql_expression *columns[SOURCES_MOST_COLUMNS];
    const char *names[SQL_MOST_KEYS];
    for (size_t i = 0; i < sources->column_count; i++)
        TRY(sql_column_of(builder, all, places[i], -1, &columns[i], why));
    if (conditions.all != NULL) {
        const struct sql_expression *condition = NULL;
        TRY(sql_substitute(builder, conditions.all, columns, sources->column_count, &condition, why));
        TRY(sql_filter(builder, all, condition, &all, why));
    }
    for (size_t i = 0; i < set->key_count; i++) {
        TRY(sql_substitute(builder, keys[i], columns, sources->column_count, &keys[i], why));
        names[i] = draft->request->key_names[set->keys[i]];
    }
    TRY(sql_project(builder, all, keys, names, NULL, set->key_count, draft->request->position, &all, why));
    return sql_distinct(builder, all, draft->request->position, out, why);
}

status release_find_domain(struct release_draft *draft, const struct bind_grouping_set *set,
                           const struct sql_relation **domain, uint64_t *most, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    const struct sql_expression *keys[SQL_MOST_KEYS];
    struct sources *sources = NULL;
    bool found = false;
    TRY(relation_take(builder, 1, sizeof *sources, &sources, why));
    *sources = (struct sources){.builder = builder};
    TRY(rewrite_keys(draft, set, sources, keys, &found, most, why));
    if (!found) {
        *sources = (struct sources){.builder = builder, .prefer_values = true};
        TRY(rewrite_keys(draft, set, sources, keys, &found, most, why));
    }
    *domain = NULL;
    *most = found ? *most : 0;
    return found ? build_domain(draft, set, sources, keys, domain, why) : DITHER_OK;
}
