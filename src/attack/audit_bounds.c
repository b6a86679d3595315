/* For every kind of question: what it claims, and what was found. */
#include <math.h>
#include <string.h>

#include "attack/audit_board.h"

enum {
    SAMPLES = 24000, /* people times repeats */
    SHORT_SAMPLES = 3000,
    MOST_REPEATS = 60,
    SHORT_REPEATS = 8,
    SLOW_REPEATS = 4,
    LOOK_BYTES = 1 << 28,
};

/* {n} a number of the table, {s} the middle of its range, {u} the unit, {v} a column of few values that is no key of the board. */
struct kind {
    const char *name, *measure;
    uint64_t amount;
    bool companions;
    bool slow;   /* its intervals are drawn, which takes time: fewer repeats, and none in a short audit */
    bool choice; /* between 0 and 1, with a law that is known */
};

/* The median of many is the worst case of a quantile. Companions stand at 80, people at 84. A person pulls the four cells above
 * his companion up and pushes the eighty below down, each by all that one person can; most of the weight lies below as long as he
 * is not there. So "above 80" becomes more likely by nearly e^epsilon, in each of his groups. */
static const struct kind kinds[] = {
    {"count", "count(*)", 1, false, false, false},
    {"people", "count(DISTINCT {u})", 1, false, false, false},
    {"sum", "sum({n})", 1, false, false, false},
    {"count and sum", "count(*), sum({n})", 2, false, false, false},
    {"distinct values", "count(DISTINCT {n})", 1, false, false, false},
    {"average", "avg({n})", 2, true, true, false},
    {"deviation", "stddev({n})", 2, true, true, false},
    {"median", "median(CASE WHEN {n} > {s} THEN 1 ELSE 0 END)", 2, true, false, true},
    {"median of many",
     "CASE WHEN median(CASE WHEN {n} > {s} THEN 84 WHEN {n} IS NULL THEN 0 ELSE 80 END) > 80 THEN 1 ELSE 0 "
     "END",
     3, true, false, false},
    {"maximum", "max(CASE WHEN {n} > {s} THEN 1 ELSE 0 END)", 2, true, true, false},
    {"two quantiles",
     "percentile_cont(0.25) WITHIN GROUP (ORDER BY {n}), percentile_cont(0.75) WITHIN GROUP (ORDER BY {n})",
     4, true, true, false},
    {"top", "approx_top_k({v}, 1)", 2, true, false, false},
};

/* ---- Filling in ---- */

static const struct policy_column *few_values(const struct audit_board *board)
{
    const struct policy_column *column = NULL;
    for (size_t i = 0; (column = audit_public_key(board->run, board->table, 20, i)) != NULL; i++) {
        bool key = false;
        for (size_t j = 0; j < board->key_count; j++)
            key = key || board->keys[j] == column;
        if (!key && (column->value_count > 0 || column->type == POLICY_BOOLEAN))
            return column;
    }
    return NULL;
}

/* A number that the board's keys are not made of. */
static const struct policy_column *free_number(const struct audit_board *board)
{
    const struct policy_column *column = NULL;
    for (size_t i = 0; (column = audit_number_column(board->run, board->table, i)) != NULL; i++) {
        bool key = false;
        for (size_t j = 0; j < board->key_count; j++)
            key = key || board->keys[j] == column;
        if (!key)
            return column;
    }
    return NULL;
}

static bool fill_in(const struct audit_board *board, char what, struct buffer *out)
{
    const struct policy_column *number = free_number(board), *few = few_values(board);
    const char *unit = audit_unit_name(board->table);
    if (what == 'u' && unit != NULL)
        audit_print_name(out, unit);
    else if (what == 'v' && few != NULL)
        audit_print_name(out, few->name);
    else if (what == 'n' && number != NULL)
        audit_print_name(out, number->name);
    else if (what == 's' && number != NULL && number->type == POLICY_REAL)
        buffer_format(out, "%.17g", number->lower.real / 2 + number->upper.real / 2);
    else if (what == 's' && number != NULL)
        buffer_format(out, "%.17g",
                      (double)(number->lower.whole / 2 + number->upper.whole / 2) / pow(10, number->scale));
    else
        return false;
    return true;
}

static bool print_measure(const struct audit_board *board, const char *pattern, struct buffer *out)
{
    buffer_clear(out);
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '{') {
            buffer_byte(out, *at);
            continue;
        }
        if (!fill_in(board, at[1], out))
            return false;
        at += 2;
    }
    return true;
}

/* ---- Judging ---- */

static void judge(struct audit_run *run, enum audit_check check, const char *question, double found,
                  const struct audit_look *look)
{
    audit_tested(run, check);
    if (found > look->claimed_epsilon * (1 + 1e-9))
        audit_convict(run, check, question, "epsilon is at least %.4g, and %.4g was claimed (delta %.2g)",
                      found, look->claimed_epsilon, look->claimed_delta);
}

static status bound(struct audit_board *board, const struct kind *kind, const char *question,
                    const struct audit_look *look, error *why)
{
    struct audit_run *run = board->run;
    struct audit_bound found = {.kind = kind->name,
                                .question = question,
                                .claimed_epsilon = look->claimed_epsilon,
                                .claimed_delta = look->claimed_delta,
                                .samples = look->people * look->repeats};
    if (run->bounds + 2 > AUDIT_MOST_BOUNDS)
        return DITHER_OK;
    run->bounds += 2;
    found.guesses = audit_canaries_epsilon(look, run->bound_error);
    found.events = audit_events_epsilon(look, run->bound_error);
    judge(run, AUDIT_GUESSES, question, found.guesses, look);
    judge(run, AUDIT_EVENTS, question, found.events, look);
    return audit_add_bound(run, &found, why);
}

static uint64_t repeats_of(const struct audit_board *board, const struct kind *kind)
{
    if (kind->slow)
        return SLOW_REPEATS;
    uint64_t wanted = (board->run->shortly ? SHORT_SAMPLES : SAMPLES) / board->people + 1;
    uint64_t most = board->run->shortly ? SHORT_REPEATS : MOST_REPEATS;
    return wanted < most ? wanted : most;
}

static status look_at_kind(struct audit_board *board, const struct kind *kind, error *why)
{
    struct arena arena;
    struct buffer measure, question;
    struct audit_look look;
    bool answered = false;
    status result = DITHER_OK;
    arena_init(&arena, LOOK_BYTES);
    buffer_init(&measure, 1 << 16);
    buffer_init(&question, 1 << 16);
    audit_tell(board->run, "bounds: %s of %s", kind->name, board->table->name);
    if (print_measure(board, kind->measure, &measure)) {
        audit_board_question(board, measure.data, &question);
        result = audit_board_look(board, measure.data, kind->amount, repeats_of(board, kind), &arena, &look,
                                  &answered, why);
    }
    if (result == DITHER_OK && answered)
        result = bound(board, kind, question.data, &look, why);
    if (result == DITHER_OK && answered && kind->choice)
        audit_choices_fit(board, &look, question.data);
    buffer_free(&question);
    buffer_free(&measure);
    arena_free(&arena);
    return result;
}

static status look_at_table(struct audit_run *run, const struct policy_table *table, bool companions,
                            bool *possible, error *why)
{
    struct audit_board board;
    status result = audit_board_open(run, table, companions, &board, why);
    *possible = result != DITHER_REFUSED;
    if (result == DITHER_REFUSED)
        return DITHER_OK;
    TRY(result);
    for (size_t i = 0; result == DITHER_OK && i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].companions == companions && !(run->shortly && kinds[i].slow) &&
            !(run->options->first && audit_report_convicts(run->report)))
            result = look_at_kind(&board, &kinds[i], why);
    audit_board_close(&board);
    return result;
}

status audit_boards(struct audit_run *run, error *why)
{
    bool any = false;
    for (size_t i = 0; i < run->policy->table_count; i++)
        for (int companions = 0; companions <= 1; companions++) {
            bool possible = false;
            if (run->policy->tables[i].protection == POLICY_PUBLIC)
                continue;
            TRY(look_at_table(run, &run->policy->tables[i], companions, &possible, why));
            any = any || possible;
        }
    if (!any)
        run->report->skipped[AUDIT_GUESSES] = run->report->skipped[AUDIT_EVENTS] =
            "no table has public keys enough for a board of people";
    return DITHER_OK;
}
