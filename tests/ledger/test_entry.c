/* The text of an entry: written in one way, and read in that way only. */
#include <stdio.h>
#include <string.h>

#include "ledger/entry.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static void expect_same(const struct entry *entry)
{
    struct buffer first, second;
    struct arena arena;
    struct entry again;
    error why = {0};
    buffer_init(&first, ENTRY_BYTES);
    buffer_init(&second, ENTRY_BYTES);
    arena_init(&arena, 1 << 24);
    entry_write(entry, &first);
    if (entry_read(first.data, first.length, &arena, &again, &why) != DITHER_OK)
        fail_msg("%s: %s", why.message, first.data);
    entry_write(&again, &second);
    assert_string_equal(first.data, second.data);
    /* no shorter text, and none with one more byte, is an entry */
    for (size_t length = 0; length < first.length; length++)
        assert_int_equal(entry_read(first.data, length, &arena, &again, NULL), DITHER_REFUSED);
    buffer_byte(&first, ' ');
    assert_int_equal(entry_read(first.data, first.length, &arena, &again, NULL), DITHER_REFUSED);
    buffer_free(&first);
    buffer_free(&second);
    arena_free(&arena);
}

static struct entry blank(enum entry_kind kind)
{
    return (struct entry){
        .number = 7, .kind = kind, .when = {.wall = 1700000000, .run = 12345, .boot = "b00t"}};
}

static void every_kind_of_entry_is_read_as_it_was_written(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    struct entry entry = blank(ENTRY_OPEN);
    strcpy(entry.id, "0123456789abcdef0123456789abcdef");
    expect_same(&entry);
    entry = blank(ENTRY_POLICY);
    entry.config = fixture.config;
    entry.config.unit = "a \"quoted\" \\ text\nwith \x01 and \x1f, and ü";
    expect_same(&entry);
    entry.kind = ENTRY_CARRY;
    entry.old_units_in_new = UINT64_MAX;
    entry.config.block_column = NULL;
    entry.config.block_count = entry.config.analyst_count = entry.config.group_count = 0;
    expect_same(&entry);
    entry = blank(ENTRY_STOP);
    entry.analyst = "alice";
    entry.reason = "";
    expect_same(&entry);
    entry = blank(ENTRY_LIFT);
    expect_same(&entry);
    entry = blank(ENTRY_RENEW);
    expect_same(&entry);
    entry = blank(ENTRY_TICK);
    expect_same(&entry);
    fixture_free(&fixture);
}

static void reservations_and_settlements_are_read_as_they_were_written(void **state)
{
    (void)state;
    const char *blocks[] = {"north", "all", NULL};
    struct entry_release releases[2] = {
        {.cost = epsilon("0.1"), .blocks = blocks, .block_count = 3, .payer = PAYS_ANALYST},
        {.cost = {decimal("0"), decimal("1e-24"), decimal("99999999999999")}, .payer = PAYS_NOBODY}};
    struct entry entry = blank(ENTRY_RESERVE);
    memset(&entry.question, 0xab, sizeof entry.question);
    entry.releases = releases;
    expect_same(&entry);
    entry.release_count = 2;
    entry.analyst = "bob";
    entry.request = "r1";
    expect_same(&entry);
    struct entry_result results[2] = {{.release = 0}, {.release = 5}};
    entry = blank(ENTRY_SETTLE);
    entry.reservation = 3;
    entry.results = results;
    expect_same(&entry);
    entry.result_count = 2;
    expect_same(&entry);
}

static void other_texts_are_not_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"entry\":07,\"kind\":\"tick\",\"wall\":1,\"boot\":\"b\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tock\",\"wall\":1,\"boot\":\"b\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":-1,\"boot\":\"b\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"b\",\"run\":18446744073709551616}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":null,\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"\\u0062\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"\\u0000\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"\\n\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"\xff\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"b\n\",\"run\":1}",
        "{\"entry\":7,\"kind\":\"tick\",\"wall\":1,\"boot\":\"0123456789012345678901234567890123456789\","
        "\"run\":1}",
        "{\"entry\":7,\"wall\":1,\"kind\":\"tick\",\"boot\":\"b\",\"run\":1}",
    };
    struct arena arena;
    struct entry entry;
    arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (entry_read(texts[i], strlen(texts[i]), &arena, &entry, NULL) != DITHER_REFUSED)
            fail_msg("%s", texts[i]);
    arena_free(&arena);
}

/* Every single byte of a reservation changed in every way: it is refused, or it is the text of what was read.
 */
static void what_is_read_is_the_text_of_an_entry_whatever_was_changed(void **state)
{
    (void)state;
    const char *blocks[] = {"north", NULL};
    struct entry_release releases[1] = {
        {.cost = epsilon("0.1"), .blocks = blocks, .block_count = 2, .payer = PAYS_ALL}};
    struct entry entry = blank(ENTRY_RESERVE);
    entry.releases = releases;
    entry.release_count = 1;
    entry.request = "r\"1";
    struct buffer text, again;
    buffer_init(&text, ENTRY_BYTES);
    buffer_init(&again, ENTRY_BYTES);
    entry_write(&entry, &text);
    int accepted = 0;
    for (size_t i = 0; i < text.length; i++) {
        char kept = text.data[i];
        for (int byte = 0; byte < 256; byte++) {
            struct arena arena;
            struct entry changed;
            text.data[i] = (char)byte;
            arena_init(&arena, 1 << 20);
            if (entry_read(text.data, text.length, &arena, &changed, NULL) == DITHER_OK) {
                buffer_clear(&again);
                entry_write(&changed, &again);
                assert_int_equal(again.length, text.length);
                assert_memory_equal(again.data, text.data, text.length);
                accepted++;
            }
            arena_free(&arena);
        }
        text.data[i] = kept;
    }
    assert_true(accepted > 100); /* digits, letters of names */
    buffer_free(&text);
    buffer_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_entry_is_read_as_it_was_written),
        cmocka_unit_test(reservations_and_settlements_are_read_as_they_were_written),
        cmocka_unit_test(other_texts_are_not_read),
        cmocka_unit_test(what_is_read_is_the_text_of_an_entry_whatever_was_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
