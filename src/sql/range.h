/* range.h - interval arithmetic: where values lie, given where their arguments lie.
 *
 * Whole numbers exactly, in 128 bits; reals rounded outwards. Bounds that leave the type are cut to it: a value
 * beyond is NULL. Each rule has the form that struct sql_function wants. */
#ifndef SQL_RANGE_H
#define SQL_RANGE_H

#include "sql/function.h"

/* The least and the largest decimal. */
#define RANGE_MOST_UNITS 999999999999999999

struct sql_range range_whole(int64_t lower, int64_t upper);
struct sql_range range_real(double lower, double upper);

/* The one value of a literal. */
struct sql_range range_of_value(const struct sql_value *value);

/* Holds both; unknown when one is. */
struct sql_range range_union(enum sql_type type, struct sql_range a, struct sql_range b);

/* The range after a cast; sets `fails` to whether a value within the range may not fit. */
struct sql_range range_cast(const struct sql_expression *from, enum sql_type type, int scale, bool *fails);

typedef void range_rule(const struct sql_expression *const *arguments, size_t count,
                        struct sql_outcome *outcome);
range_rule range_add, range_subtract, range_multiply, range_divide, range_modulo, range_negate,
    range_absolute, range_sign, range_round, range_union_all, range_greatest, range_least, range_first,
    range_bucket, range_unit_circle, range_root, range_exponential, range_logarithm, range_days,
    range_add_days, range_subtract_days, range_moment_trunc;

#endif
