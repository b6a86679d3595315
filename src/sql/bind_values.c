/* VALUES (1, 'a'), (2, 'b'): public rows. */
#include "sql/bind_room.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 10000 };

struct cells {
    const struct sql_expression **list;
    size_t rows, columns;
};

static status bind_cells(struct binder *binder, const PgQuery__SelectStmt *select,
                         const struct sql_relation *dummy, struct cells *out, error *why)
{
    static const struct bind_names nothing = {.source_count = 0};
    struct bind_level level;
    bind_level_init(&level, "VALUES", dummy, &nothing);
    out->rows = select->n_values_lists;
    out->columns = select->values_lists[0]->list->n_items;
    if (out->rows * out->columns > MOST_VALUES)
        return sql_refuse(why, -1, "VALUES has more than %d cells", MOST_VALUES);
    TRY(relation_take(&binder->builder, out->rows * out->columns, sizeof *out->list, &out->list, why));
    for (size_t row = 0; row < out->rows; row++) {
        const PgQuery__List *list = select->values_lists[row]->list;
        if (list->n_items != out->columns)
            return sql_refuse(why, list->n_items > 0 ? bind_position(binder, list->items[0]) : -1,
                              "VALUES lists must all be the same length");
        for (size_t i = 0; i < out->columns; i++)
            TRY(bind_expression(binder, &level.scope, list->items[i], &out->list[row * out->columns + i],
                                why));
    }
    return DITHER_OK;
}

/* All cells of a column are literals of one type, apart from NULLs and quoted texts. */
static bool literal_type(const struct cells *cells, size_t column, enum sql_type *type, int *scale)
{
    *type = SQL_UNKNOWN;
    *scale = 0;
    for (size_t row = 0; row < cells->rows; row++) {
        const struct sql_expression *cell = cells->list[row * cells->columns + column];
        if (cell->kind != SQL_LITERAL)
            return false;
        if (cell->type == SQL_UNKNOWN && cell->value.null)
            continue;
        enum sql_type own = cell->type == SQL_UNKNOWN ? SQL_TEXT : cell->type;
        if (*type != SQL_UNKNOWN && (own != *type || cell->scale != *scale))
            return false;
        *type = own;
        *scale = cell->scale;
    }
    if (*type == SQL_UNKNOWN)
        *type = SQL_TEXT;
    return true;
}

static status name_of(struct binder *binder, size_t column, const char **out, error *why)
{
    char name[32];
    snprintf(name, sizeof name, "column%zu", column + 1);
    return bind_text_of(binder, name, out, why);
}

/* As a table of values; false in `done`: some column is not literals of one type. */
static status as_table(struct binder *binder, const struct cells *cells, bool *done,
                       const struct sql_relation **out, error *why)
{
    struct sql_column *columns = NULL;
    struct sql_value *values = NULL;
    struct sql_rows *rows = NULL;
    *done = false;
    TRY(relation_take(&binder->builder, cells->columns, sizeof *columns, &columns, why));
    TRY(relation_take(&binder->builder, cells->rows * cells->columns, sizeof *values, &values, why));
    TRY(relation_take(&binder->builder, 1, sizeof *rows, &rows, why));
    for (size_t i = 0; i < cells->columns; i++) {
        if (!literal_type(cells, i, &columns[i].type, &columns[i].scale))
            return DITHER_OK;
        TRY(name_of(binder, i, &columns[i].name, why));
        for (size_t row = 0; row < cells->rows; row++) {
            struct sql_value *value = &values[row * cells->columns + i];
            *value = cells->list[row * cells->columns + i]->value;
            value->type = columns[i].type;
            value->scale = columns[i].scale;
            columns[i].nullable = columns[i].nullable || value->null;
        }
    }
    *rows = (struct sql_rows){cells->columns, cells->rows, values};
    *done = true;
    return sql_values(&binder->builder, columns, rows, -1, out, why);
}

/* As one SELECT below the other. */
static status as_selects(struct binder *binder, const struct cells *cells, const struct sql_relation *dummy,
                         const struct sql_relation **out, error *why)
{
    const char **names = NULL;
    const struct sql_relation *all = NULL, *one = NULL;
    TRY(relation_take(&binder->builder, cells->columns, sizeof *names, &names, why));
    for (size_t i = 0; i < cells->columns; i++)
        TRY(name_of(binder, i, &names[i], why));
    for (size_t row = 0; row < cells->rows; row++) {
        TRY(sql_project(&binder->builder, dummy, &cells->list[row * cells->columns], names, NULL,
                        cells->columns, -1, &one, why));
        if (all == NULL)
            all = one;
        else
            TRY(sql_append(&binder->builder, all, one, -1, &all, why));
    }
    *out = all;
    return DITHER_OK;
}

status bind_values(struct binder *binder, const PgQuery__SelectStmt *select, const struct sql_relation **out,
                   error *why)
{
    struct cells cells = {.rows = 0};
    const struct sql_relation *dummy = NULL;
    bool done = false;
    TRY(bind_dummy(binder, -1, &dummy, why));
    TRY(bind_cells(binder, select, dummy, &cells, why));
    TRY(as_table(binder, &cells, &done, out, why));
    if (!done)
        TRY(as_selects(binder, &cells, dummy, out, why));
    return bind_finish_set(binder, select, out, why);
}
