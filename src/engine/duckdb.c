/* The DuckDB engine at work: one connection, whose rows do not change. */
#include "engine/duckdb_engine.h"
#include "engine/duckdb_read.h"
#include "engine/duckdb_release.h"
#include "engine/scratch.h"

static struct duckdb_engine *own(struct engine *engine)
{
    return (struct duckdb_engine *)engine; /* its first member */
}

static status open_engine(const struct policy *policy, const struct engine_options *options,
                          struct engine **out, error *why)
{
    struct duckdb_engine *engine = NULL;
    TRY(duckdb_engine_open(policy, options, &engine, why));
    engine->base.dialect = &sql_duckdb;
    *out = &engine->base;
    return DITHER_OK;
}

static void close_engine(struct engine *engine)
{
    duckdb_engine_free(own(engine));
}

/* Nothing is to be done for a question to see one snapshot: imported rows are ours and nobody changes them any more, and an
 * attached file is open read-only, which keeps all who would write it away. */
static status begin(struct engine *base, error *why)
{
    if (own(base)->options.schema_only)
        return fail(why, DITHER_REFUSED, "only the schema was opened; there are no rows to ask");
    return DITHER_OK;
}

static void end(struct engine *base)
{
    (void)base;
}

/* Whatever went wrong may have to do with private rows: one text for all of it. */
static status release(struct engine *base, const struct engine_request *request, struct arena *arena,
                      struct engine_groups *out, error *why)
{
    struct duckdb_engine *engine = own(base);
    if (engine->options.schema_only)
        return fail(why, DITHER_REFUSED, "only the schema was opened; there are no rows to ask");
    duckdb_instance_complain(&engine->instance, NULL);
    error inner = {.message = ""};
    if (duckdb_release_run(engine->instance.connection, engine->is_small ? &engine->keeper : NULL,
                           base->dialect, request, arena, out, &engine->instance.complaint,
                           &inner) == DITHER_OK)
        return DITHER_OK;
    if (engine->instance.complaint.length == 0)
        buffer_text(&engine->instance.complaint, inner.message);
    return fail(why, DITHER_IO, ENGINE_FAILED);
}

static status release_sql(struct engine *engine, const struct sql_release *release, struct buffer *out,
                          error *why)
{
    return duckdb_release_text(engine->dialect, release, out, why);
}

static void interrupt(struct engine *engine)
{
    duckdb_interrupt(own(engine)->instance.connection);
}

static double progress(struct engine *engine)
{
    return duckdb_query_progress(own(engine)->instance.connection).percentage;
}

static const char *complaint(const struct engine *engine)
{
    return duckdb_instance_complaint(&((const struct duckdb_engine *)engine)->instance);
}

static status read_table(struct duckdb_engine *engine, const struct duckdb_table *table, duckdb_result *out,
                         error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(&sql, i == 0 ? "SELECT " : ", ");
        sql_print_identifier(&sql, table->columns[i].name);
    }
    buffer_text(&sql, " FROM ");
    sql_print_identifier(&sql, table->declared->name);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_query(&engine->instance, sql.data, "reading a public table", out, why);
    buffer_free(&sql);
    return result;
}

static status copy_chunk(const struct duckdb_table *table, duckdb_data_chunk chunk, struct arena *arena,
                         struct scratch *scratch, error *why)
{
    size_t count = table->column_count, rows = duckdb_data_chunk_get_size(chunk);
    struct sql_value *cells = NULL;
    struct duckdb_column_reader *readers = NULL;
    TRY(arena_take(arena, count * sizeof *cells, (void **)&cells, why));
    TRY(arena_take(arena, count * sizeof *readers, (void **)&readers, why));
    for (size_t i = 0; i < count; i++)
        duckdb_column_reader_init(chunk, i, &readers[i]);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < count; i++)
            TRY(duckdb_read_cell(&readers[i], row, &table->types[i], arena, &cells[i], why));
        TRY(scratch_fill_row(scratch, cells, why));
    }
    return DITHER_OK;
}

static status copy_rows(const struct duckdb_table *table, duckdb_result *rows, struct scratch *scratch,
                        error *why)
{
    status result = DITHER_OK;
    for (duckdb_data_chunk chunk = NULL;
         result == DITHER_OK && (chunk = duckdb_fetch_chunk(*rows)) != NULL;) {
        struct arena arena;
        arena_init(&arena, (size_t)1 << 30);
        result = copy_chunk(table, chunk, &arena, scratch, why);
        arena_free(&arena);
        duckdb_destroy_data_chunk(&chunk);
    }
    return result == DITHER_OK ? scratch_fill_end(scratch, why) : result;
}

static status name_columns(const struct duckdb_table *table, struct arena *arena, const char ***out,
                           error *why)
{
    void *names = NULL;
    TRY(arena_take(arena, table->column_count * sizeof **out, &names, why));
    *out = names;
    for (size_t i = 0; i < table->column_count; i++)
        (*out)[i] = table->columns[i].name;
    return DITHER_OK;
}

static status copy_public(struct engine *base, const struct sql_table *copied, struct scratch *scratch,
                          error *why)
{
    struct duckdb_engine *engine = own(base);
    const struct duckdb_table *table = &engine->tables[copied - base->catalogue.tables];
    const char *name = table->declared->name, **names = NULL;
    struct arena arena;
    duckdb_result rows;
    if (table->declared->protection != POLICY_PUBLIC)
        return fail(why, DITHER_REFUSED, "table %s is not public", name);
    TRY(read_table(engine, table, &rows, why));
    arena_init(&arena, 1 << 20);
    status result = name_columns(table, &arena, &names, why);
    if (result == DITHER_OK)
        result = scratch_fill_begin(
            scratch,
            &(struct scratch_table){
                .name = name, .columns = table->types, .names = names, .column_count = table->column_count},
            why);
    if (result == DITHER_OK)
        result = copy_rows(table, &rows, scratch, why);
    if (result != DITHER_OK)
        scratch_drop(scratch, name);
    arena_free(&arena);
    duckdb_destroy_result(&rows);
    return result;
}

const struct engine_kind engine_duckdb = {
    .open = open_engine,
    .join = duckdb_join,
    .close = close_engine,
    .begin = begin,
    .end = end,
    .release = release,
    .release_sql = release_sql,
    .check = duckdb_check,
    .interrupt = interrupt,
    .progress = progress,
    .complaint = complaint,
    .copy_public = copy_public,
    .compare = duckdb_compare,
    .prove = duckdb_prove,
};
