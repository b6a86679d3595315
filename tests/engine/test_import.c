/* Files become tables by the policy alone: what is not well-formed is refused with file and line, a cell that is
 * not of its type is NULL and changes nothing else, and keys that must be unique are checked. Expected values are
 * written by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/support/data.h"
#include "tests/support/test.h"

static struct data data;

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

#define BUDGET "budget: {epsilon: 1}\n"
#define PEOPLE(source)                                                                                       \
    "dataset: d\ntables:\n  people:\n    source: " source "\n    unit: id\n    rows_per_unit: 1\n"           \
    "    columns:\n      id: {type: integer}\n      age: {type: integer}\n      name: {type: text}\n" BUDGET

static void expect_refusal(const char *part)
{
    assert_int_not_equal(data_open(&data), DITHER_OK);
    if (strstr(data.why.message, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", data.why.message, part);
    assert_null(strstr(data.why.message, "secret"));
}

static void malformed_files_are_refused_with_their_line_and_without_a_value(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "empty"},
        {"id,age,name\n1,2,\"secret\n3,4,x\n", "line 2"}, /* the quote would swallow the rest */
        {"id,age,name\n1,2,a\n3,4\n", "line 3"},
        {"id,age,name\n1,2,a,secret\n", "line 2"},
        {"id,age,name\n1,2,a\n\n", "line 3"},
        {"id,age,name\n1,2,\xff\n", "UTF-8"},
        {"id,age,name\r1,2,secret\r", "carriage return"},
        {"id,age,name\n1,2,se\"cret\n", "line 2"},
        {"id,age,name\n1,2,\"a\"secret\n", "line 2"},
        {"id,age,id\n1,2,3\n", "two columns have the name id"},
        {"id,age,AGE,name\n1,2,3,secret\n", "two columns have the name AGE"},
        {"id,age,\n1,2,3\n", "column 3 has no name"},
        {"id,age\n1,2\n", "no column name"},
        {"1,2,secret2\n", "no column id"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        data_write(&data, "people.csv", bad[i].text);
        data_policy(&data, PEOPLE("people.csv"));
        expect_refusal(bad[i].message);
        assert_non_null(strstr(data.why.message, "people.csv"));
    }
    data_write_bytes(&data, "people.csv", "id,age,name\n1,2,a\0b\n", 20);
    expect_refusal("NUL");
}

static void one_odd_cell_changes_no_other_answer(void **state)
{
    (void)state;
    char text[2][40000];
    for (int version = 0; version < 2; version++) {
        size_t length = (size_t)sprintf(text[version], "id,age,name\n");
        for (int i = 1; i <= 1000; i++)
            length += (size_t)sprintf(text[version] + length, "%d,%s,n%d\n", i,
                                      i == 500 && version == 1 ? "fifty"
                                      : i % 2 == 0             ? "56"
                                                               : "9",
                                      i);
    }
    int64_t older[2];
    for (int version = 0; version < 2; version++) {
        data_write(&data, "people.csv", text[version]);
        data_policy(&data, PEOPLE("people.csv"));
        assert_int_equal(data_open(&data), DITHER_OK);
        older[version] = data_whole(&data, "SELECT count(*) FROM people WHERE age > 10");
        assert_string_equal(data_text(&data, "SELECT typeof(age) FROM people"), "BIGINT");
    }
    assert_int_equal(older[0], 500);
    assert_int_equal(older[1], 499);
    assert_non_null(
        strstr(data.told, "column people.age: 1 cell is not of the type integer and became NULL"));
    assert_null(strstr(data.told, "fifty"));
}

static void cells_are_read_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *type, *cell, *value; /* NULL: becomes NULL */
    } cells[] = {
        {"integer", "7", "7"},
        {"integer", "-9223372036854775808", "-9223372036854775808"},
        {"integer", "9223372036854775808", NULL},
        {"integer", "007", "7"},
        {"integer", "+7", "7"},
        {"integer", " 7", NULL},
        {"integer", "7.0", NULL},
        {"integer", "1e3", NULL},
        {"integer", "0x10", NULL},
        {"integer", "-", NULL},
        {"integer", "\"7\"", "7"},
        {"integer", "\"\"", NULL},
        {"real", "1.5e3", "1500.0"},
        {"real", "-inf", "-inf"},
        {"real", "NaN", "nan"},
        {"real", "1,5", NULL},
        {"real", "1e999", NULL},
        {"decimal, scale: 2", "1.5", "1.50"},
        {"decimal, scale: 2", "-1.500", "-1.50"},
        {"decimal, scale: 2", "1.505", NULL},
        {"decimal, scale: 2", "9999999999999999.99", "9999999999999999.99"},
        {"decimal, scale: 2", "10000000000000000", NULL},
        {"decimal, scale: 2", ".", NULL},
        {"boolean", "Yes", "true"},
        {"boolean", "0", "false"},
        {"boolean", "2", NULL},
        {"date", "2024-02-29", "2024-02-29"},
        {"date", "2023-02-29", NULL},
        {"date", "29/02/2024", NULL},
        {"date", "2024-02-29 00:00:00", NULL},
        {"date", "infinity", NULL},
        {"timestamp", "2024-02-29T12:30:00.5", "2024-02-29 12:30:00.5"},
        {"timestamp", "2024-02-29", "2024-02-29 00:00:00"},
        {"timestamp", "2024-02-29 24:00:00", NULL},
        {"timestamp", "2024-02-29 12:30:00+02", NULL},
        {"text", "", NULL},
        {"text", "\"\"", ""},
        {"text", "\"a \"\"b\"\"\nc\"", "a \"b\"\nc"},
        {"text", "NULL", "NULL"},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "id,x\n1,%s\n", strchr(cells[i].cell, ',') ? "\"1,5\"" : cells[i].cell);
        data_write(&data, "t.csv", text);
        snprintf(text, sizeof text,
                 "dataset: d\ntables:\n  t:\n    source: t.csv\n    unit: id\n    rows_per_unit: 1\n"
                 "    columns:\n      id: {type: integer}\n      x: {type: %s}\n" BUDGET,
                 cells[i].type);
        data_policy(&data, text);
        if (data_open(&data) != DITHER_OK)
            fail_msg("%s", data.why.message);
        if (data_whole(&data, "SELECT (x IS NULL)::BIGINT FROM t") != (cells[i].value == NULL))
            fail_msg("%s as %s", cells[i].cell, cells[i].type);
        if (cells[i].value != NULL)
            assert_string_equal(data_text(&data, "SELECT x::VARCHAR FROM t"), cells[i].value);
    }
}

static void columns_are_found_by_name_and_others_are_not_read(void **state)
{
    (void)state;
    data_write(&data, "people.csv", "name,Secret,AGE,id\nann,x,30,1\nbob,y,40,2\n");
    data_policy(&data, PEOPLE("people.csv"));
    assert_int_equal(data_open(&data), DITHER_OK);
    assert_string_equal(data_text(&data, "SELECT name || age || id FROM people WHERE id = 2"), "bob402");
    assert_false(data_runs(&data, "SELECT secret FROM people"));
}

static void files_of_a_pattern_are_read_together(void **state)
{
    (void)state;
    data_write(&data, "part2.csv", "id,age,name\n2,20,b\n");
    data_write(&data, "part1.csv", "name,id,age\na,1,10\n");
    data_policy(&data, PEOPLE("part*.csv"));
    assert_int_equal(data_open(&data), DITHER_OK);
    assert_int_equal(data_whole(&data, "SELECT sum(id * age) FROM people"), 50);
    data_write(&data, "part3.csv", "id,name\n3,c\n");
    expect_refusal("part3.csv has no column age");
    data_policy(&data, PEOPLE("nothing*.csv"));
    expect_refusal("no file matches");
    data_policy(&data, PEOPLE("people.xlsx"));
    expect_refusal("ends in .csv");
}

static void keys_that_must_be_unique_are_checked(void **state)
{
    (void)state;
    data_write(&data, "people.csv", "id,age,name\n1,1,a\n2,1,b\n1,1,c\n,1,d\n,1,e\n");
    data_policy(&data, PEOPLE("people.csv"));
    expect_refusal("rows_per_unit: 1, but 1 value of id has");
    data_write(&data, "people.csv", "id,age,name\n1,1,a\n2,1,b\n,1,d\n,1,e\n");
    assert_int_equal(data_open(&data), DITHER_OK); /* rows of nobody may be as many as they like */
    const struct sql_table *people = &engine_catalogue(data.engine)->tables[0];
    assert_int_equal(people->unique_count, 1);
    assert_int_equal(people->uniques[0].column_count, 1);
    assert_int_equal(people->uniques[0].columns[0], 0);
}

static void a_key_that_a_join_points_to_is_checked(void **state)
{
    (void)state;
    static const char policy[] =
        "dataset: d\ntables:\n"
        "  orders:\n    source: orders.csv\n    unit: customer\n    max_rows: 5\n    max_groups: 2\n    "
        "columns:\n"
        "      customer: {type: integer}\n      shop: {type: text}\n      number: {type: integer}\n"
        "  items:\n    source: items.csv\n    join: {number: orders.number, shop: orders.shop}\n    "
        "max_rows: 5\n"
        "    max_groups: 2\n    columns:\n      number: {type: integer}\n      shop: {type: text}\n" BUDGET;
    data_write(&data, "items.csv", "number,shop\n1,a\n1,a\n");
    data_write(&data, "orders.csv", "customer,shop,number\n7,a,1\n7,b,1\n8,a,2\n");
    data_policy(&data, policy);
    assert_int_equal(data_open(&data), DITHER_OK);
    const struct sql_table *orders = &engine_catalogue(data.engine)->tables[0];
    assert_int_equal(orders->unique_count, 1);
    assert_int_equal(orders->uniques[0].column_count, 2);
    assert_int_equal(engine_catalogue(data.engine)->tables[1].unique_count, 0);
    data_write(&data, "orders.csv", "customer,shop,number\n7,a,1\n7,b,1\n8,a,1\n");
    expect_refusal("the key that items points to");
}

static void public_files_say_their_own_types_by_all_their_cells(void **state)
{
    (void)state;
    static const char policy[] =
        "dataset: d\ntables:\n  people: {source: p.csv, unit: id, rows_per_unit: 1, columns: {id: {type: "
        "integer}}}\n  clinics: {source: clinics.csv, public: true}\n" BUDGET;
    data_write(&data, "p.csv", "id\n1\n");
    data_write(&data, "clinics.csv",
               "id,zip,beds,score,open,since,note\n1,01234,10,1.5,true,2020-01-01,\n"
               "2,12345,,2,FALSE,2021-01-01,\n3,22222,7,3,true,,x\n");
    data_policy(&data, policy);
    assert_int_equal(data_open(&data), DITHER_OK);
    const struct sql_table *clinics = &engine_catalogue(data.engine)->tables[1];
    static const enum policy_type types[] = {POLICY_INTEGER, POLICY_TEXT, POLICY_INTEGER, POLICY_REAL,
                                             POLICY_BOOLEAN, POLICY_DATE, POLICY_TEXT};
    assert_int_equal(clinics->column_count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(clinics->columns[i].type, types[i]);
    bool id_is_unique = false, open_is_unique = false;
    for (size_t i = 0; i < clinics->unique_count; i++) {
        id_is_unique |= clinics->uniques[i].columns[0] == 0;
        open_is_unique |= clinics->uniques[i].columns[0] == 4;
    }
    assert_true(id_is_unique);
    assert_false(open_is_unique);
}

static void json_is_read_as_declared(void **state)
{
    (void)state;
    static const char *const names[] = {"p.json", "p.jsonl"};
    static const char *const texts[] = {"[{\"id\": 1, \"age\": 30, \"name\": \"a\"}, {\"age\": \"x\", "
                                        "\"id\": 2, \"extra\": 1}, {\"id\": 3, \"name\": "
                                        "\"z\\u0000\"}]",
                                        "{\"id\": 1, \"age\": 30, \"name\": \"a\"}\n{\"age\": \"x\", \"id\": "
                                        "2, \"extra\": 1}\n{\"id\": 3, \"name\": "
                                        "\"z\\u0000\"}\n"};
    static const char *const policies[] = {PEOPLE("p.json"), PEOPLE("p.jsonl")};
    static const char *const bad[] = {"[{\"id\": 1}, {\"id\": \"secret\"]",
                                      "{\"id\": 1}\n{\"id\": \"secret\"\n"};
    for (size_t i = 0; i < 2; i++) {
        data_write(&data, names[i], texts[i]);
        data_policy(&data, policies[i]);
        assert_int_equal(data_open(&data), DITHER_OK);
        assert_int_equal(data_whole(&data, "SELECT sum(id) * 100 + sum(age) FROM people"), 630);
        assert_int_equal(data_whole(&data, "SELECT count(name) FROM people"), 1);
        assert_non_null(strstr(data.told, "people.age: 1 cell is not"));
        assert_non_null(strstr(data.told, "people.name: 1 cell is not"));
        data_write(&data, names[i], bad[i]);
        expect_refusal("not well-formed");
    }
}

static void parquet_is_read_with_guarded_casts(void **state)
{
    (void)state;
    char sql[512];
    snprintf(sql, sizeof sql,
             "COPY (SELECT i::UBIGINT * 9223372036854775807 AS id, (20 + i)::SMALLINT AS age, "
             "CASE WHEN i = 2 THEN 'a' || chr(0) ELSE 'b' END AS name, [1] AS other FROM range(1, 3) r(i)) "
             "TO '%s' "
             "(FORMAT parquet)",
             data_path(&data, "p.parquet"));
    data_duckdb(&data, "maker.duckdb", sql);
    data_policy(&data, PEOPLE("p.parquet"));
    if (data_open(&data) != DITHER_OK)
        fail_msg("%s", data.why.message);
    /* the second id does not fit: its row is nobody's, and is not kept */
    assert_int_equal(data_whole(&data, "SELECT count(*) FROM people"), 1);
    assert_int_equal(data_whole(&data, "SELECT sum(id) FROM people"), INT64_MAX);
    assert_int_equal(data_whole(&data, "SELECT sum(age) FROM people"), 21);
    assert_string_equal(data_text(&data, "SELECT string_agg(name, ',') FROM people"), "b");
    assert_non_null(strstr(data.told, "people.id: 1 cell is not"));
    data_policy(&data,
                "dataset: d\ntables:\n  people:\n    source: p.parquet\n    unit: age\n    rows_per_unit: 1\n"
                "    columns:\n      age: {type: integer}\n      name: {type: date}\n" BUDGET);
    expect_refusal("column people.name is declared date, and is VARCHAR");
    data_write(&data, "p.parquet", "secret");
    expect_refusal("not a Parquet file");
}

static void opening_the_schema_alone_reads_no_private_row(void **state)
{
    (void)state;
    data_write(&data, "people.csv", "id,age,name\n1,1,a\n1,1,\"unclosed\n");
    data_policy(&data, PEOPLE("people.csv"));
    assert_int_equal(data_open_schema(&data), DITHER_OK);
    assert_int_equal(engine_catalogue(data.engine)->tables[0].unique_count, 1);
    assert_int_equal(data_whole(&data, "SELECT count(*) FROM people"), 0);
    assert_int_equal(engine_begin(data.engine, &data.why), DITHER_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_files_are_refused_with_their_line_and_without_a_value),
        cmocka_unit_test(one_odd_cell_changes_no_other_answer),
        cmocka_unit_test(cells_are_read_strictly),
        cmocka_unit_test(columns_are_found_by_name_and_others_are_not_read),
        cmocka_unit_test(files_of_a_pattern_are_read_together),
        cmocka_unit_test(keys_that_must_be_unique_are_checked),
        cmocka_unit_test(a_key_that_a_join_points_to_is_checked),
        cmocka_unit_test(public_files_say_their_own_types_by_all_their_cells),
        cmocka_unit_test(json_is_read_as_declared),
        cmocka_unit_test(parquet_is_read_with_guarded_casts),
        cmocka_unit_test(opening_the_schema_alone_reads_no_private_row),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
