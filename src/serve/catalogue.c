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

static status name_dataset(struct catalogue *catalogue, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 65536);
    buffer_text(&sql, "SET VARIABLE dither_user = ''; SET VARIABLE dither_dataset = ");
    duckdb_print_text(&sql, catalogue->dataset);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(&catalogue->instance, sql.data, "making the catalogue", why);
    buffer_free(&sql);
    return result;
}

static status fill(struct catalogue *catalogue, const struct sql_catalogue *tables, error *why)
{
    struct duckdb_instance *instance = &catalogue->instance;
    const struct duckdb_limits limits = {.memory_bytes = 512 << 20, .threads = 1};
    TRY(duckdb_instance_open(&limits, instance, why));
    TRY(duckdb_instance_run(instance, "SET GLOBAL integer_division = true", "making the catalogue", why));
    TRY(duckdb_instance_run(instance, "SET GLOBAL default_null_order = 'nulls_last_on_asc_first_on_desc'",
                            "making the catalogue", why));
    TRY(name_dataset(catalogue, why));
    TRY(catalogue_fill(instance, tables, why));
    TRY(run_each(instance, catalogue_macros, why));
    TRY(run_each(instance, catalogue_views, why));
    return duckdb_instance_lock(instance, why);
}

status catalogue_open(const struct sql_catalogue *tables, struct catalogue **out, error *why)
{
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);
    if (catalogue == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    catalogue->dataset = strdup(tables->policy->dataset);
    status result = catalogue->dataset != NULL ? fill(catalogue, tables, why)
                                               : fail(why, DITHER_NO_MEMORY, "out of memory");
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
    duckdb_instance_close(&catalogue->instance);
    free(catalogue->dataset);
    free(catalogue);
}
