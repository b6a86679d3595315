/* grid.h - the grid of a real column: a power of two. */
#ifndef POLICY_GRID_H
#define POLICY_GRID_H

#include "policy/reader.h"

/* Sets the column's grid: the declared one, a power of two written as 0.25 or 2^-2, or else the largest that
 * is not above (upper - lower)/2^16. `node` may be NULL. Refuses a grid that is too fine for doubles. */
status policy_read_grid(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                        struct policy_column *column) MUST_CHECK;

#endif
