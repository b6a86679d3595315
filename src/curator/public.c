/* The public face of the room: dither.h's questions in SQL. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curator/draws.h"
#include "curator/format.h"

enum { EXPLANATION_BYTES = 64 << 20 };

/* An answer, and its cells as texts, made when they are asked for. */
struct dither_answer {
    struct curator_answer *inner;
    const char **texts;
};

static struct curator *inner_of(dither_curator *curator)
{
    return (struct curator *)curator;
}

dither_status dither_open(const char *policy, const dither_open_options *options, dither_curator **out,
                          dither_error *why)
{
    struct curator_options inner = {0};
    struct curator *curator = NULL;
    if (policy == NULL)
        return fail(why, DITHER_INVALID, "no policy is named");
    if (options != NULL)
        inner = (struct curator_options){
            .engine = {.threads = options->threads, .memory_bytes = options->memory_bytes},
            .state_directory = options->state_directory,
            .scratch_program = options->scratch_program};
    TRY(curator_open(policy, &inner, &curator, why));
    *out = (dither_curator *)curator;
    return DITHER_OK;
}

void dither_close(dither_curator *curator)
{
    curator_close(inner_of(curator));
}

void dither_interrupt(dither_curator *curator)
{
    curator_interrupt(inner_of(curator));
}

/* ---- Questions ---- */

static status read_amount(const char *name, const char *text, struct decimal *out, error *why)
{
    error inner;
    if (text == NULL)
        return DITHER_OK;
    if (decimal_parse(text, out, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "%s %s", name, inner.message);
    if (decimal_is_zero(*out))
        return fail(why, DITHER_INVALID, "%s must be above 0", name);
    return DITHER_OK;
}

static status read_question(const char *sql, const dither_ask_options *options,
                            struct curator_question *question, error *why)
{
    if (sql == NULL)
        return fail(why, DITHER_INVALID, "there is no question");
    *question = (struct curator_question){.text = sql};
    if (options == NULL)
        return DITHER_OK;
    question->analyst = options->analyst;
    question->request = options->request;
    question->error_wanted = options->error;
    question->declared_size = options->size;
    question->settings = (struct sql_options){.max_groups = options->max_groups,
                                              .max_rows = options->max_rows,
                                              .other = options->other,
                                              .non_negative = options->non_negative};
    TRY(read_amount("epsilon", options->epsilon, &question->settings.epsilon, why));
    TRY(read_amount("delta", options->delta, &question->settings.delta, why));
    return read_amount("rho", options->rho, &question->settings.rho, why);
}

static status cell_texts(const struct curator_answer *answer, const char ***out, error *why)
{
    size_t count = answer->rows.row_count * answer->column_count;
    void *room = NULL;
    TRY(arena_take(answer->arena, count * sizeof **out, &room, why));
    *out = room;
    for (size_t i = 0; i < count; i++) {
        struct buffer text;
        char *kept = NULL;
        if (answer->rows.cells[i].null)
            continue;
        buffer_init(&text, LEDGER_ANSWER_BYTES);
        format_value(&text, &answer->rows.cells[i]);
        status result = buffer_check(&text, why);
        if (result == DITHER_OK)
            result = arena_text(answer->arena, text.data != NULL ? text.data : "", text.length, &kept, why);
        buffer_free(&text);
        TRY(result);
        (*out)[i] = kept;
    }
    return DITHER_OK;
}

dither_status dither_ask(dither_curator *curator, const char *sql, const dither_ask_options *options,
                         dither_answer **out, dither_error *why)
{
    struct curator_question question;
    struct curator_answer *inner = NULL;
    void *room = NULL;
    TRY(read_question(sql, options, &question, why));
    TRY(curator_ask(inner_of(curator), &question, &inner, why));
    status result = arena_take(inner->arena, sizeof(dither_answer), &room, why);
    dither_answer *answer = room;
    if (result == DITHER_OK)
        result = cell_texts(inner, &answer->texts, why);
    if (result != DITHER_OK) {
        curator_answer_free(inner);
        return result;
    }
    answer->inner = inner;
    *out = answer;
    return DITHER_OK;
}

/* The public answer lies in the inner one's arena. */
void dither_answer_free(dither_answer *answer)
{
    if (answer != NULL)
        curator_answer_free(answer->inner);
}

dither_status dither_explain(dither_curator *curator, const char *sql, const dither_ask_options *options,
                             bool json, char **out, dither_error *why)
{
    struct curator_question question;
    struct buffer text;
    TRY(read_question(sql, options, &question, why));
    buffer_init(&text, EXPLANATION_BYTES);
    status result = curator_explain(inner_of(curator), &question, json, &text, why);
    if (result == DITHER_OK) {
        char *copy = strdup(text.data != NULL ? text.data : "");
        if (copy != NULL)
            *out = copy;
        else
            result = fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    buffer_free(&text);
    return result;
}

void dither_text_free(char *text)
{
    free(text);
}

/* ---- Walking an answer ---- */

size_t dither_answer_columns(const dither_answer *answer)
{
    return answer->inner->column_count;
}

size_t dither_answer_rows(const dither_answer *answer)
{
    return answer->inner->rows.row_count;
}

const char *dither_column_name(const dither_answer *answer, size_t column)
{
    return column < answer->inner->column_count ? answer->inner->columns[column].name : NULL;
}

const char *dither_column_type(const dither_answer *answer, size_t column)
{
    return column < answer->inner->column_count ? sql_type_name(answer->inner->columns[column].type) : NULL;
}

bool dither_column_noisy(const dither_answer *answer, size_t column)
{
    return column < answer->inner->column_count && answer->inner->columns[column].noisy;
}

static bool has_cell(const dither_answer *answer, size_t row, size_t column)
{
    return row < answer->inner->rows.row_count && column < answer->inner->column_count;
}

const char *dither_cell_text(const dither_answer *answer, size_t row, size_t column)
{
    return has_cell(answer, row, column) ? answer->texts[row * answer->inner->column_count + column] : NULL;
}

double dither_cell_number(const dither_answer *answer, size_t row, size_t column)
{
    return has_cell(answer, row, column) ? interval_number(sql_rows_cell(&answer->inner->rows, row, column))
                                         : (double)NAN;
}

bool dither_cell_interval(const dither_answer *answer, size_t row, size_t column, dither_range *out)
{
    if (!has_cell(answer, row, column))
        return false;
    struct curator_interval interval = answer->inner->intervals[row * answer->inner->column_count + column];
    if (interval.known)
        *out = (dither_range){format_lower(&answer->inner->columns[column], interval),
                              format_upper(&answer->inner->columns[column], interval)};
    return interval.known;
}

static void print_cost(struct ledger_cost cost, dither_amount_text *out)
{
    decimal_print(cost.epsilon, out->epsilon);
    decimal_print(cost.delta, out->delta);
    decimal_print(cost.rho, out->rho);
}

void dither_answer_cost(const dither_answer *answer, dither_amount_text *out)
{
    print_cost(answer->inner->cost, out);
}

void dither_answer_left(const dither_answer *answer, dither_amount_text *out)
{
    print_cost(answer->inner->remaining, out);
}

bool dither_answer_cached(const dither_answer *answer)
{
    return answer->inner->cached;
}
