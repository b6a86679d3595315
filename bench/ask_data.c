#include "bench/ask_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "engine/duckdb_release.h"

enum { KEYS = 50, GROUPS = 3, ROWS = 4, QUICK = 1000, ARENA_BYTES = 64 << 20 };
enum { COLUMN_UNIT, COLUMN_KEY, COLUMN_TEXT, COLUMN_VALUE, COLUMNS };

static const struct policy_column columns[COLUMNS] = {
    {.name = "u", .type = POLICY_INTEGER},
    {.name = "k", .type = POLICY_INTEGER},
    {.name = "t", .type = POLICY_TEXT},
    {.name = "x", .type = POLICY_REAL},
};
static const struct policy_table declared = {.name = "visits",
                                             .protection = POLICY_UNIT_COLUMN,
                                             .columns = columns,
                                             .column_count = COLUMNS,
                                             .unit_column = &columns[COLUMN_UNIT],
                                             .unit = &declared,
                                             .tag = &columns[COLUMN_UNIT]};
static const struct sql_table table = {
    .declared = &declared, .columns = columns, .column_count = COLUMNS, .has_all_units = true};
static const struct sql_column shown[COLUMNS + 1] = {{.name = "u", .type = SQL_INTEGER},
                                                     {.name = "k", .type = SQL_INTEGER},
                                                     {.name = "t", .type = SQL_TEXT},
                                                     {.name = "x", .type = SQL_REAL},
                                                     {.name = "tag", .type = SQL_INTEGER}};
static const struct sql_relation input = {.kind = SQL_SCAN,
                                          .place = SQL_TAGGED,
                                          .columns = shown,
                                          .column_count = COLUMNS + 1,
                                          .unit = &declared,
                                          .tag = COLUMNS,
                                          .table = &table};
static const struct sql_relation domain = {.kind = SQL_VALUES};
static const struct sql_expression key = {.kind = SQL_COLUMN, .type = SQL_INTEGER, .column = COLUMN_KEY};
static const struct sql_expression text = {.kind = SQL_COLUMN, .type = SQL_TEXT, .column = COLUMN_TEXT};
static const struct sql_expression value = {.kind = SQL_COLUMN, .type = SQL_REAL, .column = COLUMN_VALUE};
static const struct sql_expression *const by_key[] = {&key}, *const by_text[] = {&text};

static void give_up(const char *why)
{
    fprintf(stderr, "dither_bench: %s\n", why);
    exit(1);
}

void ask_data_query(struct ask_data *data, const char *sql)
{
    duckdb_result result;

    if (duckdb_query(data->connection, sql, &result) != DuckDBSuccess)
        give_up(duckdb_result_error(&result));
    duckdb_destroy_result(&result);
}

/* A line of /proc/self/status, in bytes. */
static double memory_bytes(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = 0;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name), NULL);
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

void ask_data_open(struct ask_data *data, const struct ask_size *size)
{
    uint64_t less = bench_is_quick() ? QUICK : 1;
    char sql[1024];
    error why;

    memset(data, 0, sizeof *data);
    if (duckdb_open(NULL, &data->database) != DuckDBSuccess ||
        duckdb_connect(data->database, &data->connection) != DuckDBSuccess)
        give_up("DuckDB does not open");
    if (duckdb_bound_register(data->connection, &why) != DITHER_OK)
        give_up(why.message);
    /* Rows of a unit lie all over the table; one row each when there are as many units as rows. */
    snprintf(sql, sizeof sql,
             "CREATE TABLE visits AS SELECT (i * 7919) %% %llu AS u, 1 + hash(i) %% %d AS k,"
             " 'category ' || (1 + hash(i) %% %d) AS t, (hash(i + 1) %% 1000000) / 10.0 AS x FROM "
             "range(%llu) AS r(i)",
             (unsigned long long)(size->units / less), KEYS, KEYS, (unsigned long long)(size->rows / less));
    ask_data_query(data, sql);
    /* NOT NULL, as a key is: then the release need not look for rows of nobody. */
    ask_data_query(data, "CREATE TABLE kept (u BIGINT NOT NULL, k BIGINT, t VARCHAR, x DOUBLE)");
    ask_data_query(data, "INSERT INTO kept SELECT u, k, t, x FROM visits");
    ask_data_query(data, "DROP TABLE visits");
    ask_data_query(data, "ALTER TABLE kept RENAME TO visits");
    data->rows_bytes = memory_bytes("VmRSS:");
}

void ask_data_close(struct ask_data *data)
{
    duckdb_disconnect(&data->connection);
    duckdb_close(&data->database);
}

void ask_data_prepare(struct ask_data *data, bool sum, bool by_texts, bool one_row)
{
    for (int i = 0; i < KEYS; i++) {
        snprintf(data->texts[i], sizeof data->texts[i], "category %d", i + 1);
        data->domain[i] = by_texts ? (struct sql_value){.type = SQL_TEXT, .text = data->texts[i]}
                                   : (struct sql_value){.type = SQL_INTEGER, .whole = i + 1};
    }
    data->text = by_texts;
    data->measure = (struct sql_measure){.kind = sum ? SQL_MEASURE_SUM : SQL_MEASURE_ROWS,
                                         .argument = sum ? &value : NULL,
                                         .steps = {.exponent = 0, .lower = 0, .upper = 100000},
                                         .unit_upper = sum ? 100000 * ROWS : ROWS};
    data->release = (struct sql_release){.input = &input,
                                         .keys = by_texts ? by_text : by_key,
                                         .key_count = 1,
                                         .domain = &domain,
                                         .measures = &data->measure,
                                         .measure_count = 1,
                                         .max_rows = ROWS,
                                         .max_groups = GROUPS,
                                         .one_row = one_row};
    data->request = (struct engine_request){
        .release = &data->release, .domain = {1, KEYS, data->domain}, .hash_key = {1, 2, 3, 4, 5, 6}};
    snprintf(data->plain, sizeof data->plain, "SELECT %s, %s FROM visits GROUP BY 1", by_texts ? "t" : "k",
             sum ? "sum(x)" : "count(*)");
}

/* The key's place in the low six bits of the hash: one number to sort by. */
void ask_data_plain_bounding(struct ask_data *data)
{
    const char *place = data->text ? "(substr(t, 10)::BIGINT)" : "k";
    snprintf(data->plain, sizeof data->plain,
             "SELECT h & 63 AS k, sum(least(400000, CASE WHEN n > 4 THEN s * 4 // n ELSE s END)) FROM "
             "(SELECT h, n, s,"
             " row_number() OVER (PARTITION BY u ORDER BY h) AS place FROM (SELECT u, (hash(u, k, 12345) & "
             "~63::UBIGINT)"
             " | k::UBIGINT AS h, count(*) AS n, sum(s) AS s FROM (SELECT u, %s AS k, CAST(floor(x + 0.5) AS "
             "BIGINT)"
             " AS s FROM visits) GROUP BY u, k)) WHERE place <= 3 GROUP BY 1",
             place);
}

void ask_data_plain_units(struct ask_data *data)
{
    snprintf(data->plain, sizeof data->plain, "SELECT u, count(*) FROM visits GROUP BY u");
}

void ask_data_release(struct ask_data *data)
{
    struct engine_groups groups;
    struct buffer complaint;
    struct arena arena;
    error why;

    arena_init(&arena, ARENA_BYTES);
    buffer_init(&complaint, 1 << 16);
    if (duckdb_release_run(data->connection, NULL, &sql_duckdb, &data->request, &arena, &groups, &complaint,
                           &why) != DITHER_OK)
        give_up(complaint.data ? complaint.data : why.message);
    bench_keep((uint64_t)groups.numbers[0]);
    buffer_free(&complaint);
    arena_free(&arena);
}

double ask_data_peak_bytes(struct ask_data *data)
{
    FILE *file = fopen("/proc/self/clear_refs", "w"); /* "5": the peak starts anew from what there is now */

    if (file) {
        fputs("5", file);
        fclose(file);
    }
    ask_data_release(data);
    double above = memory_bytes("VmHWM:") - data->rows_bytes;
    return above > 0 ? above : 0;
}
