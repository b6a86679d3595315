/* What follows a release, and what needs none: SQL in the scratch database, printed from our own tree.
 *
 * Under `serve` that database is in a process of its own. All that an analyst may shape freely runs there: the rest of his
 * question, its trial over empty tables, the public rows that become keys, the draws for error bars. What this process runs itself
 * is what engine.h prints for releases, on the private rows and before on the empty shadow: SQL from our own plan, which has no
 * form but that of a release. What comes back from there is not trusted either. Rows become an answer, or the keys of a release,
 * which may be any that do not depend on private rows; what a release costs and how it is bounded does not depend on which. */
#include <string.h>

#include "curator/room.h"
#include "curator/walk.h"
#include "sql/print.h"

/* Told to the owner; the analyst learns that it failed, and no path or signal. */
status rest_begin(struct curator *curator, error *why)
{
    bool emptied = false;
    const char *complaint = "";
    error inner;
    if (curator->begun)
        return DITHER_OK;
    if (scratch_ready(curator->scratch, &emptied, &complaint, &inner) != DITHER_OK) {
        log_scratch_failure(curator, inner.message);
        return fail(why, DITHER_IO, SCRATCH_LOST);
    }
    if (*complaint != '\0')
        log_scratch_failure(curator, complaint);
    if (emptied)
        memset(curator->copied, 0, engine_catalogue(curator->engine)->table_count * sizeof *curator->copied);
    curator->begun = true;
    return DITHER_OK;
}

struct copying {
    struct curator *curator;
    status result;
    error *why;
};

/* Below a release nothing runs in scratch. */
static bool copy_table(void *context, const struct sql_relation *relation)
{
    struct copying *copying = context;
    struct curator *curator = copying->curator;
    if (relation->kind != SQL_SCAN || relation->place != SQL_PUBLIC || copying->result != DITHER_OK)
        return copying->result == DITHER_OK;
    const struct sql_catalogue *catalogue = engine_catalogue(curator->engine);
    for (size_t i = 0; i < catalogue->table_count; i++) {
        if (&catalogue->tables[i] != relation->table || curator->copied[i])
            continue;
        copying->result =
            engine_copy_public(curator->engine, relation->table, curator->scratch, copying->why);
        curator->copied[i] = copying->result == DITHER_OK;
    }
    return true;
}

status rest_public_tables(struct curator *curator, const struct sql_relation *relation, struct arena *arena,
                          error *why)
{
    struct copying copying = {.curator = curator, .result = DITHER_OK, .why = why};
    TRY(walk_relation(relation, false, copy_table, &copying, arena, why));
    return copying.result;
}

status rest_columns(const struct sql_relation *relation, struct arena *arena, struct scratch_column **out,
                    error *why)
{
    void *room = NULL;
    TRY(arena_take(arena, relation->column_count * sizeof **out, &room, why));
    *out = room;
    for (size_t i = 0; i < relation->column_count; i++)
        (*out)[i] = (struct scratch_column){relation->columns[i].type, relation->columns[i].scale};
    return DITHER_OK;
}

static status print_rest(const struct sql_relation *relation, struct buffer *sql, error *why)
{
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = sql, .scratch = true};
    sql_print_relation(&printer, relation);
    return buffer_check(sql, why);
}

static status run_rest(struct curator *curator, const struct sql_relation *relation, const struct buffer *sql,
                       struct arena *arena, struct sql_rows *out, error *why)
{
    struct scratch_column *columns = NULL;
    TRY(rest_begin(curator, why));
    TRY(rest_public_tables(curator, relation, arena, why));
    TRY(rest_columns(relation, arena, &columns, why));
    return scratch_query(curator->scratch, sql->data, columns, relation->column_count, CURATOR_MOST_ROWS,
                         arena, out, why);
}

status rest_rows(struct curator *curator, const struct sql_relation *relation, struct arena *arena,
                 struct sql_rows *out, error *why)
{
    struct buffer sql;
    buffer_init(&sql, CURATOR_SQL_BYTES);
    status result = print_rest(relation, &sql, why);
    if (result == DITHER_OK)
        result = run_rest(curator, relation, &sql, arena, out, why);
    buffer_free(&sql);
    return result;
}

/* ---- Before anything is spent ---- */

static status put_empty_tables(struct curator *curator, const struct prepared *prepared, struct arena *arena,
                               error *why)
{
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        const struct prepared_release *release = &prepared->releases[i];
        struct scratch_column *columns = NULL;
        struct sql_rows nothing = {.column_count = release->relation->column_count};
        TRY(rest_columns(release->relation, arena, &columns, why));
        TRY(scratch_put(curator->scratch, release->table, columns, &nothing, why));
    }
    return DITHER_OK;
}

static status try_rest(struct curator *curator, const struct prepared *prepared, const struct buffer *sql,
                       struct arena *arena, error *why)
{
    struct digest digest;
    struct sql_rows rows;
    TRY(digest_of(sql->data, sql->length, &digest, why));
    if (checked_has(curator->checked, &digest))
        return DITHER_OK;
    TRY(rest_begin(curator, why));
    status result = put_empty_tables(curator, prepared, arena, why);
    if (result == DITHER_OK)
        result = run_rest(curator, prepared->plan->result, sql, arena, &rows, why);
    for (size_t i = 0; i < prepared->plan->release_count; i++)
        scratch_drop(curator->scratch, prepared->releases[i].table);
    if (result == DITHER_OK)
        checked_add(curator->checked, &digest);
    return result;
}

status rest_check(struct curator *curator, const struct prepared *prepared, struct arena *arena, error *why)
{
    struct buffer sql;
    if (prepared->plan->release_count == 0 || plain_projects(prepared))
        return DITHER_OK;
    buffer_init(&sql, CURATOR_REST_BYTES);
    status result = print_rest(prepared->plan->result, &sql, why);
    if (sql.too_long)
        result =
            fail(why, DITHER_REFUSED,
                 "the question is too large: what is named twice in it is read twice, and so on with every "
                 "level");
    if (result == DITHER_OK)
        result = try_rest(curator, prepared, &sql, arena, why);
    buffer_free(&sql);
    return result;
}
