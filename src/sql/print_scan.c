/* Where rows come from: tables of the data source, with the way to their unit, and rows that are written out. */
#include <assert.h>

#include "sql/print_parts.h"

static enum sql_type declared_type(const struct policy_column *column)
{
    switch (column->type) {
    case POLICY_INTEGER:
        return SQL_INTEGER;
    case POLICY_REAL:
        return SQL_REAL;
    case POLICY_DECIMAL:
        return SQL_DECIMAL;
    case POLICY_TEXT:
        return SQL_TEXT;
    case POLICY_BOOLEAN:
        return SQL_BOOLEAN;
    case POLICY_DATE:
        return SQL_DATE;
    case POLICY_TIMESTAMP:
        return SQL_TIMESTAMP;
    }
    assert(!"a column without a type");
    return SQL_TEXT;
}

/* s0."age": table number `step` on the path. */
static void print_source_column(struct sql_printer *printer, size_t step, const struct policy_column *column)
{
    buffer_format(printer->buffer, "s%zu.", step);
    sql_print_identifier(printer->buffer, column->name);
}

/* The data source may hold the column in another type, a smaller integer say: from here on it has the policy's.
 * Where the types agree, engines see that there is nothing to cast. */
static void print_declared(struct sql_printer *printer, size_t step, const struct policy_column *column)
{
    if (printer->dialect->scanned != NULL) {
        struct buffer name;
        buffer_init(&name, 1 << 10);
        buffer_format(&name, "s%zu.", step);
        sql_print_identifier(&name, column->name);
        printer->buffer->failed |= name.failed;
        printer->dialect->scanned(printer, name.failed ? "" : name.data, column);
        buffer_free(&name);
        return;
    }
    print_cast_begin(printer);
    print_source_column(printer, step, column);
    print_cast_end(printer, declared_type(column), column->scale);
}

/* A catalogue has its tables in the policy's order: from one of them the others are found. */
static void print_table(struct sql_printer *printer, const struct sql_table *from,
                        const struct policy_table *declared, size_t step)
{
    printer->dialect->table(printer, from + (declared - from->declared));
    buffer_format(printer->buffer, " s%zu", step);
}

/* One step up for each join that the policy says is needed. Keys are compared as the data source has them: it is in
 * those values that they are proved unique, so no row gets a second parent. */
static const struct policy_table *print_path(struct sql_printer *printer, const struct sql_table *from)
{
    const struct policy_table *table = from->declared;
    size_t joins = table->joins;
    print_table(printer, from, table, 0);
    for (size_t step = 0; step < joins; step++, table = table->parent) {
        assert(table->protection == POLICY_UNIT_JOIN && table->key_count > 0);
        buffer_text(printer->buffer, " JOIN ");
        print_table(printer, from, table->parent, step + 1);
        for (size_t i = 0; i < table->key_count; i++) {
            buffer_text(printer->buffer, i == 0 ? " ON " : " AND ");
            print_source_column(printer, step, table->keys[i].column);
            buffer_text(printer->buffer, " = ");
            print_source_column(printer, step + 1, table->keys[i].parent_column);
        }
    }
    return table;
}

/* The unit of a row; for row units what tells the rows of the table at the path's end apart. */
static void print_tag(struct sql_printer *printer, const struct policy_table *table)
{
    if (table->tag != NULL)
        print_declared(printer, table->joins, table->tag);
    else
        buffer_format(printer->buffer, "s%zu.%s", table->joins, printer->dialect->row_identity);
}

void print_scan(struct sql_printer *printer, const struct sql_relation *scan)
{
    const struct sql_table *table = scan->table;
    const struct policy_table *declared = table->declared;
    bool private = declared->protection != POLICY_PUBLIC;
    assert(private == (scan->place == SQL_TAGGED));
    assert(scan->column_count == table->column_count + private);
    assert(!private || scan->tag == table->column_count);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(printer->buffer, i == 0 ? "SELECT " : ", ");
        print_declared(printer, 0, &table->columns[i]);
        buffer_format(printer->buffer, " AS c%zu", i);
    }
    if (!private) {
        buffer_text(printer->buffer, table->column_count > 0 ? " FROM " : "SELECT 1 AS nothing FROM ");
        printer->dialect->table(printer, table);
        buffer_text(printer->buffer, " s0");
        return;
    }
    buffer_text(printer->buffer, table->column_count > 0 ? ", " : "SELECT ");
    print_tag(printer, declared);
    buffer_format(printer->buffer, " AS c%zu FROM ", scan->tag);
    print_path(printer, table);
    if (table->has_all_units)
        return;
    buffer_text(printer->buffer, " WHERE "); /* who has no unit is nobody */
    print_tag(printer, declared);
    buffer_text(printer->buffer, " IS NOT NULL");
}

/* ---- Rows that are written out ---- */

static void print_columns(struct sql_printer *printer, const struct sql_relation *relation, const char *alias)
{
    for (size_t i = 0; i < relation->column_count; i++) {
        const struct sql_column *column = &relation->columns[i];
        buffer_text(printer->buffer, i == 0 ? "SELECT CAST(" : ", CAST(");
        if (alias != NULL)
            buffer_format(printer->buffer, "%s.c%zu", alias, i);
        else
            buffer_text(printer->buffer, "NULL");
        print_cast_end(printer, column->type, column->scale);
        buffer_format(printer->buffer, " AS c%zu", i);
    }
    if (relation->column_count == 0)
        buffer_text(printer->buffer, "SELECT 1 AS nothing");
}

void print_rows(struct sql_printer *printer, const struct sql_relation *relation, const struct sql_rows *rows)
{
    assert(rows->column_count == relation->column_count);
    if (rows->row_count == 0 || rows->column_count == 0) {
        assert(rows->row_count <= 1);
        print_columns(printer, relation, NULL);
        buffer_text(printer->buffer, rows->row_count == 0 ? " WHERE FALSE" : "");
        return;
    }
    print_columns(printer, relation, "v");
    buffer_text(printer->buffer, " FROM (VALUES ");
    for (size_t row = 0; row < rows->row_count; row++) {
        buffer_text(printer->buffer, row == 0 ? "(" : ", (");
        for (size_t i = 0; i < rows->column_count; i++) {
            buffer_text(printer->buffer, i == 0 ? "" : ", ");
            printer->dialect->literal(printer, sql_rows_cell(rows, row, i));
        }
        buffer_byte(printer->buffer, ')');
    }
    buffer_text(printer->buffer, ") AS v(");
    for (size_t i = 0; i < rows->column_count; i++)
        buffer_format(printer->buffer, "%sc%zu", i == 0 ? "" : ", ", i);
    buffer_byte(printer->buffer, ')');
}
