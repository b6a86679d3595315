#include "local/collect_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x44545231, /* "DTR1" */
    OLD_VERSION = 1,             /* had no table `kept` */
    VERSION = 2,
    BUSY_MILLISECONDS = 60000,
    TRY_AGAIN_MILLISECONDS = 10,
};

static const char schema[] =
    "CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), survey TEXT NOT NULL, version INTEGER NOT "
    "NULL,"
    " closed INTEGER NOT NULL) STRICT;"
    "CREATE TABLE survey (version INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"
    "CREATE TABLE question (key INTEGER PRIMARY KEY, version INTEGER NOT NULL, name TEXT NOT NULL) STRICT;"
    "CREATE TABLE seen (period INTEGER, id INTEGER, PRIMARY KEY (period, id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE pending (number INTEGER PRIMARY KEY, question INTEGER NOT NULL, period INTEGER NOT NULL,"
    " reports BLOB NOT NULL) STRICT;"
    "CREATE TABLE tally (question INTEGER, period INTEGER, people INTEGER NOT NULL, digest BLOB NOT NULL,"
    " cells BLOB NOT NULL, PRIMARY KEY (question, period)) STRICT;"
    "CREATE TABLE taken (question INTEGER, period INTEGER, reports INTEGER NOT NULL,"
    " PRIMARY KEY (question, period)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE refusal (verdict TEXT PRIMARY KEY, reports INTEGER NOT NULL) STRICT, WITHOUT ROWID;";

static const char schema_kept[] =
    "CREATE TABLE kept (question INTEGER, period INTEGER, number INTEGER, reports BLOB NOT NULL,"
    " PRIMARY KEY (question, period, number)) STRICT;";

status collect_store_damaged(const struct collect_store *store, const char *what, error *why)
{
    return fail(why, DITHER_INVALID, "%.200s is damaged: %s", store->path, what);
}

status collect_store_complain(const struct collect_store *store, error *why)
{
    int code = store->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(store->database);
    const char *text = store->database == NULL ? "out of memory" : sqlite3_errmsg(store->database);
    switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return fail(why, DITHER_INVALID, "%.200s is not a database of reports, or is damaged: %s",
                    store->path, text);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(why, DITHER_REFUSED,
                    "%.200s is in use by another process; nothing was counted, try again", store->path);
    case SQLITE_NOMEM:
        return fail(why, DITHER_NO_MEMORY, "out of memory at %.200s", store->path);
    case SQLITE_FULL:
        return fail(why, DITHER_IO, "the disk is full: nothing more can be counted in %.200s", store->path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return fail(why, DITHER_IO, "%.200s cannot be opened or written: %s", store->path, text);
    default:
        return fail(why, DITHER_IO, "%.200s failed: %s (%d)", store->path, text,
                    store->database == NULL ? 0 : sqlite3_extended_errcode(store->database));
    }
}

status collect_store_prepare(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                             sqlite3_stmt **out, error *why)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; i < count && good; i++)
        good = sqlite3_bind_int64(statement, i + 1, numbers[i]) == SQLITE_OK;
    if (!good) {
        sqlite3_finalize(statement);
        return collect_store_complain(store, why);
    }
    *out = statement;
    return DITHER_OK;
}

status collect_store_run(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                         error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, sql, numbers, count, &statement, why));
    status result = DITHER_OK;
    if (sqlite3_step(statement) != SQLITE_DONE)
        result = collect_store_complain(store, why);
    sqlite3_finalize(statement);
    return result;
}

status collect_store_number(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                            int64_t *out, bool *found, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, sql, numbers, count, &statement, why));
    status result = DITHER_OK;
    int step = sqlite3_step(statement);
    *found = step == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL;
    if (*found)
        *out = sqlite3_column_int64(statement, 0);
    else if (step != SQLITE_ROW && step != SQLITE_DONE)
        result = collect_store_complain(store, why);
    sqlite3_finalize(statement);
    return result;
}

static status execute(struct collect_store *store, const char *sql, error *why)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK
               ? DITHER_OK
               : collect_store_complain(store, why);
}

status collect_store_begin(struct collect_store *store, error *why)
{
    TRY(execute(store, "BEGIN IMMEDIATE", why));
    store->working = true;
    return DITHER_OK;
}

status collect_store_view(struct collect_store *store, error *why)
{
    TRY(execute(store, "BEGIN", why));
    store->working = true;
    return DITHER_OK;
}

void collect_store_cancel(struct collect_store *store)
{
    if (store->working)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    store->working = false;
}

status collect_store_commit(struct collect_store *store, error *why)
{
    status result = execute(store, "COMMIT", why);
    if (result != DITHER_OK)
        collect_store_cancel(store);
    store->working = false;
    return result;
}

/* An empty file becomes a database of reports, an old one gets what it lacks; anything else must be one. */
static status make_schema(struct collect_store *store, error *why)
{
    int64_t application = 0, version = 0, tables = 0;
    bool found = false;
    TRY(collect_store_number(store, "PRAGMA application_id", NULL, 0, &application, &found, why));
    TRY(collect_store_number(store, "PRAGMA user_version", NULL, 0, &version, &found, why));
    TRY(collect_store_number(store, "SELECT count(*) FROM sqlite_schema", NULL, 0, &tables, &found, why));
    if (application == APPLICATION_ID && version == VERSION)
        return DITHER_OK;
    bool old = application == APPLICATION_ID && version == OLD_VERSION;
    if (application == APPLICATION_ID && !old)
        return fail(why, DITHER_INVALID, "%.200s is of version %" PRId64 ", which this program does not know",
                    store->path, version);
    if (!old && (application != 0 || version != 0 || tables != 0))
        return fail(why, DITHER_INVALID, "%.200s is a database, but not of reports", store->path);
    char marks[100];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
             VERSION);
    if (!old)
        TRY(execute(store, schema, why));
    TRY(execute(store, schema_kept, why));
    return execute(store, marks, why);
}

/* The change to the write-ahead log needs the file alone, and SQLite does not wait for that: of several processes that open a
 * new database at once all but one try again. */
static status use_log(struct collect_store *store, error *why)
{
    for (int tries = 0;; tries++) {
        sqlite3_stmt *statement = NULL;
        int code = sqlite3_prepare_v2(store->database, "PRAGMA journal_mode=WAL", -1, &statement, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_step(statement);
        const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        bool done = mode != NULL && strcmp(mode, "wal") == 0;
        status result = collect_store_complain(store, why);
        sqlite3_finalize(statement);
        if (done)
            return DITHER_OK;
        if ((code & 0xff) != SQLITE_BUSY || tries * TRY_AGAIN_MILLISECONDS >= BUSY_MILLISECONDS)
            return result;
        sqlite3_sleep(TRY_AGAIN_MILLISECONDS);
    }
}

/* A trigger or a view in the place of a table could swallow what is written. */
static status check_schema(struct collect_store *store, error *why)
{
    int64_t application = 0, version = 0, strange = 0;
    bool found = false;
    TRY(collect_store_number(store, "PRAGMA application_id", NULL, 0, &application, &found, why));
    TRY(collect_store_number(store, "PRAGMA user_version", NULL, 0, &version, &found, why));
    if (application != APPLICATION_ID || version < OLD_VERSION || version > VERSION)
        return fail(why, DITHER_INVALID, "%.200s is not a database of reports, or not of this version",
                    store->path);
    TRY(collect_store_number(store,
                             "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
                             " AND (type <> 'table' OR name NOT IN ('state', 'survey', 'question', 'seen',"
                             " 'pending', 'kept', 'tally', 'taken', 'refusal'))",
                             NULL, 0, &strange, &found, why));
    if (strange != 0)
        return fail(why, DITHER_REFUSED, "%.200s was altered: it holds more than reports", store->path);
    return DITHER_OK;
}

static status prepare_writer(struct collect_store *store, error *why)
{
    TRY(use_log(store, why));
    /* 64 MB of cache and of log: a batch touches most pages of the ids once there are many */
    TRY(execute(store,
                "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA cache_size=-65536;"
                "PRAGMA wal_autocheckpoint=16384; PRAGMA secure_delete=FAST",
                why));
    TRY(collect_store_begin(store, why));
    status result = make_schema(store, why);
    if (result == DITHER_OK)
        return collect_store_commit(store, why);
    collect_store_cancel(store);
    return result;
}

/* Only the owner may read what is collected. */
static status make_file(const char *path, error *why)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return fail(why, DITHER_IO, "%.200s cannot be opened or written: %s", path, strerror(errno));
    close(file);
    return DITHER_OK;
}

static status open_all(struct collect_store *store, enum collect_access access, error *why)
{
    if (sqlite3_open_v2(store->path, &store->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return collect_store_complain(store, why);
    sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    if (access == COLLECT_WRITE)
        TRY(prepare_writer(store, why));
    TRY(check_schema(store, why));
    return collect_store_prepare(store, "INSERT OR IGNORE INTO seen (period, id) VALUES (?1, ?2)", NULL, 0,
                                 &store->see, why);
}

status collect_store_open(struct collect_store *store, const char *path, enum collect_access access,
                          error *why)
{
    *store = (struct collect_store){.path = path};
    if (access == COLLECT_WRITE)
        TRY(make_file(path, why));
    status result = open_all(store, access, why);
    if (result != DITHER_OK)
        collect_store_close(store);
    return result;
}

void collect_store_close(struct collect_store *store)
{
    sqlite3_finalize(store->see);
    sqlite3_close(store->database);
    *store = (struct collect_store){0};
}
