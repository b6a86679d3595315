#include "engine/duckdb_instance.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/duckdb_functions.h"

enum { COMPLAINT_BYTES = 64 * 1024 };

void duckdb_instance_complain(struct duckdb_instance *instance, const char *text)
{
    buffer_free(&instance->complaint); /* also forgets that an earlier one was too long */
    buffer_init(&instance->complaint, COMPLAINT_BYTES);
    if (text != NULL)
        buffer_format(&instance->complaint, "%.60000s", text);
}

const char *duckdb_instance_complaint(const struct duckdb_instance *instance)
{
    return instance->complaint.data != NULL && !instance->complaint.failed ? instance->complaint.data : "";
}

/* What must hold before the first statement. Spilling is off: a temporary file would be a copy of private rows
 * that nobody asked for. */
static status configure(duckdb_config config, const struct duckdb_limits *limits, error *why)
{
    static const char *const settings[][2] = {
        {"autoinstall_known_extensions", "false"},
        {"autoload_known_extensions", "false"},
        {"allow_community_extensions", "false"},
        {"temp_directory", ""},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (duckdb_set_config(config, settings[i][0], settings[i][1]) != DuckDBSuccess)
            return fail(why, DITHER_IO, "this DuckDB does not know the setting %s", settings[i][0]);
    char text[32];
    if (limits->memory_bytes > 0) {
        snprintf(text, sizeof text, "%" PRIu64 "B", limits->memory_bytes);
        if (duckdb_set_config(config, "memory_limit", text) != DuckDBSuccess)
            return fail(why, DITHER_INVALID, "DuckDB does not take %s of memory as its limit", text);
    }
    if (limits->threads > 0) {
        snprintf(text, sizeof text, "%u", limits->threads);
        if (duckdb_set_config(config, "threads", text) != DuckDBSuccess)
            return fail(why, DITHER_INVALID, "DuckDB does not take %s threads", text);
    }
    return DITHER_OK;
}

static status open_database(const struct duckdb_limits *limits, struct duckdb_instance *instance, error *why)
{
    duckdb_config config = NULL;
    if (duckdb_create_config(&config) != DuckDBSuccess)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    status result = configure(config, limits, why);
    char *message = NULL;
    if (result == DITHER_OK &&
        duckdb_open_ext(NULL, &instance->database, config, &message) != DuckDBSuccess) {
        duckdb_instance_complain(instance, message);
        duckdb_free(message);
        result = fail(why, DITHER_IO, "DuckDB cannot open a database in memory");
    }
    duckdb_destroy_config(&config);
    if (result == DITHER_OK && duckdb_connect(instance->database, &instance->connection) != DuckDBSuccess)
        result = fail(why, DITHER_IO, "DuckDB cannot connect to its own database");
    return result;
}

status duckdb_instance_open(const struct duckdb_limits *limits, struct duckdb_instance *out, error *why)
{
    static const char *const settings[] = {
        "SET allow_persistent_secrets = false",
        /* duckdb_query_progress works only so. */
        "SET enable_progress_bar = true",
        "SET enable_progress_bar_print = false",
        "SET progress_bar_time = 0",
    };
    struct duckdb_instance instance = {.database = NULL};
    buffer_init(&instance.complaint, COMPLAINT_BYTES);
    status result = open_database(limits, &instance, why);
    for (size_t i = 0; result == DITHER_OK && i < sizeof settings / sizeof settings[0]; i++)
        result = duckdb_instance_run(&instance, settings[i], "setting itself up", why);
    if (result == DITHER_OK)
        result = duckdb_functions_register(instance.connection, why);
    if (result != DITHER_OK) {
        duckdb_instance_close(&instance);
        return result;
    }
    *out = instance;
    return DITHER_OK;
}

status duckdb_instance_join(const struct duckdb_instance *first, struct duckdb_instance *out, error *why)
{
    struct duckdb_instance instance = {.database = NULL};
    if (duckdb_connect(first->database, &instance.connection) != DuckDBSuccess)
        return fail(why, DITHER_IO, "DuckDB cannot connect to its own database");
    buffer_init(&instance.complaint, COMPLAINT_BYTES);
    *out = instance;
    return DITHER_OK;
}

void duckdb_instance_close(struct duckdb_instance *instance)
{
    if (instance->connection != NULL)
        duckdb_disconnect(&instance->connection);
    if (instance->database != NULL)
        duckdb_close(&instance->database);
    buffer_free(&instance->complaint);
}

status duckdb_instance_lock(struct duckdb_instance *instance, error *why)
{
    TRY(duckdb_instance_run(instance, "SET enable_external_access = false", "locking itself", why));
    return duckdb_instance_run(instance, "SET lock_configuration = true", "locking itself", why);
}

status duckdb_instance_query(struct duckdb_instance *instance, const char *sql, const char *doing,
                             duckdb_result *out, error *why)
{
    duckdb_result result;
    if (duckdb_query(instance->connection, sql, &result) == DuckDBSuccess) {
        *out = result;
        return DITHER_OK;
    }
    duckdb_instance_complain(instance, duckdb_result_error(&result));
    duckdb_destroy_result(&result);
    return fail(why, DITHER_IO, "DuckDB failed while %s", doing);
}

status duckdb_instance_run(struct duckdb_instance *instance, const char *sql, const char *doing, error *why)
{
    duckdb_result result;
    TRY(duckdb_instance_query(instance, sql, doing, &result, why));
    duckdb_destroy_result(&result);
    return DITHER_OK;
}

void duckdb_print_text(struct buffer *buffer, const char *text)
{
    buffer_byte(buffer, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buffer_byte(buffer, '\'');
        buffer_byte(buffer, *text);
    }
    buffer_byte(buffer, '\'');
}
