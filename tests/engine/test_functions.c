/* Every function of the list means what PostgreSQL means by it, and never fails.
 *
 * Each overload is called on all combinations of edge values: in DuckDB through our printer and our C functions, and in
 * a PostgreSQL server, which gets PostgreSQL's own spelling. The values must be equal; where PostgreSQL raises an
 * error, or leaves the years 1 to 9999, we must have NULL. The same for all casts. The tables of values are columns,
 * not literals, so that the vectors are used and nothing is folded away. */
#include <stdio.h>
#include <string.h>

#include "sql/function.h"
#include "tests/support/test.h"
#include "tests/support/trial.h"

enum { MOST_ARGUMENTS = TRIAL_ARGUMENTS };

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool has_postgres;
static size_t mismatches;

static int start(void **state)
{
    (void)state;
    has_postgres = trial_start();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    trial_stop();
    return 0;
}

/* ---- Functions ---- */

/* Constants to try for a T or an I of a function. */
static const char *const *constants_of(const struct sql_function *function, size_t index, size_t *count)
{
    static const char *const patterns[] = {"",      "%",  "_",   "a%",    "%c",  "%b%",    "a_c",
                                           "__",    "A%", "\\%", "a\\_c", "%%a", "%a%a%b", "\xe6\x97\xa5%",
                                           "a\\\\b"};
    static const char *const units[] = {"microseconds", "milliseconds", "second",    "minute",  "hour",
                                        "day",          "week",         "month",     "quarter", "year",
                                        "decade",       "century",      "millennium"};
    static const char *const formats[] = {
        "YYYY-MM-DD HH24:MI:SS", "YYYY-MM", "IYYY-IW", "Q", "DDD", "ID D", "YYYYMMDD", ""};
    static const char *const needles[] = {"", "a", "ab", "\xc3\xa4"};
    static const char *const fills[] = {"", "x", "ab\xc3\xbc"};
    static const char *const lengths[] = {"-1", "0", "1", "2", "5", "40"};
    if (sql_function_letter(function, index) == 'I')
        return *count = COUNT(lengths), lengths;
    if (strstr(function->name, "like") != NULL)
        return *count = COUNT(patterns), patterns;
    if (strcmp(function->name, "date_trunc") == 0)
        return *count = COUNT(units), units;
    if (strcmp(function->name, "to_char") == 0)
        return *count = COUNT(formats), formats;
    if (strcmp(function->name, "replace") == 0)
        return *count = COUNT(needles), needles;
    return *count = COUNT(fills), fills;
}

/* The function with these letters for its columns ('T', 'I': the constant at `pick`). */
static void try_function(const struct sql_function *function, const char *letters, size_t pick)
{
    struct trial trial;
    trial_init(&trial);
    const struct sql_expression *arguments[MOST_ARGUMENTS];
    size_t count = strlen(letters);
    for (size_t i = 0; i < count; i++) {
        if (letters[i] != 'T' && letters[i] != 'I') {
            arguments[i] = trial_column(&trial, letters[i]);
            continue;
        }
        size_t choices = 0;
        const char *const *constants = constants_of(function, i, &choices);
        arguments[i] =
            trial_constant(&trial, letters[i] == 'T' ? SQL_TEXT : SQL_INTEGER, constants[pick % choices]);
        pick /= choices;
    }
    error why;
    status code = sql_call(&trial.builder, function->name, arguments, count, -1, &trial.expression, &why);
    if (code != DITHER_OK)
        fail_msg("%s(%s): %s", function->name, letters, why.message);
    assert_ptr_equal(trial.expression->function, function);
    trial_spell(&trial, trial.expression);
    if (trial.expression->type ==
        SQL_INTERVAL) { /* compared by its length, of which the fields are tested below */
        const struct sql_expression *interval = trial.expression;
        assert_int_equal(sql_call(&trial.builder, "extract.epoch", &interval, 1, -1, &trial.expression, &why),
                         DITHER_OK);
        char whole[200];
        snprintf(whole, sizeof whole, "CAST(extract(epoch FROM %s) AS double precision)",
                 trial.postgres_text.data);
        buffer_clear(&trial.postgres_text);
        buffer_text(&trial.postgres_text, whole);
    }
    /* PostgreSQL has log(b, x) for numeric alone, with its own digits. */
    bool numeric = strcmp(function->name, "log") == 0 && count == 2;
    mismatches += trial_compare(&trial, function->name, numeric ? 1e-13 : 0);
    trial_free(&trial);
}

/* PostgreSQL takes this argument as a 32-bit integer. */
static bool is_narrow(const struct sql_function *function, size_t index)
{
    char text[40];
    snprintf(text, sizeof text, "CAST($%zu AS integer)", index + 1);
    return strstr(function->postgres, text) != NULL;
}

static size_t picks_of(const struct sql_function *function, const char *letters)
{
    size_t picks = 1;
    for (size_t i = 0; letters[i] != '\0'; i++) {
        size_t choices = 1;
        if (letters[i] == 'T' || letters[i] == 'I')
            constants_of(function, i, &choices);
        picks *= choices;
    }
    return picks;
}

/* Letters that stand for many types: all of one, then mixtures. */
static void try_many(const struct sql_function *function)
{
    static const char *const same = "birtdsn";
    /* Comparisons leave integers and decimals as they are; elsewhere a value that does not fit the common scale is
     * NULL, and so it is not asked for here. */
    static const char *const compared[] = {"in", "ni", "ir", "nr", "ds", "nm"};
    static const char *const chosen[] = {"jk", "kj", "jr", "kr", "ds", "km"};
    const char *const *mixtures = function->arguments[0] == 'c' ? compared : chosen;
    size_t count = strlen(function->arguments);
    if (function->arguments[count - 1] == '*')
        count = 3;
    bool as_text = strchr(function->arguments, 'x') != NULL;
    for (const char *type = same; *type != '\0'; type++) {
        char letters[MOST_ARGUMENTS + 1] = "";
        for (size_t i = 0; i < count; i++) {
            char letter = sql_function_letter(function, i);
            letters[i] = letter == 'b' || letter == 't' ? letter : *type;
        }
        bool plain = as_text && strstr(function->name, "||") != NULL && *type == 't';
        if (!plain && (strchr(function->arguments, 'b') == NULL || *type == 'b'))
            try_function(function, letters, 0);
    }
    for (size_t i = 0; count > 1 && !as_text && function->arguments[0] != 'b' && i < COUNT(chosen); i++) {
        char letters[MOST_ARGUMENTS + 1] = "";
        for (size_t j = 0; j < count; j++)
            letters[j] = mixtures[i][j % 2];
        try_function(function, letters, 0);
    }
}

static void every_function_means_what_postgresql_means(void **state)
{
    (void)state;
    if (!has_postgres)
        skip();
    mismatches = 0;
    const struct sql_function *function;
    for (size_t i = 0; (function = sql_function_at(i)) != NULL; i++) {
        if (strpbrk(function->arguments, "acx*") != NULL) {
            try_many(function);
            continue;
        }
        char letters[MOST_ARGUMENTS + 1] = "";
        size_t count = strlen(function->arguments);
        for (size_t j = 0; j < count; j++) {
            char letter = function->arguments[j];
            bool modest = strcmp(function->name, "width_bucket") == 0 && letter == 'r';
            letters[j] = letter == 'i' && is_narrow(function, j) ? 'j' : modest ? 'w' : letter;
        }
        size_t picks = picks_of(function, letters);
        for (size_t pick = 0; pick < picks; pick++)
            try_function(function, letters, pick);
    }
    assert_int_equal(mismatches, 0);
}

/* ---- Constants that have forms of their own ---- */

/* A moment and a constant interval: its parts are added one after the other, and none may lead outside the years. */
static void moments_move_by_constant_intervals_as_in_postgresql(void **state)
{
    (void)state;
    if (!has_postgres)
        skip();
    static const char *const intervals[] = {"1 month",
                                            "-1 month",
                                            "1 day",
                                            "-1 day",
                                            "36 hours",
                                            "-00:00:00.000001",
                                            "1 year 2 months 3 days 04:05:06.7",
                                            "-9000 years",
                                            "3652058 days",
                                            "3652059 days",
                                            "11 months -30 days",
                                            "87649415 hours",
                                            "-87649415 hours"};
    static const char *const operators[] = {"+", "-"};
    mismatches = 0;
    for (size_t i = 0; i < COUNT(intervals); i++) {
        for (size_t j = 0; j < 3; j++) { /* s + v, s - v, v + s */
            struct trial trial;
            trial_init(&trial);
            const struct sql_expression *moment = trial_column(&trial, 's');
            const struct sql_expression *interval = trial_constant(&trial, SQL_INTERVAL, intervals[i]);
            const struct sql_expression *arguments[] = {j < 2 ? moment : interval, j < 2 ? interval : moment};
            error why;
            assert_int_equal(
                sql_call(&trial.builder, operators[j % 2], arguments, 2, -1, &trial.expression, &why),
                DITHER_OK);
            buffer_format(&trial.postgres_text, "c0 %s CAST('%s' AS interval)", operators[j % 2],
                          intervals[i]);
            mismatches += trial_compare(&trial, "a constant interval", 0);
            trial_free(&trial);
        }
    }
    assert_int_equal(mismatches, 0);
}

/* ---- Casts ---- */

static void every_cast_means_what_postgresql_means(void **state)
{
    (void)state;
    if (!has_postgres)
        skip();
    static const char from[] = "binmrtfds";
    static const struct {
        enum sql_type type;
        int scale;
    } to[] = {{SQL_BOOLEAN, 0}, {SQL_INTEGER, 0}, {SQL_DECIMAL, 0}, {SQL_DECIMAL, 2},  {SQL_DECIMAL, 18},
              {SQL_REAL, 0},    {SQL_TEXT, 0},    {SQL_DATE, 0},    {SQL_TIMESTAMP, 0}};
    mismatches = 0;
    size_t tried = 0;
    for (const char *letter = from; *letter != '\0'; letter++) {
        for (size_t i = 0; i < COUNT(to); i++) {
            struct trial trial;
            trial_init(&trial);
            const struct sql_expression *column = trial_column(&trial, *letter);
            error why;
            char room[40];
            bool bare = sql_cast(&trial.builder, column, to[i].type, to[i].scale, -1, &trial.expression,
                                 &why) != DITHER_OK ||
                        trial.expression == column;
            if (!bare) {
                /* PostgreSQL has this cast for 32 bits only. */
                bool narrow = (column->type == SQL_BOOLEAN && to[i].type == SQL_INTEGER);
                const char *type = trial_type(to[i].type, to[i].scale, room);
                if (column->type == SQL_INTEGER && to[i].type == SQL_BOOLEAN)
                    buffer_text(&trial.postgres_text, "c0 <> 0");
                else
                    buffer_format(&trial.postgres_text, "CAST(%sc0%s AS %s)", narrow ? "CAST(" : "",
                                  narrow ? " AS integer)" : "", type);
                mismatches += trial_compare(&trial, "cast", 0);
                tried++;
            }
            trial_free(&trial);
        }
    }
    assert_true(tried > 40);
    assert_int_equal(mismatches, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_means_what_postgresql_means),
        cmocka_unit_test(moments_move_by_constant_intervals_as_in_postgresql),
        cmocka_unit_test(every_cast_means_what_postgresql_means),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
