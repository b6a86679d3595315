/* `dither local survey`: reads a survey file strictly and says what it asks, what it costs and how well it can tell. */
#include "cli/local_survey.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/nearest.h"
#include "cli/table.h"
#include "local/advise.h"
#include "local/survey_report.h"

static const struct cli_help help = {
    .usage = "local survey SURVEY [--people N] [--code] [--format table|csv|json]",
    .about =
        "Checks a survey file and shows its questions: key, mechanism, values (of texts: bytes), epsilon, "
        "bytes of a\n"
        "report and, for N people, the standard error of the estimated share of a rare value (of numbers: of "
        "the mean, as\n"
        "a share of the range). Below it: what a person loses who answers everything, in one period and over "
        "a year. "
        "--code prints the\n"
        "questions as C, for an app that links libdither (dither_local_question in dither.h).",
    .example = "  dither local survey commuting.yaml --people 1e5",
};

struct request {
    uint64_t people;
    bool code;
    enum cli_format format;
};

static const char *question_name(size_t index, const void *context)
{
    const struct survey *survey = context;
    return index < survey->question_count ? survey->questions[index].name : NULL;
}

status local_pick_question(const struct survey *survey, const char *name, const struct survey_question **out,
                           error *why)
{
    *out = name != NULL ? survey_question_named(survey, name) : NULL;
    if (name == NULL || *out != NULL)
        return DITHER_OK;
    const char *nearest = nearest_name(name, question_name, survey);
    return fail(why, DITHER_INVALID, "survey %s has no question \"%.63s\"%s%s%s", survey->name, name,
                nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "?" : "");
}

status local_pick_period(const struct survey *survey, const char *text, int32_t *out, error *why)
{
    if (!period_read(survey->period, text, out))
        return fail(why, DITHER_INVALID, "--period of this survey must be %s",
                    survey->period == PERIOD_ONCE ? "all" : "a day, such as 2026-11-30");
    return DITHER_OK;
}

/* How often a year has the period, at most; a survey that is asked once: once. */
static double times_a_year(enum period_kind period)
{
    static const double times[PERIOD_KINDS] = {
        [PERIOD_ONCE] = 1,     [PERIOD_DAILY] = 366,   [PERIOD_WEEKLY] = 54,
        [PERIOD_MONTHLY] = 12, [PERIOD_QUARTERLY] = 4, [PERIOD_YEARLY] = 1,
    };
    return times[period];
}

static int compare_costs(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* Fresh noise costs each time; memos cost once for every value that a person ever has: here, for one. Where questions are drawn, a
 * person may always draw the dearest ones, and every question that keeps memos. */
static double yearly_epsilon(const struct survey *survey)
{
    double sum = 0, fresh[SURVEY_QUESTIONS], times = times_a_year(survey->period);
    size_t count = 0;
    for (size_t i = 0; i < survey->question_count; i++) {
        const struct survey_question *question = &survey->questions[i];
        if (question->kind == QUESTION_LASTING)
            sum += local_lasting_loss(&question->lasting, times);
        else
            fresh[count++] = question_epsilon(question) * times;
    }
    qsort(fresh, count, sizeof *fresh, compare_costs);
    for (size_t i = 0; i < count && i < survey->asked; i++)
        sum += fresh[i];
    return sum;
}

/* How many of so many people answer each question. */
static double answering(const struct survey *survey, double people)
{
    return people * survey->asked / (double)survey->question_count;
}

/* Of the share of a rare value or text; of numbers, of the mean, as a share of the range. */
static double standard_error(const struct survey_question *question, double people)
{
    const struct local_numeric *numeric = &question->numeric;
    const struct prefix *prefix = &question->prefix;
    switch (question->kind) {
    case QUESTION_NUMBER:
        return sqrt(local_numeric_worst_variance(numeric) / people) /
               (numeric->setting.upper - numeric->setting.lower);
    case QUESTION_SET:
        return question->set.limit * local_rare_error(&question->oracle, people);
    case QUESTION_TEXT:
        return sqrt(prefix->groups * prefix->q * (1 - prefix->q) / people) / (prefix->p - prefix->q);
    case QUESTION_VALUES:
    case QUESTION_LASTING:
        break;
    }
    return local_rare_error(&question->oracle, people);
}

/* The share that a text needs to be found, on average. */
static double found_from(const struct survey_question *question, double people)
{
    const struct prefix_search search = {.keep = LOCAL_KEEP, .confidence = 0.95};
    return prefix_threshold(&question->prefix, &search, people) / people;
}

/* How many answers there are; of numbers, grid points; of texts, bytes. */
static double value_count(const struct survey_question *question)
{
    if (question->kind == QUESTION_TEXT)
        return question->prefix.setting.length;
    return question->kind == QUESTION_NUMBER ? question->numeric.setting.steps + 1.
                                             : question_values(question);
}

static void write_question(struct json_writer *json, const struct survey_question *question, double answers)
{
    char key[20];
    snprintf(key, sizeof key, "%016" PRIx64, question->key);
    json_begin_object(json);
    json_member_text(json, "name", question->name);
    if (question->text != NULL)
        json_member_text(json, "question", question->text);
    json_member_text(json, "key", key);
    json_member_text(json, "mechanism", question_mechanism(question));
    json_member_number(json, "values", value_count(question));
    json_member_number(json, "epsilon", question_epsilon(question));
    json_member_number(json, "report_bytes", (double)(REPORT_HEAD + question_report_bytes(question)));
    json_member_number(json, "counters", (double)question_cells(question));
    json_member_number(json, "hostile_report_moves", question_power(question));
    if (answers > 0)
        json_member_number(json, "standard_error", standard_error(question, answers));
    if (answers > 0 && question->kind == QUESTION_TEXT)
        json_member_number(json, "found_from", found_from(question, answers));
    json_end_object(json);
}

static void print_json(const struct survey *survey, double people, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "survey", survey->name);
    json_member_number(&json, "version", (double)survey->version);
    json_member_text(&json, "period", period_kind_name(survey->period));
    json_member_number(&json, "asked", survey->asked);
    json_member_number(&json, "epsilon", survey->epsilon);
    json_member_number(&json, "epsilon_per_year", yearly_epsilon(survey));
    json_write_key(&json, "questions");
    json_begin_array(&json);
    for (size_t i = 0; i < survey->question_count; i++)
        write_question(&json, &survey->questions[i], answering(survey, people));
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

/* What the table does not say: when texts are found, who is asked what, what it costs. */
static void print_remarks(const struct survey *survey, double people, struct buffer *text)
{
    bool drawn = survey->asked < survey->question_count;
    for (size_t i = 0; i < survey->question_count && people > 0; i++) {
        const struct survey_question *question = &survey->questions[i];
        if (question->kind == QUESTION_TEXT)
            buffer_format(text, "a text of %s is found when a share of about %.3g has it\n", question->name,
                          found_from(question, answering(survey, people)));
    }
    if (drawn)
        buffer_format(text, "everybody is asked %u of the %zu questions, drawn by chance\n", survey->asked,
                      survey->question_count);
    buffer_format(text, "who answers everything%s loses an epsilon of %s%.6g", drawn ? " asked" : "",
                  drawn ? "at most " : "", survey->epsilon);
    if (survey->period != PERIOD_ONCE)
        buffer_format(text, " each time, and up to %.6g in a year (%s)", yearly_epsilon(survey),
                      period_kind_name(survey->period));
    buffer_byte(text, '\n');
}

static status print_table(const struct survey *survey, double people, enum cli_format format,
                          struct buffer *text, error *why)
{
    static const char *const columns[] = {"values", "epsilon", "report_bytes", "counters", "standard_error"};
    struct table table;
    table_init(&table);
    table_text_column(&table, "question");
    table_text_column(&table, "key");
    table_text_column(&table, "mechanism");
    for (int i = 0; i < 4 + (people > 0); i++)
        table_number_column(&table, columns[i]);
    for (size_t i = 0; i < survey->question_count; i++) {
        const struct survey_question *question = &survey->questions[i];
        const double cells[] = {value_count(question), question_epsilon(question),
                                (double)(REPORT_HEAD + question_report_bytes(question)),
                                (double)question_cells(question),
                                people > 0 ? standard_error(question, answering(survey, people)) : 0};
        char key[20];
        snprintf(key, sizeof key, "%016" PRIx64, question->key);
        table_text(&table, question->name);
        table_text(&table, key);
        table_text(&table, question_mechanism(question));
        for (int c = 0; c < 4 + (people > 0); c++)
            (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[c]);
    }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    if (format != CLI_CSV)
        print_remarks(survey, people, text);
    return result;
}

/* Names are letters, digits, - and _: with _ for - they are C's, behind the survey's. */
static void write_identifier(struct buffer *text, const char *survey, const char *question)
{
    char name[2 * SURVEY_NAME_BYTES + 2];
    snprintf(name, sizeof name, "%s_%s", survey, question);
    for (char *byte = name; *byte != '\0'; byte++)
        if (*byte == '-')
            *byte = '_';
    buffer_format(text, "%s%s", name[0] >= '0' && name[0] <= '9' ? "survey_" : "", name);
}

static void write_values(const struct survey_question *question, struct buffer *text)
{
    const struct local_setting *setting = &question->oracle.setting;
    const struct local_lasting_setting *lasting = &question->lasting.setting;
    bool again = question->kind == QUESTION_LASTING;
    uint32_t bits = again ? lasting->bits : setting->bits;
    buffer_format(text, "    .domain = %u,\n", question_values(question));
    if (setting->hashes != 0)
        buffer_format(text, "    .hashes = %u,\n    .width = %u,\n    .seed = %" PRIu64 "u,\n",
                      setting->hashes, setting->width, setting->seed);
    if (bits != 0)
        buffer_format(text, "    .bits = %u,\n", bits);
    if (question->kind == QUESTION_SET)
        buffer_format(text, "    .items = %u,\n", question->set.limit);
    if (again && lasting->permanent != 0)
        buffer_format(text, "    .permanent = %a,\n", lasting->permanent);
}

static void write_options(const struct survey_question *question, struct buffer *text)
{
    const struct local_numeric_setting *numeric = &question->numeric.setting;
    const struct prefix_setting *prefix = &question->prefix.setting;
    if (question->kind == QUESTION_NUMBER)
        buffer_format(text, "    .lower = %a,\n    .upper = %a,\n    .steps = %u,\n", numeric->lower,
                      numeric->upper, numeric->steps);
    else if (question->kind == QUESTION_TEXT)
        buffer_format(text, "    .length = %u,\n    .group_bits = %u,\n", prefix->length, prefix->step);
    else
        write_values(question, text);
}

/* The function of dither.h that reports about it. */
static const char *reporter(const struct survey_question *question)
{
    static const char *const names[] = {
        [QUESTION_VALUES] = "",  [QUESTION_LASTING] = "_again", [QUESTION_NUMBER] = "_number",
        [QUESTION_SET] = "_set", [QUESTION_TEXT] = "_text",
    };
    return names[question->kind];
}

static void print_code(const struct survey *survey, struct buffer *text)
{
    static const char *const periods[PERIOD_KINDS] = {"ONCE",    "DAILY",     "WEEKLY",
                                                      "MONTHLY", "QUARTERLY", "YEARLY"};
    buffer_format(text, "/* Survey %s, version %" PRIu64 ", made by `dither local survey --code`.",
                  survey->name, survey->version);
    if (survey->asked < survey->question_count)
        buffer_format(text, " Which %u of the %zu questions to ask: dither_local_draw.", survey->asked,
                      survey->question_count);
    buffer_text(text, " */\n");
    for (size_t i = 0; i < survey->question_count; i++) {
        const struct survey_question *question = &survey->questions[i];
        buffer_format(text, "/* for dither_local_report%s */\nstatic const dither_local_question ",
                      reporter(question));
        write_identifier(text, survey->name, question->name);
        buffer_format(text,
                      " = {\n    .key = 0x%016" PRIx64
                      ",\n    .mechanism = \"%s\",\n    .period = DITHER_LOCAL_%s,\n    .epsilon = %a,\n",
                      question->key, question_mechanism(question), periods[survey->period],
                      question_epsilon(question));
        write_options(question, text);
        buffer_text(text, "};\n");
    }
}

static status show(const struct survey *survey, const struct request *request, error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)1 << 20);
    status result = DITHER_OK;
    if (request->code)
        print_code(survey, &text);
    else if (request->format == CLI_JSON)
        print_json(survey, (double)request->people, &text);
    else
        result = print_table(survey, (double)request->people, request->format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

int local_survey_command(int argc, char **argv)
{
    struct request request = {0};
    const struct cli_option list[] = {
        {"people", "N", "how many will report", local_read_whole, &request.people, NULL, 0},
        {"code", NULL, "the questions as C, for an app", NULL, &request.code, NULL, 0},
        {"format", "FORMAT", "table, csv or json", cli_read_format, &request.format, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("local survey", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (argc != 1) {
        (void)fail(&why, DITHER_INVALID, "which survey? One file");
        return cli_misused("local survey", &why);
    }
    struct arena arena;
    const struct survey *survey = NULL;
    arena_init(&arena, LOCAL_SURVEY_BYTES);
    status result = survey_read(argv[0], &arena, &survey, &why);
    if (result == DITHER_OK)
        result = show(survey, &request, &why);
    arena_free(&arena);
    return result == DITHER_OK ? CLI_DONE : cli_failed(&why);
}
