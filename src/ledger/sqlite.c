/* The SQLite store: one file, shared by the processes of one machine.
 *
 * Write-ahead log with synchronous=FULL: COMMIT returns after the log was synced. `begin` is BEGIN
 * IMMEDIATE, which keeps out every other writer. On opening, the log is copied into the file and synced:
 * what a process left there whose own sync failed, and which the kernel may hold for clean, is written
 * anew before anybody builds on it. Otherwise it is copied when it has 8000 pages (32 MB): everybody waits meanwhile, and a
 * page that was written often is copied once. SQLite's own 1000 would be eight times a second under load.
 *
 * The file is recognised by its application id, and its schema's version is the user version. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "base/memory.h"
#include "ledger/store.h"

enum {
    APPLICATION_ID = 0x44544c31, /* "DTL1" */
    BUSY_MILLISECONDS = 60000,
    TRY_AGAIN_MILLISECONDS = 10,
};

/* Each brings a ledger of the version that is its index to the next one. */
static const char *const migrations[] = {
    "CREATE TABLE entry (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;"
    "CREATE TABLE blob (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;",
};

enum { VERSION = sizeof migrations / sizeof migrations[0] };

struct sqlite_store {
    struct store store;
    sqlite3 *database;
    sqlite3_stmt *append, *put, *get, *read;
    bool working; /* in a transaction */
};

static struct sqlite_store *own(struct store *store)
{
    return (struct sqlite_store *)(void *)store;
}

/* Says what SQLite said, and what it means. */
static status complain(struct sqlite_store *self, const char *doing, error *why)
{
    int code = self->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(self->database);
    const char *text = self->database == NULL ? "out of memory" : sqlite3_errmsg(self->database);
    const char *file = self->store.location;
    switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return fail(why, DITHER_INVALID, "%.200s is not a ledger, or is damaged: %s", file, text);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(why, DITHER_REFUSED,
                    "%.200s is in use by another process; nothing was charged, try again", file);
    case SQLITE_NOMEM:
        return fail(why, DITHER_NO_MEMORY, "out of memory while %s %.200s", doing, file);
    case SQLITE_FULL:
        return fail(why, DITHER_IO, "the disk is full while %s %.200s", doing, file);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return fail(why, DITHER_IO, "%.200s cannot be opened or written: %s", file, text);
    default:
        return fail(why, DITHER_IO, "%s %.200s failed: %s (%d)", doing, file, text,
                    self->database == NULL ? 0 : sqlite3_extended_errcode(self->database));
    }
}

static status run(struct sqlite_store *self, const char *sql, const char *doing, error *why)
{
    if (sqlite3_exec(self->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return complain(self, doing, why);
    return DITHER_OK;
}

static status prepare(struct sqlite_store *self, const char *sql, sqlite3_stmt **out, error *why)
{
    if (sqlite3_prepare_v3(self->database, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return complain(self, "reading", why);
    return DITHER_OK;
}

static status ask_number(struct sqlite_store *self, const char *sql, int64_t *out, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(prepare(self, sql, &statement, why));
    status result = DITHER_OK;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        result = complain(self, "reading", why);
    sqlite3_finalize(statement);
    return result;
}

static status begin(struct store *store, error *why)
{
    TRY(run(own(store), "BEGIN IMMEDIATE", "locking", why));
    own(store)->working = true;
    return DITHER_OK;
}

static status view(struct store *store, error *why)
{
    TRY(run(own(store), "BEGIN", "reading", why));
    own(store)->working = true;
    return DITHER_OK;
}

static void cancel(struct store *store)
{
    struct sqlite_store *self = own(store);
    if (self->working)
        sqlite3_exec(self->database, "ROLLBACK", NULL, NULL, NULL);
    self->working = false;
}

static status commit(struct store *store, error *why)
{
    status result = run(own(store), "COMMIT", "writing", why);
    if (result != DITHER_OK)
        cancel(store);
    own(store)->working = false;
    return result;
}

/* The row under the statement; its hash is made of zeros when it is not one, which no chain agrees with. */
static struct store_row row_of(sqlite3_stmt *statement)
{
    struct store_row row = {.number = (uint64_t)sqlite3_column_int64(statement, 0)};
    row.body = (const char *)sqlite3_column_text(statement, 1);
    row.body_size = (size_t)sqlite3_column_bytes(statement, 1);
    const char *hash = (const char *)sqlite3_column_text(statement, 2);
    if (hash == NULL || strlen(hash) != DIGEST_TEXT - 1 || !digest_parse(hash, &row.hash))
        memset(&row.hash, 0, sizeof row.hash);
    return row;
}

static status read_rows(struct store *store, uint64_t first, store_visitor *visit, void *context, error *why)
{
    struct sqlite_store *self = own(store);
    sqlite3_bind_int64(self->read, 1, (int64_t)first);
    status result = DITHER_OK;
    int step;
    while ((step = sqlite3_step(self->read)) == SQLITE_ROW && result == DITHER_OK) {
        struct store_row row = row_of(self->read);
        if (row.body == NULL)
            result = fail(why, DITHER_NO_MEMORY, "out of memory while reading %.200s", self->store.location);
        else
            result = visit(context, &row, why);
    }
    if (result == DITHER_OK && step != SQLITE_DONE)
        result = complain(self, "reading", why);
    sqlite3_reset(self->read);
    return result;
}

static status write_row(struct sqlite_store *self, sqlite3_stmt *statement, error *why)
{
    status result = DITHER_OK;
    if (sqlite3_step(statement) != SQLITE_DONE)
        result = complain(self, "writing", why);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return result;
}

static status append(struct store *store, const struct store_row *row, error *why)
{
    struct sqlite_store *self = own(store);
    char hash[DIGEST_TEXT];
    digest_print(&row->hash, hash);
    if (sqlite3_bind_int64(self->append, 1, (int64_t)row->number) != SQLITE_OK ||
        sqlite3_bind_text64(self->append, 2, row->body, row->body_size, SQLITE_STATIC, SQLITE_UTF8) !=
            SQLITE_OK ||
        sqlite3_bind_text(self->append, 3, hash, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        return complain(self, "writing", why);
    return write_row(self, self->append, why);
}

static status put(struct store *store, const struct digest *name, const void *bytes, size_t size, error *why)
{
    struct sqlite_store *self = own(store);
    char text[DIGEST_TEXT];
    digest_print(name, text);
    if (sqlite3_bind_text(self->put, 1, text, -1, SQLITE_TRANSIENT) != SQLITE_OK ||
        sqlite3_bind_blob64(self->put, 2, size > 0 ? bytes : "", size, SQLITE_STATIC) != SQLITE_OK)
        return complain(self, "writing", why);
    return write_row(self, self->put, why);
}

static status get(struct store *store, const struct digest *name, struct buffer *out, bool *found, error *why)
{
    struct sqlite_store *self = own(store);
    char text[DIGEST_TEXT];
    digest_print(name, text);
    if (sqlite3_bind_text(self->get, 1, text, -1, SQLITE_TRANSIENT) != SQLITE_OK)
        return complain(self, "reading", why);
    status result = DITHER_OK;
    int step = sqlite3_step(self->get);
    *found = step == SQLITE_ROW;
    if (step == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(self->get, 0);
        int size = sqlite3_column_bytes(self->get, 0);
        if (bytes == NULL && size > 0)
            result = fail(why, DITHER_NO_MEMORY, "out of memory while reading %.200s", self->store.location);
        else
            buffer_append(out, bytes, (size_t)size);
        if (result == DITHER_OK)
            result = buffer_check(out, why);
    } else if (step != SQLITE_DONE) {
        result = complain(self, "reading", why);
    }
    sqlite3_reset(self->get);
    return result;
}

static void close_store(struct store *store)
{
    struct sqlite_store *self = own(store);
    sqlite3_finalize(self->append);
    sqlite3_finalize(self->put);
    sqlite3_finalize(self->get);
    sqlite3_finalize(self->read);
    sqlite3_close(self->database);
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

static status refuse_version(struct sqlite_store *self, int64_t version, error *why)
{
    return fail(why, DITHER_INVALID,
                "%.200s is a ledger of version %" PRId64
                ", and this program knows versions up to %d: use a newer one",
                self->store.location, version, VERSION);
}

/* Runs inside a write transaction: an empty file becomes a ledger, an older one becomes current. */
static status migrate(struct sqlite_store *self, error *why)
{
    int64_t application, version, tables;
    TRY(ask_number(self, "PRAGMA application_id", &application, why));
    TRY(ask_number(self, "PRAGMA user_version", &version, why));
    TRY(ask_number(self, "SELECT count(*) FROM sqlite_schema", &tables, why));
    if (application != APPLICATION_ID && (application != 0 || version != 0 || tables != 0))
        return fail(why, DITHER_INVALID, "%.200s is a database, but not a ledger", self->store.location);
    if (version > VERSION)
        return refuse_version(self, version, why);
    for (; version < VERSION; version++) {
        char sql[100];
        TRY(run(self, migrations[version], "writing", why));
        snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%" PRId64, APPLICATION_ID,
                 version + 1);
        TRY(run(self, sql, "writing", why));
    }
    return DITHER_OK;
}

static status prepare_all(struct sqlite_store *self, error *why)
{
    TRY(prepare(self, "SELECT number, body, hash FROM entry WHERE number >= ?1 ORDER BY number", &self->read,
                why));
    TRY(prepare(self, "SELECT bytes FROM blob WHERE name = ?1", &self->get, why));
    TRY(prepare(self, "INSERT INTO entry (number, body, hash) VALUES (?1, ?2, ?3)", &self->append, why));
    return prepare(self, "INSERT OR IGNORE INTO blob (name, bytes) VALUES (?1, ?2)", &self->put, why);
}

/* Copies the log into the file and syncs it. Somebody else at work may keep us from it; then his own syncs
 * count. */
static status settle_log(struct sqlite_store *self, error *why)
{
    int code = sqlite3_wal_checkpoint_v2(self->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
        return complain(self, "writing", why);
    return DITHER_OK;
}

/* Asks for the write-ahead log. The change needs the file for itself, and SQLite does not wait for that: when
 * many processes open a new ledger at once, all but one must try again. Without the log a commit is not
 * surely durable. */
static status use_log(struct sqlite_store *self, error *why)
{
    for (int tries = 0;; tries++) {
        sqlite3_stmt *statement = NULL;
        int code = sqlite3_prepare_v2(self->database, "PRAGMA journal_mode=WAL", -1, &statement, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_step(statement);
        const unsigned char *mode = code == SQLITE_ROW ? sqlite3_column_text(statement, 0) : NULL;
        bool done = mode != NULL && strcmp((const char *)mode, "wal") == 0;
        status result =
            code == SQLITE_ROW || code == SQLITE_DONE
                ? fail(why, DITHER_IO, "%.200s cannot have a write-ahead log there", self->store.location)
                : complain(self, "opening", why);
        sqlite3_finalize(statement);
        if (done)
            return DITHER_OK;
        if ((code & 0xff) != SQLITE_BUSY || tries * TRY_AGAIN_MILLISECONDS >= BUSY_MILLISECONDS)
            return result;
        sqlite3_sleep(TRY_AGAIN_MILLISECONDS);
    }
}

static status prepare_writer(struct sqlite_store *self, error *why)
{
    TRY(use_log(self, why));
    TRY(run(self, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA wal_autocheckpoint=8000", "opening",
            why));
    TRY(begin(&self->store, why));
    status result = migrate(self, why);
    if (result == DITHER_OK)
        result = commit(&self->store, why);
    if (result != DITHER_OK) {
        cancel(&self->store);
        return result;
    }
    return settle_log(self, why);
}

/* A trigger or a view in the place of a table could swallow what is written. */
static status check_schema(struct sqlite_store *self, error *why)
{
    int64_t strange;
    TRY(ask_number(self,
                   "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
                   " AND (type <> 'table' OR name NOT IN ('entry', 'blob'))",
                   &strange, why));
    if (strange != 0)
        return fail(why, DITHER_REFUSED, "%.200s was altered: it holds more than a ledger does",
                    self->store.location);
    return DITHER_OK;
}

static status check_reader(struct sqlite_store *self, error *why)
{
    int64_t application, version;
    TRY(ask_number(self, "PRAGMA application_id", &application, why));
    TRY(ask_number(self, "PRAGMA user_version", &version, why));
    if (application != APPLICATION_ID)
        return fail(why, DITHER_INVALID, "%.200s is not a ledger", self->store.location);
    if (version != VERSION)
        return refuse_version(self, version, why);
    return DITHER_OK;
}

static status open_database(struct sqlite_store *self, enum store_access access, error *why)
{
    if (sqlite3_open_v2(self->store.location, &self->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return complain(self, "opening", why);
    sqlite3_busy_timeout(self->database, BUSY_MILLISECONDS);
    if (sqlite3_db_readonly(self->database, "main") == 1 && access == STORE_WRITE)
        return fail(why, DITHER_IO, "%.200s cannot be written: it is read-only", self->store.location);
    TRY(access == STORE_WRITE ? prepare_writer(self, why) : check_reader(self, why));
    TRY(check_schema(self, why));
    return prepare_all(self, why);
}

status sqlite_store_open(const char *path, enum store_access access, struct store **out, error *why)
{
    struct sqlite_store *self = memory_allocate(sizeof *self);
    char *location = memory_allocate(strlen(path) + 1);
    if (self == NULL || location == NULL) {
        memory_release(self, sizeof *self);
        memory_release(location, strlen(path) + 1);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    strcpy(location, path);
    self->store = (struct store){&kind, location, strlen(path) + 1};
    status result = open_database(self, access, why);
    if (result != DITHER_OK) {
        close_store(&self->store);
        return result;
    }
    *out = &self->store;
    return DITHER_OK;
}
