/* edge_values.h - values at which functions go wrong, as PostgreSQL reads them. NULL is SQL's NULL. */
#ifndef TESTS_ENGINE_EDGE_VALUES_H
#define TESTS_ENGINE_EDGE_VALUES_H

#include <stddef.h>

#define LIST(name, ...) static const char *const name[] = {NULL, __VA_ARGS__}

LIST(edge_booleans, "true", "false");
LIST(edge_wholes, "0", "1", "-1", "2", "7", "-7", "10", "3037000500", "4611686018427387904",
     "9223372036854775807", "-9223372036854775808", "-9223372036854775807");
/* For arguments that are a 32-bit integer in PostgreSQL. */
LIST(edge_small_wholes, "0", "1", "-1", "2", "3", "5", "-3", "12", "2024", "29", "2147483647", "-2147483647");
LIST(edge_decimals, "0", "0.01", "-0.01", "1.50", "2.50", "-2.50", "0.05", "123.45", "9999999999999999.99",
     "-9999999999999999.99", "9007199254740993.01");
/* For what has to fit another scale. */
LIST(edge_small_decimals, "0", "0.01", "1.50", "-2.50", "123.45", "10000000000000.00");
LIST(edge_fine_decimals, "0", "0.0100", "1.5000", "-2.5000", "123.4501", "99999999999999.9999");
LIST(edge_reals, "0", "-0", "1", "-1", "0.5", "1.5", "2.5", "-2.5", "0.1", "2", "10", "-0.4", "1e15",
     "123456.789", "2.675", "1e308", "-1e308", "1e-308", "5e-324", "NaN", "Infinity", "-Infinity", "1e-5",
     "0.0001", "999999999999999", "9007199254740993", "9.2233720368547758e18");
/* For width_bucket, which overflows in PostgreSQL 15. */
LIST(edge_small_reals, "0", "1", "-1", "0.5", "29", "100", "-2.5", "0.1", "123456.789", "NaN", "Infinity",
     "-Infinity");
LIST(edge_texts, "", " ", "a", "abc", "ABC", "  abc  ", "\xc3\xa4\xc3\x96\xc3\xbc",
     "Stra\xc3\x9f"
     "e",
     "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "a,b,c", "%", "a_c", "a\\b", "it's", "\xf0\x9f\x98\x80x",
     "hello World-foo_bar 2x \xc3\xa9"
     "tat",
     "aaab");
LIST(edge_dates, "0001-01-01", "9999-12-31", "1970-01-01", "2024-02-29", "2023-12-31", "2024-12-30",
     "1900-03-01", "2000-12-31", "2001-01-01");
LIST(edge_timestamps, "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "1969-12-31 23:59:59.999999",
     "1970-01-01 00:00:00", "2024-02-29 12:34:56.5", "2021-01-03 00:00:00.000001", "2000-12-31 23:00:00",
     "2024-01-31 10:20:30");
LIST(edge_intervals, "1 day", "-1 day", "1 month", "-1 month", "1 year 2 months 3 days 04:05:06.7",
     "25 hours", "0 days", "-36 hours", "100000 days", "9000 years");

/* Texts that are, or nearly are, something else. */
LIST(edge_forms, "", " 12 ", "+5", "-0", "1e3", "abc", "1.5", "2.5", "-2.5", ".5", "5.", ".", "NaN", "nan",
     "inf", "-Infinity", "t", "yes", "on", "of", "off", "o", "TRUE", " false ", "n", "1", "0", "2", "tru",
     "truee", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308", "1e309",
     "1e-400", "1e", "0.005", "0.015", "-0.005", "9999999999999999.994", "9999999999999999.995", "1_000",
     "0x10z", "- 5", "2024-02-29", "2023-02-29", "20240229", "2024-1-5", "2024-02-29 12:30",
     "2024-02-29T12:30:00.5", " 2024-02-29 23:59:59.9999999 ", "2024-13-01", "2024-02-29 25:00",
     "2024-02-29 24:00:00", "9999-12-31", "0001-01-01", "0000-01-01", "2024-02-29 12:60", "\t7\n");

#define COUNT(list) (sizeof(list) / sizeof *(list))

#endif
