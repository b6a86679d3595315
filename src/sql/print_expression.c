#include <stdio.h>
#include <string.h>

#include "sql/function.h"
#include "sql/print.h"
#include "sql/print_template.h"

void sql_print_identifier(struct buffer *buffer, const char *name)
{
    buffer_byte(buffer, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"')
            buffer_byte(buffer, '"');
        buffer_byte(buffer, *name);
    }
    buffer_byte(buffer, '"');
}

static void print_column(struct sql_printer *printer, size_t column)
{
    bool right = printer->right_alias != NULL && column >= printer->left_count;
    const char *alias = right ? printer->right_alias : printer->alias;
    if (alias != NULL)
        buffer_format(printer->buffer, "%s.", alias);
    buffer_format(printer->buffer, "c%zu", right ? column - printer->left_count : column);
}

static void print_case(struct sql_printer *printer, const struct sql_expression *expression)
{
    size_t last = expression->argument_count - 1;
    buffer_text(printer->buffer, "(CASE");
    for (size_t i = 0; i < last; i += 2) {
        buffer_text(printer->buffer, " WHEN ");
        sql_print_expression(printer, expression->arguments[i]);
        buffer_text(printer->buffer, " THEN ");
        sql_print_expression(printer, expression->arguments[i + 1]);
    }
    buffer_text(printer->buffer, " ELSE ");
    sql_print_expression(printer, expression->arguments[last]);
    buffer_text(printer->buffer, " END)");
}

static void print_literal(struct sql_printer *printer, const struct sql_value *value)
{
    if (printer->stand_in == NULL || !printer->stand_in(printer->stand_ins, printer->buffer, value))
        printer->dialect->literal(printer, value);
}

/* A released cell, as the curator knows it: NULL unless there is exactly one. */
static bool print_given(struct sql_printer *printer, const struct sql_expression *expression)
{
    if (printer->scratch || printer->given == NULL || expression->relation->place != SQL_RELEASED)
        return false;
    const struct sql_rows *rows = printer->given(printer->context, expression->relation);
    if (rows == NULL)
        return false;
    struct sql_value value = {.type = expression->type, .scale = expression->scale, .null = true};
    if (rows->row_count == 1)
        value = *sql_rows_cell(rows, 0, 0);
    print_literal(printer, &value);
    return true;
}

/* An aggregate has exactly one row, so that no engine can complain; min() of one value is the value. */
static void print_scalar(struct sql_printer *printer, const struct sql_expression *expression)
{
    if (print_given(printer, expression))
        return;
    /* Inside, columns have other names. */
    struct sql_printer inner = *printer;
    inner.alias = inner.right_alias = NULL;
    inner.left_count = 0;
    const char *one =
        expression->type == SQL_BOOLEAN ? "bool_and" : "min"; /* not every engine has min of those */
    buffer_format(printer->buffer, "(SELECT CASE WHEN count(*) = 1 THEN %s(c0) END FROM (", one);
    sql_print_relation(&inner, expression->relation);
    buffer_text(printer->buffer, ") AS scalar)");
    printer->alias_count = inner.alias_count;
}

void sql_print_expression(struct sql_printer *printer, const struct sql_expression *expression)
{
    if (printer->buffer->failed)
        return; /* beyond the limit: a shared sub-expression may be printed very often */
    switch (expression->kind) {
    case SQL_LITERAL:
        print_literal(printer, &expression->value);
        break;
    case SQL_COLUMN:
        print_column(printer, expression->column);
        break;
    case SQL_CALL:
        printer->dialect->call(printer, expression);
        break;
    case SQL_CASE:
        print_case(printer, expression);
        break;
    case SQL_CAST:
        printer->dialect->cast(printer, expression);
        break;
    case SQL_SCALAR:
        print_scalar(printer, expression);
        break;
    }
}

/* ---- Templates ---- */

struct template_printer {
    struct sql_printer *printer;
    const struct sql_expression *call;
    print_argument *argument;
    int mixed_scale;
};

static void print_list(const struct template_printer *template, size_t from, const char *between,
                       size_t length)
{
    for (size_t i = from; i < template->call->argument_count; i++) {
        if (i > from)
            buffer_append(template->printer->buffer, between, length);
        template->argument(template->printer, template->call, i, template->mixed_scale);
    }
}

/* What stands behind a $; returns where the text goes on. */
static const char *print_mark(const struct template_printer *template, const char *at)
{
    if (*at == '*') {
        print_list(template, 0, ", ", 2);
        return at + 1;
    }
    if (*at == 's') {
        buffer_format(template->printer->buffer, "%d", template->call->scale);
        return at + 1;
    }
    if (*at == 'd') {
        if (template->call->type == SQL_DECIMAL)
            buffer_format(template->printer->buffer, "_%d", template->call->scale);
        return at + 1;
    }
    if (*at == '[') {
        const char *end = strchr(at, ']');
        print_list(template, 0, at + 1, (size_t)(end - at) - 1);
        return end + 1;
    }
    size_t index = (size_t)(*at - '1');
    if (at[1] == '*') {
        print_list(template, index, ", ", 2);
        return at + 2;
    }
    template->argument(template->printer, template->call, index, template->mixed_scale);
    return at + 1;
}

void print_template(struct sql_printer *printer, const struct sql_expression *call, const char *text,
                    print_argument *argument, int mixed_scale)
{
    const struct template_printer template = {printer, call, argument, mixed_scale};
    while (*text != '\0') {
        if (*text == '$')
            text = print_mark(&template, text + 1);
        else
            buffer_byte(printer->buffer, *text++);
    }
}
