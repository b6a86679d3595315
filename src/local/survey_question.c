/* One question of a survey: its values, its mechanism, its key. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "ledger/digest.h"
#include "local/survey_reader.h"

enum { SUBJECT_BYTES = 100 };

static const char *mechanism_name(size_t index, const void *context)
{
    (void)context;
    const struct local_oracle_kind *kind = local_oracle_kind_at(index);
    return kind != NULL ? kind->name : NULL;
}

static status read_epsilon(const struct policy_reader *reader, const struct yaml_node *node,
                           const char *subject, double *out)
{
    if (node == NULL)
        return DITHER_OK;
    double epsilon = 0;
    if (node->kind != YAML_TEXT || node->quoted ||
        number_parse(node->text, NUMBER_DOWN, &epsilon, NULL) != DITHER_OK ||
        !(epsilon >= LOCAL_EPSILON_LEAST && epsilon <= LOCAL_EPSILON_MOST))
        return policy_refuse(reader, node->line, "%s of %s must lie between %g and %g", node->key, subject,
                             LOCAL_EPSILON_LEAST, LOCAL_EPSILON_MOST);
    *out = epsilon;
    return DITHER_OK;
}

static status check_value(const struct policy_reader *reader, const struct yaml_node *value,
                          const char *subject)
{
    if (value->kind != YAML_TEXT || value->length == 0 || value->length > SURVEY_VALUE_BYTES)
        return policy_refuse(reader, value->line, "values of %s must be texts of 1 to %d bytes", subject,
                             SURVEY_VALUE_BYTES);
    for (const char *byte = value->text; *byte != '\0'; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7f)
            return policy_refuse(reader, value->line, "a value of %s has a control character in it", subject);
    return DITHER_OK;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Two values of one name could not be told apart: sorted, they stand side by side. */
static status check_distinct(const struct policy_reader *reader, const struct yaml_node *list,
                             const char *const *names, const char *subject)
{
    const char **sorted = NULL;
    TRY(policy_take(reader, list->count, sizeof *sorted, &sorted));
    memcpy(sorted, names, list->count * sizeof *sorted);
    qsort(sorted, list->count, sizeof *sorted, compare_texts);
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return policy_refuse(reader, list->line, "values of %s: \"%.60s\" stands there twice", subject,
                                 sorted[i]);
    return DITHER_OK;
}

static status read_values(const struct policy_reader *reader, const struct yaml_node *list,
                          const char *subject, struct survey_question *question,
                          struct local_setting *setting)
{
    if (list->kind != YAML_LIST || list->count < 2)
        return policy_refuse(reader, list->line, "values of %s must be a list of two or more", subject);
    const char **names = NULL;
    size_t count = 0;
    TRY(policy_take(reader, list->count, sizeof *names, &names));
    for (const struct yaml_node *value = list->first; value != NULL; value = value->next) {
        TRY(check_value(reader, value, subject));
        names[count++] = value->text;
    }
    TRY(check_distinct(reader, list, names, subject));
    question->values = names;
    setting->domain = (uint32_t)count; /* YAML_NODES bounds it */
    return DITHER_OK;
}

static status read_domain(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct survey_question *question,
                          struct local_setting *setting)
{
    const struct yaml_node *values = yaml_find(node, "values"), *domain = yaml_find(node, "domain");
    if ((values == NULL) == (domain == NULL))
        return policy_refuse(reader, node->line, "%s needs values: or domain:, one of them", subject);
    if (values != NULL)
        return read_values(reader, values, subject, question, setting);
    uint64_t count = 0;
    TRY(policy_whole(reader, domain, subject, LOCAL_DOMAIN_LIMIT, &count));
    if (count < 2)
        return policy_refuse(reader, domain->line, "domain of %s must be 2 or more", subject);
    setting->domain = (uint32_t)count;
    return DITHER_OK;
}

static status read_options(const struct policy_reader *reader, const struct yaml_node *node,
                           const char *subject, struct local_setting *setting)
{
    uint64_t hashes = 0, width = 0, bits = 0;
    TRY(policy_whole(reader, yaml_find(node, "hashes"), subject, LOCAL_HASHES_LIMIT, &hashes));
    TRY(policy_whole(reader, yaml_find(node, "width"), subject, LOCAL_WIDTH_LIMIT, &width));
    TRY(policy_whole(reader, yaml_find(node, "bits"), subject, 64, &bits));
    TRY(policy_whole(reader, yaml_find(node, "seed"), subject, UINT64_MAX, &setting->seed));
    TRY(read_epsilon(reader, yaml_find(node, "permanent"), subject, &setting->permanent));
    setting->hashes = (uint32_t)hashes;
    setting->width = (uint32_t)width;
    setting->bits = (uint32_t)bits;
    return DITHER_OK;
}

static status find_mechanism(const struct policy_reader *reader, const struct yaml_node *node,
                             const char *subject, const struct local_oracle_kind **out)
{
    const char *name = NULL;
    TRY(policy_text(reader, node, subject, &name));
    *out = local_oracle_kind_named(name);
    if (*out != NULL)
        return DITHER_OK;
    char hint[POLICY_HINT];
    policy_hint(name, mechanism_name, NULL, hint);
    return policy_refuse(reader, node->line, "mechanism of %s: there is no \"%.40s\"%s", subject, name, hint);
}

static status check_keys(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject)
{
    static const char *const known[] = {"question", "values", "domain", "mechanism", "epsilon", "hashes",
                                        "width",    "bits",   "seed",   "permanent", NULL};
    if (!survey_is_name(node->key))
        return policy_refuse(reader, node->key_line,
                             "the name of a question is made of up to %d letters, digits, - and _",
                             SURVEY_NAME_BYTES);
    TRY(policy_keys(reader, node, subject, known));
    if (yaml_find(node, "mechanism") == NULL || yaml_find(node, "epsilon") == NULL)
        return policy_refuse(reader, node->key_line, "%s needs mechanism: and epsilon:", subject);
    return DITHER_OK;
}

status survey_read_question(const struct policy_reader *reader, const struct yaml_node *node,
                            struct survey_question *out)
{
    char subject[SUBJECT_BYTES];
    snprintf(subject, sizeof subject, "question %.63s", node->key);
    struct survey_question question = {.name = node->key, .line = node->key_line};
    struct local_setting setting = {0};
    const struct local_oracle_kind *kind = NULL;
    TRY(check_keys(reader, node, subject));
    TRY(policy_text(reader, yaml_find(node, "question"), subject, &question.text));
    TRY(read_domain(reader, node, subject, &question, &setting));
    TRY(find_mechanism(reader, yaml_find(node, "mechanism"), subject, &kind));
    TRY(read_epsilon(reader, yaml_find(node, "epsilon"), subject, &setting.epsilon));
    TRY(read_options(reader, node, subject, &setting));
    error inner;
    if (local_oracle_init(&question.oracle, kind, &setting, &inner) != DITHER_OK)
        return policy_refuse(reader, node->key_line, "%s: %.200s", subject, inner.message);
    *out = question;
    return DITHER_OK;
}

/* The setting with its defaults filled in: two files that mean the same have the same key. */
static void describe(const struct survey *survey, const struct survey_question *question, struct buffer *out)
{
    const struct local_setting *setting = &question->oracle.setting;
    char epsilon[NUMBER_TEXT], permanent[NUMBER_TEXT];
    number_print_exact(setting->epsilon, epsilon);
    number_print_exact(setting->permanent, permanent);
    buffer_format(out, "dither survey 1\n%s\n%" PRIu64 "\n%s\n%s\n%s\n%u %s %u %u %u %s %" PRIu64 "\n",
                  survey->name, survey->version, period_kind_name(survey->period), question->name,
                  question->oracle.kind->name, setting->domain, epsilon, setting->hashes, setting->width,
                  setting->bits, permanent, setting->seed);
    for (uint32_t v = 0; question->values != NULL && v < setting->domain; v++)
        buffer_format(out, "%s\n", question->values[v]);
}

status survey_make_key(const struct survey *survey, struct survey_question *question, error *why)
{
    struct buffer text;
    struct digest digest;
    buffer_init(&text, (size_t)64 << 20);
    describe(survey, question, &text);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = digest_of(text.data, text.length, &digest, why);
    buffer_free(&text);
    TRY(result);
    question->key = 0;
    for (int i = 0; i < 8; i++)
        question->key |= (uint64_t)digest.bytes[i] << 8 * i;
    return DITHER_OK;
}
