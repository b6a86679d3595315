/* From a question to its answer: prepare, reserve, draw, finish, settle. The order of the calls in `charge` and
 * below is the promise: the charge is on disk before the engine is asked, and the answer before it is shown. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "curator/code.h"
#include "curator/format.h"
#include "curator/room.h"
#include "ledger/handle.h"

struct asking {
    struct curator *curator;
    const struct curator_question *question;
    struct arena arena;   /* the work; the answer has its own */
    const char *settings; /* in a canonical text */
    struct prepared prepared;
    struct run run;
    struct ledger_reservation *reservation;
    struct curator_answer *answer;
};

/* ---- The answer ---- */

static status answer_new(struct curator_answer **out, error *why)
{
    struct curator_answer *answer = memory_allocate(sizeof *answer);
    struct arena *arena = memory_allocate(sizeof *arena);
    if (answer == NULL || arena == NULL) {
        memory_release(answer, sizeof *answer);
        memory_release(arena, sizeof *arena);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    arena_init(arena, CURATOR_ARENA_BYTES);
    answer->arena = arena;
    *out = answer;
    return DITHER_OK;
}

void curator_answer_free(struct curator_answer *answer)
{
    if (answer == NULL)
        return;
    arena_free(answer->arena);
    memory_release(answer->arena, sizeof *answer->arena);
    memory_release(answer, sizeof *answer);
}

/* How one measure's column is made noisy. */
static struct curator_noise noise_of(const struct prepared *prepared, size_t column)
{
    struct trace trace = {0};
    if (!trace_measure(prepared, prepared->plan->result, column, &trace))
        return (struct curator_noise){0};
    const struct mechanism *mechanism = trace.part->mechanisms;
    return (struct curator_noise){.mechanism = mechanism->kind->name,
                                  .scale = mechanism->kind->scale(mechanism) * fabs(trace.factor),
                                  .grid = fabs(trace.factor),
                                  .epsilon = decimal_to_double(trace.part->cost.epsilon),
                                  .delta = decimal_to_double(trace.part->cost.delta),
                                  .rho = decimal_to_double(trace.part->cost.rho)};
}

struct visible {
    size_t *columns;
    size_t count;
};

static status find_visible(const struct sql_relation *result, struct arena *arena, struct visible *out,
                           error *why)
{
    void *columns = NULL;
    TRY(arena_take(arena, result->column_count * sizeof *out->columns, &columns, why));
    out->columns = columns;
    for (size_t i = 0; i < result->column_count; i++)
        if (!result->columns[i].hidden)
            out->columns[out->count++] = i;
    return DITHER_OK;
}

static status describe_columns(const struct prepared *prepared, const struct visible *visible,
                               struct arena *arena, struct curator_answer *answer, error *why)
{
    void *columns = NULL;
    TRY(arena_take(arena, visible->count * sizeof *answer->columns, &columns, why));
    answer->columns = columns;
    answer->column_count = visible->count;
    for (size_t i = 0; i < visible->count; i++) {
        const struct sql_column *column = &prepared->plan->result->columns[visible->columns[i]];
        answer->columns[i] = (struct curator_column){
            .name = column->name, .type = column->type, .scale = column->scale, .noisy = column->noisy};
        if (column->noisy)
            answer->columns[i].noise = noise_of(prepared, visible->columns[i]);
    }
    return DITHER_OK;
}

static status show_cells(const struct sql_rows *rows, const struct curator_interval *intervals,
                         const struct visible *visible, struct arena *arena, struct curator_answer *answer,
                         error *why)
{
    void *cells = NULL, *shown = NULL;
    size_t count = rows->row_count * visible->count;
    TRY(arena_take(arena, count * sizeof(struct sql_value), &cells, why));
    TRY(arena_take(arena, count * sizeof(struct curator_interval), &shown, why));
    for (size_t row = 0; row < rows->row_count; row++)
        for (size_t i = 0; i < visible->count; i++) {
            size_t from = row * rows->column_count + visible->columns[i], to = row * visible->count + i;
            ((struct sql_value *)cells)[to] = rows->cells[from];
            ((struct curator_interval *)shown)[to] = intervals[from];
        }
    answer->rows =
        (struct sql_rows){.column_count = visible->count, .row_count = rows->row_count, .cells = cells};
    answer->intervals = shown;
    return DITHER_OK;
}

/* The rest of the question in scratch, and its intervals: an answer in the arena of the work. */
static status finish(struct asking *asking, struct curator_answer *answer, error *why)
{
    const struct prepared *prepared = &asking->prepared;
    struct visible visible = {0};
    struct sql_rows rows;
    struct curator_interval *intervals = NULL;
    TRY(find_visible(prepared->plan->result, &asking->arena, &visible, why));
    TRY(asking->run.plain ? plain_rows(&asking->run, &rows, why)
                          : rest_rows(asking->curator, prepared->plan->result, &asking->arena, &rows, why));
    TRY(intervals_make(asking->curator, prepared, asking->run.tables, &rows, &asking->arena, &intervals,
                       why));
    TRY(describe_columns(prepared, &visible, &asking->arena, answer, why));
    return show_cells(&rows, intervals, &visible, &asking->arena, answer, why);
}

/* ---- The ledger ---- */

static bool all_cached(const struct asking *asking)
{
    for (size_t i = 0; i < asking->run.ledger_count; i++)
        if (!ledger_reservation_cached(asking->reservation, i))
            return false;
    return asking->run.ledger_count > 0;
}

static void write_settings(const struct curator_question *question, struct buffer *out)
{
    const struct sql_options *settings = &question->settings;
    char text[3][DECIMAL_TEXT];
    decimal_print(settings->epsilon, text[0]);
    decimal_print(settings->delta, text[1]);
    decimal_print(settings->rho, text[2]);
    buffer_format(out,
                  "epsilon %s, delta %s, rho %s, max_groups %llu, max_rows %llu, other %d, non_negative %d, "
                  "error %s, size %a",
                  text[0], text[1], text[2], (unsigned long long)settings->max_groups,
                  (unsigned long long)settings->max_rows, settings->other, settings->non_negative,
                  question->error_wanted != NULL ? question->error_wanted : "none", question->declared_size);
    if (question->confidence != 0)
        buffer_format(out, ", confidence %a", question->confidence);
}

/* With its type, and texts in quotes, so that no two lists of values are written alike. */
static void write_parameters(const struct sql_parameters *parameters, struct buffer *out)
{
    for (size_t i = 0; parameters->values != NULL && i < parameters->count; i++) {
        const struct sql_value *value = &parameters->values[i];
        bool text = value->type == SQL_TEXT || value->type == SQL_UNKNOWN;
        buffer_format(out, ", $%zu %s ", i + 1, sql_type_name(value->type));
        if (value->null)
            buffer_text(out, "null");
        else if (!text)
            format_value(out, value);
        else {
            buffer_byte(out, '\'');
            for (const char *at = value->text; *at != '\0'; at++)
                buffer_format(out, *at == '\'' ? "'%c" : "%c", *at);
            buffer_byte(out, '\'');
        }
    }
}

static status print_settings(struct asking *asking, error *why)
{
    struct buffer out;
    char *kept = NULL;
    buffer_init(&out, LEDGER_TEXT_BYTES);
    write_settings(asking->question, &out);
    write_parameters(&asking->question->parameters, &out);
    status result = buffer_check(&out, why);
    if (result == DITHER_OK)
        result = arena_text(&asking->arena, out.data, out.length, &kept, why);
    asking->settings = kept;
    buffer_free(&out);
    return result;
}

static status list_releases(struct asking *asking, struct ledger_release **out, error *why)
{
    const struct prepared *prepared = &asking->prepared;
    void *list = NULL;
    TRY(arena_take(&asking->arena, asking->run.ledger_count * sizeof **out, &list, why));
    *out = list;
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        const struct prepared_release *release = &prepared->releases[i];
        if (prepared->price.releases[i].same_as == i)
            (*out)[asking->run.places[i]] =
                (struct ledger_release){.key = release->key,
                                        .key_size = release->key_size,
                                        .cost = prepared->price.releases[i].cost,
                                        .blocks = release->release->blocks,
                                        .block_count = release->release->block_count};
    }
    return DITHER_OK;
}

static status reserve(struct asking *asking, error *why)
{
    const struct curator_question *question = asking->question;
    struct ledger_release *releases = NULL;
    TRY(list_releases(asking, &releases, why));
    status result = ledger_reserve(asking->curator->ledger,
                                   &(struct ledger_question){.analyst = question->analyst,
                                                             .request = question->request,
                                                             .text = question->text,
                                                             .settings = asking->settings,
                                                             .releases = releases,
                                                             .release_count = asking->run.ledger_count},
                                   &asking->reservation, why);
    if (result != DITHER_OK && result != DITHER_REFUSED && result != DITHER_INVALID) {
        error inner = *why; /* it failed on the way: what is on disk decides */
        return fail(why, result, "%.400s; if the charge was written, the charge stays", inner.message);
    }
    return result;
}

/* From here on the charge is on disk, and stays: every failure says so. */
static status say_charged(status result, error *why)
{
    error inner = *why;
    if (strstr(inner.message, "the charge stays") != NULL)
        return result;
    return fail(why, result, "%.400s; the charge stays", inner.message);
}

static status failed_in_engine(struct asking *asking, status result, error *why)
{
    struct curator *curator = asking->curator;
    if (atomic_load(&curator->interrupted)) /* his own doing, and no secret */
        return fail(why, DITHER_REFUSED, "interrupted; the charge stays");
    if (!asking->run.engine_failed)
        return say_charged(result, why);
    log_engine_failure(curator, asking->question->analyst, asking->question->text);
    /* If even this cannot be written the ledger is spent and answers nothing more. */
    if (ledger_stop(curator->ledger, asking->question->analyst, "the data source failed", NULL) != DITHER_OK)
        return fail(why, DITHER_IO, "%s", ENGINE_FAILED);
    return result;
}

/* Stores the answer, then reads it back from the stored bytes: what is shown is what a retry would show. */
static status settle(struct asking *asking, const struct buffer *bytes, error *why)
{
    struct ledger_bytes answer = {bytes->data, bytes->length};
    if (asking->reservation != NULL && ledger_settle(asking->curator->ledger, asking->reservation,
                                                     asking->run.results, answer, why) != DITHER_OK)
        return say_charged(why->status, why);
    return code_read_answer(answer, asking->answer, why);
}

/* The releases are drawn: whatever becomes of the rest is recorded with them. */
static status finish_and_settle(struct asking *asking, error *why)
{
    struct curator_answer made = {.confidence = asking->prepared.confidence,
                                  .currency = asking->curator->policy->budget.currency,
                                  .cost = ledger_cost_zero()};
    struct buffer bytes;
    if (asking->reservation != NULL) {
        made.cost = ledger_reservation_cost(asking->reservation);
        made.cached = all_cached(asking);
    }
    buffer_init(&bytes, LEDGER_ANSWER_BYTES);
    status result = finish(asking, &made, why);
    if (result == DITHER_OK)
        code_write_answer(&bytes, &made);
    if (result == DITHER_OK)
        result = buffer_check(&bytes, why);
    if (result != DITHER_OK && asking->reservation == NULL) {
        buffer_free(&bytes);
        return atomic_load(&asking->curator->interrupted)
                   ? fail(why, DITHER_REFUSED, "interrupted; nothing was charged")
                   : result;
    }
    if (result != DITHER_OK) {
        result = atomic_load(&asking->curator->interrupted)
                     ? fail(why, DITHER_REFUSED, "interrupted; the charge stays")
                     : say_charged(result, why);
        buffer_free(&bytes);
        buffer_init(&bytes, LEDGER_ANSWER_BYTES);
        code_write_failure(&bytes, why->message);
    }
    bool whole = result == DITHER_OK;
    result = settle(asking, &bytes, why);
    buffer_free(&bytes);
    if (whole && result == DITHER_OK && asking->reservation != NULL &&
        ledger_reservation_kept(asking->reservation))
        recall_keep(asking->curator, asking->question, asking->settings, &made);
    return result;
}

static status answer_reserved(struct asking *asking, error *why)
{
    struct ledger_bytes stored;
    if (ledger_reservation_answer(asking->reservation, &stored))
        return code_read_answer(stored, asking->answer, why);
    status result = run_releases(&asking->run, asking->reservation, why);
    result = result == DITHER_OK ? finish_and_settle(asking, why) : failed_in_engine(asking, result, why);
    run_end(&asking->run);
    return result;
}

/* ---- The whole ---- */

static status answer_question(struct asking *asking, error *why)
{
    struct curator *curator = asking->curator;
    const struct curator_question *question = asking->question;
    bool recalled = false;
    TRY(print_settings(asking, why));
    TRY(recall_find(curator, question, asking->settings, NULL, asking->answer, &recalled, why));
    if (recalled)
        return DITHER_OK;
    TRY(curator_prepare(curator, question, &asking->arena, &asking->prepared, why));
    TRY(run_begin(curator, &asking->prepared, &asking->arena, &asking->run, why));
    if (question->confirm != NULL)
        TRY(question->confirm(question->context, &asking->prepared.price.cost, asking->prepared.half_width,
                              why));
    if (atomic_load(&curator->interrupted))
        return fail(why, DITHER_REFUSED, "interrupted; nothing was charged");
    if (asking->prepared.plan->release_count > 0) {
        TRY(reserve(asking, why));
        TRY(answer_reserved(asking, why));
        asking->answer->remaining = ledger_reservation_left(asking->reservation);
        return DITHER_OK;
    }
    TRY(finish_and_settle(asking, why));
    return ledger_left(curator->ledger, question->analyst, NULL, 0, &asking->answer->remaining, why);
}

/* Answers that come on a clock's tick are left to those who can wait for it. */
status curator_recall(struct curator *curator, const struct curator_question *question,
                      struct ledger_sight *sight, struct curator_answer **out, error *why)
{
    struct asking asking = {.curator = curator, .question = question};
    bool found = false;
    *out = NULL;
    if (curator->policy->timing_step_milliseconds > 0 || curator->policy->peeked != NULL)
        return DITHER_OK;
    TRY(answer_new(&asking.answer, why));
    arena_init(&asking.arena, CURATOR_ARENA_BYTES);
    status result = print_settings(&asking, why);
    if (result == DITHER_OK)
        result = recall_find(curator, question, asking.settings, sight, asking.answer, &found, why);
    arena_free(&asking.arena);
    if (result == DITHER_OK && found)
        *out = asking.answer;
    else
        curator_answer_free(asking.answer);
    return result;
}

status curator_may_show_now(struct curator *curator, struct ledger_sight *sight, const char *analyst,
                            struct ledger_cost *left, bool *known, error *why)
{
    return ledger_may_show_now(curator->ledger, sight, analyst, left, known, why);
}

status curator_describe(struct curator *curator, const struct curator_question *question, struct arena *arena,
                        struct curator_column **columns, size_t *count, error *why)
{
    struct prepared prepared;
    struct visible visible = {0};
    struct curator_answer answer = {0};
    TRY(curator_prepare(curator, question, arena, &prepared, why));
    TRY(find_visible(prepared.plan->result, arena, &visible, why));
    TRY(describe_columns(&prepared, &visible, arena, &answer, why));
    *columns = answer.columns;
    *count = answer.column_count;
    return DITHER_OK;
}

status curator_remaining(struct curator *curator, const char *analyst, struct ledger_cost *left, error *why)
{
    return ledger_left(curator->ledger, analyst, NULL, 0, left, why);
}

status curator_look(struct curator *curator, status (*look)(struct ledger *ledger, void *context, error *why),
                    void *context, error *why)
{
    return ledger_look(curator->ledger, look, context, why);
}

/* Answers, and refusals, come at multiples of the policy's step. */
static void hold_back(uint64_t begun, uint64_t step)
{
    if (step == 0)
        return;
    uint64_t passed = (uint64_t)monotonic_milliseconds() - begun, rest = step - passed % step;
    struct timespec left = {.tv_sec = (time_t)(rest / 1000), .tv_nsec = (long)(rest % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

status curator_ask(struct curator *curator, const struct curator_question *question,
                   struct curator_answer **out, error *why)
{
    struct asking asking = {.curator = curator, .question = question};
    uint64_t begun = (uint64_t)monotonic_milliseconds();
    error local;
    error *told = why != NULL ? why : &local;
    TRY(curator_check_peeked(curator->policy, told));
    TRY(answer_new(&asking.answer, told));
    arena_init(&asking.arena, CURATOR_ARENA_BYTES);
    status result = answer_question(&asking, told);
    if (result != DITHER_OK && asking.reservation != NULL)
        result = say_charged(result, told);
    ledger_reservation_free(asking.reservation);
    arena_free(&asking.arena);
    atomic_store(&curator->interrupted, false);
    if (result == DITHER_OK)
        *out = asking.answer;
    else
        curator_answer_free(asking.answer);
    if (!curator->at_once)
        hold_back(begun, curator->policy->timing_step_milliseconds);
    return result;
}
