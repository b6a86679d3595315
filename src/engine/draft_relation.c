/* What DuckDB knows of a relation: names and types; for an owner who peeks, its extents. */
#include "engine/draft_parts.h"
#include "engine/duckdb_read.h"

/* The one row of SELECT min, max: as doubles. Dates by their year; what is infinite does not count. */
static void print_extent(struct buffer *sql, const struct duckdb_found_column *found,
                         const struct policy_column *column, const char *aggregate)
{
    bool day = column->type == POLICY_DATE || column->type == POLICY_TIMESTAMP;
    buffer_format(sql, ", %s(%s(", aggregate, day ? "year" : "");
    duckdb_print_cast(sql, found, column);
    buffer_format(sql, ")::DOUBLE)%s", "");
    if (column->type == POLICY_REAL) {
        buffer_text(sql, " FILTER (WHERE isfinite(");
        duckdb_print_cast(sql, found, column);
        buffer_text(sql, "))");
    }
}

static bool has_extent(enum policy_type type)
{
    return type != POLICY_TEXT && type != POLICY_BOOLEAN;
}

static status peek_at(struct duckdb_instance *instance, const char *from, const struct duckdb_found *found,
                      const struct policy_column *types, struct draft_column *columns, size_t count,
                      const size_t *places, struct arena *arena, error *why)
{
    struct buffer sql;
    duckdb_result result;
    struct sql_rows rows;
    struct scratch_column *reals = NULL;
    size_t asked = 1;
    buffer_init(&sql, 1 << 22);
    buffer_text(&sql, "SELECT 0::DOUBLE");
    for (size_t i = 0; i < count; i++)
        if (has_extent(types[i].type)) {
            print_extent(&sql, &found->columns[places[i]], &types[i], "min");
            print_extent(&sql, &found->columns[places[i]], &types[i], "max");
            asked += 2;
        }
    buffer_format(&sql, " FROM %s", from);
    status got = buffer_check(&sql, why);
    if (got == DITHER_OK)
        got = arena_take(arena, asked * sizeof *reals, (void **)&reals, why);
    for (size_t i = 0; got == DITHER_OK && i < asked; i++)
        reals[i] = (struct scratch_column){.type = SQL_REAL};
    if (got == DITHER_OK)
        got = duckdb_instance_query(instance, sql.data, "looking for ranges", &result, why);
    buffer_free(&sql);
    TRY(got);
    got = duckdb_read_rows(&result, reals, asked, 2, arena, &rows, why);
    duckdb_destroy_result(&result);
    TRY(got);
    for (size_t i = 0, next = 1; i < count; i++) {
        struct draft_extent extent = {.any = false};
        for (size_t end = 0; has_extent(types[i].type) && rows.row_count == 1 && end < 2; end++, next++)
            if (!rows.cells[next].null)
                draft_extend(&extent, rows.cells[next].real);
        TRY(draft_round(&extent, &columns[i], arena, why));
    }
    return DITHER_OK;
}

/* Columns that Dither has no type for are left out. */
status draft_read_relation(struct duckdb_instance *instance, const char *from, bool peek, struct arena *arena,
                           struct draft_table *table, error *why)
{
    struct duckdb_found found;
    struct draft_column *columns = NULL;
    struct policy_column *types = NULL;
    size_t *places = NULL, count = 0;
    TRY(duckdb_describe(instance, from, arena, &found, why));
    TRY(arena_take(arena, found.count * sizeof *columns, (void **)&columns, why));
    TRY(arena_take(arena, found.count * sizeof *types, (void **)&types, why));
    TRY(arena_take(arena, found.count * sizeof *places, (void **)&places, why));
    for (size_t i = 0; i < found.count; i++)
        if (duckdb_type_to_declare(&found.columns[i], &types[count])) {
            columns[count] = (struct draft_column){
                .name = types[count].name, .type = types[count].type, .scale = types[count].scale};
            places[count++] = i;
        }
    table->columns = columns;
    table->column_count = count;
    if (!peek)
        return DITHER_OK;
    return peek_at(instance, from, &found, types, columns, count, places, arena, why);
}
