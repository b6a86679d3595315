/* Arena, buffer and cursor: they hold what is put in, stop at their limits, and survive every allocation that
 * fails. The n-th allocation is made to fail for n = 1, 2, 3 ... until the work succeeds. */
#include "tests/support/test.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/memory.h"

static void an_arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 1 << 20);
    for (size_t size = 0; size < 3000; size += 7) {
        void *memory = NULL;
        assert_int_equal(arena_take(&arena, size, &memory, NULL), DITHER_OK);
        assert_int_equal((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(((unsigned char *)memory)[i], 0);
        memset(memory, 0xAA, size); /* the next piece must not overlap */
    }
    arena_free(&arena);
    arena_free(&arena); /* twice is fine */
}

static void an_arena_refuses_more_than_its_limit(void **state)
{
    (void)state;
    struct arena arena;
    error why;
    arena_init(&arena, 100000);
    void *memory = NULL;
    assert_int_equal(arena_take(&arena, 90000, &memory, &why), DITHER_OK);
    void *more = NULL;
    assert_int_equal(arena_take(&arena, 20000, &more, &why), DITHER_INVALID);
    assert_null(more);
    assert_int_equal(arena_take(&arena, SIZE_MAX, &more, &why), DITHER_INVALID);
    assert_int_equal(arena_take(&arena, 5000, &more, &why), DITHER_OK); /* what still fits */
    arena_free(&arena);
}

static void an_arena_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        struct arena arena;
        arena_init(&arena, 10 << 20);
        memory_fail_at(n);
        status result = DITHER_OK;
        for (int i = 0; i < 5 && result == DITHER_OK; i++) {
            char *copy = NULL;
            result = arena_text(&arena, "twenty thousand bytes", 20, &copy, NULL);
            void *large = NULL;
            if (result == DITHER_OK) {
                assert_string_equal(copy, "twenty thousand byte");
                result = arena_take(&arena, 20000, &large, NULL);
            }
        }
        int failed = memory_has_failed();
        memory_fail_at(0);
        arena_free(&arena);
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        if (!failed)
            break;
        assert_true(n < 100);
    }
}

static void a_buffer_grows_and_ends_with_nul(void **state)
{
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer, 1 << 20);
    assert_int_equal(buffer_check(&buffer, NULL), DITHER_OK);
    for (int i = 0; i < 1000; i++)
        buffer_format(&buffer, "%03d,", i);
    buffer_byte(&buffer, '!');
    buffer_append(&buffer, "", 0);
    assert_int_equal(buffer_check(&buffer, NULL), DITHER_OK);
    assert_int_equal(buffer.length, 4001);
    assert_int_equal(strlen(buffer.data), 4001);
    assert_memory_equal(buffer.data, "000,001,", 8);
    assert_string_equal(buffer.data + 3996, "999,!");
    buffer_clear(&buffer);
    buffer_text(&buffer, "new");
    assert_string_equal(buffer.data, "new");
    buffer_free(&buffer);
}

static void a_buffer_that_failed_stays_failed(void **state)
{
    (void)state;
    struct buffer buffer;
    error why;
    buffer_init(&buffer, 10);
    buffer_text(&buffer, "0123456789");
    assert_int_equal(buffer_check(&buffer, &why), DITHER_OK);
    buffer_byte(&buffer, 'x');
    assert_int_equal(buffer_check(&buffer, &why), DITHER_INVALID);
    assert_int_equal(buffer.length, 10);
    buffer_clear(&buffer);
    buffer_byte(&buffer, 'x');
    assert_int_equal(buffer.length, 0);
    assert_int_equal(buffer_check(&buffer, &why), DITHER_INVALID);
    buffer_free(&buffer);

    for (uint64_t n = 1; n <= 3; n++) {
        buffer_init(&buffer, 1 << 20);
        memory_fail_at(n);
        for (int i = 0; i < 200; i++)
            buffer_text(&buffer, "five ");
        memory_fail_at(0);
        assert_int_equal(buffer_check(&buffer, &why), DITHER_NO_MEMORY);
        assert_int_equal(buffer.length % 5, 0); /* a write is whole or not there */
        buffer_free(&buffer);
    }
}

static void a_cursor_stops_at_the_end(void **state)
{
    (void)state;
    const unsigned char bytes[] = {1, 2, 3, 0xFF, 0xFE, 'a', 'b', ';', 9};
    struct cursor cursor = cursor_over(bytes, sizeof bytes);
    unsigned char byte = 0;
    uint16_t two = 0;
    uint32_t four = 0;
    const unsigned char *text = NULL;
    size_t count = 0;
    assert_true(cursor_peek(&cursor, &byte) && byte == 1);
    assert_true(cursor_byte(&cursor, &byte) && byte == 1);
    assert_true(cursor_uint16(&cursor, &two) && two == 0x0203);
    assert_false(cursor_match(&cursor, 0xFE));
    assert_true(cursor_match(&cursor, 0xFF) && cursor_match(&cursor, 0xFE));
    assert_false(cursor_until(&cursor, '!', &text, &count));
    assert_true(cursor_until(&cursor, ';', &text, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(text, "ab", 2);
    assert_false(cursor_uint16(&cursor, &two));
    assert_false(cursor_uint32(&cursor, &four));
    assert_false(cursor_take(&cursor, 2, &text));
    assert_int_equal(cursor_left(&cursor), 1);
    assert_true(cursor_take(&cursor, 1, &text) && *text == 9);
    assert_false(cursor_byte(&cursor, &byte));
    assert_false(cursor_peek(&cursor, &byte));
    assert_true(cursor_take(&cursor, 0, &text));

    const unsigned char word[] = {0x80, 0, 0, 1};
    cursor = cursor_over(word, sizeof word);
    assert_true(cursor_uint32(&cursor, &four) && four == 0x80000001u);
    cursor = cursor_over(NULL, 0);
    assert_int_equal(cursor_left(&cursor), 0);
    assert_false(cursor_until(&cursor, 0, &text, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(an_arena_refuses_more_than_its_limit),
        cmocka_unit_test(an_arena_survives_every_failed_allocation),
        cmocka_unit_test(a_buffer_grows_and_ends_with_nul),
        cmocka_unit_test(a_buffer_that_failed_stays_failed),
        cmocka_unit_test(a_cursor_stops_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
