/* value.h - one value of a column, as it stands in a range or among the declared values. */
#ifndef POLICY_VALUE_H
#define POLICY_VALUE_H

#include "base/number.h"
#include "policy/reader.h"

/* Reads the node as a value of the column's type; refuses with the line, and says how one is written. A real
 * is rounded as told; everything else is exact. */
status policy_read_value(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject, const struct policy_column *column,
                         enum number_rounding rounding, struct policy_value *out) MUST_CHECK;

/* -1, 0, 1 as left is below, equal to or above right; texts byte by byte. */
int policy_compare_values(enum policy_type type, const struct policy_value *left,
                          const struct policy_value *right);

/* Digits after the point of a decimal; 0 when it is none. */
int policy_decimals_of(const struct yaml_node *node);

#endif
