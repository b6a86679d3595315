/* Every node is one SELECT over its inputs as sub-selects; engines flatten them. The shape of the text depends on
 * the relation alone, so that one release has one text. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sql/print_parts.h"

/* ---- Small parts ---- */

static struct print_scope new_scope(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = {.left_count = relation->input->column_count};
    snprintf(scope.left, sizeof scope.left, "t%zu", printer->alias_count++);
    if (relation->right != NULL)
        snprintf(scope.right, sizeof scope.right, "t%zu", printer->alias_count++);
    return scope;
}

void print_in_scope(struct sql_printer *printer, const struct print_scope *scope,
                    const struct sql_expression *expression)
{
    const char *alias = printer->alias, *right_alias = printer->right_alias;
    size_t left_count = printer->left_count;
    printer->alias = scope->left;
    printer->right_alias = scope->right[0] != '\0' ? scope->right : NULL;
    printer->left_count = scope->left_count;
    sql_print_expression(printer, expression);
    printer->alias = alias;
    printer->right_alias = right_alias;
    printer->left_count = left_count;
}

void print_type(struct sql_printer *printer, enum sql_type type, int scale)
{
    char room[64];
    buffer_text(printer->buffer,
                printer->dialect->type(type == SQL_UNKNOWN ? SQL_TEXT : type, scale, room, sizeof room));
}

void print_cast_begin(struct sql_printer *printer)
{
    const char *cast = printer->dialect->try_cast;
    buffer_format(printer->buffer, "%s(", cast != NULL ? cast : "CAST");
}

void print_cast_end(struct sql_printer *printer, enum sql_type type, int scale)
{
    buffer_text(printer->buffer, " AS ");
    print_type(printer, type, scale);
    buffer_byte(printer->buffer, ')');
}

void print_ordered(struct sql_printer *printer, const struct print_scope *scope,
                   const struct sql_expression *expression)
{
    print_in_scope(printer, scope, expression);
    if (expression->type == SQL_TEXT && printer->dialect->text_order != NULL)
        buffer_text(printer->buffer, printer->dialect->text_order);
}

bool print_order(struct sql_printer *printer, const struct print_scope *scope, const char *before,
                 const struct sql_order *order, size_t count)
{
    bool printed = false;
    for (size_t i = 0; i < count; i++) {
        if (order[i].expression->kind == SQL_LITERAL)
            continue;
        buffer_text(printer->buffer, printed ? ", " : before);
        print_ordered(printer, scope, order[i].expression);
        buffer_text(printer->buffer, order[i].descending ? " DESC" : " ASC");
        buffer_text(printer->buffer, order[i].nulls_first ? " NULLS FIRST" : " NULLS LAST");
        printed = true;
    }
    return printed;
}

/* "(SELECT ...) t3" */
static void print_source(struct sql_printer *printer, const struct sql_relation *relation, const char *alias)
{
    buffer_byte(printer->buffer, '(');
    sql_print_relation(printer, relation);
    buffer_format(printer->buffer, ") %s", alias);
}

static void begin_column(struct sql_printer *printer, size_t index)
{
    buffer_text(printer->buffer, index == 0 ? "SELECT " : ", ");
}

/* A relation without columns still has rows. */
static void print_no_columns(struct sql_printer *printer, const struct sql_relation *relation)
{
    if (relation->column_count == 0)
        buffer_text(printer->buffer, "SELECT 1 AS nothing");
}

/* ---- One node after the other ---- */

static void print_filter(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    buffer_text(printer->buffer, "SELECT * FROM ");
    print_source(printer, relation->input, scope.left);
    buffer_text(printer->buffer, " WHERE ");
    print_in_scope(printer, &scope, relation->condition);
}

static void print_project(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    assert(relation->expression_count == relation->column_count);
    print_no_columns(printer, relation);
    for (size_t i = 0; i < relation->expression_count; i++) {
        begin_column(printer, i);
        print_in_scope(printer, &scope, relation->expressions[i]);
        buffer_format(printer->buffer, " AS c%zu", i);
    }
    buffer_text(printer->buffer, " FROM ");
    print_source(printer, relation->input, scope.left);
}

/* Rows of two tagged relations meet only within one unit, whatever the analyst's condition says: this line is
 * where that is made true. */
static void print_meeting(struct sql_printer *printer, const struct print_scope *scope,
                          const struct sql_relation *relation)
{
    const struct sql_relation *left = relation->input, *right = relation->right;
    bool both = left->place == SQL_TAGGED && right->place == SQL_TAGGED;
    if (both)
        buffer_format(printer->buffer, "%s.c%zu = %s.c%zu", scope->left, left->tag, scope->right, right->tag);
    if (both && relation->condition != NULL)
        buffer_text(printer->buffer, " AND ");
    if (relation->condition != NULL) {
        buffer_byte(printer->buffer, '(');
        print_in_scope(printer, scope, relation->condition);
        buffer_byte(printer->buffer, ')');
    } else if (!both) {
        buffer_text(printer->buffer, "TRUE");
    }
}

static void print_join(struct sql_printer *printer, const struct sql_relation *relation)
{
    static const char *const kinds[] = {
        [SQL_INNER] = " JOIN ",
        [SQL_LEFT] = " LEFT JOIN ",
        [SQL_RIGHT] = " RIGHT JOIN ",
        [SQL_FULL] = " FULL JOIN ",
    };
    struct print_scope scope = new_scope(printer, relation);
    assert(relation->place != SQL_TAGGED || relation->join != SQL_FULL);
    assert(relation->column_count == relation->input->column_count + relation->right->column_count);
    print_no_columns(printer, relation);
    for (size_t i = 0; i < relation->column_count; i++) {
        bool left = i < scope.left_count;
        begin_column(printer, i);
        buffer_format(printer->buffer, "%s.c%zu AS c%zu", left ? scope.left : scope.right,
                      left ? i : i - scope.left_count, i);
    }
    buffer_text(printer->buffer, " FROM ");
    print_source(printer, relation->input, scope.left);
    buffer_text(printer->buffer, kinds[relation->join]);
    print_source(printer, relation->right, scope.right);
    buffer_text(printer->buffer, " ON ");
    print_meeting(printer, &scope, relation);
}

static void print_semi_join(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    buffer_text(printer->buffer, "SELECT * FROM ");
    print_source(printer, relation->input, scope.left);
    buffer_format(printer->buffer, " WHERE %sEXISTS (SELECT 1 FROM ", relation->anti ? "NOT " : "");
    print_source(printer, relation->right, scope.right);
    buffer_text(printer->buffer, " WHERE ");
    print_meeting(printer, &scope, relation);
    buffer_byte(printer->buffer, ')');
}

static void print_group(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    size_t keys = relation->expression_count;
    assert(relation->column_count == keys + relation->aggregate_count);
    if (relation->column_count == 0) /* GROUP BY (): one row, of nothing */
        buffer_text(printer->buffer, "SELECT count(*) AS nothing");
    for (size_t i = 0; i < relation->column_count; i++) {
        begin_column(printer, i);
        if (i < keys)
            print_in_scope(printer, &scope, relation->expressions[i]);
        else
            print_aggregate(printer, &scope, &relation->aggregates[i - keys], &relation->columns[i],
                            relation->place == SQL_TAGGED, NULL);
        buffer_format(printer->buffer, " AS c%zu", i);
    }
    buffer_text(printer->buffer, " FROM ");
    print_source(printer, relation->input, scope.left);
    for (size_t i = 0; i < keys; i++)
        buffer_format(printer->buffer, "%s%zu", i == 0 ? " GROUP BY " : ", ", i + 1);
}

static void print_windows(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    size_t before = relation->input->column_count;
    assert(relation->column_count == before + relation->window_count);
    buffer_text(printer->buffer, "SELECT *");
    for (size_t i = 0; i < relation->window_count; i++) {
        buffer_text(printer->buffer, ", ");
        print_window(printer, &scope, &relation->windows[i], &relation->columns[before + i],
                     relation->place == SQL_TAGGED);
        buffer_format(printer->buffer, " AS c%zu", before + i);
    }
    buffer_text(printer->buffer, " FROM ");
    print_source(printer, relation->input, scope.left);
}

static void print_both(struct sql_printer *printer, const struct sql_relation *relation, const char *between)
{
    assert(relation->input->column_count == relation->right->column_count);
    assert(relation->place != SQL_TAGGED ||
           (relation->input->columns[relation->tag].unit && relation->right->columns[relation->tag].unit));
    struct print_scope scope = new_scope(printer, relation);
    buffer_text(printer->buffer, "SELECT * FROM ");
    print_source(printer, relation->input, scope.left);
    buffer_format(printer->buffer, " %s SELECT * FROM ", between);
    print_source(printer, relation->right, scope.right);
}

static void print_set(struct sql_printer *printer, const struct sql_relation *relation)
{
    static const char *const kinds[] = {
        [SQL_UNION] = "UNION",   [SQL_INTERSECT] = "INTERSECT",   [SQL_INTERSECT_ALL] = "INTERSECT ALL",
        [SQL_EXCEPT] = "EXCEPT", [SQL_EXCEPT_ALL] = "EXCEPT ALL",
    };
    assert(relation->place != SQL_TAGGED);
    print_both(printer, relation, kinds[relation->set]);
}

static void print_distinct(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct print_scope scope = new_scope(printer, relation);
    assert(relation->place != SQL_TAGGED);
    buffer_text(printer->buffer, "SELECT DISTINCT * FROM ");
    print_source(printer, relation->input, scope.left);
}

/* A limit counts the rows of the sort right below it: they are one SELECT, because the order of a sub-select means
 * nothing outside of it. */
static void print_sort_and_limit(struct sql_printer *printer, const struct sql_relation *relation)
{
    const struct sql_relation *limit = relation->kind == SQL_LIMIT ? relation : NULL;
    const struct sql_relation *sort = limit == NULL ? relation : limit->input;
    if (sort->kind != SQL_SORT)
        sort = NULL;
    const struct sql_relation *lowest = sort != NULL ? sort : limit;
    struct print_scope scope = new_scope(printer, lowest);
    assert(relation->place != SQL_TAGGED);
    buffer_text(printer->buffer, "SELECT * FROM ");
    print_source(printer, lowest->input, scope.left);
    if (sort != NULL)
        print_order(printer, &scope, " ORDER BY ", sort->order, sort->order_count);
    if (limit != NULL && limit->limit != NULL) {
        buffer_text(printer->buffer, " LIMIT ");
        print_in_scope(printer, &scope, limit->limit);
    }
    if (limit != NULL && limit->offset != NULL) {
        buffer_text(printer->buffer, " OFFSET ");
        print_in_scope(printer, &scope, limit->offset);
    }
}

/* ---- What other releases gave ---- */

/* Without rows, for explain: nothing, with words that tell this relation from every other. */
static void print_stand_in(struct sql_printer *printer, const struct sql_relation *relation)
{
    struct buffer words;
    buffer_init(&words, (size_t)1 << 22);
    sql_describe_relation(&words, relation);
    buffer_text(printer->buffer, "/* rows of: ");
    for (size_t i = 0; i < words.length; i++) {
        bool ends = words.data[i] == '*' && i + 1 < words.length && words.data[i + 1] == '/';
        bool begins = words.data[i] == '/' && i + 1 < words.length && words.data[i + 1] == '*';
        buffer_byte(printer->buffer, words.data[i] == '\n' ? ';' : words.data[i]);
        if (ends || begins)
            buffer_byte(printer->buffer, ' ');
    }
    if (words.failed)
        printer->buffer->failed = true;
    buffer_text(printer->buffer, " */ ");
    buffer_free(&words);
    struct sql_rows none = {.column_count = relation->column_count};
    print_rows(printer, relation, &none);
}

static void print_released(struct sql_printer *printer, const struct sql_relation *relation)
{
    const struct sql_rows *rows = printer->given != NULL ? printer->given(printer->context, relation) : NULL;
    if (rows == NULL)
        print_stand_in(printer, relation);
    else
        print_rows(printer, relation, rows);
}

static void print_release(struct sql_printer *printer, const struct sql_relation *relation)
{
    assert(printer->scratch);
    print_no_columns(printer, relation);
    for (size_t i = 0; i < relation->column_count; i++) {
        begin_column(printer, i);
        buffer_format(printer->buffer, "c%zu", i);
    }
    buffer_format(printer->buffer, " FROM release_%zu", relation->release->number);
    if (printer->draws != NULL)
        buffer_format(printer->buffer, "_draws WHERE c%zu = %s", relation->column_count, printer->draws);
}

/* ---- All of them ---- */

static void print_node(struct sql_printer *printer, const struct sql_relation *relation)
{
    switch (relation->kind) {
    case SQL_SCAN:
        print_scan(printer, relation);
        return;
    case SQL_RELEASE:
        print_release(printer, relation);
        return;
    case SQL_VALUES:
        print_rows(printer, relation, relation->rows);
        return;
    case SQL_FILTER:
        print_filter(printer, relation);
        return;
    case SQL_PROJECT:
        print_project(printer, relation);
        return;
    case SQL_JOIN:
        print_join(printer, relation);
        return;
    case SQL_SEMI_JOIN:
        print_semi_join(printer, relation);
        return;
    case SQL_AGGREGATE:
        print_group(printer, relation);
        return;
    case SQL_WINDOW:
        print_windows(printer, relation);
        return;
    case SQL_APPEND:
        print_both(printer, relation, "UNION ALL");
        return;
    case SQL_DISTINCT:
        print_distinct(printer, relation);
        return;
    case SQL_SET:
        print_set(printer, relation);
        return;
    case SQL_SORT:
    case SQL_LIMIT:
        print_sort_and_limit(printer, relation);
        return;
    }
    assert(!"a relation that no printer knows");
}

void sql_print_relation(struct sql_printer *printer, const struct sql_relation *relation)
{
    assert(!printer->scratch || relation->place != SQL_TAGGED);
    if (printer->buffer->failed)
        return; /* beyond the limit: what is named twice is printed twice, and doubles with every level */
    if (relation->place == SQL_RELEASED && !printer->scratch)
        print_released(printer, relation);
    else
        print_node(printer, relation);
}
