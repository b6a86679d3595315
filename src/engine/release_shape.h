/* release_shape.h - what every engine has to know of a release, in whatever language it then says it. */
#ifndef ENGINE_RELEASE_SHAPE_H
#define ENGINE_RELEASE_SHAPE_H

#include "sql/print.h"

/* Whether rows are left out of a measure: it has a filter, or an argument that may be NULL. Prints the
 * condition. */
bool release_has_condition(const struct sql_measure *measure);
void release_print_condition(struct sql_printer *printer, const struct sql_measure *measure);
/* steps - centre. */
void release_print_steps(struct sql_printer *printer, const struct sql_expression *argument,
                         const struct sql_steps *steps);

/* Proved to be one row of each unit, and one row keeps within every bound: the per-unit step may fall away. */
bool release_is_single_pass(const struct sql_release *release);

/* How many values or rows of a unit count in a group; the steps of such values. */
uint64_t release_items_kept(const struct sql_release *release, const struct sql_measure *measure);
struct sql_steps release_item_steps(const struct sql_release *release, const struct sql_measure *measure);

/* Refuses grids whose step, or its inverse, is no double. */
status release_check_steps(const struct sql_release *release, error *why) MUST_CHECK;

#endif
