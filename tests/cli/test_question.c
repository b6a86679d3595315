/* What `ask` and `explain` share: where the text of a question comes from, what its options accept, and the caret below the
 * place of an error. The expected lines are written out by hand. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/question.h"
#include "tests/support/arguments.h"
#include "tests/support/capture.h"

static struct arguments arguments;
static struct capture capture;

/* Parses options and arguments, up to a NULL. */
static status take(struct question *question, const char *const *texts, error *why)
{
    struct cli_option list[QUESTION_OPTIONS];
    bool help = false;
    question_init(question);
    question_options(question, list);
    arguments_init(&arguments, texts);
    status result =
        cli_parse((struct cli_options){list, QUESTION_OPTIONS}, &arguments.count, arguments.list, &help, why);
    if (result == DITHER_OK)
        result = question_arguments(question, "ask", arguments.count, arguments.list, why);
    return result;
}

static void all_settings_arrive(void **state)
{
    (void)state;
    const char *const texts[] = {
        "p.yaml",         "--epsilon=0.5", "--delta=1e-9",  "SELECT 1", "--error=5%",
        "--size=1e4",     "--analyst=bob", "--request=r7",  "--other",  "--non-negative",
        "--max-groups=2", "--max-rows=3",  "--format=json", NULL};
    struct question question;
    error why;
    assert_int_equal(take(&question, texts, &why), DITHER_OK);
    const struct curator_question *request = &question.request;
    char text[DECIMAL_TEXT];
    decimal_print(request->settings.epsilon, text);
    assert_string_equal(text, "0.5");
    decimal_print(request->settings.delta, text);
    assert_string_equal(text, "0.000000001");
    assert_true(decimal_is_zero(request->settings.rho));
    assert_string_equal(question.policy, "p.yaml");
    assert_string_equal(request->text, "SELECT 1");
    assert_string_equal(request->error_wanted, "5%");
    assert_true(request->declared_size == 1e4);
    assert_string_equal(request->analyst, "bob");
    assert_string_equal(request->request, "r7");
    assert_true(request->settings.other && request->settings.non_negative);
    assert_int_equal(request->settings.max_groups, 2);
    assert_int_equal(request->settings.max_rows, 3);
    assert_int_equal(question.format, CLI_JSON);
    question_free(&question);
}

static void wrong_usage_is_said_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *texts[5], *says;
    } cases[] = {
        {{NULL}, "ask needs a policy and a question"},
        {{"p.yaml", NULL}, "what is the question?"},
        {{"p.yaml", "SELECT", "1", NULL}, "one question at a time"},
        {{"p.yaml", "SELECT 1", "--file", "q.sql", NULL}, "given twice"},
        {{"p.yaml", "q", "--epsilon", "0", NULL}, "--epsilon must be above 0"},
        {{"p.yaml", "q", "--epsilon", "-1", NULL}, "--epsilon"},
        {{"p.yaml", "q", "--epsilon", "nan", NULL}, "--epsilon"},
        {{"p.yaml", "q", "--epsilon", "1e99", NULL}, "--epsilon"},
        {{"p.yaml", "q", "--delta", "1", NULL}, "--delta must be below 1"},
        {{"p.yaml", "q", "--error", "0", NULL}, "--error must be above 0"},
        {{"p.yaml", "q", "--error", "%", NULL}, "--error"},
        {{"p.yaml", "q", "--error", "5%%", NULL}, "--error"},
        {{"p.yaml", "q", "--size", "0.5", NULL}, "--size must be at least 1"},
        {{"p.yaml", "q", "--max-rows", "0", NULL}, "--max-rows must be between 1 and"},
        {{"p.yaml", "q", "--max-groups", "1e10", NULL}, "--max-groups must be between 1 and"},
        {{"p.yaml", "q", "--epsilom", "1", NULL}, "did you mean --epsilon?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct question question;
        error why = {.message = ""};
        assert_int_equal(take(&question, cases[i].texts, &why), DITHER_INVALID);
        if (strstr(why.message, cases[i].says) == NULL)
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, why.message, cases[i].says);
        question_free(&question);
    }
}

/* Reads a question from a file with these bytes. */
static status read_bytes(struct question *question, const void *bytes, size_t count, error *why)
{
    char path[] = "/tmp/dither-question-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, count), (ssize_t)count);
    close(descriptor);
    const char *const texts[] = {"p.yaml", "--file", path, NULL};
    assert_int_equal(take(question, texts, why), DITHER_OK);
    status result = question_read(question, why);
    unlink(path);
    return result;
}

static void a_question_comes_from_a_file(void **state)
{
    (void)state;
    struct question question;
    error why;
    assert_int_equal(read_bytes(&question, "SELECT 1\n", 9, &why), DITHER_OK);
    assert_string_equal(question.request.text, "SELECT 1\n");
    question_free(&question);
    assert_int_equal(read_bytes(&question, "", 0, &why), DITHER_OK);
    assert_string_equal(question.request.text, "");
    question_free(&question);
    assert_int_equal(read_bytes(&question, "SELECT\0 1", 9, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "a NUL byte"));
    question_free(&question);
}

/* What is too long is handed on one byte longer than allowed, for the parser to refuse. */
static void a_huge_file_is_not_read_whole(void **state)
{
    (void)state;
    size_t count = 4 * SQL_TEXT_BYTES;
    char *bytes = malloc(count);
    memset(bytes, 'x', count);
    struct question question;
    error why;
    assert_int_equal(read_bytes(&question, bytes, count, &why), DITHER_OK);
    assert_int_equal(strlen(question.request.text), SQL_TEXT_BYTES + 1);
    question_free(&question);
    free(bytes);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    const char *const texts[] = {"p.yaml", "--file", "/nowhere/q.sql", NULL};
    struct question question;
    error why;
    assert_int_equal(take(&question, texts, &why), DITHER_OK);
    assert_int_equal(question_read(&question, &why), DITHER_IO);
    assert_string_equal(why.message, "/nowhere/q.sql: No such file or directory");
    question_free(&question);
}

/* What stderr gets for a refusal at this character of the text. */
static const char *shown(const char *text, int position)
{
    struct question question;
    error why = {.status = DITHER_REFUSED, .position = position, .message = "no"};
    question_init(&question);
    question.request.text = text;
    capture_begin(&capture);
    int code = question_failed(&question, &why);
    capture_end(&capture);
    assert_int_equal(code, CLI_FAILED);
    question_free(&question);
    return capture.err;
}

static void the_caret_stands_below_the_place(void **state)
{
    (void)state;
    assert_string_equal(shown("SELECT agee FROM t", 7), "dither: no\n"
                                                        "  line 1: SELECT agee FROM t\n"
                                                        "                 ^\n");
    assert_string_equal(shown("SELECT 1\n\tFROM t", 10), "dither: no\n"
                                                         "  line 2:  FROM t\n"
                                                         "           ^\n");
    assert_string_equal(shown("SELECT 1", 8), "dither: no\n"
                                              "  line 1: SELECT 1\n"
                                              "                  ^\n");
    /* positions count characters; these two have two bytes each */
    assert_string_equal(shown("'\xc3\xa9\xc3\xa9' x", 5), "dither: no\n"
                                                          "  line 1: '\xc3\xa9\xc3\xa9' x\n"
                                                          "               ^\n");
    assert_string_equal(shown("SELECT \x1b[31m1", 0), "dither: no\n"
                                                      "  line 1: SELECT  [31m1\n"
                                                      "          ^\n");
    assert_string_equal(shown("SELECT 1", -1), "dither: no\n");
    assert_string_equal(shown("SELECT 1", 9), "dither: no\n");
    assert_string_equal(shown("", 0), "dither: no\n"
                                      "  line 1: \n"
                                      "          ^\n");
}

/* Sixty characters before the place and forty behind it are enough. */
static void a_long_line_is_cut_around_the_place(void **state)
{
    (void)state;
    char text[301], expected[400];
    memset(text, 'a', 300);
    text[300] = '\0';
    text[150] = 'X';
    snprintf(expected, sizeof expected, "dither: no\n  line 1: ...%.60sX%.39s...\n%73s^\n", text, text, "");
    assert_string_equal(shown(text, 150), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_settings_arrive),
        cmocka_unit_test(wrong_usage_is_said_in_one_line),
        cmocka_unit_test(a_question_comes_from_a_file),
        cmocka_unit_test(a_huge_file_is_not_read_whole),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(the_caret_stands_below_the_place),
        cmocka_unit_test(a_long_line_is_cut_around_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
