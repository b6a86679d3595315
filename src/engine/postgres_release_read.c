/* What the statements of a release gave, as numbers by group. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/cell.h"
#include "engine/duckdb_bound_gather.h"
#include "engine/duckdb_bound_pack.h"
#include "engine/postgres_release.h"
#include "sql/text_form.h"

enum { FIRST_GROUPS = 64, KEY_BYTES = 256 << 20 };

static status no_memory(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "no memory for the groups of a release");
}

static bool is_hidden(const struct postgres_release *plan)
{
    return plan->release->domain == NULL && plan->release->key_count > 0;
}

static status grow(struct postgres_sums *sums, size_t groups, error *why)
{
    size_t room = sums->group_room > 0 ? sums->group_room : FIRST_GROUPS;
    while (room < groups)
        room *= 2;
    if (room == sums->group_room)
        return DITHER_OK;
    size_t size = sums->words * sizeof *sums->numbers;
    int64_t *grown = memory_grow(sums->numbers, sums->group_room * size, room * size);
    if (grown == NULL)
        return no_memory(why);
    sums->numbers = grown;
    sums->group_room = room;
    return DITHER_OK;
}

status postgres_sums_init(struct postgres_sums *sums, const struct postgres_release *plan, error *why)
{
    const struct sql_release *release = plan->release;
    *sums = (struct postgres_sums){.plan = plan, .words = 1};
    bound_table_init(&sums->keys);
    sums->offsets = memory_allocate((release->measure_count + 1) * sizeof *sums->offsets);
    if (sums->offsets == NULL)
        return no_memory(why);
    for (size_t i = 0; i < release->measure_count; i++) {
        sums->offsets[i] = sums->words;
        sums->words += sql_measure_width(&release->measures[i]);
    }
    if (!is_hidden(plan))
        sums->group_count = release->key_count == 0 ? 1 : plan->domain.keys.count;
    status result = grow(sums, sums->group_count, why);
    if (result != DITHER_OK)
        postgres_sums_free(sums);
    return result;
}

void postgres_sums_free(struct postgres_sums *sums)
{
    bound_table_free(&sums->keys);
    memory_release(sums->numbers, sums->group_room * sums->words * sizeof *sums->numbers);
    memory_release(sums->offsets, (sums->plan->release->measure_count + 1) * sizeof *sums->offsets);
    sums->numbers = NULL;
    sums->offsets = NULL;
}

/* ---- Cells ---- */

/* The text of a cell as a value; it borrows the text. */
static status read_value(const PGresult *result, int row, int column, enum sql_type type, int scale,
                         struct sql_value *out, error *why)
{
    struct text_form_interval interval;
    const char *text = PQgetvalue(result, row, column);
    size_t length = (size_t)PQgetlength(result, row, column);
    *out = (struct sql_value){.type = type, .scale = scale, .null = PQgetisnull(result, row, column) != 0};
    if (out->null)
        return DITHER_OK;
    if (type != SQL_INTERVAL)
        return cell_read(text, length, type == SQL_UNKNOWN ? SQL_TEXT : type, scale, out)
                   ? DITHER_OK
                   : fail(why, DITHER_IO, "a key is not of its type");
    if (!text_form_read_interval(text, length, &interval))
        return fail(why, DITHER_IO, "a key is not of its type");
    out->months = interval.months;
    out->days = interval.days;
    out->whole = interval.microseconds;
    return DITHER_OK;
}

static status read_number(const PGresult *result, int row, int column, int64_t *out, error *why)
{
    struct sql_value value;
    TRY(read_value(result, row, column, SQL_INTEGER, 0, &value, why));
    *out = value.null ? 0 : gather_saturate(value.whole);
    return DITHER_OK;
}

/* ---- Groups ---- */

static status pack_keys(const struct postgres_sums *sums, const PGresult *result, int row,
                        struct buffer *packed, error *why)
{
    const struct sql_release *release = sums->plan->release;
    buffer_clear(packed);
    for (size_t i = 0; i < release->key_count; i++) {
        struct sql_value value;
        TRY(read_value(result, row, (int)i + 1, release->keys[i]->type, release->keys[i]->scale, &value,
                       why));
        pack_value(&value, packed);
    }
    return buffer_check(packed, why);
}

/* The numbers of the row's group; NULL: it is none that anybody asked for. */
static status find_group(struct postgres_sums *sums, const PGresult *result, int row, bool make,
                         struct buffer *packed, int64_t **out, error *why)
{
    uint32_t group = 0;
    *out = NULL;
    if (sums->plan->release->key_count == 0) {
        *out = sums->numbers;
        return DITHER_OK;
    }
    TRY(pack_keys(sums, result, row, packed, why));
    if (is_hidden(sums->plan) && make) {
        if (!bound_table_add(&sums->keys, packed->data, (uint32_t)packed->length, &group))
            return no_memory(why);
        sums->group_count = sums->keys.count;
        TRY(grow(sums, sums->group_count, why));
    } else {
        const struct bound_table *keys = is_hidden(sums->plan) ? &sums->keys : &sums->plan->domain.keys;
        if (!bound_table_find(keys, packed->data, (uint32_t)packed->length, &group))
            return DITHER_OK;
    }
    *out = sums->numbers + group * sums->words;
    return DITHER_OK;
}

static void add_number(int64_t *number, int64_t more)
{
    *number = gather_saturate((int128_t)*number + more);
}

/* ---- One row of a statement: a number, the keys, and what else it has ---- */

static status add_sums(const struct postgres_sums *sums, const PGresult *result, int row, int64_t *numbers,
                       error *why)
{
    const struct sql_release *release = sums->plan->release;
    int column = (int)release->key_count + 1;
    int64_t number = 0;
    TRY(read_number(result, row, 0, &number, why));
    add_number(&numbers[0], number);
    for (size_t i = 0; i < release->measure_count; i++) {
        if (!postgres_is_additive(&release->measures[i]))
            continue;
        TRY(read_number(result, row, column++, &number, why));
        add_number(&numbers[sums->offsets[i]], number);
    }
    return DITHER_OK;
}

/* Which cell of the measure the row's x is; false: none. */
static status find_cell(const struct sql_measure *measure, const PGresult *result, int row, int column,
                        size_t *out, bool *found, error *why)
{
    struct sql_value value;
    bool top = measure->kind == SQL_MEASURE_TOP;
    *found = false;
    TRY(read_value(result, row, column, top ? measure->argument->type : SQL_INTEGER,
                   top ? measure->argument->scale : 0, &value, why));
    if (value.null)
        return DITHER_OK;
    if (!top) {
        *found = value.whole >= 0 && (uint64_t)value.whole < sql_measure_width(measure);
        *out = *found ? (size_t)value.whole : 0;
        return DITHER_OK;
    }
    for (size_t i = 0; i < measure->domain.row_count && !*found; i++)
        if (sql_value_compare(sql_rows_cell(&measure->domain, i, 0), &value) == 0) {
            *found = true;
            *out = i;
        }
    return DITHER_OK;
}

static status add_chosen(const struct postgres_sums *sums, size_t index, const PGresult *result, int row,
                         int64_t *numbers, error *why)
{
    const struct sql_measure *measure = &sums->plan->release->measures[index];
    bool cells = measure->kind == SQL_MEASURE_QUANTILES || measure->kind == SQL_MEASURE_TOP, found = true;
    size_t cell = 0;
    int64_t number = 0;
    TRY(read_number(result, row, 0, &number, why));
    if (cells)
        TRY(find_cell(measure, result, row, (int)sums->plan->release->key_count + 1, &cell, &found, why));
    if (found)
        add_number(&numbers[sums->offsets[index] + cell], number);
    return DITHER_OK;
}

status postgres_sums_add(struct postgres_sums *sums, size_t statement, const PGresult *result, error *why)
{
    struct buffer packed;
    status outcome = DITHER_OK;
    buffer_init(&packed, KEY_BYTES);
    for (int row = 0; row < PQntuples(result) && outcome == DITHER_OK; row++) {
        int64_t *numbers = NULL;
        outcome = find_group(sums, result, row, statement == 0, &packed, &numbers, why);
        if (outcome != DITHER_OK || numbers == NULL)
            continue;
        outcome = statement == 0 ? add_sums(sums, result, row, numbers, why)
                                 : add_chosen(sums, postgres_chosen_measure(sums->plan, statement), result,
                                              row, numbers, why);
    }
    buffer_free(&packed);
    return outcome;
}

/* ---- What the caller gets ---- */

struct sorted_group {
    const struct sql_value *cells;
    size_t cell_count, group;
};

static int compare_groups(const void *a, const void *b)
{
    const struct sorted_group *first = a, *second = b;
    for (size_t i = 0; i < first->cell_count; i++) {
        int order = sql_value_compare(&first->cells[i], &second->cells[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static void copy_numbers(const struct postgres_sums *sums, size_t group, size_t row, int64_t *units,
                         int64_t *numbers)
{
    const int64_t *from = sums->numbers + group * sums->words;
    units[row] = from[0];
    memcpy(numbers + row * (sums->words - 1), from + 1, (sums->words - 1) * sizeof *from);
}

static status read_group(const struct postgres_sums *sums, size_t group, struct arena *arena,
                         struct sql_value *cells, error *why)
{
    const struct sql_release *release = sums->plan->release;
    uint32_t length;
    const uint8_t *next = (const uint8_t *)bound_table_bytes(&sums->keys, group, &length),
                  *end = next + length;
    for (size_t i = 0; i < release->key_count; i++)
        TRY(pack_read(&next, end, release->keys[i]->type, release->keys[i]->scale, arena, &cells[i], why));
    return DITHER_OK;
}

static status finish_hidden(const struct postgres_sums *sums, struct arena *arena, int64_t *units,
                            int64_t *numbers, struct sql_rows *keys, error *why)
{
    size_t width = sums->plan->release->key_count, count = sums->group_count;
    struct sorted_group *groups = NULL;
    struct sql_value *found = NULL, *sorted = NULL;
    TRY(arena_take(arena, (count + 1) * sizeof *groups, (void **)&groups, why));
    TRY(arena_take(arena, (count + 1) * width * sizeof *found, (void **)&found, why));
    TRY(arena_take(arena, (count + 1) * width * sizeof *sorted, (void **)&sorted, why));
    for (size_t i = 0; i < count; i++) {
        TRY(read_group(sums, i, arena, found + i * width, why));
        groups[i] = (struct sorted_group){found + i * width, width, i};
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    for (size_t i = 0; i < count; i++) {
        copy_numbers(sums, groups[i].group, i, units, numbers);
        memcpy(sorted + i * width, groups[i].cells, width * sizeof *sorted);
    }
    *keys = (struct sql_rows){width, count, sorted};
    return DITHER_OK;
}

status postgres_sums_finish(const struct postgres_sums *sums, struct arena *arena, struct engine_groups *out,
                            error *why)
{
    const struct postgres_release *plan = sums->plan;
    bool keyed = plan->release->key_count > 0;
    size_t rows = is_hidden(plan) ? sums->group_count : keyed ? plan->domain.row_count : 1;
    struct engine_groups groups = {.group_count = rows, .numbers_per_group = sums->words - 1};
    int64_t *units = NULL, *numbers = NULL;
    TRY(arena_take(arena, (rows + 1) * sizeof *units, (void **)&units, why));
    TRY(arena_take(arena, (rows + 1) * sums->words * sizeof *numbers, (void **)&numbers, why));
    if (is_hidden(plan)) {
        TRY(finish_hidden(sums, arena, units, numbers, &groups.keys, why));
    } else {
        for (size_t row = 0; row < rows; row++)
            copy_numbers(sums, keyed ? plan->domain.group_of_row[row] : 0, row, units, numbers);
        groups.keys = keyed ? plan->request->domain : (struct sql_rows){0, 1, NULL};
    }
    groups.units = units;
    groups.numbers = numbers;
    *out = groups;
    return DITHER_OK;
}
