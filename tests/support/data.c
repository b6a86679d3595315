#include "tests/support/data.h"

#include <duckdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_engine.h"
#include "tests/support/test.h"

void data_begin(struct data *data)
{
    *data = (struct data){.folder = "/tmp/dither-data-XXXXXX"};
    arena_init(&data->arena, POLICY_ARENA_BYTES);
    arena_init(&data->policy_arena, POLICY_ARENA_BYTES);
    assert_non_null(mkdtemp(data->folder));
}

void data_end(struct data *data)
{
    char command[128];
    engine_close(data->engine);
    arena_free(&data->policy_arena);
    arena_free(&data->arena);
    snprintf(command, sizeof command, "rm -rf '%s'", data->folder);
    assert_int_equal(system(command), 0);
}

const char *data_path(struct data *data, const char *name)
{
    char *path = NULL;
    size_t size = strlen(data->folder) + strlen(name) + 2;
    assert_int_equal(arena_take(&data->arena, size, (void **)&path, NULL), DITHER_OK);
    snprintf(path, size, "%s/%s", data->folder, name);
    return path;
}

void data_write_bytes(struct data *data, const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(data_path(data, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

void data_write(struct data *data, const char *name, const char *text)
{
    data_write_bytes(data, name, text, strlen(text));
}

void data_duckdb(struct data *data, const char *name, const char *sql)
{
    duckdb_database database;
    duckdb_connection connection;
    duckdb_result result;
    assert_int_equal(duckdb_open(data_path(data, name), &database), DuckDBSuccess);
    assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
    if (duckdb_query(connection, sql, &result) != DuckDBSuccess)
        fail_msg("%s", duckdb_result_error(&result));
    duckdb_destroy_result(&result);
    duckdb_disconnect(&connection);
    duckdb_close(&database);
}

void data_policy(struct data *data, const char *text)
{
    engine_close(data->engine);
    data->engine = NULL;
    arena_free(&data->policy_arena);
    arena_init(&data->policy_arena, POLICY_ARENA_BYTES);
    data_write(data, "policy.yaml", text);
    if (policy_read(data_path(data, "policy.yaml"), &data->policy_arena, &data->policy, &data->why) !=
        DITHER_OK)
        fail_msg("%s", data->why.message);
}

static void hear(void *context, const char *line)
{
    struct data *data = context;
    size_t length = strlen(data->told);
    snprintf(data->told + length, sizeof data->told - length, "%s\n", line);
}

static status open_with(struct data *data, bool schema_only)
{
    struct engine_options options = {.threads = 2, .tell = hear, .context = data, .schema_only = schema_only};
    engine_close(data->engine);
    data->engine = NULL;
    data->told[0] = '\0';
    data->why.message[0] = '\0';
    return engine_open(data->policy, &options, &data->engine, &data->why);
}

status data_open(struct data *data)
{
    return open_with(data, false);
}

status data_open_schema(struct data *data)
{
    return open_with(data, true);
}

static struct duckdb_instance *instance_of(struct data *data)
{
    return &((struct duckdb_engine *)data->engine)->instance;
}

int64_t data_whole(struct data *data, const char *sql)
{
    int64_t whole = 0;
    if (duckdb_ask_whole(instance_of(data), sql, "testing", &whole, &data->why) != DITHER_OK)
        fail_msg("%s: %s", data->why.message, duckdb_instance_complaint(instance_of(data)));
    return whole;
}

const char *data_text(struct data *data, const char *sql)
{
    struct sql_rows rows;
    if (duckdb_ask_texts(instance_of(data), sql, 1, &data->arena, &rows, &data->why) != DITHER_OK)
        fail_msg("%s: %s", data->why.message, duckdb_instance_complaint(instance_of(data)));
    assert_true(rows.row_count > 0);
    return rows.cells[0].null ? "NULL" : rows.cells[0].text;
}

bool data_runs(struct data *data, const char *sql)
{
    return duckdb_instance_run(instance_of(data), sql, "testing", &data->why) == DITHER_OK;
}
