/* number.h - numbers as people write them.
 *
 * Decimals: a sign, digits with or without a point, and perhaps an exponent ("-1.5e3"). Nothing else: no
 * blanks, no hexadecimal, no NaN, no infinity, no comma whatever the locale. A decimal is either taken
 * exactly, as a rational, or rounded once in a direction that the caller chooses: a privacy parameter is
 * rounded so that what is promised is never more than what was typed.
 *
 * Messages are the end of a sentence ("is not a number") and never repeat the text, which may be a private
 * value: the caller, who knows, puts the subject in front. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/rational.h"
#include "base/status.h"

enum number_rounding {
    NUMBER_NEAREST,
    NUMBER_DOWN, /* towards minus infinity */
    NUMBER_UP,
};

enum {
    NUMBER_DIGITS = 800, /* more are refused */
    NUMBER_TEXT = 32,    /* room for any double in text, with its NUL */
};

/* Refuses what is beyond the largest double, and what is not zero but would become zero. */
status number_parse(const char *text, enum number_rounding rounding, double *out, error *why) MUST_CHECK;

/* Exactly, or not at all: 27 decimal places and 38 digits always fit. Refuses negative numbers. */
status number_parse_rational(const char *text, struct rational *out, error *why) MUST_CHECK;

/* A whole number from 0 to 2^64 - 1, also written as "1e6". */
status number_parse_whole(const char *text, uint64_t *out, error *why) MUST_CHECK;

/* For machines: the shortest of %.15g, %.16g and %.17g that reads back as the same double. */
void number_print_exact(double value, char text[NUMBER_TEXT]);

/* For people: twelve digits, so that 0.1 + 0.2 is 0.3. */
void number_print(double value, char text[NUMBER_TEXT]);

#endif
