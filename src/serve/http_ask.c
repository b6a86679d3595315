/* Questions: asked, and explained. */
#include "serve/http_api_room.h"

static status run_ask(struct api_job *job, struct curator *curator, error *why)
{
    TRY(curator_ask(curator, &job->question.question, &job->answer, why));
    curator_answer_json(job->answer, &job->body);
    return DITHER_OK;
}

static status run_explain(struct api_job *job, struct curator *curator, error *why)
{
    return curator_explain(curator, &job->question.question, true, &job->body, why);
}

/* Whether it was answered before, and can be again without waiting. Why not is said by the way through a worker, which is
 * also the one for retries. */
static bool recall(struct api_job *job)
{
    const struct http_api_options *options = &job->api->options;
    error why;
    if (options->recall == NULL ||
        options->recall(options->context, &job->question.question, &job->answer, &why) != DITHER_OK ||
        job->answer == NULL)
        return false;
    curator_answer_json(job->answer, &job->body);
    return true;
}

static void begin(struct http_exchange *exchange, enum journal_deed deed,
                  status (*run)(struct api_job *job, struct curator *curator, error *why),
                  const char *request)
{
    struct api_job *job = api_job_new(exchange, run);
    error why;
    if (job == NULL)
        return;
    if (http_question_read(&job->question, http_body(exchange), request, &why) != DITHER_OK) {
        api_refuse_request(exchange, &why);
        api_job_free(job);
        return;
    }
    job->deed = deed;
    job->question.question.analyst = api_analyst(exchange);
    if (deed == JOURNAL_ASK && recall(job))
        api_job_done(job);
    else
        api_job_add(job);
}

void api_ask(struct http_exchange *exchange)
{
    begin(exchange, JOURNAL_ASK, run_ask, http_header(exchange, "Idempotency-Key"));
}

void api_explain(struct http_exchange *exchange)
{
    begin(exchange, JOURNAL_EXPLAIN, run_explain, NULL);
}
