/* What is printed: tables line up, steps of a power of two are exact (checked with MPFR), options that were
 * read print as they were typed. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include <mpfr.h>

#include "base/memory.h"
#include "cli/mechanism_options.h"
#include "cli/steps.h"
#include "cli/table.h"
#include "tests/support/arguments.h"

static void fill(struct table *table, bool exact)
{
    table_text_column(table, "key");
    table_number_column(table, "answer");
    table_text_column(table, "note");
    const struct {
        const char *key;
        double number;
        const char *note;
    } rows[] = {{"a", 12.25, "first"},
                {"gr\xC3\xBC\xC3\x9F"
                 "e",
                 -3, "a, b"},
                {"c", 1000.5, ""},
                {"d", NAN, "none"}};
    for (size_t i = 0; i < 4; i++) {
        table_text(table, rows[i].key);
        (exact ? table_exact_number : table_number)(table, rows[i].number);
        table_text(table, rows[i].note);
    }
}

static void numbers_line_up_by_their_points(void **state)
{
    (void)state;
    struct table table;
    struct buffer out;
    table_init(&table);
    buffer_init(&out, 10000);
    fill(&table, false);
    assert_int_equal(table_print(&table, CLI_TABLE, &out, NULL), DITHER_OK);
    assert_string_equal(out.data, "key     answer  note\n"
                                  "a        12.25  first\n"
                                  "gr\xC3\xBC\xC3\x9F"
                                  "e    -3     a, b\n"
                                  "c      1000.5   \n"
                                  "d         -     none\n");
    buffer_free(&out);
    table_free(&table);
}

static void csv_is_quoted_and_leaves_nothing_for_nan(void **state)
{
    (void)state;
    struct table table;
    struct buffer out;
    table_init(&table);
    buffer_init(&out, 10000);
    fill(&table, true);
    assert_int_equal(table_print(&table, CLI_CSV, &out, NULL), DITHER_OK);
    assert_string_equal(out.data, "key,answer,note\n"
                                  "a,12.25,first\n"
                                  "gr\xC3\xBC\xC3\x9F"
                                  "e,-3,\"a, b\"\n"
                                  "c,1000.5,\"\"\n"
                                  "d,,none\n");
    buffer_free(&out);
    table_free(&table);
}

static void a_table_without_memory_says_so(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 2; n++) {
        struct table table;
        struct buffer out;
        table_init(&table);
        buffer_init(&out, 10000);
        memory_fail_at(n);
        fill(&table, false);
        memory_fail_at(0);
        assert_int_equal(table_print(&table, CLI_TABLE, &out, NULL), DITHER_NO_MEMORY);
        buffer_free(&out);
        table_free(&table);
    }
}

/* count * 2^exponent in full, by MPFR at a precision that holds it exactly. */
static void expect_steps(int64_t count, int exponent)
{
    char printed[STEPS_TEXT + 1], expected[400];
    size_t length = steps_print(count, exponent, printed);
    assert_true(length < STEPS_TEXT);
    printed[length] = '\0';
    mpfr_t exact;
    mpfr_init2(exact, 200);
    mpfr_set_sj(exact, count, MPFR_RNDN);
    mpfr_mul_2si(exact, exact, exponent, MPFR_RNDN);
    mpfr_snprintf(expected, sizeof expected, "%.*RNf", -exponent, exact);
    mpfr_clear(exact);
    if (strchr(expected, '.') != NULL) {
        size_t end = strlen(expected);
        while (expected[end - 1] == '0')
            expected[--end] = '\0';
        if (expected[end - 1] == '.')
            expected[end - 1] = '\0';
    }
    assert_string_equal(printed, expected);
}

static void steps_are_printed_in_full(void **state)
{
    (void)state;
    const int64_t counts[] = {
        0, 1, -1, 2, 3, -1000, 65535, 65536, 123456789, -987654321012345678, INT64_MAX, INT64_MIN};
    for (int exponent = -38; exponent <= 0; exponent++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            expect_steps(counts[i], exponent);
    char text[STEPS_TEXT];
    assert_int_equal(steps_print(3, 4, text), 2);
    assert_memory_equal(text, "48", 2);
    assert_int_equal(steps_print(1, -60, text), strlen("8.673617379884035e-19"));
    assert_memory_equal(text, "8.673617379884035e-19", 21);
}

static void a_grid_is_a_power_of_two(void **state)
{
    (void)state;
    double grid = 0;
    const struct {
        const char *text;
        double value;
    } good[] = {{"1", 1},       {"0.125", 0.125}, {"2^-3", 0.125},
                {"2^10", 1024}, {"4", 4},         {"0.000030517578125", 0x1p-15}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(steps_read_grid(good[i].text, &grid, NULL), DITHER_OK);
        assert_true(grid == good[i].value);
    }
    const char *const bad[] = {"0.1",   "3",      "-1",      "0",     "2^", "2^x",
                               "2^0.5", "2^9999", "2^-5000", "1e400", "",   "nan"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(steps_read_grid(bad[i], &grid, NULL), DITHER_INVALID);
}

/* Reads one flag; the message is the whole of what a user sees. */
static status read_flag(struct mechanism_options *options, const char *name, const char *value, error *why)
{
    struct cli_option list[MECHANISM_OPTION_COUNT];
    size_t count = mechanism_options_list(options, NULL, list);
    struct arguments arguments;
    arguments_init(&arguments, (const char *const[]){name, value, NULL});
    bool help = false;
    return cli_parse((struct cli_options){list, count}, &arguments.count, arguments.list, &help, why);
}

static void decimals_are_rounded_against_ourselves(void **state)
{
    (void)state;
    struct mechanism_options options;
    mechanism_options_init(&options);
    assert_false(options.any);
    assert_int_equal(read_flag(&options, "--epsilon", "0.1", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--delta", "1e-6", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--sensitivity", "0.3", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--range", "-0.1:0.3", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--buckets", "-1,0.5,2e3", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--categories", "2,3", NULL), DITHER_OK);
    assert_int_equal(read_flag(&options, "--min-size", "1e6", NULL), DITHER_OK);
    assert_true(options.any);
    assert_true(options.options.epsilon == 0x1.9999999999999p-4);     /* the double below 0.1 */
    assert_true(options.options.sensitivity == 0x1.3333333333334p-2); /* the double above 0.3 */
    assert_true(options.options.range.lower == -0x1.999999999999ap-4);
    assert_true(options.options.range.upper == 0x1.3333333333334p-2);
    assert_true(options.options.edge_count == 3 && options.options.edges[2] == 2000);
    assert_true(options.options.column_count == 2 && options.options.categories[1] == 3);
    assert_true(options.options.min_size == 1000000);
    mechanism_options_free(&options);
}

static void wrong_values_are_explained(void **state)
{
    (void)state;
    const struct {
        const char *name, *value, *message;
    } cases[] = {
        {"--epsilon", "0", "--epsilon must be above 0"},
        {"--epsilon", "-1", "--epsilon must be above 0"},
        {"--epsilon", "nan", "--epsilon is not a number"},
        {"--epsilon", "inf", "--epsilon is not a number"},
        {"--epsilon", "1e-400", "--epsilon is too close to zero"},
        {"--epsilon", "1e400", "--epsilon is too large"},
        {"--rho", "0", "--rho must be above 0"},
        {"--sensitivity", "0", "--sensitivity must be above 0"},
        {"--group", "0", "--group must be at least 1"},
        {"--group", "1.5", "--group is not a whole number that is zero or more"},
        {"--min-size", "-5", "--min-size is not a whole number that is zero or more"},
        {"--range", "5", "--range must be two numbers with a colon between them, such as 0:100"},
        {"--range", "a:b", "--range must be two numbers with a colon between them, such as 0:100"},
        {"--range", "1:2:3", "--range must be two numbers with a colon between them, such as 0:100"},
        {"--range", "2:1", "--range must go from a smaller to a larger number"},
        {"--output", "0:0", "--output must go from a smaller to a larger number"},
        {"--edges", "1,,2", "--edges must be numbers with commas between them, such as 0,10,20"},
        {"--categories", "2,0", "--categories must be whole numbers with commas between them, such as 2,2,5"},
        {"--grid", "0.3", "--grid must be a power of two, such as 0.125 or 2^-3"},
        {"--ways", "1e12", "--ways is too large"},
    };
    struct mechanism_options options;
    mechanism_options_init(&options);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        error why = {.message = ""};
        assert_int_equal(read_flag(&options, cases[i].name, cases[i].value, &why), DITHER_INVALID);
        assert_string_equal(why.message, cases[i].message);
    }
    assert_false(options.any);
    mechanism_options_free(&options);
}

static void options_print_as_they_would_be_typed(void **state)
{
    (void)state;
    const double edges[] = {0, 0.5, 10};
    const uint32_t categories[] = {2, 4};
    const dither_options options = {.epsilon = 0.5,
                                    .delta = 1e-6,
                                    .group = 3,
                                    .range = {-1, 2.5},
                                    .edges = edges,
                                    .edge_count = 3,
                                    .categories = categories,
                                    .column_count = 2,
                                    .ways = 1};
    struct buffer out;
    buffer_init(&out, 1000);
    mechanism_options_print(&options, &out);
    assert_string_equal(out.data, " --epsilon 0.5 --delta 1e-06 --group 3 --range -1:2.5 --edges 0,0.5,10"
                                  " --categories 2,4 --ways 1");
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_line_up_by_their_points),
        cmocka_unit_test(csv_is_quoted_and_leaves_nothing_for_nan),
        cmocka_unit_test(a_table_without_memory_says_so),
        cmocka_unit_test(steps_are_printed_in_full),
        cmocka_unit_test(a_grid_is_a_power_of_two),
        cmocka_unit_test(decimals_are_rounded_against_ourselves),
        cmocka_unit_test(wrong_values_are_explained),
        cmocka_unit_test(options_print_as_they_would_be_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
