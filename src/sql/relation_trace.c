/* Where a column comes from. */
#include "sql/relation_make.h"

/* Through one node: the relation and column behind this column; false when it is computed here. */
static bool step_down(const struct sql_relation **relation, size_t *column, bool *null_extended)
{
    const struct sql_relation *here = *relation;
    const struct sql_expression *made = NULL;
    switch (here->kind) {
    case SQL_FILTER:
    case SQL_SEMI_JOIN:
    case SQL_SORT:
    case SQL_LIMIT:
    case SQL_DISTINCT:
        *relation = here->input;
        return true;
    case SQL_WINDOW:
        *relation = here->input;
        return *column < here->input->column_count;
    case SQL_JOIN:
        if (*column < here->input->column_count) {
            *null_extended = *null_extended || here->join == SQL_RIGHT || here->join == SQL_FULL;
            *relation = here->input;
            return true;
        }
        *null_extended = *null_extended || here->join == SQL_LEFT || here->join == SQL_FULL;
        *column -= here->input->column_count;
        *relation = here->right;
        return true;
    case SQL_PROJECT:
    case SQL_AGGREGATE:
        if (*column >= here->expression_count)
            return false;
        made = relation_plain(here->expressions[*column]);
        *relation = here->input;
        *column = made->column;
        return made->kind == SQL_COLUMN;
    case SQL_SCAN:
    case SQL_RELEASE:
    case SQL_VALUES:
    case SQL_APPEND:
    case SQL_SET:
        return false;
    }
    return false;
}

bool sql_trace(const struct sql_relation *relation, size_t column, struct sql_origin *out)
{
    bool null_extended = false;
    while (relation->kind != SQL_SCAN && relation->kind != SQL_VALUES)
        if (!step_down(&relation, &column, &null_extended))
            return false;
    if (relation->kind == SQL_SCAN && column >= relation->table->column_count)
        return false; /* the tag of a path, or of a row, is no column of the table */
    *out = (struct sql_origin){relation, column, null_extended};
    return true;
}
