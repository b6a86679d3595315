/* Casts with PostgreSQL's text forms and roundings; what fails is NULL. And the whole numbers that values are. */
#include <math.h>
#include <string.h>

#include "engine/duckdb_functions_parts.h"
#include "sql/civil.h"
#include "sql/text_form.h"

static bool text_boolean(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    bool truth = false;
    if (!text_form_read_boolean(arguments->text, arguments->length, &truth))
        return false;
    out->whole = truth;
    return true;
}

static bool text_whole(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return text_form_read_whole(arguments->text, arguments->length, &out->whole);
}

static bool text_real(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return text_form_read_real(arguments->text, arguments->length, &out->real);
}

static bool text_decimal(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    return text_form_read_decimal(arguments->text, arguments->length, room->scale, &out->whole);
}

static bool text_date(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return text_form_read_date(arguments->text, arguments->length, &out->whole);
}

static bool text_timestamp(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return text_form_read_timestamp(arguments->text, arguments->length, &out->whole);
}

static bool write_text(const struct cell_room *room, const char *text, struct cell *out)
{
    buffer_text(room->text, text);
    out->text = room->text->data;
    out->length = room->text->length;
    return true;
}

static bool real_text(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char text[TEXT_FORM_BYTES];
    text_form_write_real(arguments->real, text);
    return write_text(room, text, out);
}

static bool date_text(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_day(arguments->whole))
        return false;
    text_form_write_date(arguments->whole, text);
    return write_text(room, text, out);
}

static bool timestamp_text(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char text[TEXT_FORM_BYTES];
    if (!civil_has_moment(arguments->whole))
        return false;
    text_form_write_timestamp(arguments->whole, text);
    return write_text(room, text, out);
}

/* Half to even. */
static bool real_whole(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    double rounded = rint(arguments->real);
    if (!(rounded >= -0x1p63 && rounded < 0x1p63))
        return false;
    out->whole = (int64_t)rounded;
    return true;
}

static bool real_decimal(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    return isfinite(arguments->real) &&
           text_form_to_units(text_form_fifteen(arguments->real), room->scale, &out->whole);
}

static bool decimal_real(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    out->real = text_form_decimal_real(arguments->whole, room->scale);
    return true;
}

/* Half away from zero. */
static bool decimal_whole(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    int64_t one = 1, units = arguments->whole;
    for (int i = 0; i < room->scale; i++)
        one *= 10;
    int64_t rest = units % one;
    out->whole = units / one;
    if (rest >= one - rest && rest > 0)
        out->whole++;
    if (-rest >= one + rest && rest < 0)
        out->whole--;
    return true;
}

static bool timestamp_date(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    if (!civil_has_moment(arguments->whole))
        return false;
    out->whole = civil_of_moment(arguments->whole).days;
    return true;
}

static bool date_timestamp(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    if (!civil_has_day(arguments->whole))
        return false;
    out->whole = arguments->whole * CIVIL_DAY_MICROSECONDS;
    return true;
}

/* What an aggregate counts in: days, microseconds, units. Infinity is a number here, and the clamp's business. */
static bool as_whole(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments->whole;
    return true;
}

const struct function_entry functions_cast[] = {
    {"dither_text_boolean", "t", 'b', text_boolean, false, NULL},
    {"dither_text_whole", "t", 'i', text_whole, false, NULL},
    {"dither_text_real", "t", 'r', text_real, false, NULL},
    {"dither_text_decimal", "t", 'n', text_decimal, false, NULL},
    {"dither_text_date", "t", 'd', text_date, false, NULL},
    {"dither_text_timestamp", "t", 's', text_timestamp, false, NULL},
    {"dither_real_text", "r", 't', real_text, false, NULL},
    {"dither_date_text", "d", 't', date_text, false, NULL},
    {"dither_timestamp_text", "s", 't', timestamp_text, false, NULL},
    {"dither_real_whole", "r", 'i', real_whole, false, NULL},
    {"dither_real_decimal", "r", 'n', real_decimal, false, NULL},
    {"dither_decimal_real", "n", 'r', decimal_real, false, NULL},
    {"dither_decimal_whole", "n", 'i', decimal_whole, false, NULL},
    {"dither_timestamp_date", "s", 'd', timestamp_date, false, NULL},
    {"dither_date_timestamp", "d", 's', date_timestamp, false, NULL},
    {"dither_decimal_units", "n", 'i', as_whole, false, NULL},
    {"dither_date_days", "d", 'i', as_whole, false, NULL},
    {"dither_timestamp_microseconds", "s", 'i', as_whole, false, NULL},
    {0},
};
