/* Options from a table: every way to write them, every way to get them wrong, and the name that was meant. */
#include "tests/support/test.h"

#include <string.h>

#include "base/nearest.h"
#include "cli/cli.h"
#include "tests/support/arguments.h"
#include "tests/support/capture.h"

struct settings {
    const char *text;
    enum cli_format format;
    bool loud;
};

static struct arguments arguments;

/* Parses the texts, up to a NULL; what is left stays in `arguments`. */
static status parse(struct settings *settings, const char *const *texts, bool *help, error *why)
{
    const struct cli_option list[] = {
        {"text", "T", "a text", cli_read_text, &settings->text, "words", 0},
        {"format", "F", "a format", cli_read_format, &settings->format, NULL, 0},
        {"loud", NULL, "a switch", NULL, &settings->loud, NULL, 'l'},
    };
    arguments_init(&arguments, texts);
    return cli_parse((struct cli_options){list, 3}, &arguments.count, arguments.list, help, why);
}

static void options_and_arguments_mix(void **state)
{
    (void)state;
    const char *const texts[] = {"one", "--text", "hello",  "-5", "--format=json", "-l", "-.5",
                                 "-",   "--",     "--text", NULL};
    struct settings settings = {0};
    bool help = false;
    error why;
    assert_int_equal(parse(&settings, texts, &help, &why), DITHER_OK);
    assert_string_equal(settings.text, "hello");
    assert_int_equal(settings.format, CLI_JSON);
    assert_true(settings.loud);
    assert_false(help);
    assert_int_equal(arguments.count, 5);
    const char *const left[] = {"one", "-5", "-.5", "-", "--text"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(arguments.list[i], left[i]);
}

static void an_alias_and_an_empty_value_work(void **state)
{
    (void)state;
    const char *const texts[] = {"--words=", NULL};
    struct settings settings = {0};
    bool help = false;
    assert_int_equal(parse(&settings, texts, &help, NULL), DITHER_OK);
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
        const char *const texts[] = {cases[i].first, cases[i].second, NULL};
        struct settings settings = {0};
        bool help = false;
        error why = {.message = ""};
        status result = parse(&settings, texts, &help, &why);
        assert_int_equal(result, cases[i].message != NULL ? DITHER_INVALID : DITHER_OK);
        assert_string_equal(why.message, cases[i].message != NULL ? cases[i].message : "");
    }
}

static void help_wins_over_mistakes(void **state)
{
    (void)state;
    const char *const texts[] = {"name", "--frobnicate", "-h", NULL};
    struct settings settings = {0};
    bool help = false;
    assert_int_equal(parse(&settings, texts, &help, NULL), DITHER_OK);
    assert_true(help);
    assert_int_equal(arguments.count, 1);
    assert_string_equal(arguments.list[0], "name");
}

static void the_program_names_the_command_that_was_meant(void **state)
{
    (void)state;
    struct capture capture;
    arguments_init(&arguments, (const char *const[]){"dither", "mechansim", NULL});
    capture_begin(&capture);
    int result = cli_run(arguments.count, arguments.list);
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
    assert_string_equal(nearest_name("laplcae", word, words), "laplace");
    assert_string_equal(nearest_name("gausian", word, words), "gaussian");
    assert_string_equal(nearest_name("gometric", word, words), "geometric");
    assert_null(nearest_name("zzz", word, words));
    assert_null(nearest_name("", word, words));
    char longest[200];
    memset(longest, 'g', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(nearest_name(longest, word, words));
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
