/* The statements' results, put together by group. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/duckdb_bound_pack.h"
#include "engine/duckdb_bound_sum.h"
#include "engine/duckdb_release_parts.h"

enum { FIRST_GROUPS = 64, KEY_BYTES = 1 << 30 };

static status no_memory(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "no memory for the groups of a release");
}

static bool is_hidden(const struct release_plan *plan)
{
    return plan->release->key_count > 0 && !plan->release->domain;
}

/* ---- Groups ---- */

static status grow(struct release_sums *sums, size_t needed, error *why)
{
    if (needed <= sums->group_room)
        return DITHER_OK;
    size_t room = needed < 2 * sums->group_room ? 2 * sums->group_room : needed;
    size_t size = sums->words * sizeof *sums->numbers;
    int64_t *numbers = memory_grow(sums->numbers, sums->group_room * size, room * size);
    if (!numbers)
        return no_memory(why);
    sums->numbers = numbers;
    sums->group_room = room;
    return DITHER_OK;
}

status release_sums_init(struct release_sums *sums, const struct release_plan *plan, error *why)
{
    const struct sql_release *release = plan->release;

    *sums = (struct release_sums){.plan = plan, .words = 1};
    bound_table_init(&sums->keys);
    sums->offsets = memory_allocate((release->measure_count + 1) * sizeof *sums->offsets);
    if (!sums->offsets)
        return no_memory(why);
    for (size_t i = 0; i < release->measure_count; i++) {
        sums->offsets[i] = sums->words;
        sums->words += sql_measure_width(&release->measures[i]);
    }
    if (!is_hidden(plan))
        sums->group_count = plan->domain.group_count;
    status result = grow(sums, sums->group_count > FIRST_GROUPS ? sums->group_count : FIRST_GROUPS, why);
    if (result != DITHER_OK)
        release_sums_free(sums);
    return result;
}

void release_sums_free(struct release_sums *sums)
{
    bound_table_free(&sums->keys);
    memory_release(sums->numbers, sums->group_room * sums->words * sizeof *sums->numbers);
    memory_release(sums->offsets, (sums->plan->release->measure_count + 1) * sizeof *sums->offsets);
    sums->numbers = NULL;
    sums->offsets = NULL;
}

/* The numbers of a hidden group; NULL in `out`: it is not to be made. */
static status hidden_group(struct release_sums *sums, const void *packed, size_t length, bool make,
                           int64_t **out, error *why)
{
    uint32_t group;

    *out = NULL;
    if (make) {
        if (!bound_table_add(&sums->keys, packed, (uint32_t)length, &group))
            return no_memory(why);
        sums->group_count = sums->keys.count;
        TRY(grow(sums, sums->group_count, why));
    } else if (!bound_table_find(&sums->keys, packed, (uint32_t)length, &group)) {
        return DITHER_OK;
    }
    *out = sums->numbers + group * sums->words;
    return DITHER_OK;
}

static void add_number(int64_t *number, int64_t more)
{
    *number = gather_saturate((int128_t)*number + more);
}

/* ---- One BLOB from dither_gather ---- */

/* Whole groups of words from the bytes: units, then the statement's measures. */
static const char *take_words(const struct release_sums *sums, const struct release_statement *statement,
                              bool first, const char *next, int64_t *numbers)
{
    for (size_t i = 0; i <= statement->measure_count; i++, next += sizeof(int64_t)) {
        int64_t number;
        memcpy(&number, next, sizeof number);
        if (i > 0)
            add_number(&numbers[sums->offsets[statement->measures[i - 1]]], number);
        else if (first)
            add_number(&numbers[0], number);
    }
    return next;
}

static status add_gathered(struct release_sums *sums, const struct release_statement *statement, bool first,
                           const char *bytes, size_t length, error *why)
{
    const char *next = bytes, *end = bytes + length;
    size_t size = (1 + statement->measure_count) * sizeof(int64_t);

    if (sums->plan->keys == RELEASE_CODES) {
        for (size_t i = 0; i < sums->group_count && (size_t)(end - next) >= size; i++)
            next = take_words(sums, statement, first, next, sums->numbers + i * sums->words);
        return DITHER_OK;
    }
    while (next < end) {
        uint32_t key_length;
        int64_t *numbers;
        if ((size_t)(end - next) < sizeof key_length)
            return fail(why, DITHER_IO, "gathered groups end too early");
        memcpy(&key_length, next, sizeof key_length);
        next += sizeof key_length;
        if ((size_t)(end - next) < key_length + size)
            return fail(why, DITHER_IO, "gathered groups end too early");
        TRY(hidden_group(sums, next, key_length, first, &numbers, why));
        next += key_length;
        if (numbers)
            next = take_words(sums, statement, first, next, numbers);
        else
            next += size;
    }
    return DITHER_OK;
}

/* ---- Rows: keys, then numbers ---- */

struct row_source {
    struct pack_column columns[SQL_MOST_KEYS + GATHER_MEASURES + 2];
    size_t key_columns;
    struct buffer packed;
};

static status find_group(struct release_sums *sums, struct row_source *source, size_t row, bool make,
                         int64_t **out, error *why)
{
    const struct release_plan *plan = sums->plan;
    uint32_t group = 0;
    int64_t code;

    *out = NULL;
    if (plan->keys == RELEASE_CODES) {
        if (pack_whole(&source->columns[0], row, &code) && code >= 0 && (uint64_t)code < sums->group_count)
            *out = sums->numbers + (size_t)code * sums->words;
        return DITHER_OK;
    }
    if (plan->keys == RELEASE_BYTES) {
        uint32_t length;
        const char *key = bound_text((const duckdb_string_t *)source->columns[0].data + row, &length);
        return hidden_group(sums, key, length, make, out, why);
    }
    source->packed.length = 0;
    for (size_t i = 0; i < source->key_columns; i++)
        pack_cell(&source->columns[i], row, &source->packed);
    TRY(buffer_check(&source->packed, why));
    if (is_hidden(plan))
        return hidden_group(sums, source->packed.data, source->packed.length, make, out, why);
    if (bound_table_find(&plan->domain.keys, source->packed.data, (uint32_t)source->packed.length, &group))
        *out = sums->numbers + group * sums->words;
    return DITHER_OK;
}

static int64_t number_at(const struct row_source *source, size_t column, size_t row)
{
    int64_t number = 0;
    return pack_whole(&source->columns[source->key_columns + column], row, &number) ? gather_saturate(number)
                                                                                    : 0;
}

/* What dither_sum_* found; nothing where there was no row. */
static struct bound_sum sum_at(const struct row_source *source, size_t column, size_t row)
{
    const struct pack_column *from = &source->columns[source->key_columns + column];
    struct bound_sum sum = {.rows = 0};
    uint32_t length;

    if (from->type != DUCKDB_TYPE_BLOB || !bound_is_valid(from->validity, row))
        return sum;
    const char *bytes = bound_text((const duckdb_string_t *)from->data + row, &length);
    if (length == sizeof sum)
        memcpy(&sum, bytes, sizeof sum);
    return sum;
}

/* The number of rows stands in the first column, or in the first sum. */
static int64_t rows_at(const struct release_sums *sums, const struct release_statement *statement,
                       const struct row_source *source, size_t row)
{
    if (release_counts_rows(sums->plan, statement))
        return number_at(source, 0, row);
    for (size_t i = 0, column = 0; i < statement->measure_count; i++) {
        const struct sql_measure *measure = &sums->plan->release->measures[statement->measures[i]];
        if (release_is_fused(sums->plan, measure))
            return gather_saturate((int128_t)sum_at(source, column, row).rows);
        column += release_value_count(measure) != 0;
    }
    return 0;
}

static int64_t fused_number(const struct sql_measure *measure, const struct bound_sum *sum)
{
    return gather_saturate(bound_sum_total(sum) -
                           (int128_t)measure->steps.centre * (int128_t)(sum->rows - sum->nulls));
}

static void add_sums_row(const struct release_sums *sums, const struct release_statement *statement,
                         bool first, const struct row_source *source, size_t row, int64_t *numbers)
{
    int64_t rows = rows_at(sums, statement, source, row);
    size_t column = release_counts_rows(sums->plan, statement);

    if (first)
        add_number(&numbers[0], rows);
    for (size_t i = 0; i < statement->measure_count; i++) {
        const struct sql_measure *measure = &sums->plan->release->measures[statement->measures[i]];
        int64_t number = rows;
        if (release_is_fused(sums->plan, measure)) {
            struct bound_sum sum = sum_at(source, column++, row);
            number = fused_number(measure, &sum);
        } else if (release_value_count(measure) != 0) {
            number = number_at(source, column++, row);
        }
        add_number(&numbers[sums->offsets[statement->measures[i]]], number);
    }
}

static void add_row(const struct release_sums *sums, const struct release_statement *statement, bool first,
                    const struct row_source *source, size_t row, int64_t *numbers)
{
    size_t offset = statement->measure_count ? sums->offsets[statement->measures[0]] : 0;

    if (statement->kind == STATEMENT_SUMS) {
        add_sums_row(sums, statement, first, source, row, numbers);
    } else if (statement->kind == STATEMENT_DISTINCT) {
        add_number(&numbers[offset], number_at(source, 0, row));
    } else {
        int64_t cell = number_at(source, 0, row);
        size_t width = sql_measure_width(&sums->plan->release->measures[statement->measures[0]]);
        if (cell >= 0 && (uint64_t)cell < width)
            add_number(&numbers[offset + (size_t)cell], number_at(source, 1, row));
    }
}

static status add_chunk(struct release_sums *sums, const struct release_statement *statement, bool first,
                        duckdb_data_chunk chunk, error *why)
{
    struct row_source source = {.key_columns =
                                    sums->plan->keys == RELEASE_RAW ? sums->plan->release->key_count : 1};
    size_t columns = duckdb_data_chunk_get_column_count(chunk);
    status result = DITHER_OK;

    if (columns > sizeof source.columns / sizeof source.columns[0])
        return fail(why, DITHER_IO, "a release with too many columns");
    for (size_t i = 0; i < columns; i++)
        source.columns[i] = pack_column_of(duckdb_data_chunk_get_vector(chunk, i));
    buffer_init(&source.packed, KEY_BYTES);
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk) && result == DITHER_OK; row++) {
        int64_t *numbers;
        result = find_group(sums, &source, row, first, &numbers, why);
        if (result == DITHER_OK && numbers)
            add_row(sums, statement, first, &source, row, numbers);
    }
    buffer_free(&source.packed);
    return result;
}

static status add_blob(struct release_sums *sums, const struct release_statement *statement, bool first,
                       duckdb_data_chunk chunk, error *why)
{
    uint32_t length;

    if (duckdb_data_chunk_get_size(chunk) == 0 || !bound_is_valid(bound_validity(chunk, 0), 0))
        return DITHER_OK;
    const char *bytes = bound_text(bound_data(chunk, 0), &length);
    return add_gathered(sums, statement, first, bytes, length, why);
}

status release_sums_add(struct release_sums *sums, const struct release_statement *statement, bool first,
                        duckdb_result *result, error *why)
{
    bool gathered = statement->kind == STATEMENT_SUMS && sums->plan->keys != RELEASE_RAW;

    for (;;) {
        duckdb_data_chunk chunk = duckdb_fetch_chunk(*result);
        if (!chunk)
            return DITHER_OK;
        status outcome = gathered ? add_blob(sums, statement, first, chunk, why)
                                  : add_chunk(sums, statement, first, chunk, why);
        duckdb_destroy_data_chunk(&chunk);
        TRY(outcome);
    }
}

/* ---- What the caller gets ---- */

/* One hidden group: its keys as values, and where its numbers are. */
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

static status read_keys(const struct release_sums *sums, struct arena *arena, struct sorted_group *groups,
                        error *why)
{
    const struct sql_release *release = sums->plan->release;

    for (size_t i = 0; i < sums->group_count; i++) {
        uint32_t length;
        const uint8_t *next = (const uint8_t *)bound_table_bytes(&sums->keys, i, &length),
                      *end = next + length;
        void *memory;
        TRY(arena_take(arena, release->key_count * sizeof(struct sql_value), &memory, why));
        struct sql_value *cells = memory;
        for (size_t j = 0; j < release->key_count; j++)
            TRY(pack_read(&next, end, release->keys[j]->type, release->keys[j]->scale, arena, &cells[j],
                          why));
        groups[i] = (struct sorted_group){cells, release->key_count, i};
    }
    qsort(groups, sums->group_count, sizeof *groups, compare_groups);
    return DITHER_OK;
}

/* Copies the numbers of `group` into row `row` of the result. */
static void copy_numbers(const struct release_sums *sums, size_t group, size_t row, int64_t *units,
                         int64_t *numbers)
{
    const int64_t *from = sums->numbers + group * sums->words;

    units[row] = from[0];
    memcpy(numbers + row * (sums->words - 1), from + 1, (sums->words - 1) * sizeof *from);
}

static status finish_hidden(const struct release_sums *sums, struct arena *arena, int64_t *units,
                            int64_t *numbers, struct sql_rows *keys, error *why)
{
    size_t key_count = sums->plan->release->key_count;
    void *memory, *cells;

    TRY(arena_take(arena, (sums->group_count + 1) * sizeof(struct sorted_group), &memory, why));
    TRY(arena_take(arena, (sums->group_count + 1) * key_count * sizeof(struct sql_value), &cells, why));
    struct sorted_group *groups = memory;
    struct sql_value *values = cells;
    TRY(read_keys(sums, arena, groups, why));
    for (size_t i = 0; i < sums->group_count; i++) {
        copy_numbers(sums, groups[i].group, i, units, numbers);
        memcpy(values + i * key_count, groups[i].cells, key_count * sizeof *values);
    }
    *keys = (struct sql_rows){key_count, sums->group_count, values};
    return DITHER_OK;
}

status release_sums_finish(const struct release_sums *sums, struct arena *arena, struct engine_groups *out,
                           error *why)
{
    const struct release_plan *plan = sums->plan;
    size_t rows = is_hidden(plan) ? sums->group_count : plan->domain.row_count;
    struct engine_groups groups = {.group_count = rows, .numbers_per_group = sums->words - 1};
    void *units, *numbers;

    TRY(arena_take(arena, (rows + 1) * sizeof(int64_t), &units, why));
    TRY(arena_take(arena, (rows + 1) * sums->words * sizeof(int64_t), &numbers, why));
    if (is_hidden(plan)) {
        TRY(finish_hidden(sums, arena, units, numbers, &groups.keys, why));
    } else {
        for (size_t row = 0; row < rows; row++)
            copy_numbers(sums, plan->domain.group_of_row[row], row, units, numbers);
        if (plan->release->key_count > 0)
            groups.keys = plan->request->domain;
        else
            groups.keys = (struct sql_rows){0, 1, NULL};
    }
    groups.units = units;
    groups.numbers = numbers;
    *out = groups;
    return DITHER_OK;
}
