/* A DuckDB file is opened read-only and shows the policy's tables and columns, in the declared types, and nothing
 * else; what is missing, of another type, a view, or collated is refused by name. Keys are believed when the file
 * enforces them or the owner has proved them for that very file. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <duckdb.h>

#include "engine/scratch.h"
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

#define HEAD "dataset: d\nengine: {duckdb: d.duckdb}\nbudget: {epsilon: 1}\ntables:\n"
#define PEOPLE                                                                                               \
    HEAD "  people:\n    unit: id\n    rows_per_unit: 1\n    columns:\n      id: {type: integer}\n"          \
         "      name: {type: text}\n"

static void make(const char *sql)
{
    unlink(data_path(&data, "d.duckdb"));
    unlink(data_path(&data, "d.duckdb.wal"));
    unlink(data_path(&data, "policy.yaml.proofs"));
    data_duckdb(&data, "d.duckdb", sql);
}

static void expect_refusal(const char *policy, const char *part)
{
    data_policy(&data, policy);
    assert_int_not_equal(data_open(&data), DITHER_OK);
    if (strstr(data.why.message, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", data.why.message, part);
}

static void expect_open(const char *policy)
{
    data_policy(&data, policy);
    if (data_open(&data) != DITHER_OK)
        fail_msg("%s", data.why.message);
}

static void tables_have_the_declared_columns_in_the_declared_types(void **state)
{
    (void)state;
    make("CREATE TABLE t (id INTEGER, h HUGEINT, f FLOAT, d DECIMAL(30,1), u UUID, e ENUM('x', 'y'), b "
         "BOOLEAN, "
         "day DATE, seen TIMESTAMP_MS, hidden VARCHAR, n DECIMAL(9,3)); "
         "INSERT INTO t VALUES (1, 170141183460469231731687303715884105727, 0.5, 1e20, uuid(), 'y', true, "
         "'infinity', '2024-01-01 00:00:00', 'h', 1.5), (2, 5, 'nan', 2.5, NULL, NULL, NULL, '2024-02-29', "
         "'infinity', NULL, 2)");
    expect_open(HEAD "  t:\n    unit: id\n    rows_per_unit: 1\n    columns:\n      id: {type: integer}\n"
                     "      h: {type: integer}\n      f: {type: real}\n      d: {type: decimal, scale: 2}\n"
                     "      u: {type: text}\n      e: {type: text}\n      b: {type: boolean}\n"
                     "      day: {type: date}\n      seen: {type: timestamp}\n      N: {type: real}\n");
    assert_string_equal(data_text(&data, "SELECT string_agg(column_type, ' ') FROM (DESCRIBE t)"),
                        "BIGINT BIGINT DOUBLE DECIMAL(18,2) VARCHAR VARCHAR BOOLEAN DATE TIMESTAMP DOUBLE");
    assert_int_equal(data_whole(&data, "SELECT sum(h) FROM t"), 5);
    assert_string_equal(data_text(&data, "SELECT sum(d)::VARCHAR FROM t"), "2.50");
    assert_string_equal(data_text(&data, "SELECT string_agg(day::VARCHAR, ',') FROM t"), "2024-02-29");
    assert_string_equal(data_text(&data, "SELECT string_agg(seen::VARCHAR, ',') FROM t"),
                        "2024-01-01 00:00:00");
    assert_false(data_runs(&data, "SELECT hidden FROM t"));
    assert_int_equal(engine_catalogue(data.engine)->tables[0].unique_count, 0);
}

static void the_file_cannot_be_written(void **state)
{
    (void)state;
    make("CREATE TABLE people (id BIGINT, name VARCHAR); INSERT INTO people VALUES (1, 'a')");
    expect_open(PEOPLE);
    static const char *const statements[] = {
        "INSERT INTO people VALUES (2, 'b')",
        "INSERT INTO dither_source.main.people VALUES (2, 'b')",
        "DELETE FROM dither_source.main.people",
        "DROP TABLE dither_source.main.people",
        "CREATE TABLE dither_source.main.x (a INTEGER)",
    };
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (data_runs(&data, statements[i]))
            fail_msg("%s runs", statements[i]);
}

static void what_is_missing_or_different_is_refused_by_name(void **state)
{
    (void)state;
    make("CREATE TABLE people (id VARCHAR, nome VARCHAR); CREATE TABLE zoned (id INTEGER, seen TIMESTAMPTZ, "
         "list INTEGER[], fine DECIMAL(9,4))");
    expect_refusal(HEAD "  persons: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}}}\n",
                   "table persons: ");
    expect_refusal(PEOPLE, "column people.id is declared integer, and is VARCHAR");
    expect_refusal(
        HEAD "  people: {unit: id, rows_per_unit: 1, columns: {id: {type: text}, name: {type: text}}}\n",
        "has no column name");
    expect_refusal(HEAD "  zoned: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, seen: {type: "
                        "timestamp}}}\n",
                   "TIMESTAMP WITH TIME ZONE");
    expect_refusal(
        HEAD "  zoned: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, list: {type: text}}}\n",
        "a list");
    expect_refusal(
        HEAD "  zoned: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, fine: {type: decimal, "
             "scale: 2}}}\n",
        "DECIMAL(9,4)");
    unlink(data_path(&data, "d.duckdb"));
    expect_refusal(PEOPLE, "No such file");
    data_write(&data, "d.duckdb", "this is a text and not a database, however long it may be");
    expect_refusal(PEOPLE, "not a DuckDB database");
}

static void views_need_the_owners_word(void **state)
{
    (void)state;
    make("CREATE TABLE base (id BIGINT, name VARCHAR); INSERT INTO base VALUES (1, 'a'), (2, 'b'); "
         "CREATE VIEW people AS SELECT * FROM base WHERE id > 1");
    expect_refusal(PEOPLE, "is a view");
    expect_open(HEAD "  people:\n    unit: id\n    rows_per_unit: 1\n    view: per_unit\n    columns:\n"
                     "      id: {type: integer}\n");
    assert_int_equal(data_whole(&data, "SELECT sum(id) FROM people"), 2);
    expect_refusal(HEAD
                   "  people:\n    unit: row\n    view: per_unit\n    columns:\n      id: {type: integer}\n",
                   "`unit: row` cannot be");
}

static void other_collations_than_the_bytes_are_refused(void **state)
{
    (void)state;
    make("CREATE TABLE people (id BIGINT, name VARCHAR COLLATE NOCASE); CREATE VIEW v AS SELECT * FROM "
         "people; "
         "CREATE TABLE \"collate me\" (id BIGINT DEFAULT length(' COLLATE '), name VARCHAR)");
    expect_refusal(PEOPLE, "COLLATE");
    expect_refusal(HEAD "  v: {unit: id, rows_per_unit: 1, view: per_unit, columns: {id: {type: integer}}}\n",
                   "COLLATE");
    expect_open(HEAD "  \"collate me\": {unit: id, rows_per_unit: 1, columns: {id: {type: integer}}}\n");
}

static void rows_are_told_apart_by_rowid(void **state)
{
    (void)state;
    make("CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (5), (5), (5); CREATE TABLE r (rowid INTEGER, x "
         "INTEGER)");
    expect_open(HEAD "  t: {unit: row, columns: {x: {type: integer}}}\n");
    assert_int_equal(data_whole(&data, "SELECT count(DISTINCT rowid) FROM \"t\""), 3);
    expect_refusal(HEAD "  r: {unit: row, columns: {x: {type: integer}}}\n", "rowid");
}

static bool has_unique(size_t table, size_t columns, size_t first)
{
    const struct sql_table *found = &engine_catalogue(data.engine)->tables[table];
    for (size_t i = 0; i < found->unique_count; i++)
        if (found->uniques[i].column_count == columns && found->uniques[i].columns[0] == first)
            return true;
    return false;
}

static void keys_that_the_file_enforces_are_believed(void **state)
{
    (void)state;
    make("CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, other BIGINT, UNIQUE (name, id), UNIQUE "
         "(other))");
    expect_open(PEOPLE "      other: {type: real}\n");
    assert_true(has_unique(0, 1, 0));
    assert_int_equal(engine_catalogue(data.engine)->tables[0].unique_count,
                     1); /* the others say less, or round */
    make("CREATE TABLE people (id INTEGER, name VARCHAR)");
    expect_open(PEOPLE);
    assert_int_equal(engine_catalogue(data.engine)->tables[0].unique_count, 0);
}

struct heard {
    size_t wrong, costly;
    char lines[4096];
};

static bool has_all_units(const char *table, const char *unit)
{
    char sql[300], policy[300];
    snprintf(sql, sizeof sql, "CREATE VIEW base AS SELECT 1 AS id; %s", table);
    snprintf(policy, sizeof policy, HEAD "  t: {unit: id, rows_per_unit: 1, %s columns: {id: {type: %s}}}\n",
             strstr(table, "VIEW t") ? "view: per_unit," : "", unit);
    make(sql);
    expect_open(policy);
    return engine_catalogue(data.engine)->tables[0].has_all_units;
}

static void rows_of_nobody_are_looked_for_unless_the_file_forbids_them(void **state)
{
    (void)state;
    assert_true(has_all_units("CREATE TABLE t (id BIGINT PRIMARY KEY)", "integer"));
    assert_true(has_all_units("CREATE TABLE t (id SMALLINT NOT NULL)", "integer"));
    assert_true(has_all_units("CREATE TABLE t (ID VARCHAR NOT NULL)", "text"));
    assert_false(has_all_units("CREATE TABLE t (id BIGINT)", "integer"));
    assert_false(has_all_units("CREATE TABLE t (id BIGINT UNIQUE)", "integer")); /* lets NULLs in */
    assert_false(has_all_units("CREATE TABLE t (id BIGINT, other BIGINT NOT NULL)", "integer"));
    assert_false(has_all_units("CREATE TABLE t (id HUGEINT NOT NULL)", "integer")); /* 2^100 becomes NULL */
    assert_false(has_all_units("CREATE TABLE t (id DATE NOT NULL)", "date"));
    assert_false(
        has_all_units("CREATE TABLE k (id BIGINT NOT NULL); CREATE VIEW t AS SELECT * FROM k", "integer"));
    make("CREATE TABLE t (id BIGINT)");
    expect_open(HEAD "  t: {unit: row, columns: {id: {type: integer}}}\n");
    assert_true(engine_catalogue(data.engine)->tables[0].has_all_units);
}

static void imports_leave_out_rows_of_nobody(void **state)
{
    (void)state;
    make("CREATE TABLE unused (id BIGINT)");
    data_write(&data, "t.csv", "id,pay\n1,10\n,500\nx,600\n2,30\n");
    data_write(&data, "s.csv", "who,pay\n1,7\n,8\n");
    expect_open("dataset: d\nbudget: {epsilon: 1}\ntables:\n"
                "  t: {source: t.csv, unit: id, rows_per_unit: 1, columns: {id: {type: integer}, pay: {type: "
                "integer}}}\n"
                "  s: {source: s.csv, unit: row, columns: {who: {type: integer}, pay: {type: integer}}}\n");
    assert_int_equal(data_whole(&data, "SELECT sum(pay) FROM t"), 40);
    assert_true(engine_catalogue(data.engine)->tables[0].has_all_units);
    assert_int_equal(data_whole(&data, "SELECT sum(pay) FROM s"), 15); /* a row is its own unit */
}

static void hear(void *context, enum engine_severity severity, const char *line)
{
    struct heard *heard = context;
    *(severity == ENGINE_WRONG ? &heard->wrong : &heard->costly) += 1;
    strncat(heard->lines, line, sizeof heard->lines - strlen(heard->lines) - 2);
    strcat(heard->lines, "\n");
}

static void proofs_hold_for_the_very_file_and_version_alone(void **state)
{
    (void)state;
    static const char policy[] = PEOPLE "      age: {type: integer}\n";
    make("CREATE TABLE people (id INTEGER, name VARCHAR, age INTEGER); INSERT INTO people VALUES (1, 'a', "
         "1), (2, 'b', "
         "1), (NULL, 'c', 1), (NULL, 'd', 1)");
    data_policy(&data, policy);
    struct heard heard = {.wrong = 0};
    assert_int_equal(engine_compare(data.policy, hear, &heard, &data.why), DITHER_OK);
    assert_int_equal(heard.wrong, 0);
    assert_int_equal(heard.costly, 1);
    assert_non_null(strstr(heard.lines, "not proved"));
    assert_int_equal(engine_prove(data.policy, hear, &heard, &data.why), DITHER_OK);
    assert_int_equal(heard.wrong, 0);
    expect_open(policy);
    assert_true(has_unique(0, 1, 0));
    heard = (struct heard){.wrong = 0};
    assert_int_equal(engine_compare(data.policy, hear, &heard, &data.why), DITHER_OK);
    assert_int_equal(heard.costly, 0);
    char later[600];
    snprintf(later, sizeof later, "version: 2\n%s", policy);
    expect_open(later);
    assert_false(has_unique(0, 1, 0));
    expect_open(policy);
    assert_true(has_unique(0, 1, 0));
    data_policy(&data, policy); /* closes the file */
    data_duckdb(&data, "d.duckdb", "INSERT INTO people VALUES (1, 'e', 1), (1, 'f', 1), (2, 'g', 1)");
    expect_open(policy);
    assert_false(has_unique(0, 1, 0));
    data_policy(&data, policy);
    heard = (struct heard){.wrong = 0};
    assert_int_equal(engine_prove(data.policy, hear, &heard, &data.why), DITHER_OK);
    assert_int_equal(heard.wrong, 1);
    assert_non_null(strstr(heard.lines, "several rows for 2 values of (id)"));
    expect_open(policy);
    assert_false(has_unique(0, 1, 0));
}

static void rows_that_wait_in_the_log_end_a_proof(void **state)
{
    (void)state;
    make("CREATE TABLE people (id INTEGER, name VARCHAR); INSERT INTO people VALUES (1, 'a')");
    data_policy(&data, PEOPLE);
    struct heard heard = {.wrong = 0};
    assert_int_equal(engine_prove(data.policy, hear, &heard, &data.why), DITHER_OK);
    struct stat before, after;
    assert_int_equal(stat(data_path(&data, "d.duckdb"), &before), 0);
    pid_t child = fork();
    if (child == 0) { /* dies without a checkpoint: the row is in the log alone */
        duckdb_database database;
        duckdb_connection connection;
        bool done = duckdb_open(data_path(&data, "d.duckdb"), &database) == DuckDBSuccess &&
                    duckdb_connect(database, &connection) == DuckDBSuccess &&
                    duckdb_query(connection, "INSERT INTO people VALUES (1, 'b')", NULL) == DuckDBSuccess;
        _exit(done ? 0 : 1);
    }
    int code = 1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(stat(data_path(&data, "d.duckdb"), &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    expect_open(PEOPLE);
    assert_int_equal(data_whole(&data, "SELECT count(*) FROM people"), 2);
    assert_false(has_unique(0, 1, 0));
}

static void a_writer_elsewhere_is_named_as_the_reason(void **state)
{
    (void)state;
    make("CREATE TABLE people (id INTEGER, name VARCHAR)");
    int ready[2], stop[2];
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(stop), 0);
    pid_t child = fork();
    char byte = 'x';
    if (child == 0) {
        duckdb_database database;
        bool done = duckdb_open(data_path(&data, "d.duckdb"), &database) == DuckDBSuccess;
        close(stop[1]);
        if (write(ready[1], &byte, 1) == 1)
            (void)!read(stop[0], &byte, 1);
        _exit(done ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    expect_refusal(PEOPLE, "another process has it open for writing");
    close(stop[1]);
    int code = 1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    close(stop[0]), close(ready[0]), close(ready[1]);
    expect_open(PEOPLE);
}

static void files_may_stand_beside_the_database(void **state)
{
    (void)state;
    make("CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR); INSERT INTO people VALUES (1, 'a'); "
         "CREATE TABLE clinics (city VARCHAR); CREATE TABLE extra (x INTEGER)");
    data_write(&data, "clinics.csv", "city,beds\nRome,5\n");
    expect_open(PEOPLE "  clinics: {source: clinics.csv, public: true}\n");
    assert_int_equal(data_whole(&data, "SELECT sum(beds) FROM clinics"), 5);
    assert_int_equal(data_whole(&data, "SELECT count(*) FROM people"), 1);
    assert_false(data_runs(&data, "SELECT * FROM extra"));
}

static void public_tables_are_copied_into_scratch_and_private_ones_are_not(void **state)
{
    (void)state;
    make("CREATE TABLE people (id INTEGER, name VARCHAR); CREATE TABLE clinics AS SELECT i AS id, 'city ' || "
         "i AS "
         "\"the city\", i / 4 AS share FROM range(5000) r(i)");
    expect_open(PEOPLE "  Clinics: {public: true}\n");
    struct scratch *scratch = NULL;
    const struct sql_table *tables = engine_catalogue(data.engine)->tables;
    assert_int_equal(scratch_open(NULL, &scratch, &data.why), DITHER_OK);
    assert_int_equal(engine_copy_public(data.engine, &tables[0], scratch, &data.why), DITHER_REFUSED);
    for (int i = 0; i < 2; i++)
        if (engine_copy_public(data.engine, &tables[1], scratch, &data.why) != DITHER_OK)
            fail_msg("%s", data.why.message);
    struct sql_rows rows;
    const struct scratch_column columns[] = {{SQL_INTEGER, 0}, {SQL_TEXT, 0}, {SQL_REAL, 0}};
    assert_int_equal(scratch_query(scratch,
                                   "SELECT sum(\"id\"), max(\"the city\"), sum(\"share\") FROM \"Clinics\"",
                                   columns, 3, 1, &data.arena, &rows, &data.why),
                     DITHER_OK);
    assert_int_equal(rows.cells[0].whole, 12497500);
    assert_string_equal(rows.cells[1].text, "city 999");
    assert_true(rows.cells[2].real == 12497500 / 4.0);
    scratch_close(scratch);
    make("CREATE TABLE people (id INTEGER, name VARCHAR); CREATE TABLE release_1 (a INTEGER)");
    expect_refusal(PEOPLE "  release_1: {public: true}\n", "release_");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_declared_columns_in_the_declared_types),
        cmocka_unit_test(the_file_cannot_be_written),
        cmocka_unit_test(what_is_missing_or_different_is_refused_by_name),
        cmocka_unit_test(views_need_the_owners_word),
        cmocka_unit_test(other_collations_than_the_bytes_are_refused),
        cmocka_unit_test(rows_are_told_apart_by_rowid),
        cmocka_unit_test(keys_that_the_file_enforces_are_believed),
        cmocka_unit_test(rows_of_nobody_are_looked_for_unless_the_file_forbids_them),
        cmocka_unit_test(imports_leave_out_rows_of_nobody),
        cmocka_unit_test(proofs_hold_for_the_very_file_and_version_alone),
        cmocka_unit_test(rows_that_wait_in_the_log_end_a_proof),
        cmocka_unit_test(a_writer_elsewhere_is_named_as_the_reason),
        cmocka_unit_test(files_may_stand_beside_the_database),
        cmocka_unit_test(public_tables_are_copied_into_scratch_and_private_ones_are_not),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
