/* The readers of PostgreSQL's protocol take well-formed packets whole or not at all, refuse all others, and judge a
 * length before anything of that length is there. The corpus is made by hand (struct.pack) and is replayed whole, and cut
 * off at every byte. Binary values are compared with bytes that PostgreSQL 15 sent (numeric_send, date_send, ...). */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/wire_write.h"
#include "tests/support/corpus.h"

static enum wire_verdict read_all(bool opening, const char *bytes, size_t count)
{
    struct wire_opening first;
    struct wire_message message;
    size_t used = 0;
    error why = {.message = ""};
    if (opening) {
        enum wire_verdict verdict = wire_read_opening(bytes, count, &first, &used, &why);
        return verdict == WIRE_DONE && used != count ? WIRE_BROKEN : verdict;
    }
    while (count > 0) {
        enum wire_verdict verdict =
            wire_read_message(bytes, count, WIRE_MESSAGE_BYTES, &message, &used, &why);
        assert_int_equal(verdict == WIRE_BROKEN, why.message[0] != '\0');
        if (verdict != WIRE_DONE)
            return verdict;
        bytes += used;
        count -= used;
    }
    return WIRE_DONE;
}

static void replay(const char *name, const char *bytes, size_t count, bool accept)
{
    bool opening = strstr(name, "-opening-") != NULL;
    enum wire_verdict whole = read_all(opening, bytes, count);
    if (whole != (accept ? WIRE_DONE : WIRE_BROKEN))
        fail_msg("%s: verdict %d", name, (int)whole);
    for (size_t cut = 0; cut < count; cut++) {
        char *part = test_malloc(cut > 0 ? cut : 1); /* no byte behind it: a step too far is seen */
        memcpy(part, bytes, cut);
        enum wire_verdict verdict = read_all(opening, part, cut);
        if (accept && verdict == WIRE_BROKEN)
            fail_msg("%s: broken after %zu bytes", name, cut);
        test_free(part);
    }
}

static void the_corpus_is_taken_or_refused(void **state)
{
    (void)state;
    corpus_walk("wire", 35, replay);
}

static void a_gigabyte_is_refused_after_five_bytes(void **state)
{
    (void)state;
    struct wire_message message;
    struct wire_opening opening;
    size_t used = 0;
    error why;
    assert_int_equal(wire_read_message("Q\x40\x00\x00", 4, WIRE_MESSAGE_BYTES, &message, &used, &why),
                     WIRE_MORE);
    assert_int_equal(wire_read_message("Q\x40\x00\x00\x00", 5, WIRE_MESSAGE_BYTES, &message, &used, &why),
                     WIRE_BROKEN);
    assert_string_equal(why.message, "a message of 1073741824 bytes is refused: at most 1048576 are taken");
    assert_int_equal(wire_read_opening("\x40\x00\x00\x00", 4, &opening, &used, &why), WIRE_BROKEN);
    assert_int_equal(wire_read_message("Q\x00\x00\x10\x01", 5, WIRE_SIGN_IN_BYTES, &message, &used, &why),
                     WIRE_BROKEN);
}

static void a_bind_is_read_value_by_value(void **state)
{
    (void)state;
    const char bytes[] = "B\0\0\0\x25p\0s\0\0\x02\0\x01\0\0\0\x02\0\0\0\x01x\xff\xff\xff\xff\0\x02\0\0\0\x01"
                         "";
    struct wire_message message;
    size_t used = 0;
    error why;
    char exact[sizeof bytes];
    memcpy(exact, bytes, sizeof bytes);
    exact[4] = (char)(sizeof bytes - 2); /* the length without the kind and our own NUL */
    assert_int_equal(wire_read_message(exact, sizeof bytes - 1, 1000, &message, &used, &why), WIRE_DONE);
    assert_int_equal(used, sizeof bytes - 1);
    assert_string_equal(message.as.bind.portal, "p");
    assert_string_equal(message.as.bind.statement, "s");
    assert_int_equal(wire_format_at(&message.as.bind.parameter_formats, 0), WIRE_BINARY);
    assert_int_equal(wire_format_at(&message.as.bind.parameter_formats, 1), WIRE_TEXT);
    assert_int_equal(wire_format_at(&message.as.bind.result_formats, 1), WIRE_BINARY);
    struct wire_value value;
    struct cursor values = message.as.bind.values;
    assert_true(wire_next_value(&values, &value));
    assert_true(!value.null && value.size == 1 && value.bytes[0] == 'x');
    assert_true(wire_next_value(&values, &value));
    assert_true(value.null);
    assert_false(wire_next_value(&values, &value));
}

static void a_message_out_has_its_length(void **state)
{
    (void)state;
    struct buffer out;
    buffer_init(&out, 1000);
    wire_write_ready(&out, 'I');
    wire_write_bare(&out, '1');
    wire_write_report(
        &out, &(struct wire_report){.severity = "ERROR", .code = "42601", .message = "m", .position = 6});
    const char expected[] = "Z\0\0\0\x05I1\0\0\0\x04"
                            "E\0\0\0\x20SERROR\0VERROR\0C42601\0Mm\0P7\0";
    assert_int_equal(out.length, sizeof expected);
    assert_memory_equal(out.data, expected, sizeof expected);
    buffer_free(&out);
}

static void expect_bytes(struct sql_value value, enum wire_format format, const char *bytes, size_t count)
{
    struct buffer out;
    buffer_init(&out, 1000);
    struct wire_out row = {.buffer = &out};
    wire_put_value(&row, &value, format);
    assert_int_equal(out.length, count + 4);
    assert_int_equal(out.data[3], count);
    assert_memory_equal(out.data + 4, bytes, count);
    buffer_free(&out);
}

/* What PostgreSQL 15 sends for true, 1042, -1.5, numeric 12.50, -12345.678, 0.00, 2024-02-29, and so on. */
static void values_have_the_bytes_of_postgresql(void **state)
{
    (void)state;
    const struct sql_value truth = {.type = SQL_BOOLEAN, .whole = 1},
                           whole = {.type = SQL_INTEGER, .whole = -2};
    const struct sql_value real = {.type = SQL_REAL, .real = -1.5}, date = {.type = SQL_DATE, .whole = 19782};
    const struct sql_value time = {.type = SQL_TIMESTAMP, .whole = INT64_C(1709209800500000)};
    const struct sql_value interval = {.type = SQL_INTERVAL, .whole = 3000000, .days = 2, .months = 1};
    expect_bytes(truth, WIRE_TEXT, "t", 1);
    expect_bytes(truth, WIRE_BINARY, "\x01", 1);
    expect_bytes(whole, WIRE_TEXT, "-2", 2);
    expect_bytes(whole, WIRE_BINARY, "\xff\xff\xff\xff\xff\xff\xff\xfe", 8);
    expect_bytes(real, WIRE_TEXT, "-1.5", 4);
    expect_bytes(real, WIRE_BINARY, "\xbf\xf8\0\0\0\0\0\0", 8);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = 1250, .scale = 2}, WIRE_TEXT, "12.50", 5);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = 1250, .scale = 2}, WIRE_BINARY,
                 "\0\x02\0\0\0\0\0\x02\0\x0c\x13\x88", 12);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = -12345678, .scale = 3}, WIRE_BINARY,
                 "\0\x03\0\x01\x40\0\0\x03\0\x01\x09\x29\x1a\x7c", 14);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = 0, .scale = 2}, WIRE_BINARY,
                 "\0\0\0\0\0\0\0\x02", 8);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = 5, .scale = 6}, WIRE_BINARY,
                 "\0\x01\xff\xfe\0\0\0\x06\x01\xf4", 10);
    expect_bytes((struct sql_value){.type = SQL_DECIMAL, .whole = 20000, .scale = 0}, WIRE_BINARY,
                 "\0\x01\0\x01\0\0\0\0\0\x02", 10);
    expect_bytes(date, WIRE_TEXT, "2024-02-29", 10);
    expect_bytes(date, WIRE_BINARY, "\0\0\x22\x79", 4);
    expect_bytes(time, WIRE_TEXT, "2024-02-29 12:30:00.5", 21);
    expect_bytes(time, WIRE_BINARY, "\0\x02\xb5\x83\x2f\xc9\x83\x20", 8);
    expect_bytes(interval, WIRE_BINARY, "\0\0\0\0\0\x2d\xc6\xc0\0\0\0\x02\0\0\0\x01", 16);
    expect_bytes((struct sql_value){.type = SQL_TEXT, .text = "n\xc3\xb6rd"}, WIRE_TEXT, "n\xc3\xb6rd", 5);
}

static status read_parameter(const char *bytes, size_t count, uint32_t oid, enum wire_format format,
                             struct sql_value *out)
{
    static struct arena arena;
    static char kept[64];
    error why;
    arena_init(&arena, 1 << 16);
    status result = wire_read_value(&(struct wire_value){false, (const unsigned char *)bytes, count}, oid,
                                    format, &arena, out, &why);
    if (result == DITHER_OK && out->text != NULL)
        out->text = strncpy(kept, out->text, sizeof kept - 1);
    arena_free(&arena);
    return result;
}

static void what_goes_out_comes_in_again(void **state)
{
    (void)state;
    const struct {
        struct sql_value value;
        uint32_t oid;
    } cases[] = {
        {{.type = SQL_BOOLEAN, .whole = 1}, WIRE_OID_BOOL},
        {{.type = SQL_INTEGER, .whole = INT64_MIN}, WIRE_OID_INT8},
        {{.type = SQL_REAL, .real = 0.1}, WIRE_OID_FLOAT8},
        {{.type = SQL_DATE, .whole = -719162}, WIRE_OID_DATE},
        {{.type = SQL_TIMESTAMP, .whole = INT64_C(253402300799999999)}, WIRE_OID_TIMESTAMP},
        {{.type = SQL_INTERVAL, .whole = 3000000, .days = 2, .months = 1}, WIRE_OID_INTERVAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (enum wire_format format = WIRE_TEXT; format <= WIRE_BINARY; format++) {
            struct buffer out;
            struct sql_value again = {0};
            buffer_init(&out, 1000);
            struct wire_out row = {.buffer = &out};
            wire_put_value(&row, &cases[i].value, format);
            assert_int_equal(read_parameter(out.data + 4, out.length - 4, cases[i].oid, format, &again),
                             DITHER_OK);
            assert_int_equal(sql_value_compare(&again, &cases[i].value), 0);
            buffer_free(&out);
        }
}

static void parameters_are_read_or_refused(void **state)
{
    (void)state;
    struct sql_value value = {0};
    assert_int_equal(read_parameter("\xff\xfe", 2, WIRE_OID_INT2, WIRE_BINARY, &value), DITHER_OK);
    assert_int_equal(value.whole, -2);
    assert_int_equal(read_parameter("\0\x03\0\x01\x40\0\0\x03\0\x01\x09\x29\x1a\x7c", 14, WIRE_OID_NUMERIC,
                                    WIRE_BINARY, &value),
                     DITHER_OK);
    assert_true(value.type == SQL_REAL && value.real == -12345.678);
    assert_int_equal(read_parameter("x'y", 3, 0, WIRE_TEXT, &value), DITHER_OK);
    assert_true(value.type == SQL_UNKNOWN);
    assert_string_equal(value.text, "x'y");
    assert_int_equal(read_parameter("12x", 3, WIRE_OID_INT4, WIRE_TEXT, &value), DITHER_INVALID);
    assert_int_equal(read_parameter("\0\0\0", 3, WIRE_OID_INT4, WIRE_BINARY, &value), DITHER_INVALID);
    assert_int_equal(read_parameter("a\0b", 3, WIRE_OID_TEXT, WIRE_BINARY, &value), DITHER_INVALID);
    assert_int_equal(read_parameter("\xe9", 1, WIRE_OID_TEXT, WIRE_TEXT, &value), DITHER_INVALID);
    assert_int_equal(read_parameter("\x7f\xff\xff\xff", 4, WIRE_OID_DATE, WIRE_BINARY, &value),
                     DITHER_INVALID);
    assert_int_equal(
        read_parameter("\x7f\xff\xff\xff\xff\xff\xff\xff", 8, WIRE_OID_TIMESTAMP, WIRE_BINARY, &value),
        DITHER_INVALID);
    assert_int_equal(read_parameter("{1}", 3, 1016, WIRE_TEXT, &value), DITHER_REFUSED);
}

static status read_cell(const void *bytes, size_t count, uint32_t oid, char out[64])
{
    struct arena arena;
    const char *text = NULL;
    error why;
    /* in a block of just this size, so that a step beyond it is seen */
    unsigned char *copy = malloc(count > 0 ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    arena_init(&arena, 1 << 20);
    status result =
        wire_read_cell(&(struct wire_value){false, copy, count}, oid, WIRE_BINARY, &arena, &text, &why);
    if (result == DITHER_OK)
        snprintf(out, 64, "%s", text);
    arena_free(&arena);
    free(copy);
    return result;
}

/* {a"b,NULL} of text, as array_send writes it. */
static void an_array_is_taken_whole_or_not_at_all(void **state)
{
    (void)state;
    static const unsigned char array[] =
        "\0\0\0\1\0\0\0\1\0\0\0\x19\0\0\0\2\0\0\0\1\0\0\0\3a\"b\xff\xff\xff\xff";
    unsigned char wrong[sizeof array - 1];
    char text[64];
    assert_int_equal(read_cell(array, sizeof array - 1, 1009, text), DITHER_OK);
    assert_string_equal(text, "{\"a\\\"b\",NULL}");
    for (size_t length = 0; length < sizeof array - 1; length++)
        assert_int_equal(read_cell(array, length, 1009, text), DITHER_INVALID);
    assert_int_equal(read_cell(array, sizeof array, 1009, text), DITHER_INVALID);     /* one byte too many */
    assert_int_equal(read_cell(array, sizeof array - 1, 1028, text), DITHER_INVALID); /* not of this type */
    for (size_t i = 0; i < sizeof wrong; i++)
        for (unsigned bit = 1; bit < 256; bit *= 2) { /* whatever it is then, it is read within its bytes */
            memcpy(wrong, array, sizeof wrong);
            wrong[i] = (unsigned char)(wrong[i] ^ bit);
            (void)!read_cell(wrong, sizeof wrong, 1009, text);
        }
    assert_int_equal(read_cell("\0\0\0\0\0\0\0\0\0\0\0\x1a", 12, 1028, text), DITHER_OK);
    assert_string_equal(text, "{}");
    assert_int_equal(read_cell("x", 1, 1114, text), DITHER_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_is_taken_or_refused),
        cmocka_unit_test(a_gigabyte_is_refused_after_five_bytes),
        cmocka_unit_test(a_bind_is_read_value_by_value),
        cmocka_unit_test(a_message_out_has_its_length),
        cmocka_unit_test(values_have_the_bytes_of_postgresql),
        cmocka_unit_test(what_goes_out_comes_in_again),
        cmocka_unit_test(parameters_are_read_or_refused),
        cmocka_unit_test(an_array_is_taken_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
