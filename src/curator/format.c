#include "curator/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"

#define DAY_MICROSECONDS INT64_C(86400000000)

static int64_t floor_divide(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

static void format_date(struct buffer *out, int64_t days)
{
    struct tm parts;
    time_t seconds = (time_t)(days * 86400);
    if (days > 4000000 || days < -4000000 || gmtime_r(&seconds, &parts) == NULL)
        buffer_text(out, "infinity"); /* no date of the calendar: scratch gives none */
    else
        buffer_format(out, "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

/* Hours, minutes, seconds and what there is of a fraction; not negative. */
static void format_time(struct buffer *out, int64_t microseconds)
{
    int64_t seconds = microseconds / 1000000, fraction = microseconds % 1000000;
    buffer_format(out, "%02lld:%02lld:%02lld", (long long)(seconds / 3600), (long long)(seconds / 60 % 60),
                  (long long)(seconds % 60));
    if (fraction != 0) {
        int places = 6;
        for (; fraction % 10 == 0; places--)
            fraction /= 10;
        buffer_format(out, ".%0*lld", places, (long long)fraction);
    }
}

static void format_timestamp(struct buffer *out, int64_t microseconds)
{
    int64_t days = floor_divide(microseconds, DAY_MICROSECONDS);
    format_date(out, days);
    buffer_byte(out, ' ');
    format_time(out, microseconds - days * DAY_MICROSECONDS);
}

static void format_interval(struct buffer *out, const struct sql_value *value)
{
    const char *gap = "";
    if (value->months != 0) {
        buffer_format(out, "%d mon%s", value->months, value->months == 1 ? "" : "s");
        gap = " ";
    }
    if (value->days != 0) {
        buffer_format(out, "%s%d day%s", gap, value->days, value->days == 1 ? "" : "s");
        gap = " ";
    }
    if (value->whole != 0 || gap[0] == '\0') {
        buffer_format(out, "%s%s", gap, value->whole < 0 ? "-" : "");
        format_time(out, value->whole < 0 ? -value->whole : value->whole);
    }
}

static void format_decimal(struct buffer *out, int64_t units, int scale)
{
    uint64_t size = units < 0 ? 0 - (uint64_t)units : (uint64_t)units, unit = 1;
    for (int i = 0; i < scale; i++)
        unit *= 10;
    buffer_format(out, "%s%llu", units < 0 ? "-" : "", (unsigned long long)(size / unit));
    if (scale > 0)
        buffer_format(out, ".%0*llu", scale, (unsigned long long)(size % unit));
}

static void format_real(struct buffer *out, double value)
{
    char text[NUMBER_TEXT];
    if (isnan(value)) {
        buffer_text(out, "NaN");
    } else if (isinf(value)) {
        buffer_text(out, value < 0 ? "-Infinity" : "Infinity");
    } else {
        number_print_exact(value, text);
        buffer_text(out, text);
    }
}

void format_value(struct buffer *out, const struct sql_value *value)
{
    if (value->null)
        return;
    switch (value->type) {
    case SQL_UNKNOWN:
        return;
    case SQL_BOOLEAN:
        buffer_text(out, value->whole != 0 ? "true" : "false");
        return;
    case SQL_INTEGER:
        buffer_format(out, "%lld", (long long)value->whole);
        return;
    case SQL_DECIMAL:
        format_decimal(out, value->whole, value->scale);
        return;
    case SQL_REAL:
        format_real(out, value->real);
        return;
    case SQL_TEXT:
        buffer_text(out, value->text);
        return;
    case SQL_DATE:
        format_date(out, value->whole);
        return;
    case SQL_TIMESTAMP:
        format_timestamp(out, value->whole);
        return;
    case SQL_INTERVAL:
        format_interval(out, value);
        return;
    }
}

void format_json(struct json_writer *json, const struct sql_value *value)
{
    struct buffer text;
    if (value->null) {
        json_write_null(json);
    } else if (value->type == SQL_BOOLEAN) {
        json_write_bool(json, value->whole != 0);
    } else if (value->type == SQL_INTEGER) {
        json_write_whole(json, value->whole);
    } else if (value->type == SQL_REAL && isfinite(value->real)) {
        json_write_number(json, value->real);
    } else if (value->type == SQL_TEXT) {
        json_write_text(json, value->text);
    } else {
        buffer_init(&text, 256);
        format_value(&text, value);
        if (text.failed || text.data == NULL)
            json_write_null(json);
        else if (value->type == SQL_DECIMAL)
            json_write_raw(json, text.data, text.length);
        else
            json_write_text(json, text.data);
        buffer_free(&text);
    }
}

double format_lower(const struct curator_column *column, struct curator_interval interval)
{
    return column->type == SQL_INTEGER ? floor(interval.lower) : interval.lower;
}

double format_upper(const struct curator_column *column, struct curator_interval interval)
{
    return column->type == SQL_INTEGER ? ceil(interval.upper) : interval.upper;
}

/* A decimal is a JSON number as it stands. */
static void decimal_member(struct json_writer *json, const char *name, struct decimal value)
{
    char text[DECIMAL_TEXT];
    json_write_key(json, name);
    if (decimal_is_unlimited(value)) {
        json_write_null(json);
        return;
    }
    decimal_print(value, text);
    json_write_raw(json, text, strlen(text));
}

void format_cost_members(struct json_writer *json, struct ledger_cost cost, enum ledger_currency currency)
{
    if (currency == LEDGER_CONCENTRATED)
        decimal_member(json, "rho", cost.rho);
    else
        decimal_member(json, "epsilon", cost.epsilon);
    decimal_member(json, "delta", currency == LEDGER_PURE ? decimal_zero() : cost.delta);
}
