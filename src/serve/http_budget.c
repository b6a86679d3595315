/* What was spent and what is left; what was asked for it. An analyst sees his own: his questions are numbered by themselves,
 * so that the numbers do not tell how often others asked. */
#include "base/json.h"
#include "base/number.h"
#include "ledger/entry_names.h"
#include "ledger/history.h"
#include "serve/http_api_room.h"

enum { PAGE_LIMIT = 50, PAGE_MOST = 500 };

struct look {
    struct api_job *job;
    const char *analyst; /* NULL: the owner */
    struct json_writer json;
};

static status find_holder(const struct state *state, const char *analyst, size_t *out, error *why)
{
    TRY(state_find_holder(state, HOLDER_ANALYST, analyst, out, why));
    if (*out == SIZE_MAX || state->holders[*out].place == SIZE_MAX)
        return fail(why, DITHER_REFUSED, "the policy names no analyst %.100s", analyst);
    return DITHER_OK;
}

/* ---- Budget ---- */

/* What is left is the least of his cap, his groups' caps and the dataset's total; the last two tell that others have spent. */
static status write_own(const struct state *state, struct look *look, error *why)
{
    const struct ledger_config *config = &state->config;
    struct json_writer *json = &look->json;
    size_t holder = 0;
    TRY(find_holder(state, look->analyst, &holder, why));
    struct history_sum sum = state_sum(state, holder);
    state_json_text(json, "dataset", config->dataset);
    state_json_text(json, "currency", entry_currencies[config->currency]);
    state_json_text(json, "renew", entry_renewals[config->renewal]);
    state_json_text(json, "analyst", look->analyst);
    state_json_flag(json, "stopped", state->holders[holder].stopped != NULL);
    state_json_cost(json, "limit", config->currency, sum.limit);
    state_json_cost(json, "spent", config->currency, sum.window);
    state_json_cost(json, "left", config->currency, bill_left(state, holder, NULL));
    state_json_cost(json, "lifetime", config->currency, sum.lifetime);
    state_json_cost(json, "max_per_question", config->currency, config->question_most);
    return DITHER_OK;
}

static status look_budget(struct ledger *ledger, void *context, error *why)
{
    struct look *look = context;
    json_begin_object(&look->json);
    if (look->analyst == NULL)
        state_json_budget(&ledger->state, &look->json);
    else
        TRY(write_own(&ledger->state, look, why));
    json_end_object(&look->json);
    return DITHER_OK;
}

/* ---- History ---- */

static status write_question(struct ledger *ledger, const struct reservation_record *record, uint64_t number,
                             struct look *look, error *why)
{
    const struct state *state = &ledger->state;
    struct json_writer *json = &look->json;
    struct buffer question, settings;
    char time[HISTORY_TIME_TEXT];
    buffer_init(&question, LEDGER_TEXT_BYTES);
    buffer_init(&settings, LEDGER_TEXT_BYTES);
    history_time(record->wall, time);
    status result = ledger_get(ledger, &record->question, &question, why);
    if (result == DITHER_OK)
        result = ledger_get(ledger, &record->settings, &settings, why);
    if (result == DITHER_OK) {
        json_begin_object(json);
        state_json_count(json, "number", number);
        state_json_text(json, "time", time);
        if (look->analyst == NULL)
            state_json_text(json, "analyst", state->holders[record->holder].name);
        state_json_text(json, "question", question.data != NULL ? question.data : "");
        state_json_text(json, "settings", settings.data != NULL ? settings.data : "");
        state_json_text(json, "request", record->request);
        state_json_cost(json, "cost", state->config.currency, record->cost);
        state_json_flag(json, "answered", record->settled);
        json_end_object(json);
    }
    buffer_free(&question);
    buffer_free(&settings);
    return result;
}

static bool is_shown(const struct reservation_record *record, const struct look *look, size_t holder)
{
    return look->analyst == NULL || record->holder == holder;
}

static status write_page(struct ledger *ledger, struct look *look, size_t holder, error *why)
{
    const struct state *state = &ledger->state;
    const struct page *page = &look->job->page;
    uint64_t number = 0, shown = 0, next = 0;
    for (size_t i = 0; i < state->reservation_count; i++)
        number += is_shown(&state->reservations[i], look, holder);
    for (size_t i = state->reservation_count; i > 0 && next == 0; i--) {
        const struct reservation_record *record = &state->reservations[i - 1];
        if (!is_shown(record, look, holder))
            continue;
        if (page->before == 0 || number < page->before) {
            TRY(write_question(ledger, record, number, look, why));
            if (++shown == page->limit)
                next = number;
        }
        number--;
    }
    json_end_array(&look->json);
    json_write_key(&look->json, "next");
    if (next > 1)
        json_write_whole(&look->json, (int64_t)next);
    else
        json_write_null(&look->json);
    return DITHER_OK;
}

static status look_history(struct ledger *ledger, void *context, error *why)
{
    struct look *look = context;
    size_t holder = HOLDER_OWNER_PLACE;
    if (look->analyst != NULL)
        TRY(find_holder(&ledger->state, look->analyst, &holder, why));
    json_begin_object(&look->json);
    json_write_key(&look->json, "questions");
    json_begin_array(&look->json);
    TRY(write_page(ledger, look, holder, why));
    json_end_object(&look->json);
    return DITHER_OK;
}

/* ---- Both ---- */

static status run_look(struct api_job *job, struct curator *curator,
                       status (*with)(struct ledger *ledger, void *context, error *why), error *why)
{
    struct look look = {.job = job, .analyst = api_analyst(job->exchange)};
    json_writer_init(&look.json, &job->body);
    TRY(curator_look(curator, with, &look, why));
    buffer_byte(&job->body, '\n');
    return buffer_check(&job->body, why);
}

static status run_budget(struct api_job *job, struct curator *curator, error *why)
{
    return run_look(job, curator, look_budget, why);
}

static status run_history(struct api_job *job, struct curator *curator, error *why)
{
    return run_look(job, curator, look_history, why);
}

void api_budget(struct http_exchange *exchange)
{
    struct api_job *job = api_job_new(exchange, run_budget);
    if (job != NULL)
        api_job_add(job);
}

static status read_count(struct http_exchange *exchange, const char *name, uint64_t most, uint64_t *out,
                         error *why)
{
    const char *text = http_query(exchange, name);
    uint64_t count = 0;
    error inner;
    if (text == NULL)
        return DITHER_OK;
    if (number_parse_whole(text, &count, &inner) != DITHER_OK || count < 1 || count > most)
        return fail(why, DITHER_INVALID, "%s must be a whole number from 1 to %llu", name,
                    (unsigned long long)most);
    *out = count;
    return DITHER_OK;
}

void api_history(struct http_exchange *exchange)
{
    struct api_job *job = api_job_new(exchange, run_history);
    error why;
    if (job == NULL)
        return;
    job->page.limit = PAGE_LIMIT;
    status result = read_count(exchange, "limit", PAGE_MOST, &job->page.limit, &why);
    if (result == DITHER_OK)
        result = read_count(exchange, "before", UINT64_MAX >> 1, &job->page.before, &why);
    if (result == DITHER_OK) {
        api_job_add(job);
    } else {
        api_refuse_request(exchange, &why);
        api_job_free(job);
    }
}
