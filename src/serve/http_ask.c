/* Questions: asked, and explained. */
#include "serve/http_api_room.h"

static void note(const struct api_job *job, enum journal_deed deed, const struct curator_answer *answer)
{
    const struct http_asker *asker = http_asker(job->exchange);
    journal_note(job->api->options.journal,
                 &(struct journal_question){.via = JOURNAL_HTTP,
                                            .deed = deed,
                                            .who = asker->name,
                                            .role = asker->role,
                                            .question = &job->question.question,
                                            .result = job->result,
                                            .why = &job->why,
                                            .answer = answer,
                                            .milliseconds = api_now() - job->begun});
}

static status run_ask(struct api_job *job, struct curator *curator, error *why)
{
    struct curator_answer *answer = NULL;
    job->result = curator_ask(curator, &job->question.question, &answer, why);
    note(job, JOURNAL_ASK, answer);
    if (job->result == DITHER_OK)
        curator_answer_json(answer, &job->body);
    curator_answer_free(answer);
    return job->result;
}

static status run_explain(struct api_job *job, struct curator *curator, error *why)
{
    job->result = curator_explain(curator, &job->question.question, true, &job->body, why);
    note(job, JOURNAL_EXPLAIN, NULL);
    return job->result;
}

static void begin(struct http_exchange *exchange,
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
    job->question.question.analyst = api_analyst(exchange);
    api_job_add(job);
}

void api_ask(struct http_exchange *exchange)
{
    begin(exchange, run_ask, http_header(exchange, "Idempotency-Key"));
}

void api_explain(struct http_exchange *exchange)
{
    begin(exchange, run_explain, NULL);
}
