/* A question's key: a digest of what client and collector must agree on. */
#include <inttypes.h>

#include "base/buffer.h"
#include "base/number.h"
#include "ledger/digest.h"
#include "local/survey_reader.h"

/* The setting with its defaults filled in: two files that mean the same have the same key. */
static void describe_setting(const struct survey_question *question, struct buffer *out)
{
    const struct local_setting *setting = &question->oracle.setting;
    const struct local_numeric_setting *numeric = &question->numeric.setting;
    char one[NUMBER_TEXT], two[NUMBER_TEXT];
    if (question->kind == QUESTION_TEXT) {
        buffer_format(out, "text %u %u\n", question->prefix.setting.length, question->prefix.setting.step);
        return;
    }
    if (question->kind == QUESTION_NUMBER) {
        number_print_exact(numeric->lower, one);
        number_print_exact(numeric->upper, two);
        buffer_format(out, "number %s %s %u\n", one, two, numeric->steps);
        return;
    }
    double permanent =
        question->kind == QUESTION_LASTING ? question->lasting.setting.permanent : setting->permanent;
    uint32_t bits = question->kind == QUESTION_LASTING ? question->lasting.setting.bits : setting->bits;
    number_print_exact(permanent, one);
    buffer_format(out, "values %u %u %u %u %s %" PRIu64 "\n", setting->domain, setting->hashes,
                  setting->width, bits, one, setting->seed);
    if (question->kind == QUESTION_SET)
        buffer_format(out, "set %u of %u\n", question->set.limit, question->set.domain);
    for (uint32_t v = 0; question->values != NULL && v < question_values(question); v++)
        buffer_format(out, "%s\n", question->values[v]);
}

static void describe(const struct survey *survey, const struct survey_question *question, struct buffer *out)
{
    char epsilon[NUMBER_TEXT];
    number_print_exact(question_epsilon(question), epsilon);
    buffer_format(out, "dither survey 1\n%s\n%" PRIu64 "\n%s\n%s\n%s\n%s\n", survey->name, survey->version,
                  period_kind_name(survey->period), question->name, question_mechanism(question), epsilon);
    if (survey->asked < survey->question_count)
        buffer_format(out, "ask %u of %zu\n", survey->asked, survey->question_count);
    describe_setting(question, out);
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
