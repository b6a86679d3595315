/* The other clients of dither.h: repeated questions, sets, texts. Their reports are those of the mechanism: the same random bits, taken by its own
 * functions one after the other, give the same bytes. A memo is paid for once and kept; memory that is lost is paid for anew, memory that
 * is damaged, foreign, too small or full is refused, and nothing changes then. Nothing allocates: the sanitizer's hooks count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/lasting.h"
#include "local/prefix.h"
#include "local/set.h"
#include "local/survey_report.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

enum { NOON = 1794787200 + 43200, REPORT = 400 };

static const dither_local_question again[] = {
    {.key = 1, .mechanism = "lgrr", .period = DITHER_LOCAL_DAILY, .epsilon = 1, .domain = 9, .permanent = 2},
    {.key = 2, .mechanism = "lsue", .epsilon = 1, .domain = 9, .permanent = 2},
    {.key = 3, .mechanism = "losue", .epsilon = 1, .domain = 300, .permanent = 2},
    {.key = 4, .mechanism = "biloloha", .epsilon = 1, .domain = 9, .permanent = 2},
    {.key = 5, .mechanism = "ololoha", .epsilon = 1, .domain = 9, .permanent = 2},
    {.key = 6, .mechanism = "dbitflip", .epsilon = 1, .domain = 9, .bits = 3},
    {.key = 7, .mechanism = "rappor", .epsilon = 1, .domain = 9, .permanent = 2, .hashes = 4, .width = 32},
};
enum { AGAIN = sizeof again / sizeof *again };

static dither_local_client made(const dither_local_question *question)
{
    dither_local_client client;
    dither_error why;
    if (dither_local_init(&client, question, &why) != DITHER_OK)
        fail_msg("%s: %s", question->mechanism, why.message);
    return client;
}

static struct local_lasting lasting_of(const dither_local_question *question)
{
    const struct local_lasting_setting setting = {.domain = question->domain,
                                                  .epsilon = question->epsilon,
                                                  .permanent = question->permanent,
                                                  .bits = question->bits,
                                                  .hashes = question->hashes,
                                                  .width = question->width};
    struct local_lasting lasting;
    error why;
    assert_int_equal(
        local_lasting_init(&lasting, local_lasting_kind_named(question->mechanism), &setting, &why),
        DITHER_OK);
    return lasting;
}

/* A memory of zeros for so many values. */
static dither_local_memory fresh(const dither_local_client *client, uint32_t values)
{
    size_t size = dither_local_memory_size(client, values);
    dither_local_memory memory = {calloc(1, size), size};
    assert_true(size > 0 && memory.bytes != NULL);
    return memory;
}

/* What the mechanism itself makes of the same random bits: for life an identity, for each new key a memo, for each report an id and itself. */
struct twin {
    struct local_lasting lasting;
    struct random *random;
    unsigned char identity[64], memos[300][64];
    bool known[300];
};

static void twin_report(struct twin *twin, uint32_t value, unsigned char *report, uint64_t *id)
{
    const struct local_lasting_kind *kind = twin->lasting.kind;
    error why;
    uint32_t key = kind->key(&twin->lasting, twin->identity, value);
    assert_true(key < 300 && twin->lasting.memo_bytes <= 64);
    if (!twin->known[key])
        assert_int_equal(
            kind->memorise(&twin->lasting, twin->identity, key, twin->random, twin->memos[key], &why),
            DITHER_OK);
    twin->known[key] = true;
    assert_int_equal(random_word(twin->random, id, &why), DITHER_OK);
    assert_int_equal(
        kind->report(&twin->lasting, twin->identity, twin->memos[key], twin->random, report, &why),
        DITHER_OK);
}

static void repeated_reports_are_the_mechanisms_and_memos_are_paid_for_once(void **state)
{
    (void)state;
    static const uint32_t values[] = {3, 3, 8, 3, 0, 8, 8, 1, 3};
    for (int k = 0; k < AGAIN; k++) {
        static struct twin twin;
        dither_local_client client = made(&again[k]);
        dither_local_memory memory = fresh(&client, 0);
        dither_local_account account = {100, 0};
        struct random *random = fixed_source(3 + (uint64_t)k);
        dither_error why;
        twin = (struct twin){.lasting = lasting_of(&again[k]), .random = fixed_source(3 + (uint64_t)k)};
        assert_true(twin.lasting.identity_bytes <= 64);
        assert_int_equal(
            twin.lasting.kind->identify(&twin.lasting, twin.random, twin.identity, (error *)&why), DITHER_OK);
        size_t bytes = twin.lasting.oracle.report_bytes;
        assert_int_equal(dither_local_report_size(&client), REPORT_HEAD + bytes);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            unsigned char report[REPORT], wanted[REPORT];
            uint64_t id = 0, known = 0;
            twin_report(&twin, values[i], wanted, &id);
            if (dither_local_report_again(&client, values[i], NOON, &account, &memory,
                                          (dither_random *)random, report, &why) != DITHER_OK)
                fail_msg("%s: %s", again[k].mechanism, why.message);
            struct report_head head = report_head_read(report);
            assert_true(head.key == again[k].key && head.id == id);
            assert_int_equal(head.period, again[k].period == DITHER_LOCAL_DAILY ? 20773 : 0);
            assert_memory_equal(report + REPORT_HEAD, wanted, bytes);
            for (int key = 0; key < 300; key++)
                known += twin.known[key];
            assert_near(account.spent, (double)known * local_lasting_cost(&twin.lasting), 1e-12);
        }
        random_close(random);
        random_close(twin.random);
        free(memory.bytes);
    }
}

/* Refused: account and memory as they were, and no report. */
static void refuses(const dither_local_client *client, uint32_t value, dither_local_account *account,
                    const dither_local_memory *memory, dither_status wanted, const char *message)
{
    struct random *random = fixed_source(1);
    unsigned char report[REPORT];
    unsigned char *before = malloc(memory->size + 1);
    double spent = account->spent;
    dither_error why;
    memset(report, 7, sizeof report);
    assert_non_null(before);
    if (memory->bytes != NULL)
        memcpy(before, memory->bytes, memory->size);
    assert_int_equal(dither_local_report_again(client, value, NOON, account, memory, (dither_random *)random,
                                               report, &why),
                     wanted);
    if (strstr(why.message, message) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, message);
    assert_true(account->spent == spent || spent != spent);
    if (memory->bytes != NULL && memory->size >= 32)
        assert_memory_equal(before, memory->bytes, 32); /* the head: what makes the rest count */
    for (size_t i = 0; i < dither_local_report_size(client); i++)
        assert_int_equal(report[i], 0);
    free(before);
    random_close(random);
}

static void memory_that_is_not_right_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < AGAIN; k++) {
        dither_local_client client = made(&again[k]);
        dither_local_memory memory = fresh(&client, 1);
        dither_local_account account = {4, 0};
        struct random *random = fixed_source(2);
        unsigned char report[REPORT];
        dither_error why;
        assert_int_equal(dither_local_report_again(&client, 3, NOON, &account, &memory,
                                                   (dither_random *)random, report, &why),
                         DITHER_OK);
        for (size_t at = 0; at < memory.size; at++)
            for (unsigned bit = 1; bit < 256; bit *= 16) {
                memory.bytes[at] ^= (unsigned char)bit;
                refuses(&client, 3, &account, &memory, DITHER_INVALID, "paid for anew");
                memory.bytes[at] ^= (unsigned char)bit;
            }
        dither_local_question other = again[k];
        other.epsilon = 0.5;
        dither_local_client stranger = made(&other);
        refuses(&stranger, 3, &account, &memory, DITHER_INVALID, "another question or setting");
        refuses(&client, 3, &account, &(dither_local_memory){memory.bytes, memory.size - 1}, DITHER_INVALID,
                "needs memory");
        refuses(&client, 3, &account, &(dither_local_memory){NULL, 0}, DITHER_INVALID, "needs memory");
        refuses(&client, again[k].domain, &account, &memory, DITHER_INVALID, "must be below");
        /* it is as it was, and the memo is free */
        double spent = account.spent;
        assert_int_equal(dither_local_report_again(&client, 3, NOON, &account, &memory,
                                                   (dither_random *)random, report, &why),
                         DITHER_OK);
        assert_near(account.spent, spent, 0);
        random_close(random);
        free(memory.bytes);
    }
}

/* A cap of 5 allows two memos of epsilon 2; room for two values allows no third; cleared, the first is paid for again. */
static void caps_and_rooms_hold_and_lost_memory_costs_again(void **state)
{
    (void)state;
    dither_local_client client = made(&again[0]);
    dither_local_memory memory = fresh(&client, 2);
    dither_local_account account = {5, 0};
    struct random *random = fixed_source(4);
    dither_random *bits = (dither_random *)random;
    unsigned char report[REPORT];
    dither_error why;
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(
            dither_local_report_again(&client, i % 2, NOON, &account, &memory, bits, report, &why),
            DITHER_OK);
    assert_near(account.spent, 4, 0);
    refuses(&client, 5, &account, &memory, DITHER_REFUSED, "no room for another value");
    dither_local_memory larger = fresh(&client, 3);
    memcpy(larger.bytes, memory.bytes, memory.size); /* room can be added behind */
    refuses(&client, 5, &account, &larger, DITHER_REFUSED, "would pass the lifetime cap of 5");
    account.cap = 6;
    assert_int_equal(dither_local_report_again(&client, 5, NOON, &account, &larger, bits, report, &why),
                     DITHER_OK);
    memset(larger.bytes, 0, larger.size);
    refuses(&client, 0, &account, &larger, DITHER_REFUSED, "would pass the lifetime cap of 6");
    account.cap = 100;
    assert_int_equal(dither_local_report_again(&client, 0, NOON, &account, &larger, bits, report, &why),
                     DITHER_OK);
    assert_near(account.spent, 8, 0);
    account.spent = NAN;
    refuses(&client, 1, &account, &larger, DITHER_REFUSED, "would pass");
    free(memory.bytes);
    free(larger.bytes);
    random_close(random);
}

static const dither_local_question tools = {.mechanism = "oue", .epsilon = 2, .domain = 20, .items = 3},
                                   plant = {.mechanism = "prefix", .epsilon = 3, .length = 7},
                                   colour = {.mechanism = "oue", .epsilon = 2, .domain = 20};

static void sets_and_texts_are_the_mechanisms(void **state)
{
    (void)state;
    static const uint32_t items[] = {4, 19};
    static const char text[] = "tulips and roses";
    dither_local_client clients[] = {made(&tools), made(&plant)};
    struct random *random = fixed_source(9), *twin = fixed_source(9);
    dither_random *bits = (dither_random *)random;
    dither_local_account account = {100, 0};
    struct local_set set;
    struct prefix prefix;
    error why;
    const struct local_setting setting = {.domain = 20, .epsilon = 2};
    assert_int_equal(local_set_init(&set, local_oracle_kind_named("oue"), &setting, 3, &why), DITHER_OK);
    assert_int_equal(prefix_init(&prefix, &(struct prefix_setting){3, 7, 0}, &why), DITHER_OK);
    assert_int_equal(dither_local_report_size(&clients[0]), REPORT_HEAD + set.oracle.report_bytes);
    assert_int_equal(dither_local_report_size(&clients[1]), REPORT_HEAD + prefix.report_bytes);
    for (int i = 0; i < 20; i++) {
        unsigned char report[REPORT], wanted[REPORT];
        uint64_t id = 0;
        assert_int_equal(
            dither_local_report_set(&clients[0], items, (size_t)i % 3, NOON, &account, bits, report, &why),
            DITHER_OK);
        assert_int_equal(random_word(twin, &id, &why), DITHER_OK);
        assert_int_equal(local_set_randomise(&set, items, (size_t)i % 3, twin, wanted, &why), DITHER_OK);
        assert_true(report_head_read(report).id == id);
        assert_memory_equal(report + REPORT_HEAD, wanted, set.oracle.report_bytes);
        assert_int_equal(
            dither_local_report_text(&clients[1], text, (size_t)i % 17, NOON, &account, bits, report, &why),
            DITHER_OK);
        assert_int_equal(random_word(twin, &id, &why), DITHER_OK);
        assert_int_equal(prefix_randomise(&prefix, text, (size_t)i % 17, twin, wanted, &why), DITHER_OK);
        assert_true(report_head_read(report).id == id);
        assert_memory_equal(report + REPORT_HEAD, wanted, prefix.report_bytes);
    }
    assert_near(account.spent, 100, 1e-9);
    unsigned char report[REPORT];
    assert_int_equal(dither_local_report_set(&clients[0], items, 2, NOON, &account, bits, report, &why),
                     DITHER_REFUSED);
    assert_int_equal(dither_local_report_text(&clients[1], text, 3, NOON, &account, bits, report, &why),
                     DITHER_REFUSED);
    random_close(random);
    random_close(twin);
}

static void functions_are_for_their_own_questions(void **state)
{
    (void)state;
    dither_local_client set = made(&tools), text = made(&plant), value = made(&colour),
                        mood = made(&again[0]);
    dither_local_account account = {100, 0};
    struct random *random = fixed_source(9);
    dither_random *bits = (dither_random *)random;
    dither_local_memory memory = fresh(&mood, 0);
    static const uint32_t items[] = {20};
    unsigned char report[REPORT];
    uint32_t chosen[4];
    dither_error why;
    assert_int_equal(dither_local_report(&set, 1, NOON, &account, bits, report, &why), DITHER_INVALID);
    assert_int_equal(dither_local_report(&mood, 1, NOON, &account, bits, report, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "about a value, again and again, not a value"));
    assert_int_equal(dither_local_report_number(&text, 1, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_text(&value, "a", 1, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_text(&text, NULL, 0, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_set(&value, items, 0, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_set(&set, items, 1, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_set(&set, NULL, 1, NOON, &account, bits, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report_again(&value, 1, NOON, &account, &memory, bits, report, &why),
                     DITHER_INVALID);
    assert_near(account.spent, 0, 0);
    assert_int_equal(dither_local_memory_size(&value, 1), 0);
    assert_int_equal(dither_local_memory_size(NULL, 1), 0);
    static const dither_local_question bad[] = {
        {.mechanism = "prefix", .epsilon = 1, .domain = 9},
        {.mechanism = "oue", .epsilon = 1, .domain = 9, .length = 4},
        {.mechanism = "duchi", .epsilon = 1, .upper = 9, .items = 4},
        {.mechanism = "lgrr", .epsilon = 1, .domain = 9},
        {.mechanism = "lgrr", .epsilon = 1, .domain = 9, .permanent = 2, .items = 2},
        {.mechanism = "oue", .epsilon = 1, .domain = 9, .permanent = 2},
        {.mechanism = "dbitflip", .epsilon = 1, .domain = 9, .permanent = 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(dither_local_init(&set, &bad[i], &why), DITHER_INVALID);
    assert_int_equal(dither_local_draw(4, 5, bits, chosen, &why), DITHER_INVALID);
    assert_int_equal(dither_local_draw(4, 4, bits, chosen, &why), DITHER_OK);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(chosen[i], i);
    random_close(random);
    free(memory.bytes);
}

/* ---- Nothing allocates ---- */

extern int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                                     void (*free_hook)(const volatile void *))
    __attribute__((weak));

static size_t allocations;

static void note_malloc(const volatile void *place, size_t size)
{
    (void)place, (void)size;
    allocations++;
}

static void note_free(const volatile void *place)
{
    (void)place;
}

static void no_client_allocates(void **state)
{
    (void)state;
    static dither_local_client client;
    static unsigned char report[REPORT], room[40000];
    dither_local_account account = {1000, 0};
    struct random *random = fixed_source(8);
    dither_random *bits = (dither_random *)random;
    uint32_t chosen[8];
    dither_error why;
    if (__sanitizer_install_malloc_and_free_hooks == NULL ||
        __sanitizer_install_malloc_and_free_hooks(note_malloc, note_free) == 0)
        skip(); /* built without the sanitizer */
    void *volatile one = malloc(1);
    free(one);
    assert_true(allocations > 0); /* they do count */
    allocations = 0;
    int failures = 0;
    for (int k = 0; k < AGAIN; k++) {
        memset(room, 0, sizeof room);
        failures += dither_local_init(&client, &again[k], &why) != DITHER_OK;
        for (uint32_t value = 0; value < 9; value++)
            failures += dither_local_report_again(&client, value, NOON, &account,
                                                  &(dither_local_memory){room, sizeof room}, bits, report,
                                                  &why) != DITHER_OK;
    }
    failures += dither_local_init(&client, &tools, &why) != DITHER_OK;
    failures += dither_local_report_set(&client, chosen, 0, NOON, &account, bits, report, &why) != DITHER_OK;
    failures += dither_local_init(&client, &plant, &why) != DITHER_OK;
    failures += dither_local_report_text(&client, "fig", 3, NOON, &account, bits, report, &why) != DITHER_OK;
    static const char *const oracles[] = {"grr",      "sue", "oue", "olh",  "ss",
                                          "hadamard", "pgr", "cms", "hcms", "rappor"};
    for (int i = 0; i < 10; i++) {
        const dither_local_question question = {.mechanism = oracles[i], .epsilon = 1, .domain = 50};
        failures += dither_local_init(&client, &question, &why) != DITHER_OK;
        failures += dither_local_report(&client, 7, NOON, &account, bits, report, &why) != DITHER_OK;
    }
    static const char *const numbers[] = {"duchi", "piecewise", "hybrid", "wave"};
    for (int i = 0; i < 4; i++) {
        const dither_local_question question = {.mechanism = numbers[i], .epsilon = 1, .upper = 50};
        failures += dither_local_init(&client, &question, &why) != DITHER_OK;
        failures += dither_local_report_number(&client, 7, NOON, &account, bits, report, &why) != DITHER_OK;
    }
    failures += dither_local_draw(8, 3, bits, chosen, &why) != DITHER_OK;
    size_t counted = allocations;
    assert_int_equal(failures, 0);
    assert_int_equal(counted, 0);
    random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_reports_are_the_mechanisms_and_memos_are_paid_for_once),
        cmocka_unit_test(memory_that_is_not_right_is_refused),
        cmocka_unit_test(caps_and_rooms_hold_and_lost_memory_costs_again),
        cmocka_unit_test(sets_and_texts_are_the_mechanisms),
        cmocka_unit_test(functions_are_for_their_own_questions),
        cmocka_unit_test(no_client_allocates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
