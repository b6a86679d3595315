/* contingency.h - counting the rows of a table of categories.
 *
 * A marginal joins some columns and has a cell for every combination of their categories, the last column
 * running fastest: for two columns with 2 and 3 categories 00, 01, 02, 10, 11, 12. All marginals of `ways`
 * columns follow each other in lexicographic order of their columns: 01, 02, 12 for two of three. A row whose
 * value in a column is not one of the whole numbers 0 .. categories - 1 is in no cell of the marginals with
 * that column. */
#ifndef MECHANISM_CONTINGENCY_H
#define MECHANISM_CONTINGENCY_H

#include "mechanism/mechanism.h"

enum { CONTINGENCY_MOST_COLUMNS = 64 };
#define CONTINGENCY_MOST_CELLS (UINT64_C(1) << 26) /* half a GiB each for counts, noisy counts, answer */

/* Checks that there are not too many columns or cells, and writes how many marginals there are: each row is
 * in at most one cell of each. */
status contingency_init(const dither_options *options, uint32_t ways, uint64_t *marginals,
                        error *why) MUST_CHECK;

/* The number of cells, and the counts in them. */
size_t contingency_cells(const dither_options *options, uint32_t ways);
void contingency_measure(const dither_options *options, uint32_t ways, const dither_data *data,
                         int64_t *statistic);

#endif
