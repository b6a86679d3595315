/* The dialect of DuckDB. Functions dither_* are our own, in C (engine/duckdb_functions.c), where DuckDB's would
 * raise an error or mean something else than PostgreSQL's. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sql/civil.h"
#include "sql/function.h"
#include "sql/print.h"
#include "sql/print_template.h"
#include "sql/text_form.h"

static const char *print_type(enum sql_type type, int scale, char *room, size_t size)
{
    switch (type) {
    case SQL_BOOLEAN:
        return "BOOLEAN";
    case SQL_INTEGER:
        return "BIGINT";
    case SQL_DECIMAL:
        snprintf(room, size, "DECIMAL(18, %d)", scale);
        return room;
    case SQL_REAL:
        return "DOUBLE";
    case SQL_DATE:
        return "DATE";
    case SQL_TIMESTAMP:
        return "TIMESTAMP";
    case SQL_INTERVAL:
        return "INTERVAL";
    case SQL_UNKNOWN:
    case SQL_TEXT:
        break;
    }
    return "VARCHAR";
}

static void print_text(struct buffer *buffer, const char *text)
{
    buffer_byte(buffer, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buffer_byte(buffer, '\'');
        buffer_byte(buffer, *text);
    }
    buffer_byte(buffer, '\'');
}

/* Dates as people write them where they can; else counted from 1970. */
static void print_date(struct buffer *buffer, int64_t days)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_day(days)) {
        buffer_format(buffer, "(DATE '1970-01-01' + CAST(%" PRId64 " AS INTEGER))", days);
        return;
    }
    text_form_write_date(days, text);
    buffer_format(buffer, "DATE '%s'", text);
}

static void print_timestamp(struct buffer *buffer, int64_t microseconds)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_moment(microseconds)) {
        buffer_format(buffer, "make_timestamp(CAST(%" PRId64 " AS BIGINT))", microseconds);
        return;
    }
    text_form_write_timestamp(microseconds, text);
    buffer_format(buffer, "TIMESTAMP '%s'", text);
}

static void print_real(struct buffer *buffer, double value)
{
    char text[TEXT_FORM_BYTES];
    text_form_write_real(value, text); /* reads back as the same double */
    buffer_format(buffer, "CAST('%s' AS DOUBLE)", text);
}

static void print_literal(struct sql_printer *printer, const struct sql_value *value)
{
    struct buffer *buffer = printer->buffer;
    char room[TEXT_FORM_BYTES];
    if (value->null) {
        buffer_format(buffer, "CAST(NULL AS %s)", print_type(value->type, value->scale, room, sizeof room));
        return;
    }
    switch (value->type) {
    case SQL_BOOLEAN:
        buffer_text(buffer, value->whole != 0 ? "TRUE" : "FALSE");
        break;
    case SQL_INTEGER:
        buffer_format(buffer, "CAST(%" PRId64 " AS BIGINT)", value->whole);
        break;
    case SQL_DECIMAL:
        text_form_write_decimal(value->whole, value->scale, room);
        buffer_format(buffer, "CAST('%s' AS DECIMAL(18, %d))", room, value->scale);
        break;
    case SQL_REAL:
        print_real(buffer, value->real);
        break;
    case SQL_DATE:
        print_date(buffer, value->whole);
        break;
    case SQL_TIMESTAMP:
        print_timestamp(buffer, value->whole);
        break;
    case SQL_INTERVAL:
        buffer_format(buffer,
                      "(to_months(CAST(%" PRId32 " AS INTEGER)) + to_days(CAST(%" PRId32
                      " AS INTEGER)) + to_microseconds(CAST(%" PRId64 " AS BIGINT)))",
                      value->months, value->days, value->whole);
        break;
    case SQL_UNKNOWN:
    case SQL_TEXT:
        print_text(buffer, value->text);
        break;
    }
}

/* ---- Calls ---- */

/* The largest scale when integers and decimals of several scales are compared; -1: they are all alike. */
static int mixed_scale(const struct sql_expression *call)
{
    int scale = 0;
    bool decimal = false, alike = true;
    for (size_t i = 0; i < call->argument_count; i++) {
        const struct sql_expression *argument = call->arguments[i];
        decimal |= argument->type == SQL_DECIMAL;
        alike &= argument->type == call->arguments[0]->type && argument->scale == call->arguments[0]->scale;
        scale = argument->scale > scale ? argument->scale : scale;
    }
    return decimal && !alike ? scale : -1;
}

/* 38 digits hold any 64-bit number at any scale: the comparison is exact. */
static void print_call_argument(struct sql_printer *printer, const struct sql_expression *call, size_t index,
                                int mixed)
{
    int scale = sql_function_letter(call->function, index) == 'c' ? mixed : -1;
    if (scale < 0) {
        sql_print_expression(printer, call->arguments[index]);
        return;
    }
    buffer_text(printer->buffer, "CAST(");
    sql_print_expression(printer, call->arguments[index]);
    buffer_format(printer->buffer, " AS DECIMAL(38, %d))", scale);
}

static void print_call(struct sql_printer *printer, const struct sql_expression *call)
{
    print_template(printer, call, call->function->duckdb, print_call_argument, mixed_scale(call));
}

/* ---- Casts ---- */

static const char *cast_function(enum sql_type from, enum sql_type to)
{
    if (from == SQL_TEXT)
        switch (to) {
        case SQL_BOOLEAN:
            return "dither_text_boolean";
        case SQL_INTEGER:
            return "dither_text_whole";
        case SQL_REAL:
            return "dither_text_real";
        case SQL_DECIMAL:
            return "dither_text_decimal";
        case SQL_DATE:
            return "dither_text_date";
        case SQL_TIMESTAMP:
            return "dither_text_timestamp";
        default:
            return NULL;
        }
    if (from == SQL_REAL)
        return to == SQL_INTEGER   ? "dither_real_whole"
               : to == SQL_DECIMAL ? "dither_real_decimal"
               : to == SQL_TEXT    ? "dither_real_text"
                                   : NULL;
    if (from == SQL_DECIMAL)
        return to == SQL_REAL ? "dither_decimal_real" : to == SQL_INTEGER ? "dither_decimal_whole" : NULL;
    if (from == SQL_TIMESTAMP)
        return to == SQL_DATE ? "dither_timestamp_date" : to == SQL_TEXT ? "dither_timestamp_text" : NULL;
    if (from == SQL_DATE)
        return to == SQL_TIMESTAMP ? "dither_date_timestamp" : to == SQL_TEXT ? "dither_date_text" : NULL;
    return NULL;
}

static void print_cast(struct sql_printer *printer, const struct sql_expression *cast)
{
    const struct sql_expression *argument = cast->arguments[0];
    const char *function = cast_function(argument->type, cast->type);
    char room[32];
    if (function != NULL) {
        buffer_text(printer->buffer, function);
        if (cast->type == SQL_DECIMAL || argument->type == SQL_DECIMAL)
            buffer_format(printer->buffer, "_%d", cast->type == SQL_DECIMAL ? cast->scale : argument->scale);
        buffer_byte(printer->buffer, '(');
        sql_print_expression(printer, argument);
        buffer_byte(printer->buffer, ')');
        return;
    }
    buffer_text(printer->buffer, "TRY_CAST(");
    sql_print_expression(printer, argument);
    buffer_format(printer->buffer, " AS %s)", print_type(cast->type, cast->scale, room, sizeof room));
}

/* ---- Steps (engine/duckdb_bound*.c) ---- */

/* The whole number that a value of the type is, in SQL. */
static void print_whole(struct sql_printer *printer, const struct sql_expression *argument)
{
    struct buffer *buffer = printer->buffer;
    if (argument->type == SQL_DECIMAL)
        buffer_format(buffer, "dither_decimal_units_%d(", argument->scale);
    else
        buffer_text(buffer, argument->type == SQL_DATE        ? "dither_date_days("
                            : argument->type == SQL_TIMESTAMP ? "dither_timestamp_microseconds("
                            : argument->type == SQL_BOOLEAN   ? "CAST("
                                                              : "(");
    sql_print_expression(printer, argument);
    buffer_text(buffer, argument->type == SQL_BOOLEAN ? " AS BIGINT)" : ")");
}

static void print_steps(struct sql_printer *printer, const struct sql_expression *argument,
                        const struct sql_steps *steps)
{
    struct buffer *buffer = printer->buffer;
    if (argument->type == SQL_REAL) {
        buffer_text(buffer, "dither_steps_real(");
        sql_print_expression(printer, argument);
        buffer_text(buffer, ", ");
        print_real(buffer, ldexp(1, -steps->exponent));
    } else {
        buffer_text(buffer, "dither_steps_whole(");
        print_whole(printer, argument);
        buffer_format(buffer, ", CAST(%d AS INTEGER)", steps->exponent);
    }
    buffer_format(buffer, ", CAST(%" PRId64 " AS BIGINT), CAST(%" PRId64 " AS BIGINT))", steps->lower,
                  steps->upper);
}

static void print_table(struct sql_printer *printer, const struct sql_table *table)
{
    sql_print_identifier(printer->buffer, table->declared->name);
}

const struct sql_dialect sql_duckdb = {
    .name = "duckdb",
    .type = print_type,
    .literal = print_literal,
    .call = print_call,
    .cast = print_cast,
    .steps = print_steps,
    .table = print_table,
    .row_identity = "rowid",
    .try_cast = "TRY_CAST",
};
