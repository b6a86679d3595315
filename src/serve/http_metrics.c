/* Counters for Prometheus, in its text format: spending and load, nothing about rows. How long questions took is not here: that
 * may depend on rows, and Prometheus keeps what it reads for long. */
#include <inttypes.h>
#include <string.h>

#include "ledger/history.h"
#include "serve/http_api_room.h"

static const int counted[] = {200, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503};
enum { CODES = sizeof counted / sizeof counted[0] };
_Static_assert((int)CODES == (int)API_CODES, "room for each");

/* ---- Counting ---- */

static size_t route_index(const struct http_route *route)
{
    size_t count = 0;
    const struct http_route *all = http_api_routes(&count);
    return route != NULL ? (size_t)(route - all) : count;
}

/* Only routes that are there: what others try is of no use to anybody, and endless. */
void metrics_count(struct http_api *api, const struct http_record *record)
{
    size_t route = route_index(record->route);
    for (size_t i = 0; i < CODES; i++)
        if (counted[i] == record->code && route < API_ROUTES) {
            pthread_mutex_lock(&api->lock);
            api->codes[route][i]++;
            pthread_mutex_unlock(&api->lock);
        }
}

/* ---- Writing ---- */

static void write_head(struct buffer *out, const char *name, const char *type, const char *about)
{
    buffer_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, type);
}

static void write_gauge(struct buffer *out, const char *name, const char *about, uint64_t value)
{
    write_head(out, name, "gauge", about);
    buffer_format(out, "%s %" PRIu64 "\n", name, value);
}

/* Backslashes, quotes and line ends have their own spelling in a label. */
static void write_label(struct buffer *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            buffer_text(out, "\\n");
        else if (*text == '\\' || *text == '"')
            buffer_format(out, "\\%c", *text);
        else
            buffer_byte(out, *text);
}

static void write_questions(struct buffer *out, struct journal *journal)
{
    struct journal_counts counts = journal_counts(journal);
    write_head(out, "dither_questions_total", "counter", "Questions, by what came of them.");
    for (size_t via = 0; via < JOURNAL_VIAS; via++)
        for (size_t deed = 0; deed < JOURNAL_DEEDS; deed++)
            for (size_t i = 0; i < JOURNAL_OUTCOMES; i++)
                buffer_format(out,
                              "dither_questions_total{via=\"%s\",did=\"%s\",outcome=\"%s\"} %" PRIu64 "\n",
                              journal_via_names[via], journal_deed_names[deed], journal_outcome_names[i],
                              counts.questions[via][deed][i]);
    write_head(out, "dither_log_lines_lost_total", "counter",
               "Lines of the log of questions that could not be written.");
    buffer_format(out, "dither_log_lines_lost_total %" PRIu64 "\n", counts.lost);
}

static void write_requests(struct buffer *out, struct http_api *api)
{
    size_t count = 0;
    const struct http_route *routes = http_api_routes(&count);
    write_head(out, "dither_http_requests_total", "counter", "Requests, by path and status.");
    pthread_mutex_lock(&api->lock);
    for (size_t route = 0; route <= count; route++)
        for (size_t i = 0; i < CODES; i++)
            if (api->codes[route][i] > 0)
                buffer_format(out, "dither_http_requests_total{path=\"%s\",code=\"%d\"} %" PRIu64 "\n",
                              route < count ? routes[route].path : "other", counted[i], api->codes[route][i]);
    pthread_mutex_unlock(&api->lock);
}

static void write_load(struct buffer *out, struct http_api *api)
{
    const struct http_api_options *options = &api->options;
    struct work_load work = work_load(options->work);
    write_gauge(out, "dither_workers", "Threads that answer questions.", work.workers);
    write_gauge(out, "dither_workers_busy", "Those that do.", work.running);
    write_gauge(out, "dither_questions_waiting", "Questions that wait for one.", work.waiting);
    write_head(out, "dither_connections", "gauge", "Open connections.");
    buffer_format(out, "dither_connections{via=\"http\"} %zu\n", http_load(api->http).connections);
    if (options->wire_connections != NULL)
        buffer_format(out, "dither_connections{via=\"postgres\"} %zu\n",
                      options->wire_connections(options->context));
    write_gauge(out, "dither_start_time_seconds", "When the server was started, in seconds since 1970.",
                (uint64_t)api->begun);
}

/* ---- Spending ---- */

struct series {
    struct buffer *out;
    const char *metric;
    enum ledger_currency currency;
};

static void write_amount(const struct series *series, const char *holder, const char *name,
                         const char *component, struct decimal amount)
{
    char text[DECIMAL_TEXT];
    decimal_print(amount, text);
    buffer_format(series->out, "%s{holder=\"%s\",name=\"", series->metric, holder);
    write_label(series->out, name);
    buffer_format(series->out, "\",component=\"%s\"} %s\n", component,
                  decimal_is_unlimited(amount) ? "+Inf" : text);
}

static void write_cost(const struct series *series, const char *holder, const char *name,
                       struct ledger_cost cost)
{
    if (series->currency == LEDGER_CONCENTRATED)
        write_amount(series, holder, name, "rho", cost.rho);
    else
        write_amount(series, holder, name, "epsilon", cost.epsilon);
    if (series->currency != LEDGER_PURE)
        write_amount(series, holder, name, "delta", cost.delta);
}

static const struct amount {
    const char *metric, *about;
} amounts[] = {
    {"dither_budget_limit", "What may be spent."},
    {"dither_budget_spent", "What counts against the limit now."},
    {"dither_budget_lifetime", "What was ever spent."},
};

static struct ledger_cost pick(struct history_sum sum, size_t amount)
{
    return amount == 0 ? sum.limit : amount == 1 ? sum.window : sum.lifetime;
}

static void write_amounts(const struct state *state, const struct series *series, size_t amount)
{
    write_cost(series, "dataset", state->config.dataset,
               pick(state_sum(state, HOLDER_DATASET_PLACE), amount));
    for (size_t block = 0; state->config.block_count > 0 && block < state->block_count; block++)
        write_cost(series, "block", state_block_name(state, block),
                   pick(state_block_sum(state, block), amount));
    for (size_t i = 0; i < state->holder_count; i++) {
        const struct holder *holder = &state->holders[i];
        if (holder->kind == HOLDER_ANALYST || holder->kind == HOLDER_GROUP)
            write_cost(series, holder->kind == HOLDER_ANALYST ? "analyst" : "group", holder->name,
                       pick(state_sum(state, i), amount));
    }
}

static status look_spending(struct ledger *ledger, void *context, error *why)
{
    const struct state *state = &ledger->state;
    struct buffer *out = context;
    size_t stopped = 0;
    (void)why;
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        struct series series = {out, amounts[i].metric, state->config.currency};
        write_head(out, amounts[i].metric, "gauge", amounts[i].about);
        write_amounts(state, &series, i);
    }
    for (size_t i = 0; i < state->holder_count; i++)
        stopped += state->holders[i].stopped != NULL;
    write_gauge(out, "dither_stopped", "Who may not ask until the owner lifts it.", stopped);
    write_gauge(out, "dither_ledger_entries", "Entries of the ledger.", state->number);
    return DITHER_OK;
}

static status run_metrics(struct api_job *job, struct curator *curator, error *why)
{
    write_questions(&job->body, job->api->options.journal);
    write_requests(&job->body, job->api);
    write_load(&job->body, job->api);
    TRY(curator_look(curator, look_spending, &job->body, why));
    return buffer_check(&job->body, why);
}

void api_metrics(struct http_exchange *exchange)
{
    struct api_job *job = api_job_new(exchange, run_metrics);
    if (job == NULL)
        return;
    job->type = "text/plain; version=0.0.4; charset=utf-8";
    api_job_add(job);
}
