/* A relation that is used twice is visited once, whatever its number, and the walk fails when there is no memory to know. The
 * relations are made by hand. */
#include "curator/walk.h"

#include "base/memory.h"
#include "tests/support/test.h"

/* 0 joins 1 with 2; 1 and 2 read the same relation, which has one input. */
struct diamond {
    struct sql_relation top, left, right, shared, lowest;
};

static void number(struct diamond *diamond, const size_t numbers[5])
{
    *diamond = (struct diamond){{.kind = SQL_JOIN, .input = &diamond->left, .right = &diamond->right},
                                {.input = &diamond->shared},
                                {.input = &diamond->shared},
                                {.input = &diamond->lowest},
                                {.kind = SQL_SCAN}};
    struct sql_relation *list[] = {&diamond->top, &diamond->left, &diamond->right, &diamond->shared,
                                   &diamond->lowest};
    for (int i = 0; i < 5; i++)
        list[i]->number = numbers[i];
}

static bool count(void *visits, const struct sql_relation *relation)
{
    (void)relation;
    ++*(int *)visits;
    return true;
}

static status walk(const struct diamond *diamond, int *visits)
{
    struct arena arena;
    error why;
    *visits = 0;
    arena_init(&arena, 1 << 20);
    status result = walk_relation(&diamond->top, true, count, visits, &arena, &why);
    arena_free(&arena);
    return result;
}

static void each_is_visited_once(void **state)
{
    (void)state;
    static const size_t numberings[][5] = {
        {1, 2, 3, 4, 5},
        {1020, 1021, 1022, 1023, 1024},
        {1024, 1025, 1032, 1033, 1040},
        {7, 1031, 2055, 0, SQL_MOST_NODES},
    };
    for (size_t i = 0; i < sizeof numberings / sizeof numberings[0]; i++) {
        struct diamond diamond;
        int visits = 0;
        number(&diamond, numberings[i]);
        assert_int_equal(walk(&diamond, &visits), DITHER_OK);
        assert_int_equal(visits, 5);
    }
}

static void without_memory_the_walk_fails(void **state)
{
    (void)state;
    struct diamond diamond;
    int visits = 0;
    number(&diamond, (const size_t[]){1, 2000, 2001, 2002, 2003});
    memory_fail_at(1);
    assert_int_equal(walk(&diamond, &visits), DITHER_NO_MEMORY);
    assert_true(memory_has_failed());
    memory_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_visited_once),
        cmocka_unit_test(without_memory_the_walk_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
