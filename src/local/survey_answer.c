/* From an answer as people write it to a report. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "local/person.h"
#include "local/survey.h"

_Static_assert(2 * SURVEY_NAME_BYTES + 1 <= PERSON_SURVEY_NAME, "both names fit");

static bool find_value(const struct survey_question *question, const char *text, uint32_t *out)
{
    uint64_t number = 0;
    uint32_t domain = question_values(question);
    if (question->values == NULL) {
        if (number_parse_whole(text, &number, NULL) != DITHER_OK || number >= domain)
            return false;
        *out = (uint32_t)number;
        return true;
    }
    for (uint32_t v = 0; v < domain; v++)
        if (strcmp(question->values[v], text) == 0) {
            *out = v;
            return true;
        }
    return false;
}

static status pay(const struct survey_maker *maker, double epsilon, error *why)
{
    return maker->person != NULL ? person_spend(maker->person, epsilon, why) : DITHER_OK;
}

static status randomise_number(const struct survey_question *question, const char *answer,
                               const struct survey_maker *maker, unsigned char *report, error *why)
{
    double number = 0;
    if (number_parse(answer, NUMBER_NEAREST, &number, NULL) != DITHER_OK)
        return fail(why, DITHER_INVALID, "is not a number");
    TRY(pay(maker, question_epsilon(question), why));
    return local_numeric_randomise(&question->numeric, number, maker->random, report, why);
}

/* The items of an answer, without those that are named again. The text is cut at its semicolons. */
static status find_items(const struct survey_question *question, char *text, uint32_t *items, size_t *count,
                         error *why)
{
    *count = 0;
    for (char *item = text, *end; *item != '\0'; item = end) {
        uint32_t value = 0;
        bool again = false;
        end = item + strcspn(item, ";");
        if (*end == ';')
            *end++ = '\0';
        if (*item == '\0')
            continue;
        if (!find_value(question, item, &value))
            return fail(why, DITHER_INVALID, "names something that is none of its values");
        for (size_t i = 0; i < *count; i++)
            again = again || items[i] == value;
        if (again)
            continue;
        if (*count == SURVEY_SET_ITEMS)
            return fail(why, DITHER_INVALID, "names more than %d values", SURVEY_SET_ITEMS);
        items[(*count)++] = value;
    }
    return DITHER_OK;
}

static status randomise_set(const struct survey_question *question, const char *answer,
                            const struct survey_maker *maker, unsigned char *report, error *why)
{
    uint32_t items[SURVEY_SET_ITEMS];
    size_t count = 0, bytes = strlen(answer) + 1;
    char *text = memory_allocate(bytes);
    if (text == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for an answer");
    memcpy(text, answer, bytes);
    status result = find_items(question, text, items, &count, why);
    if (result == DITHER_OK)
        result = pay(maker, question_epsilon(question), why);
    if (result == DITHER_OK)
        result = local_set_randomise(&question->set, items, count, maker->random, report, why);
    explicit_bzero(items, sizeof items);
    explicit_bzero(text, bytes);
    memory_release(text, bytes);
    return result;
}

static status randomise_text(const struct survey_question *question, const char *answer,
                             const struct survey_maker *maker, unsigned char *report, error *why)
{
    TRY(pay(maker, question->prefix.setting.epsilon, why));
    return prefix_randomise(&question->prefix, answer, strlen(answer), maker->random, report, why);
}

/* Questions have memos of their own, also when their settings are the same. */
static status report_lasting(const struct survey_question *question, uint32_t value,
                             const struct survey_maker *maker, unsigned char *report, error *why)
{
    char name[PERSON_SURVEY_NAME + 1];
    snprintf(name, sizeof name, "%s.%s", maker->survey->name, question->name);
    return person_report(maker->person, name, &question->lasting, value, maker->random, report, why);
}

status question_randomise(const struct survey_question *question, const char *answer,
                          const struct survey_maker *maker, unsigned char *report, error *why)
{
    uint32_t value = 0;
    if (question->kind == QUESTION_NUMBER)
        return randomise_number(question, answer, maker, report, why);
    if (question->kind == QUESTION_SET)
        return randomise_set(question, answer, maker, report, why);
    if (question->kind == QUESTION_TEXT)
        return randomise_text(question, answer, maker, report, why);
    if (!find_value(question, answer, &value))
        return fail(why, DITHER_INVALID, "is none of its values");
    if (question->kind == QUESTION_LASTING) {
        if (maker->person == NULL)
            return fail(why, DITHER_INVALID, "needs the memory of one person: its mechanism keeps memos");
        return report_lasting(question, value, maker, report, why);
    }
    TRY(pay(maker, question_epsilon(question), why));
    return local_oracle_randomise(&question->oracle, value, maker->random, report, why);
}
