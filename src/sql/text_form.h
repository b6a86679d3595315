/* text_form.h - values as text: PostgreSQL's forms, read and written without a locale, for literals in a question
 * and for casts of columns alike.
 *
 * Reading accepts what PostgreSQL accepts, with blanks around it, but for dates: years 1 to 9999, ISO 8601
 * ("2024-02-29", "20240229", "2024-02-29 12:30:00.5"), no words such as 'today', which would depend on the clock; and for reals in hexadecimal.
 * All return false for what is not in form or out of range; nothing else can happen. */
#ifndef SQL_TEXT_FORM_H
#define SQL_TEXT_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TEXT_FORM_BYTES = 40,    /* room for any number, date or time */
    TEXT_FORM_DIGITS = 1000, /* a longer text is no number */
};

bool text_form_read_boolean(const char *text, size_t length, bool *out);
bool text_form_read_whole(const char *text, size_t length, int64_t *out);
bool text_form_read_real(const char *text, size_t length, double *out);
/* Units of 10^-scale, rounded half away from zero; below 10^18. */
bool text_form_read_decimal(const char *text, size_t length, int scale, int64_t *out);
bool text_form_read_date(const char *text, size_t length, int64_t *days);
bool text_form_read_timestamp(const char *text, size_t length, int64_t *microseconds);

/* How much of a date or time stands before its zone ("+00", " -05:30", "Z"): JDBC writes one behind every date and time. What has
 * no zone in its type forgets it, as PostgreSQL does. Of literals and parameters alone. */
size_t text_form_before_zone(const char *text, size_t length);

struct text_form_interval {
    int32_t months, days;
    int64_t microseconds;
};
/* "1 day", "2 hours 30 minutes", "-1 month", "1.5 hours", "12:30:00", "1 year 2 mons": fractions only of hours and
 * below. */
bool text_form_read_interval(const char *text, size_t length, struct text_form_interval *out);

/* The shortest text that reads back as the same double: "0.1", "1e+15", "NaN", "-Infinity". */
void text_form_write_real(double value, char text[TEXT_FORM_BYTES]);
void text_form_write_decimal(int64_t units, int scale, char text[TEXT_FORM_BYTES]);
/* Within the years 1 to 9999. */
void text_form_write_date(int64_t days, char text[TEXT_FORM_BYTES]);
void text_form_write_timestamp(int64_t microseconds, char text[TEXT_FORM_BYTES]);

/* 15 significant digits of a finite double, as PostgreSQL takes it to numeric; (-1)^negative digits 10^exponent. */
struct text_form_digits {
    bool negative;
    int64_t digits;
    int exponent;
};
struct text_form_digits text_form_fifteen(double value);
/* digits * 10^exponent in units of 10^-scale, rounded half away from zero. False from 10^18 on. */
bool text_form_to_units(struct text_form_digits digits, int scale, int64_t *out);

/* The double next to units * 10^-scale. */
double text_form_decimal_real(int64_t units, int scale);

#endif
