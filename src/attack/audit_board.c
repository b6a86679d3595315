/* Boards: who stands where, and what answers say about him. */
#include "attack/audit_board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 14000,
    SHORT_CELLS = 1500,
    LEAST_CELLS = 60,
    MOST_GROUPS = 3, /* of one person: settings tighten the policy to it, or boards would have few people */
    MOST_ROWS = 8,
    FEW_VALUES = 20,
    COMPANION_ID = 10000000, /* their ids begin there */
};

/* ---- Keys ---- */

/* The columns with the largest domains that fit, but for one of few values, which "top" needs. */
static void pick_keys(struct audit_board *board)
{
    uint64_t most = board->run->shortly ? SHORT_CELLS : MOST_CELLS;
    board->cells = 1;
    while (board->key_count < BOARD_KEYS) {
        const struct policy_column *best = NULL, *column = NULL;
        for (size_t i = 0;
             (column = audit_public_key(board->run, board->table, most / board->cells, i)) != NULL; i++) {
            bool taken = false;
            for (size_t j = 0; j < board->key_count; j++)
                taken = taken || board->keys[j] == column;
            if (!taken && (best == NULL || audit_cell_domain(column, most) > audit_cell_domain(best, most)))
                best = column;
        }
        if (best == NULL || (board->cells >= LEAST_CELLS && audit_cell_domain(best, most) <= 2))
            break;
        board->keys[board->key_count++] = best;
        board->cells *= audit_cell_domain(best, most);
    }
}

static void print_key_value(const struct audit_board *board, size_t key, uint64_t cell, struct buffer *out)
{
    for (size_t i = 0; i < key; i++)
        cell /= audit_cell_domain(board->keys[i], UINT64_MAX);
    audit_cell_of_domain(board->keys[key], cell % audit_cell_domain(board->keys[key], UINT64_MAX), out);
}

struct named {
    const char *name;
    uint64_t cell;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

/* Names in the form of audit_answer_key. */
static status name_cells(struct audit_board *board, error *why)
{
    struct arena *arena = &board->run->arena;
    void *room = NULL, *names = NULL, *cells = NULL;
    struct buffer name;
    TRY(arena_take(arena, board->cells * sizeof(struct named), &room, why));
    TRY(arena_take(arena, board->cells * sizeof *board->names, &names, why));
    TRY(arena_take(arena, board->cells * sizeof *board->cell_of, &cells, why));
    struct named *list = room;
    buffer_init(&name, 1 << 16);
    status result = DITHER_OK;
    for (uint64_t i = 0; result == DITHER_OK && i < board->cells; i++) {
        char *kept = NULL;
        buffer_clear(&name);
        for (size_t key = 0; key < board->key_count; key++) {
            print_key_value(board, key, i, &name);
            buffer_byte(&name, '|');
        }
        result = buffer_check(&name, why);
        if (result == DITHER_OK)
            result = arena_text(arena, name.data, name.length, &kept, why);
        list[i] = (struct named){kept, i};
    }
    buffer_free(&name);
    TRY(result);
    qsort(list, board->cells, sizeof *list, compare_names);
    board->names = names;
    board->cell_of = cells;
    for (uint64_t i = 0; i < board->cells; i++) {
        board->names[i] = list[i].name;
        board->cell_of[i] = list[i].cell;
    }
    return DITHER_OK;
}

static bool find_cell(const struct audit_board *board, const char *name, uint64_t *out)
{
    size_t low = 0, high = board->cells;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, board->names[middle]);
        if (order == 0) {
            *out = board->cell_of[middle];
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* ---- People ---- */

struct place {
    const struct audit_board *board;
    uint64_t first_cell, rows_in_cell;
};

static bool place_cell(void *context, const struct policy_table *table, const struct policy_column *column,
                       uint64_t row, struct buffer *out)
{
    const struct place *place = context;
    if (table != place->board->table)
        return false;
    for (size_t i = 0; i < place->board->key_count; i++)
        if (place->board->keys[i] == column) {
            print_key_value(place->board, i, place->first_cell + row / place->rows_in_cell, out);
            return true;
        }
    return false;
}

/* Three times as many rows as count in a group: what is too much must make no difference. A companion has as many as count, at
 * the other end: with the person the middle lies between them, and every score of a quantile is moved by as much as one person can. */
static void put_person(struct audit_board *board, struct audit_data *data, uint64_t index, bool companion)
{
    bool single = audit_data_single(board->table);
    struct place place = {.board = board,
                          .first_cell = index * board->groups,
                          .rows_in_cell = single      ? 1
                                          : companion ? board->rows
                                                      : 3 * board->rows};
    audit_data_person(data, &(struct audit_person){.kind = board->table->unit,
                                                   .id = (companion ? COMPANION_ID : 0) + index + 1,
                                                   .style = companion ? STYLE_SMALL : STYLE_LARGE,
                                                   .rows = single ? 1 : place.rows_in_cell * board->groups,
                                                   .only = board->table,
                                                   .cell = place_cell,
                                                   .context = &place});
}

static status fill_world(struct audit_board *board, error *why)
{
    struct audit_data data;
    TRY(audit_data_open(board->run->policy, board->run->options->seed + 2, &data, why));
    audit_data_public(&data);
    for (uint64_t i = 0; i < board->people; i++) {
        board->present[i] = audit_data_random(&data) >> 63;
        if (board->companions)
            put_person(board, &data, i, true);
        if (board->present[i])
            put_person(board, &data, i, false);
    }
    status result = audit_run_open(board->run, &data, &board->world, why);
    audit_data_close(&data);
    return result;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

status audit_board_open(struct audit_run *run, const struct policy_table *table, bool companions,
                        struct audit_board *out, error *why)
{
    void *present = NULL;
    *out = (struct audit_board){.run = run, .table = table, .companions = companions};
    pick_keys(out);
    if (out->cells < LEAST_CELLS)
        return fail(why, DITHER_REFUSED, "table %s has too few public keys", table->name);
    out->groups = audit_data_single(table) ? 1 : least(table->max_groups, MOST_GROUPS);
    out->rows = audit_data_single(table) ? 1 : least(table->max_rows, MOST_ROWS);
    out->people = out->cells / out->groups;
    TRY(arena_take(&run->arena, out->people * sizeof *out->present, &present, why));
    out->present = present;
    TRY(name_cells(out, why));
    return fill_world(out, why);
}

void audit_board_close(struct audit_board *board)
{
    audit_world_close(&board->world);
}

/* ---- Looking ---- */

void audit_board_question(const struct audit_board *board, const char *measure, struct buffer *out)
{
    buffer_clear(out);
    buffer_text(out, "SELECT ");
    for (size_t i = 0; i < board->key_count; i++) {
        audit_print_name(out, board->keys[i]->name);
        buffer_text(out, ", ");
    }
    buffer_format(out, "%s FROM ", measure);
    audit_print_name(out, board->table->name);
    for (size_t i = 0; i < board->key_count; i++) {
        buffer_text(out, i > 0 ? ", " : " GROUP BY ");
        audit_print_name(out, board->keys[i]->name);
    }
}

/* A cell's noisy columns as one number: each in units of its noise. What is no number (NULL, a text) is a number made of its bytes,
 * which keeps different symbols apart; the score of a symbol is learnt (audit_events.c). */
static double symbol_of(const struct audit_answer *answer, size_t row, bool *numbers)
{
    double sum = 0;
    for (size_t i = 0; i < answer->column_count; i++) {
        const struct audit_column *column = &answer->columns[i];
        double number = audit_answer_number(answer, row, i);
        if (!column->noisy)
            continue;
        if (isnan(number)) {
            const char *text = audit_answer_text(answer, row, i);
            uint32_t hash = 2166136261u; /* FNV-1a */
            for (const char *at = text != NULL ? text : "\x01"; *at != '\0'; at++)
                hash = (hash ^ (unsigned char)*at) * 16777619u;
            number = (double)hash;
            *numbers = false;
        }
        sum += column->scale > 0 ? number / column->scale : number;
    }
    return sum;
}

/* False: a public key is missing. */
static bool take_answer(const struct audit_board *board, const struct audit_answer *answer, double *scores,
                        bool *numbers)
{
    struct buffer key;
    size_t found = 0;
    buffer_init(&key, 1 << 16);
    for (uint64_t i = 0; i < board->people; i++)
        scores[i] = 0;
    for (size_t row = 0; row < answer->row_count; row++) {
        uint64_t cell = 0;
        audit_answer_key(answer, row, &key);
        if (!find_cell(board, key.data != NULL ? key.data : "", &cell) ||
            cell / board->groups >= board->people)
            continue;
        scores[cell / board->groups] += symbol_of(answer, row, numbers);
        found++;
    }
    buffer_free(&key);
    return found == board->people * board->groups;
}

/* ---- Symbols that are no numbers ---- */

#define LEARNT -1e12

/* The score of a symbol is the logarithm of how much more often it was seen with the person than without, among even people. */
static void learn_symbols(struct audit_look *look)
{
    uint64_t count = look->people * look->repeats;
    for (uint64_t i = 0; i < count; i++) {
        if (look->scores[i] < LEARNT) /* already; symbols are far above it */
            continue;
        double with = 0.5, without = 0.5, symbol = look->scores[i];
        for (uint64_t j = 0; j < count; j++)
            if (look->scores[j] == symbol && j % look->people % 2 == 0)
                *(look->present[j % look->people] ? &with : &without) += 1;
        double learnt = 2 * LEARNT + log(with / without);
        for (uint64_t j = i; j < count; j++)
            if (look->scores[j] == symbol)
                look->scores[j] = learnt;
    }
}

/* What is promised: as (epsilon, delta) also where the currency is rho. */
static void take_claim(const struct audit_answer *answer, struct audit_look *out)
{
    out->claimed_epsilon = answer->cost_epsilon;
    out->claimed_delta = answer->cost_delta;
    out->claimed_rho = answer->cost_rho;
    if (answer->cost_rho > 0) { /* Bun and Steinke 2016, Proposition 1.3 */
        out->claimed_delta += 1e-6;
        out->claimed_epsilon = answer->cost_rho + 2 * sqrt(answer->cost_rho * log(1e6));
    }
}

static status look_once(struct audit_board *board, const char *sql, uint64_t amount, uint64_t repeat,
                        struct audit_look *out, bool *numbers, bool *answered, error *why)
{
    char text[40];
    struct audit_answer answer;
    audit_fresh_amount(&board->world, amount, text);
    struct audit_settings settings = {.amount = text, .max_groups = board->groups, .max_rows = board->rows};
    TRY(audit_run_ask(board->run, &board->world, sql, &settings, &answer, why));
    *answered = answer.result == DITHER_OK;
    if (*answered) {
        take_claim(&answer, out);
        *answered = take_answer(board, &answer, &out->scores[repeat * board->people], numbers);
        audit_tested(board->run, AUDIT_KEYS);
        if (!*answered)
            audit_convict(board->run, AUDIT_KEYS, sql, "a public key is missing, or is there twice");
    }
    audit_answer_free(&answer);
    return DITHER_OK;
}

status audit_board_look(struct audit_board *board, const char *measure, uint64_t amount, uint64_t repeats,
                        struct arena *arena, struct audit_look *out, bool *answered, error *why)
{
    void *scores = NULL;
    struct buffer sql;
    bool numbers = true;
    TRY(arena_take(arena, board->people * repeats * sizeof *out->scores, &scores, why));
    *out = (struct audit_look){
        .scores = scores, .people = board->people, .repeats = repeats, .present = board->present};
    buffer_init(&sql, 1 << 16);
    audit_board_question(board, measure, &sql);
    status result = buffer_check(&sql, why);
    *answered = true;
    for (uint64_t i = 0; result == DITHER_OK && *answered && i < repeats; i++)
        result = look_once(board, sql.data, amount, i, out, &numbers, answered, why);
    buffer_free(&sql);
    if (result == DITHER_OK && *answered && !numbers)
        learn_symbols(out);
    return result;
}
