/* Reading what was collected, in one state, while others go on. */
#include <string.h>

#include "base/memory.h"
#include "local/collect_store.h"

struct collect_view {
    struct collect_store store;
    const struct survey *survey;
};

static status begin(struct collect_view *view, error *why)
{
    int64_t version = 0;
    bool found = false;
    TRY(collect_store_open(&view->store, view->survey->database, COLLECT_READ, why));
    TRY(collect_store_view(&view->store, why));
    TRY(collect_store_named(&view->store, view->survey, &version, &found, why));
    return found ? collect_store_knows(&view->store, view->survey, why) : DITHER_OK;
}

status collect_view_open(const struct survey *survey, struct collect_view **out, error *why)
{
    struct collect_view *view = memory_allocate(sizeof *view);
    if (view == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to estimate");
    view->survey = survey;
    status result = begin(view, why);
    if (result == DITHER_OK)
        *out = view;
    else
        collect_view_close(view);
    return result;
}

void collect_view_close(struct collect_view *view)
{
    if (view == NULL)
        return;
    collect_store_cancel(&view->store);
    collect_store_close(&view->store);
    memory_release(view, sizeof *view);
}

status collect_view_latest(struct collect_view *view, int32_t *period, bool *found, error *why)
{
    bool any = false;
    for (size_t i = 0; i < view->survey->question_count; i++) {
        const int64_t key = (int64_t)view->survey->questions[i].key;
        int64_t latest = 0;
        bool here = false;
        TRY(collect_store_number(&view->store, "SELECT max(period) FROM taken WHERE question = ?1", &key, 1,
                                 &latest, &here, why));
        if (here && (!any || latest > *period))
            *period = (int32_t)latest;
        any |= here;
    }
    *found = any;
    return DITHER_OK;
}

status collect_view_tally(struct collect_view *view, const struct survey_question *question, int32_t period,
                          struct local_tally *tally, error *why)
{
    return collect_store_load(&view->store, question, period, tally, why);
}

status collect_texts_replay(void *context, prefix_visit *visit, void *visitor, error *why)
{
    const struct collect_texts *texts = context;
    return collect_store_replay(&texts->view->store, texts->question, texts->period, visit, visitor, why);
}

status collect_view_taken(struct collect_view *view, const struct survey_question *question, int32_t period,
                          uint64_t *out, error *why)
{
    const int64_t place[] = {(int64_t)question->key, period};
    int64_t taken = 0;
    bool found = false;
    TRY(collect_store_number(&view->store, "SELECT reports FROM taken WHERE question = ?1 AND period = ?2",
                             place, 2, &taken, &found, why));
    *out = found ? (uint64_t)taken : 0;
    return DITHER_OK;
}

status collect_view_refused(struct collect_view *view, struct collect_counts *out, error *why)
{
    sqlite3_stmt *statement = NULL;
    TRY(collect_store_prepare(&view->store, "SELECT verdict, reports FROM refusal", NULL, 0, &statement,
                              why));
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS && name != NULL; verdict++)
            if (strcmp(name, collect_verdict_name((enum collect_verdict)verdict)) == 0)
                out->of[verdict] = (uint64_t)sqlite3_column_int64(statement, 1);
    }
    status result = step == SQLITE_DONE ? DITHER_OK : collect_store_complain(&view->store, why);
    sqlite3_finalize(statement);
    return result;
}
