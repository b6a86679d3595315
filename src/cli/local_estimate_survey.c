/* `dither local estimate SURVEY`: what was collected so far, question by question, with intervals and a picture. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/plot_bars.h"
#include "base/plot_svg.h"
#include "cli/local_survey.h"
#include "cli/table.h"
#include "local/collect.h"

/* Rows of the answer to a question: a value each or, of numbers, a figure each. */
enum { FIGURES = 5, VARIANCE = 1 };
static const char *const figure_names[FIGURES] = {"mean", "variance", "quantile 0.25", "quantile 0.5",
                                                  "quantile 0.75"};

struct part {
    const struct survey_question *question;
    struct local_estimate *estimates;
    size_t capacity, count; /* of estimates; told */
    uint64_t people;
};

struct answer {
    const struct survey *survey;
    const struct local_estimate_request *request;
    int32_t period;
    struct part parts[SURVEY_QUESTIONS];
    size_t part_count;
    struct collect_counts refused;
};

static const char *row_name(const struct part *part, size_t row, char text[24])
{
    if (part->question->kind == QUESTION_NUMBER)
        return figure_names[row];
    if (part->question->values != NULL)
        return part->question->values[row];
    snprintf(text, 24, "%zu", row);
    return text;
}

/* ---- From the database ---- */

static struct local_estimate row_of(const struct local_figure *figure)
{
    return (struct local_estimate){figure->value, figure->standard_error * figure->standard_error,
                                   figure->lower, figure->upper};
}

/* The mean; where reports hold more than a bit, the variance and quartiles too. Too few reports: nothing. */
static status estimate_number(struct answer *answer, struct part *part, const struct local_tally *tally,
                              error *why)
{
    static const double shares[] = {0.25, 0.5, 0.75};
    const struct local_numeric *numeric = &part->question->numeric;
    const struct numeric_quantiles wanted = {shares, 3, true, answer->request->confidence};
    struct local_figure figures[FIGURES];
    struct random *random = NULL;
    if (tally->people < 2)
        return DITHER_OK;
    TRY(local_numeric_mean(tally, numeric, answer->request->confidence, &figures[0], why));
    part->count = 1;
    status result = local_numeric_spread(tally, numeric, answer->request->confidence, &figures[1], why);
    if (result == DITHER_OK)
        result = random_open(&random, why);
    if (result == DITHER_OK)
        result = local_numeric_quantiles(tally, numeric, &wanted, random, &figures[2], why);
    random_close(random);
    if (result == DITHER_OK)
        part->count = FIGURES;
    else if (result != DITHER_REFUSED)
        return result;
    for (size_t i = 0; i < part->count; i++)
        part->estimates[i] = row_of(&figures[i]);
    return DITHER_OK;
}

static status estimate_values(struct answer *answer, struct part *part, const struct local_tally *tally,
                              error *why)
{
    TRY(local_estimate_conclude(tally, &part->question->oracle, answer->request, part->estimates, why));
    part->count = part->capacity;
    if (!answer->request->project)
        return DITHER_OK;
    return local_estimate_project(part->estimates, part->count, (double)tally->people, why);
}

static status estimate_one(struct collect_view *view, struct answer *answer, struct part *part, error *why)
{
    bool number = part->question->kind == QUESTION_NUMBER;
    struct local_tally tally;
    part->capacity = number ? FIGURES : part->question->oracle.setting.domain;
    part->estimates = memory_allocate(part->capacity * sizeof *part->estimates);
    if (part->estimates == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for %zu estimates", part->capacity);
    TRY(question_tally(part->question, &tally, why));
    status result = collect_view_tally(view, part->question, answer->period, &tally, why);
    part->people = tally.people;
    if (result == DITHER_OK)
        result = (number ? estimate_number : estimate_values)(answer, part, &tally, why);
    local_tally_free(&tally);
    return result;
}

static status estimate_all(struct answer *answer, error *why)
{
    struct collect_view *view = NULL;
    bool found = false;
    TRY(collect_view_open(answer->survey, &view, why));
    status result = collect_view_latest(view, &answer->period, &found, why);
    if (result == DITHER_OK && !found)
        answer->period = period_at(answer->survey->period, time(NULL));
    if (result == DITHER_OK && answer->request->period != NULL)
        result = local_pick_period(answer->survey, answer->request->period, &answer->period, why);
    for (size_t i = 0; i < answer->part_count && result == DITHER_OK; i++)
        result = estimate_one(view, answer, &answer->parts[i], why);
    if (result == DITHER_OK)
        result = collect_view_refused(view, &answer->refused, why);
    collect_view_close(view);
    return result;
}

/* ---- As text ---- */

static void write_estimates(struct json_writer *json, const struct part *part)
{
    char number[24];
    json_write_key(json, "estimates");
    json_begin_array(json);
    for (size_t v = 0; v < part->count; v++) {
        const struct local_estimate *here = &part->estimates[v];
        json_begin_object(json);
        json_member_text(json, "value", row_name(part, v, number));
        json_member_number(json, "estimate", here->count);
        json_member_number(json, "standard_error", sqrt(here->variance));
        json_member_number(json, "lower", here->lower);
        json_member_number(json, "upper", here->upper);
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_json(const struct answer *answer, struct buffer *text)
{
    struct json_writer json;
    char period[PERIOD_TEXT];
    period_print(answer->survey->period, answer->period, period);
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "survey", answer->survey->name);
    json_member_number(&json, "version", (double)answer->survey->version);
    json_member_text(&json, "period", period);
    json_member_number(&json, "confidence", answer->request->confidence);
    json_write_key(&json, "questions");
    json_begin_array(&json);
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct part *part = &answer->parts[i];
        json_begin_object(&json);
        json_member_text(&json, "name", part->question->name);
        json_member_number(&json, "people", (double)part->people);
        json_member_number(&json, "epsilon", question_epsilon(part->question));
        write_estimates(&json, part);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_write_key(&json, "refused");
    json_begin_object(&json);
    for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS; verdict++)
        json_member_number(&json, collect_verdict_name((enum collect_verdict)verdict),
                           (double)answer->refused.of[verdict]);
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

/* CSV has the question in a column of its own; for people every question has a table. */
static status print_part(const struct part *part, size_t count, enum cli_format format, struct buffer *text,
                         error *why)
{
    static const char *const columns[] = {"estimate", "standard_error", "lower", "upper"};
    struct table table;
    table_init(&table);
    if (format == CLI_CSV)
        table_text_column(&table, "question");
    table_text_column(&table, "value");
    for (int i = 0; i < 4; i++)
        table_number_column(&table, columns[i]);
    for (const struct part *end = part + count; part < end; part++)
        for (size_t v = 0; v < part->count; v++) {
            const struct local_estimate *here = &part->estimates[v];
            const double cells[] = {here->count, sqrt(here->variance), here->lower, here->upper};
            char number[24];
            if (format == CLI_CSV)
                table_text(&table, part->question->name);
            table_text(&table, row_name(part, v, number));
            for (int c = 0; c < 4; c++)
                (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[c]);
        }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

static void print_refused(const struct collect_counts *refused, struct buffer *text)
{
    const char *between = "not counted:";
    for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS; verdict++) {
        if (refused->of[verdict] == 0)
            continue;
        buffer_format(text, "%s %" PRIu64 " %s", between, refused->of[verdict],
                      collect_verdict_name((enum collect_verdict)verdict));
        between = ",";
    }
    if (between[0] == ',')
        buffer_byte(text, '\n');
}

static status print_tables(const struct answer *answer, struct buffer *text, error *why)
{
    char period[PERIOD_TEXT];
    period_print(answer->survey->period, answer->period, period);
    buffer_format(text, "survey %s, version %" PRIu64 ", period %s\n", answer->survey->name,
                  answer->survey->version, period);
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct part *part = &answer->parts[i];
        buffer_format(text, "\n%s%s%s: %" PRIu64 " people, epsilon %.6g\n", part->question->name,
                      part->question->text != NULL ? ", " : "",
                      part->question->text != NULL ? part->question->text : "", part->people,
                      question_epsilon(part->question));
        TRY(print_part(part, 1, CLI_TABLE, text, why));
    }
    print_refused(&answer->refused, text);
    return DITHER_OK;
}

static status print_answer(const struct answer *answer, error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)1 << 30);
    status result = DITHER_OK;
    if (answer->request->format == CLI_JSON)
        print_json(answer, &text);
    else if (answer->request->format == CLI_CSV)
        result = print_part(answer->parts, answer->part_count, CLI_CSV, &text, why);
    else
        result = print_tables(answer, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

/* ---- As a picture ---- */

/* A bar for each value of the questions that have few enough. */
static status draw_bars(const struct answer *answer, struct buffer *svg, error *why)
{
    static struct plot_bar bars[SURVEY_QUESTIONS][PLOT_BARS];
    static char numbers[SURVEY_QUESTIONS][PLOT_BARS][24];
    struct plot_chart charts[SURVEY_QUESTIONS];
    size_t count = 0;
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct part *part = &answer->parts[i];
        if (part->count > PLOT_BARS)
            continue;
        bool number = part->question->kind == QUESTION_NUMBER;
        size_t drawn = 0;
        for (size_t v = 0; v < part->count; v++) {
            const struct local_estimate *here = &part->estimates[v];
            if (!number || v != VARIANCE) /* which is in another unit */
                bars[count][drawn++] = (struct plot_bar){row_name(part, v, numbers[count][v]), here->count,
                                                         here->lower, here->upper};
        }
        charts[count] =
            (struct plot_chart){part->question->text != NULL ? part->question->text : part->question->name,
                                number ? "value" : "people", bars[count], drawn};
        count++;
    }
    if (count < answer->part_count)
        return fail(why, DITHER_INVALID,
                    "a picture of more than %d values is drawn for one question at a time: --question",
                    PLOT_BARS);
    plot_bars(svg, charts, count);
    return DITHER_OK;
}

/* Three lines over the numbers of the values: too many for bars. */
static status draw_lines(const struct part *part, struct buffer *svg, error *why)
{
    size_t count = part->count;
    double *numbers = memory_allocate(4 * count * sizeof *numbers);
    if (numbers == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a picture of %zu values", count);
    double *x = numbers, *lower = x + count, *value = lower + count, *upper = value + count;
    for (size_t v = 0; v < count; v++) {
        x[v] = (double)v;
        lower[v] = part->estimates[v].lower;
        value[v] = part->estimates[v].count;
        upper[v] = part->estimates[v].upper;
    }
    const struct plot_panel panel = {
        .title = part->question->text != NULL ? part->question->text : part->question->name,
        .x_name = "value",
        .y_name = "people",
        .lines = {{"estimate", x, value, count}, {"lower", x, lower, count}, {"upper", x, upper, count}},
        .line_count = 3,
    };
    plot_svg(svg, &panel, 1);
    memory_release(numbers, 4 * count * sizeof *numbers);
    return DITHER_OK;
}

static status draw(const struct answer *answer, error *why)
{
    struct buffer svg;
    buffer_init(&svg, (size_t)1 << 30);
    bool lines = answer->part_count == 1 && answer->parts[0].count > PLOT_BARS;
    status result = lines ? draw_lines(&answer->parts[0], &svg, why) : draw_bars(answer, &svg, why);
    if (result == DITHER_OK)
        result = local_write_file(answer->request->plot, &svg, why);
    buffer_free(&svg);
    return result;
}

static void forget(struct answer *answer)
{
    for (size_t i = 0; i < answer->part_count; i++)
        memory_release(answer->parts[i].estimates,
                       answer->parts[i].capacity * sizeof *answer->parts[i].estimates);
}

static status run(const char *path, const struct local_estimate_request *request, error *why)
{
    struct arena arena;
    static struct answer answer;
    const struct survey_question *only = NULL;
    answer = (struct answer){.request = request};
    arena_init(&arena, LOCAL_SURVEY_BYTES);
    status result = survey_read(path, &arena, &answer.survey, why);
    if (result == DITHER_OK)
        result = local_pick_question(answer.survey, request->question, &only, why);
    for (size_t i = 0; result == DITHER_OK && i < answer.survey->question_count; i++)
        if (only == NULL || only == &answer.survey->questions[i])
            answer.parts[answer.part_count++].question = &answer.survey->questions[i];
    if (result == DITHER_OK)
        result = estimate_all(&answer, why);
    if (result == DITHER_OK)
        result = print_answer(&answer, why);
    if (result == DITHER_OK && request->plot != NULL)
        result = draw(&answer, why);
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
