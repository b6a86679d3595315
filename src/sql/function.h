/* function.h - the list of operators and functions that a question may use. There is no other way in.
 *
 * Every entry is deterministic and total: where PostgreSQL raises an error, the value is NULL. An entry is one
 * overload. Its arguments are a letter each:
 *
 *     b boolean   i integer   n decimal   r real   t text   d date   s timestamp   v interval
 *     a           any type, all `a` of a call brought to one
 *     c           the same for comparisons: integers and decimals of any scale are left as they are
 *     x           any type, as text
 *     T, I        a constant text, a constant integer
 *     *           the last letter again, any number of times
 *
 * How a dialect prints it is a template: $1 is the first argument, $* all of them with commas, $2* those from the
 * second, $[ AND ] all with AND between, $s the scale of the result, $d that scale as a suffix _2 when it is a decimal. `postgres` is PostgreSQL's own spelling: what the test compares with, and
 * what a dialect of PostgreSQL starts from. */
#ifndef SQL_FUNCTION_H
#define SQL_FUNCTION_H

#include "sql/expression.h"

/* When the value may be NULL. */
enum sql_nulls {
    SQL_NULLS_STRICT, /* surely when an argument is */
    SQL_NULLS_LOOSE,  /* perhaps when an argument is */
    SQL_NULLS_ALL,    /* only when all arguments are */
    SQL_NULLS_NEVER,
    SQL_NULLS_ALWAYS, /* perhaps, whatever the arguments are */
};

/* What follows from the arguments' ranges: the value's, and whether it may be NULL although no argument is. Both
 * are claims, as the ranges are. */
struct sql_outcome {
    struct sql_range range;
    bool fails;
};

struct sql_function {
    const char *name; /* as sql_call takes it */
    const char *arguments;
    char result; /* a letter; 'a': as the arguments; '1': as the first one */
    enum sql_nulls nulls;
    bool fails; /* may be NULL although no argument is; `range` may know better */
    const char *duckdb, *postgres;
    /* Sets what it knows; before, the range is unknown. */
    void (*range)(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome);
    /* Refuses constants that would not do. */
    status (*check)(const struct sql_expression *const *arguments, size_t count, int position, error *why);
};

enum {
    SQL_CONSTANT_TEXT_BYTES = 1000, /* of patterns and the like */
    SQL_PAD_LENGTH = 1000,          /* of lpad, rpad, repeat */
    SQL_GROWN_TEXT_BYTES = 8192,    /* a text that was put together is NULL beyond this */
};

/* All entries one after the other, from a walk of zero bytes; NULL after the last. */
struct sql_function_walk {
    size_t part, entry;
};
const struct sql_function *sql_function_next(struct sql_function_walk *walk);
/* The same by number, for tests and documentation. */
const struct sql_function *sql_function_at(size_t index);

/* The parts of the list, each ended by an entry without a name. */
extern const struct sql_function sql_functions_arithmetic[], sql_functions_comparison[],
    sql_functions_logic[], sql_functions_text[], sql_functions_date[], sql_functions_numeric[],
    sql_functions_conditional[];

/* The letter of argument `index`. */
char sql_function_letter(const struct sql_function *function, size_t index);

/* Whether a call may have so many arguments. */
bool sql_function_takes(const struct sql_function *function, size_t count);

#endif
