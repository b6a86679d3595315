/* The survey as a whole: its top keys, then its questions. */
#include "local/survey.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "local/several.h"
#include "local/survey_reader.h"
#include "policy/file.h"

bool survey_is_name(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    return length > 0 && length <= SURVEY_NAME_BYTES && text[length] == '\0';
}

static status read_period(const struct policy_reader *reader, const struct yaml_node *node,
                          enum period_kind *out)
{
    if (node == NULL)
        return DITHER_OK;
    for (int kind = 0; kind < PERIOD_KINDS; kind++)
        if (node->kind == YAML_TEXT && strcmp(node->text, period_kind_name((enum period_kind)kind)) == 0) {
            *out = (enum period_kind)kind;
            return DITHER_OK;
        }
    return policy_refuse(reader, node->line,
                         "period of the survey must be once, daily, weekly, monthly, quarterly or yearly");
}

static status read_head(const struct policy_reader *reader, const struct yaml_node *root,
                        struct survey *survey)
{
    static const char *const known[] = {"survey",   "version", "period",    "limit",
                                        "database", "ask",     "questions", NULL};
    static const char *const needed[] = {"survey", "questions"};
    TRY(policy_keys(reader, root, "a survey", known));
    for (int i = 0; i < 2; i++)
        if (yaml_find(root, needed[i]) == NULL)
            return policy_refuse(reader, root->line, "a survey needs %s:", needed[i]);
    const struct yaml_node *name = yaml_find(root, "survey"), *database = yaml_find(root, "database");
    TRY(policy_text(reader, name, "the survey", &survey->name));
    if (!survey_is_name(survey->name))
        return policy_refuse(reader, name->line, "survey must be a name of up to %d letters, digits, - and _",
                             SURVEY_NAME_BYTES);
    survey->version = 1;
    survey->limit = SURVEY_LIMIT;
    TRY(policy_whole(reader, yaml_find(root, "version"), "the survey", INT32_MAX, &survey->version));
    TRY(policy_whole(reader, yaml_find(root, "limit"), "the survey", SURVEY_LIMIT_MOST, &survey->limit));
    TRY(read_period(reader, yaml_find(root, "period"), &survey->period));
    if (database == NULL)
        return policy_file_renamed(reader->file, ".reports", reader->arena, &survey->database, reader->why);
    TRY(policy_text(reader, database, "the survey", &survey->database));
    return policy_file_beside(reader->file, survey->database, reader->arena, &survey->database, reader->why);
}

/* How many of them a person is asked: it is part of their keys. */
static status read_asked(const struct policy_reader *reader, const struct yaml_node *root, size_t questions,
                         struct survey *survey)
{
    const struct yaml_node *node = yaml_find(root, "ask");
    uint64_t asked = questions;
    TRY(policy_whole(reader, node, "the survey", SURVEY_QUESTIONS, &asked));
    if (asked > questions)
        return policy_refuse(reader, node->line, "ask: %" PRIu64 " where there are %zu questions", asked,
                             questions);
    survey->asked = (uint32_t)asked;
    return DITHER_OK;
}

static status read_questions(const struct policy_reader *reader, const struct yaml_node *root,
                             struct survey *survey)
{
    const struct yaml_node *map = yaml_find(root, "questions");
    TRY(policy_members(reader, map, "questions", SURVEY_QUESTIONS));
    TRY(read_asked(reader, root, map->count, survey));
    struct survey_question *questions = NULL;
    TRY(policy_take(reader, map->count, sizeof *questions, &questions));
    survey->questions = questions;
    for (const struct yaml_node *node = map->first; node != NULL; node = node->next) {
        struct survey_question *question = &questions[survey->question_count++];
        TRY(survey_read_question(reader, node, question));
    }
    for (size_t i = 0; i < survey->question_count; i++)
        TRY(survey_make_key(survey, &questions[i], reader->why));
    return DITHER_OK;
}

static int compare_epsilons(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* The largest, whichever are drawn; rounded up, so that what is told is never less than what is lost. */
static double whole_epsilon(const struct survey *survey)
{
    double epsilons[SURVEY_QUESTIONS];
    for (size_t i = 0; i < survey->question_count; i++)
        epsilons[i] = question_epsilon(&survey->questions[i]);
    qsort(epsilons, survey->question_count, sizeof *epsilons, compare_epsilons);
    int mode = fegetround();
    (void)fesetround(FE_UPWARD);
    volatile double sum = 0;
    for (size_t i = 0; i < survey->asked; i++)
        sum = sum + epsilons[i];
    (void)fesetround(mode);
    return sum;
}

status survey_parse(const char *text, size_t length, const char *path, struct arena *arena,
                    const struct survey **out, error *why)
{
    const struct yaml_node *root = NULL;
    struct survey *survey = NULL;
    char *copy = NULL;
    const struct policy_reader reader = {.file = path, .arena = arena, .why = why};
    TRY(yaml_read(text, length, path, arena, &root, why));
    TRY(policy_take(&reader, 1, sizeof *survey, &survey));
    TRY(read_head(&reader, root, survey));
    TRY(read_questions(&reader, root, survey));
    survey->epsilon = whole_epsilon(survey);
    TRY(arena_text(arena, text, length, &copy, why));
    survey->text = copy;
    *out = survey;
    return DITHER_OK;
}

status survey_read(const char *path, struct arena *arena, const struct survey **out, error *why)
{
    char *text = NULL;
    size_t length = 0;
    TRY(policy_file_text(path, arena, &text, &length, why));
    return survey_parse(text, length, path, arena, out, why);
}

const struct survey_question *survey_question_named(const struct survey *survey, const char *name)
{
    for (size_t i = 0; i < survey->question_count; i++)
        if (strcmp(survey->questions[i].name, name) == 0)
            return &survey->questions[i];
    return NULL;
}

const struct survey_question *survey_question_keyed(const struct survey *survey, uint64_t key)
{
    for (size_t i = 0; i < survey->question_count; i++)
        if (survey->questions[i].key == key)
            return &survey->questions[i];
    return NULL;
}

status survey_draw(const struct survey *survey, struct random *random, uint32_t chosen[SURVEY_QUESTIONS],
                   error *why)
{
    const struct local_several several = {(uint32_t)survey->question_count, survey->asked, survey->epsilon};
    return local_several_draw(&several, random, chosen, why);
}
