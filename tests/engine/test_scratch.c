/* The scratch database takes rows of every type and gives them back as they were; it runs one SELECT at a time
 * and gives the types that were asked for: in this process, and in a process of its own, all tests with both. That it is locked is
 * shown by test_lock.c; what a process of its own can and cannot do, by test_scratch_process.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/scratch.h"
#include "tests/support/test.h"

static struct scratch *scratch;
static struct arena arena;
static error why;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, (size_t)1 << 30);
    return scratch_open(&(struct scratch_options){.threads = 2}, &scratch, &why);
}

static int begin_process(void **state)
{
    (void)state;
    const char *program = getenv("DITHER");
    arena_init(&arena, (size_t)1 << 30);
    return scratch_open(
        &(struct scratch_options){.threads = 2, .program = program != NULL ? program : "./dither"}, &scratch,
        &why);
}

static int end(void **state)
{
    (void)state;
    scratch_close(scratch);
    arena_free(&arena);
    return 0;
}

static struct sql_rows ask(const char *sql, const struct scratch_column *columns, size_t count)
{
    struct sql_rows rows = {.row_count = 0};
    if (scratch_query(scratch, sql, columns, count, 1000000, &arena, &rows, &why) != DITHER_OK)
        fail_msg("%s: %s", why.message, scratch_complaint(scratch));
    return rows;
}

static void values_of_every_type_come_back_as_they_went_in(void **state)
{
    (void)state;
    const struct scratch_column columns[] = {{SQL_BOOLEAN, 0},   {SQL_INTEGER, 0}, {SQL_DECIMAL, 2},
                                             {SQL_REAL, 0},      {SQL_TEXT, 0},    {SQL_DATE, 0},
                                             {SQL_TIMESTAMP, 0}, {SQL_INTERVAL, 0}};
    struct sql_value cells[3][8] = {
        {{.type = SQL_BOOLEAN, .whole = 1},
         {.type = SQL_INTEGER, .whole = INT64_MIN},
         {.type = SQL_DECIMAL, .scale = 2, .whole = -12345},
         {.type = SQL_REAL, .real = -0.0},
         {.type = SQL_TEXT, .text = "a longer text than twelve bytes, \"quoted\""},
         {.type = SQL_DATE, .whole = -719162},
         {.type = SQL_TIMESTAMP, .whole = 1},
         {.type = SQL_INTERVAL, .months = 14, .days = -3, .whole = 5}}};
    for (size_t i = 0; i < 8; i++) {
        cells[1][i] = (struct sql_value){.type = columns[i].type, .scale = columns[i].scale, .null = true};
        cells[2][i] = (struct sql_value){.type = columns[i].type, .scale = columns[i].scale, .text = ""};
    }
    cells[2][3].real = (double)NAN;
    struct sql_rows in = {.column_count = 8, .row_count = 3, .cells = &cells[0][0]};
    assert_int_equal(scratch_put(scratch, "a \"name\"", columns, &in, &why), DITHER_OK);
    struct sql_rows out = ask("SELECT * FROM \"a \"\"name\"\"\" ORDER BY c1", columns, 8);
    assert_int_equal(out.row_count, 3);
    const size_t order[] = {0, 2, 1};
    for (size_t row = 0; row < 3; row++)
        for (size_t column = 0; column < 8; column++) {
            const struct sql_value *a = sql_rows_cell(&out, row, column), *b = &cells[order[row]][column];
            assert_int_equal(a->type, columns[column].type);
            assert_int_equal(a->null, b->null);
            assert_int_equal(a->whole, b->whole);
            assert_int_equal(a->months, b->months);
            assert_int_equal(a->days, b->days);
            assert_int_equal(a->scale, b->scale);
            assert_true(isnan(b->real) ? isnan(a->real) : a->real == b->real);
            if (columns[column].type == SQL_TEXT && !b->null)
                assert_string_equal(a->text, b->text);
        }
    assert_true(signbit(sql_rows_cell(&out, 0, 3)->real));
}

static void a_table_is_replaced_by_one_of_the_same_name(void **state)
{
    (void)state;
    const struct scratch_column column = {SQL_INTEGER, 0};
    for (int64_t i = 1; i <= 2; i++) {
        struct sql_value cell = {.type = SQL_INTEGER, .whole = i};
        struct sql_rows rows = {.column_count = 1, .row_count = 1, .cells = &cell};
        assert_int_equal(scratch_put(scratch, "t", &column, &rows, &why), DITHER_OK);
        struct sql_rows out = ask("SELECT c0 FROM t", &column, 1);
        assert_int_equal(out.row_count, 1);
        assert_int_equal(out.cells[0].whole, i);
    }
    scratch_drop(scratch, "t");
    scratch_drop(scratch, "t");
    struct sql_rows out;
    assert_int_equal(scratch_query(scratch, "SELECT c0 FROM t", &column, 1, 10, &arena, &out, &why),
                     DITHER_IO);
    assert_null(strstr(why.message, "Catalog"));
    assert_non_null(strstr(scratch_complaint(scratch), "Catalog"));
}

static void a_relation_without_columns_keeps_its_rows(void **state)
{
    (void)state;
    struct sql_rows rows = {.column_count = 0, .row_count = 3};
    assert_int_equal(scratch_put(scratch, "bare", NULL, &rows, &why), DITHER_OK);
    const struct scratch_column column = {SQL_INTEGER, 0};
    assert_int_equal(ask("SELECT count(*) FROM bare", &column, 1).cells[0].whole, 3);
}

static void whole_numbers_are_saturated_and_decimals_brought_to_scale(void **state)
{
    (void)state;
    const struct scratch_column columns[] = {{SQL_INTEGER, 0}, {SQL_INTEGER, 0}, {SQL_DECIMAL, 1},
                                             {SQL_DECIMAL, 3}, {SQL_REAL, 0},    {SQL_INTEGER, 0},
                                             {SQL_DECIMAL, 1}};
    struct sql_rows out = ask("SELECT 170141183460469231731687303715884105727::HUGEINT, "
                              "-170141183460469231731687303715884105727::HUGEINT, 1.25::DECIMAL(5,2), "
                              "1.25::DECIMAL(30,2), 1.25::DECIMAL(5,2), 200::UTINYINT, -1.25::DECIMAL(5,2)",
                              columns, 7);
    assert_int_equal(out.cells[0].whole, INT64_MAX);
    assert_int_equal(out.cells[1].whole, INT64_MIN);
    assert_int_equal(out.cells[2].whole, 13);
    assert_int_equal(out.cells[3].whole, 1250);
    assert_true(out.cells[4].real == 1.25);
    assert_int_equal(out.cells[5].whole, 200);
    assert_int_equal(out.cells[6].whole, -13);
}

static void a_nul_in_a_text_cannot_cut_it(void **state)
{
    (void)state;
    const struct scratch_column column = {SQL_TEXT, 0};
    assert_string_equal(ask("SELECT 'a' || chr(0) || 'b' || chr(0)", &column, 1).cells[0].text,
                        "a\xEF\xBF\xBD"
                        "b\xEF\xBF\xBD");
}

static void results_that_are_too_long_are_refused_without_being_computed(void **state)
{
    (void)state;
    const struct scratch_column column = {SQL_INTEGER, 0};
    struct sql_rows out = {.row_count = 7};
    assert_int_equal(scratch_query(scratch, "SELECT range FROM range(1000000000000)", &column, 1, 5000,
                                   &arena, &out, &why),
                     DITHER_INVALID);
    assert_int_equal(out.row_count, 7);
    assert_int_equal(
        scratch_query(scratch, "SELECT range FROM range(5000)", &column, 1, 5000, &arena, &out, &why),
        DITHER_OK);
    assert_int_equal(out.row_count, 5000);
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(out.cells[i].whole, (int64_t)i);
}

static void an_error_in_a_late_row_is_an_error(void **state)
{
    (void)state;
    const struct scratch_column column = {SQL_INTEGER, 0};
    struct sql_rows out;
    assert_int_equal(scratch_query(scratch,
                                   "SELECT CASE WHEN range = 90000 THEN error('secret') ELSE range END "
                                   "FROM range(100000)",
                                   &column, 1, 1000000, &arena, &out, &why),
                     DITHER_IO);
    assert_null(strstr(why.message, "secret"));
    assert_non_null(strstr(scratch_complaint(scratch), "secret"));
    assert_int_equal(ask("SELECT 1::BIGINT", &column, 1).cells[0].whole, 1);
}

static void only_one_select_runs_and_types_must_fit(void **state)
{
    (void)state;
    static const char *const wrong[] = {"SELECT 1; SELECT 2",
                                        "CREATE TABLE x (a INTEGER)",
                                        "DROP TABLE bare",
                                        "SET search_path = 'main'",
                                        "USE system",
                                        "PRAGMA version",
                                        "COPY (SELECT 1) TO '/dev/null'",
                                        "EXPLAIN SELECT 1",
                                        "CALL range(1)",
                                        "SELECT 'text'",
                                        "SELECT 1, 2",
                                        "SELEC 1",
                                        ""};
    const struct scratch_column column = {SQL_INTEGER, 0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sql_rows out = {.row_count = 7};
        assert_int_equal(scratch_query(scratch, wrong[i], &column, 1, 10, &arena, &out, &why), DITHER_IO);
        assert_int_equal(out.row_count, 7);
    }
}

static void many_rows_go_in_and_out(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    const struct scratch_column columns[] = {{SQL_INTEGER, 0}, {SQL_TEXT, 0}};
    struct sql_value *cells = NULL;
    assert_int_equal(arena_take(&arena, 2 * ROWS * sizeof *cells, (void **)&cells, &why), DITHER_OK);
    for (int64_t i = 0; i < ROWS; i++) {
        cells[2 * i] = (struct sql_value){.type = SQL_INTEGER, .whole = i, .null = i % 3 == 0};
        cells[2 * i + 1] = (struct sql_value){.type = SQL_TEXT, .text = i % 2 == 0 ? "even" : "odd"};
    }
    struct sql_rows rows = {.column_count = 2, .row_count = ROWS, .cells = cells};
    assert_int_equal(scratch_put(scratch, "many", columns, &rows, &why), DITHER_OK);
    struct sql_rows out = ask("SELECT sum(c0), c1 FROM many GROUP BY c1 ORDER BY c1", columns, 2);
    int64_t even = 0, odd = 0;
    for (int64_t i = 0; i < ROWS; i++)
        *(i % 2 == 0 ? &even : &odd) += i % 3 == 0 ? 0 : i;
    assert_int_equal(out.cells[0].whole, even);
    assert_int_equal(out.cells[2].whole, odd);
    assert_int_equal(ask("SELECT * FROM many", columns, 2).row_count, ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_type_come_back_as_they_went_in),
        cmocka_unit_test(a_table_is_replaced_by_one_of_the_same_name),
        cmocka_unit_test(a_relation_without_columns_keeps_its_rows),
        cmocka_unit_test(whole_numbers_are_saturated_and_decimals_brought_to_scale),
        cmocka_unit_test(a_nul_in_a_text_cannot_cut_it),
        cmocka_unit_test(results_that_are_too_long_are_refused_without_being_computed),
        cmocka_unit_test(an_error_in_a_late_row_is_an_error),
        cmocka_unit_test(only_one_select_runs_and_types_must_fit),
        cmocka_unit_test(many_rows_go_in_and_out),
    };
    return cmocka_run_group_tests_name("in this process", tests, begin, end) +
           cmocka_run_group_tests_name("in a process of its own", tests, begin_process, end);
}
