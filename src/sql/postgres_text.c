/* Text on PostgreSQL. Numbers of characters are 32 bits there; what lies beyond is as good as the nearest. What may grow is
 * measured before it is made. Case is that of the collation "C". */
#include "sql/postgres_form.h"

/* Starts and lengths whose sum is still 32 bits; no text is so long. */
#define PLACE(whole)                                                                                         \
    "(CASE WHEN " whole " > 1073741823 THEN 1073741823 WHEN " whole                                          \
    " < -1073741823 THEN -1073741823 ELSE CAST(" whole " AS INTEGER) END)"

/* A start before the first character takes its share of the length: $2 + $3 characters are left, less one. */
#define SUBSTRING                                                                                            \
    "(CASE WHEN $3 < 0 THEN NULL WHEN $2 >= 1 THEN substr($1, " PLACE("$2") ", " PLACE(                      \
        "$3") ") ELSE CASE WHEN $2 + $3 <= 1 THEN left($1, 0) ELSE left($1, " PLACE("($2 + $3)") " - 1) "    \
                                                                                                 "END END)"

/* Fields from the end are counted there only since PostgreSQL 14. */
#define FIELD_COUNT                                                                                          \
    "((octet_length($1) - octet_length(replace($1, $2, ''))) / CASE WHEN $2 = '' THEN 1 ELSE "               \
    "octet_length($2) END + 1)"
#define SPLIT_PART                                                                                           \
    "(CASE WHEN $3 = 0 THEN NULL WHEN $2 = '' AND $3 IN (1, -1) THEN $1 WHEN $2 = '' AND $3 <> 0 THEN "      \
    "left($1, 0)"                                                                                            \
    " WHEN $3 > 0 THEN split_part($1, $2, " PLACE("$3") ") WHEN " PLACE(                                     \
        "$3") " + " FIELD_COUNT                                                                              \
              " < 0 THEN left($1, 0) ELSE split_part($1, $2, " PLACE("$3") " + " FIELD_COUNT " + 1) END)"

/* How often $2 stands in $1, times by how much it grows. */
#define GROWTH                                                                                               \
    "CAST((octet_length($1) - octet_length(replace($1, $2, ''))) / octet_length($2) AS BIGINT) * "           \
    "(octet_length($3) - octet_length($2))"
#define REPLACE                                                                                              \
    "(CASE WHEN $2 = '' THEN $1 WHEN octet_length($3) <= octet_length($2) OR strpos($1, $2) = 0"             \
    " THEN replace($1, $2, $3) WHEN octet_length($1) + " GROWTH " <= 8192 THEN replace($1, $2, $3) END)"

#define CONCAT "(CASE WHEN octet_length($1) + octet_length($2) <= 8192 THEN $1 || $2 END)"

#define REPEAT                                                                                               \
    "(CASE WHEN $2 <= 0 THEN left($1, 0) WHEN $2 <= 1000 THEN CASE WHEN octet_length($1) * $2 <= 8192"       \
    " THEN repeat($1, CAST($2 AS INTEGER)) END END)"

const struct postgres_form_entry postgres_forms_text[] = {
    {"left", "ti", "left($1, " FORM_NARROW("$2") ")"},
    {"right", "ti", "right($1, " FORM_NARROW("$2") ")"},
    {"substring", "ti", "substr($1, " PLACE("$2") ")"},
    {"substring", "tii", SUBSTRING},
    {"substr", "ti", "substr($1, " PLACE("$2") ")"},
    {"substr", "tii", SUBSTRING},
    {"replace", "tTT", REPLACE},
    {"||", "tt", CONCAT},
    {"||", "tx", CONCAT},
    {"||", "xt", CONCAT},
    {"concat", "x", "coalesce($1, '')"},
    {"position", "tt", "CAST(strpos($1, $2) AS BIGINT)"},
    {"split_part", "tti", SPLIT_PART},
    {"lpad", "tI", "lpad($1, " FORM_NARROW("$2") ")"},
    {"lpad", "tIT", "lpad($1, " FORM_NARROW("$2") ", $3)"},
    {"rpad", "tI", "rpad($1, " FORM_NARROW("$2") ")"},
    {"rpad", "tIT", "rpad($1, " FORM_NARROW("$2") ", $3)"},
    {"repeat", "tI", REPEAT},
    {0},
};
