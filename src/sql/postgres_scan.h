/* postgres_scan.h - a column of a PostgreSQL table as a value of the declared type; `scanned` of the dialect.
 *
 * The engine has seen to it that the column's type always fits (engine/postgres_type.c), so that no cast can fail;
 * what has no place among Dither's values is NULL: days and moments outside the years 1 to 9999, infinite ones among
 * them, and the NaN of numeric. Where the types agree nothing is left of it but the column, so that a distributed
 * table is still grouped by the very column that it is distributed by. CASE and plain functions only: these a
 * foreign server takes. */
#ifndef SQL_POSTGRES_SCAN_H
#define SQL_POSTGRES_SCAN_H

#include "sql/print.h"

void postgres_print_scanned(struct sql_printer *printer, const char *name,
                            const struct policy_column *declared);

#endif
