/* postgres_form.h - forms of total SQL for PostgreSQL, which has no TRY: guards stand inside CASE. Inside the room only.
 *
 * A form is a text with marks: $1 is the first argument, $s the scale of the result, $m the power of ten below which a
 * decimal of that scale stays, $$ a dollar sign. A guard names its arguments several times. A short argument is written out each time; a
 * long one once, in a sub-select that gives it a name, so that the text grows with the expression and not with its
 * power:
 *
 *     (SELECT CASE WHEN l.x2 <> 0 THEN t0.c1 / l.x2 END FROM (SELECT <long> AS x2 OFFSET 0) AS l)
 *
 * OFFSET keeps the planner from putting the long argument in the name's place again.
 *
 * Two things are to be kept in mind when a form is written. PostgreSQL promises the order of evaluation for CASE alone,
 * not for AND and OR. And the planner evaluates what is constant before any row is seen, in branches of a CASE too,
 * unless the condition of the branch is constant and false by itself: so whatever is made of arguments that may be
 * literals must be guarded by conditions on those arguments alone. */
#ifndef SQL_POSTGRES_FORM_H
#define SQL_POSTGRES_FORM_H

#include "sql/print.h"

enum { POSTGRES_FORM_ARGUMENTS = 4 };

/* Prints a call or cast of at most that many arguments in the form. */
void postgres_print_form(struct sql_printer *printer, const struct sql_expression *expression,
                         const char *form);

/* The form of a function of the list; NULL: PostgreSQL's own spelling is total. */
const char *postgres_form(const struct sql_function *function);

/* The form of a cast between two types; NULL: CAST never fails. */
const char *postgres_cast_form(enum sql_type from, enum sql_type to);

/* moment + interval, interval + moment, moment - interval: `moment` is the argument's index. */
void postgres_print_moved(struct sql_printer *printer, const struct sql_expression *call, size_t moment);

/* Values as they are written; also for bounds inside forms. */
void postgres_print_literal(struct buffer *buffer, const struct sql_value *value);
const char *postgres_type(enum sql_type type, int scale, char *room, size_t size);

/* `steps` of the dialect. */
void postgres_print_steps(struct sql_printer *printer, const struct sql_expression *argument,
                          const struct sql_steps *steps);

/* One function in the parts of the list, each ended by an entry without a name. `arguments` as function.h has them. */
struct postgres_form_entry {
    const char *name, *arguments, *form;
};
extern const struct postgres_form_entry postgres_forms_arithmetic[], postgres_forms_numeric[],
    postgres_forms_text[], postgres_forms_date[];

/* ---- Pieces of forms ---- */

#define FORM_REAL(text)        "CAST('" text "' AS DOUBLE PRECISION)"
#define FORM_LEAST_WHOLE       "CAST('-9223372036854775808' AS BIGINT)"
#define FORM_LARGEST_WHOLE     "CAST('9223372036854775807' AS BIGINT)"
#define FORM_LARGEST_REAL      FORM_REAL("1.7976931348623157e308")
#define FORM_FIRST_DAY         "DATE '0001-01-01'"
#define FORM_LAST_DAY          "DATE '9999-12-31'"
#define FORM_FIRST_MOMENT      "TIMESTAMP '0001-01-01 00:00:00'"
#define FORM_LAST_MOMENT       "TIMESTAMP '9999-12-31 23:59:59.999999'"
#define FORM_HAS_DAY(day)      day " BETWEEN " FORM_FIRST_DAY " AND " FORM_LAST_DAY
#define FORM_HAS_MOMENT(value) value " BETWEEN " FORM_FIRST_MOMENT " AND " FORM_LAST_MOMENT

/* Infinite or not a number, for which nothing is greater. */
#define FORM_IS_ENDLESS(real) "abs(" real ") > " FORM_LARGEST_REAL

/* A whole number as 32 bits; beyond them the nearest. */
#define FORM_NARROW(whole)                                                                                   \
    "(CASE WHEN " whole " > 2147483647 THEN 2147483647 WHEN " whole                                          \
    " < -2147483647 THEN -2147483647 ELSE CAST(" whole " AS INTEGER) END)"

/* A numeric as a decimal of the result's scale, rounded half away from zero. NaN is NULL. */
#define FORM_FIT(numeric)                                                                                    \
    "(CASE WHEN abs(round(" numeric ", $s)) < $m THEN CAST(" numeric " AS NUMERIC(18, $s)) END)"

#endif
