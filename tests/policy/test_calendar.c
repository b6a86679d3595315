/* Days and moments are counted as `date -u -d DAY +%s` counts them, and what does not exist is refused. */
#include "policy/calendar.h"
#include "tests/support/test.h"

static void days_are_counted(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int64_t seconds;
    } days[] = {
        {"1970-01-01", 0},
        {"1969-12-31", -86400},
        {"2000-02-29", 951782400},
        {"2000-03-01", 951868800},
        {"1900-03-01", -2203891200},
        {"0001-01-01", -62135596800},
        {"9999-12-31", 253402214400},
        {"2026-11-15", 1794700800},
    };
    int64_t count = 0;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        assert_true(calendar_read_date(days[i].text, &count));
        assert_true(count * 86400 == days[i].seconds);
        assert_true(calendar_read_timestamp(days[i].text, &count));
        assert_true(count == days[i].seconds * 1000000);
    }
}

static void moments_are_counted(void **state)
{
    (void)state;
    int64_t count = 0;
    assert_true(calendar_read_timestamp("1969-12-31T23:59:59.25", &count));
    assert_int_equal(count, -750000);
    assert_true(calendar_read_timestamp("1970-01-01 00:01", &count));
    assert_int_equal(count, 60000000);
    assert_true(calendar_read_timestamp("1970-01-02 03:04:05.000006", &count));
    assert_true(count == INT64_C(97445000006)); /* 86400 + 3 * 3600 + 4 * 60 + 5 = 97445 */
    assert_false(calendar_read_date("1970-01-01 00:01", &count));
}

static void what_does_not_exist_is_refused(void **state)
{
    (void)state;
    const char *const bad[] = {
        "",
        "1970-1-1",
        "1970-13-01",
        "1970-00-10",
        "1970-04-31",
        "2100-02-29",
        "0000-01-01",
        "1970-01-01 ",
        "1970-01-0",
        "1970-01-00",
        "+970-01-01",
        "10000-01-01",
        "1970/01/01",
        "1970-01-01 24:00",
        "1970-01-01 00:60",
        "1970-01-01 00:00:60",
        "1970-01-01 00:00:00Z",
        "1970-01-01 00:00:00.",
        "1970-01-01 00:00:00.1234567",
        "1970-01-01 0:00",
    };
    int64_t count = 7;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(calendar_read_timestamp(bad[i], &count));
        assert_false(calendar_read_date(bad[i], &count));
    }
    assert_int_equal(count, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_are_counted),
        cmocka_unit_test(moments_are_counted),
        cmocka_unit_test(what_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
