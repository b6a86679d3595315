#include "curator/draws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curator/match.h"
#include "curator/walk.h"
#include "sql/print.h"

enum {
    MOST_DRAWS = 1000,
    LEAST_OUTSIDE = 5,    /* draws on either side of an interval: fewer do not say where it ends */
    MOST_DRAWN = 1 << 21, /* rows, of all tables and of what becomes of them */
    PAIRS_PER_ROW = 16,   /* pairs of a join cost less than rows that are kept */
};

/* ---- How many ---- */

static bool count_join(void *context, const struct sql_relation *relation)
{
    *(size_t *)context += relation->kind == SQL_JOIN;
    return true;
}

static double outside(const struct prepared *prepared)
{
    return (1 - prepared->confidence) / 2;
}

/* How many rows one draw may pass through: all tables, and as many pairs as joins of the largest can make. What takes
 * long without draws would take a thousand times as long with them. */
static status count_draws(const struct prepared *prepared, const struct sql_rows *tables,
                          const struct sql_rows *rows, struct arena *arena, size_t *out, error *why)
{
    size_t size = rows->row_count + 1, joins = 0;
    double largest = 1;
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        size += tables[i].row_count;
        largest = fmax(largest, (double)tables[i].row_count);
    }
    TRY(walk_relation(prepared->plan->result, false, count_join, &joins, arena, why));
    double pairs = joins > 0 ? pow(largest, (double)joins + 1) : 0;
    size_t count = (size_t)(MOST_DRAWN / fmax((double)size, pairs / PAIRS_PER_ROW));
    double least = LEAST_OUTSIDE / outside(prepared);
    count = count > MOST_DRAWS ? MOST_DRAWS : count;
    *out = (double)count < least * (1 - 1e-9) ? 0 : count;
    return DITHER_OK;
}

/* ---- Tables of draws ---- */

struct drawing {
    struct curator *curator;
    const struct price_release *priced;
    const struct sql_rows *table;
    struct arena *arena;
    const bool *denominators; /* for each measure: rows where it is not above 0 are left out; or NULL */
    struct sql_value *cells;
    size_t count, width;
};

static struct sql_value *drawn_cell(const struct drawing *drawing, size_t draw, size_t row, size_t column)
{
    return &drawing->cells[(draw * drawing->table->row_count + row) * drawing->width + column];
}

static status draw_measure(const struct drawing *drawing, const struct price_part *part, error *why)
{
    size_t rows = drawing->table->row_count, column = part->measure->column;
    void *room = NULL, *outcome = NULL;
    TRY(arena_take(drawing->arena, rows * drawing->count * sizeof(int64_t), &room, why));
    TRY(arena_take(drawing->arena, rows * drawing->count * sizeof(int64_t), &outcome, why));
    int64_t *numbers = room;
    for (size_t draw = 0; draw < drawing->count; draw++)
        for (size_t row = 0; row < rows; row++)
            numbers[draw * rows + row] = sql_rows_cell(drawing->table, row, column)->whole;
    TRY(mechanism_noise(part->mechanisms, drawing->curator->random, numbers, rows * drawing->count, outcome,
                        why));
    for (size_t draw = 0; draw < drawing->count; draw++)
        for (size_t row = 0; row < rows; row++)
            drawn_cell(drawing, draw, row, column)->whole = ((int64_t *)outcome)[draw * rows + row];
    return DITHER_OK;
}

static void copy_released(const struct drawing *drawing)
{
    const struct sql_rows *table = drawing->table;
    for (size_t draw = 0; draw < drawing->count; draw++)
        for (size_t row = 0; row < table->row_count; row++) {
            memcpy(drawn_cell(drawing, draw, row, 0), sql_rows_cell(table, row, 0),
                   table->column_count * sizeof *drawing->cells);
            *drawn_cell(drawing, draw, row, table->column_count) =
                (struct sql_value){.type = SQL_INTEGER, .whole = (int64_t)draw};
        }
}

static bool divides_by_nothing(const struct drawing *drawing, const struct sql_value *row)
{
    const struct sql_release *release = drawing->priced->release;
    for (size_t i = 0; drawing->denominators != NULL && i < release->measure_count; i++)
        if (drawing->denominators[i] && row[release->measures[i].column].whole <= 0)
            return true;
    return false;
}

static size_t leave_out(const struct drawing *drawing, size_t rows)
{
    size_t kept = 0;
    for (size_t row = 0; row < rows; row++) {
        const struct sql_value *from = &drawing->cells[row * drawing->width];
        if (divides_by_nothing(drawing, from))
            continue;
        if (kept != row)
            memcpy(&drawing->cells[kept * drawing->width], from, drawing->width * sizeof *from);
        kept++;
    }
    return kept;
}

static status draw_table(struct drawing *drawing, struct sql_rows *out, error *why)
{
    const struct sql_rows *table = drawing->table;
    void *cells = NULL;
    drawing->width = table->column_count + 1;
    TRY(arena_take(drawing->arena,
                   table->row_count * drawing->count * drawing->width * sizeof *drawing->cells, &cells, why));
    drawing->cells = cells;
    copy_released(drawing);
    for (size_t i = 0; i < drawing->priced->part_count && table->row_count > 0; i++)
        if (drawing->priced->parts[i].kind == PRICE_NUMBER)
            TRY(draw_measure(drawing, &drawing->priced->parts[i], why));
    *out = (struct sql_rows){.column_count = drawing->width,
                             .row_count = leave_out(drawing, table->row_count * drawing->count),
                             .cells = drawing->cells};
    return DITHER_OK;
}

static void name_draws(const struct prepared_release *release, char name[64])
{
    snprintf(name, 64, "%s_draws", release->table);
}

static status put_draws(struct curator *curator, const struct prepared_release *release,
                        const struct sql_rows *drawn, struct arena *arena, error *why)
{
    struct sql_relation wider = *release->relation;
    struct scratch_column *columns = NULL;
    void *all = NULL;
    char name[64];
    TRY(rest_columns(release->relation, arena, &columns, why));
    TRY(arena_take(arena, (wider.column_count + 1) * sizeof *columns, &all, why));
    memcpy(all, columns, wider.column_count * sizeof *columns);
    ((struct scratch_column *)all)[wider.column_count] = (struct scratch_column){.type = SQL_INTEGER};
    name_draws(release, name);
    return scratch_put(curator->scratch, name, all, drawn, why);
}

static status put_numbers(struct curator *curator, size_t count, struct arena *arena, error *why)
{
    void *cells = NULL;
    TRY(arena_take(arena, count * sizeof(struct sql_value), &cells, why));
    for (size_t i = 0; i < count; i++)
        ((struct sql_value *)cells)[i] = (struct sql_value){.type = SQL_INTEGER, .whole = (int64_t)i};
    struct sql_rows rows = {.column_count = 1, .row_count = count, .cells = cells};
    return scratch_put(curator->scratch, "draws", &(struct scratch_column){.type = SQL_INTEGER}, &rows, why);
}

/* The same release twice has the same draws. */
static status put_all(struct curator *curator, const struct prepared *prepared, const struct sql_rows *tables,
                      size_t count, const struct denominators *denominators, struct arena *arena, error *why)
{
    void *room = NULL;
    TRY(rest_begin(curator, why));
    TRY(arena_take(arena, prepared->plan->release_count * sizeof(struct sql_rows), &room, why));
    struct sql_rows *drawn = room;
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        const struct price_release *priced = &prepared->price.releases[i];
        struct drawing drawing = {.curator = curator,
                                  .priced = priced,
                                  .table = &tables[i],
                                  .arena = arena,
                                  .denominators = denominators->any ? denominators->measures[i] : NULL,
                                  .count = count};
        if (priced->same_as == i)
            TRY(draw_table(&drawing, &drawn[i], why));
        else
            drawn[i] = drawn[priced->same_as];
        TRY(put_draws(curator, &prepared->releases[i], &drawn[i], arena, why));
    }
    return put_numbers(curator, count, arena, why);
}

static void drop_all(struct curator *curator, const struct prepared *prepared)
{
    char name[64];
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        name_draws(&prepared->releases[i], name);
        scratch_drop(curator->scratch, name);
    }
    scratch_drop(curator->scratch, "draws");
}

/* ---- The rest of the question over all draws ---- */

struct uses_noise {
    const struct sql_relation *input;
    bool noisy;
};

static void look_for_noise(void *context, size_t column)
{
    struct uses_noise *uses = context;
    uses->noisy = uses->noisy || uses->input->columns[column].noisy;
}

static bool depends_on_noise(const struct sql_relation *filter)
{
    struct uses_noise uses = {.input = filter->input};
    sql_visit_columns(filter->condition, look_for_noise, &uses);
    return uses.noisy;
}

/* Without what only orders and chooses rows at the end. Columns stay as they are. */
static status strip(const struct sql_relation *relation, struct arena *arena, const struct sql_relation **out,
                    error *why)
{
    while (relation->kind == SQL_SORT || relation->kind == SQL_LIMIT ||
           (relation->kind == SQL_FILTER && depends_on_noise(relation)))
        relation = relation->input;
    *out = relation;
    if (relation->kind != SQL_PROJECT)
        return DITHER_OK;
    void *room = NULL;
    TRY(arena_take(arena, sizeof *relation, &room, why));
    struct sql_relation *copy = room;
    *copy = *relation;
    *out = copy;
    return strip(relation->input, arena, &copy->input, why);
}

static status run_over_draws(struct curator *curator, const struct sql_relation *relation, size_t most_rows,
                             struct arena *arena, struct sql_rows *out, error *why)
{
    struct scratch_column *columns = NULL;
    struct buffer sql;
    TRY(rest_columns(relation, arena, &columns, why));
    buffer_init(&sql, CURATOR_SQL_BYTES);
    struct sql_printer printer = {
        .dialect = &sql_duckdb, .buffer = &sql, .scratch = true, .draws = "draws.c0"};
    buffer_text(&sql, "SELECT drawn.* FROM draws, LATERAL (");
    sql_print_relation(&printer, relation);
    buffer_text(&sql, ") AS drawn");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = scratch_query(curator->scratch, sql.data, columns, relation->column_count, most_rows, arena,
                               out, why);
    buffer_free(&sql);
    return result;
}

/* A rest of a question that scratch cannot run over draws, or that makes too many rows, has no intervals; a lack
 * of entropy or memory is a failure. */
static bool is_harmless(status result)
{
    return result == DITHER_INVALID || result == DITHER_IO || result == DITHER_REFUSED;
}

struct question_part {
    const bool *wanted;
    const struct denominators *denominators;
};

static status make_intervals(struct curator *curator, const struct prepared *prepared,
                             const struct sql_rows *tables, const struct sql_rows *rows,
                             const struct question_part *part, size_t count, struct arena *arena,
                             struct curator_interval *intervals, error *why)
{
    const struct sql_relation *stripped = NULL;
    struct sql_rows drawn;
    TRY(put_all(curator, prepared, tables, count, part->denominators, arena, why));
    TRY(strip(prepared->plan->result, arena, &stripped, why));
    status result = run_over_draws(curator, stripped, 4 * MOST_DRAWN, arena, &drawn, why);
    if (result != DITHER_OK)
        return is_harmless(result) ? DITHER_OK : result;
    struct match match = {.relation = prepared->plan->result,
                          .rows = rows,
                          .drawn = &drawn,
                          .draws = count,
                          .outside = outside(prepared),
                          .wanted = part->wanted,
                          .complete = part->denominators->any};
    return match_intervals(&match, arena, intervals, why);
}

/* The columns that divide by nothing are drawn together, each of the others by itself. */
static status make_parts(struct curator *curator, const struct prepared *prepared,
                         const struct sql_rows *tables, const struct sql_rows *rows, const bool *wanted,
                         size_t count, struct arena *arena, struct curator_interval *intervals, error *why)
{
    size_t columns = prepared->plan->result->column_count;
    const struct denominators nothing = {0};
    void *room = NULL;
    bool any = false;
    TRY(arena_take(arena, columns * sizeof(bool), &room, why));
    bool *plain = room;
    for (size_t i = 0; i < columns; i++) {
        struct denominators denominators = {0};
        void *alone = NULL;
        if (!wanted[i])
            continue;
        TRY(denominators_of(prepared, i, arena, &denominators, why));
        any |= plain[i] = !denominators.any;
        if (plain[i])
            continue;
        TRY(arena_take(arena, columns * sizeof(bool), &alone, why));
        ((bool *)alone)[i] = true;
        struct question_part part = {alone, &denominators};
        TRY(make_intervals(curator, prepared, tables, rows, &part, count, arena, intervals, why));
    }
    struct question_part together = {plain, &nothing};
    return any ? make_intervals(curator, prepared, tables, rows, &together, count, arena, intervals, why)
               : DITHER_OK;
}

status draws_intervals(struct curator *curator, const struct prepared *prepared,
                       const struct sql_rows *tables, const struct sql_rows *rows, const bool *wanted,
                       struct arena *arena, struct curator_interval *intervals, error *why)
{
    size_t count = 0;
    TRY(count_draws(prepared, tables, rows, arena, &count, why));
    if (count == 0)
        return DITHER_OK;
    status result = make_parts(curator, prepared, tables, rows, wanted, count, arena, intervals, why);
    drop_all(curator, prepared);
    return result;
}
