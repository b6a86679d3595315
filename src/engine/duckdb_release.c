#include "engine/duckdb_release.h"

#include "engine/duckdb_release_parts.h"

enum {
    /* All statements of a release, without the rows that they are given. A relation that is named twice is printed
     * twice, and so on with every level: what is beyond this is refused before anything is spent, and soon. */
    TEXT_BYTES = 1 << 20,
    STATEMENT_BYTES = 512 << 20, /* with the rows: public keys and released tables */
};

static status failed(struct buffer *complaint, const char *words, error *why)
{
    if (complaint && words) {
        buffer_text(complaint, words);
        buffer_byte(complaint, '\n');
    }
    return fail(why, DITHER_IO, "%s", ENGINE_FAILED);
}

static status run_statement(duckdb_connection connection, const struct release_plan *plan, size_t index,
                            struct release_sums *sums, struct buffer *complaint, error *why)
{
    const struct release_statement *statement = &plan->statements[index];
    duckdb_result result;
    struct buffer sql;

    buffer_init(&sql, STATEMENT_BYTES);
    release_print_statement(plan, statement, &sql);
    status outcome = buffer_check(&sql, why);
    if (outcome != DITHER_OK)
        goto done;
    if (duckdb_query(connection, sql.data, &result) != DuckDBSuccess) {
        outcome = failed(complaint, duckdb_result_error(&result), why);
    } else {
        error inner;
        outcome = release_sums_add(sums, statement, index == 0, &result, &inner);
        if (outcome != DITHER_OK)
            outcome = failed(complaint, inner.message, why);
    }
    duckdb_destroy_result(&result);
done:
    buffer_free(&sql); /* wiped: the hash key stands in it */
    return outcome;
}

status duckdb_release_run(duckdb_connection connection, const struct sql_dialect *dialect,
                          const struct engine_request *request, struct arena *arena,
                          struct engine_groups *out, struct buffer *complaint, error *why)
{
    struct release_plan plan;
    struct release_sums sums;

    TRY(release_plan_init(&plan, dialect, request->release, request, why));
    status result = release_sums_init(&sums, &plan, why);
    if (result != DITHER_OK) {
        release_plan_free(&plan);
        return result;
    }
    for (size_t i = 0; i < plan.statement_count && result == DITHER_OK; i++)
        result = run_statement(connection, &plan, i, &sums, complaint, why);
    if (result == DITHER_OK) {
        error inner; /* how much room hidden groups need is a private fact */
        if (release_sums_finish(&sums, arena, out, &inner) != DITHER_OK)
            result = failed(complaint, inner.message, why);
    }
    release_sums_free(&sums);
    release_plan_free(&plan);
    return result;
}

/* ---- For explain and check ---- */

static void print_domain(const struct release_plan *plan, struct buffer *out)
{
    struct sql_printer printer = {.dialect = plan->dialect, .buffer = out};

    if (!plan->release->domain)
        return;
    buffer_text(out, "WITH domain AS (");
    sql_print_relation(&printer, plan->release->domain);
    buffer_text(out, ") SELECT * FROM domain;\n");
}

typedef status visit_statement(void *context, const struct buffer *sql, error *why);

static status check_text(const struct buffer *sql, size_t before, error *why)
{
    if (sql->too_long || (!sql->failed && sql->length + before > TEXT_BYTES))
        return fail(
            why, DITHER_REFUSED,
            "the question is too large: what is named twice in it is read twice, and so on with every "
            "level");
    return buffer_check(sql, why);
}

/* Calls `visit` with the text of each statement, the domain's first. */
static status visit_statements(const struct sql_dialect *dialect, const struct sql_release *release,
                               visit_statement *visit, void *context, error *why)
{
    struct release_plan plan;
    struct buffer sql;
    size_t before = 0;

    TRY(release_plan_init(&plan, dialect, release, NULL, why));
    buffer_init(&sql, TEXT_BYTES);
    print_domain(&plan, &sql);
    status result = check_text(&sql, before, why);
    if (result == DITHER_OK && sql.length > 0)
        result = visit(context, &sql, why);
    for (size_t i = 0; i < plan.statement_count && result == DITHER_OK; i++) {
        before += sql.length;
        buffer_clear(&sql);
        release_print_statement(&plan, &plan.statements[i], &sql);
        buffer_text(&sql, ";\n");
        result = check_text(&sql, before, why);
        if (result == DITHER_OK)
            result = visit(context, &sql, why);
    }
    buffer_free(&sql);
    release_plan_free(&plan);
    return result;
}

static status append_statement(void *context, const struct buffer *sql, error *why)
{
    buffer_append(context, sql->data, sql->length);
    return buffer_check(context, why);
}

status duckdb_release_text(const struct sql_dialect *dialect, const struct sql_release *release,
                           struct buffer *out, error *why)
{
    return visit_statements(dialect, release, append_statement, out, why);
}

static status prepare_statement(void *context, const struct buffer *sql, error *why)
{
    duckdb_prepared_statement prepared = NULL;
    duckdb_state state = duckdb_prepare(context, sql->data, &prepared);

    duckdb_destroy_prepare(&prepared);
    if (state != DuckDBSuccess)
        return fail(
            why, DITHER_REFUSED,
            "this question makes SQL that the engine does not take: please tell the makers of dither");
    return DITHER_OK;
}

status duckdb_release_prepare(duckdb_connection shadow, const struct sql_dialect *dialect,
                              const struct sql_release *release, error *why)
{
    return visit_statements(dialect, release, prepare_statement, shadow, why);
}
