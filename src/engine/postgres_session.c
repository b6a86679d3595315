#include "engine/postgres_session.h"

#include <string.h>

#include "base/postgres.h"

enum { COMPLAINT_BYTES = 1 << 16, MOST_VALUES = 8 };

/* Names of tables are printed with their schema, all else is PostgreSQL's own; temporary tables come last, or they
 * would come first. A statement ends after an hour unless the owner has set another limit for the role. */
static const char settings[] =
    "SET default_transaction_read_only = on;"
    "SET default_transaction_isolation = 'repeatable read';"
    "SET search_path = pg_catalog, pg_temp;"
    "SET row_security = off;"
    "SET datestyle = 'ISO, YMD';"
    "SET intervalstyle = 'postgres';"
    "SET timezone = 'UTC';"
    "SET extra_float_digits = 1;"
    "SET standard_conforming_strings = on;"
    "SET client_min_messages = error;"
    "SET lock_timeout = '60s';"
    "SET enable_partitionwise_aggregate = on;"
    "SET enable_partitionwise_join = on;"
    "SELECT set_config('statement_timeout', '1h', false) WHERE current_setting('statement_timeout') = '0';";

void postgres_session_complain(struct postgres_session *session, const char *text)
{
    buffer_free(&session->complaint);
    buffer_init(&session->complaint, COMPLAINT_BYTES);
    if (text != NULL)
        buffer_append(&session->complaint, text,
                      strlen(text) < COMPLAINT_BYTES / 2 ? strlen(text) : COMPLAINT_BYTES / 2);
}

static void set_cancel(struct postgres_session *session, PGcancel *cancel)
{
    pthread_mutex_lock(&session->lock);
    PQfreeCancel(session->cancel);
    session->cancel = cancel;
    pthread_mutex_unlock(&session->lock);
}

static status connect_once(struct postgres_session *session, error *why)
{
    PGconn *connection = NULL;
    TRY(postgres_connect(session->place, &connection, why));
    if (PQserverVersion(connection) < POSTGRES_OLDEST) {
        PQfinish(connection);
        return fail(why, DITHER_INVALID, "this server is older than PostgreSQL 13");
    }
    const char *encoding = PQparameterStatus(connection, "server_encoding");
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        PQfinish(connection);
        return fail(why, DITHER_INVALID,
                    "the database is not in UTF8: texts that cannot be converted would make questions fail");
    }
    session->connection = connection;
    set_cancel(session, PQgetCancel(connection));
    return DITHER_OK;
}

status postgres_session_open(struct postgres_session *session, const char *place, error *why)
{
    memset(session, 0, sizeof *session);
    session->place = place;
    buffer_init(&session->complaint, COMPLAINT_BYTES);
    if (pthread_mutex_init(&session->lock, NULL) != 0)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    status result = connect_once(session, why);
    if (result != DITHER_OK)
        postgres_session_close(session);
    return result;
}

void postgres_session_close(struct postgres_session *session)
{
    set_cancel(session, NULL);
    PQfinish(session->connection);
    session->connection = NULL;
    buffer_free(&session->complaint);
    pthread_mutex_destroy(&session->lock);
}

status postgres_session_fix(struct postgres_session *session, error *why)
{
    TRY(postgres_run(session->connection, settings, why));
    /* So that work for a curator who is gone ends; not every system can tell. */
    if (PQserverVersion(session->connection) >= 140000)
        PQclear(PQexec(session->connection, "SET client_connection_check_interval = '10s'"));
    return DITHER_OK;
}

bool postgres_session_is_lost(const struct postgres_session *session)
{
    return session->connection == NULL || PQstatus(session->connection) != CONNECTION_OK;
}

status postgres_session_reopen(struct postgres_session *session, error *why)
{
    set_cancel(session, NULL);
    PQfinish(session->connection);
    session->connection = NULL;
    TRY(connect_once(session, why));
    return postgres_session_fix(session, why);
}

void postgres_session_interrupt(struct postgres_session *session)
{
    char unused[256];
    atomic_store(&session->stopped, true);
    pthread_mutex_lock(&session->lock);
    if (session->cancel != NULL)
        (void)PQcancel(session->cancel, unused, sizeof unused);
    pthread_mutex_unlock(&session->lock);
}

status postgres_session_ask(struct postgres_session *session, const char *sql, const char *const *values,
                            size_t count, const char *doing, PGresult **out, error *why)
{
    PGresult *result = count == 0
                           ? PQexec(session->connection, sql)
                           : PQexecParams(session->connection, sql, (int)count, NULL, values, NULL, NULL, 0);
    ExecStatusType code = PQresultStatus(result);
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK) {
        const char *words = result != NULL ? PQresultErrorMessage(result) : "";
        postgres_session_complain(session, words[0] != '\0' ? words : PQerrorMessage(session->connection));
        PQclear(result);
        return fail(why, DITHER_IO, "PostgreSQL failed while %s", doing);
    }
    if (out != NULL)
        *out = result;
    else
        PQclear(result);
    return DITHER_OK;
}
