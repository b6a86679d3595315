#include "serve/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "serve/catalogue_parts.h"

static status run_each(struct duckdb_instance *instance, const char *const *statements, error *why)
{
    for (size_t i = 0; statements[i] != NULL; i++)
        TRY(duckdb_instance_run(instance, statements[i], "making the catalogue", why));
    return DITHER_OK;
}

static status name_dataset(struct duckdb_instance *instance, const char *dataset, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 65536);
    buffer_text(&sql, "SET VARIABLE dither_user = ''; SET VARIABLE dither_dataset = ");
    duckdb_print_text(&sql, dataset);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(instance, sql.data, "making the catalogue", why);
    buffer_free(&sql);
    return result;
}

status catalogue_open_instance(struct duckdb_instance *out, error *why)
{
    const struct duckdb_limits limits = {.memory_bytes = CATALOGUE_MEMORY_BYTES, .threads = 1};
    return duckdb_instance_open(&limits, out, why);
}

status catalogue_make(struct duckdb_instance *instance, const char *dataset, const char *tables, error *why)
{
    TRY(duckdb_instance_run(instance, "SET GLOBAL integer_division = true", "making the catalogue", why));
    TRY(duckdb_instance_run(instance, "SET GLOBAL default_null_order = 'nulls_last_on_asc_first_on_desc'",
                            "making the catalogue", why));
    TRY(name_dataset(instance, dataset, why));
    TRY(catalogue_fill(instance, tables, why));
    TRY(run_each(instance, catalogue_macros, why));
    TRY(run_each(instance, catalogue_views, why));
    return duckdb_instance_lock(instance, why);
}

static status make_here(struct catalogue *catalogue, const struct sql_catalogue *tables, error *why)
{
    struct buffer printed;
    status result = catalogue_print(tables, &printed, why);
    if (result == DITHER_OK)
        result = catalogue_open_instance(&catalogue->instance, why);
    if (result == DITHER_OK)
        result = catalogue_make(&catalogue->instance, catalogue->dataset, printed.data, why);
    buffer_free(&printed);
    return result;
}

status catalogue_open(const struct sql_catalogue *tables, const char *program, struct catalogue **out,
                      error *why)
{
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);
    if (catalogue == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    catalogue->dataset = strdup(tables->policy->dataset);
    status result = DITHER_OK;
    if (catalogue->dataset == NULL)
        result = fail(why, DITHER_NO_MEMORY, "out of memory");
    else if (program != NULL)
        result = catalogue_process_open(program, catalogue->dataset, tables, &catalogue->process, why);
    else
        result = make_here(catalogue, tables, why);
    if (result != DITHER_OK) {
        catalogue_close(catalogue);
        return result;
    }
    *out = catalogue;
    return DITHER_OK;
}

void catalogue_close(struct catalogue *catalogue)
{
    if (catalogue == NULL)
        return;
    catalogue_process_close(catalogue->process);
    duckdb_instance_close(&catalogue->instance);
    free(catalogue->dataset);
    free(catalogue);
}

status catalogue_answer(struct catalogue *catalogue, const struct catalogue_question *question,
                        struct arena *arena, struct catalogue_reply *out, char *sqlstate, error *why)
{
    const char *sql = NULL;
    struct catalogue_rewrite rewrite = {.arena = arena,
                                        .question = question,
                                        .dataset = catalogue->dataset,
                                        .why = why,
                                        .sqlstate = sqlstate};
    memcpy(sqlstate, "XX000", 6);
    TRY(catalogue_rewrite(&rewrite, &sql));
    memcpy(sqlstate, "XX000", 6);
    return catalogue->process != NULL ? catalogue_process_ask(catalogue->process, &rewrite, sql, out)
                                      : catalogue_execute(&catalogue->instance, &rewrite, sql, out);
}
