/* What the curators of a process share beside the ledger: the gate before the engine lets only so many in, and gives up those
 * that are interrupted while they wait; statements that were found sound are known, and no others. */
#include <pthread.h>
#include <string.h>

#include "curator/room.h"
#include "tests/support/test.h"

enum { MOST = 32, ROUNDS = 200, THREADS = 40, STATEMENTS = 20000 };

/* ---- The gate ---- */

static size_t fill(struct curator *curator)
{
    size_t inside = 0;
    error why;
    /* An interrupted one does not wait, but takes a place that is free. */
    atomic_store(&curator->interrupted, true);
    while (inside <= MOST && gate_enter(curator, &why) == DITHER_OK)
        inside++;
    assert_string_equal(why.message, "interrupted");
    return inside;
}

static void the_gate_has_so_many_places_and_no_more(void **state)
{
    (void)state;
    static struct curator curator;
    error why;
    assert_int_equal(gate_new(&curator.gate, &why), DITHER_OK);
    size_t places = fill(&curator);
    assert_in_range(places, 4, MOST);
    gate_leave(&curator);
    assert_int_equal(fill(&curator), 1);
    for (size_t i = 0; i < places; i++)
        gate_leave(&curator);
    assert_int_equal(fill(&curator), places);
    gate_free(curator.gate);
}

static struct gate *shared;
static atomic_int inside, most;

static void *go_through(void *context)
{
    (void)context;
    struct curator curator = {.gate = shared};
    error why;
    for (int i = 0; i < ROUNDS; i++) {
        assert_int_equal(gate_enter(&curator, &why), DITHER_OK);
        int now = atomic_fetch_add(&inside, 1) + 1, before = atomic_load(&most);
        while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
            continue;
        atomic_fetch_sub(&inside, 1);
        gate_leave(&curator);
    }
    return NULL;
}

static void all_come_through_and_never_too_many_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    error why;
    assert_int_equal(gate_new(&shared, &why), DITHER_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, go_through, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&inside), 0);
    assert_in_range(atomic_load(&most), 1, MOST);
    gate_free(shared);
}

/* ---- Statements ---- */

static struct digest named(uint64_t number)
{
    struct digest digest;
    error why;
    assert_int_equal(digest_of(&number, sizeof number, &digest, &why), DITHER_OK);
    return digest;
}

static void what_was_checked_is_known_and_nothing_else(void **state)
{
    (void)state;
    struct checked *checked = NULL;
    error why;
    assert_int_equal(checked_new(&checked, &why), DITHER_OK);
    assert_false(checked_has(checked, &(struct digest){{0}})); /* as an empty place looks */
    for (uint64_t i = 0; i < STATEMENTS; i++) {                /* more than there is room for */
        struct digest digest = named(i);
        assert_false(checked_has(checked, &digest));
        checked_add(checked, &digest);
        assert_true(checked_has(checked, &digest));
    }
    struct digest never = named(STATEMENTS);
    assert_false(checked_has(checked, &never));
    never = named(STATEMENTS - 1);
    never.bytes[DIGEST_BYTES - 1] ^= 1;
    assert_false(checked_has(checked, &never));
    checked_free(checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gate_has_so_many_places_and_no_more),
        cmocka_unit_test(all_come_through_and_never_too_many_at_once),
        cmocka_unit_test(what_was_checked_is_known_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
