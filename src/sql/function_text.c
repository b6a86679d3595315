/* Text, in characters of UTF-8. Letters are those of ASCII where case matters: PostgreSQL's collation "C". What can
 * outgrow its input takes small constants, and is NULL beyond SQL_GROWN_TEXT_BYTES. */
#include <string.h>

#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT

static status check_length(const struct sql_expression *text, const char *what, error *why)
{
    if (strlen(text->value.text) > SQL_CONSTANT_TEXT_BYTES)
        return sql_refuse(why, text->position, "%s must not be longer than %d bytes", what,
                          SQL_CONSTANT_TEXT_BYTES);
    return DITHER_OK;
}

static status check_pattern(const struct sql_expression *const *arguments, size_t count, int position,
                            error *why)
{
    (void)count;
    (void)position;
    const char *pattern = arguments[1]->value.text;
    TRY(check_length(arguments[1], "a pattern", why));
    for (; *pattern != '\0'; pattern++)
        if (*pattern == '\\' && *++pattern == '\0')
            return sql_refuse(why, arguments[1]->position, "LIKE pattern must not end with escape character");
    return DITHER_OK;
}

static status check_replace(const struct sql_expression *const *arguments, size_t count, int position,
                            error *why)
{
    (void)count;
    (void)position;
    TRY(check_length(arguments[1], "what is replaced", why));
    return check_length(arguments[2], "the replacement", why);
}

static status check_pad(const struct sql_expression *const *arguments, size_t count, int position, error *why)
{
    (void)position;
    if (arguments[1]->value.whole > SQL_PAD_LENGTH)
        return sql_refuse(why, arguments[1]->position, "the length must not be above %d", SQL_PAD_LENGTH);
    return count > 2 ? check_length(arguments[2], "the fill", why) : DITHER_OK;
}

const struct sql_function sql_functions_text[] = {
    {"lower", "t", 't', STRICT, false, "dither_lower($1)", "lower($1 COLLATE \"C\")", NULL, NULL},
    {"upper", "t", 't', STRICT, false, "dither_upper($1)", "upper($1 COLLATE \"C\")", NULL, NULL},
    {"initcap", "t", 't', STRICT, false, "dither_initcap($1)", "initcap($1 COLLATE \"C\")", NULL, NULL},
    {"length", "t", 'i', STRICT, false, "length($1)", "CAST(length($1) AS bigint)", NULL, NULL},
    {"char_length", "t", 'i', STRICT, false, "length($1)", "CAST(char_length($1) AS bigint)", NULL, NULL},
    {"character_length", "t", 'i', STRICT, false, "length($1)", "CAST(character_length($1) AS bigint)", NULL,
     NULL},
    {"octet_length", "t", 'i', STRICT, false, "strlen($1)", "CAST(octet_length($1) AS bigint)", NULL, NULL},
    {"reverse", "t", 't', STRICT, false, "dither_reverse($1)", "reverse($1)", NULL, NULL},
    {"left", "ti", 't', STRICT, false, "dither_left($1, $2)", "left($1, CAST($2 AS integer))", NULL, NULL},
    {"right", "ti", 't', STRICT, false, "dither_right($1, $2)", "right($1, CAST($2 AS integer))", NULL, NULL},
    {"substring", "ti", 't', STRICT, false, "dither_substring_from($1, $2)",
     "substring($1 FROM CAST($2 AS integer))", NULL, NULL},
    {"substring", "tii", 't', STRICT, true, "dither_substring($*)",
     "substring($1 FROM CAST($2 AS integer) FOR CAST($3 AS integer))", NULL, NULL},
    {"substr", "ti", 't', STRICT, false, "dither_substring_from($1, $2)", "substr($1, CAST($2 AS integer))",
     NULL, NULL},
    {"substr", "tii", 't', STRICT, true, "dither_substring($*)",
     "substr($1, CAST($2 AS integer), CAST($3 AS integer))", NULL, NULL},
    {"trim", "t", 't', STRICT, false, "dither_trim_both($1, ' ')", "trim($1)", NULL, NULL},
    {"btrim", "t", 't', STRICT, false, "dither_trim_both($1, ' ')", "btrim($1)", NULL, NULL},
    {"ltrim", "t", 't', STRICT, false, "dither_trim_left($1, ' ')", "ltrim($1)", NULL, NULL},
    {"rtrim", "t", 't', STRICT, false, "dither_trim_right($1, ' ')", "rtrim($1)", NULL, NULL},
    {"btrim", "tt", 't', STRICT, false, "dither_trim_both($1, $2)", "btrim($1, $2)", NULL, NULL},
    {"ltrim", "tt", 't', STRICT, false, "dither_trim_left($1, $2)", "ltrim($1, $2)", NULL, NULL},
    {"rtrim", "tt", 't', STRICT, false, "dither_trim_right($1, $2)", "rtrim($1, $2)", NULL, NULL},
    {"replace", "tTT", 't', STRICT, true, "dither_replace($*)", "replace($1, $2, $3)", NULL, check_replace},
    {"||", "tt", 't', STRICT, true, "dither_concat($1, $2)", "($1 || $2)", NULL, NULL},
    {"||", "tx", 't', STRICT, true, "dither_concat($1, $2)", "($1 || $2)", NULL, NULL},
    {"||", "xt", 't', STRICT, true, "dither_concat($1, $2)", "($1 || $2)", NULL, NULL},
    {"concat", "x", 't', SQL_NULLS_NEVER, false, "coalesce($1, '')", "concat($*)", NULL, NULL},
    {"position", "tt", 'i', STRICT, false, "dither_position($1, $2)", "CAST(position($2 IN $1) AS bigint)",
     NULL, NULL},
    {"strpos", "tt", 'i', STRICT, false, "dither_position($1, $2)", "CAST(strpos($1, $2) AS bigint)", NULL,
     NULL},
    {"starts_with", "tt", 'b', STRICT, false, "starts_with($1, $2)", "starts_with($1, $2)", NULL, NULL},
    {"split_part", "tti", 't', STRICT, true, "dither_split_part($*)",
     "split_part($1, $2, CAST($3 AS integer))", NULL, NULL},
    {"lpad", "tI", 't', STRICT, true, "dither_pad_left($1, $2, ' ')", "lpad($1, CAST($2 AS integer))", NULL,
     check_pad},
    {"lpad", "tIT", 't', STRICT, true, "dither_pad_left($*)", "lpad($1, CAST($2 AS integer), $3)", NULL,
     check_pad},
    {"rpad", "tI", 't', STRICT, true, "dither_pad_right($1, $2, ' ')", "rpad($1, CAST($2 AS integer))", NULL,
     check_pad},
    {"rpad", "tIT", 't', STRICT, true, "dither_pad_right($*)", "rpad($1, CAST($2 AS integer), $3)", NULL,
     check_pad},
    {"repeat", "tI", 't', STRICT, true, "dither_repeat($1, $2)", "repeat($1, CAST($2 AS integer))", NULL,
     check_pad},
    {"like", "tT", 'b', STRICT, false, "dither_like($1, $2)", "($1 LIKE $2)", NULL, check_pattern},
    {"not like", "tT", 'b', STRICT, false, "(NOT dither_like($1, $2))", "($1 NOT LIKE $2)", NULL,
     check_pattern},
    {"ilike", "tT", 'b', STRICT, false, "dither_like(dither_lower($1), dither_lower($2))",
     "($1 COLLATE \"C\" ILIKE $2)", NULL, check_pattern},
    {"not ilike", "tT", 'b', STRICT, false, "(NOT dither_like(dither_lower($1), dither_lower($2)))",
     "($1 COLLATE \"C\" NOT ILIKE $2)", NULL, check_pattern},
    {0},
};
