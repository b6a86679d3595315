/* print_template.h - fills the templates of function.h. Inside the room only. */
#ifndef SQL_PRINT_TEMPLATE_H
#define SQL_PRINT_TEMPLATE_H

#include "sql/print.h"

/* Prints argument `index` of a call. `mixed_scale` is as print_template got it: what holds for all arguments. */
typedef void print_argument(struct sql_printer *printer, const struct sql_expression *call, size_t index,
                            int mixed_scale);

void print_template(struct sql_printer *printer, const struct sql_expression *call, const char *text,
                    print_argument *argument, int mixed_scale);

#endif
