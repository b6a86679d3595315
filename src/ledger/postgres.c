/* The PostgreSQL store: several curators, one budget. One database may hold the ledgers of many datasets.
 *
 * The dataset's row in `head` is the lock: `begin` takes it FOR UPDATE, at READ COMMITTED, so that every
 * statement after it sees all that was committed before the lock was had. A commit returns after the
 * server's log was synced; a server that was told not to sync is refused. A curator that dies or hangs
 * loses its transaction, by the closed connection or by the server's timeout. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/postgres.h"
#include "ledger/store.h"

enum { ROWS_AT_ONCE = 1000 };

static const char *const migrations[] = {
    "CREATE TABLE dither_ledger.head (dataset text PRIMARY KEY);"
    "CREATE TABLE dither_ledger.entry (dataset text NOT NULL, number bigint NOT NULL, body bytea NOT NULL,"
    " hash bytea NOT NULL, PRIMARY KEY (dataset, number));"
    "CREATE TABLE dither_ledger.blob (dataset text NOT NULL, name bytea NOT NULL, bytes bytea NOT NULL,"
    " PRIMARY KEY (dataset, name));",
};

enum { VERSION = sizeof migrations / sizeof migrations[0] };

struct postgres_store {
    struct store store;
    PGconn *connection;
    char *dataset;
    bool working;
};

static struct postgres_store *own(struct store *store)
{
    return (struct postgres_store *)(void *)store;
}

static void cancel(struct store *store)
{
    struct postgres_store *self = own(store);
    if (self->working)
        PQclear(PQexec(self->connection, "ROLLBACK"));
    self->working = false;
}

static status begin(struct store *store, error *why)
{
    struct postgres_store *self = own(store);
    PGresult *result = NULL;
    TRY(postgres_run(self->connection, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", why));
    self->working = true;
    struct postgres_value dataset = {.data = self->dataset};
    status outcome = postgres_query(self->connection,
                                    "SELECT dataset FROM dither_ledger.head WHERE dataset = $1 FOR UPDATE",
                                    &dataset, 1, &result, why);
    if (outcome == DITHER_OK && PQntuples(result) != 1)
        outcome = fail(why, DITHER_IO, "the ledger of %.100s is gone from its database", self->dataset);
    PQclear(result);
    if (outcome != DITHER_OK)
        cancel(store);
    return outcome;
}

static status view(struct store *store, error *why)
{
    TRY(postgres_run(own(store)->connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", why));
    own(store)->working = true;
    return DITHER_OK;
}

static status commit(struct store *store, error *why)
{
    struct postgres_store *self = own(store);
    PGresult *result = PQexec(self->connection, "COMMIT");
    status outcome = DITHER_OK;
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        outcome = postgres_complain(self->connection, result, why);
    else if (strcmp(PQcmdStatus(result), "COMMIT") != 0)
        outcome = fail(why, DITHER_IO, "PostgreSQL rolled the charge back");
    PQclear(result);
    self->working = false;
    return outcome;
}

static status visit_rows(const PGresult *result, store_visitor *visit, void *context, error *why)
{
    for (int i = 0; i < PQntuples(result); i++) {
        struct store_row row = {.number = (uint64_t)postgres_int8(result, i, 0),
                                .body = PQgetvalue(result, i, 1),
                                .body_size = (size_t)PQgetlength(result, i, 1)};
        if (PQgetlength(result, i, 2) == DIGEST_BYTES)
            memcpy(row.hash.bytes, PQgetvalue(result, i, 2), DIGEST_BYTES);
        TRY(visit(context, &row, why));
    }
    return DITHER_OK;
}

static status read_rows(struct store *store, uint64_t first, store_visitor *visit, void *context, error *why)
{
    struct postgres_store *self = own(store);
    char sql[200], number[24];
    snprintf(sql, sizeof sql,
             "SELECT number, body, hash FROM dither_ledger.entry WHERE dataset = $1 AND number >= $2::bigint"
             " ORDER BY number LIMIT %d",
             ROWS_AT_ONCE);
    for (int count = ROWS_AT_ONCE; count == ROWS_AT_ONCE;) {
        PGresult *result = NULL;
        snprintf(number, sizeof number, "%" PRIu64, first);
        struct postgres_value values[] = {{.data = self->dataset}, {.data = number}};
        TRY(postgres_query(self->connection, sql, values, 2, &result, why));
        status outcome = visit_rows(result, visit, context, why);
        count = PQntuples(result);
        if (count > 0)
            first = (uint64_t)postgres_int8(result, count - 1, 0) + 1;
        PQclear(result);
        TRY(outcome);
    }
    return DITHER_OK;
}

static status write_row(struct postgres_store *self, const char *sql, const struct postgres_value *values,
                        size_t count, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_query(self->connection, sql, values, count, &result, why));
    PQclear(result);
    return DITHER_OK;
}

static status append(struct store *store, const struct store_row *row, error *why)
{
    struct postgres_store *self = own(store);
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, row->number);
    struct postgres_value values[] = {{.data = self->dataset},
                                      {.data = number},
                                      {.data = row->body, .size = row->body_size, .binary = true},
                                      {.data = row->hash.bytes, .size = DIGEST_BYTES, .binary = true}};
    return write_row(self,
                     "INSERT INTO dither_ledger.entry (dataset, number, body, hash)"
                     " VALUES ($1, $2::bigint, $3::bytea, $4::bytea)",
                     values, 4, why);
}

static status put(struct store *store, const struct digest *name, const void *bytes, size_t size, error *why)
{
    struct postgres_store *self = own(store);
    struct postgres_value values[] = {{.data = self->dataset},
                                      {.data = name->bytes, .size = DIGEST_BYTES, .binary = true},
                                      {.data = size > 0 ? bytes : "", .size = size, .binary = true}};
    return write_row(self,
                     "INSERT INTO dither_ledger.blob (dataset, name, bytes) VALUES ($1, $2::bytea, $3::bytea)"
                     " ON CONFLICT DO NOTHING",
                     values, 3, why);
}

static status get(struct store *store, const struct digest *name, struct buffer *out, bool *found, error *why)
{
    struct postgres_store *self = own(store);
    PGresult *result = NULL;
    struct postgres_value values[] = {{.data = self->dataset},
                                      {.data = name->bytes, .size = DIGEST_BYTES, .binary = true}};
    TRY(postgres_query(self->connection,
                       "SELECT bytes FROM dither_ledger.blob WHERE dataset = $1 AND name = $2::bytea", values,
                       2, &result, why));
    *found = PQntuples(result) == 1;
    if (*found)
        buffer_append(out, PQgetvalue(result, 0, 0), (size_t)PQgetlength(result, 0, 0));
    PQclear(result);
    return buffer_check(out, why);
}

static void close_store(struct store *store)
{
    struct postgres_store *self = own(store);
    PQfinish(self->connection);
    memory_release(self->dataset, self->dataset != NULL ? strlen(self->dataset) + 1 : 0);
    memory_release(self->store.location, self->store.location_size);
    memory_release(self, sizeof *self);
}

static const struct store_kind kind = {.begin = begin,
                                       .view = view,
                                       .read = read_rows,
                                       .append = append,
                                       .put = put,
                                       .get = get,
                                       .commit = commit,
                                       .cancel = cancel,
                                       .close = close_store};

static status copy(const char *text, char **out, error *why)
{
    *out = memory_allocate(strlen(text) + 1);
    if (*out == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    strcpy(*out, text);
    return DITHER_OK;
}

static status prepare_session(struct postgres_store *self, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_run(
        self->connection,
        "SET synchronous_commit = on; SET lock_timeout = '60s'; SET search_path = pg_catalog;"
        "SET idle_in_transaction_session_timeout = '60s'; SET default_transaction_deferrable = off",
        why));
    TRY(postgres_query(self->connection, "SELECT current_setting('fsync')", NULL, 0, &result, why));
    bool syncs = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), "on") == 0;
    PQclear(result);
    if (!syncs)
        return fail(why, DITHER_REFUSED,
                    "the PostgreSQL server runs with fsync off: it may forget what was spent");
    return DITHER_OK;
}

/* The schema's version; -1 when there is none. */
static status read_version(struct postgres_store *self, int64_t *out, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_query(self->connection, "SELECT to_regclass('dither_ledger.version') IS NOT NULL", NULL, 0,
                       &result, why));
    bool there = PQgetvalue(result, 0, 0)[0] == 1;
    PQclear(result);
    *out = -1;
    if (!there)
        return DITHER_OK;
    TRY(postgres_query(self->connection, "SELECT max(version) FROM dither_ledger.version", NULL, 0, &result,
                       why));
    bool known = PQntuples(result) == 1 && !PQgetisnull(result, 0, 0);
    if (known)
        *out = postgres_int8(result, 0, 0);
    PQclear(result);
    if (!known)
        return fail(why, DITHER_INVALID, "the schema dither_ledger is not a ledger's");
    return DITHER_OK;
}

static status refuse_version(int64_t version, error *why)
{
    return fail(why, DITHER_INVALID,
                "the ledger's schema has version %" PRId64
                ", and this program knows versions up to %d: use a newer one",
                version, VERSION);
}

/* In a transaction, under a lock of the whole database, so that two newcomers do not both make the schema. */
static status migrate(struct postgres_store *self, error *why)
{
    int64_t version;
    TRY(postgres_run(self->connection, "SELECT pg_advisory_xact_lock(1146375217)", why));
    TRY(read_version(self, &version, why));
    if (version > VERSION)
        return refuse_version(version, why);
    if (version < 0) {
        TRY(postgres_run(
            self->connection,
            "CREATE SCHEMA dither_ledger; CREATE TABLE dither_ledger.version (version bigint NOT NULL);"
            "INSERT INTO dither_ledger.version VALUES (0)",
            why));
        version = 0;
    }
    for (; version < VERSION; version++) {
        char sql[80];
        TRY(postgres_run(self->connection, migrations[version], why));
        snprintf(sql, sizeof sql, "UPDATE dither_ledger.version SET version = %" PRId64, version + 1);
        TRY(postgres_run(self->connection, sql, why));
    }
    struct postgres_value dataset = {.data = self->dataset};
    return write_row(self, "INSERT INTO dither_ledger.head VALUES ($1) ON CONFLICT DO NOTHING", &dataset, 1,
                     why);
}

static status prepare_writer(struct postgres_store *self, error *why)
{
    TRY(postgres_run(self->connection, "BEGIN", why));
    self->working = true;
    status result = migrate(self, why);
    if (result == DITHER_OK)
        result = commit(&self->store, why);
    if (result != DITHER_OK)
        cancel(&self->store);
    return result;
}

/* Without a dataset's name: the only one that there is. */
static status find_dataset(struct postgres_store *self, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_query(self->connection, "SELECT dataset FROM dither_ledger.head LIMIT 2", NULL, 0, &result,
                       why));
    status outcome =
        PQntuples(result) == 1
            ? copy(PQgetvalue(result, 0, 0), &self->dataset, why)
            : fail(why, DITHER_INVALID, "the database holds several ledgers, or none: name the dataset");
    PQclear(result);
    return outcome;
}

static status check_reader(struct postgres_store *self, error *why)
{
    int64_t version;
    TRY(read_version(self, &version, why));
    if (version < 0)
        return fail(why, DITHER_IO, "there is no ledger in this database");
    if (version != VERSION)
        return refuse_version(version, why);
    return self->dataset != NULL ? DITHER_OK : find_dataset(self, why);
}

/* What the server calls itself, so that the same connection written differently is one place. */
static status note_location(struct postgres_store *self, error *why)
{
    struct buffer text;
    buffer_init(&text, 4096);
    buffer_format(&text, "postgres:%s:%s/%s#%s", PQhost(self->connection), PQport(self->connection),
                  PQdb(self->connection), self->dataset);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = copy(text.data, &self->store.location, why);
    if (result == DITHER_OK)
        self->store.location_size = text.length + 1;
    buffer_free(&text);
    return result;
}

static status open_database(struct postgres_store *self, const char *connection, enum store_access access,
                            error *why)
{
    TRY(postgres_connect(connection, &self->connection, why));
    TRY(prepare_session(self, why));
    TRY(access == STORE_WRITE ? prepare_writer(self, why) : check_reader(self, why));
    return note_location(self, why);
}

status postgres_store_open(const char *connection, const char *dataset, enum store_access access,
                           struct store **out, error *why)
{
    struct postgres_store *self = memory_allocate(sizeof *self);
    if (self == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    self->store.kind = &kind;
    status result = dataset != NULL ? copy(dataset, &self->dataset, why) : DITHER_OK;
    if (result == DITHER_OK)
        result = open_database(self, connection, access, why);
    if (result != DITHER_OK) {
        close_store(&self->store);
        return result;
    }
    *out = &self->store;
    return DITHER_OK;
}
