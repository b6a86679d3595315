/* Whether a condition equates the units of two relations, and whether a partner is the only one.
 *
 * A join of two tagged relations carries tag = tag in any case, so nothing here decides about privacy. It
 * decides whether the analyst meant that: a condition that does not equate the units by itself would silently
 * get another meaning, and is refused. */
#include <string.h>

#include "sql/relation_make.h"
#include "sql/release.h"

enum { MOST_EQUALITIES = 64 };

/* Equalities between a plain column of the left and one of the right. */
struct equalities {
    const struct sql_relation *left, *right;
    size_t left_columns[MOST_EQUALITIES], right_columns[MOST_EQUALITIES];
    size_t count;
};

static void collect_equality(void *context, const struct sql_expression *part)
{
    struct equalities *found = context;
    size_t border = found->left->column_count;
    if (!sql_is_call(part, "=") || found->count == MOST_EQUALITIES)
        return;
    const struct sql_expression *a = part->arguments[0], *b = part->arguments[1];
    if (a->kind != SQL_COLUMN || b->kind != SQL_COLUMN || (a->column < border) == (b->column < border))
        return;
    found->left_columns[found->count] = a->column < border ? a->column : b->column;
    found->right_columns[found->count] = (a->column < border ? b->column : a->column) - border;
    found->count++;
}

/* A column of a private table, seen from a table further up its path: a key column equals the column of the
 * parent that it points to, and that one perhaps a column of the grandparent. NULL: it is not a key there. */
static const struct policy_column *climb(const struct policy_table *table, const struct policy_column *column,
                                         const struct policy_table *ancestor)
{
    while (table != ancestor) {
        const struct policy_column *above = NULL;
        for (size_t i = 0; i < table->key_count; i++)
            if (table->keys[i].column == column)
                above = table->keys[i].parent_column;
        if (above == NULL)
            return NULL;
        column = above;
        table = table->parent;
    }
    return column;
}

static bool is_on_path(const struct policy_table *table, const struct policy_table *ancestor)
{
    while (table != NULL && table != ancestor)
        table = table->parent;
    return table != NULL;
}

/* What the equalities say about one table on the paths of two scans. */
struct meeting {
    const struct sql_relation *left, *right; /* the scans */
    const struct policy_table *table;
    size_t columns[MOST_EQUALITIES]; /* of the table; in these both rows' rows there agree */
    size_t count;
};

static void collect_meeting(const struct equalities *found, struct meeting *meeting)
{
    for (size_t i = 0; i < found->count; i++) {
        struct sql_origin left, right;
        if (!sql_trace(found->left, found->left_columns[i], &left) ||
            !sql_trace(found->right, found->right_columns[i], &right) || left.scan != meeting->left ||
            right.scan != meeting->right)
            continue;
        const struct sql_table *a = left.scan->table, *b = right.scan->table;
        const struct policy_column *x = climb(a->declared, &a->columns[left.column], meeting->table);
        const struct policy_column *y = climb(b->declared, &b->columns[right.column], meeting->table);
        if (x != NULL && x == y)
            meeting->columns[meeting->count++] = (size_t)(x - meeting->table->columns);
    }
}

/* Whether some child's declared key points to these columns of the table, all of them covered: what a scan of
 * that child had to prove unique already. */
static bool covers_key(const struct meeting *meeting, const struct policy_table *child)
{
    if (child->parent != meeting->table)
        return false;
    for (size_t i = 0; i < child->key_count; i++) {
        size_t wanted = (size_t)(child->keys[i].parent_column - meeting->table->columns), at = 0;
        while (at < meeting->count && meeting->columns[at] != wanted)
            at++;
        if (at == meeting->count)
            return false;
    }
    return true;
}

/* Both rows' paths lead to one row of `meeting->table`, because the equated columns tell its rows apart. */
static bool is_one_row_there(const struct meeting *meeting)
{
    const struct sql_table *own = meeting->left->table;
    if (meeting->count == 0)
        return false;
    if (meeting->table == own->declared && sql_table_is_unique(own, meeting->columns, meeting->count))
        return true;
    const struct policy_table *ends[] = {own->declared, meeting->right->table->declared};
    for (size_t end = 0; end < 2; end++)
        for (const struct policy_table *child = ends[end]; child != NULL; child = child->parent)
            if (covers_key(meeting, child))
                return true;
    return false;
}

/* The pair of scans behind equality number i. */
static bool meet_along_keys(const struct equalities *found, size_t i)
{
    struct sql_origin left, right;
    if (!sql_trace(found->left, found->left_columns[i], &left) ||
        !sql_trace(found->right, found->right_columns[i], &right) || left.scan->kind != SQL_SCAN ||
        right.scan->kind != SQL_SCAN || left.scan->place != SQL_TAGGED || right.scan->place != SQL_TAGGED)
        return false;
    for (const struct policy_table *table = left.scan->table->declared; table != NULL;
         table = table->parent) {
        struct meeting meeting = {.left = left.scan, .right = right.scan, .table = table};
        if (!is_on_path(right.scan->table->declared, table))
            continue;
        collect_meeting(found, &meeting);
        if (is_one_row_there(&meeting))
            return true;
    }
    return false;
}

bool relation_equates_units(const struct sql_relation *left, const struct sql_relation *right,
                            const struct sql_expression *condition)
{
    struct equalities found = {.left = left, .right = right};
    relation_visit_conjuncts(condition, collect_equality, &found);
    for (size_t i = 0; i < found.count; i++)
        if (left->columns[found.left_columns[i]].unit && right->columns[found.right_columns[i]].unit)
            return true;
    for (size_t i = 0; i < found.count; i++)
        if (meet_along_keys(&found, i))
            return true;
    return false;
}

status relation_same_kind(const struct sql_relation *left, const struct sql_relation *right, int position,
                          const char *what, error *why)
{
    if (left->unit == right->unit)
        return DITHER_OK;
    return sql_refuse(why, position,
                      "%s needs one kind of unit on both sides: one side has the units of %s, the other "
                      "those of %s; ask for each of them by itself",
                      what, left->unit->name, right->unit->name);
}

/* ---- One partner ---- */

/* Columns of the partner, which are from .. from + width in the condition, that it equates with something
 * without any of them. */
struct partner_context {
    size_t from, width;
    size_t columns[MOST_EQUALITIES];
    size_t count;
};

struct side_context {
    size_t from, width;
    bool without;
};

static void look_at_side(void *context, size_t column)
{
    struct side_context *side = context;
    side->without = side->without && !(column >= side->from && column - side->from < side->width);
}

static void collect_partner(void *context, const struct sql_expression *part)
{
    struct partner_context *partner = context;
    if (!sql_is_call(part, "="))
        return;
    for (size_t i = 0; i < 2 && partner->count < MOST_EQUALITIES; i++) {
        const struct sql_expression *mine = part->arguments[i], *other = part->arguments[1 - i];
        struct side_context side = {partner->from, partner->width, true};
        sql_visit_columns(other, look_at_side, &side);
        if (mine->kind == SQL_COLUMN && mine->column >= partner->from &&
            mine->column - partner->from < partner->width && side.without)
            partner->columns[partner->count++] = mine->column - partner->from;
    }
}

/* Rows of the relation are rows of one scan, each at most once: then the scan's unique columns are unique
 * here. */
static const struct sql_relation *only_scan(const struct sql_relation *relation)
{
    while (relation->kind == SQL_FILTER || relation->kind == SQL_PROJECT || relation->kind == SQL_SORT ||
           relation->kind == SQL_LIMIT || relation->kind == SQL_SEMI_JOIN || relation->kind == SQL_DISTINCT)
        relation = relation->input;
    return relation->kind == SQL_SCAN ? relation : NULL;
}

static bool is_literal_one(const struct sql_expression *expression)
{
    return expression != NULL && expression->kind == SQL_LITERAL && expression->type == SQL_INTEGER &&
           !expression->value.null && expression->value.whole <= 1;
}

bool relation_is_single(const struct sql_relation *relation)
{
    switch (relation->kind) {
    case SQL_FILTER:
    case SQL_PROJECT:
    case SQL_SORT:
    case SQL_SEMI_JOIN:
    case SQL_DISTINCT:
    case SQL_WINDOW:
        return relation_is_single(relation->input);
    case SQL_LIMIT:
        return is_literal_one(relation->limit) || relation_is_single(relation->input);
    case SQL_VALUES:
        return relation->rows->row_count <= 1;
    case SQL_AGGREGATE:
        return relation->place != SQL_TAGGED && relation->expression_count == 0;
    case SQL_RELEASE:
        return relation->release->key_count == 0;
    case SQL_JOIN: /* not looked into: what is named twice at every level would be visited 2^levels times */
    case SQL_SCAN:
    case SQL_APPEND:
    case SQL_SET:
        return false;
    }
    return false;
}

/* A released side has no proof: what is unique in it was decided by noise and shows only when it has run. */
bool relation_has_one_partner(const struct sql_relation *partner, size_t first_column,
                              const struct sql_expression *condition)
{
    struct partner_context found = {.from = first_column, .width = partner->column_count};
    size_t columns[MOST_EQUALITIES], count = 0;
    if (relation_is_single(partner))
        return true;
    const struct sql_relation *scan = only_scan(partner);
    if (scan == NULL || partner->place != SQL_PUBLIC)
        return false;
    relation_visit_conjuncts(condition, collect_partner, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct sql_origin origin;
        if (sql_trace(partner, found.columns[i], &origin) && origin.scan == scan)
            columns[count++] = origin.column;
    }
    return count > 0 && sql_table_is_unique(scan->table, columns, count);
}
