/* The parts of which bounding is made, each by itself: the hash against the vectors of SipHash's authors, steps
 * against mechanism/grid.c and by hand, states with ties made on purpose, contributions by hand. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_bound_gather.h"
#include "engine/duckdb_bound_state.h"
#include "engine/duckdb_bound_table.h"
#include "engine/duckdb_hash.h"
#include "engine/duckdb_steps.h"
#include "mechanism/grid.h"
#include "tests/support/test.h"

/* ---- The hash ---- */

static void hash_is_siphash(void **state)
{
    uint8_t bytes[64];
    (void)state;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    struct hash_key key = hash_key_of(bytes);
    /* Aumasson and Bernstein, Appendix A, and the table vectors_sip64 of their reference code. */
    assert_true(hash_bytes(key, bytes, 0) == 0x726fdb47dd0e0e31);
    assert_true(hash_bytes(key, bytes, 1) == 0x74f839c593dc67fd);
    assert_true(hash_bytes(key, bytes, 15) == 0xa129ca6149be45e5);
    assert_true(hash_bytes(key, bytes, 16) == 0x3f2acc7f57c29bdb);
    assert_true(hash_words(key, 0x0706050403020100, 0x0f0e0d0c0b0a0908) == 0x3f2acc7f57c29bdb);
}

static void hash_key_is_read_from_digits(void **state)
{
    const uint8_t bytes[16] = {0x00, 0x1f, 0xa0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff};
    struct hash_key key = hash_key_read("001fa0030405060708090a0b0c0d0eff", 32), wanted = hash_key_of(bytes);
    (void)state;

    assert_true(key.first == wanted.first && key.second == wanted.second);
    key = hash_key_read("KEY", 3);
    assert_true(key.first == 0 && key.second == 0);
}

/* ---- Steps ---- */

static int64_t step(double value, int exponent, int64_t lower, int64_t upper)
{
    int64_t out;
    steps_of_reals(&value, ldexp(1, -exponent), lower, upper, &out, 1);
    return out;
}

static void steps_round_half_up_exactly(void **state)
{
    (void)state;
    assert_int_equal(step(0.5, 0, -10, 10), 1);
    assert_int_equal(step(-0.5, 0, -10, 10), 0);
    assert_int_equal(step(1.5, 0, -10, 10), 2);
    assert_int_equal(step(2.5, 0, -10, 10), 3);
    assert_int_equal(step(-1.5, 0, -10, 10), -1);
    assert_int_equal(step(-2.5, 0, -10, 10), -2);
    assert_int_equal(step(0.49999999999999994, 0, -10, 10), 0); /* + 0.5 would be 1 */
    assert_int_equal(step(-0.0, 0, -10, 10), 0);
    assert_int_equal(step(3, 1, -10, 10), 2);
    assert_int_equal(step(0.375, -2, -10, 10), 2);
    assert_int_equal(step(0x1p-1022, -1022, -10, 10), 1);
}

static void steps_stay_within_their_bounds(void **state)
{
    const double wild[] = {NAN, -NAN, -INFINITY, -DBL_MAX, -1e308, INFINITY, DBL_MAX, 1e308};
    const int64_t far = INT64_C(1) << 60;
    (void)state;

    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        bool low = isnan(wild[i]) || wild[i] < 0;
        assert_int_equal(step(wild[i], 0, -7, 20), low ? -7 : 20);
        assert_int_equal(step(wild[i], -900, -7, 20), low ? -7 : 20); /* the quotient overflows */
        assert_int_equal(step(wild[i], 0, far - 5, far + 5), low ? far - 5 : far + 5);
    }
    assert_int_equal(step(0, 0, far - 5, far + 5), far - 5);
    assert_int_equal(step(0, 0, 3, 9), 3);
}

static void steps_agree_with_the_grid_of_mechanisms(void **state)
{
    double values[2048];
    int64_t steps[2048];
    uint64_t seed = 12345;
    (void)state;

    for (int exponent = -20; exponent <= 20; exponent += 5) {
        double grid = ldexp(1, exponent);
        for (size_t i = 0; i < 2048; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            values[i] = ((double)(int64_t)(seed >> 20) - 0x1p43) * ldexp(1, exponent - (int)(seed >> 59));
            if (i % 3 == 0) /* ties */
                values[i] = (floor(fmod(values[i] / grid, 1e6)) + 0.5) * grid;
        }
        steps_of_reals(values, 1 / grid, -1000000, 2000000, steps, 2048);
        for (size_t i = 0; i < 2048; i++)
            assert_int_equal(steps[i],
                             grid_clamp(values[i], (dither_range){-1000000 * grid, 2000000 * grid}, grid));
    }
}

static void whole_numbers_have_steps_too(void **state)
{
    (void)state;
    assert_int_equal(steps_of_whole(7, 1, -100, 100), 4);
    assert_int_equal(steps_of_whole(-7, 1, -100, 100), -3);
    assert_int_equal(steps_of_whole(-5, 2, -100, 100), -1);
    assert_int_equal(steps_of_whole(-6, 2, -100, 100), -1); /* a tie goes up */
    assert_int_equal(steps_of_whole(3, -2, -100, 100), 12);
    assert_int_equal(steps_of_whole(INT64_MAX, -60, -100, 100), 100);
    assert_int_equal(steps_of_whole(INT64_MIN, -60, -100, 100), -100);
    assert_int_equal(steps_of_whole(INT64_MIN, -500, -100, 100), -100);
    assert_int_equal(steps_of_whole(INT64_MAX, 63, -100, 100), 1);
    assert_int_equal(steps_of_whole(INT64_MIN, 63, -100, 100), -1);
    assert_int_equal(steps_of_whole(INT64_MAX, 500, -100, 100), 0);
}

/* ---- What is kept ---- */

static const struct bound_shape codes = {.value_count = 1, .inline_entries = 3}, many = {.value_count = 1},
                                texts = {.value_count = 1, .bytes = true};

struct room {
    uint64_t words[1 + 3 * BOUND_ENTRY_WORDS];
};

static struct bound_state *state_of(struct room *room)
{
    return (struct bound_state *)room->words;
}

static void add(const struct bound_shape *shape, struct room *room, uint64_t hash, uint32_t code,
                const char *text)
{
    bool failed = false;
    struct bound_thing thing = {.hash = hash, .code = text ? (uint32_t)strlen(text) : code, .bytes = text};
    uint64_t *sums = bound_state_add(shape, state_of(room), &thing, 1, &failed);

    assert_false(failed);
    if (sums)
        sums[0] += 10;
}

static void start(struct room *room, uint32_t most)
{
    memset(room, 0, sizeof *room);
    bound_state_init(state_of(room));
    state_of(room)->most = most;
}

/* All six orders of three things that tie: the same two are kept, with all their rows. */
static void ties_are_broken_by_value(void **state)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const names[3] = {"a", "ab", "b"};
    (void)state;

    for (size_t i = 0; i < 6; i++) {
        struct room inline_codes, heap_codes, bytes;
        start(&inline_codes, 2);
        start(&heap_codes, 2);
        start(&bytes, 2);
        for (int round = 0; round < 2; round++)
            for (size_t j = 0; j < 3; j++) {
                add(&codes, &inline_codes, 77, (uint32_t)orders[i][j], NULL);
                add(&many, &heap_codes, 77, (uint32_t)orders[i][j], NULL);
                add(&texts, &bytes, 77, 0, names[orders[i][j]]);
            }
        assert_int_equal(state_of(&inline_codes)->count, 2);
        assert_int_equal(state_of(&heap_codes)->count, 2);
        assert_int_equal(state_of(&bytes)->count, 2);
        for (size_t j = 0; j < 2; j++) {
            const uint64_t *entry =
                bound_entries(&codes, state_of(&inline_codes)) + j * bound_entry_words(&codes);
            assert_int_equal(bound_entry_code(entry), j);
            entry = bound_entries(&many, state_of(&heap_codes)) + j * bound_entry_words(&many);
            assert_int_equal(bound_entry_code(entry), j);
            entry = bound_entries(&texts, state_of(&bytes)) + j * bound_entry_words(&texts);
            assert_memory_equal(bound_entry_bytes(entry), names[j], strlen(names[j]));
        }
        bound_state_free(state_of(&heap_codes));
        bound_state_free(state_of(&bytes));
    }
}

/* What was never pushed out has all its rows, however they are split over threads. */
static void combining_is_the_same_as_adding(void **state)
{
    (void)state;
    for (uint64_t split = 0; split < 64; split++) {
        struct room whole, left, right;
        bool failed = false;
        start(&whole, 3);
        start(&left, 3);
        start(&right, 0); /* a target that has seen no row */
        state_of(&right)->most = split == 0 ? 0 : 3;
        for (uint64_t i = 0; i < 30; i++) {
            uint32_t code = (uint32_t)(i % 6);
            uint64_t hash = (code * 37 + 11) % 5; /* two of them tie */
            add(&codes, &whole, hash, code, NULL);
            add(&codes, split == 0 || split >> (i % 6) & 1 ? &left : &right, hash, code, NULL);
        }
        bound_state_combine(&codes, state_of(&left), state_of(&right), &failed);
        assert_false(failed);
        assert_int_equal(state_of(&right)->count, 3);
        assert_memory_equal(bound_entries(&codes, state_of(&right)), bound_entries(&codes, state_of(&whole)),
                            3 * bound_entry_words(&codes) * sizeof(uint64_t));
    }
}

static void many_things_are_kept_in_order(void **state)
{
    struct room room;
    uint64_t seed = 1;
    (void)state;

    start(&room, 1000);
    for (int i = 0; i < 50000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t code = (uint32_t)(seed >> 40) % 5000;
        add(&many, &room, code * 2654435761u % 5003, code, NULL);
    }
    assert_int_equal(state_of(&room)->count, 1000);
    const uint64_t *entries = bound_entries(&many, state_of(&room));
    for (size_t i = 1; i < 1000; i++)
        assert_true(entries[(i - 1) * 3] <= entries[i * 3]);
    bound_state_free(state_of(&room));
}

/* ---- What is contributed ---- */

static void contributions_are_scaled_towards_zero_and_clamped(void **state)
{
    (void)state;
    assert_int_equal(gather_contribution(10, 3, 3, -100, 100), 10);
    assert_int_equal(gather_contribution(10, 4, 3, -100, 100), 7);   /* 7.5 */
    assert_int_equal(gather_contribution(-10, 4, 3, -100, 100), -7); /* towards zero */
    assert_int_equal(gather_contribution(10, 4, 3, -100, 5), 5);
    assert_int_equal(gather_contribution(-10, 4, 3, -5, 100), -5);
    assert_int_equal(gather_contribution((int128_t)1 << 92, UINT32_MAX, 1, INT64_MIN, INT64_MAX),
                     INT64_C(1152921504875282432)); /* 2^92 / (2^32 - 1), by Python */
    assert_int_equal(gather_contribution(5, UINT32_MAX, UINT64_MAX, 0, 100), 5);
    assert_int_equal(gather_saturate((int128_t)1 << 100), INT64_C(1) << 62);
    assert_int_equal(gather_saturate(-((int128_t)1 << 100)), -(INT64_C(1) << 62));
}

static void specifications_are_read_strictly(void **state)
{
    static const char *const bad[] = {"",
                                      "codes 5",
                                      "codes 5, values 1, rows 2: value 0",
                                      "codes 5, values 0, rows 2: value 0 1",
                                      "codes 5, values 1, rows 2: value 2 1",
                                      "codes -5, values 1, rows 2: units 0 1",
                                      "codes 5, values 1, rows 2: units 0 1 2",
                                      "codes 5, values 1, rows 2: sum 0 1",
                                      "codes 5, values 1, rows 99999999999999999999: units 0 1"};
    const char *good = "codes 5, values 3, rows 2: units 0 1, value -4 9, pair -7 7, rows 0 2";
    struct gather_specification read;
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(gather_read(bad[i], strlen(bad[i]), &read));
    assert_true(gather_read(good, strlen(good), &read));
    assert_int_equal(read.code_count, 5);
    assert_int_equal(read.measure_count, 4);
    assert_int_equal(read.measures[2].kind, GATHER_PAIR);
    assert_int_equal(read.measures[1].lower, -4);
    assert_true(gather_read("bytes, values 0, rows 2:", 24, &read) && read.bytes && read.measure_count == 0);
}

static void tables_number_strings_in_order(void **state)
{
    struct bound_table table;
    uint32_t number;
    char text[16];
    (void)state;

    bound_table_init(&table);
    assert_false(bound_table_find(&table, "", 0, &number));
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            int length = snprintf(text, sizeof text, "%.*s%u", (int)(i % 3), "xyz", i);
            assert_true(bound_table_add(&table, text, i == 7 ? 0 : (uint32_t)length, &number));
            assert_int_equal(number, i);
        }
    assert_false(bound_table_find(&table, "nobody", 6, &number));
    assert_true(bound_table_find(&table, "", 0, &number));
    assert_int_equal(number, 7);
    bound_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_siphash),
        cmocka_unit_test(hash_key_is_read_from_digits),
        cmocka_unit_test(steps_round_half_up_exactly),
        cmocka_unit_test(steps_stay_within_their_bounds),
        cmocka_unit_test(steps_agree_with_the_grid_of_mechanisms),
        cmocka_unit_test(whole_numbers_have_steps_too),
        cmocka_unit_test(ties_are_broken_by_value),
        cmocka_unit_test(combining_is_the_same_as_adding),
        cmocka_unit_test(many_things_are_kept_in_order),
        cmocka_unit_test(contributions_are_scaled_towards_zero_and_clamped),
        cmocka_unit_test(specifications_are_read_strictly),
        cmocka_unit_test(tables_number_strings_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
