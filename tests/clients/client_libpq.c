/* libpq against `dither serve` with tests/clients/clients.yaml: what psql does not use. Binary parameters and results, a pipeline, row by
 * row, without waiting, cancelling, a connection that is watched. True values are computed here from how tests/support/served.sh makes
 * the data. Ends with 1 at the first difference. Connects by the environment. */
#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *found)
{
    fprintf(stderr, "%s: %s\n", what, found);
    exit(1);
}

static void same(const char *found, const char *wanted, const char *what)
{
    char text[500];
    snprintf(text, sizeof text, "%s, not %s", found, wanted);
    if (strcmp(found, wanted) != 0)
        stop(what, text);
}

static PGresult *check(PGconn *connection, PGresult *result, ExecStatusType wanted, const char *what)
{
    if (PQresultStatus(result) != wanted)
        stop(what, PQerrorMessage(connection));
    return result;
}

static int64_t binary_whole(const PGresult *result, int row, int column)
{
    uint64_t bits = 0;
    if (PQgetlength(result, row, column) != 8)
        stop("a bigint", "has not 8 bytes");
    memcpy(&bits, PQgetvalue(result, row, column), 8);
    return (int64_t)be64toh(bits);
}

/* ---- Binary ---- */

static void binary(PGconn *connection)
{
    const uint32_t age = htonl(40);
    const char *values[] = {(const char *)&age, "south"};
    const int lengths[] = {4, 0}, formats[] = {1, 0};
    const Oid types[] = {23, 0};
    int64_t wanted = 0;
    for (int i = 1; i <= 400; i++)
        wanted += i % 90 > 40 && i % 3 == 0;
    PGresult *result =
        check(connection,
              PQexecParams(connection, "SELECT count(*) FROM people WHERE age > $1 AND region = $2", 2, types,
                           values, lengths, formats, 1),
              PGRES_TUPLES_OK, "binary parameters");
    if (PQfformat(result, 0) != 1 || binary_whole(result, 0, 0) != wanted)
        stop("a binary count", "is wrong");
    PQclear(result);
    /* -12345.67 as a numeric: digits 1 2345 6700 to the base 10000, weight 1, negative, two places */
    static const unsigned char price[] = {0, 3, 0, 1, 0x40, 0, 0, 2, 0, 1, 9, 0x29, 0x1a, 0x2c};
    result = check(connection,
                   PQexecParams(connection, "SELECT * FROM kinds WHERE id = 1", 0, NULL, NULL, NULL, NULL, 1),
                   PGRES_TUPLES_OK, "binary results");
    if (binary_whole(result, 0, 1) != INT64_C(-9007199254740993) ||
        PQgetlength(result, 0, 3) != (int)sizeof price ||
        memcmp(PQgetvalue(result, 0, 3), price, sizeof price) != 0)
        stop("binary results", "are wrong");
    PQclear(result);
    result =
        check(connection,
              PQexecParams(connection,
                           "SELECT oid, relname, relkind, reltuples FROM pg_class WHERE relname = 'people'",
                           0, NULL, NULL, NULL, NULL, 1),
              PGRES_TUPLES_OK, "the catalogue in binary");
    static const unsigned char minus_one[] = {0xbf, 0x80, 0, 0};
    if (PQgetlength(result, 0, 0) != 4 || PQgetlength(result, 0, 2) != 1 ||
        memcmp(PQgetvalue(result, 0, 3), minus_one, 4) != 0)
        stop("the catalogue in binary", "is wrong");
    PQclear(result);
}

/* ---- Described before values are known ---- */

static void described(PGconn *connection)
{
    PQclear(check(connection,
                  PQprepare(connection, "counts",
                            "SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region", 1, NULL),
                  PGRES_COMMAND_OK, "PQprepare"));
    PGresult *result =
        check(connection, PQdescribePrepared(connection, "counts"), PGRES_COMMAND_OK, "PQdescribePrepared");
    if (PQnparams(result) != 1 || PQnfields(result) != 2 || PQftype(result, 0) != 25 ||
        PQftype(result, 1) != 20)
        stop("a described statement", "has other columns");
    PQclear(result);
    PQclear(
        check(connection,
              PQprepare(connection, "tables", "SELECT relname FROM pg_class WHERE oid = $1::oid", 1, NULL),
              PGRES_COMMAND_OK, "PQprepare"));
    result =
        check(connection, PQdescribePrepared(connection, "tables"), PGRES_COMMAND_OK, "PQdescribePrepared");
    if (PQnparams(result) != 1 || PQparamtype(result, 0) != 26 || PQnfields(result) != 1 ||
        PQftype(result, 0) != 19)
        stop("a described statement of the catalogue", "has other columns");
    PQclear(result);
}

/* ---- A pipeline: an error skips what follows until the next Sync, and nothing else ---- */

static void expect_next(PGconn *connection, ExecStatusType wanted, const char *value)
{
    PGresult *result = PQgetResult(connection);
    if (result == NULL)
        stop("a pipeline", "has ended");
    if (PQresultStatus(result) != wanted)
        stop("a pipeline", PQresStatus(PQresultStatus(result)));
    if (value != NULL)
        same(PQgetvalue(result, 0, 0), value, "a pipeline");
    PQclear(result);
    if (wanted != PGRES_PIPELINE_SYNC && PQgetResult(connection) != NULL)
        stop("a pipeline", "has a result too many");
}

static void send_query(PGconn *connection, const char *text)
{
    if (PQsendQueryParams(connection, text, 0, NULL, NULL, NULL, NULL, 0) != 1)
        stop(text, PQerrorMessage(connection));
}

static void pipeline(PGconn *connection)
{
    if (PQenterPipelineMode(connection) != 1)
        stop("PQenterPipelineMode", PQerrorMessage(connection));
    for (int i = 0; i < 20; i++)
        send_query(connection, "SELECT count(*) FROM people");
    if (PQpipelineSync(connection) != 1)
        stop("PQpipelineSync", PQerrorMessage(connection));
    send_query(connection, "SELECT nothing FROM people");
    send_query(connection, "SELECT count(*) FROM people WHERE age = 77");
    if (PQpipelineSync(connection) != 1)
        stop("PQpipelineSync", PQerrorMessage(connection));
    send_query(connection, "SELECT relname FROM pg_class WHERE relname = 'people'");
    if (PQpipelineSync(connection) != 1)
        stop("PQpipelineSync", PQerrorMessage(connection));
    for (int i = 0; i < 20; i++)
        expect_next(connection, PGRES_TUPLES_OK, "400");
    expect_next(connection, PGRES_PIPELINE_SYNC, NULL);
    expect_next(connection, PGRES_FATAL_ERROR, NULL);
    expect_next(connection, PGRES_PIPELINE_ABORTED, NULL);
    expect_next(connection, PGRES_PIPELINE_SYNC, NULL);
    expect_next(connection, PGRES_TUPLES_OK, "people");
    expect_next(connection, PGRES_PIPELINE_SYNC, NULL);
    if (PQexitPipelineMode(connection) != 1)
        stop("PQexitPipelineMode", PQerrorMessage(connection));
}

/* ---- Row by row, without waiting ---- */

static void wait_for(PGconn *connection)
{
    while (PQisBusy(connection)) {
        struct pollfd files = {.fd = PQsocket(connection), .events = POLLIN};
        if (poll(&files, 1, 20000) != 1 || PQconsumeInput(connection) != 1)
            stop("waiting", PQerrorMessage(connection));
    }
}

static void row_by_row(PGconn *connection)
{
    int64_t next = 1;
    PQsetnonblocking(connection, 1);
    if (PQsendQuery(connection, "SELECT n FROM numbers ORDER BY n; SELECT 7") != 1 ||
        PQsetSingleRowMode(connection) != 1)
        stop("PQsendQuery", PQerrorMessage(connection));
    while (PQflush(connection) == 1)
        continue;
    for (;;) {
        wait_for(connection);
        PGresult *result = PQgetResult(connection);
        if (result == NULL)
            break;
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE && next <= 5000 &&
            atoll(PQgetvalue(result, 0, 0)) != next++)
            stop("row by row", PQgetvalue(result, 0, 0));
        PQclear(result);
    }
    if (next != 5001)
        stop("row by row", "some are missing");
    PQsetnonblocking(connection, 0);
}

/* ---- Notices and errors ---- */

static char noticed[1000];

static void keep_notice(void *context, const PGresult *result)
{
    (void)context;
    snprintf(noticed, sizeof noticed, "%s %s", PQresultErrorField(result, PG_DIAG_SEVERITY),
             PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
}

static void notices_and_errors(PGconn *connection)
{
    PQsetNoticeReceiver(connection, keep_notice, NULL);
    PQclear(check(connection, PQexec(connection, "SELECT count(*) FROM people WHERE age = 12"),
                  PGRES_TUPLES_OK, "a question"));
    if (strncmp(noticed, "NOTICE cost epsilon", 19) != 0)
        stop("a notice", noticed);
    PGresult *result = check(connection, PQexec(connection, "SELECT avg(agee) FROM people"),
                             PGRES_FATAL_ERROR, "a wrong name");
    same(PQresultErrorField(result, PG_DIAG_SQLSTATE), "42703", "the state");
    same(PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION), "12", "the place");
    same(PQresultErrorField(result, PG_DIAG_MESSAGE_HINT), "did you mean \"age\"?", "the hint");
    PQclear(result);
    result = check(connection, PQexec(connection, "COPY people TO STDOUT"), PGRES_FATAL_ERROR, "COPY");
    same(PQresultErrorField(result, PG_DIAG_SQLSTATE), "0A000", "the state of COPY");
    PQclear(result);
    same(PQparameterStatus(connection, "standard_conforming_strings"), "on", "standard_conforming_strings");
    same(PQparameterStatus(connection, "session_authorization"), "alice", "session_authorization");
    if (PQserverVersion(connection) != 150000)
        stop("the version", PQparameterStatus(connection, "server_version"));
}

/* ---- A cancel request that comes when nothing runs harms nothing ---- */

static void cancelling(PGconn *connection)
{
    char words[256];
    PGcancel *cancel = PQgetCancel(connection);
    if (cancel == NULL || PQcancel(cancel, words, sizeof words) != 1)
        stop("PQcancel", words);
    PQclear(check(connection, PQexec(connection, "SELECT 1"), PGRES_TUPLES_OK,
                  "after a cancel that came when nothing ran"));
    PQfreeCancel(cancel);
}

int main(void)
{
    PGconn *connection = PQconnectdb("");
    if (PQstatus(connection) != CONNECTION_OK)
        stop("connecting", PQerrorMessage(connection));
    if (!PQsslInUse(connection))
        stop("connecting", "without TLS");
    binary(connection);
    described(connection);
    pipeline(connection);
    row_by_row(connection);
    notices_and_errors(connection);
    cancelling(connection);
    PQreset(connection);
    if (PQstatus(connection) != CONNECTION_OK)
        stop("connecting again", PQerrorMessage(connection));
    PQfinish(connection);
    printf("libpq %d\n", PQlibVersion());
    return 0;
}
