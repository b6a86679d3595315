/* The forms of an answer, made by hand: JSON as DESIGN section 7 has it, CSV, and the table, character by character;
 * values as PostgreSQL writes them; and text that would command a terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curator/format.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

#define INTEGER(value)                                                                                       \
    {                                                                                                        \
        .type = SQL_INTEGER, .whole = (value)                                                                \
    }
#define TEXT(value)                                                                                          \
    {                                                                                                        \
        .type = SQL_TEXT, .text = (value)                                                                    \
    }

static struct curator_column columns[] = {
    {.name = "region", .type = SQL_TEXT},
    {.name = "n",
     .type = SQL_INTEGER,
     .noisy = true,
     .noise = {.mechanism = "geometric", .scale = 10, .grid = 1, .epsilon = 0.1}},
    {.name = "mean", .type = SQL_REAL, .noisy = true},
};
static const struct sql_value cells[] = {
    TEXT("north"), INTEGER(1042), {.type = SQL_REAL, .real = 36.25},
    TEXT("south"), INTEGER(377),  {.type = SQL_REAL, .null = true},
};
static const struct curator_interval intervals[] = {
    {0}, {true, 1012, 1072}, {true, 35.25, 37.25}, {0}, {true, 347, 407}, {0},
};

static struct curator_answer made(void)
{
    return (struct curator_answer){.columns = columns,
                                   .column_count = 3,
                                   .rows = {3, 2, cells},
                                   .intervals = intervals,
                                   .confidence = 0.95,
                                   .currency = LEDGER_APPROXIMATE,
                                   .cost = {.epsilon = decimal("0.1")},
                                   .remaining = {.epsilon = decimal("9.9"), .delta = decimal("1e-6")}};
}

typedef void (*writer)(const struct curator_answer *answer, struct buffer *out);

static void table(const struct curator_answer *answer, struct buffer *out)
{
    curator_answer_table(answer, false, out);
}

static void ascii_table(const struct curator_answer *answer, struct buffer *out)
{
    curator_answer_table(answer, true, out);
}

static void expect(writer write, const struct curator_answer *answer, const char *text)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    write(answer, &out);
    assert_int_equal(buffer_check(&out, NULL), DITHER_OK);
    assert_string_equal(out.data, text);
    buffer_free(&out);
}

static void json_is_that_of_the_design(void **state)
{
    (void)state;
    struct curator_answer answer = made();
    expect(curator_answer_json, &answer,
           "{\"columns\": [{\"name\": \"region\", \"type\": \"text\"}, "
           "{\"name\": \"n\", \"type\": \"bigint\", \"noise\": {\"mechanism\": \"geometric\", \"scale\": 10, "
           "\"grid\": 1, \"epsilon\": 0.1}}, "
           "{\"name\": \"mean\", \"type\": \"double precision\", \"noisy\": true}], "
           "\"rows\": [[\"north\", 1042, 36.25], [\"south\", 377, null]], "
           "\"intervals\": [[null, [1012, 1072], [35.25, 37.25]], [null, [347, 407], null]], "
           "\"confidence\": 0.95, "
           "\"cost\": {\"epsilon\": 0.1, \"delta\": 0, \"cached\": false}, "
           "\"remaining\": {\"epsilon\": 9.9, \"delta\": 0.000001}}\n");
}

static void csv_has_both_ends_behind_a_noisy_number(void **state)
{
    (void)state;
    struct curator_answer answer = made();
    expect(curator_answer_csv, &answer,
           "region,n,n_low,n_high,mean,mean_low,mean_high\n"
           "north,1042,1012,1072,36.25,35.25,37.25\n"
           "south,377,347,407,,,\n");
}

#define BAR  "\xE2\x94\x82"
#define FIVE "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
#define ONE  "\xE2\x94\x80"
#define PLUS "\xE2\x94\xBC"
#define SIGN "\xC2\xB1"

static void the_table_lines_numbers_up(void **state)
{
    (void)state;
    struct curator_answer answer = made();
    expect(ascii_table, &answer,
           " region |          n |        mean\n"
           "--------+------------+-------------\n"
           " north  | 1042 +- 30 | 36.2 +- 1.0\n"
           " south  |  377 +- 30 | NULL\n"
           "(2 rows; +- at 95% confidence; cost epsilon 0.1, delta 0; left epsilon 9.9, delta 0.000001)\n");
    expect(table, &answer,
           " region " BAR "         n " BAR
           "       mean\n" FIVE ONE ONE ONE PLUS FIVE FIVE ONE PLUS FIVE FIVE ONE ONE "\n"
           " north  " BAR " 1042 " SIGN " 30 " BAR " 36.2 " SIGN " 1.0\n"
           " south  " BAR "  377 " SIGN " 30 " BAR " NULL\n"
           "(2 rows; " SIGN
           " at 95% confidence; cost epsilon 0.1, delta 0; left epsilon 9.9, delta 0.000001)\n");
}

static void uneven_intervals_show_both_ends(void **state)
{
    (void)state;
    struct curator_answer answer = made();
    const struct sql_value cell[] = {{.type = SQL_REAL, .real = 3}};
    const struct curator_interval uneven[] = {{true, 2.5, 9}};
    answer.columns = &columns[2];
    answer.column_count = 1;
    answer.rows = (struct sql_rows){1, 1, cell};
    answer.intervals = uneven;
    answer.cached = true;
    expect(ascii_table, &answer,
           "             mean\n"
           "------------------\n"
           " 3.0 (2.5 to 9.0)\n"
           "(1 row; +- at 95% confidence; asked before, at no cost; left epsilon 9.9, delta 0.000001)\n");
}

static void text_cannot_command_a_terminal(void **state)
{
    (void)state;
    struct curator_answer answer = made();
    const struct sql_value cell[] = {TEXT("a\x1b[2J\n\xC2\x9B"
                                          "b\xC3\xA9")};
    const struct curator_interval none[] = {{0}};
    answer.columns = &columns[0];
    answer.column_count = 1;
    answer.rows = (struct sql_rows){1, 1, cell};
    answer.intervals = none;
    answer.cost = ledger_cost_zero();
    expect(ascii_table, &answer,
           " region\n"
           "-----------\n"
           " a.[2J..b\xC3\xA9\n"
           "(1 row; public, at no cost; left epsilon 9.9, delta 0.000001)\n");
}

static void expect_text_of(struct sql_value value, const char *text)
{
    struct buffer out;
    buffer_init(&out, 1000);
    format_value(&out, &value);
    assert_string_equal(out.data != NULL ? out.data : "", text);
    buffer_free(&out);
}

/* As PostgreSQL 15 writes them. */
static void values_are_written_as_postgresql_does(void **state)
{
    (void)state;
    expect_text_of((struct sql_value){.type = SQL_BOOLEAN, .whole = 1}, "true");
    expect_text_of((struct sql_value)INTEGER(INT64_MIN), "-9223372036854775808");
    expect_text_of((struct sql_value){.type = SQL_DECIMAL, .scale = 2, .whole = -5}, "-0.05");
    expect_text_of((struct sql_value){.type = SQL_DECIMAL, .scale = 0, .whole = 12}, "12");
    expect_text_of((struct sql_value){.type = SQL_DECIMAL, .scale = 18, .whole = INT64_MIN},
                   "-9.223372036854775808");
    expect_text_of((struct sql_value){.type = SQL_REAL, .real = 0.1}, "0.1");
    expect_text_of((struct sql_value){.type = SQL_REAL, .real = -INFINITY}, "-Infinity");
    expect_text_of((struct sql_value){.type = SQL_DATE, .whole = 19782}, "2024-02-29");
    expect_text_of((struct sql_value){.type = SQL_DATE, .whole = -719162}, "0001-01-01");
    expect_text_of((struct sql_value){.type = SQL_DATE, .whole = 2932896}, "9999-12-31");
    expect_text_of((struct sql_value){.type = SQL_TIMESTAMP, .whole = -1}, "1969-12-31 23:59:59.999999");
    expect_text_of((struct sql_value){.type = SQL_TIMESTAMP, .whole = INT64_C(1709209800500000)},
                   "2024-02-29 12:30:00.5");
    expect_text_of((struct sql_value){.type = SQL_INTERVAL, .months = 2, .days = 1, .whole = 3600000000},
                   "2 mons 1 day 01:00:00");
    expect_text_of((struct sql_value){.type = SQL_INTERVAL}, "00:00:00");
    expect_text_of((struct sql_value){.type = SQL_TEXT, .null = true}, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_that_of_the_design),
        cmocka_unit_test(csv_has_both_ends_behind_a_noisy_number),
        cmocka_unit_test(the_table_lines_numbers_up),
        cmocka_unit_test(uneven_intervals_show_both_ends),
        cmocka_unit_test(text_cannot_command_a_terminal),
        cmocka_unit_test(values_are_written_as_postgresql_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
