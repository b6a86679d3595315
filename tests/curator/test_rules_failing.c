/* The rules of a question that fails, is interrupted, or whose data cannot be opened: one text, the charge stays, the analyst is stopped or
 * may go on. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "curator/room.h"
#include "engine/engine_kind.h"
#include "tests/support/asked.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

#define ANALYSTS "analysts:\n  alice: {epsilon: 3}\n  bob: {epsilon: 3}\n"
#define COUNT    "SELECT count(*) AS n FROM people"

static struct asked asked;

static int begin(void **state)
{
    (void)state;
    asked_open(&asked, 400, ASKED_ORDINARY, ANALYSTS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    asked_close(&asked);
    return 0;
}

/* ---- Failures ---- */

/* The curator's engine is exchanged, after the question was prepared, for one of a database in which the table is
 * missing: DuckDB fails, with a message that must not be seen. */
struct exchange {
    struct engine *good, *bad;
};

static status exchange_engine(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    (void)cost;
    (void)half_width;
    (void)why;
    asked.curator->engine = ((struct exchange *)context)->bad;
    return DITHER_OK;
}

static struct engine *engine_without_people(struct arena *arena)
{
    static const char policy_text[] = "dataset: other\n"
                                      "tables:\n"
                                      "  clinics:\n"
                                      "    source: clinics.csv\n"
                                      "    public: true\n"
                                      "    columns: {clinic: {type: integer}, name: {type: text}}\n"
                                      "  others:\n"
                                      "    source: clinics.csv\n"
                                      "    unit: clinic\n"
                                      "    rows_per_unit: 1\n"
                                      "    columns: {clinic: {type: integer}, name: {type: text}}\n"
                                      "budget: {epsilon: 1}\n";
    const struct policy *policy = NULL;
    struct engine *engine = NULL;
    char path[160];
    snprintf(path, sizeof path, "%s/other.yaml", asked.folder);
    if (policy_read_text(policy_text, strlen(policy_text), path, arena, &policy, &asked.why) != DITHER_OK ||
        engine_open(policy, &(struct engine_options){.threads = 1}, &engine, &asked.why) != DITHER_OK)
        fail_msg("%s", asked.why.message);
    return engine;
}

static status ask_of_a_failing_engine(const char *analyst, const char *text)
{
    struct arena arena;
    arena_init(&arena, POLICY_ARENA_BYTES);
    struct exchange exchange = {asked.curator->engine, engine_without_people(&arena)};
    struct curator_question question = {
        .text = text, .analyst = analyst, .confirm = exchange_engine, .context = &exchange};
    status result = asked_try(&asked, &question);
    asked.curator->engine = exchange.good;
    engine_close(exchange.bad);
    arena_free(&arena);
    return result;
}

static void an_engine_failure_has_one_text_keeps_the_charge_and_stops_the_analyst(void **state)
{
    (void)state;
    char log[200];
    struct stat found;
    assert_int_equal(ask_of_a_failing_engine("alice", COUNT), DITHER_IO);
    assert_string_equal(asked.why.message, ENGINE_FAILED);
    struct curator_question question = {.text = COUNT, .analyst = "alice"};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "alice is stopped"));
    asked_as(&asked, "bob", COUNT); /* not he */
    asked_expect_left(&asked, NULL, "epsilon 9, delta 0.000001");
    snprintf(log, sizeof log, "%s.log", asked.policy);
    assert_int_equal(stat(log, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_int_equal(ledger_lift(asked.curator->ledger, "alice", NULL), DITHER_OK);
    asked_expect_left(&asked, "alice", "epsilon 2.5, delta 0.000001");
    asked_as(&asked, "alice", COUNT); /* bob's is stored: hers to pay for, not the dataset's */
    asked_expect_left(&asked, NULL, "epsilon 9, delta 0.000001");
}

static void who_is_stopped_is_not_shown_again_what_he_has_seen(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .analyst = "alice"};
    asked_as(&asked, "alice", COUNT);
    assert_int_equal(ledger_stop(asked.curator->ledger, "alice", "a test", NULL), DITHER_OK);
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "alice is stopped"));
    assert_int_equal(ledger_lift(asked.curator->ledger, "alice", NULL), DITHER_OK);
    asked_as(&asked, "alice", COUNT);
    assert_true(asked.answer->cached);
}

/* The n-th allocation fails: nothing is charged, or the message says that it stays. */
static void whatever_fails_the_charge_is_told(void **state)
{
    (void)state;
    size_t charged = 0, free_of_charge = 0;
    for (uint64_t n = 1; n < 100000; n += 1 + n / 5) {
        char text[100], before[LEDGER_COST_TEXT], message[sizeof asked.why.message];
        snprintf(text, sizeof text, "SELECT count(*) FROM people WHERE salary < %llu", (unsigned long long)n);
        struct curator_question question = {.text = text, .settings = {.epsilon = decimal("0.001")}};
        snprintf(before, sizeof before, "%s", asked_left(&asked, NULL));
        memory_fail_at(n);
        status result = asked_try(&asked, &question);
        bool failed = memory_has_failed();
        memory_fail_at(0);
        memcpy(message, asked.why.message, sizeof message);
        if (result == DITHER_OK && !failed)
            break;
        if (result != DITHER_OK && strcmp(message, ENGINE_FAILED) == 0)
            assert_int_equal(ledger_lift(asked.curator->ledger, NULL, NULL), DITHER_OK);
        asked_reopen(&asked); /* a ledger that failed to write is spent */
        bool paid = strcmp(asked_left(&asked, NULL), before) != 0;
        if (result != DITHER_OK && paid && strstr(message, "the charge stays") == NULL)
            fail_msg("allocation %llu: charged, and said: %s", (unsigned long long)n, message);
        charged += result != DITHER_OK && paid;
        free_of_charge += result != DITHER_OK && !paid;
    }
    assert_true(charged > 0 && free_of_charge > 0);
}

static status interrupt(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    (void)context;
    (void)cost;
    (void)half_width;
    (void)why;
    curator_interrupt(asked.curator);
    return DITHER_OK;
}

static void an_interrupt_before_the_charge_is_free(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .confirm = interrupt};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "interrupted; nothing was charged"));
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
    asked_as(&asked, NULL, COUNT); /* and it is over then */
}

/* The engine's release, with another thread that interrupts it without a pause. An interrupt between two statements is
 * forgotten by DuckDB, so the release is repeated until one has hit. */
static struct engine_kind interrupted_kind;
static const struct engine_kind *kind_before;
static atomic_bool enough;

static void *interrupt_without_pause(void *context)
{
    (void)context;
    while (!atomic_load(&enough))
        curator_interrupt(asked.curator);
    return NULL;
}

static status release_interrupted(struct engine *engine, const struct engine_request *request,
                                  struct arena *arena, struct engine_groups *out, error *why)
{
    pthread_t thread;
    status result = DITHER_OK;
    atomic_store(&enough, false);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_without_pause, NULL), 0);
    for (int i = 0; i < 1000 && result == DITHER_OK; i++)
        result = kind_before->release(engine, request, arena, out, why);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
    return result;
}

static void an_interrupt_after_the_charge_keeps_it_and_stops_nobody(void **state)
{
    (void)state;
    struct engine *engine = asked.curator->engine;
    struct curator_question question = {.text = "SELECT avg(age) AS a FROM people", .analyst = "alice"};
    kind_before = engine->kind;
    interrupted_kind = *kind_before;
    interrupted_kind.release = release_interrupted;
    engine->kind = &interrupted_kind;
    status result = asked_try(&asked, &question);
    engine->kind = kind_before;
    assert_int_equal(result, DITHER_REFUSED);
    assert_string_equal(asked.why.message, "interrupted; the charge stays");
    asked_expect_left(&asked, "alice", "epsilon 2.5, delta 0.000001");
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000001");
    asked_as(&asked, "alice", question.text); /* she may go on, and what was never drawn is paid for again */
    asked_expect_cost(&asked, "0.5");
    asked_expect_left(&asked, "alice", "epsilon 2, delta 0.000001");
}

/* ---- Opening ---- */

static void who_is_not_the_owner_gets_one_text_when_the_rows_do_not_fit(void **state)
{
    (void)state;
    static const char *const rows[] = {"3,1,north,5,flu\n",
                                       "401,\"1,north,5,flu\n"}; /* a person twice; a quote */
    struct curator_options options = {.engine = {.threads = 1}, .state_directory = asked.state};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct curator *curator = NULL;
        char people[160], log[200];
        struct stat found;
        snprintf(people, sizeof people, "%s/people.csv", asked.folder);
        FILE *file = fopen(people, "a");
        assert_non_null(file);
        fputs(rows[i], file);
        fclose(file);
        options.owner = false;
        assert_int_equal(curator_open(asked.policy, &options, &curator, &asked.why), DITHER_IO);
        assert_string_equal(asked.why.message,
                            "the data source could not be opened; the owner has been told");
        snprintf(log, sizeof log, "%s.log", asked.policy);
        assert_int_equal(stat(log, &found), 0);
        options.owner = true;
        assert_int_not_equal(curator_open(asked.policy, &options, &curator, &asked.why), DITHER_OK);
        assert_non_null(strstr(asked.why.message, i == 0 ? "several rows" : "people.csv"));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(an_engine_failure_has_one_text_keeps_the_charge_and_stops_the_analyst),
        TEST(who_is_stopped_is_not_shown_again_what_he_has_seen),
        TEST(whatever_fails_the_charge_is_told),
        TEST(an_interrupt_before_the_charge_is_free),
        TEST(an_interrupt_after_the_charge_keeps_it_and_stops_nobody),
        TEST(who_is_not_the_owner_gets_one_text_when_the_rows_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
