/* The PostgreSQL engine at work: one connection, one read-only snapshot a question. */
#include <string.h>

#include "engine/postgres_engine.h"
#include "engine/postgres_release.h"

static struct postgres_engine *own(struct engine *engine)
{
    return (struct postgres_engine *)engine; /* its first member */
}

static status open_engine(const struct policy *policy, const struct engine_options *options,
                          struct engine **out, error *why)
{
    struct postgres_engine *engine = NULL;
    TRY(postgres_engine_open(policy, options, &engine, why));
    engine->base.dialect = &sql_postgres;
    *out = &engine->base;
    return DITHER_OK;
}

static void close_engine(struct engine *engine)
{
    postgres_engine_free(own(engine));
}

/* ---- One snapshot a question ---- */

static status begin_once(struct postgres_engine *engine, error *why)
{
    return postgres_session_ask(&engine->session, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", NULL, 0,
                                "beginning", NULL, why);
}

/* No row has been asked for yet: a connection that was lost meanwhile may be made anew, once. */
static status begin_anew(struct postgres_engine *engine, error *why)
{
    if (!postgres_session_is_lost(&engine->session) && begin_once(engine, why) == DITHER_OK)
        return DITHER_OK;
    if (!postgres_session_is_lost(&engine->session))
        return DITHER_IO;
    TRY(postgres_session_reopen(&engine->session, why));
    return begin_once(engine, why);
}

/* The catalogue in this very snapshot is the one that questions are planned with. */
static status compare_words(struct postgres_engine *engine, error *why)
{
    struct arena arena;
    const char *words = NULL;
    arena_init(&arena, 64 << 20);
    status result = postgres_read_words(engine, &arena, &words, why);
    if (result == DITHER_OK && strcmp(words, engine->seen) != 0) {
        postgres_session_complain(
            &engine->session,
            "the tables, their columns or keys have changed since they were opened; start again");
        result = fail(why, DITHER_IO, "the tables have changed");
    }
    arena_free(&arena);
    return result;
}

static void end(struct engine *base)
{
    struct postgres_engine *engine = own(base);
    if (engine->in_transaction && !postgres_session_is_lost(&engine->session))
        PQclear(PQexec(engine->session.connection, "ROLLBACK"));
    /* A late interrupt may have hit the ROLLBACK itself; the next one then finds no transaction, and is ignored. */
    if (engine->in_transaction && PQtransactionStatus(engine->session.connection) != PQTRANS_IDLE)
        PQclear(PQexec(engine->session.connection, "ROLLBACK"));
    engine->in_transaction = false;
}

static status begin(struct engine *base, error *why)
{
    struct postgres_engine *engine = own(base);
    error inner = {.message = ""};
    if (engine->options.schema_only)
        return fail(why, DITHER_REFUSED, "only the schema was opened; there are no rows to ask");
    postgres_session_complain(&engine->session, NULL);
    atomic_store(&engine->session.stopped, false);
    status result = begin_anew(engine, &inner);
    engine->in_transaction = result == DITHER_OK;
    if (result == DITHER_OK)
        result = compare_words(engine, &inner);
    if (result == DITHER_OK)
        return DITHER_OK;
    end(base);
    if (engine->session.complaint.length == 0)
        postgres_session_complain(&engine->session, inner.message);
    return fail(why, DITHER_IO, ENGINE_FAILED);
}

/* ---- Releases ---- */

static status run_statement(struct postgres_engine *engine, const struct postgres_release *plan,
                            size_t statement, struct postgres_sums *sums, error *why)
{
    struct buffer sql;
    PGresult *result = NULL;
    buffer_init(&sql, POSTGRES_STATEMENT_BYTES);
    postgres_print_statement(plan, statement, &sql);
    status outcome = buffer_check(&sql, why);
    if (outcome == DITHER_OK && atomic_load(&engine->session.stopped))
        outcome = fail(why, DITHER_IO, "interrupted");
    if (outcome == DITHER_OK)
        outcome = postgres_session_ask(&engine->session, sql.data, NULL, 0, "answering", &result, why);
    if (outcome == DITHER_OK)
        outcome = postgres_sums_add(sums, statement, result, why);
    PQclear(result);
    buffer_free(&sql); /* wiped: the hash key stands in it */
    return outcome;
}

static status run_release(struct postgres_engine *engine, const struct postgres_release *plan,
                          struct arena *arena, struct engine_groups *out, error *why)
{
    struct postgres_sums sums;
    TRY(postgres_sums_init(&sums, plan, why));
    status result = DITHER_OK;
    for (size_t i = 0; i < postgres_statement_count(plan) && result == DITHER_OK; i++)
        result = run_statement(engine, plan, i, &sums, why);
    if (result == DITHER_OK)
        result = postgres_sums_finish(&sums, arena, out, why);
    postgres_sums_free(&sums);
    return result;
}

/* Whatever went wrong may have to do with private rows: one text for all of it. */
static status release(struct engine *base, const struct engine_request *request, struct arena *arena,
                      struct engine_groups *out, error *why)
{
    struct postgres_engine *engine = own(base);
    struct postgres_release plan;
    error inner = {.message = ""};
    if (!engine->in_transaction)
        return fail(why, DITHER_REFUSED, "no question has begun; there are no rows to ask");
    postgres_session_complain(&engine->session, NULL);
    status result = postgres_release_init(&plan, base->dialect, request->release, request, NULL, &inner);
    if (result == DITHER_OK) {
        result = run_release(engine, &plan, arena, out, &inner);
        postgres_release_free(&plan);
    }
    if (result == DITHER_OK)
        return DITHER_OK;
    if (engine->session.complaint.length == 0)
        postgres_session_complain(&engine->session, inner.message);
    return fail(why, DITHER_IO, ENGINE_FAILED);
}

/* ---- For explain and check ---- */

static status release_sql(struct engine *engine, const struct sql_release *asked, struct buffer *out,
                          error *why)
{
    struct postgres_release plan;
    TRY(postgres_release_init(&plan, engine->dialect, asked, NULL, "'KEY'", why));
    for (size_t i = 0; i < postgres_statement_count(&plan); i++) {
        postgres_print_statement(&plan, i, out);
        buffer_text(out, ";\n");
    }
    postgres_release_free(&plan);
    return buffer_check(out, why);
}

static status prepare(struct postgres_engine *engine, const char *sql, error *why)
{
    PGresult *result = PQprepare(engine->session.connection, "", sql, 0, NULL);
    bool prepared = PQresultStatus(result) == PGRES_COMMAND_OK;
    if (!prepared)
        postgres_session_complain(&engine->session, PQerrorMessage(engine->session.connection));
    PQclear(result);
    return prepared
               ? DITHER_OK
               : fail(why, DITHER_REFUSED,
                      "Dither cannot write this question for PostgreSQL; that is a fault of Dither's, and "
                      "nothing was spent");
}

/* The server parses and analyses the statement as it will be, names, types and functions, and goes no further: no row
 * is read, nor what it knows of the rows (its planner's statistics), for an unnamed statement is planned only when it
 * is bound. So no empty copy of the tables is needed to be sure that the outcome is the same for all data. */
static status check(struct engine *base, const struct sql_release *asked, error *why)
{
    struct postgres_engine *engine = own(base);
    struct postgres_release plan;
    if (postgres_session_is_lost(&engine->session) &&
        postgres_session_reopen(&engine->session, NULL) != DITHER_OK)
        return fail(why, DITHER_IO, "the data source cannot be reached; nothing was spent");
    TRY(postgres_release_init(&plan, base->dialect, asked, NULL, "CAST(0 AS BIGINT)", why));
    status result = DITHER_OK;
    for (size_t i = 0; i < postgres_statement_count(&plan) && result == DITHER_OK; i++) {
        struct buffer sql;
        buffer_init(&sql, POSTGRES_STATEMENT_BYTES);
        postgres_print_statement(&plan, i, &sql);
        result = buffer_check(&sql, why);
        if (result == DITHER_OK)
            result = prepare(engine, sql.data, why);
        buffer_free(&sql);
    }
    postgres_release_free(&plan);
    if (result == DITHER_REFUSED && postgres_session_is_lost(&engine->session))
        return fail(why, DITHER_IO, "the data source cannot be reached; nothing was spent");
    return result;
}

static void interrupt(struct engine *engine)
{
    postgres_session_interrupt(&own(engine)->session);
}

static double progress(struct engine *engine)
{
    (void)engine;
    return -1; /* the server does not say */
}

static const char *complaint(const struct engine *engine)
{
    const struct buffer *words = &((const struct postgres_engine *)engine)->session.complaint;
    return words->length > 0 ? words->data : "";
}

const struct engine_kind engine_postgres = {
    .open = open_engine,
    .join = postgres_join,
    .close = close_engine,
    .begin = begin,
    .end = end,
    .release = release,
    .release_sql = release_sql,
    .check = check,
    .interrupt = interrupt,
    .progress = progress,
    .complaint = complaint,
    .copy_public = postgres_copy_public,
    .compare = postgres_compare,
    .prove = postgres_prove,
};
