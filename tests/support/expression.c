#include "tests/support/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE(from, to)                                                                                      \
    {                                                                                                        \
        .known = true, .lower = (from), .upper = (to)                                                        \
    }
#define REAL(from, to)                                                                                       \
    {                                                                                                        \
        .known = true, .real_lower = (from), .real_upper = (to)                                              \
    }

static const struct sql_column columns[] = {
    {.name = "i", .type = SQL_INTEGER, .range = WHOLE(-3, 5)},
    {.name = "j", .type = SQL_INTEGER, .range = WHOLE(1, 4)},
    {.name = "u", .type = SQL_INTEGER, .nullable = true},
    {.name = "x", .type = SQL_REAL, .range = REAL(-2, 3)},
    {.name = "y", .type = SQL_REAL, .range = REAL(0.5, 2)},
    {.name = "z", .type = SQL_REAL, .nullable = true},
    {.name = "n", .type = SQL_DECIMAL, .scale = 2, .range = WHOLE(-150, 250)},
    {.name = "m", .type = SQL_DECIMAL, .scale = 4, .range = WHOLE(0, 10000)},
    {.name = "b", .type = SQL_BOOLEAN, .range = WHOLE(0, 1)},
    {.name = "c", .type = SQL_BOOLEAN, .nullable = true, .range = WHOLE(0, 1)},
    {.name = "t", .type = SQL_TEXT},
    {.name = "w", .type = SQL_TEXT, .nullable = true},
    {.name = "d", .type = SQL_DATE, .range = WHOLE(19721, 19784)},
    {.name = "s", .type = SQL_TIMESTAMP, .range = WHOLE(1704067200000000, 1735689599999999)},
    {.name = "v", .type = SQL_INTERVAL},
};

const struct sql_relation expression_row = {
    .place = SQL_PUBLIC, .columns = columns, .column_count = sizeof columns / sizeof *columns};

static status find_column(struct binder *binder, struct bind_scope *scope,
                          const PgQuery__ColumnRef *reference, const struct sql_expression **out, error *why)
{
    (void)scope;
    int position = sql_parsed_position(binder->parsed, reference->location);
    const char *name = reference->fields[0]->string->sval;
    for (size_t i = 0; i < expression_row.column_count; i++)
        if (strcmp(columns[i].name, name) == 0)
            return sql_column_of(&binder->builder, &expression_row, i, position, out, why);
    return sql_refuse(why, position, "column \"%s\" does not exist", name);
}

void expression_text_read(struct expression_text *out, const char *text)
{
    *out = (struct expression_text){0};
    arena_init(&out->arena, 64 << 20);
    char question[8000];
    int length = snprintf(question, sizeof question, "SELECT %s", text);
    status code = sql_parse(question, (size_t)length, &out->arena, &out->parsed, &out->why);
    if (code != DITHER_OK)
        return;
    out->binder.builder.arena = &out->arena;
    out->binder.parsed = &out->parsed;
    struct bind_scope scope = {.where = "this test", .column = find_column};
    const PgQuery__Node *node = out->parsed.select->target_list[0]->res_target->val;
    code = bind_expression(&out->binder, &scope, node, &out->expression, &out->why);
    if (code != DITHER_OK)
        out->expression = NULL;
}

void expression_text_free(struct expression_text *text)
{
    if (text->parsed.tree != NULL)
        sql_parsed_free(&text->parsed);
    arena_free(&text->arena);
}
