/* From reports that wait to counters, and back to a tally. */
#include <string.h>

#include "ledger/digest.h"
#include "local/collect_store.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "counters lie in the file as in memory");

/* The digest is over what the counters belong to as well: a row that was moved is noticed. */
static status digest_tally(const struct survey_question *question, int32_t period,
                           const struct local_tally *tally, struct digest *out, error *why)
{
    const uint64_t head[] = {question->key, (uint32_t)period, tally->people};
    const struct digest_part parts[] = {{head, sizeof head},
                                        {tally->cells, tally->cell_count * sizeof *tally->cells}};
    return digest_of_parts(parts, 2, out, why);
}

/* The row under the statement: people, digest, cells. */
static status read_tally(struct collect_store *store, sqlite3_stmt *row,
                         const struct survey_question *question, int32_t period, struct local_tally *tally,
                         error *why)
{
    size_t bytes = tally->cell_count * sizeof *tally->cells;
    const void *digest = sqlite3_column_blob(row, 1), *cells = sqlite3_column_blob(row, 2);
    struct digest found;
    if (digest == NULL || sqlite3_column_bytes(row, 1) != DIGEST_BYTES || cells == NULL ||
        (size_t)sqlite3_column_bytes(row, 2) != bytes)
        return collect_store_damaged(store, "counters of the wrong size", why);
    tally->people = (uint64_t)sqlite3_column_int64(row, 0);
    memcpy(tally->cells, cells, bytes);
    TRY(digest_tally(question, period, tally, &found, why));
    if (memcmp(found.bytes, digest, DIGEST_BYTES) != 0)
        return collect_store_damaged(store, "counters that do not agree with their digest", why);
    return DITHER_OK;
}

static status load_tally(struct collect_store *store, const struct survey_question *question, int32_t period,
                         struct local_tally *tally, error *why)
{
    const int64_t place[] = {(int64_t)question->key, period};
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store,
                              "SELECT people, digest, cells FROM tally WHERE question = ?1 AND period = ?2",
                              place, 2, &statement, why));
    status result = DITHER_OK;
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        result = read_tally(store, statement, question, period, tally, why);
    else if (step != SQLITE_DONE)
        result = collect_store_complain(store, why);
    sqlite3_finalize(statement);
    return result;
}

/* What is done with reports, a whole number of them. */
typedef status use_reports(void *user, const unsigned char *reports, size_t bytes, error *why);

/* All of a question and period, from `pending` or `kept`, in pieces. */
static status read_reports(struct collect_store *store, const char *sql,
                           const struct survey_question *question, int32_t period, use_reports *use,
                           void *user, error *why)
{
    const int64_t place[] = {(int64_t)question->key, period};
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, sql, place, 2, &statement, why));
    status result = DITHER_OK;
    int step;
    while (result == DITHER_OK && (step = sqlite3_step(statement)) != SQLITE_DONE) {
        if (step != SQLITE_ROW) {
            result = collect_store_complain(store, why);
            break;
        }
        const void *reports = sqlite3_column_blob(statement, 0);
        size_t bytes = (size_t)sqlite3_column_bytes(statement, 0);
        if (reports == NULL || bytes % question_report_bytes(question) != 0)
            result = collect_store_damaged(store, "reports of the wrong size", why);
        else
            result = use(user, reports, bytes, why);
    }
    sqlite3_finalize(statement);
    return result;
}

struct counting {
    const struct survey_question *question;
    struct local_tally *tally;
};

static status count_reports(void *user, const unsigned char *reports, size_t bytes, error *why)
{
    const struct counting *counting = user;
    return question_count(counting->question, reports, bytes, counting->tally, why);
}

/* Reports were checked before they were written: one that is not well-formed now was damaged. */
static status count_pending(struct collect_store *store, const struct survey_question *question,
                            int32_t period, struct local_tally *tally, error *why)
{
    struct counting counting = {question, tally};
    TRY(read_reports(store, "SELECT reports FROM pending WHERE question = ?1 AND period = ?2", question,
                     period, count_reports, &counting, why));
    return tally->refused == 0 ? DITHER_OK
                               : collect_store_damaged(store, "reports that were never taken", why);
}

/* Both together are as many as were taken: a row that vanished, or came from elsewhere, is noticed. */
static status check_taken(struct collect_store *store, const struct survey_question *question, int32_t period,
                          uint64_t people, error *why)
{
    const int64_t place[] = {(int64_t)question->key, period};
    int64_t taken = 0;
    bool found = false;
    TRY(collect_store_number(store, "SELECT reports FROM taken WHERE question = ?1 AND period = ?2", place, 2,
                             &taken, &found, why));
    if ((uint64_t)(found ? taken : 0) != people)
        return collect_store_damaged(store, "counters and reports do not add up", why);
    return DITHER_OK;
}

status collect_store_load(struct collect_store *store, const struct survey_question *question, int32_t period,
                          struct local_tally *tally, error *why)
{
    TRY(load_tally(store, question, period, tally, why));
    TRY(count_pending(store, question, period, tally, why));
    return check_taken(store, question, period, tally->people, why);
}

struct replaying {
    const struct survey_question *question;
    prefix_visit *visit;
    void *visitor;
    uint64_t good;
};

static status hand_over(void *user, const unsigned char *reports, size_t bytes, error *why)
{
    struct replaying *replaying = user;
    size_t each = question_report_bytes(replaying->question);
    (void)why;
    for (size_t at = 0; at < bytes; at += each)
        replaying->good += question_check(replaying->question, reports + at);
    replaying->visit(replaying->visitor, reports, bytes);
    return DITHER_OK;
}

status collect_store_replay(struct collect_store *store, const struct survey_question *question,
                            int32_t period, prefix_visit *visit, void *visitor, error *why)
{
    struct replaying replaying = {question, visit, visitor, 0};
    TRY(read_reports(store, "SELECT reports FROM kept WHERE question = ?1 AND period = ?2", question, period,
                     hand_over, &replaying, why));
    return check_taken(store, question, period, replaying.good, why);
}

static status write_tally(struct collect_store *store, const struct survey_question *question, int32_t period,
                          const struct local_tally *tally, error *why)
{
    const int64_t numbers[] = {(int64_t)question->key, period, (int64_t)tally->people};
    struct digest digest;
    sqlite3_stmt *statement = NULL;
    TRY(digest_tally(question, period, tally, &digest, why));
    TRY(collect_store_prepare(store,
                              "INSERT INTO tally (question, period, people, digest, cells)"
                              " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (question, period) DO UPDATE SET"
                              " people = excluded.people, digest = excluded.digest, cells = excluded.cells",
                              numbers, 3, &statement, why));
    status result = DITHER_OK;
    if (sqlite3_bind_blob(statement, 4, digest.bytes, DIGEST_BYTES, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_bind_blob64(statement, 5, tally->cells, tally->cell_count * sizeof *tally->cells,
                            SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE)
        result = collect_store_complain(store, why);
    sqlite3_finalize(statement);
    return result;
}

static status fold_one(struct collect_store *store, const struct survey_question *question, int32_t period,
                       error *why)
{
    const int64_t place[] = {(int64_t)question->key, period};
    struct local_tally tally;
    TRY(question_tally(question, &tally, why));
    status result = collect_store_load(store, question, period, &tally, why);
    if (result == DITHER_OK)
        result = write_tally(store, question, period, &tally, why);
    local_tally_free(&tally);
    TRY(result);
    return collect_store_run(store, "DELETE FROM pending WHERE question = ?1 AND period = ?2", place, 2, why);
}

/* The question and period of any report that waits. */
static status next_pending(struct collect_store *store, int64_t place[2], bool *found, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(store, "SELECT question, period FROM pending LIMIT 1", NULL, 0, &statement,
                              why));
    status result = DITHER_OK;
    int step = sqlite3_step(statement);
    *found = step == SQLITE_ROW;
    if (*found) {
        place[0] = sqlite3_column_int64(statement, 0);
        place[1] = sqlite3_column_int64(statement, 1);
    } else if (step != SQLITE_DONE) {
        result = collect_store_complain(store, why);
    }
    sqlite3_finalize(statement);
    return result;
}

status collect_store_fold(struct collect_store *store, const struct survey *survey, error *why)
{
    int64_t place[2] = {0};
    bool found = false;
    TRY(next_pending(store, place, &found, why));
    while (found) {
        const struct survey_question *question = survey_question_keyed(survey, (uint64_t)place[0]);
        if (question == NULL)
            return collect_store_damaged(store, "reports of a question that is not in the survey", why);
        TRY(fold_one(store, question, (int32_t)place[1], why));
        TRY(next_pending(store, place, &found, why));
    }
    return DITHER_OK;
}
