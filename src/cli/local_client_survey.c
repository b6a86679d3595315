/* `dither local client SURVEY`: people's answers in, the reports of a survey out. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/csv.h"
#include "base/memory.h"
#include "cli/local_survey.h"
#include "local/person.h"
#include "local/report_text.h"
#include "local/survey_report.h"

enum { TEXT_BYTES = 1 << 20 }; /* written at once */

struct client {
    const struct survey *survey;
    const struct survey_question *columns[SURVEY_QUESTIONS];
    size_t column_count;
    int32_t period;
    struct survey_maker maker;
    unsigned char *report;
    size_t report_bytes; /* of the longest */
    struct buffer text;
};

static status report_one(struct client *client, const struct survey_question *question, const char *answer,
                         error *why)
{
    struct report_head head = {.key = question->key, .period = client->period};
    TRY(random_word(client->maker.random, &head.id, why));
    report_head_write(&head, client->report);
    TRY(question_randomise(question, answer, &client->maker, client->report + REPORT_HEAD, why));
    report_write(&client->text, client->report, REPORT_HEAD + question_report_bytes(question));
    return client->text.length < TEXT_BYTES ? DITHER_OK : cli_write(&client->text, why);
}

/* Whether all fields are names of questions; then the columns are theirs. */
static bool read_names(struct client *client, const struct csv_record *record)
{
    const struct survey_question *columns[SURVEY_QUESTIONS];
    if (record->count > SURVEY_QUESTIONS)
        return false;
    for (size_t i = 0; i < record->count; i++) {
        columns[i] = survey_question_named(client->survey, record->fields[i].text);
        for (size_t j = 0; j < i; j++)
            if (columns[j] == columns[i])
                return false;
        if (columns[i] == NULL || (client->column_count == 1 && columns[i] != client->columns[0]))
            return false;
    }
    memcpy(client->columns, columns, record->count * sizeof *columns);
    client->column_count = record->count;
    return true;
}

/* Which questions this person is asked: drawn without looking at the answers. */
static status draw_questions(struct client *client, bool drawn[SURVEY_QUESTIONS], error *why)
{
    uint32_t chosen[SURVEY_QUESTIONS];
    memset(drawn, 0, SURVEY_QUESTIONS * sizeof *drawn);
    TRY(survey_draw(client->survey, client->maker.random, chosen, why));
    for (uint32_t i = 0; i < client->survey->asked; i++)
        drawn[chosen[i]] = true;
    return DITHER_OK;
}

/* Messages name line and question, never the answer, which is somebody's. */
static status read_record(void *context, const struct csv_record *record, error *why)
{
    struct client *client = context;
    if (record->number == 1 && read_names(client, record))
        return DITHER_OK;
    if (record->count != client->column_count)
        return fail(why, DITHER_INVALID, "line %llu has %zu answers where the survey has %zu questions",
                    (unsigned long long)record->line, record->count, client->column_count);
    bool drawn[SURVEY_QUESTIONS];
    TRY(draw_questions(client, drawn, why));
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].length == 0 || !drawn[client->columns[i] - client->survey->questions])
            continue;
        error inner;
        status result = report_one(client, client->columns[i], record->fields[i].text, &inner);
        if (result == DITHER_INVALID)
            return fail(why, DITHER_INVALID, "line %llu: the answer to %s %.200s",
                        (unsigned long long)record->line, client->columns[i]->name, inner.message);
        if (result != DITHER_OK)
            return fail(why, result, "%.400s", inner.message);
    }
    return DITHER_OK;
}

static status read_answers(struct client *client, const char *path, error *why)
{
    bool standard = strcmp(path, "-") == 0;
    const struct csv_options options = {.name = standard ? "standard input" : path};
    FILE *file = standard ? stdin : fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "cannot read %.200s: %s", path, strerror(errno));
    status result = csv_read(file, &options, read_record, client, why);
    if (!standard)
        fclose(file);
    if (result == DITHER_OK)
        result = cli_write(&client->text, why);
    return result;
}

static status prepare(struct client *client, const struct local_client_request *request, error *why)
{
    const struct survey_question *only = NULL;
    TRY(local_pick_question(client->survey, request->question, &only, why));
    if (only != NULL && client->survey->asked < client->survey->question_count)
        return fail(why, DITHER_INVALID, "survey %s draws which questions a person is asked: not --question",
                    client->survey->name);
    for (size_t i = 0; i < client->survey->question_count; i++) {
        const struct survey_question *question = &client->survey->questions[i];
        size_t bytes = REPORT_HEAD + question_report_bytes(question);
        if (only == NULL || question == only)
            client->columns[client->column_count++] = question;
        client->report_bytes = bytes > client->report_bytes ? bytes : client->report_bytes;
    }
    client->period = period_at(client->survey->period, time(NULL));
    if (request->period != NULL)
        TRY(local_pick_period(client->survey, request->period, &client->period, why));
    client->report = memory_allocate(client->report_bytes);
    if (client->report == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a report");
    client->maker.survey = client->survey;
    if (request->person != NULL)
        TRY(person_open(&client->maker.person, request->person, why));
    return random_open(&client->maker.random, why);
}

static status run(const char *path, const char *answers, const struct local_client_request *request,
                  error *why)
{
    struct arena arena;
    static struct client client;
    arena_init(&arena, LOCAL_SURVEY_BYTES);
    status result = survey_read(path, &arena, &client.survey, why);
    if (result == DITHER_OK)
        result = prepare(&client, request, why);
    buffer_init(&client.text, 4 * (size_t)TEXT_BYTES + 4 * client.report_bytes);
    if (result == DITHER_OK)
        result = read_answers(&client, answers, why);
    buffer_free(&client.text);
    memory_release(client.report, client.report_bytes);
    random_close(client.maker.random);
    person_close(client.maker.person);
    arena_free(&arena);
    return result;
}

int local_client_of_survey(int argc, char **argv, const struct local_client_request *request)
{
    error why;
    if (argc > 2) {
        (void)fail(&why, DITHER_INVALID, "a survey and one file of answers, or - for standard input");
        return cli_misused("local client", &why);
    }
    return run(argv[0], argc == 2 ? argv[1] : "-", request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
