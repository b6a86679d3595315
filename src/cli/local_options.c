/* What the subcommands of `dither local` read and print alike. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "cli/local.h"
#include "cli/table.h"

status local_read_epsilon(const char *text, void *place, error *why)
{
    double epsilon = 0;
    TRY(number_parse(text, NUMBER_DOWN, &epsilon, why));
    if (!(epsilon >= LOCAL_EPSILON_LEAST && epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    *(double *)place = epsilon;
    return DITHER_OK;
}

status local_read_probability(const char *text, void *place, error *why)
{
    double probability = 0;
    TRY(number_parse(text, NUMBER_NEAREST, &probability, why));
    if (!(probability >= 0 && probability <= 1))
        return fail(why, DITHER_INVALID, "must lie between 0 and 1");
    *(double *)place = probability;
    return DITHER_OK;
}

status local_read_confidence(const char *text, void *place, error *why)
{
    double confidence = 0;
    TRY(number_parse(text, NUMBER_NEAREST, &confidence, why));
    if (!(confidence > 0 && confidence < 1))
        return fail(why, DITHER_INVALID, "must lie between 0 and 1, such as 0.95");
    *(double *)place = confidence;
    return DITHER_OK;
}

status local_read_whole(const char *text, void *place, error *why)
{
    return number_parse_whole(text, place, why);
}

status local_read_numbers(const char *text, void *place, error *why)
{
    struct local_numbers *numbers = place;
    numbers->count = 0;
    while (true) {
        char item[64];
        size_t length = strcspn(text, ":,");
        if (length >= sizeof item || numbers->count == LOCAL_NUMBERS)
            return fail(why, DITHER_INVALID, "is not a list of up to %d counts", LOCAL_NUMBERS);
        memcpy(item, text, length);
        item[length] = '\0';
        double value = 0;
        TRY(number_parse(item, NUMBER_NEAREST, &value, why));
        if (value < 0 || value > 1e15)
            return fail(why, DITHER_INVALID, "must hold counts, none negative");
        numbers->values[numbers->count++] = value;
        if (text[length] == '\0')
            return DITHER_OK;
        text += length + 1;
    }
}

status local_read_range(const char *text, void *place, error *why)
{
    struct local_range *range = place;
    char lower[64];
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    if (colon == NULL || length >= sizeof lower)
        return fail(why, DITHER_INVALID, "must be two numbers, such as 0:100");
    memcpy(lower, text, length);
    lower[length] = '\0';
    TRY(number_parse(lower, NUMBER_NEAREST, &range->lower, why));
    TRY(number_parse(colon + 1, NUMBER_NEAREST, &range->upper, why));
    if (!(range->lower < range->upper))
        return fail(why, DITHER_INVALID, "must go from a smaller to a larger number");
    return DITHER_OK;
}

void local_survey_options(struct local_survey *survey, struct cli_option list[LOCAL_SURVEY_OPTIONS])
{
    const struct cli_option options[LOCAL_SURVEY_OPTIONS] = {
        {"mechanism", "NAME", "what randomises: see above", cli_read_text, &survey->mechanism, NULL, 0},
        {"epsilon", "E", "what one report may tell", local_read_epsilon, &survey->epsilon, NULL, 0},
        {"domain", "D", "how many values there are, numbered from 0", local_read_whole, &survey->domain, NULL,
         0},
        {"range", "LO:HI", "numbers: the range, public", local_read_range, &survey->range, NULL, 0},
        {"steps", "S", "numbers: steps of the public grid (1024)", local_read_whole, &survey->steps, NULL, 0},
        {"items", "L", "sets: padded to L items, values are written 3,5,8", local_read_whole, &survey->items,
         NULL, 0},
        {"length", "B", "strings: bytes of the longest (16)", local_read_whole, &survey->length, NULL, 0},
        {"group-bits", "B", "strings: bits that each group adds (8)", local_read_whole, &survey->group_bits,
         NULL, 0},
        {"attributes", "A", "several questions, answers written 3,0,7", local_read_whole, &survey->attributes,
         NULL, 0},
        {"asked", "K", "several questions: how many a person is asked (1)", local_read_whole, &survey->asked,
         NULL, 0},
        {"permanent", "E", "repeated questions: what all reports about one value together may tell",
         local_read_epsilon, &survey->permanent, NULL, 0},
        {"bits", "H", "rappor: bits that a value sets; dbitflip: values that a person is asked about",
         local_read_whole, &survey->bits, NULL, 0},
        {"hashes", "K", "sketches: hash functions, or cohorts", local_read_whole, &survey->hashes, NULL, 0},
        {"width", "M", "sketches: buckets or bits of each", local_read_whole, &survey->width, NULL, 0},
        {"seed", "S", "sketches: the public choice of hash functions", local_read_whole, &survey->seed, NULL,
         0},
    };
    memcpy(list, options, sizeof options);
}

static const char *row_name(const struct local_answer *answer, size_t row, char text[NUMBER_TEXT])
{
    if (answer->names != NULL)
        return answer->names[row];
    snprintf(text, NUMBER_TEXT, "%zu", row);
    return text;
}

static void print_json(const struct local_answer *answer, struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_number(&json, "people", answer->people);
    json_member_number(&json, "refused", (double)answer->refused);
    if (!isnan(answer->epsilon))
        json_member_number(&json, "epsilon", answer->epsilon); /* null: infinite */
    if (!isnan(answer->condition))
        json_member_number(&json, "condition", answer->condition);
    json_write_key(&json, "estimates");
    json_begin_array(&json);
    for (size_t i = 0; i < answer->count; i++) {
        char number[NUMBER_TEXT];
        json_begin_object(&json);
        json_member_text(&json, "value", row_name(answer, i, number));
        json_member_number(&json, "count", answer->estimates[i].count);
        json_member_number(&json, "standard_error", sqrt(answer->estimates[i].variance));
        json_member_number(&json, "lower", answer->estimates[i].lower);
        json_member_number(&json, "upper", answer->estimates[i].upper);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status print_table(const struct local_answer *answer, enum cli_format format, struct buffer *text,
                          error *why)
{
    static const char *const columns[] = {"count", "standard_error", "lower", "upper"};
    struct table table;
    table_init(&table);
    table_text_column(&table, "value");
    for (int i = 0; i < 4; i++)
        table_number_column(&table, columns[i]);
    for (size_t i = 0; i < answer->count; i++) {
        const struct local_estimate *here = &answer->estimates[i];
        const double cells[] = {here->count, sqrt(here->variance), here->lower, here->upper};
        char number[NUMBER_TEXT];
        table_text(&table, row_name(answer, i, number));
        for (int c = 0; c < 4; c++)
            (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[c]);
    }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

status local_print(const struct local_answer *answer, enum cli_format format, error *why)
{
    enum { TEXT_BYTES = 1 << 30 };
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    status result = DITHER_OK;
    if (format == CLI_JSON)
        print_json(answer, &text);
    else
        result = print_table(answer, format, &text, why);
    if (result == DITHER_OK && format == CLI_TABLE && !isnan(answer->epsilon))
        buffer_format(&text,
                      isinf(answer->epsilon) ? "epsilon: infinite: some report proves its sender's answer\n"
                                             : "epsilon: %.6g\n",
                      answer->epsilon);
    if (result == DITHER_OK && format == CLI_TABLE && answer->refused > 0)
        buffer_format(&text, "%llu reports were not well-formed and are not counted\n",
                      (unsigned long long)answer->refused);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}

status local_write_file(const char *path, const struct buffer *text, error *why)
{
    TRY(buffer_check(text, why));
    FILE *file = fopen(path, "w");
    bool written = file != NULL && fwrite(text->data, 1, text->length, file) == text->length;
    if (file != NULL && fclose(file) != 0)
        written = false;
    return written ? DITHER_OK : fail(why, DITHER_IO, "cannot write %.200s: %s", path, strerror(errno));
}
