/* http_api_room.h - what the files behind the routes share.
 *
 *     http_api.c       the table; signing in; jobs
 *     http_question.c  JSON -> a question
 *     http_ask.c       ask and explain
 *     http_schema.c    the policy, for analysts
 *     http_budget.c    budget and history, from the ledger
 *     http_metrics.c   counters
 *     http_openapi.c   the document */
#ifndef SERVE_HTTP_API_ROOM_H
#define SERVE_HTTP_API_ROOM_H

#include <pthread.h>
#include <stdatomic.h>

#include "serve/http_api.h"
#include "serve/http_question.h"
#include "serve/users_watch.h"

enum { API_BODY_BYTES = 256 << 20, API_ROUTES = 9, API_CODES = 13 };

struct http_api {
    struct http_api_options options;
    struct http *http;
    pthread_mutex_t lock; /* for what follows */
    struct users_watch users;
    uint64_t codes[API_ROUTES][API_CODES]; /* how often; the last route: none */
    time_t begun;
};

struct page {
    uint64_t before; /* the number of a question; 0: from the last one on */
    uint64_t limit;
};

/* One request that needs a curator. */
struct api_job {
    struct work_job job; /* first: a work_job is a job */
    struct http_api *api;
    struct http_exchange *exchange;
    atomic_bool gone; /* the client is */
    /* On a worker's thread: writes the body. */
    status (*run)(struct api_job *job, struct curator *curator, error *why);
    const char *type; /* of the body */
    struct buffer body;
    struct http_question question; /* of ask and explain */
    enum journal_deed deed;        /* which of them */
    struct curator_answer *answer; /* of ask */
    struct page page;              /* of history */
    int64_t begun;
    struct tick_wait held; /* the answer, until the clock ticks */
    uint64_t step;         /* of the clock; 0: it leaves at once */
    status result;
    error why;
};

/* NULL: the owner, whom no cap limits. */
const char *api_analyst(const struct http_exchange *exchange);

/* A job for this exchange; NULL: there is no memory, and it was refused. */
struct api_job *api_job_new(struct http_exchange *exchange,
                            status (*run)(struct api_job *job, struct curator *curator, error *why));
void api_job_free(struct api_job *job);
/* Leaves the job to the workers, who reply and free it; a full queue is a refusal. */
void api_job_add(struct api_job *job);
/* Replies at once with the answer that the job has got without any worker, and frees the job. */
void api_job_done(struct api_job *job);

/* The refusal that a failure is. */
void api_refuse(struct http_exchange *exchange, status result, const error *why);
/* 400, with what is wrong with the request. */
void api_refuse_request(struct http_exchange *exchange, const error *why);

/* ---- The handlers ---- */

void api_ask(struct http_exchange *exchange);
void api_explain(struct http_exchange *exchange);
void api_schema(struct http_exchange *exchange);
void api_budget(struct http_exchange *exchange);
void api_history(struct http_exchange *exchange);
void api_metrics(struct http_exchange *exchange);
void api_openapi(struct http_exchange *exchange);

/* ---- http_metrics.c ---- */

void metrics_count(struct http_api *api, const struct http_record *record);

/* ---- What the document says of a route: http_route.about ---- */

struct api_about {
    const char *summary;
    const char *answer;  /* the schema of its answer, or NULL: text */
    const char *request; /* the schema of its body, or NULL */
    const char *header;  /* "Idempotency-Key", or NULL */
    const int *codes;    /* all that it may answer, ascending; 0 behind the last */
};

#endif
