/* expression.h - expressions from text, over one row of well-known columns, for tests.
 *
 *     i  integer, -3 to 5            j  integer, 1 to 4             u  integer of unknown range, may be NULL
 *     x  real, -2 to 3               y  real, 0.5 to 2              z  real of unknown range, may be NULL
 *     n  decimal(2), -1.50 to 2.50   m  decimal(4), 0 to 1          b  boolean      c  boolean, may be NULL
 *     t  text                        w  text, may be NULL
 *     d  date, 2023-12-30 to 2024-03-02     s  timestamp, in 2024   v  interval */
#ifndef TESTS_SUPPORT_EXPRESSION_H
#define TESTS_SUPPORT_EXPRESSION_H

#include "sql/bind.h"

struct expression_text {
    struct arena arena;
    struct sql_parsed parsed;
    struct binder binder;
    const struct sql_expression *expression; /* NULL after a refusal */
    error why;
};

/* Parses "SELECT text" and binds it. */
void expression_text_read(struct expression_text *out, const char *text);
void expression_text_free(struct expression_text *text);

/* The columns, in the order of the list above. */
extern const struct sql_relation expression_row;

#endif
