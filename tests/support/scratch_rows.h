/* scratch_rows.h - the rows of a public or released relation, computed by DuckDB as the curator would have it done. */
#ifndef TESTS_SUPPORT_SCRATCH_ROWS_H
#define TESTS_SUPPORT_SCRATCH_ROWS_H

#include "engine/scratch.h"

/* All columns. Fails the test when DuckDB fails. */
struct sql_rows scratch_rows(struct scratch *scratch, const struct sql_relation *relation,
                             struct arena *arena);

/* Stores the table of a release, of whole numbers; keys that are text are given by `texts`, column by column
 * beside the numbers, where it is not NULL. */
void scratch_put_release(struct scratch *scratch, const struct sql_relation *relation, size_t row_count,
                         const int64_t *numbers, const char *const *texts);

/* As text, rows sorted: "a 1|b NULL". */
void scratch_show(const struct sql_rows *rows, size_t column_count, char *out, size_t size);

#endif
