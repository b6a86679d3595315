/* What follows a release, and what needs none: SQL in the scratch database, printed from our own tree. */
#include "curator/room.h"
#include "curator/walk.h"
#include "sql/print.h"

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

status rest_rows(struct curator *curator, const struct sql_relation *relation, struct arena *arena,
                 struct sql_rows *out, error *why)
{
    struct scratch_column *columns = NULL;
    struct buffer sql;
    TRY(rest_public_tables(curator, relation, arena, why));
    TRY(rest_columns(relation, arena, &columns, why));
    buffer_init(&sql, CURATOR_SQL_BYTES);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .scratch = true};
    sql_print_relation(&printer, relation);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = scratch_query(curator->scratch, sql.data, columns, relation->column_count, CURATOR_MOST_ROWS,
                               arena, out, why);
    buffer_free(&sql);
    return result;
}
