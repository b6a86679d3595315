/* What a question's mechanism is asked, whatever its kind. */
#include <assert.h>

#include "local/survey.h"

const char *question_mechanism(const struct survey_question *question)
{
    switch (question->kind) {
    case QUESTION_NUMBER:
        return question->numeric.kind->name;
    case QUESTION_LASTING:
        return question->lasting.kind->name;
    case QUESTION_TEXT:
        return "prefix";
    case QUESTION_VALUES:
    case QUESTION_SET:
        break;
    }
    return question->oracle.kind->name;
}

double question_epsilon(const struct survey_question *question)
{
    switch (question->kind) {
    case QUESTION_NUMBER:
        return question->numeric.setting.epsilon;
    case QUESTION_LASTING:
        return question->lasting.setting.epsilon;
    case QUESTION_TEXT:
        return question->prefix.setting.epsilon;
    case QUESTION_VALUES:
    case QUESTION_SET:
        break;
    }
    return question->oracle.setting.epsilon;
}

size_t question_report_bytes(const struct survey_question *question)
{
    if (question->kind == QUESTION_TEXT)
        return question->prefix.report_bytes;
    return question->kind == QUESTION_NUMBER ? question->numeric.report_bytes : question->oracle.report_bytes;
}

size_t question_cells(const struct survey_question *question)
{
    if (question->kind == QUESTION_TEXT)
        return 0;
    return question->kind == QUESTION_NUMBER ? question->numeric.outputs : question->oracle.cells;
}

uint32_t question_values(const struct survey_question *question)
{
    if (question->kind == QUESTION_SET)
        return question->set.domain;
    return question->kind == QUESTION_VALUES || question->kind == QUESTION_LASTING
               ? question->oracle.setting.domain
               : 0;
}

double question_power(const struct survey_question *question)
{
    switch (question->kind) {
    case QUESTION_NUMBER:
        return local_numeric_power(&question->numeric);
    case QUESTION_SET:
        return question->set.limit * local_oracle_power(&question->oracle);
    case QUESTION_TEXT:
        return prefix_power(&question->prefix);
    case QUESTION_VALUES:
    case QUESTION_LASTING:
        break;
    }
    return local_oracle_power(&question->oracle);
}

/* A number's report is one below `outputs`, little-endian. */
bool question_check(const struct survey_question *question, const unsigned char *report)
{
    if (question->kind == QUESTION_TEXT)
        return prefix_check(&question->prefix, report);
    if (question->kind != QUESTION_NUMBER)
        return question->oracle.kind->check(&question->oracle, report);
    uint32_t output = (uint32_t)report[0] | (uint32_t)report[1] << 8 | (uint32_t)report[2] << 16 |
                      (uint32_t)report[3] << 24;
    return output < question->numeric.outputs;
}

status question_tally(const struct survey_question *question, struct local_tally *tally, error *why)
{
    assert(question->kind != QUESTION_TEXT);
    return question->kind == QUESTION_NUMBER ? local_numeric_tally(tally, &question->numeric, why)
                                             : local_tally_init(tally, &question->oracle, why);
}

status question_count(const struct survey_question *question, const unsigned char *reports, size_t bytes,
                      struct local_tally *tally, error *why)
{
    assert(question->kind != QUESTION_TEXT);
    return question->kind == QUESTION_NUMBER
               ? local_numeric_add(tally, &question->numeric, reports, bytes, why)
               : local_tally_add(tally, &question->oracle, reports, bytes, why);
}
