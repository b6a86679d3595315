#include "base/postgres.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { MOST_VALUES = 8 };

static void ignore_notice(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

status postgres_connect(const char *connection, PGconn **out, error *why)
{
    PGconn *opened = PQconnectdb(connection);
    if (opened == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    if (PQstatus(opened) != CONNECTION_OK) {
        status result = postgres_complain(opened, NULL, why); /* the first line: the rest is advice */
        PQfinish(opened);
        return result;
    }
    PQsetNoticeReceiver(opened, ignore_notice, NULL);
    if (PQsetClientEncoding(opened, "UTF8") != 0) {
        status result = postgres_complain(opened, NULL, why);
        PQfinish(opened);
        return result;
    }
    *out = opened;
    return DITHER_OK;
}

status postgres_complain(PGconn *connection, const PGresult *result, error *why)
{
    const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text = result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    char line[400];
    strncpy(line, text != NULL ? text : PQerrorMessage(connection), sizeof line - 1);
    line[sizeof line - 1] = '\0';
    line[strcspn(line, "\n")] = '\0';
    bool waited = state != NULL && (strcmp(state, "55P03") == 0 || strcmp(state, "40P01") == 0);
    return fail(why, waited ? DITHER_REFUSED : DITHER_IO, "PostgreSQL: %s", line);
}

status postgres_run(PGconn *connection, const char *sql, error *why)
{
    PGresult *result = PQexec(connection, sql);
    status outcome = DITHER_OK;
    ExecStatusType code = PQresultStatus(result);
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK)
        outcome = postgres_complain(connection, result, why);
    PQclear(result);
    return outcome;
}

status postgres_query(PGconn *connection, const char *sql, const struct postgres_value *values, size_t count,
                      PGresult **out, error *why)
{
    const char *data[MOST_VALUES];
    int sizes[MOST_VALUES], formats[MOST_VALUES];
    assert(count <= MOST_VALUES);
    for (size_t i = 0; i < count; i++) {
        assert(values[i].size <= INT_MAX);
        data[i] = values[i].data;
        sizes[i] = (int)values[i].size;
        formats[i] = values[i].binary;
    }
    PGresult *result = PQexecParams(connection, sql, (int)count, NULL, data, sizes, formats, 1);
    ExecStatusType code = PQresultStatus(result);
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK) {
        status outcome = postgres_complain(connection, result, why);
        PQclear(result);
        return outcome;
    }
    *out = result;
    return DITHER_OK;
}

int64_t postgres_int8(const PGresult *result, int row, int column)
{
    assert(PQgetlength(result, row, column) == 8);
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(result, row, column);
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | bytes[i];
    return (int64_t)value;
}
