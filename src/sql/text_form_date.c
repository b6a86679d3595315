#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sql/civil.h"
#include "sql/text_form.h"

/* What is left to read. */
struct reader {
    const char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
}

static bool skip(struct reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* A run of digits, `least` to `most` of them. */
static bool read_number(struct reader *reader, int least, int most, int64_t *out)
{
    int64_t value = 0;
    int count = 0;
    for (; count < most && reader->at < reader->end && is_digit(*reader->at); count++)
        value = 10 * value + (*reader->at++ - '0');
    *out = value;
    return count >= least;
}

static bool read_day(struct reader *reader, int64_t *days)
{
    int64_t year, month, day;
    if (!read_number(reader, 4, 4, &year))
        return false;
    bool dashes = skip(reader, '-');
    int least = dashes ? 1 : 2;
    if (!read_number(reader, least, 2, &month) || (dashes && !skip(reader, '-')) ||
        !read_number(reader, least, 2, &day))
        return false;
    return civil_day(year, month, day, days);
}

/* "59.5": microseconds, rounded half to even as PostgreSQL does. */
static bool read_seconds(struct reader *reader, int64_t most, int64_t *microseconds)
{
    int64_t seconds;
    if (!read_number(reader, 1, 2, &seconds) || seconds > most)
        return false;
    double fraction = 0, unit = 1;
    if (skip(reader, '.'))
        for (; reader->at < reader->end && is_digit(*reader->at); reader->at++)
            fraction += (*reader->at - '0') * (unit /= 10);
    *microseconds = seconds * 1000000 + (int64_t)rint(fraction * 1e6);
    return true;
}

static bool read_time(struct reader *reader, int64_t *microseconds)
{
    int64_t hour, minute, second = 0;
    if (!read_number(reader, 1, 2, &hour) || !skip(reader, ':') || !read_number(reader, 2, 2, &minute))
        return false;
    if (skip(reader, ':') && !read_seconds(reader, 60, &second))
        return false;
    *microseconds = (hour * 60 + minute) * 60000000 + second;
    return hour <= 24 && minute <= 59 && *microseconds <= CIVIL_DAY_MICROSECONDS;
}

static bool at_end(struct reader *reader)
{
    skip_blanks(reader);
    return reader->at == reader->end;
}

bool text_form_read_timestamp(const char *text, size_t length, int64_t *microseconds)
{
    struct reader reader = {text, text + length};
    skip_blanks(&reader);
    int64_t days, time = 0;
    if (!read_day(&reader, &days))
        return false;
    if (!at_end(&reader)) {
        skip(&reader, 'T');
        if (!read_time(&reader, &time) || !at_end(&reader))
            return false;
    }
    int64_t moment = days * CIVIL_DAY_MICROSECONDS + time;
    if (!civil_has_moment(moment))
        return false;
    *microseconds = moment;
    return true;
}

bool text_form_read_date(const char *text, size_t length, int64_t *days)
{
    struct reader reader = {text, text + length};
    skip_blanks(&reader);
    int64_t read, time;
    if (!read_day(&reader, &read))
        return false;
    if (!at_end(&reader)) { /* PostgreSQL reads the time of a day, too, and forgets it */
        skip(&reader, 'T');
        if (!read_time(&reader, &time) || !at_end(&reader))
            return false;
    }
    *days = read;
    return true;
}

/* "5", "05", "0530", "05:30": hours up to 15, as PostgreSQL has them. */
static bool is_offset(const char *text, size_t length)
{
    struct reader reader = {text, text + length};
    int64_t hours = 0, minutes = 0;
    if (!read_number(&reader, 1, 2, &hours))
        return false;
    if (reader.at < reader.end) {
        skip(&reader, ':');
        if (!read_number(&reader, 2, 2, &minutes))
            return false;
    }
    return reader.at == reader.end && hours <= 15 && minutes <= 59;
}

/* A sign behind a time or a blank opens a zone; one within a date does not. */
size_t text_form_before_zone(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    bool time = memchr(text, ':', length) != NULL;
    if (time && length > 1 && (text[length - 1] == 'Z' || text[length - 1] == 'z') &&
        is_digit(text[length - 2]))
        return length - 1;
    for (size_t i = length; i-- > 1;) {
        if (text[i] != '+' && text[i] != '-')
            continue;
        bool opens = text[i - 1] == ' ' || memchr(text, ':', i) != NULL;
        return opens && is_offset(text + i + 1, length - i - 1) ? i : length;
    }
    return length;
}

void text_form_write_date(int64_t days, char text[TEXT_FORM_BYTES])
{
    struct civil civil = civil_of_day(days);
    snprintf(text, TEXT_FORM_BYTES, "%04d-%02d-%02d", (int)civil.year, civil.month, civil.day);
}

void text_form_write_timestamp(int64_t microseconds, char text[TEXT_FORM_BYTES])
{
    struct civil civil = civil_of_moment(microseconds);
    int second = (int)(civil.microsecond / 1000000);
    int fraction = (int)(civil.microsecond % 1000000);
    int written = snprintf(text, TEXT_FORM_BYTES, "%04d-%02d-%02d %02d:%02d:%02d", (int)civil.year,
                           civil.month, civil.day, second / 3600, second / 60 % 60, second % 60);
    if (fraction == 0)
        return;
    written += snprintf(text + written, (size_t)(TEXT_FORM_BYTES - written), ".%06d", fraction);
    while (text[written - 1] == '0')
        text[--written] = '\0';
}

/* ---- Intervals ---- */

/* One unit of an interval: so many months, days or microseconds. */
struct unit {
    const char *name;
    int64_t months, days, microseconds;
};

static const struct unit units[] = {
    {"year", 12, 0, 0},
    {"month", 1, 0, 0},
    {"mon", 1, 0, 0},
    {"week", 0, 7, 0},
    {"day", 0, 1, 0},
    {"hour", 0, 0, 3600000000},
    {"minute", 0, 0, 60000000},
    {"min", 0, 0, 60000000},
    {"second", 0, 0, 1000000},
    {"sec", 0, 0, 1000000},
    {"millisecond", 0, 0, 1000},
    {"microsecond", 0, 0, 1},
    {"quarter", 3, 0, 0},
    {"decade", 120, 0, 0},
    {"century", 1200, 0, 0},
};

static const struct unit *find_unit(struct reader *reader)
{
    skip_blanks(reader);
    char name[16];
    size_t length = 0;
    for (; reader->at < reader->end && length + 1 < sizeof name; reader->at++) {
        char c = *reader->at >= 'A' && *reader->at <= 'Z' ? (char)(*reader->at + 32) : *reader->at;
        if (c < 'a' || c > 'z')
            break;
        name[length++] = c;
    }
    name[length] = '\0';
    if (length > 1 && name[length - 1] == 's')
        name[length - 1] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static bool add_scaled(int64_t *sum, int64_t number, int64_t unit)
{
    int64_t product;
    return !__builtin_mul_overflow(number, unit, &product) && !__builtin_add_overflow(*sum, product, sum);
}

/* "-1.5 hours", "12:30". */
static bool read_part(struct reader *reader, int64_t sums[3])
{
    bool negative = skip(reader, '-');
    if (!negative)
        skip(reader, '+');
    const char *start = reader->at;
    int64_t number, time;
    if (!read_number(reader, 1, 10, &number))
        return false;
    if (reader->at < reader->end && *reader->at == ':') {
        reader->at = start;
        return read_time(reader, &time) && add_scaled(&sums[2], negative ? -1 : 1, time);
    }
    double fraction = 0, place = 1;
    if (skip(reader, '.'))
        for (; reader->at < reader->end && is_digit(*reader->at); reader->at++)
            fraction += (*reader->at - '0') * (place /= 10);
    const struct unit *unit = find_unit(reader);
    if (unit == NULL || (fraction != 0 && unit->microseconds == 0))
        return false;
    int64_t sign = negative ? -1 : 1;
    return add_scaled(&sums[0], sign * number, unit->months) &&
           add_scaled(&sums[1], sign * number, unit->days) &&
           add_scaled(&sums[2], sign * number, unit->microseconds) &&
           add_scaled(&sums[2], sign, (int64_t)rint(fraction * (double)unit->microseconds));
}

bool text_form_read_interval(const char *text, size_t length, struct text_form_interval *out)
{
    struct reader reader = {text, text + length};
    int64_t sums[3] = {0};
    if (at_end(&reader))
        return false;
    while (!at_end(&reader))
        if (!read_part(&reader, sums))
            return false;
    if (sums[0] != (int32_t)sums[0] || sums[1] != (int32_t)sums[1])
        return false;
    *out = (struct text_form_interval){
        .months = (int32_t)sums[0], .days = (int32_t)sums[1], .microseconds = sums[2]};
    return true;
}
