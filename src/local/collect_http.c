#include "local/collect_http.h"

#include <jansson.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/yaml.h"
#include "serve/http.h"

enum { IDLE_LOOKS = 3000, LOOK_NANOSECONDS = 10000000 }; /* half a minute for what is under way */

/* One request that waits for its commit. */
struct job {
    struct job *next;
    struct http_exchange *exchange;
    struct collect_counts counts;
    bool bad, failed; /* the body is no list of reports; a commit that had some of them failed */
};

struct collect_server {
    struct collect_server_options options;
    struct http *http;
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t changed;
    struct job *first, *last;
    bool stopping;
    struct collect_counts counts;
};

/* ---- Handlers: on the daemon's thread ---- */

static void release_job(void *work)
{
    memory_release(work, sizeof(struct job));
}

/* Whoever hung up sends again; what he sent is counted all the same. */
static void ignore_gone(void *work)
{
    (void)work;
}

static void take_reports(struct http_exchange *exchange)
{
    static const struct http_waiter waiter = {.gone = ignore_gone, .release = release_job};
    struct collect_server *server = http_context(exchange);
    struct job *job = memory_allocate(sizeof *job);
    if (job == NULL) {
        http_refuse(exchange, &(struct http_error){.code = 503,
                                                   .name = "no_memory",
                                                   .message = "no memory; send it again later"});
        return;
    }
    job->exchange = exchange;
    http_wait(exchange, &waiter, job);
    pthread_mutex_lock(&server->lock);
    *(server->last != NULL ? &server->last->next : &server->first) = job;
    server->last = job;
    pthread_cond_signal(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

static void reply_text(struct http_exchange *exchange, const char *type, const char *text)
{
    struct buffer body;
    buffer_init(&body, YAML_BYTES + 100);
    buffer_text(&body, text);
    http_reply(exchange, 200, type, &body);
}

static void say_survey(struct http_exchange *exchange)
{
    const struct collect_server *server = http_context(exchange);
    reply_text(exchange, "application/yaml", server->options.survey->text);
}

static void say_healthy(struct http_exchange *exchange)
{
    reply_text(exchange, "application/json", "{\"ok\": true}\n");
}

static const struct http_route routes[] = {
    {.method = "POST", .path = "/v1/reports", .needed = ROLE_NOBODY, .body = true, .handle = take_reports},
    {.method = "GET", .path = "/v1/survey", .needed = ROLE_NOBODY, .handle = say_survey},
    {.method = "GET", .path = "/healthz", .needed = ROLE_NOBODY, .handle = say_healthy},
};

/* ---- The thread that commits ---- */

/* False when it failed: nobody whose reports were in the batch may be told that they were taken. */
static bool commit(struct collect_server *server)
{
    error why;
    if (collect_commit(server->options.collector, time(NULL), &why) == DITHER_OK)
        return true;
    server->options.tell(&why);
    return false;
}

/* A batch that gets full is committed at once, with the reports of earlier jobs of the round in it. */
static void add_text(struct collect_server *server, struct job *round, struct job *job, const char *text,
                     size_t length)
{
    while (!collect_add_line(server->options.collector, text, length, &job->counts)) {
        if (commit(server))
            continue;
        for (struct job *earlier = round; earlier != job; earlier = earlier->next)
            earlier->failed = true;
        job->failed = true;
    }
}

static void add_job(struct collect_server *server, struct job *round, struct job *job)
{
    const struct buffer *body = http_body(job->exchange);
    json_t *root =
        json_loadb(body->data != NULL ? body->data : "", body->length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *list = json_object_get(root, "reports"), *text = NULL;
    size_t index;
    job->bad = !json_is_array(list) || json_object_size(root) != 1;
    if (!job->bad)
        json_array_foreach(list, index, text) job->bad |= !json_is_string(text);
    if (!job->bad)
        json_array_foreach(list, index, text)
            add_text(server, round, job, json_string_value(text), json_string_length(text));
    json_decref(root);
}

static void reply_counts(struct job *job)
{
    struct buffer body;
    struct json_writer json;
    uint64_t refused = 0;
    buffer_init(&body, 4096);
    json_writer_init(&json, &body);
    json_begin_object(&json);
    json_member_number(&json, "counted", (double)job->counts.of[COLLECT_COUNTED]);
    json_member_number(&json, "replayed", (double)job->counts.of[COLLECT_REPLAYED]);
    json_write_key(&json, "refused");
    json_begin_object(&json);
    for (int verdict = COLLECT_MALFORMED; verdict < COLLECT_VERDICTS; verdict++) {
        uint64_t count = job->counts.of[verdict];
        if (count > 0)
            json_member_number(&json, collect_verdict_name((enum collect_verdict)verdict), (double)count);
        refused += count;
    }
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(&body, '\n');
    bool taken = job->counts.of[COLLECT_COUNTED] + job->counts.of[COLLECT_REPLAYED] > 0 || refused == 0;
    http_reply(job->exchange, taken ? 200 : 422, "application/json", &body);
}

/* After the reply the job may be gone. */
static void reply(struct job *job)
{
    if (job->bad)
        http_refuse(job->exchange,
                    &(struct http_error){.code = 400,
                                         .name = "no_reports",
                                         .message = "the body must be {\"reports\": [\"...\"]}"});
    else if (job->failed)
        http_refuse(
            job->exchange,
            &(struct http_error){.code = 503,
                                 .name = "not_stored",
                                 .message = "the reports could not be stored; send the same again later"});
    else
        reply_counts(job);
}

static void finish_round(struct collect_server *server, struct job *round)
{
    error why;
    bool stored = commit(server);
    pthread_mutex_lock(&server->lock);
    for (struct job *job = round; job != NULL; job = job->next) {
        job->failed |= !stored;
        for (int verdict = 0; verdict < COLLECT_VERDICTS && !job->failed; verdict++)
            server->counts.of[verdict] += job->counts.of[verdict];
    }
    pthread_mutex_unlock(&server->lock);
    for (struct job *job = round, *next; job != NULL; job = next) {
        next = job->next;
        reply(job);
    }
    if (collect_fold(server->options.collector, COLLECT_FOLD_BYTES, &why) != DITHER_OK)
        server->options.tell(&why);
}

static void *work(void *context)
{
    struct collect_server *server = context;
    pthread_mutex_lock(&server->lock);
    for (;;) {
        while (server->first == NULL && !server->stopping)
            pthread_cond_wait(&server->changed, &server->lock);
        struct job *round = server->first;
        server->first = server->last = NULL;
        pthread_mutex_unlock(&server->lock);
        if (round == NULL)
            return NULL;
        for (struct job *job = round; job != NULL; job = job->next)
            add_job(server, round, job);
        finish_round(server, round);
        pthread_mutex_lock(&server->lock);
    }
}

/* ---- Opening and closing ---- */

static status start(struct collect_server *server, error *why)
{
    const struct http_options options = {
        .place = server->options.place,
        .certificate = server->options.certificate,
        .key = server->options.key,
        .body_bytes = COLLECT_BODY_BYTES,
        .routes = routes,
        .route_count = sizeof routes / sizeof routes[0],
        .context = server,
    };
    if (pthread_create(&server->thread, NULL, work, server) != 0)
        return fail(why, DITHER_NO_MEMORY, "no thread can be started");
    server->running = true;
    return http_open(&options, &server->http, why);
}

status collect_server_open(const struct collect_server_options *options, struct collect_server **out,
                           error *why)
{
    struct collect_server *server = memory_allocate(sizeof *server);
    if (server == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to collect");
    server->options = *options;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
    status result = start(server, why);
    if (result == DITHER_OK)
        *out = server;
    else
        collect_server_close(server);
    return result;
}

uint16_t collect_server_port(const struct collect_server *server)
{
    return http_port(server->http);
}

struct collect_counts collect_server_counts(struct collect_server *server)
{
    pthread_mutex_lock(&server->lock);
    struct collect_counts counts = server->counts;
    pthread_mutex_unlock(&server->lock);
    return counts;
}

void collect_server_close(struct collect_server *server)
{
    const struct timespec nap = {0, LOOK_NANOSECONDS};
    if (server == NULL)
        return;
    if (server->http != NULL)
        http_begin_stop(server->http);
    for (int look = 0; server->http != NULL && !http_is_idle(server->http) && look < IDLE_LOOKS; look++)
        nanosleep(&nap, NULL);
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    pthread_cond_signal(&server->changed);
    pthread_mutex_unlock(&server->lock);
    if (server->running)
        pthread_join(server->thread, NULL);
    if (server->http != NULL)
        http_close(server->http);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    memory_release(server, sizeof *server);
}
