/* Values from the command line and from files: what is a header, which column is meant, how keys are counted;
 * and that no message repeats a value. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/values.h"
#include "tests/support/arguments.h"

/* A file with this text, gone at the end of the test. */
struct sample {
    char path[32];
};

static struct sample sample_new(const char *text)
{
    struct sample sample = {"/tmp/dither-values-XXXXXX"};
    int descriptor = mkstemp(sample.path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    return sample;
}

static status read_text(const char *text, struct values_request request, struct values *values, error *why)
{
    struct sample sample = sample_new(text);
    char *argv[] = {sample.path, NULL};
    values_init(values);
    status result = values_read(values, &request, 1, argv, why);
    unlink(sample.path);
    return result;
}

static void expect_numbers(const char *text, struct values_request request, const double *expected,
                           size_t count)
{
    struct values values;
    error why;
    if (read_text(text, request, &values, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_int_equal(values.count, count);
    for (size_t i = 0; i < count; i++)
        assert_true(values.numbers[i] == expected[i]);
    values_free(&values);
}

static void a_file_of_numbers_with_and_without_header(void **state)
{
    (void)state;
    const double two[] = {1.5, -2};
    expect_numbers("1.5\n-2\n", (struct values_request){.shape = SHAPE_RECORDS}, two, 2);
    expect_numbers("salary\n1.5\n-2\n", (struct values_request){.shape = SHAPE_RECORDS}, two, 2);
    expect_numbers("99\n1.5\n-2\n", (struct values_request){.shape = SHAPE_RECORDS, .header = true}, two, 2);
    expect_numbers("a,b\nx,1.5\ny,-2\n", (struct values_request){.shape = SHAPE_RECORDS, .column = "b"}, two,
                   2);
    expect_numbers("", (struct values_request){.shape = SHAPE_RECORDS}, NULL, 0);
    const double table[] = {0, 1, 1, 0};
    expect_numbers("D1,D2\n0,1\n1,0\n", (struct values_request){.shape = SHAPE_TABLE, .table_columns = 2},
                   table, 4);
}

static void expect_refusal(const char *text, struct values_request request, const char *message)
{
    struct values values;
    error why = {.message = ""};
    assert_int_not_equal(read_text(text, request, &values, &why), DITHER_OK);
    if (strstr(why.message, message) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, message);
    assert_null(strstr(why.message, "secret"));
    assert_null(strstr(why.message, "4711"));
    values_free(&values);
}

static void what_is_no_number_is_refused_by_its_line(void **state)
{
    (void)state;
    const struct values_request records = {.shape = SHAPE_RECORDS};
    expect_refusal("1\nsecret\n3\n", records, "line 2: the value is not a number");
    expect_refusal("1\n4711x\n", records, "line 2: the value is not a number");
    expect_refusal("NaN\n1\n", records,
                   "line 1: the value is not a number"); /* no header, though no number */
    expect_refusal("\n1\n", records, "line 1: the value is not a number");
    expect_refusal("1\n1e999\n", records, "line 2: the value is too large");
    expect_refusal("secret\n1\n", (struct values_request){.shape = SHAPE_RECORDS, .no_header = true},
                   "line 1");
    expect_refusal("1,4711\n", records, "has 2 columns; choose one with --column NAME");
    expect_refusal("a,b\n1,2\n", (struct values_request){.shape = SHAPE_RECORDS, .column = "c"},
                   "has no column named \"c\"");
    expect_refusal("a,a\n1,2\n", (struct values_request){.shape = SHAPE_RECORDS, .column = "a"},
                   "has more than one column named \"a\"");
    expect_refusal("0,1,0\n", (struct values_request){.shape = SHAPE_TABLE, .table_columns = 2},
                   "has 3 columns, but --categories names 2");
}

static void keys_are_counted_and_sorted(void **state)
{
    (void)state;
    struct values values;
    assert_int_equal(read_text("Vim\nEmacs\nVim\n\"a,b\"\nVim\n12\n",
                               (struct values_request){.shape = SHAPE_COUNTS}, &values, NULL),
                     DITHER_OK);
    const char *const keys[] = {"12", "Emacs", "Vim", "a,b"};
    const double counts[] = {1, 1, 3, 1};
    assert_true(values.keyed);
    assert_int_equal(values.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(values.keys.list[i].text, keys[i]);
        assert_true(values.numbers[i] == counts[i]);
    }
    values_free(&values);
}

static void many_keys_are_all_kept(void **state)
{
    (void)state;
    struct tally tally;
    tally_init(&tally);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 20000; i++) {
            char text[16];
            int length = snprintf(text, sizeof text, "key%d", i);
            for (int j = 0; j <= i % 2; j++)
                assert_int_equal(tally_add(&tally, text, (size_t)length, NULL), DITHER_OK);
        }
    tally_sort(&tally);
    assert_int_equal(tally.count, 20000);
    for (size_t i = 0; i < tally.count; i++) {
        assert_int_equal(tally.list[i].count, 3 + 3 * (strtol(tally.list[i].text + 3, NULL, 10) % 2));
        assert_true(i == 0 || strcmp(tally.list[i - 1].text, tally.list[i].text) < 0);
    }
    tally_free(&tally);
}

static status read_arguments(struct values *values, const char *const *texts, error *why)
{
    struct arguments arguments;
    arguments_init(&arguments, texts);
    values_init(values);
    return values_read(values, &(struct values_request){.shape = SHAPE_NUMBERS}, arguments.count,
                       arguments.list, why);
}

static void numbers_on_the_command_line(void **state)
{
    (void)state;
    struct values values;
    error why;
    assert_int_equal(read_arguments(&values, (const char *const[]){"1", "-2.5", "1e3", NULL}, &why),
                     DITHER_OK);
    assert_true(values.count == 3 && values.numbers[1] == -2.5 && values.numbers[2] == 1000);
    values_free(&values);
    const struct {
        const char *texts[3];
        const char *message;
    } cases[] = {
        {{"1", "secret"}, "value 2 is not a number"},
        {{"1e999"}, "value 1 is too large"},
        {{"nan"}, "value 1 is not a number"},
        {{NULL}, "no values: give numbers, a file, or - for standard input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read_arguments(&values, cases[i].texts, &why), DITHER_INVALID);
        assert_string_equal(why.message, cases[i].message);
        values_free(&values);
    }
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        struct values values;
        memory_fail_at(n);
        status result =
            read_text("a\nb\na\nc\n", (struct values_request){.shape = SHAPE_COUNTS}, &values, NULL);
        int failed = memory_has_failed();
        memory_fail_at(0);
        values_free(&values);
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        if (!failed)
            break;
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_numbers_with_and_without_header),
        cmocka_unit_test(what_is_no_number_is_refused_by_its_line),
        cmocka_unit_test(keys_are_counted_and_sorted),
        cmocka_unit_test(many_keys_are_all_kept),
        cmocka_unit_test(numbers_on_the_command_line),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
