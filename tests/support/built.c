#include "tests/support/built.h"

#include <string.h>

#include "tests/support/catalogue.h"
#include "tests/support/test.h"

struct built built;

int built_begin(void **state)
{
    (void)state;
    arena_init(&built.arena, POLICY_ARENA_BYTES);
    built.builder = (struct sql_builder){.arena = &built.arena,
                                         .catalogue = catalogue_of(catalogue_hospital, &built.arena)};
    return 0;
}

int built_end(void **state)
{
    (void)state;
    arena_free(&built.arena);
    return 0;
}

const struct sql_relation *built_scan(const char *table)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    if (sql_scan(&built.builder, sql_catalogue_table(built.builder.catalogue, table), 0, &made, &why) !=
        DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

size_t built_column(const struct sql_relation *relation, const char *name)
{
    for (size_t i = 0; i < relation->column_count; i++)
        if (strcmp(relation->columns[i].name, name) == 0)
            return i;
    fail_msg("no column %s", name);
    return 0;
}

const struct sql_expression *built_at(const struct sql_relation *relation, size_t index)
{
    const struct sql_expression *made = NULL;
    assert_int_equal(sql_column_of(&built.builder, relation, index, 0, &made, NULL), DITHER_OK);
    return made;
}

const struct sql_expression *built_named(const struct sql_relation *relation, const char *name)
{
    return built_at(relation, built_column(relation, name));
}

const struct sql_expression *built_whole(int64_t number)
{
    const struct sql_expression *made = NULL;
    struct sql_value value = {.type = SQL_INTEGER, .whole = number};
    assert_int_equal(sql_literal(&built.builder, &value, 0, &made, NULL), DITHER_OK);
    return made;
}

const struct sql_expression *built_call(const char *name, const struct sql_expression *a,
                                        const struct sql_expression *b)
{
    const struct sql_expression *made = NULL;
    error why = {.message = ""};
    if (sql_call2(&built.builder, name, a, b, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

const struct sql_expression *built_equate(const struct sql_relation *left, const char *a,
                                          const struct sql_relation *right, const char *b)
{
    struct sql_expression *moved = NULL;
    void *room = NULL;
    assert_int_equal(arena_take(&built.arena, sizeof *moved, &room, NULL), DITHER_OK);
    moved = room;
    *moved = *built_named(right, b);
    moved->column += left->column_count;
    return built_call("=", built_named(left, a), moved);
}

const struct sql_relation *built_join(enum sql_join_kind kind, const struct sql_relation *left,
                                      const struct sql_relation *right,
                                      const struct sql_expression *condition)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    if (sql_join(&built.builder, kind, left, right, condition, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

void built_refuse_join(enum sql_join_kind kind, const struct sql_relation *left,
                       const struct sql_relation *right, const struct sql_expression *condition,
                       const char *words)
{
    const struct sql_relation *made = NULL;
    error why = {.message = ""};
    assert_int_equal(sql_join(&built.builder, kind, left, right, condition, 7, &made, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, words));
    assert_int_equal(why.position, 7);
    assert_null(made);
}

const struct sql_relation *built_group(const struct sql_relation *input,
                                       const struct sql_expression *const *keys, size_t key_count,
                                       enum sql_aggregate_kind kind, const struct sql_expression *argument)
{
    const struct sql_relation *made = NULL;
    struct sql_aggregate aggregate = {.kind = kind, .argument = argument};
    error why = {.message = ""};
    if (sql_group(&built.builder, input, keys, key_count, &aggregate, 1, 0, &made, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return made;
}

const struct sql_relation *built_filter(const struct sql_relation *input,
                                        const struct sql_expression *condition)
{
    const struct sql_relation *made = NULL;
    assert_int_equal(sql_filter(&built.builder, input, condition, &made, NULL), DITHER_OK);
    return made;
}
