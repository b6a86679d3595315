/* Answers on a clock's tick, with a clock that stands until the test moves it: nothing comes out before its tick, everything does
 * at it, in the order in which it is due; nobody waits for it; the end gives out what is left. */
#include "tests/support/test.h"

#include <stdatomic.h>
#include <unistd.h>

#include "serve/tick.h"

static atomic_llong time_is;
static atomic_int order;

static int64_t stand_in_clock(void)
{
    return time_is;
}

struct answer {
    struct tick_wait wait; /* first */
    atomic_int rung;       /* when, among all */
};

static void ring(struct tick_wait *wait)
{
    struct answer *answer = (struct answer *)(void *)wait;
    answer->rung = ++order;
}

static void until(struct answer *answer)
{
    while (answer->rung == 0)
        usleep(500);
}

static void the_next_tick_is_a_whole_number_of_steps_after_the_beginning(void **state)
{
    (void)state;
    assert_int_equal(tick_due(1000, 1000, 100), 1100); /* never at once: that would be told apart */
    assert_int_equal(tick_due(1000, 1001, 100), 1100);
    assert_int_equal(tick_due(1000, 1099, 100), 1100);
    assert_int_equal(tick_due(1000, 1100, 100), 1200);
    assert_int_equal(tick_due(1000, 1950, 100), 2000);
    assert_int_equal(tick_due(1000, 900, 100), 1100);
    assert_int_equal(tick_due(7, 7 + 3599999, 3600000), 7 + 3600000);
}

static void nothing_comes_out_before_its_tick_and_everything_at_it(void **state)
{
    (void)state;
    struct tick *tick = NULL;
    struct answer quick = {.wait.ring = ring}, slow = {.wait.ring = ring}, other = {.wait.ring = ring};
    time_is = 1000;
    order = 0;
    assert_int_equal(tick_start(stand_in_clock, &tick, NULL), DITHER_OK);
    tick_add(tick, &slow.wait, tick_due(1000, 1150, 100));
    tick_add(tick, &quick.wait, tick_due(1000, 1003, 100));
    tick_add(tick, &other.wait, tick_due(1000, 1099, 100));
    time_is = 1099;
    tick_look(tick);
    usleep(20 * 1000);
    assert_int_equal(quick.rung, 0);
    time_is = 1100;
    tick_look(tick);
    until(&quick);
    until(&other);
    assert_true(quick.rung == 1 && other.rung == 2);
    usleep(10 * 1000);
    assert_int_equal(slow.rung, 0);
    time_is = 1200;
    tick_look(tick);
    until(&slow);
    tick_stop(tick);
}

static void the_end_gives_out_what_is_left(void **state)
{
    (void)state;
    struct tick *tick = NULL;
    struct answer answers[3] = {{.wait.ring = ring}, {.wait.ring = ring}, {.wait.ring = ring}};
    time_is = 0;
    assert_int_equal(tick_start(stand_in_clock, &tick, NULL), DITHER_OK);
    for (size_t i = 0; i < 3; i++)
        tick_add(tick, &answers[i].wait, 1000000);
    tick_stop(tick);
    for (size_t i = 0; i < 3; i++)
        assert_true(answers[i].rung > 0);
    tick_stop(NULL);
}

static void the_system_s_clock_ticks_by_itself(void **state)
{
    (void)state;
    struct tick *tick = NULL;
    struct answer answer = {.wait.ring = ring};
    assert_int_equal(tick_start(NULL, &tick, NULL), DITHER_OK);
    int64_t begun = tick_now(tick);
    tick_add(tick, &answer.wait, tick_due(begun, begun, 30));
    until(&answer);
    assert_true(tick_now(tick) >= begun + 30);
    tick_stop(tick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_tick_is_a_whole_number_of_steps_after_the_beginning),
        cmocka_unit_test(nothing_comes_out_before_its_tick_and_everything_at_it),
        cmocka_unit_test(the_end_gives_out_what_is_left),
        cmocka_unit_test(the_system_s_clock_ticks_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
