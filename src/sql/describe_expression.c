/* Expressions for people: SQL with the columns' names. Two expressions that differ have different words. */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "sql/civil.h"
#include "sql/describe_parts.h"
#include "sql/function.h"
#include "sql/text_form.h"

/* ---- Names ---- */

static const struct sql_column *column_at(struct describe_scope scope, size_t index)
{
    if (index < scope.left->column_count)
        return &scope.left->columns[index];
    assert(scope.right != NULL && index - scope.left->column_count < scope.right->column_count);
    return &scope.right->columns[index - scope.left->column_count];
}

static bool is_plain(const char *name)
{
    if (!islower((unsigned char)name[0]) && name[0] != '_')
        return false;
    for (; *name != '\0'; name++)
        if (!islower((unsigned char)*name) && !isdigit((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

void describe_name(struct buffer *buffer, struct describe_scope scope, size_t index)
{
    const struct sql_column *column = column_at(scope, index);
    const char *name = column->name != NULL ? column->name : "";
    size_t count = scope.left->column_count + (scope.right != NULL ? scope.right->column_count : 0);
    size_t namesakes = 0;
    for (size_t i = 0; i < count; i++) {
        const char *other = column_at(scope, i)->name;
        namesakes += strcmp(other != NULL ? other : "", name) == 0;
    }
    if (is_plain(name))
        buffer_text(buffer, name);
    else
        sql_print_identifier(buffer, name);
    if (namesakes > 1)
        buffer_format(buffer, "#%zu", index);
}

/* ---- Values ---- */

static void describe_text(struct buffer *buffer, const char *text)
{
    buffer_byte(buffer, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buffer_byte(buffer, '\'');
        if (*text == '\n') /* one line, and still told from a blank */
            buffer_text(buffer, "\\n");
        else if (*text == '\\')
            buffer_text(buffer, "\\\\");
        else
            buffer_byte(buffer, *text);
    }
    buffer_byte(buffer, '\'');
}

static void describe_interval(struct buffer *buffer, const struct sql_value *value)
{
    buffer_format(buffer, "interval '%" PRId32 " months %" PRId32 " days %" PRId64 " microseconds'",
                  value->months, value->days, value->whole);
}

void describe_value(struct buffer *buffer, const struct sql_value *value)
{
    char text[TEXT_FORM_BYTES];
    if (value->null) {
        buffer_text(buffer, "NULL");
        return;
    }
    switch (value->type) {
    case SQL_UNKNOWN:
    case SQL_TEXT:
        describe_text(buffer, value->text);
        return;
    case SQL_BOOLEAN:
        buffer_text(buffer, value->whole != 0 ? "true" : "false");
        return;
    case SQL_INTEGER:
        buffer_format(buffer, "%" PRId64, value->whole);
        return;
    case SQL_DECIMAL:
        text_form_write_decimal(value->whole, value->scale, text);
        buffer_format(buffer, "%s", text);
        return;
    case SQL_REAL:
        text_form_write_real(value->real, text);
        buffer_format(buffer, "%s%s", text, strpbrk(text, ".eIN") == NULL ? ".0" : "");
        return;
    case SQL_DATE:
        if (!civil_has_day(value->whole))
            break;
        text_form_write_date(value->whole, text);
        buffer_format(buffer, "date '%s'", text);
        return;
    case SQL_TIMESTAMP:
        if (!civil_has_moment(value->whole))
            break;
        text_form_write_timestamp(value->whole, text);
        buffer_format(buffer, "timestamp '%s'", text);
        return;
    case SQL_INTERVAL:
        describe_interval(buffer, value);
        return;
    }
    buffer_format(buffer, "%s %" PRId64, sql_type_name(value->type), value->whole);
}

/* ---- Calls ---- */

static bool is_infix(const struct sql_expression *call)
{
    const char *name = call->function->name;
    return call->argument_count >= 2 && (ispunct((unsigned char)name[0]) || strcmp(name, "and") == 0 ||
                                         strcmp(name, "or") == 0 || strcmp(name, "like") == 0);
}

static void describe_list(struct buffer *buffer, struct describe_scope scope,
                          const struct sql_expression *expression, const char *between)
{
    for (size_t i = 0; i < expression->argument_count; i++) {
        buffer_text(buffer, i == 0 ? "" : between);
        describe_in_scope(buffer, scope, expression->arguments[i]);
    }
}

static void describe_call(struct buffer *buffer, struct describe_scope scope,
                          const struct sql_expression *call)
{
    char between[80] = " ";
    if (!is_infix(call)) {
        buffer_format(buffer, "%s(", call->function->name);
        describe_list(buffer, scope, call, ", ");
    } else {
        strncat(between, call->function->name, 70);
        strcat(between, " ");
        buffer_byte(buffer, '(');
        describe_list(buffer, scope, call, between);
    }
    buffer_byte(buffer, ')');
}

static void describe_case(struct buffer *buffer, struct describe_scope scope,
                          const struct sql_expression *expression)
{
    size_t count = expression->argument_count;
    buffer_text(buffer, "case");
    for (size_t i = 0; i + 1 < count; i += 2) {
        buffer_text(buffer, " when ");
        describe_in_scope(buffer, scope, expression->arguments[i]);
        buffer_text(buffer, " then ");
        describe_in_scope(buffer, scope, expression->arguments[i + 1]);
    }
    buffer_text(buffer, " else ");
    describe_in_scope(buffer, scope, expression->arguments[count - 1]);
    buffer_text(buffer, " end");
}

static void describe_cast(struct buffer *buffer, struct describe_scope scope,
                          const struct sql_expression *cast)
{
    buffer_text(buffer, "cast(");
    describe_in_scope(buffer, scope, cast->arguments[0]);
    buffer_format(buffer, " as %s", sql_type_name(cast->type));
    if (cast->type == SQL_DECIMAL)
        buffer_format(buffer, "(18,%d)", cast->scale);
    buffer_byte(buffer, ')');
}

/* On one line: the nodes one after the other. */
static void describe_scalar(struct buffer *buffer, const struct sql_relation *relation)
{
    struct buffer words;
    buffer_init(&words, (size_t)1 << 22);
    sql_describe_relation(&words, relation);
    buffer_text(buffer, "the value of (");
    for (size_t i = 0; i < words.length; i++)
        if (words.data[i] != '\n')
            buffer_byte(buffer, words.data[i]);
        else if (i + 1 < words.length)
            buffer_text(buffer, ";");
    buffer_byte(buffer, ')');
    buffer->failed = buffer->failed || words.failed;
    buffer_free(&words);
}

void describe_in_scope(struct buffer *buffer, struct describe_scope scope,
                       const struct sql_expression *expression)
{
    if (buffer->failed)
        return;
    switch (expression->kind) {
    case SQL_LITERAL:
        describe_value(buffer, &expression->value);
        return;
    case SQL_COLUMN:
        describe_name(buffer, scope, expression->column);
        return;
    case SQL_CALL:
        describe_call(buffer, scope, expression);
        return;
    case SQL_CASE:
        describe_case(buffer, scope, expression);
        return;
    case SQL_CAST:
        describe_cast(buffer, scope, expression);
        return;
    case SQL_SCALAR:
        describe_scalar(buffer, expression->relation);
        return;
    }
    assert(!"an expression that cannot be described");
}

void sql_describe_expression(struct buffer *buffer, const struct sql_relation *input,
                             const struct sql_expression *expression)
{
    describe_in_scope(buffer, (struct describe_scope){input, NULL}, expression);
}
