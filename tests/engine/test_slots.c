/* Statements whose constants stand beside them: one plan, run with other constants, gives what the literals give.
 *
 * Each statement is printed twice for the same values, with literals (the dialect's own) and with slots, and both are run.
 * That whole releases do not differ is tested wherever release_data_release is used. */
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_release.h"
#include "tests/support/release_data.h"
#include "tests/support/test.h"

static struct release_data data;

static int open_data(void **state)
{
    (void)state;
    release_data_open(&data, 2);
    release_data_run(&data, "INSERT INTO data SELECT i, 'u' || i, i %% 50, 'text ' || (i %% 7), DATE "
                            "'2000-01-01' + CAST(i %% 90 AS"
                            " INTEGER), i / 8, i, i, i %% 2 = 0 FROM range(5000) AS t(i)");
    return 0;
}

static int close_data(void **state)
{
    (void)state;
    release_data_close(&data);
    return 0;
}

static int64_t first_number(duckdb_result *result)
{
    duckdb_data_chunk chunk = duckdb_fetch_chunk(*result);
    assert_non_null(chunk);
    int64_t number = *(int64_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    duckdb_destroy_data_chunk(&chunk);
    duckdb_destroy_result(result);
    return number;
}

static int64_t run_literal(const char *sql)
{
    duckdb_result result;
    if (duckdb_query(data.connection, sql, &result) != DuckDBSuccess)
        fail_msg("%s: %s", sql, duckdb_result_error(&result));
    return first_number(&result);
}

/* A statement that asks for rows whose `column` compares so with the value; printed with literals, and with slots. */
static void print_count(struct buffer *out, const char *column, const char *compare,
                        const struct sql_value *value, struct duckdb_slots *slots)
{
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = out};
    buffer_init(out, 1 << 16);
    buffer_format(out, "SELECT count(*) FROM data WHERE %s %s ", column, compare);
    if (slots == NULL)
        sql_duckdb.literal(&printer, value);
    else
        assert_true(duckdb_slots_print(slots, out, value));
}

static int64_t run_slotted(struct duckdb_keeper *keeper, const struct buffer *sql)
{
    const struct duckdb_statement *kept = duckdb_statements_find(&keeper->statements, sql);
    duckdb_result result;
    if (kept == NULL) {
        duckdb_prepared_statement prepared = NULL;
        if (duckdb_slots_prepare(data.connection, &keeper->slots, sql->data, &prepared) != DuckDBSuccess)
            fail_msg("%s: %s", sql->data, duckdb_prepare_error(prepared));
        kept = duckdb_statements_add(&keeper->statements, sql, true, prepared);
    }
    assert_non_null(kept);
    assert_int_equal(duckdb_slots_execute(kept->prepared, &keeper->slots, &result), DuckDBSuccess);
    return first_number(&result);
}

static void expect_the_same(struct duckdb_keeper *keeper, const char *column, const char *compare,
                            const struct sql_value *value)
{
    struct buffer literal, slotted;
    print_count(&literal, column, compare, value, NULL);
    duckdb_slots_begin(&keeper->slots, "KEY");
    print_count(&slotted, column, compare, value, &keeper->slots);
    assert_null(strstr(slotted.data, "CAST"));
    assert_int_equal(run_slotted(keeper, &slotted), run_literal(literal.data));
    buffer_free(&literal);
    buffer_free(&slotted);
}

/* 2000-01-01 is day 10957. */
static void one_plan_serves_all_constants_of_every_type(void **state)
{
    (void)state;
    struct duckdb_keeper keeper = {.slots = {.count = 0}};
    char text[64];
    for (int i = 0; i < 60; i += 7) {
        snprintf(text, sizeof text, "text %d and more than a short string has room for", i % 7);
        expect_the_same(&keeper, "k", "<", &(struct sql_value){.type = SQL_INTEGER, .whole = i});
        expect_the_same(&keeper, "r", ">", &(struct sql_value){.type = SQL_REAL, .real = i + 0.5});
        expect_the_same(&keeper, "t", "<", &(struct sql_value){.type = SQL_TEXT, .text = text});
        expect_the_same(&keeper, "d", ">=", &(struct sql_value){.type = SQL_DATE, .whole = 10957 + i});
        expect_the_same(
            &keeper, "(d + INTERVAL 0 DAY)", "<",
            &(struct sql_value){.type = SQL_TIMESTAMP, .whole = (10957 + i) * INT64_C(86400000000)});
    }
    assert_int_equal(keeper.statements.count, 5);
    duckdb_statements_free(&keeper.statements);
}

static void two_constants_of_a_statement_do_not_mix(void **state)
{
    (void)state;
    struct duckdb_keeper keeper = {.slots = {.count = 0}};
    for (int64_t i = 0; i < 40; i += 3) {
        char literal[128];
        struct buffer sql;
        duckdb_slots_begin(&keeper.slots, "KEY");
        print_count(&sql, "y", ">=", &(struct sql_value){.type = SQL_INTEGER, .whole = 10 * i},
                    &keeper.slots);
        buffer_text(&sql, " AND y < ");
        assert_true(duckdb_slots_print(&keeper.slots, &sql,
                                       &(struct sql_value){.type = SQL_INTEGER, .whole = 11 * i + 5}));
        snprintf(literal, sizeof literal, "SELECT count(*) FROM data WHERE y >= %d AND y < %d", (int)(10 * i),
                 (int)(11 * i + 5));
        assert_int_equal(run_slotted(&keeper, &sql), run_literal(literal));
        buffer_free(&sql);
    }
    assert_int_equal(keeper.statements.count, 1);
    duckdb_statements_free(&keeper.statements);
}

static void what_has_no_slot_stays_a_literal(void **state)
{
    (void)state;
    struct duckdb_slots slots;
    struct buffer sql;
    buffer_init(&sql, 1 << 16);
    duckdb_slots_begin(&slots, "KEY");
    assert_false(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_INTEGER, .null = true}));
    assert_false(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_BOOLEAN, .whole = 1}));
    assert_false(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_DECIMAL, .scale = 2}));
    assert_false(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_INTERVAL}));
    assert_int_equal(sql.length, 0);
    for (int i = 1; i < DUCKDB_SLOTS; i++) /* the key has one */
        assert_true(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_INTEGER}));
    assert_false(duckdb_slots_print(&slots, &sql, &(struct sql_value){.type = SQL_INTEGER}));
    buffer_free(&sql);
}

/* Twice as many statements as are kept, twice over: each is forgotten before it comes again. Some have equal lengths. */
static void what_was_not_used_for_longest_makes_room(void **state)
{
    (void)state;
    struct duckdb_keeper keeper = {.slots = {.count = 0}};
    for (int i = 0; i < 4 * DUCKDB_STATEMENTS; i++) {
        char column[32];
        snprintf(column, sizeof column, "%d + k", i % (2 * DUCKDB_STATEMENTS));
        expect_the_same(&keeper, column, "<", &(struct sql_value){.type = SQL_INTEGER, .whole = 150});
        expect_the_same(&keeper, "k", "<", &(struct sql_value){.type = SQL_INTEGER, .whole = i % 50});
    }
    assert_int_equal(keeper.statements.count, DUCKDB_STATEMENTS);
    duckdb_statements_free(&keeper.statements);
}

/* The engine's functions are there for every statement of its connection, but not without slots. */
static void nobody_reads_a_slot_without_having_slots(void **state)
{
    (void)state;
    duckdb_result result;
    duckdb_prepared_statement prepared = NULL;
    struct duckdb_slots slots;
    duckdb_slots_begin(&slots, "KEY");
    assert_int_equal(duckdb_query(data.connection, "SELECT dither_slot_text(0)", &result), DuckDBError);
    duckdb_destroy_result(&result);
    static const char *const wrong[] = {"SELECT dither_slot_whole(-1)", "SELECT dither_slot_whole(64)",

                                        "SELECT dither_slot_whole(k) FROM data"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(duckdb_slots_prepare(data.connection, &slots, wrong[i], &prepared), DuckDBError);
        duckdb_destroy_prepare(&prepared);
    }
}

static void a_release_leaves_no_key_behind(void **state)
{
    (void)state;
    static const struct duckdb_slots nothing = {.count = 0};
    struct sql_measure rows = {.kind = SQL_MEASURE_ROWS, .unit_upper = 3};
    const struct sql_expression *keys[] = {release_data_column_expression(DATA_K)};
    struct sql_release release = {.input = release_data_input(false),
                                  .keys = keys,
                                  .key_count = 1,
                                  .measures = &rows,
                                  .measure_count = 1,
                                  .max_groups = 2,
                                  .max_rows = 3};
    (void)release_data_release(&data, &release, NULL, (const uint8_t[16]){1, 2, 3});
    assert_true(data.keeper.statements.count > 0);
    for (size_t i = 0; i < data.keeper.statements.count; i++)
        assert_non_null(data.keeper.statements.list[i].prepared);
    assert_memory_equal(&data.keeper.slots, &nothing, sizeof nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_plan_serves_all_constants_of_every_type),
        cmocka_unit_test(two_constants_of_a_statement_do_not_mix),
        cmocka_unit_test(what_has_no_slot_stays_a_literal),
        cmocka_unit_test(what_was_not_used_for_longest_makes_room),
        cmocka_unit_test(nobody_reads_a_slot_without_having_slots),
        cmocka_unit_test(a_release_leaves_no_key_behind),
    };
    return cmocka_run_group_tests(tests, open_data, close_data);
}
