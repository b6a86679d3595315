#include "serve/http_api.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "policy/policy.h"
#include "serve/failure.h"
#include "serve/http_api_room.h"

/* ---- The table ---- */

static void say_healthy(struct http_exchange *exchange)
{
    struct buffer body;
    buffer_init(&body, 64);
    buffer_text(&body, "{\"status\": \"ok\"}\n");
    http_reply(exchange, 200, "application/json", &body);
}

/* What else may go wrong (a ledger that cannot be read) is the document's "default". */
static const int open_codes[] = {200, 400, 405, 503, 0};
static const int look_codes[] = {200, 400, 401, 403, 405, 429, 503, 0};
static const int explain_codes[] = {200, 400, 401, 403, 405, 413, 415, 422, 429, 503, 0};
static const int ask_codes[] = {200, 400, 401, 403, 405, 409, 413, 415, 422, 429, 500, 503, 0};

static const struct api_about about_ask = {.summary = "Ask a question in SQL. What it costs is charged "
                                                      "before the data are touched, and stays charged.",
                                           .request = "Question",
                                           .answer = "Answer",
                                           .header = "Idempotency-Key",
                                           .codes = ask_codes};
static const struct api_about about_explain = {
    .summary = "What a question would cost, how it would be answered and how exactly. Spends nothing, "
               "touches no row.",
    .request = "Question",
    .answer = "Explanation",
    .codes = explain_codes};
static const struct api_about about_schema = {
    .summary = "The tables and columns that can be asked about, as the policy declares them.",
    .answer = "Schema",
    .codes = look_codes};
static const struct api_about about_budget = {
    .summary =
        "What the asker may spend, has spent and has left; for the owner everybody's, and each block's.",
    .answer = "Budget",
    .codes = look_codes};
static const struct api_about about_history = {
    .summary =
        "The questions that were charged and what they cost, the last one first: an analyst's own; for the "
        "owner all.",
    .answer = "History",
    .codes = look_codes};
static const struct api_about about_metrics = {
    .summary = "Spending and load for Prometheus; nothing about rows. The owner's.", .codes = look_codes};
static const struct api_about about_health = {
    .summary = "Whether the server is there.", .answer = "Health", .codes = open_codes};
static const struct api_about about_openapi = {
    .summary = "This document.", .answer = "Document", .codes = open_codes};

static const struct http_parameter pages[] = {
    {"before", "only questions with a smaller number than this: `next` of the page before",
     "{\"type\": \"integer\", \"minimum\": 1}"},
    {"limit", "how many at most",
     "{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 500, \"default\": 50}"},
};

static const struct http_route routes[] = {
    {"POST", "/v1/ask", ROLE_ANALYST, true, api_ask, NULL, 0, &about_ask},
    {"POST", "/v1/explain", ROLE_ANALYST, true, api_explain, NULL, 0, &about_explain},
    {"GET", "/v1/schema", ROLE_ANALYST, false, api_schema, NULL, 0, &about_schema},
    {"GET", "/v1/budget", ROLE_ANALYST, false, api_budget, NULL, 0, &about_budget},
    {"GET", "/v1/history", ROLE_ANALYST, false, api_history, pages, 2, &about_history},
    {"GET", "/metrics", ROLE_OWNER, false, api_metrics, NULL, 0, &about_metrics},
    {"GET", "/healthz", ROLE_NOBODY, false, say_healthy, NULL, 0, &about_health},
    {"GET", "/v1/openapi.json", ROLE_NOBODY, false, api_openapi, NULL, 0, &about_openapi},
};
enum { ROUTES = sizeof routes / sizeof routes[0] };
_Static_assert((int)ROUTES + 1 == (int)API_ROUTES, "one more, for what is not there");

const struct http_route *http_api_routes(size_t *count)
{
    *count = ROUTES;
    return routes;
}

/* ---- Who asks ---- */

static enum http_entry sign_in(void *context, const char *token, struct http_asker *asker)
{
    struct http_api *api = context;
    if (!tries_may(api->options.tries, asker->address, NULL))
        return HTTP_SLOW_DOWN;
    pthread_mutex_lock(&api->lock);
    const struct token *found = users_token_find(users_watch_now(&api->users), token);
    if (found != NULL) {
        memcpy(asker->name, found->name, sizeof asker->name);
        asker->role = found->role;
    }
    pthread_mutex_unlock(&api->lock);
    if (found == NULL)
        tries_failed(api->options.tries, asker->address, NULL);
    return found != NULL ? HTTP_COME_IN : HTTP_UNKNOWN;
}

const char *api_analyst(const struct http_exchange *exchange)
{
    const struct http_asker *asker = http_asker(exchange);
    return asker->role == ROLE_OWNER ? NULL : asker->name;
}

/* ---- Refusals ---- */

void api_refuse(struct http_exchange *exchange, status result, const error *why)
{
    struct failure failure = failure_of(result, why);
    struct failure_text text;
    failure_split(result, why, &text);
    if (failure.http == 503)
        http_add_header(exchange, "Retry-After", "1");
    http_refuse(exchange, &(struct http_error){.code = failure.http,
                                               .name = failure.word,
                                               .message = text.message,
                                               .hint = text.hint,
                                               .position = why->position >= 0 ? why->position + 1 : 0,
                                               .state = failure.state});
}

void api_refuse_request(struct http_exchange *exchange, const error *why)
{
    if (why->status == DITHER_NO_MEMORY) {
        api_refuse(exchange, why->status, why);
        return;
    }
    http_refuse(exchange,
                &(struct http_error){.code = 400, .name = "not_understood", .message = why->message});
}

/* ---- Jobs ---- */

static int64_t now(const struct http_api *api)
{
    return api->options.tick != NULL ? tick_now(api->options.tick) : monotonic_milliseconds();
}

/* A token outlives what the policy says of its holder. */
static status check_asker(const struct api_job *job, const struct curator *curator, error *why)
{
    const struct policy *policy = curator_policy(curator);
    const char *analyst = api_analyst(job->exchange);
    for (size_t i = 0; analyst != NULL && i < policy->analyst_count; i++)
        if (strcmp(policy->analysts[i].name, analyst) == 0)
            return DITHER_OK;
    return analyst == NULL ? DITHER_OK
                           : fail(why, DITHER_REFUSED, "the policy names no analyst %.100s", analyst);
}

static void run_job(struct work_job *work, struct curator *curator)
{
    struct api_job *job = (struct api_job *)(void *)work;
    if (job->question.read && job->deed == JOURNAL_ASK && job->api->options.tick != NULL)
        job->step = curator_policy(curator)->timing_step_milliseconds;
    job->result = check_asker(job, curator, &job->why);
    if (job->result == DITHER_OK)
        job->result = job->run(job, curator, &job->why);
}

static void note(const struct api_job *job)
{
    const struct http_asker *asker = http_asker(job->exchange);
    if (job->question.read)
        journal_note(job->api->options.journal,
                     &(struct journal_question){.via = JOURNAL_HTTP,
                                                .deed = job->deed,
                                                .who = asker->name,
                                                .role = asker->role,
                                                .question = &job->question.question,
                                                .result = job->result,
                                                .why = &job->why,
                                                .answer = job->answer,
                                                .milliseconds = now(job->api) - job->begun});
}

/* The job is freed with its exchange, and that may be before http_reply returns. */
static void reply(struct api_job *job)
{
    if (job->result == DITHER_OK)
        http_reply(job->exchange, 200, job->type, &job->body);
    else
        api_refuse(job->exchange, job->result, &job->why);
}

static void ring(struct tick_wait *held)
{
    reply((struct api_job *)(void *)((char *)held - offsetof(struct api_job, held)));
}

static void finish_job(struct work_job *work)
{
    struct api_job *job = (struct api_job *)(void *)work;
    struct tick *tick = job->api->options.tick;
    if (work->cancelled)
        job->result = fail(&job->why, DITHER_REFUSED, "interrupted; nothing was charged");
    note(job);
    if (job->step == 0) {
        reply(job);
        return;
    }
    job->held.ring = ring;
    tick_add(tick, &job->held, tick_due(job->begun, tick_now(tick), job->step));
}

static void cancel_job(void *work)
{
    struct api_job *job = work;
    job->gone = true;
    work_cancel(job->api->options.work, &job->job);
}

static void release_job(void *work)
{
    api_job_free(work);
}

struct api_job *api_job_new(struct http_exchange *exchange,
                            status (*run)(struct api_job *job, struct curator *curator, error *why))
{
    error why;
    struct api_job *job = memory_allocate(sizeof *job);
    if (job == NULL) {
        api_refuse(exchange, fail(&why, DITHER_NO_MEMORY, "out of memory"), &why);
        return NULL;
    }
    job->job.run = run_job;
    job->job.done = finish_job;
    job->api = http_context(exchange);
    job->exchange = exchange;
    job->run = run;
    job->type = "application/json";
    job->begun = now(job->api);
    buffer_init(&job->body, API_BODY_BYTES);
    return job;
}

void api_job_free(struct api_job *job)
{
    http_question_free(&job->question);
    curator_answer_free(job->answer);
    buffer_free(&job->body);
    memory_release(job, sizeof *job);
}

void api_job_add(struct api_job *job)
{
    static const struct http_waiter waiter = {cancel_job, release_job};
    http_wait(job->exchange, &waiter, job);
    if (work_add(job->api->options.work, &job->job)) {
        /* Whoever hung up before it was added had nothing to cancel. The job is there as long as this handler runs. */
        if (job->gone)
            work_cancel(job->api->options.work, &job->job);
        return;
    }
    job->result =
        fail(&job->why, DITHER_REFUSED, "too many questions are waiting; nothing was charged, ask again");
    note(job);
    reply(job);
}

void api_job_done(struct api_job *job)
{
    job->result = DITHER_OK;
    note(job);
    reply(job);
    api_job_free(job);
}

/* ---- Life ---- */

static void note_finished(void *context, const struct http_record *record)
{
    metrics_count(context, record);
}

status http_api_open(const struct http_api_options *options, struct http_api **out, error *why)
{
    struct http_api *api = memory_allocate(sizeof *api);
    if (api == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    api->options = *options;
    api->begun = time(NULL);
    pthread_mutex_init(&api->lock, NULL);
    const struct http_options http = {.place = options->place,
                                      .certificate = options->certificate,
                                      .key = options->key,
                                      .connections = options->connections,
                                      .routes = routes,
                                      .route_count = ROUTES,
                                      .context = api,
                                      .sign_in = sign_in,
                                      .finished = note_finished};
    status result = users_watch_open(&api->users, options->users_path, why);
    if (result == DITHER_OK)
        result = http_open(&http, &api->http, why);
    if (result == DITHER_OK)
        *out = api;
    else
        http_api_close(api);
    return result;
}

struct http *http_api_daemon(struct http_api *api)
{
    return api->http;
}

void http_api_close(struct http_api *api)
{
    if (api == NULL)
        return;
    http_close(api->http);
    users_watch_close(&api->users);
    pthread_mutex_destroy(&api->lock);
    memory_release(api, sizeof *api);
}
