/* `dither local estimate SURVEY`: what was collected so far, question by question, with intervals and a picture. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "cli/local_answer.h"
#include "cli/local_figures.h"
#include "local/normal.h"

static struct local_estimate row_of(const struct local_figure *figure)
{
    return (struct local_estimate){figure->value, figure->standard_error * figure->standard_error,
                                   figure->lower, figure->upper};
}

/* Variance and quantiles: where reports hold more than a bit, and there are enough. */
static status estimate_spread(const struct local_survey_answer *answer, struct local_part *part,
                              const struct local_tally *tally, error *why)
{
    static struct local_figure figures[LOCAL_NUMBERS];
    const struct local_numeric *numeric = &part->question->numeric;
    size_t count = part->capacity - LOCAL_QUANTILE_ROWS;
    const struct numeric_quantiles wanted = {part->quantiles, count, !answer->request->plain,
                                             answer->request->confidence};
    struct local_figure spread;
    struct random *random = NULL;
    status result = local_numeric_spread(tally, numeric, answer->request->confidence, &spread, why);
    if (result == DITHER_OK)
        result = random_open(&random, why);
    if (result == DITHER_OK)
        result = local_numeric_quantiles(tally, numeric, &wanted, random, figures, why);
    random_close(random);
    if (result != DITHER_OK)
        return result == DITHER_REFUSED ? DITHER_OK : result;
    part->estimates[LOCAL_VARIANCE_ROW] = row_of(&spread);
    for (size_t i = 0; i < count; i++)
        part->estimates[LOCAL_QUANTILE_ROWS + i] = row_of(&figures[i]);
    part->count = part->capacity;
    return DITHER_OK;
}

/* Too few reports: nothing. */
static status estimate_number(const struct local_survey_answer *answer, struct local_part *part,
                              const struct local_tally *tally, error *why)
{
    struct local_figure mean;
    if (tally->people < 2)
        return DITHER_OK;
    TRY(local_numeric_mean(tally, &part->question->numeric, answer->request->confidence, &mean, why));
    part->estimates[LOCAL_MEAN_ROW] = row_of(&mean);
    part->count = 1;
    return estimate_spread(answer, part, tally, why);
}

static status estimate_values(const struct local_survey_answer *answer, struct local_part *part,
                              const struct local_tally *tally, error *why)
{
    const struct survey_question *question = part->question;
    part->count = part->capacity;
    if (question->kind == QUESTION_SET)
        return local_set_estimate(tally, &question->set, answer->request->confidence, part->estimates, why);
    TRY(local_estimate_conclude(tally, &question->oracle, answer->request, part->estimates, why));
    if (!answer->request->project)
        return DITHER_OK;
    return local_estimate_project(part->estimates, part->count, (double)tally->people, why);
}

static status estimate_texts(struct collect_view *view, const struct local_survey_answer *answer,
                             struct local_part *part, error *why)
{
    struct collect_texts texts = {view, part->question, answer->period};
    const struct prefix_source source = {collect_texts_replay, &texts};
    TRY(local_strings_find(&source, &part->question->prefix, answer->request, &part->strings, why));
    for (size_t i = 0; i < part->strings.found.count; i++)
        part->estimates[i] = part->strings.hitters[i].estimate;
    part->count = part->strings.found.count;
    part->people = part->strings.found.people;
    return DITHER_OK;
}

/* One question about numbers is drawn as their density, from its counters; all others from what is told. */
static bool wants_density(const struct local_survey_answer *answer)
{
    const struct survey_question *question = answer->parts[0].question;
    return answer->request->plot != NULL && answer->part_count == 1 && question->kind == QUESTION_NUMBER &&
           question->numeric.window != 0 && answer->parts[0].people >= 2;
}

static status estimate_counted(struct collect_view *view, const struct local_survey_answer *answer,
                               struct local_part *part, error *why)
{
    struct local_tally tally;
    TRY(question_tally(part->question, &tally, why));
    status result = collect_view_tally(view, part->question, answer->period, &tally, why);
    part->people = tally.people;
    if (result == DITHER_OK && part->question->kind == QUESTION_NUMBER)
        result = estimate_number(answer, part, &tally, why);
    else if (result == DITHER_OK)
        result = estimate_values(answer, part, &tally, why);
    if (result == DITHER_OK && wants_density(answer))
        result = local_figures_draw(&part->question->numeric, &tally, answer->request, why);
    local_tally_free(&tally);
    return result;
}

/* Counts are of those who were asked: from them to everybody who took part. */
static void widen(const struct local_survey_answer *answer, struct local_part *part)
{
    double reach = normal_two_sided(answer->request->confidence);
    if (part->question->kind == QUESTION_NUMBER || part->people == 0)
        return;
    for (size_t i = 0; i < part->count; i++)
        part->estimates[i] =
            local_estimate_widen(&part->estimates[i], (double)part->people, answer->everybody, reach);
}

static status estimate_one(struct collect_view *view, const struct local_survey_answer *answer,
                           struct local_part *part, error *why)
{
    static const double quartiles[] = {0.25, 0.5, 0.75};
    const struct local_numbers *quantiles = answer->request->quantiles;
    enum question_kind kind = part->question->kind;
    bool own = quantiles->count > 0;
    part->quantiles = own ? quantiles->values : quartiles;
    part->capacity = kind == QUESTION_NUMBER ? LOCAL_QUANTILE_ROWS + (own ? quantiles->count : 3)
                     : kind == QUESTION_TEXT ? PREFIX_KEEP_LIMIT
                                             : question_values(part->question);
    part->estimates = memory_allocate(part->capacity * sizeof *part->estimates);
    if (part->estimates == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu estimates", part->capacity);
    TRY((kind == QUESTION_TEXT ? estimate_texts : estimate_counted)(view, answer, part, why));
    if (answer->survey->asked < answer->survey->question_count)
        widen(answer, part);
    return DITHER_OK;
}

/* Everybody sent as many reports as he was asked questions, whichever they were. */
static status count_everybody(struct collect_view *view, struct local_survey_answer *answer, error *why)
{
    const struct survey *survey = answer->survey;
    uint64_t all = 0;
    for (size_t i = 0; i < survey->question_count; i++) {
        uint64_t taken = 0;
        TRY(collect_view_taken(view, &survey->questions[i], answer->period, &taken, why));
        all += taken;
    }
    answer->everybody = round((double)all / survey->asked);
    return DITHER_OK;
}

static status estimate_all(struct local_survey_answer *answer, error *why)
{
    struct collect_view *view = NULL;
    bool found = false;
    TRY(collect_view_open(answer->survey, &view, why));
    status result = collect_view_latest(view, &answer->period, &found, why);
    if (result == DITHER_OK && !found)
        answer->period = period_at(answer->survey->period, time(NULL));
    if (result == DITHER_OK && answer->request->period != NULL)
        result = local_pick_period(answer->survey, answer->request->period, &answer->period, why);
    if (result == DITHER_OK)
        result = count_everybody(view, answer, why);
    for (size_t i = 0; i < answer->part_count && result == DITHER_OK; i++)
        result = estimate_one(view, answer, &answer->parts[i], why);
    if (result == DITHER_OK)
        result = collect_view_refused(view, &answer->refused, why);
    collect_view_close(view);
    return result;
}

static void forget(struct local_survey_answer *answer)
{
    for (size_t i = 0; i < answer->part_count; i++) {
        struct local_part *part = &answer->parts[i];
        memory_release(part->estimates, part->capacity * sizeof *part->estimates);
        local_strings_free(&part->strings);
    }
}

/* An option that no question looks at is a mistake. */
static status check_request(const struct local_survey_answer *answer, error *why)
{
    bool numbers = false, texts = false;
    for (size_t i = 0; i < answer->part_count; i++) {
        numbers |= answer->parts[i].question->kind == QUESTION_NUMBER;
        texts |= answer->parts[i].question->kind == QUESTION_TEXT;
    }
    if (answer->request->quantiles->count > 0 && !numbers)
        return fail(why, DITHER_INVALID, "--quantiles are for numbers");
    if (answer->request->keep != 0 && !texts)
        return fail(why, DITHER_INVALID, "--keep is for texts");
    return DITHER_OK;
}

static status run(const char *path, const struct local_estimate_request *request, error *why)
{
    struct arena arena;
    static struct local_survey_answer answer;
    const struct survey_question *only = NULL;
    answer = (struct local_survey_answer){.request = request};
    arena_init(&arena, LOCAL_SURVEY_BYTES);
    status result = survey_read(path, &arena, &answer.survey, why);
    if (result == DITHER_OK)
        result = local_pick_question(answer.survey, request->question, &only, why);
    for (size_t i = 0; result == DITHER_OK && i < answer.survey->question_count; i++)
        if (only == NULL || only == &answer.survey->questions[i])
            answer.parts[answer.part_count++].question = &answer.survey->questions[i];
    if (result == DITHER_OK)
        result = check_request(&answer, why);
    if (result == DITHER_OK)
        result = estimate_all(&answer, why);
    if (result == DITHER_OK)
        result = local_answer_print(&answer, why);
    if (result == DITHER_OK && request->plot != NULL && !wants_density(&answer))
        result = local_answer_draw(&answer, why);
    forget(&answer);
    arena_free(&arena);
    return result;
}

int local_estimate_of_survey(int argc, char **argv, const struct local_estimate_request *request)
{
    error why;
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID, "which survey? One file, or --mechanism and files of reports");
        return cli_misused("local estimate", &why);
    }
    return run(argv[0], request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
