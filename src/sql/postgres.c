/* The dialect of PostgreSQL, 13 and later. Its own functions are made total by forms (postgres_form.h); nothing has to be
 * installed on the server. Texts are compared by their bytes: equality is that in every deterministic collation, and where
 * order matters "C" is said. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sql/civil.h"
#include "sql/function.h"
#include "sql/postgres_form.h"
#include "sql/postgres_scan.h"
#include "sql/print_template.h"
#include "sql/text_form.h"

const char *postgres_type(enum sql_type type, int scale, char *room, size_t size)
{
    switch (type) {
    case SQL_BOOLEAN:
        return "BOOLEAN";
    case SQL_INTEGER:
        return "BIGINT";
    case SQL_DECIMAL:
        snprintf(room, size, "NUMERIC(18, %d)", scale);
        return room;
    case SQL_REAL:
        return "DOUBLE PRECISION";
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
    return "TEXT";
}

/* ---- Literals ---- */

/* A backslash is itself in one setting of the server and an escape in the other, but always an escape after E. */
static void print_quoted(struct buffer *buffer, const char *text)
{
    buffer_text(buffer, strchr(text, '\\') != NULL ? "E'" : "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            buffer_byte(buffer, *text);
        buffer_byte(buffer, *text);
    }
    buffer_byte(buffer, '\'');
}

static void print_date(struct buffer *buffer, int64_t days)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_day(days)) { /* no value of ours */
        buffer_text(buffer, "CAST(NULL AS DATE)");
        return;
    }
    text_form_write_date(days, text);
    buffer_format(buffer, "DATE '%s'", text);
}

static void print_timestamp(struct buffer *buffer, int64_t microseconds)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_moment(microseconds)) {
        buffer_text(buffer, "CAST(NULL AS TIMESTAMP)");
        return;
    }
    text_form_write_timestamp(microseconds, text);
    buffer_format(buffer, "TIMESTAMP '%s'", text);
}

/* A sign for each part, so that the session's style of intervals does not matter. */
static void print_interval(struct buffer *buffer, const struct sql_value *value)
{
    uint64_t size = value->whole < 0 ? -(uint64_t)value->whole : (uint64_t)value->whole;
    buffer_format(buffer,
                  "CAST('%+" PRId32 " months %+" PRId32 " days %c%" PRIu64 ":%02d:%02d.%06d' AS INTERVAL)",
                  value->months, value->days, value->whole < 0 ? '-' : '+', size / 3600000000,
                  (int)(size / 60000000 % 60), (int)(size / 1000000 % 60), (int)(size % 1000000));
}

void postgres_print_literal(struct buffer *buffer, const struct sql_value *value)
{
    char room[TEXT_FORM_BYTES];
    if (value->null) {
        buffer_format(buffer, "CAST(NULL AS %s)",
                      postgres_type(value->type, value->scale, room, sizeof room));
        return;
    }
    switch (value->type) {
    case SQL_BOOLEAN:
        buffer_text(buffer, value->whole != 0 ? "TRUE" : "FALSE");
        break;
    case SQL_INTEGER:
        buffer_format(buffer, "CAST('%" PRId64 "' AS BIGINT)", value->whole);
        break;
    case SQL_DECIMAL:
        text_form_write_decimal(value->whole, value->scale, room);
        buffer_format(buffer, "CAST('%s' AS NUMERIC)", room);
        break;
    case SQL_REAL:
        text_form_write_real(value->real, room); /* reads back as the same double */
        buffer_format(buffer, "CAST('%s' AS DOUBLE PRECISION)", room);
        break;
    case SQL_DATE:
        print_date(buffer, value->whole);
        break;
    case SQL_TIMESTAMP:
        print_timestamp(buffer, value->whole);
        break;
    case SQL_INTERVAL:
        print_interval(buffer, value);
        break;
    case SQL_UNKNOWN:
    case SQL_TEXT:
        buffer_text(buffer, "CAST(");
        print_quoted(buffer, value->text);
        buffer_text(buffer, " AS TEXT)");
        break;
    }
}

static void print_literal(struct sql_printer *printer, const struct sql_value *value)
{
    postgres_print_literal(printer->buffer, value);
}

/* ---- Calls ---- */

/* Functions that tell which of two texts is the larger one. */
static bool sees_order(const struct sql_expression *call)
{
    static const char *const names[] = {"<", "<=", ">", ">=", "between", "not between", "greatest", "least"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sql_is_call(call, names[i]))
            return true;
    return false;
}

static void print_call_argument(struct sql_printer *printer, const struct sql_expression *call, size_t index,
                                int mixed_scale)
{
    (void)mixed_scale; /* PostgreSQL compares numbers of any scale as they are */
    sql_print_expression(printer, call->arguments[index]);
    if (index == 0 && call->arguments[0]->type == SQL_TEXT && sees_order(call))
        buffer_text(printer->buffer, " COLLATE \"C\"");
}

static bool takes(const struct sql_expression *call, const char *arguments)
{
    return strcmp(call->function->arguments, arguments) == 0;
}

static void print_call(struct sql_printer *printer, const struct sql_expression *call)
{
    if (takes(call, "sv") || takes(call, "vs")) {
        postgres_print_moved(printer, call, takes(call, "sv") ? 0 : 1);
        return;
    }
    const char *form = postgres_form(call->function);
    if (form != NULL)
        postgres_print_form(printer, call, form);
    else
        print_template(printer, call, call->function->postgres, print_call_argument, -1);
}

static void print_cast(struct sql_printer *printer, const struct sql_expression *cast)
{
    const char *form = postgres_cast_form(cast->arguments[0]->type, cast->type);
    char room[32];
    if (form != NULL) {
        postgres_print_form(printer, cast, form);
        return;
    }
    buffer_text(printer->buffer, "CAST(");
    sql_print_expression(printer, cast->arguments[0]);
    buffer_format(printer->buffer, " AS %s)", postgres_type(cast->type, cast->scale, room, sizeof room));
}

/* ---- Relations ---- */

static void print_table(struct sql_printer *printer, const struct sql_table *table)
{
    if (table->schema != NULL) {
        sql_print_identifier(printer->buffer, table->schema);
        buffer_byte(printer->buffer, '.');
    }
    sql_print_identifier(printer->buffer, table->declared->name);
}

/* A sum of whole numbers is a numeric: NULL where it does not fit. Written once, because it may hold a whole window: the
 * nearest number that does not fit stands for all of them, and is made NULL. So is NULL itself, which `least` takes for
 * nothing. */
static void print_narrow_begin(struct sql_printer *printer)
{
    buffer_text(printer->buffer, "CAST(NULLIF(NULLIF(GREATEST(LEAST(");
}

static void print_narrow_end(struct sql_printer *printer, enum sql_type type, int scale)
{
    char limits[2][24] = {"9223372036854775808", "-9223372036854775809"}, room[32];
    if (type == SQL_DECIMAL) {
        size_t digits = (size_t)(18 - scale);
        for (size_t i = 0; i < 2; i++)
            snprintf(limits[i], sizeof limits[i], "%s1%.*s", i == 0 ? "" : "-", (int)digits,
                     "000000000000000000");
    }
    buffer_format(printer->buffer, ", %s), %s), %s), %s) AS %s)", limits[0], limits[1], limits[0], limits[1],
                  postgres_type(type, scale, room, sizeof room));
}

const struct sql_dialect sql_postgres = {
    .name = "postgres",
    .type = postgres_type,
    .literal = print_literal,
    .call = print_call,
    .cast = print_cast,
    .steps = postgres_print_steps,
    .scanned = postgres_print_scanned,
    .table = print_table,
    .row_identity = "ctid",
    .narrow_begin = print_narrow_begin,
    .narrow_end = print_narrow_end,
    .text_order = " COLLATE \"C\"",
    .small_integer = "INTEGER",
};
