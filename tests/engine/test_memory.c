/* Whatever allocation fails, opening an engine, filling scratch and drafting report it, leak nothing (AddressSanitizer
 * looks) and can be done again. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "engine/draft.h"
#include "engine/scratch.h"
#include "tests/support/data.h"
#include "tests/support/test.h"

static struct data data;

static int begin(void **state)
{
    (void)state;
    data_begin(&data);
    data_write(&data, "people.csv", "id,age,name\n1,30,a\n2,40,\n");
    data_write(&data, "clinics.csv", "id,city\n1,x\n");
    data_duckdb(&data, "d.duckdb", "CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, name VARCHAR)");
    return 0;
}

static int end(void **state)
{
    (void)state;
    memory_fail_at(0);
    data_end(&data);
    return 0;
}

/* Runs `act` with the first, the second, ... allocation failing, until none fails any more. */
static void fail_each(status (*act)(void))
{
    uint64_t n = 1;
    for (bool failed = true; failed; n++) {
        assert_true(n < 10000);
        memory_fail_at(n);
        status result = act();
        failed = memory_has_failed();
        memory_fail_at(0);
        if (!failed)
            assert_int_equal(result, DITHER_OK);
        else if (result == DITHER_OK)
            fail_msg("allocation %d", (int)n);
    }
    assert_true(n > 3);
}

static status open_engine(void)
{
    return data_open(&data);
}

static void opening_an_engine_survives_any_failed_allocation(void **state)
{
    (void)state;
    static const char columns[] =
        "    unit: id\n    rows_per_unit: 1\n    columns:\n      id: {type: integer}\n      age: "
        "{type: integer}\n      name: {type: text}\n  clinics: {source: clinics.csv, public: "
        "true}\n";
    static const char *const heads[] = {"tables:\n  people:\n    source: people.csv\n",
                                        "engine: {duckdb: d.duckdb}\ntables:\n  people:\n"};
    for (size_t i = 0; i < 2; i++) {
        char policy[1000];
        snprintf(policy, sizeof policy, "dataset: d\nbudget: {epsilon: 1}\n%s%s", heads[i], columns);
        data_policy(&data, policy);
        fail_each(open_engine);
    }
}

static status use_scratch(void)
{
    struct scratch *scratch = NULL;
    struct arena arena;
    struct sql_value cells[] = {{.type = SQL_INTEGER, .whole = 5}, {.type = SQL_TEXT, .text = "x"}};
    const struct scratch_column columns[] = {{SQL_INTEGER, 0}, {SQL_TEXT, 0}};
    struct sql_rows rows = {.column_count = 2, .row_count = 1, .cells = cells}, out = {.row_count = 0};
    arena_init(&arena, 1 << 20);
    status result = scratch_open(&(struct scratch_options){.threads = 1}, &scratch, &data.why);
    if (result == DITHER_OK)
        result = scratch_put(scratch, "t", columns, &rows, &data.why);
    if (result == DITHER_OK)
        result = scratch_query(scratch, "SELECT * FROM t", columns, 2, 5, &arena, &out, &data.why);
    assert_int_equal(out.row_count, result == DITHER_OK);
    scratch_close(scratch);
    arena_free(&arena);
    return result;
}

static void scratch_survives_any_failed_allocation(void **state)
{
    (void)state;
    fail_each(use_scratch);
}

static status draft_files(void)
{
    const struct draft *draft = NULL;
    struct arena arena;
    arena_init(&arena, 1 << 24);
    const char *file = data_path(&data, "people.csv"), *database = data_path(&data, "d.duckdb");
    status result = draft_read(&file, 1, true, &arena, &draft, &data.why);
    if (result == DITHER_OK)
        result = draft_read(&database, 1, true, &arena, &draft, &data.why);
    arena_free(&arena);
    return result;
}

static void drafting_survives_any_failed_allocation(void **state)
{
    (void)state;
    (void)data_path(&data, "people.csv"); /* the arena of the test itself has room from here on */
    fail_each(draft_files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_an_engine_survives_any_failed_allocation),
        cmocka_unit_test(scratch_survives_any_failed_allocation),
        cmocka_unit_test(drafting_survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
