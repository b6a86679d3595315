/* One transaction: what is new in the batch is written and synced, the rest gets its verdict. */
#include <stdlib.h>
#include <string.h>

#include "local/collect_batch.h"

/* In which periods a report may be now. */
struct window {
    int64_t first, last;
};

/* Together what belongs together, by id: so the ids go into their tree in its order, and the order in which reports came is lost. */
static int compare_entries(const void *left, const void *right)
{
    const struct collect_entry *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->period != b->period)
        return a->period < b->period ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* A period is over when the one after the next begins; its ids are then forgotten, and it is never opened again. */
static status move_window(struct collector *collector, int64_t now, struct window *out, error *why)
{
    struct collect_store *store = &collector->store;
    if (collector->survey->period == PERIOD_ONCE) {
        *out = (struct window){0, 0};
        return DITHER_OK;
    }
    int64_t current = period_at(collector->survey->period, now), closed = 0, over = current - 2;
    bool found = false;
    TRY(collect_store_number(store, "SELECT closed FROM state", NULL, 0, &closed, &found, why));
    if (!found)
        return collect_store_damaged(store, "it does not say whose it is", why);
    if (over > closed) {
        TRY(collect_store_run(store, "UPDATE state SET closed = ?1", &over, 1, why));
        TRY(collect_store_run(store, "DELETE FROM seen WHERE period <= ?1", &over, 1, why));
        closed = over;
    }
    *out = (struct window){closed + 1 > current - 1 ? closed + 1 : current - 1, current + 1};
    return DITHER_OK;
}

/* A key that is none of the survey's: of an earlier version, or of nothing that was ever collected here. */
static status judge_strangers(struct collector *collector, const struct collect_entry *entries, size_t count,
                              error *why)
{
    const int64_t key = (int64_t)entries->key;
    int64_t version = 0;
    bool known = false;
    TRY(collect_store_number(&collector->store, "SELECT version FROM question WHERE key = ?1", &key, 1,
                             &version, &known, why));
    for (size_t i = 0; i < count; i++)
        collect_judge(collector, entries[i].counts, known ? COLLECT_VERSION : COLLECT_SURVEY);
    return DITHER_OK;
}

/* Puts the id among those that were seen; `fresh` when it was not there. */
static status see(struct collect_store *store, const struct collect_entry *entry, bool *fresh, error *why)
{
    status result = DITHER_OK;
    if (sqlite3_bind_int64(store->see, 1, entry->period) != SQLITE_OK ||
        sqlite3_bind_int64(store->see, 2, (int64_t)entry->id) != SQLITE_OK ||
        sqlite3_step(store->see) != SQLITE_DONE)
        result = collect_store_complain(store, why);
    *fresh = sqlite3_changes(store->database) == 1;
    sqlite3_reset(store->see);
    return result;
}

static status was_seen(struct collect_store *store, const struct collect_entry *entry, bool *seen, error *why)
{
    const int64_t place[] = {entry->period, (int64_t)entry->id};
    int64_t one = 0;
    return collect_store_number(store, "SELECT 1 FROM seen WHERE period = ?1 AND id = ?2", place, 2, &one,
                                seen, why);
}

/* Sorts the reports of one question and period into new ones, in `sorted`, and others. Returns how many are new in `taken`. */
static status take_new(struct collector *collector, const struct collect_entry *entries, size_t count,
                       uint64_t room, uint64_t *taken, error *why)
{
    size_t bytes = question_report_bytes(entries->question);
    uint64_t fresh_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool fresh = false, seen = false;
        if (fresh_count == room) {
            TRY(was_seen(&collector->store, &entries[i], &seen, why));
            collect_judge(collector, entries[i].counts, seen ? COLLECT_REPLAYED : COLLECT_FULL);
            continue;
        }
        TRY(see(&collector->store, &entries[i], &fresh, why));
        collect_judge(collector, entries[i].counts, fresh ? COLLECT_COUNTED : COLLECT_REPLAYED);
        if (!fresh)
            continue;
        memcpy(collector->sorted + fresh_count * bytes, collector->payloads + entries[i].offset, bytes);
        fresh_count++;
    }
    *taken = fresh_count;
    return DITHER_OK;
}

/* Reports of texts stay; all others wait until they are folded. */
static status write_reports(struct collector *collector, const struct survey_question *question,
                            const int64_t place[2], size_t bytes, error *why)
{
    static const char pending[] = "INSERT INTO pending (question, period, reports) VALUES (?1, ?2, ?3)",
                      kept[] = "INSERT INTO kept (question, period, reports, number) SELECT ?1, ?2, ?3,"
                               " coalesce(max(number), 0) + 1 FROM kept WHERE question = ?1 AND period = ?2";
    sqlite3_stmt *statement = NULL;
    bool stays = question->kind == QUESTION_TEXT;
    TRY(collect_store_prepare(&collector->store, stays ? kept : pending, place, 2, &statement, why));
    status result = DITHER_OK;
    if (sqlite3_bind_blob64(statement, 3, collector->sorted, bytes, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE)
        result = collect_store_complain(&collector->store, why);
    sqlite3_finalize(statement);
    if (result == DITHER_OK && !stays)
        collector->waiting += bytes;
    return result;
}

/* All entries of one question and period. */
static status take_group(struct collector *collector, const struct window *window,
                         const struct collect_entry *entries, size_t count, error *why)
{
    if (entries->question == NULL)
        return judge_strangers(collector, entries, count, why);
    if (entries->period < window->first || entries->period > window->last) {
        for (size_t i = 0; i < count; i++)
            collect_judge(collector, entries[i].counts, COLLECT_PERIOD);
        return DITHER_OK;
    }
    const int64_t place[] = {(int64_t)entries->key, entries->period};
    int64_t before = 0;
    bool found = false;
    uint64_t limit = collector->survey->limit, taken = 0;
    TRY(collect_store_number(&collector->store,
                             "SELECT reports FROM taken WHERE question = ?1 AND period = ?2", place, 2,
                             &before, &found, why));
    uint64_t room = (uint64_t)before < limit ? limit - (uint64_t)before : 0;
    TRY(take_new(collector, entries, count, room, &taken, why));
    if (taken == 0)
        return DITHER_OK;
    const int64_t more[] = {place[0], place[1], (int64_t)taken};
    size_t bytes = taken * question_report_bytes(entries->question);
    TRY(write_reports(collector, entries->question, place, bytes, why));
    return collect_store_run(&collector->store,
                             "INSERT INTO taken (question, period, reports) VALUES (?1, ?2, ?3)"
                             " ON CONFLICT DO UPDATE SET reports = reports + excluded.reports",
                             more, 3, why);
}

static status take_all(struct collector *collector, const struct window *window, error *why)
{
    struct collect_entry *entries = collector->entries;
    qsort(entries, collector->entry_count, sizeof *entries, compare_entries);
    for (size_t first = 0, end; first < collector->entry_count; first = end) {
        for (end = first + 1; end < collector->entry_count && entries[end].key == entries[first].key &&
                              entries[end].period == entries[first].period;)
            end++;
        TRY(take_group(collector, window, entries + first, end - first, why));
    }
    return DITHER_OK;
}

static status write_refusals(struct collector *collector, error *why)
{
    for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS; verdict++) {
        const int64_t count = (int64_t)collector->counts.of[verdict];
        if (count == 0)
            continue;
        sqlite3_stmt *statement = NULL;
        TRY(collect_store_prepare(&collector->store,
                                  "INSERT INTO refusal (reports, verdict) VALUES (?1, ?2)"
                                  " ON CONFLICT DO UPDATE SET reports = reports + excluded.reports",
                                  &count, 1, &statement, why));
        const char *name = collect_verdict_name((enum collect_verdict)verdict);
        status result = DITHER_OK;
        if (sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC) != SQLITE_OK ||
            sqlite3_step(statement) != SQLITE_DONE)
            result = collect_store_complain(&collector->store, why);
        sqlite3_finalize(statement);
        TRY(result);
    }
    return DITHER_OK;
}

static status write_batch(struct collector *collector, int64_t now, error *why)
{
    struct window window = {0};
    TRY(collect_store_current(&collector->store, collector->survey, why));
    TRY(move_window(collector, now, &window, why));
    TRY(take_all(collector, &window, why));
    TRY(write_refusals(collector, why));
    return collect_store_commit(&collector->store, why);
}

status collect_commit(struct collector *collector, int64_t now, error *why)
{
    uint64_t waiting = collector->waiting;
    status result = collect_store_begin(&collector->store, why);
    if (result == DITHER_OK)
        result = write_batch(collector, now, why);
    if (result != DITHER_OK) {
        collect_store_cancel(&collector->store);
        collector->waiting = waiting;
    }
    collector->entry_count = 0;
    collector->payload_bytes = 0;
    collector->counts = (struct collect_counts){0};
    return result;
}

status collect_fold(struct collector *collector, uint64_t least_bytes, error *why)
{
    if (collector->waiting == 0 || collector->waiting < least_bytes)
        return DITHER_OK;
    TRY(collect_store_begin(&collector->store, why));
    status result = collect_store_current(&collector->store, collector->survey, why);
    if (result == DITHER_OK)
        result = collect_store_fold(&collector->store, collector->survey, why);
    if (result == DITHER_OK)
        result = collect_store_commit(&collector->store, why);
    collect_store_cancel(&collector->store);
    if (result == DITHER_OK)
        collector->waiting = 0;
    return result;
}
