/* The CSV reader takes what RFC 4180 allows, refuses everything else with its line and without a value, and
 * meets its limits. The corpus of malformed files is replayed whole and cut off at every byte. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/memory.h"
#include "tests/support/corpus.h"

/* Writes what was read in a form that shows it: fields in brackets, quoted ones marked, records by their
 * line. */
static status show(void *context, const struct csv_record *record, error *why)
{
    (void)why;
    struct buffer *shown = context;
    buffer_format(shown, "%d:", (int)record->line);
    for (size_t i = 0; i < record->count; i++) {
        assert_int_equal(strlen(record->fields[i].text), record->fields[i].length);
        buffer_format(shown, "%s[%s]", record->fields[i].quoted ? "q" : "", record->fields[i].text);
    }
    buffer_byte(shown, ' ');
    return DITHER_OK;
}

static const struct csv_options plain = {.name = "t.csv"};

static void expect_records(const char *text, const char *expected)
{
    struct buffer shown;
    error why;
    buffer_init(&shown, 1 << 20);
    buffer_text(&shown, "");
    if (csv_read_bytes(text, strlen(text), &plain, show, &shown, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_string_equal(shown.data != NULL ? shown.data : "", expected);
    buffer_free(&shown);
}

static void well_formed_text_is_read(void **state)
{
    (void)state;
    expect_records("", "");
    expect_records("a", "1:[a] ");
    expect_records("a,b\nc,d\n", "1:[a][b] 2:[c][d] ");
    expect_records("a,b\r\nc,d\r\n", "1:[a][b] 2:[c][d] ");
    expect_records("a,b\r\nc,d", "1:[a][b] 2:[c][d] ");
    expect_records(",\n,", "1:[][] 2:[][] ");
    expect_records("\n\n", "1:[] 2:[] ");
    expect_records("\"a\",\"\"\n,x", "1:q[a]q[] 2:[][x] ");
    expect_records("\"a,\"\"b\"\"\nc\",d\ne,f\n", "1:q[a,\"b\"\nc][d] 3:[e][f] ");
    expect_records("\"\"\"\"", "1:q[\"] ");
    expect_records("\"x\r\ny\"\r\nz\n", "1:q[x\r\ny] 3:[z] ");
    expect_records(" a , b ", "1:[ a ][ b ] ");
    expect_records("\xEF\xBB\xBF\"a\"\n", "1:q[a] ");
    expect_records("gr\xC3\xBC\xC3\x9F"
                   "e\n",
                   "1:[gr\xC3\xBC\xC3\x9F"
                   "e] ");
}

static void expect_refusal(const char *text, size_t count, const char *expected)
{
    struct buffer shown;
    error why = {.message = "accepted"};
    buffer_init(&shown, 1 << 20);
    assert_int_not_equal(csv_read_bytes(text, count, &plain, show, &shown, &why), DITHER_OK);
    assert_string_equal(why.message, expected);
    buffer_free(&shown);
}

static void malformed_text_is_refused_with_its_line(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"a\n\"b\n\nc", "t.csv: the quote of the record that begins in line 2 is never closed"},
        {"a\nb\"c\n", "t.csv, line 2: a quote inside a field that does not begin with one"},
        {"\"a\"b\n", "t.csv, line 1: text follows a closing quote"},
        {"\"a\" ,b\n", "t.csv, line 1: text follows a closing quote"},
        {"a\rb\n", "t.csv, line 1: a carriage return without a line feed"},
        {"a\n\"x\"\r", "t.csv, line 2: a carriage return without a line feed"},
        {"a,b\nc\n", "t.csv, line 2: 1 field, where the first line has 2"},
        {"a,b\n\"\n\n\",c\nd,e,f\n", "t.csv, line 5: 3 fields, where the first line has 2"},
        {"a,b\nc,d\n\n", "t.csv, line 3: 1 field, where the first line has 2"},
        {"a\n\xC3\n", "t.csv, line 2: the text is not UTF-8"},
        {"\xC0\x80\n", "t.csv, line 1: the text is not UTF-8"},
        {"\xED\xA0\x80\n", "t.csv, line 1: the text is not UTF-8"},
        {"\xF4\x90\x80\x80\n", "t.csv, line 1: the text is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refusal(cases[i].text, strlen(cases[i].text), cases[i].message);
    expect_refusal("a\nb\0c\n", 6, "t.csv, line 2: a NUL byte");
    expect_refusal("\"a\0\"\n", 5, "t.csv, line 1: a NUL byte");
}

static status count_records(void *context, const struct csv_record *record, error *why)
{
    (void)why;
    assert_int_equal(record->number, ++*(uint64_t *)context);
    return DITHER_OK;
}

static void the_limits_hold(void **state)
{
    (void)state;
    uint64_t records = 0;
    error why;
    struct csv_options options = {.name = "t.csv", .record_bytes = 8};
    assert_int_equal(csv_read_bytes("1234567\n123456789\n", 18, &options, count_records, &records, &why),
                     DITHER_INVALID);
    assert_string_equal(why.message, "t.csv, line 2: the record is longer than 8 bytes");
    records = 0;
    options = (struct csv_options){.name = "t.csv", .columns = 2};
    assert_int_equal(csv_read_bytes("a,b\n", 4, &options, count_records, &records, &why), DITHER_OK);
    records = 0;
    assert_int_equal(csv_read_bytes("a,b,c\n", 6, &options, count_records, &records, &why), DITHER_INVALID);
    assert_string_equal(why.message, "t.csv, line 1: more than 2 columns");
    options = (struct csv_options){.name = "t.csv", .file_bytes = 5};
    assert_int_equal(csv_read_bytes("a,b,c\n", 6, &options, count_records, &records, &why), DITHER_INVALID);
    assert_string_equal(why.message, "t.csv: larger than the 5 bytes that are allowed");
}

static void a_file_is_read_in_pieces_of_constant_size(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("\xEF\xBB\xBF", file);
    for (int i = 0; i < 50000; i++) /* quotes, CRLF and doubled quotes meet every border between pieces */
        fprintf(file, "%d,\"%d\"\"x\"\"\"\r\n", i, i);
    rewind(file);
    uint64_t records = 0;
    assert_int_equal(csv_read(file, &plain, count_records, &records, NULL), DITHER_OK);
    assert_int_equal(records, 50000);
    fclose(file);
}

static status stop(void *context, const struct csv_record *record, error *why)
{
    (void)context;
    return record->number == 2 ? fail(why, DITHER_REFUSED, "enough") : DITHER_OK;
}

static void the_receiver_can_end_the_reading(void **state)
{
    (void)state;
    error why;
    assert_int_equal(csv_read_bytes("a\nb\n\"", 5, &plain, stop, NULL, &why), DITHER_REFUSED);
    assert_string_equal(why.message, "enough");
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    char text[2000];
    memset(text, ',', sizeof text);
    for (uint64_t n = 1;; n++) {
        uint64_t records = 0;
        memory_fail_at(n);
        status result = csv_read_bytes(text, sizeof text, &plain, count_records, &records, NULL);
        int failed = memory_has_failed();
        memory_fail_at(0);
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        if (!failed)
            break;
        assert_true(n < 100);
    }
}

static void replay(const char *name, const char *bytes, size_t count, bool accept)
{
    uint64_t records = 0;
    error why;
    status result = csv_read_bytes(bytes, count, &plain, count_records, &records, &why);
    if ((result == DITHER_OK) != accept)
        fail_msg("%s: %s", name, result == DITHER_OK ? "accepted" : why.message);
    for (size_t cut = 0; cut < count; cut++) {
        records = 0;
        result = csv_read_bytes(bytes, cut, &plain, count_records, &records, &why);
        assert_true(result == DITHER_OK || result == DITHER_INVALID);
    }
}

static void the_corpus_replays(void **state)
{
    (void)state;
    corpus_walk("csv", 15, replay);
}

static void fields_are_quoted_when_they_must_be(void **state)
{
    (void)state;
    struct buffer out;
    buffer_init(&out, 1000);
    const char *const fields[] = {"plain", "", "a,b", "say \"hi\"", "two\nlines", " blank "};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (i > 0)
            buffer_byte(&out, ',');
        csv_write_field(&out, fields[i]);
    }
    assert_string_equal(out.data, "plain,\"\",\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\", blank ");
    expect_records(out.data, "1:[plain]q[]q[a,b]q[say \"hi\"]q[two\nlines][ blank ] ");
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_text_is_read),
        cmocka_unit_test(malformed_text_is_refused_with_its_line),
        cmocka_unit_test(the_limits_hold),
        cmocka_unit_test(a_file_is_read_in_pieces_of_constant_size),
        cmocka_unit_test(the_receiver_can_end_the_reading),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(the_corpus_replays),
        cmocka_unit_test(fields_are_quoted_when_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
