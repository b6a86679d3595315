/* Signing in by guessing is slow: with a clock that stands until the test moves it, how many failures an address may have, alone
 * and with a name; that others are not kept out, that memory is fixed, and that sessions obey. */
#include "tests/support/session_client.h"

#include <stdio.h>
#include <string.h>

static int64_t time_is = 1000000;
static struct tries *tries;

static int64_t stand_in_clock(void)
{
    return time_is;
}

static void begin(void)
{
    assert_int_equal(tries_new(test_host.random, stand_in_clock, &tries, NULL), DITHER_OK);
}

static void end(void)
{
    tries_free(tries);
    tries = NULL;
}

static void fail_often(const char *address, const char *name, int count)
{
    for (int i = 0; i < count; i++)
        tries_failed(tries, address, name);
}

static void a_name_may_be_tried_a_few_times_and_then_slowly(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < TRIES_OF_NAME; i++) {
        assert_true(tries_may(tries, "192.0.2.7", "alice"));
        tries_failed(tries, "192.0.2.7", "alice");
    }
    assert_false(tries_may(tries, "192.0.2.7", "alice"));
    time_is += TRIES_SECONDS * 1000 - 1;
    assert_false(tries_may(tries, "192.0.2.7", "alice"));
    time_is += 1;
    assert_true(tries_may(tries, "192.0.2.7", "alice")); /* one more */
    tries_failed(tries, "192.0.2.7", "alice");
    assert_false(tries_may(tries, "192.0.2.7", "alice"));
    time_is += TRIES_OF_NAME * TRIES_SECONDS * 1000;
    fail_often("192.0.2.7", "alice", TRIES_OF_NAME - 1); /* all of it is forgotten by and by */
    assert_true(tries_may(tries, "192.0.2.7", "alice"));
    end();
}

static void nobody_is_kept_out_by_who_guesses_elsewhere(void **state)
{
    (void)state;
    begin();
    fail_often("192.0.2.7", "alice", 10 * TRIES_OF_ADDRESS);
    assert_false(tries_may(tries, "192.0.2.7", "alice"));
    assert_true(tries_may(tries, "192.0.2.8", "alice"));
    assert_false(tries_may(tries, "192.0.2.7", "bob")); /* the whole address is too eager */
    fail_often("192.0.2.9", "alice", TRIES_OF_NAME);
    assert_false(tries_may(tries, "192.0.2.9", "alice"));
    assert_true(tries_may(tries, "192.0.2.9", "bob")); /* this one is not */
    end();
}

static void an_address_gets_slow_whatever_names_it_tries(void **state)
{
    (void)state;
    char name[20];
    begin();
    for (int i = 0; i < TRIES_OF_ADDRESS; i++) {
        snprintf(name, sizeof name, "name%d", i);
        assert_true(tries_may(tries, "192.0.2.7", name));
        tries_failed(tries, "192.0.2.7", name);
    }
    assert_false(tries_may(tries, "192.0.2.7", "another"));
    assert_false(tries_may(tries, "192.0.2.7", NULL));
    time_is += 1000;
    assert_true(tries_may(tries, "192.0.2.7", "another")); /* ten times as fast as one name */
    end();
}

static void an_address_of_the_new_kind_counts_by_its_network(void **state)
{
    (void)state;
    begin();
    fail_often("2001:db8:1:2:3:4:5:6", "alice", TRIES_OF_NAME);
    assert_false(tries_may(tries, "2001:db8:1:2::9", "alice"));
    assert_true(tries_may(tries, "2001:db8:1:3::9", "alice"));
    fail_often("::ffff:192.0.2.7", "alice",
               TRIES_OF_NAME); /* one of the old kind in other clothes: its own */
    assert_true(tries_may(tries, "::ffff:192.0.2.8", "alice"));
    end();
}

static void who_signs_in_has_his_tries_back_but_not_his_address(void **state)
{
    (void)state;
    begin();
    fail_often("192.0.2.7", "alice", TRIES_OF_NAME - 1);
    tries_succeeded(tries, "192.0.2.7", "alice");
    fail_often("192.0.2.7", "alice", TRIES_OF_NAME - 1);
    assert_true(tries_may(tries, "192.0.2.7", "alice"));
    fail_often("192.0.2.7", "bob", TRIES_OF_ADDRESS);
    tries_succeeded(tries, "192.0.2.7", "alice");
    assert_false(tries_may(tries, "192.0.2.7", "alice"));
    end();
}

/* Many more addresses than there are places: what is nearly empty makes room, so that most of the eager ones stay known. */
static void a_crowd_does_not_make_the_eager_forgotten(void **state)
{
    (void)state;
    char address[40];
    int known = 0;
    begin();
    for (int i = 0; i < 50; i++) {
        snprintf(address, sizeof address, "198.51.100.%d", i);
        fail_often(address, "alice", TRIES_OF_NAME);
    }
    for (int i = 0; i < 4 * TRIES_PLACES; i++) {
        snprintf(address, sizeof address, "10.%d.%d.%d", i >> 16, (i >> 8) & 255, i & 255);
        tries_failed(tries, address, NULL);
    }
    for (int i = 0; i < 50; i++) {
        snprintf(address, sizeof address, "198.51.100.%d", i);
        known += !tries_may(tries, address, "alice");
    }
    assert_int_equal(known, 50);
    end();
}

static void sign_in_from(const char *address, const char *password, const char *expected)
{
    struct client client;
    client_connect(&client);
    session_set_address(client.session, address);
    STARTUP("user\0alice\0");
    if (client.wants != SESSION_CLOSE)
        client_sign_in(&client, password);
    expect_in(client_received(&client), expected);
    client_disconnect(&client);
}

static void sessions_obey(void **state)
{
    (void)state;
    begin();
    test_host.tries = tries;
    for (int i = 0; i < TRIES_OF_NAME; i++)
        sign_in_from("192.0.2.7", "wrong", "password authentication failed");
    sign_in_from("192.0.2.7", "pencil", "too many failed sign-ins came from this address");
    sign_in_from("192.0.2.8", "pencil", "Z[I]");
    time_is += TRIES_SECONDS * 1000;
    sign_in_from("192.0.2.7", "pencil", "Z[I]"); /* and his tries are his again */
    for (int i = 0; i < TRIES_OF_NAME; i++)
        sign_in_from("192.0.2.7", "wrong", "password authentication failed");
    test_host.tries = NULL;
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_may_be_tried_a_few_times_and_then_slowly),
        cmocka_unit_test(nobody_is_kept_out_by_who_guesses_elsewhere),
        cmocka_unit_test(an_address_gets_slow_whatever_names_it_tries),
        cmocka_unit_test(an_address_of_the_new_kind_counts_by_its_network),
        cmocka_unit_test(who_signs_in_has_his_tries_back_but_not_his_address),
        cmocka_unit_test(a_crowd_does_not_make_the_eager_forgotten),
        cmocka_unit_test(sessions_obey),
    };
    return cmocka_run_group_tests(tests, set_up_session, tear_down_session);
}
