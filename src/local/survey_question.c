/* One question of a survey: its values, its mechanism. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "local/survey_reader.h"

enum { SUBJECT_BYTES = 100 };
static const char PREFIX[] = "prefix";

/* All of them: oracles, repeated ones, numbers, texts. */
static const char *mechanism_name(size_t index, const void *context)
{
    (void)context;
    size_t oracles = 0, lasting = 0;
    while (local_oracle_kind_at(oracles) != NULL)
        oracles++;
    while (local_lasting_kind_at(lasting) != NULL)
        lasting++;
    if (index < oracles)
        return local_oracle_kind_at(index)->name;
    if (index < oracles + lasting)
        return local_lasting_kind_at(index - oracles)->name;
    size_t numbers = index - oracles - lasting;
    for (size_t i = 0; i <= numbers; i++)
        if (local_numeric_kind_at(i) == NULL)
            return i == numbers ? PREFIX : NULL;
    return local_numeric_kind_at(numbers)->name;
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

/* The lower end is rounded up and the upper down: nothing outside what is declared is ever counted. */
static status read_range(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject, struct local_numeric_setting *setting)
{
    const struct yaml_node *range = yaml_find(node, "range"), *upper = NULL;
    uint64_t steps = 0;
    if (range == NULL)
        return policy_refuse(reader, node->key_line, "%s needs range: [LOWER, UPPER]", subject);
    if (range->kind == YAML_LIST && range->count == 2)
        upper = range->first->next;
    if (upper == NULL || range->first->kind != YAML_TEXT || upper->kind != YAML_TEXT ||
        number_parse(range->first->text, NUMBER_UP, &setting->lower, NULL) != DITHER_OK ||
        number_parse(upper->text, NUMBER_DOWN, &setting->upper, NULL) != DITHER_OK ||
        !(setting->lower < setting->upper))
        return policy_refuse(reader, range->line, "range of %s must be two numbers, such as [0, 100]",
                             subject);
    TRY(policy_whole(reader, yaml_find(node, "steps"), subject, NUMERIC_STEPS_LIMIT, &steps));
    setting->steps = (uint32_t)steps;
    return DITHER_OK;
}

/* Keys that the kind of question has no use for. */
static status refuse_keys(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        const struct yaml_node *found = yaml_find(node, *keys);
        if (found != NULL)
            return policy_refuse(reader, found->key_line, "%s: mechanism %s has no option %s", subject,
                                 yaml_find(node, "mechanism")->text, *keys);
    }
    return DITHER_OK;
}

static status read_number(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct survey_question *question, error *inner)
{
    static const char *const foreign[] = {"values",    "domain", "hashes", "width",      "bits", "seed",
                                          "permanent", "items",  "length", "group_bits", NULL};
    struct local_numeric_setting setting = {0};
    question->kind = QUESTION_NUMBER;
    TRY(refuse_keys(reader, node, subject, foreign));
    TRY(read_range(reader, node, subject, &setting));
    TRY(read_epsilon(reader, yaml_find(node, "epsilon"), subject, &setting.epsilon));
    const struct local_numeric_kind *kind = local_numeric_kind_named(yaml_find(node, "mechanism")->text);
    if (local_numeric_init(&question->numeric, kind, &setting, inner) != DITHER_OK)
        return policy_refuse(reader, node->key_line, "%s: %.200s", subject, inner->message);
    return DITHER_OK;
}

static status make_lasting(const struct local_lasting_kind *kind, const struct local_setting *setting,
                           struct survey_question *question, error *why)
{
    const struct local_lasting_setting lasting = {
        .domain = setting->domain,
        .epsilon = setting->epsilon,
        .permanent = setting->permanent,
        .bits = setting->bits,
        .hashes = setting->hashes,
        .width = setting->width,
        .seed = setting->seed,
    };
    question->kind = QUESTION_LASTING;
    TRY(local_lasting_init(&question->lasting, kind, &lasting, why));
    question->oracle = question->lasting.oracle;
    return DITHER_OK;
}

/* Names of items stand in one answer, with semicolons between them. */
static status read_items(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject, const struct survey_question *question, uint32_t *out)
{
    const struct yaml_node *items = yaml_find(node, "items"), *values = yaml_find(node, "values");
    uint64_t limit = 0;
    TRY(policy_whole(reader, items, subject, LOCAL_SET_LIMIT, &limit));
    if (limit > 0 && question->values != NULL)
        for (const struct yaml_node *value = values->first; value != NULL; value = value->next)
            if (strchr(value->text, ';') != NULL)
                return policy_refuse(reader, value->line,
                                     "a value of %s, of which several are named, has a ; in it", subject);
    *out = (uint32_t)limit;
    return DITHER_OK;
}

static status make_set(const struct local_oracle_kind *kind, const struct local_setting *setting,
                       uint32_t items, struct survey_question *question, error *why)
{
    question->kind = QUESTION_SET;
    TRY(local_set_init(&question->set, kind, setting, items, why));
    question->oracle = question->set.oracle;
    return DITHER_OK;
}

static status read_text(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                        struct survey_question *question, error *inner)
{
    static const char *const foreign[] = {"values",    "domain", "hashes", "width", "bits", "seed",
                                          "permanent", "items",  "range",  "steps", NULL};
    struct prefix_setting setting = {0};
    uint64_t length = SURVEY_LENGTH, step = 0;
    question->kind = QUESTION_TEXT;
    TRY(refuse_keys(reader, node, subject, foreign));
    TRY(read_epsilon(reader, yaml_find(node, "epsilon"), subject, &setting.epsilon));
    TRY(policy_whole(reader, yaml_find(node, "length"), subject, PREFIX_LENGTH_LIMIT, &length));
    TRY(policy_whole(reader, yaml_find(node, "group_bits"), subject, PREFIX_STEP_LIMIT, &step));
    setting.length = (uint32_t)length;
    setting.step = (uint32_t)step;
    if (prefix_init(&question->prefix, &setting, inner) != DITHER_OK)
        return policy_refuse(reader, node->key_line, "%s: %.200s", subject, inner->message);
    return DITHER_OK;
}

/* rappor is in both lists: with a permanent response it is a repeated question. */
static status read_categories(const struct policy_reader *reader, const struct yaml_node *node,
                              const char *subject, struct survey_question *question, error *inner)
{
    static const char *const foreign[] = {"range", "steps", "length", "group_bits", NULL};
    struct local_setting setting = {0};
    uint32_t items = 0;
    const char *name = yaml_find(node, "mechanism")->text;
    TRY(refuse_keys(reader, node, subject, foreign));
    TRY(read_domain(reader, node, subject, question, &setting));
    TRY(read_epsilon(reader, yaml_find(node, "epsilon"), subject, &setting.epsilon));
    TRY(read_options(reader, node, subject, &setting));
    TRY(read_items(reader, node, subject, question, &items));
    const struct local_oracle_kind *kind = local_oracle_kind_named(name);
    const struct local_lasting_kind *lasting = local_lasting_kind_named(name);
    bool once = kind != NULL && (lasting == NULL || setting.permanent == 0);
    if (items > 0 && !once)
        return policy_refuse(reader, yaml_find(node, "items")->key_line,
                             "%s: sets are asked once, not again and again with memos", subject);
    status result = items > 0 ? make_set(kind, &setting, items, question, inner)
                    : once    ? local_oracle_init(&question->oracle, kind, &setting, inner)
                              : make_lasting(lasting, &setting, question, inner);
    if (result != DITHER_OK)
        return policy_refuse(reader, node->key_line, "%s: %.200s", subject, inner->message);
    return DITHER_OK;
}

static status check_mechanism(const struct policy_reader *reader, const struct yaml_node *node,
                              const char *subject)
{
    const char *name = NULL;
    TRY(policy_text(reader, node, subject, &name));
    if (local_oracle_kind_named(name) != NULL || local_lasting_kind_named(name) != NULL ||
        local_numeric_kind_named(name) != NULL || strcmp(name, PREFIX) == 0)
        return DITHER_OK;
    char hint[POLICY_HINT];
    policy_hint(name, mechanism_name, NULL, hint);
    return policy_refuse(reader, node->line, "mechanism of %s: there is no \"%.40s\"%s", subject, name, hint);
}

static status check_keys(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject)
{
    static const char *const known[] = {"question", "values", "domain",     "range", "steps",     "mechanism",
                                        "epsilon",  "hashes", "width",      "bits",  "permanent", "seed",
                                        "items",    "length", "group_bits", NULL};
    if (!survey_is_name(node->key))
        return policy_refuse(reader, node->key_line,
                             "the name of a question is made of up to %d letters, digits, - and _",
                             SURVEY_NAME_BYTES);
    TRY(policy_keys(reader, node, subject, known));
    if (yaml_find(node, "mechanism") == NULL || yaml_find(node, "epsilon") == NULL)
        return policy_refuse(reader, node->key_line, "%s needs mechanism: and epsilon:", subject);
    return check_mechanism(reader, yaml_find(node, "mechanism"), subject);
}

status survey_read_question(const struct policy_reader *reader, const struct yaml_node *node,
                            struct survey_question *out)
{
    char subject[SUBJECT_BYTES];
    snprintf(subject, sizeof subject, "question %.63s", node->key);
    struct survey_question question = {.name = node->key, .line = node->key_line};
    error inner;
    TRY(check_keys(reader, node, subject));
    TRY(policy_text(reader, yaml_find(node, "question"), subject, &question.text));
    const char *mechanism = yaml_find(node, "mechanism")->text;
    if (strcmp(mechanism, PREFIX) == 0)
        TRY(read_text(reader, node, subject, &question, &inner));
    else if (local_numeric_kind_named(mechanism) != NULL)
        TRY(read_number(reader, node, subject, &question, &inner));
    else
        TRY(read_categories(reader, node, subject, &question, &inner));
    *out = question;
    return DITHER_OK;
}
