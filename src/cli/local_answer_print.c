/* A survey's estimates as text: tables for people, CSV and JSON for programs. */
#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cli/local_answer.h"
#include "cli/table.h"

const char *local_part_row(const struct local_part *part, size_t row, char text[LOCAL_STRING_SHOWN])
{
    char share[NUMBER_TEXT];
    if (part->question->kind == QUESTION_TEXT)
        return local_string_shown(&part->strings.hitters[row], text);
    if (part->question->kind != QUESTION_NUMBER && part->question->values != NULL)
        return part->question->values[row];
    if (part->question->kind != QUESTION_NUMBER) {
        snprintf(text, LOCAL_STRING_SHOWN, "%zu", row);
        return text;
    }
    if (row < LOCAL_QUANTILE_ROWS)
        return row == LOCAL_MEAN_ROW ? "mean" : "variance";
    number_print(part->quantiles[row - LOCAL_QUANTILE_ROWS], share);
    snprintf(text, LOCAL_STRING_SHOWN, "quantile %s", share);
    return text;
}

/* Not everybody was asked everything. */
static bool is_drawn(const struct local_survey_answer *answer)
{
    return answer->survey->asked < answer->survey->question_count;
}

static void write_estimates(struct json_writer *json, const struct local_part *part)
{
    char name[LOCAL_STRING_SHOWN];
    json_write_key(json, "estimates");
    json_begin_array(json);
    for (size_t v = 0; v < part->count; v++) {
        const struct local_estimate *here = &part->estimates[v];
        json_begin_object(json);
        json_member_text(json, "value", local_part_row(part, v, name));
        json_member_number(json, "estimate", here->count);
        json_member_number(json, "standard_error", sqrt(here->variance));
        json_member_number(json, "lower", here->lower);
        json_member_number(json, "upper", here->upper);
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_json(const struct local_survey_answer *answer, struct buffer *text)
{
    struct json_writer json;
    char period[PERIOD_TEXT];
    period_print(answer->survey->period, answer->period, period);
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_text(&json, "survey", answer->survey->name);
    json_member_number(&json, "version", (double)answer->survey->version);
    json_member_text(&json, "period", period);
    json_member_number(&json, "confidence", answer->request->confidence);
    if (is_drawn(answer))
        json_member_number(&json, "people", answer->everybody);
    json_write_key(&json, "questions");
    json_begin_array(&json);
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct local_part *part = &answer->parts[i];
        json_begin_object(&json);
        json_member_text(&json, "name", part->question->name);
        json_member_number(&json, "people", (double)part->people);
        json_member_number(&json, "epsilon", question_epsilon(part->question));
        write_estimates(&json, part);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_write_key(&json, "refused");
    json_begin_object(&json);
    for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS; verdict++)
        json_member_number(&json, collect_verdict_name((enum collect_verdict)verdict),
                           (double)answer->refused.of[verdict]);
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

/* CSV has the question in a column of its own; for people every question has a table. */
static status print_part(const struct local_part *part, size_t count, enum cli_format format,
                         struct buffer *text, error *why)
{
    static const char *const columns[] = {"estimate", "standard_error", "lower", "upper"};
    struct table table;
    table_init(&table);
    if (format == CLI_CSV)
        table_text_column(&table, "question");
    table_text_column(&table, "value");
    for (int i = 0; i < 4; i++)
        table_number_column(&table, columns[i]);
    for (const struct local_part *end = part + count; part < end; part++)
        for (size_t v = 0; v < part->count; v++) {
            const struct local_estimate *here = &part->estimates[v];
            const double cells[] = {here->count, sqrt(here->variance), here->lower, here->upper};
            char name[LOCAL_STRING_SHOWN];
            if (format == CLI_CSV)
                table_text(&table, part->question->name);
            table_text(&table, local_part_row(part, v, name));
            for (int c = 0; c < 4; c++)
                (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[c]);
        }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    return result;
}

static void print_refused(const struct collect_counts *refused, struct buffer *text)
{
    const char *between = "not counted:";
    for (int verdict = COLLECT_REPLAYED; verdict < COLLECT_VERDICTS; verdict++) {
        if (refused->of[verdict] == 0)
            continue;
        buffer_format(text, "%s %" PRIu64 " %s", between, refused->of[verdict],
                      collect_verdict_name((enum collect_verdict)verdict));
        between = ",";
    }
    if (between[0] == ',')
        buffer_byte(text, '\n');
}

static status print_tables(const struct local_survey_answer *answer, struct buffer *text, error *why)
{
    char period[PERIOD_TEXT];
    period_print(answer->survey->period, answer->period, period);
    buffer_format(text, "survey %s, version %" PRIu64 ", period %s\n", answer->survey->name,
                  answer->survey->version, period);
    for (size_t i = 0; i < answer->part_count; i++) {
        const struct local_part *part = &answer->parts[i];
        buffer_format(text, "\n%s%s%s: %" PRIu64, part->question->name,
                      part->question->text != NULL ? ", " : "",
                      part->question->text != NULL ? part->question->text : "", part->people);
        if (is_drawn(answer))
            buffer_format(text, " of %.15g", answer->everybody);
        buffer_format(text, " people, epsilon %.6g\n", question_epsilon(part->question));
        TRY(print_part(part, 1, CLI_TABLE, text, why));
    }
    print_refused(&answer->refused, text);
    return DITHER_OK;
}

status local_answer_print(const struct local_survey_answer *answer, error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)1 << 30);
    status result = DITHER_OK;
    if (answer->request->format == CLI_JSON)
        print_json(answer, &text);
    else if (answer->request->format == CLI_CSV)
        result = print_part(answer->parts, answer->part_count, CLI_CSV, &text, why);
    else
        result = print_tables(answer, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}
