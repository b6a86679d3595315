#include "tests/support/grouped.h"

#include <stdio.h>
#include <string.h>

#include "sql/plan.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

static void must(struct grouped *grouped, status result)
{
    if (result != DITHER_OK)
        fail_msg("%s (at %d)", grouped->why.message, grouped->why.position);
}

static void *take(struct grouped *grouped, size_t size)
{
    void *room = NULL;
    must(grouped, arena_take(&grouped->arena, size, &room, &grouped->why));
    return room;
}

void grouped_begin(struct grouped *grouped, const char *policy_text)
{
    memset(grouped, 0, sizeof *grouped);
    arena_init(&grouped->arena, SQL_ARENA_BYTES);
    buffer_init(&grouped->notes, 1 << 20);
    grouped->binder.builder.arena = &grouped->arena;
    grouped->binder.builder.catalogue = catalogue_of(policy_text, &grouped->arena);
    grouped->binder.notes = &grouped->notes;
}

void grouped_again(struct grouped *grouped)
{
    grouped->key_count = grouped->call_count = grouped->set_count = 0;
    grouped->binder.builder.release_count = 0;
    grouped->binder.options = (struct sql_options){.max_rows = 0};
    buffer_clear(&grouped->notes);
}

void grouped_end(struct grouped *grouped)
{
    for (size_t i = 0; i < grouped->parsed_count; i++)
        sql_parsed_free(&grouped->parsed[i]);
    buffer_free(&grouped->notes);
    arena_free(&grouped->arena);
}

/* ---- Expressions ---- */

struct names {
    const struct sql_relation *relation, *right;
};

static bool find(const struct sql_relation *relation, const char *name, size_t *column)
{
    for (size_t i = 0; relation != NULL && i < relation->column_count; i++)
        if (strcmp(relation->columns[i].name, name) == 0) {
            *column = i;
            return true;
        }
    return false;
}

static status bind_column(struct binder *binder, struct bind_scope *scope,
                          const PgQuery__ColumnRef *reference, const struct sql_expression **out, error *why)
{
    const struct names *names = scope->own;
    const char *name = reference->fields[reference->n_fields - 1]->string->sval;
    bool from_right = reference->n_fields > 1 && strcmp(reference->fields[0]->string->sval, "r") == 0;
    size_t column = 0;
    if (!from_right && find(names->relation, name, &column))
        return sql_column_of(&binder->builder, names->relation, column, -1, out, why);
    if (!find(names->right, name, &column))
        fail_msg("no column %s", name);
    TRY(sql_column_of(&binder->builder, names->right, column, -1, out, why));
    struct sql_expression *moved = NULL;
    void *room = NULL;
    TRY(arena_take(binder->builder.arena, sizeof *moved, &room, why));
    moved = room;
    *moved = **out;
    moved->column += names->relation->column_count;
    *out = moved;
    return DITHER_OK;
}

const struct sql_expression *grouped_expression(struct grouped *grouped, const struct sql_relation *relation,
                                                const struct sql_relation *right, const char *text)
{
    char select[1000];
    snprintf(select, sizeof select, "SELECT %s", text);
    assert_true(grouped->parsed_count < GROUPED_MOST);
    struct sql_parsed *parsed = &grouped->parsed[grouped->parsed_count];
    must(grouped, sql_parse(select, strlen(select), &grouped->arena, parsed, &grouped->why));
    grouped->parsed_count++;
    grouped->binder.parsed = parsed;
    struct names names = {relation, right};
    struct bind_scope scope = {.where = "a test", .column = bind_column, .own = &names};
    const struct sql_expression *out = NULL;
    must(grouped, bind_expression(&grouped->binder, &scope, parsed->select->target_list[0]->res_target->val,
                                  &out, &grouped->why));
    return out;
}

/* ---- Relations ---- */

const struct sql_relation *grouped_table(struct grouped *grouped, const char *name)
{
    const struct sql_relation *out = NULL;
    const struct sql_table *table = sql_catalogue_table(grouped->binder.builder.catalogue, name);
    assert_non_null(table);
    must(grouped, sql_scan(&grouped->binder.builder, table, -1, &out, &grouped->why));
    return out;
}

const struct sql_relation *grouped_where(struct grouped *grouped, const struct sql_relation *input,
                                         const char *condition)
{
    const struct sql_relation *out = NULL;
    must(grouped, sql_filter(&grouped->binder.builder, input,
                             grouped_expression(grouped, input, NULL, condition), &out, &grouped->why));
    return out;
}

const struct sql_relation *grouped_join(struct grouped *grouped, enum sql_join_kind kind,
                                        const struct sql_relation *left, const struct sql_relation *right,
                                        const char *condition)
{
    const struct sql_relation *out = NULL;
    must(grouped, sql_join(&grouped->binder.builder, kind, left, right,
                           grouped_expression(grouped, left, right, condition), -1, &out, &grouped->why));
    return out;
}

const struct sql_relation *grouped_semi_join(struct grouped *grouped, bool anti,
                                             const struct sql_relation *left,
                                             const struct sql_relation *right, const char *condition)
{
    const struct sql_relation *out = NULL;
    must(grouped,
         sql_semi_join(&grouped->binder.builder, anti, left, right,
                       grouped_expression(grouped, left, right, condition), -1, &out, &grouped->why));
    return out;
}

const struct sql_relation *grouped_append(struct grouped *grouped, const struct sql_relation *left,
                                          const struct sql_relation *right)
{
    const struct sql_relation *out = NULL;
    must(grouped, sql_append(&grouped->binder.builder, left, right, -1, &out, &grouped->why));
    return out;
}

const struct sql_relation *grouped_made(struct grouped *grouped, const struct sql_relation *input,
                                        const char *expression)
{
    size_t count = input->column_count + 1;
    const struct sql_expression **expressions = take(grouped, count * sizeof *expressions);
    const char **names = take(grouped, count * sizeof *names);
    for (size_t i = 0; i < input->column_count; i++) {
        names[i] = input->columns[i].name;
        must(grouped, sql_column_of(&grouped->binder.builder, input, i, -1, &expressions[i], &grouped->why));
    }
    names[count - 1] = "made";
    expressions[count - 1] = grouped_expression(grouped, input, NULL, expression);
    const struct sql_relation *out = NULL;
    must(grouped, sql_project(&grouped->binder.builder, input, expressions, names, NULL, count, -1, &out,
                              &grouped->why));
    return out;
}

/* ---- The request ---- */

void grouped_key(struct grouped *grouped, const char *expression)
{
    grouped->keys[grouped->key_count++] = expression;
}

void grouped_set(struct grouped *grouped, unsigned bits)
{
    size_t *keys = take(grouped, 8 * sizeof *keys), count = 0;
    for (size_t i = 0; i < 8; i++)
        if ((bits >> i & 1) != 0)
            keys[count++] = i;
    grouped->sets[grouped->set_count++] = (struct bind_grouping_set){keys, count};
}

struct bind_call *grouped_call2(struct grouped *grouped, const char *name, const char *first,
                                const char *second)
{
    size_t i = grouped->call_count++;
    grouped->call_arguments[i][0] = first;
    grouped->call_arguments[i][1] = second;
    grouped->call_filters[i] = grouped->call_within[i] = NULL;
    grouped->calls[i] = (struct bind_call){.name = name, .position = -1};
    return &grouped->calls[i];
}

struct bind_call *grouped_call(struct grouped *grouped, const char *name, const char *argument)
{
    return grouped_call2(grouped, name, argument, NULL);
}

void grouped_filter(struct grouped *grouped, const char *condition)
{
    grouped->call_filters[grouped->call_count - 1] = condition;
}

void grouped_within(struct grouped *grouped, const char *expression)
{
    grouped->call_within[grouped->call_count - 1] = expression;
}

static void complete_call(struct grouped *grouped, const struct sql_relation *input, size_t i)
{
    struct bind_call *call = &grouped->calls[i];
    call->argument_count = 0;
    call->star = grouped->call_arguments[i][0] != NULL && strcmp(grouped->call_arguments[i][0], "*") == 0;
    for (size_t j = 0; j < 2 && !call->star; j++)
        if (grouped->call_arguments[i][j] != NULL)
            call->arguments[call->argument_count++] =
                grouped_expression(grouped, input, NULL, grouped->call_arguments[i][j]);
    if (grouped->call_filters[i] != NULL)
        call->filter = grouped_expression(grouped, input, NULL, grouped->call_filters[i]);
    if (grouped->call_within[i] != NULL)
        call->within = grouped_expression(grouped, input, NULL, grouped->call_within[i]);
}

status grouped_try(struct grouped *grouped, const struct sql_relation *input, const struct sql_relation **out)
{
    const struct sql_expression **keys = take(grouped, sizeof *keys * 8);
    for (size_t i = 0; i < grouped->key_count; i++)
        keys[i] = grouped_expression(grouped, input, NULL, grouped->keys[i]);
    for (size_t i = 0; i < grouped->call_count; i++)
        complete_call(grouped, input, i);
    if (grouped->set_count == 0)
        grouped_set(grouped, (1U << grouped->key_count) - 1);
    struct bind_release request = {.input = input,
                                   .keys = keys,
                                   .key_names = grouped->keys,
                                   .key_count = grouped->key_count,
                                   .sets = grouped->sets,
                                   .set_count = grouped->set_count,
                                   .calls = grouped->calls,
                                   .call_count = grouped->call_count,
                                   .position = -1};
    return release_build(&grouped->binder, &request, out, &grouped->why);
}

const struct sql_relation *grouped_build(struct grouped *grouped, const struct sql_relation *input)
{
    const struct sql_relation *out = NULL;
    must(grouped, grouped_try(grouped, input, &out));
    return out;
}
