/* The JSON writer: what it writes is what Jansson reads back, doubles to the last bit; what JSON has no word
 * for becomes null. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/json.h"

static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct buffer buffer;
    struct json_writer writer;
    buffer_init(&buffer, 10000);
    json_writer_init(&writer, &buffer);
    json_begin_object(&writer);
    json_member_text(&writer, "text", "say \"hi\"\n\xC3\xA9\x01");
    json_member_number(&writer, "third", 1.0 / 3);
    json_write_key(&writer, "list");
    json_begin_array(&writer);
    json_write_whole(&writer, INT64_MIN);
    json_begin_array(&writer);
    json_end_array(&writer);
    json_write_bool(&writer, true);
    json_write_null(&writer);
    json_begin_object(&writer);
    json_end_object(&writer);
    json_write_raw(&writer, "1.50", 4);
    json_end_array(&writer);
    json_end_object(&writer);
    assert_int_equal(buffer_check(&buffer, NULL), DITHER_OK);

    json_t *root = json_loads(buffer.data, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "text")), "say \"hi\"\n\xC3\xA9\x01");
    assert_true(json_real_value(json_object_get(root, "third")) == 1.0 / 3);
    json_t *list = json_object_get(root, "list");
    assert_int_equal(json_array_size(list), 6);
    assert_true(json_integer_value(json_array_get(list, 0)) == INT64_MIN);
    assert_int_equal(json_array_size(json_array_get(list, 1)), 0);
    assert_true(json_is_true(json_array_get(list, 2)));
    assert_true(json_is_null(json_array_get(list, 3)));
    assert_true(json_is_object(json_array_get(list, 4)));
    assert_true(json_real_value(json_array_get(list, 5)) == 1.5);
    json_decref(root);
    buffer_free(&buffer);
}

static void numbers_are_short_and_exact_and_never_nan(void **state)
{
    (void)state;
    struct buffer buffer;
    struct json_writer writer;
    buffer_init(&buffer, 10000);
    json_writer_init(&writer, &buffer);
    json_begin_array(&writer);
    const double numbers[] = {0.1, 3300, -0.0, 1e-300, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_write_number(&writer, numbers[i]);
    json_end_array(&writer);
    assert_string_equal(buffer.data, "[0.1, 3300, 0, 1e-300, null, null, null]");
    buffer_free(&buffer);
}

static void text_that_is_not_utf8_makes_the_buffer_fail(void **state)
{
    (void)state;
    struct buffer buffer;
    struct json_writer writer;
    buffer_init(&buffer, 10000);
    json_writer_init(&writer, &buffer);
    json_write_text(&writer, "\xFF");
    assert_int_not_equal(buffer_check(&buffer, NULL), DITHER_OK);
    buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(numbers_are_short_and_exact_and_never_nan),
        cmocka_unit_test(text_that_is_not_utf8_makes_the_buffer_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
