/* print_parts.h - what the printers of relations share. Inside print_*.c only. */
#ifndef SQL_PRINT_PARTS_H
#define SQL_PRINT_PARTS_H

#include "sql/print.h"

/* The names of the sub-selects that one SELECT reads. `right` is used by joins. */
struct print_scope {
    char left[24], right[24];
    size_t left_count;
};

/* An expression over the scope's columns. */
void print_in_scope(struct sql_printer *printer, const struct print_scope *scope,
                    const struct sql_expression *expression);

/* "a DESC NULLS LAST, b ASC NULLS FIRST". Constants are passed over: they order nothing, and a whole number would
 * be taken for a column's position. False: there was nothing to print, `before` neither. */
bool print_order(struct sql_printer *printer, const struct print_scope *scope, const char *before,
                 const struct sql_order *order, size_t count);

/* The engine's name of a type; a bare NULL is text. */
void print_type(struct sql_printer *printer, enum sql_type type, int scale);

/* "TRY_CAST(": the value follows, then print_cast_end with its type. */
void print_cast_begin(struct sql_printer *printer);
void print_cast_end(struct sql_printer *printer, enum sql_type type, int scale);

/* An expression by which rows are ordered, or of which the least or largest is taken. */
void print_ordered(struct sql_printer *printer, const struct print_scope *scope,
                   const struct sql_expression *expression);

/* An aggregate whose result has the column's type; over a window: `over` is the text of its OVER clause. */
void print_aggregate(struct sql_printer *printer, const struct print_scope *scope,
                     const struct sql_aggregate *aggregate, const struct sql_column *column, bool tagged,
                     const struct sql_window *window);
void print_window(struct sql_printer *printer, const struct print_scope *scope,
                  const struct sql_window *window, const struct sql_column *column, bool tagged);

/* "SELECT ... FROM the table", with the joins to the unit for a private one. */
void print_scan(struct sql_printer *printer, const struct sql_relation *scan);

/* Rows as VALUES, of the relation's types. */
void print_rows(struct sql_printer *printer, const struct sql_relation *relation,
                const struct sql_rows *rows);

#endif
