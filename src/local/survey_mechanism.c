/* What a question's mechanism is asked, and who answers. */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "local/person.h"
#include "local/survey.h"

_Static_assert(2 * SURVEY_NAME_BYTES + 1 <= PERSON_SURVEY_NAME, "both names fit");

const char *question_mechanism(const struct survey_question *question)
{
    switch (question->kind) {
    case QUESTION_NUMBER:
        return question->numeric.kind->name;
    case QUESTION_LASTING:
        return question->lasting.kind->name;
    case QUESTION_VALUES:
        break;
    }
    return question->oracle.kind->name;
}

double question_epsilon(const struct survey_question *question)
{
    if (question->kind == QUESTION_NUMBER)
        return question->numeric.setting.epsilon;
    return question->kind == QUESTION_LASTING ? question->lasting.setting.epsilon
                                              : question->oracle.setting.epsilon;
}

size_t question_report_bytes(const struct survey_question *question)
{
    return question->kind == QUESTION_NUMBER ? question->numeric.report_bytes : question->oracle.report_bytes;
}

size_t question_cells(const struct survey_question *question)
{
    return question->kind == QUESTION_NUMBER ? question->numeric.outputs : question->oracle.cells;
}

double question_power(const struct survey_question *question)
{
    return question->kind == QUESTION_NUMBER ? local_numeric_power(&question->numeric)
                                             : local_oracle_power(&question->oracle);
}

/* A number's report is one below `outputs`, little-endian. */
bool question_check(const struct survey_question *question, const unsigned char *report)
{
    if (question->kind != QUESTION_NUMBER)
        return question->oracle.kind->check(&question->oracle, report);
    uint32_t output = (uint32_t)report[0] | (uint32_t)report[1] << 8 | (uint32_t)report[2] << 16 |
                      (uint32_t)report[3] << 24;
    return output < question->numeric.outputs;
}

status question_tally(const struct survey_question *question, struct local_tally *tally, error *why)
{
    return question->kind == QUESTION_NUMBER ? local_numeric_tally(tally, &question->numeric, why)
                                             : local_tally_init(tally, &question->oracle, why);
}

status question_count(const struct survey_question *question, const unsigned char *reports, size_t bytes,
                      struct local_tally *tally, error *why)
{
    return question->kind == QUESTION_NUMBER
               ? local_numeric_add(tally, &question->numeric, reports, bytes, why)
               : local_tally_add(tally, &question->oracle, reports, bytes, why);
}

static bool find_value(const struct survey_question *question, const char *text, uint32_t *out)
{
    uint64_t number = 0;
    uint32_t domain = question->oracle.setting.domain;
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
