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

/* ---- Running ---- */

/* The statement of this text, planned now or before; NULL: DuckDB does not take it with slots. */
static duckdb_prepared_statement find_plan(duckdb_connection connection, struct duckdb_keeper *keeper,
                                           const struct buffer *sql)
{
    const struct duckdb_statement *kept = duckdb_statements_find(&keeper->statements, sql);
    if (kept == NULL) {
        duckdb_prepared_statement prepared = NULL;
        bool taken = duckdb_slots_prepare(connection, &keeper->slots, sql->data, &prepared) == DuckDBSuccess;
        if (!taken)
            duckdb_destroy_prepare(&prepared);
        kept = duckdb_statements_add(&keeper->statements, sql, taken, prepared);
    }
    return kept ? kept->prepared : NULL;
}

/* With what is kept. False: it was not run, and wants its literals. */
static bool run_kept(duckdb_connection connection, struct duckdb_keeper *keeper,
                     const struct release_plan *plan, const struct release_statement *statement,
                     duckdb_state *state, duckdb_result *out)
{
    struct release_plan slotted = *plan;
    duckdb_prepared_statement prepared = NULL;
    struct buffer sql;

    if (!keeper)
        return false;
    slotted.slots = &keeper->slots;
    buffer_init(&sql, DUCKDB_STATEMENT_BYTES);
    release_print_statement(&slotted, statement, &sql);
    if (!sql.failed)
        prepared = find_plan(connection, keeper, &sql);
    if (prepared)
        *state = duckdb_slots_execute(prepared, &keeper->slots, out);
    duckdb_slots_wipe(&keeper->slots); /* the hash key is there */
    buffer_free(&sql);
    return prepared;
}

static status run_literal(duckdb_connection connection, const struct release_plan *plan,
                          const struct release_statement *statement, duckdb_state *state, duckdb_result *out,
                          error *why)
{
    struct buffer sql;

    buffer_init(&sql, STATEMENT_BYTES);
    release_print_statement(plan, statement, &sql);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        *state = duckdb_query(connection, sql.data, out);
    buffer_free(&sql); /* wiped: the hash key stands in it */
    return result;
}

static status run_statement(duckdb_connection connection, struct duckdb_keeper *keeper,
                            const struct release_plan *plan, size_t index, struct release_sums *sums,
                            struct buffer *complaint, error *why)
{
    const struct release_statement *statement = &plan->statements[index];
    duckdb_state state = DuckDBError;
    duckdb_result result;
    status outcome = DITHER_OK;
    error inner;

    if (!run_kept(connection, keeper, plan, statement, &state, &result))
        TRY(run_literal(connection, plan, statement, &state, &result, why));
    if (state != DuckDBSuccess)
        outcome = failed(complaint, duckdb_result_error(&result), why);
    else if (release_sums_add(sums, statement, index == 0, &result, &inner) != DITHER_OK)
        outcome = failed(complaint, inner.message, why);
    duckdb_destroy_result(&result);
    return outcome;
}

status duckdb_release_run(duckdb_connection connection, struct duckdb_keeper *keeper,
                          const struct sql_dialect *dialect, const struct engine_request *request,
                          struct arena *arena, struct engine_groups *out, struct buffer *complaint,
                          error *why)
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
        result = run_statement(connection, keeper, &plan, i, &sums, complaint, why);
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
    struct sql_printer printer = {.dialect = plan->dialect,
                                  .buffer = out,
                                  .stand_in = plan->slots ? duckdb_slots_print : NULL,
                                  .stand_ins = plan->slots};

    if (!plan->release->domain)
        return;
    if (plan->slots)
        duckdb_slots_begin(plan->slots, plan->key);
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

/* Calls `visit` with the text of each statement, the domain's first. `slots` may be NULL. */
static status visit_statements(const struct sql_dialect *dialect, const struct sql_release *release,
                               struct duckdb_slots *slots, visit_statement *visit, void *context, error *why)
{
    struct release_plan plan;
    struct buffer sql;
    size_t before = 0;

    TRY(release_plan_init(&plan, dialect, release, NULL, why));
    plan.slots = slots;
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
    return visit_statements(dialect, release, NULL, append_statement, out, why);
}

struct check {
    duckdb_connection shadow;
    struct duckdb_keeper *keeper;
};

static status refused(error *why)
{
    return fail(why, DITHER_REFUSED,
                "this question makes SQL that the engine does not take: please tell the makers of dither");
}

static status prepare_statement(void *context, const struct buffer *sql, error *why)
{
    const struct check *check = context;
    duckdb_prepared_statement prepared = NULL;
    duckdb_state state = duckdb_prepare(check->shadow, sql->data, &prepared);

    duckdb_destroy_prepare(&prepared);
    return state == DuckDBSuccess ? DITHER_OK : refused(why);
}

/* What the shadow has taken once it takes again: its tables never change. */
static status prepare_slotted(void *context, const struct buffer *sql, error *why)
{
    const struct check *check = context;
    struct duckdb_keeper *keeper = check->keeper;
    const struct duckdb_statement *kept = duckdb_statements_find(&keeper->statements, sql);

    if (kept)
        return kept->taken ? DITHER_OK : refused(why);
    duckdb_prepared_statement prepared = NULL;
    bool taken = duckdb_slots_prepare(check->shadow, &keeper->slots, sql->data, &prepared) == DuckDBSuccess;
    duckdb_destroy_prepare(&prepared);
    if (sql->length <= DUCKDB_STATEMENT_BYTES)
        (void)duckdb_statements_add(&keeper->statements, sql, taken, NULL);
    return taken ? DITHER_OK : refused(why);
}

status duckdb_release_prepare(duckdb_connection shadow, struct duckdb_keeper *keeper,
                              const struct sql_dialect *dialect, const struct sql_release *release,
                              error *why)
{
    struct check check = {shadow, keeper};
    error ignored;

    if (keeper &&
        visit_statements(dialect, release, &keeper->slots, prepare_slotted, &check, &ignored) == DITHER_OK)
        return DITHER_OK;
    return visit_statements(dialect, release, NULL, prepare_statement, &check, why);
}
