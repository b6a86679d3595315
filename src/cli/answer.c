#include "cli/answer.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "cli/labels.h"
#include "cli/table.h"

enum { LABEL_BYTES = 1 << 20 };

static bool is_choice(const struct answer *answer)
{
    return answer->kind->shape == SHAPE_SCORES;
}

static bool is_labelled(const struct answer *answer)
{
    return answer->count > 1 || answer->values->keyed;
}

static bool is_hidden(const struct answer *answer, size_t index)
{
    return isnan(answer->numbers[index]) && !is_choice(answer);
}

/* ---- Rows ---- */

static void add_columns(const struct answer *answer, enum cli_format format, struct table *table)
{
    if (is_labelled(answer))
        table_text_column(table, answer->values->keyed ? "key" : "of");
    table_number_column(table, is_choice(answer) ? "choice" : "answer");
    if (is_choice(answer) || (format == CLI_TABLE && isnan(answer->half_width)))
        return;
    table_number_column(table, "lower");
    table_number_column(table, "upper");
}

static void add_row(const struct answer *answer, size_t index, enum cli_format format, struct table *table,
                    struct buffer *label)
{
    void (*add_number)(struct table *, double) = format == CLI_TABLE ? table_number : table_exact_number;
    if (is_labelled(answer)) {
        buffer_clear(label);
        label_print(answer, index, label);
        table_text(table, label->data != NULL ? label->data : "");
    }
    double number = answer->numbers[index];
    if (is_choice(answer) && isnan(number) && format == CLI_TABLE)
        table_text(table, "none");
    else
        add_number(table, number);
    if (is_choice(answer) || (format == CLI_TABLE && isnan(answer->half_width)))
        return;
    add_number(table, number - answer->half_width);
    add_number(table, number + answer->half_width);
}

static status print_rows(const struct answer *answer, enum cli_format format, struct buffer *out, error *why)
{
    struct table table;
    struct buffer label;
    table_init(&table);
    buffer_init(&label, LABEL_BYTES);
    add_columns(answer, format, &table);
    for (size_t i = 0; i < answer->count; i++)
        if (!is_hidden(answer, i))
            add_row(answer, i, format, &table, &label);
    status result = table_print(&table, format, out, why);
    if (result == DITHER_OK)
        result = buffer_check(&label, why);
    buffer_free(&label);
    table_free(&table);
    return result;
}

/* ---- What stands below the rows ---- */

static void print_fact(struct buffer *out, const char *before, double number, const char *after)
{
    char text[NUMBER_TEXT];
    number_print(number, text);
    buffer_format(out, "%s%s%s", before, text, after);
}

static void print_interval(const struct answer *answer, struct buffer *out)
{
    if (isnan(answer->half_width)) {
        buffer_text(out, "interval     none: public knowledge gives no bound\n");
        return;
    }
    const char *what = !is_choice(answer) ? "interval     within "
                       : answer->kind->needs & OPTION_THRESHOLD
                           ? "threshold    missed by at most "
                           : "score        the best one's, less at most ";
    print_fact(out, what, answer->half_width, is_choice(answer) ? "" : " of the truth");
    print_fact(out, ", with probability ", answer->confidence, answer->count > 1 ? ", each\n" : "\n");
}

static void print_cost(dither_cost cost, struct buffer *out)
{
    buffer_text(out, "cost        ");
    if (cost.epsilon > 0)
        print_fact(out, " epsilon ", cost.epsilon, "");
    if (cost.rho > 0)
        print_fact(out, " rho ", cost.rho, "");
    if (cost.delta > 0)
        print_fact(out, " delta ", cost.delta, "");
    buffer_text(out, "\n");
}

static status print_for_people(const struct answer *answer, struct buffer *out, error *why)
{
    TRY(print_rows(answer, CLI_TABLE, out, why));
    buffer_byte(out, '\n');
    if (is_choice(answer))
        buffer_text(out, "choices are numbered from 0\n");
    print_interval(answer, out);
    print_fact(out, "noise scale  ", answer->scale, "\n");
    print_cost(answer->cost, out);
    return buffer_check(out, why);
}

/* ---- JSON ---- */

static void write_number(const struct answer *answer, size_t index, struct json_writer *json,
                         struct buffer *label)
{
    double number = answer->numbers[index];
    json_begin_object(json);
    if (is_labelled(answer)) {
        buffer_clear(label);
        label_print(answer, index, label);
        json_member_text(json, answer->values->keyed ? "key" : "of", label->data != NULL ? label->data : "");
    }
    json_member_number(json, is_choice(answer) ? "choice" : "value", number);
    if (!is_choice(answer)) {
        json_write_key(json, "interval");
        json_begin_array(json);
        json_write_number(json, number - answer->half_width);
        json_write_number(json, number + answer->half_width);
        json_end_array(json);
    }
    json_end_object(json);
}

static status print_json(const struct answer *answer, struct buffer *out, error *why)
{
    struct buffer label;
    struct json_writer json;
    buffer_init(&label, LABEL_BYTES);
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_member_text(&json, "mechanism", answer->kind->name);
    json_write_key(&json, "answers");
    json_begin_array(&json);
    for (size_t i = 0; i < answer->count; i++)
        if (!is_hidden(answer, i))
            write_number(answer, i, &json, &label);
    json_end_array(&json);
    json_member_number(&json, "confidence", answer->confidence);
    json_member_number(&json, "half_width", answer->half_width);
    json_member_number(&json, "scale", answer->scale);
    json_write_key(&json, "cost");
    json_begin_object(&json);
    json_member_number(&json, "epsilon", answer->cost.epsilon);
    json_member_number(&json, "delta", answer->cost.delta);
    json_member_number(&json, "rho", answer->cost.rho);
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(out, '\n');
    status result = buffer_check(&label, why);
    buffer_free(&label);
    return result == DITHER_OK ? buffer_check(out, why) : result;
}

status answer_print(const struct answer *answer, enum cli_format format, struct buffer *out, error *why)
{
    switch (format) {
    case CLI_JSON:
        return print_json(answer, out, why);
    case CLI_CSV:
        return print_rows(answer, CLI_CSV, out, why);
    case CLI_TABLE:
        break;
    }
    return print_for_people(answer, out, why);
}
