/* What `dither init` learns of files: names, types and keys that are declared; of CSV types by name, until the owner
 * peeks. Peeked ranges are outside of the data and on steps of 1, 2 and 5. Expected values are worked out by hand. */
#include <stdio.h>
#include <string.h>

#include "engine/draft.h"
#include "tests/support/data.h"
#include "tests/support/test.h"

static struct data data;
static const struct draft *draft;

static int begin(void **state)
{
    (void)state;
    data_begin(&data);
    return 0;
}

static int end(void **state)
{
    (void)state;
    data_end(&data);
    return 0;
}

static void read_file(const char *name, bool peek)
{
    const char *file = data_path(&data, name);
    if (draft_read(&file, 1, peek, &data.arena, &draft, &data.why) != DITHER_OK)
        fail_msg("%s", data.why.message);
}

static const struct draft_column *column(size_t table, const char *name)
{
    for (size_t i = 0; i < draft->tables[table].column_count; i++)
        if (strcmp(draft->tables[table].columns[i].name, name) == 0)
            return &draft->tables[table].columns[i];
    fail_msg("no column %s", name);
    return NULL;
}

static void expect_range(size_t table, const char *name, const char *lower, const char *upper)
{
    const struct draft_column *found = column(table, name);
    if (lower == NULL) {
        assert_null(found->lower);
        assert_null(found->upper);
        return;
    }
    assert_non_null(found->lower);
    assert_string_equal(found->lower, lower);
    assert_string_equal(found->upper, upper);
}

static void csv_types_come_from_names_while_nobody_peeks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum policy_type type;
    } names[] = {
        {"id", POLICY_INTEGER},
        {"patient_id", POLICY_INTEGER},
        {"customerId", POLICY_INTEGER},
        {"age", POLICY_INTEGER},
        {"age_group", POLICY_TEXT},
        {"birth_date", POLICY_DATE},
        {"day", POLICY_DATE},
        {"days", POLICY_INTEGER},
        {"created_at", POLICY_TIMESTAMP},
        {"is_smoker", POLICY_BOOLEAN},
        {"HasInsurance", POLICY_BOOLEAN},
        {"total cost", POLICY_REAL},
        {"salary", POLICY_REAL},
        {"paid", POLICY_TEXT},
        {"region", POLICY_TEXT},
        {"is", POLICY_TEXT},
        {"_", POLICY_TEXT},
        {"a_very_long_name_of_more_than_thirty_two_bytes_in_one_wordwordwordwordwordwordword", POLICY_TEXT},
    };
    char text[1024] = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        strcat(strcat(text, i == 0 ? "" : ","), names[i].name);
    strcat(text, "\n\"unclosed, and nobody looks\n");
    data_write(&data, "some people.v2.csv", text);
    read_file("some people.v2.csv", false);
    assert_null(draft->database);
    assert_int_equal(draft->table_count, 1);
    assert_string_equal(draft->tables[0].name, "some people.v2");
    assert_string_equal(draft->tables[0].file, data_path(&data, "some people.v2.csv"));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (column(0, names[i].name)->type != names[i].type)
            fail_msg("%s", names[i].name);
        expect_range(0, names[i].name, NULL, NULL);
    }
}

static void a_peek_finds_types_and_ranges_on_round_steps(void **state)
{
    (void)state;
    data_write(&data, "t.csv",
               "age,year,salary,share,odd,constant,none,day,seen,name,big,negative\n"
               "18,1990,12345.67,0.013,nan,40,,2024-03-05,2024-03-05 10:00:00,a,1000000007,-3.5\n"
               "97,2024,98765.43,0.987,5,40,,2026-11-30,1999-12-31 23:59:59,b,1000000009,-0.25\n"
               "44,2000,50000,0.5,inf,40,,2025-01-01,2010-01-01,c,1000000008,-1\n");
    read_file("t.csv", true);
    expect_range(0, "age", "0", "100");       /* width 79: steps of 50 */
    expect_range(0, "year", "1950", "2050");  /* 34, and a hundredth of 2024: 50 */
    expect_range(0, "salary", "0", "100000"); /* 86420: 50000 */
    expect_range(0, "share", "0", "1");       /* 0.974: 0.5 */
    expect_range(0, "odd", "5", "10");        /* one finite value, 5: steps of 5 */
    expect_range(0, "constant", "40", "60");  /* 40: steps of 20 */
    expect_range(0, "none", NULL, NULL);
    expect_range(0, "day", "2024-01-01", "2027-12-31");                  /* 3 years: 2 */
    expect_range(0, "seen", "1980-01-01", "2039-12-31 23:59:59.999999"); /* 26 years: 20 */
    expect_range(0, "name", NULL, NULL);
    expect_range(0, "big", "1000000000", "1020000000"); /* 2 and a hundredth of 10^9: 2 * 10^7 */
    expect_range(0, "negative", "-4", "0");             /* 3.25: 2 */
    assert_int_equal(column(0, "none")->type, POLICY_TEXT);
    assert_int_equal(column(0, "year")->type, POLICY_INTEGER);
    data_write(&data, "t.csv", "age\n1\n\"2\n");
    const char *file = data_path(&data, "t.csv");
    assert_int_equal(draft_read(&file, 1, true, &data.arena, &draft, &data.why), DITHER_INVALID);
    assert_non_null(strstr(data.why.message, "never closed"));
}

static void a_database_tells_its_tables_types_and_keys(void **state)
{
    (void)state;
    data_duckdb(
        &data, "h.db",
        "CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, age UTINYINT NOT NULL, salary DECIMAL(10,2), "
        "email "
        "VARCHAR UNIQUE, list INTEGER[], born DATE, weight DOUBLE); CREATE TABLE visits (visit BIGINT, "
        "patient_id "
        "INTEGER REFERENCES patients(patient_id), UNIQUE (visit, patient_id)); CREATE VIEW v AS SELECT 1; "
        "INSERT INTO patients VALUES (1, 20, 100.25, 'a', NULL, 'infinity', 'nan'), (2, 80, 900, 'b', NULL, "
        "'1950-05-05', 70), (3, 30, 900, 'c', NULL, '1999-05-05', 50)");
    for (int peek = 0; peek < 2; peek++) {
        read_file("h.db", peek == 1);
        assert_string_equal(draft->database, data_path(&data, "h.db"));
        assert_int_equal(draft->table_count, 2);
        assert_string_equal(draft->tables[0].name, "patients");
        assert_null(draft->tables[0].file);
        assert_int_equal(draft->tables[0].column_count, 6); /* Dither has no lists */
        assert_int_equal(column(0, "age")->type, POLICY_INTEGER);
        assert_int_equal(column(0, "salary")->type, POLICY_DECIMAL);
        assert_int_equal(column(0, "salary")->scale, 2);
        assert_true(column(0, "patient_id")->unique && column(0, "patient_id")->not_null);
        assert_true(column(0, "age")->not_null && !column(0, "age")->unique);
        assert_true(column(0, "email")->unique && !column(0, "email")->not_null);
        assert_false(column(1, "visit")->unique);
        expect_range(0, "salary", peek ? "0" : NULL, "1000");
        expect_range(0, "born", peek ? "1950-01-01" : NULL, "1999-12-31");
        expect_range(0, "weight", peek ? "50" : NULL, "70");
        expect_range(1, "visit", NULL, NULL);
    }
}

static void parquet_declares_its_types_and_json_needs_a_peek(void **state)
{
    (void)state;
    char sql[300];
    snprintf(sql, sizeof sql,
             "COPY (SELECT 7::SMALLINT AS x, DATE '2024-01-01' AS d) TO '%s' (FORMAT parquet)",
             data_path(&data, "p.parquet"));
    data_duckdb(&data, "maker.duckdb", sql);
    read_file("p.parquet", false);
    assert_int_equal(column(0, "x")->type, POLICY_INTEGER);
    assert_int_equal(column(0, "d")->type, POLICY_DATE);
    data_write(&data, "p.json", "[{\"x\": 1, \"d\": \"a\"}, {\"x\": 9, \"d\": null}]");
    const char *json = data_path(&data, "p.json");
    assert_int_equal(draft_read(&json, 1, false, &data.arena, &draft, &data.why), DITHER_INVALID);
    read_file("p.json", true);
    assert_int_equal(column(0, "x")->type, POLICY_INTEGER);
    expect_range(0, "x", "0", "10");
}

static void files_of_another_kind_are_refused(void **state)
{
    (void)state;
    data_write(&data, "a.txt", "a\n1\n");
    data_write(&data, "a.csv", "a\n1\n");
    data_duckdb(&data, "one.duckdb", "CREATE TABLE t (a INTEGER)");
    data_duckdb(&data, "empty.duckdb", "SELECT 1");
    const char *text = data_path(&data, "a.txt"), *missing = data_path(&data, "missing.csv"),
               *empty = data_path(&data, "empty.duckdb");
    const char *both[] = {data_path(&data, "a.csv"), data_path(&data, "one.duckdb")};
    assert_int_equal(draft_read(&text, 1, false, &data.arena, &draft, &data.why), DITHER_INVALID);
    assert_int_equal(draft_read(&missing, 1, false, &data.arena, &draft, &data.why), DITHER_IO);
    assert_int_equal(draft_read(&empty, 1, false, &data.arena, &draft, &data.why), DITHER_INVALID);
    assert_int_equal(draft_read(both, 2, false, &data.arena, &draft, &data.why), DITHER_INVALID);
    assert_int_equal(draft_read(both, 0, false, &data.arena, &draft, &data.why), DITHER_INVALID);
    assert_int_equal(draft_read(both, 1, false, &data.arena, &draft, &data.why), DITHER_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_types_come_from_names_while_nobody_peeks),
        cmocka_unit_test(a_peek_finds_types_and_ranges_on_round_steps),
        cmocka_unit_test(a_database_tells_its_tables_types_and_keys),
        cmocka_unit_test(parquet_declares_its_types_and_json_needs_a_peek),
        cmocka_unit_test(files_of_another_kind_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
