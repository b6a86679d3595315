/* Options from a table: every way to write them, every way to get them wrong, and the name that was meant. */
#include "tests/support/test.h"

#include <string.h>

#include "cli/cli.h"
#include "tests/support/capture.h"

struct settings {
    const char *text;
    enum cli_format format;
    bool loud;
};

static status parse(struct settings *settings, int *argc, char **argv, bool *help, error *why)
{
    const struct cli_option list[] = {
        {"text", "T", "a text", cli_read_text, &settings->text, "words", 0},
        {"format", "F", "a format", cli_read_format, &settings->format, NULL, 0},
        {"loud", NULL, "a switch", NULL, &settings->loud, NULL, 'l'},
    };
    return cli_parse((struct cli_options){list, 3}, argc, argv, help, why);
}

static void options_and_arguments_mix(void **state)
{
    (void)state;
    char *argv[] = {"one", "--text", "hello", "-5", "--format=json", "-l", "-.5", "-", "--", "--text", NULL};
    int argc = 10;
    struct settings settings = {0};
    bool help = false;
    error why;
    assert_int_equal(parse(&settings, &argc, argv, &help, &why), DITHER_OK);
    assert_string_equal(settings.text, "hello");
    assert_int_equal(settings.format, CLI_JSON);
    assert_true(settings.loud);
    assert_false(help);
    assert_int_equal(argc, 5);
    const char *const left[] = {"one", "-5", "-.5", "-", "--text"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(argv[i], left[i]);
}

static void an_alias_and_an_empty_value_work(void **state)
{
    (void)state;
    char *argv[] = {"--words=", NULL};
    int argc = 1;
    struct settings settings = {0};
    bool help = false;
    assert_int_equal(parse(&settings, &argc, argv, &help, NULL), DITHER_OK);
    assert_string_equal(settings.text, "");
}

static void wrong_options_are_named(void **state)
{
    (void)state;
    const struct {
        const char *first, *second, *message;
    } cases[] = {
        {"--txet", "x", "there is no option --txet; did you mean --text?"},
        {"--frobnicate", "x", "there is no option --frobnicate"},
        {"-x", NULL, "there is no option -x"},
        {"-lx", NULL, "there is no option -lx"},
        {"--text", NULL, "--text needs a value (T)"},
        {"--loud=yes", NULL, "--loud takes no value"},
        {"--format", "xml", "--format must be table, csv or json"},
        {"--", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char first[32], second[8] = "";
        strcpy(first, cases[i].first);
        if (cases[i].second != NULL)
            strcpy(second, cases[i].second);
        char *argv[] = {first, cases[i].second != NULL ? second : NULL, NULL};
        int argc = cases[i].second != NULL ? 2 : 1;
        struct settings settings = {0};
        bool help = false;
        error why = {.message = ""};
        status result = parse(&settings, &argc, argv, &help, &why);
        assert_int_equal(result, cases[i].message != NULL ? DITHER_INVALID : DITHER_OK);
        assert_string_equal(why.message, cases[i].message != NULL ? cases[i].message : "");
    }
}

static void help_wins_over_mistakes(void **state)
{
    (void)state;
    char *argv[] = {"name", "--frobnicate", "-h", NULL};
    int argc = 3;
    struct settings settings = {0};
    bool help = false;
    assert_int_equal(parse(&settings, &argc, argv, &help, NULL), DITHER_OK);
    assert_true(help);
    assert_int_equal(argc, 1);
    assert_string_equal(argv[0], "name");
}

static void the_program_names_the_command_that_was_meant(void **state)
{
    (void)state;
    struct capture capture;
    char *argv[] = {"dither", "mechansim", NULL};
    capture_begin(&capture);
    int result = cli_run(2, argv);
    capture_end(&capture);
    assert_int_equal(result, CLI_USAGE);
    assert_string_equal(capture.out, "");
    assert_string_equal(
        capture.err,
        "dither: there is no command \"mechansim\"; did you mean \"mechanism\"? (see `dither --help`)\n");
}

static const char *word(size_t index, const void *context)
{
    const char *const *words = context;
    return words[index];
}

static void the_nearest_name_is_near(void **state)
{
    (void)state;
    const char *const words[] = {"geometric", "laplace", "gaussian", NULL};
    assert_string_equal(cli_nearest("laplcae", word, words), "laplace");
    assert_string_equal(cli_nearest("gausian", word, words), "gaussian");
    assert_string_equal(cli_nearest("gometric", word, words), "geometric");
    assert_null(cli_nearest("zzz", word, words));
    assert_null(cli_nearest("", word, words));
    char longest[200];
    memset(longest, 'g', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(cli_nearest(longest, word, words));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_arguments_mix),
        cmocka_unit_test(an_alias_and_an_empty_value_work),
        cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(help_wins_over_mistakes),
        cmocka_unit_test(the_program_names_the_command_that_was_meant),
        cmocka_unit_test(the_nearest_name_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
