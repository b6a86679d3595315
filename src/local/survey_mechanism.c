/* What a question's mechanism is asked, and who answers. */
#include <string.h>

#include "base/number.h"
#include "local/survey.h"

const char *question_mechanism(const struct survey_question *question)
{
    return question->oracle.kind->name;
}

double question_epsilon(const struct survey_question *question)
{
    return question->oracle.setting.epsilon;
}

size_t question_report_bytes(const struct survey_question *question)
{
    return question->oracle.report_bytes;
}

size_t question_cells(const struct survey_question *question)
{
    return question->oracle.cells;
}

bool question_check(const struct survey_question *question, const unsigned char *report)
{
    return question->oracle.kind->check(&question->oracle, report);
}

status question_tally(const struct survey_question *question, struct local_tally *tally, error *why)
{
    return local_tally_init(tally, &question->oracle, why);
}

status question_count(const struct survey_question *question, const unsigned char *reports, size_t bytes,
                      struct local_tally *tally, error *why)
{
    return local_tally_add(tally, &question->oracle, reports, bytes, why);
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

status question_randomise(const struct survey_question *question, const char *answer, struct random *random,
                          unsigned char *report, error *why)
{
    uint32_t value = 0;
    if (!find_value(question, answer, &value))
        return fail(why, DITHER_INVALID, "is none of its values");
    return local_oracle_randomise(&question->oracle, value, random, report, why);
}
