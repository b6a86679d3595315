/* Whose database it is: one survey, version after version. */
#include <inttypes.h>
#include <string.h>

#include "local/collect_store.h"

enum { NO_PERIOD = INT32_MIN }; /* none is over yet */

static status bind_text(struct collect_store *store, sqlite3_stmt *statement, int place, const char *text,
                        error *why)
{
    if (sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC) != SQLITE_OK)
        return collect_store_complain(store, why);
    return DITHER_OK;
}

/* Runs a statement with the numbers first and the text after them. */
static status run_with_text(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                            const char *text, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, sql, numbers, count, &statement, why));
    status result = bind_text(store, statement, count + 1, text, why);
    if (result == DITHER_OK && sqlite3_step(statement) != SQLITE_DONE)
        result = collect_store_complain(store, why);
    sqlite3_finalize(statement);
    return result;
}

/* The name in the state's row is the survey's. False in `found` when the database is new. */
status collect_store_named(struct collect_store *store, const struct survey *survey, int64_t *version,
                           bool *found, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, "SELECT survey, version FROM state", NULL, 0, &statement, why));
    status result = DITHER_OK;
    int step = sqlite3_step(statement);
    *found = step == SQLITE_ROW;
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        result = collect_store_complain(store, why);
    if (*found) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        *version = sqlite3_column_int64(statement, 1);
        if (name == NULL || strcmp(name, survey->name) != 0)
            result = fail(why, DITHER_REFUSED, "%.200s has the reports of survey %.63s, not of %s",
                          store->path, name != NULL ? name : "", survey->name);
    }
    sqlite3_finalize(statement);
    return result;
}

static status add_version(struct collect_store *store, const struct survey *survey, error *why)
{
    const int64_t version = (int64_t)survey->version;
    TRY(run_with_text(store, "INSERT INTO survey (version, text) VALUES (?1, ?2)", &version, 1, survey->text,
                      why));
    for (size_t i = 0; i < survey->question_count; i++) {
        const int64_t numbers[] = {(int64_t)survey->questions[i].key, version};
        TRY(run_with_text(store, "INSERT INTO question (key, version, name) VALUES (?1, ?2, ?3)", numbers, 2,
                          survey->questions[i].name, why));
    }
    return DITHER_OK;
}

/* What waits was collected under the old version, whose file the database has. */
static status fold_old(struct collect_store *store, int64_t version, error *why)
{
    struct arena arena;
    sqlite3_stmt *statement = NULL;
    const struct survey *old = NULL;
    arena_init(&arena, (size_t)256 << 20);
    status result = collect_store_prepare(store, "SELECT text FROM survey WHERE version = ?1", &version, 1,
                                          &statement, why);
    if (result == DITHER_OK && sqlite3_step(statement) != SQLITE_ROW)
        result = collect_store_damaged(store, "the file of an old version is gone", why);
    if (result == DITHER_OK) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        size_t length = (size_t)sqlite3_column_bytes(statement, 0);
        result = text != NULL ? survey_parse(text, length, store->path, &arena, &old, why)
                              : collect_store_damaged(store, "the file of an old version is gone", why);
    }
    if (result == DITHER_OK)
        result = collect_store_fold(store, old, why);
    sqlite3_finalize(statement);
    arena_free(&arena);
    return result;
}

/* The questions that the database has for this version are the survey's, key by key. */
status collect_store_knows(struct collect_store *store, const struct survey *survey, error *why)
{
    int64_t known = 0;
    const int64_t version = (int64_t)survey->version;
    bool found = false;
    TRY(collect_store_number(store, "SELECT count(*) FROM question WHERE version = ?1", &version, 1, &known,
                             &found, why));
    if (known == 0)
        return fail(why, DITHER_REFUSED, "%.200s has no reports of version %" PRIu64 " of survey %s",
                    store->path, survey->version, survey->name);
    bool same = (size_t)known == survey->question_count;
    for (size_t i = 0; i < survey->question_count && same; i++) {
        const int64_t numbers[] = {(int64_t)survey->questions[i].key, version};
        TRY(collect_store_number(store, "SELECT 1 FROM question WHERE key = ?1 AND version = ?2", numbers, 2,
                                 &known, &same, why));
    }
    if (!same)
        return fail(why, DITHER_REFUSED,
                    "version %" PRIu64 " of survey %s was declared otherwise when %.200s was begun: raise "
                    "version: in the survey",
                    survey->version, survey->name, store->path);
    return DITHER_OK;
}

status collect_store_agree(struct collect_store *store, const struct survey *survey, error *why)
{
    int64_t version = 0;
    bool found = false;
    TRY(collect_store_named(store, survey, &version, &found, why));
    if (!found) {
        const int64_t numbers[] = {(int64_t)survey->version, NO_PERIOD};
        TRY(run_with_text(store, "INSERT INTO state (one, version, closed, survey) VALUES (1, ?1, ?2, ?3)",
                          numbers, 2, survey->name, why));
        return add_version(store, survey, why);
    }
    if (version > (int64_t)survey->version)
        return collect_store_current(store, survey, why);
    if (version == (int64_t)survey->version)
        return collect_store_knows(store, survey, why);
    const int64_t next[] = {(int64_t)survey->version, NO_PERIOD};
    TRY(fold_old(store, version, why));
    /* reports of the old version are refused by their keys from here on: their ids are no longer needed */
    TRY(collect_store_run(store, "DELETE FROM seen", NULL, 0, why));
    TRY(collect_store_run(store, "UPDATE state SET version = ?1, closed = ?2", next, 2, why));
    return add_version(store, survey, why);
}

status collect_store_current(struct collect_store *store, const struct survey *survey, error *why)
{
    int64_t version = 0;
    bool found = false;
    TRY(collect_store_number(store, "SELECT version FROM state", NULL, 0, &version, &found, why));
    if (!found)
        return collect_store_damaged(store, "it does not say whose it is", why);
    if (version != (int64_t)survey->version)
        return fail(why, DITHER_REFUSED,
                    "%.200s collects version %" PRId64 " of survey %s now, and this is version %" PRIu64,
                    store->path, version, survey->name, survey->version);
    return DITHER_OK;
}
