#include "tests/support/release_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_release.h"
#include "tests/support/test.h"

enum { ARENA_BYTES = 512 << 20 };

static const struct policy_column columns[DATA_COLUMNS] = {
    {.name = "u", .type = POLICY_INTEGER, .nullable = true},
    {.name = "w", .type = POLICY_TEXT, .nullable = true},
    {.name = "k", .type = POLICY_INTEGER, .nullable = true},
    {.name = "t", .type = POLICY_TEXT, .nullable = true},
    {.name = "d", .type = POLICY_DATE, .nullable = true},
    {.name = "r", .type = POLICY_REAL, .nullable = true},
    {.name = "x", .type = POLICY_REAL, .nullable = true},
    {.name = "y", .type = POLICY_INTEGER, .nullable = true},
    {.name = "b", .type = POLICY_BOOLEAN, .nullable = true},
};
static const enum sql_type types[DATA_COLUMNS] = {SQL_INTEGER, SQL_TEXT, SQL_INTEGER, SQL_TEXT,   SQL_DATE,
                                                  SQL_REAL,    SQL_REAL, SQL_INTEGER, SQL_BOOLEAN};

void release_data_open(struct release_data *data, unsigned threads)
{
    error why;

    assert_int_equal(duckdb_open(NULL, &data->database), DuckDBSuccess);
    assert_int_equal(duckdb_connect(data->database, &data->connection), DuckDBSuccess);
    if (duckdb_bound_register(data->connection, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    arena_init(&data->arena, ARENA_BYTES);
    memset(&data->keeper, 0, sizeof data->keeper);
    if (threads)
        release_data_run(data, "SET threads = %u", threads);
    release_data_run(data,
                     "CREATE TABLE data(u BIGINT, w VARCHAR, k BIGINT, t VARCHAR, d DATE, r DOUBLE, x DOUBLE,"
                     " y BIGINT, b BOOLEAN)");
}

void release_data_close(struct release_data *data)
{
    arena_free(&data->arena);
    duckdb_statements_free(&data->keeper.statements);
    duckdb_disconnect(&data->connection);
    duckdb_close(&data->database);
}

static void run_text(struct release_data *data, const char *format, va_list arguments, int64_t *number)
{
    duckdb_result result;
    char *sql = NULL;

    duckdb_statements_free(&data->keeper.statements); /* the rows may change */
    assert_true(vasprintf(&sql, format, arguments) >= 0);
    if (duckdb_query(data->connection, sql, &result) != DuckDBSuccess)
        fail_msg("%s\n%s", sql, duckdb_result_error(&result));
    free(sql);
    if (number) {
        duckdb_data_chunk chunk = duckdb_fetch_chunk(result);
        assert_non_null(chunk);
        *number = *(const int64_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        duckdb_destroy_data_chunk(&chunk);
    }
    duckdb_destroy_result(&result);
}

void release_data_run(struct release_data *data, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run_text(data, format, arguments, NULL);
    va_end(arguments);
}

int64_t release_data_number(struct release_data *data, const char *format, ...)
{
    va_list arguments;
    int64_t number;
    va_start(arguments, format);
    run_text(data, format, arguments, &number);
    va_end(arguments);
    return number;
}

void release_data_show(struct release_data *data, const char *sql)
{
    duckdb_result result;
    char *text = NULL;

    assert_true(asprintf(&text, "SELECT coalesce(string_agg(q::VARCHAR, chr(10)), 'nothing') FROM (%s) AS q",
                         sql) >= 0);
    if (duckdb_query(data->connection, text, &result) == DuckDBSuccess) {
        char *shown = duckdb_value_varchar(&result, 0, 0);
        print_error("%s:\n%s\n", sql, shown);
        duckdb_free(shown);
    }
    free(text);
    duckdb_destroy_result(&result);
}

const struct sql_relation *release_data_input(bool text_unit)
{
    static const struct policy_table declared[2] = {
        {.name = "data",
         .protection = POLICY_UNIT_COLUMN,
         .columns = columns,
         .column_count = DATA_COLUMNS,
         .unit_column = &columns[DATA_U],
         .unit = &declared[0],
         .tag = &columns[DATA_U]},
        {.name = "data",
         .protection = POLICY_UNIT_COLUMN,
         .columns = columns,
         .column_count = DATA_COLUMNS,
         .unit_column = &columns[DATA_W],
         .unit = &declared[1],
         .tag = &columns[DATA_W]},
    };
    static const struct sql_table tables[2] = {
        {.declared = &declared[0], .columns = columns, .column_count = DATA_COLUMNS},
        {.declared = &declared[1], .columns = columns, .column_count = DATA_COLUMNS},
    };
    static struct sql_column shown[2][DATA_COLUMNS + 1];
    static struct sql_relation relations[2];
    struct sql_relation *relation = &relations[text_unit];

    for (size_t i = 0; i <= DATA_COLUMNS; i++)
        shown[text_unit][i] = (struct sql_column){.name = i < DATA_COLUMNS ? columns[i].name : "tag",
                                                  .type = i < DATA_COLUMNS ? types[i]
                                                          : text_unit      ? SQL_TEXT
                                                                           : SQL_INTEGER,
                                                  .nullable = i < DATA_COLUMNS};
    *relation = (struct sql_relation){.kind = SQL_SCAN,
                                      .place = SQL_TAGGED,
                                      .columns = shown[text_unit],
                                      .column_count = DATA_COLUMNS + 1,
                                      .unit = &declared[text_unit],
                                      .tag = DATA_COLUMNS,
                                      .table = &tables[text_unit]};
    return relation;
}

const struct sql_expression *release_data_column_expression(enum release_data_column column)
{
    static struct sql_expression expressions[DATA_COLUMNS];

    expressions[column] = (struct sql_expression){
        .kind = SQL_COLUMN, .type = types[column], .nullable = true, .position = -1, .column = column};
    return &expressions[column];
}

static struct sql_value *take_values(struct release_data *data, size_t count)
{
    void *memory;
    error why;
    assert_int_equal(arena_take(&data->arena, (count + 1) * sizeof(struct sql_value), &memory, &why),
                     DITHER_OK);
    return memory;
}

struct sql_rows release_data_run_domain(struct release_data *data, int64_t lower, int64_t upper, bool null)
{
    size_t count = (size_t)(upper - lower + 1);
    struct sql_value *cells = take_values(data, count + 1);

    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sql_value){.type = SQL_INTEGER, .whole = lower + (int64_t)i};
    if (null)
        cells[count++] = (struct sql_value){.type = SQL_INTEGER, .null = true};
    return (struct sql_rows){1, count, cells};
}

struct sql_rows release_data_text_domain(struct release_data *data, const char *const *texts, size_t count,
                                         bool null)
{
    struct sql_value *cells = take_values(data, count + 1);

    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sql_value){.type = SQL_TEXT, .text = texts[i]};
    if (null)
        cells[count++] = (struct sql_value){.type = SQL_TEXT, .null = true};
    return (struct sql_rows){1, count, cells};
}

static struct engine_groups run_release(struct release_data *data, struct duckdb_keeper *keeper,
                                        const struct engine_request *request)
{
    struct engine_groups groups;
    struct buffer complaint;
    error why;

    buffer_init(&complaint, 1 << 20);
    if (duckdb_release_run(data->connection, keeper, &sql_duckdb, request, &data->arena, &groups, &complaint,
                           &why) != DITHER_OK)
        fail_msg("%s: %s", why.message, complaint.data ? complaint.data : "");
    buffer_free(&complaint);
    return groups;
}

struct engine_groups release_data_release(struct release_data *data, struct sql_release *release,
                                          const struct sql_rows *domain, const uint8_t key[16])
{
    static const struct sql_relation any_domain = {.kind = SQL_VALUES};
    struct engine_request request = {.release = release};

    release->domain = domain ? &any_domain : NULL;
    if (domain)
        request.domain = *domain;
    memcpy(request.hash_key, key, sizeof request.hash_key);
    struct engine_groups groups = run_release(data, NULL, &request);
    struct engine_groups kept = run_release(data, &data->keeper, &request);
    assert_int_equal(kept.group_count, groups.group_count);
    assert_int_equal(kept.numbers_per_group, groups.numbers_per_group);
    for (size_t i = 0; i < groups.group_count; i++)
        assert_int_equal(kept.units[i], groups.units[i]);
    for (size_t i = 0; i < groups.group_count * groups.numbers_per_group; i++)
        assert_int_equal(kept.numbers[i], groups.numbers[i]);
    for (size_t i = 0; i < groups.keys.row_count * groups.keys.column_count; i++)
        assert_int_equal(sql_value_compare(&kept.keys.cells[i], &groups.keys.cells[i]), 0);
    return groups;
}
