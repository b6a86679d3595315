/* What the curator promises around an answer: what is charged, to whom and when; what is stored and given again;
 * what is refused, and that it costs nothing; that the noise of a whole question has the scale that it says.
 * On the made-up hospital of asked.h, with an ordinary budget and a fixed random source. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/memory.h"
#include "curator/room.h"
#include "engine/engine_kind.h"
#include "tests/support/asked.h"
#include "tests/support/fit.h"
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

static void ask_as(const char *analyst, const char *text)
{
    struct curator_question question = {.text = text, .analyst = analyst};
    if (asked_try(&asked, &question) != DITHER_OK)
        fail_msg("%s: %s", text, asked.why.message);
}

static void expect_cost(const char *epsilon_text)
{
    char printed[DECIMAL_TEXT];
    decimal_print(asked.answer->cost.epsilon, printed);
    assert_string_equal(printed, epsilon_text);
}

static void expect_left(const char *analyst, const char *left)
{
    assert_string_equal(asked_left(&asked, analyst), left);
}

/* ---- Charges ---- */

static void a_question_costs_what_the_policy_says(void **state)
{
    (void)state;
    ask_as("alice", COUNT);
    expect_cost("0.5");
    assert_false(asked.answer->cached);
    expect_left("alice", "epsilon 2.5, delta 0.000001");
    expect_left(NULL, "epsilon 9.5, delta 0.000001");
}

static void the_same_question_again_is_the_same_answer_for_nothing(void **state)
{
    (void)state;
    char first[256];
    ask_as("alice", COUNT);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    ask_as("alice", "SELECT count(*) AS number FROM people -- other words, the same release");
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->cached);
    expect_cost("0");
    ask_as("alice", COUNT); /* the very same words, in the same process */
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->cached && asked.answer->intervals[0].known);
    expect_cost("0");
    asked_reopen(&asked);
    ask_as("alice", COUNT);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    expect_left(NULL, "epsilon 9.5, delta 0.000001");
}

static void who_sees_a_stored_release_first_pays_from_his_own_cap(void **state)
{
    (void)state;
    char first[256];
    ask_as("alice", COUNT);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    ask_as("bob", COUNT);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_false(asked.answer->cached); /* else it would tell what alice asked */
    expect_cost("0.5");
    expect_left("bob", "epsilon 2.5, delta 0.000001");
    expect_left(NULL, "epsilon 9.5, delta 0.000001");
}

static void another_amount_is_another_draw(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .settings = {.epsilon = decimal("0.25")}};
    ask_as(NULL, COUNT);
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    expect_cost("0.25");
    assert_true(asked.answer->columns[0].noise.scale == 4);
}

static void a_question_about_one_region_costs_that_region(void **state)
{
    (void)state;
    ask_as(NULL, "SELECT count(*) FROM people WHERE region = 'north'");
    ask_as(NULL, "SELECT count(*) FROM people WHERE region = 'south'");
    expect_left(NULL, "epsilon 9.5, delta 0.000001");
    ask_as(NULL, "SELECT count(*) FROM people WHERE region = 'north' OR age > 3");
    expect_left(NULL, "epsilon 9, delta 0.000001");
    ask_as(NULL, "SELECT count(*) FROM people WHERE region = 'Atlantis'");
    expect_cost("0.5"); /* charged to rest */
}

static void hidden_keys_cost_delta_too(void **state)
{
    (void)state;
    ask_as(NULL, "SELECT disease, count(*) FROM people GROUP BY disease");
    expect_cost("0.5");
    expect_left(NULL, "epsilon 9.5, delta 0.000000999");
}

static void several_releases_share_the_amount(void **state)
{
    (void)state;
    ask_as(NULL,
           "SELECT (SELECT count(*) FROM people WHERE age < 10) AS a, (SELECT sum(age) FROM people) AS b");
    expect_cost("0.5");
    assert_true(asked.answer->columns[0].noise.epsilon < 0.5 && asked.answer->columns[1].noise.epsilon < 0.5);
}

/* ---- Refusals are free ---- */

static void expect_refusal(const char *text, struct sql_options settings, const char *words)
{
    struct curator_question question = {.text = text, .settings = settings};
    if (asked_try(&asked, &question) == DITHER_OK)
        fail_msg("answered: %s", text);
    if (strstr(asked.why.message, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, asked.why.message);
}

static void what_is_refused_costs_nothing(void **state)
{
    (void)state;
    struct sql_options none = {0};
    expect_refusal("SELECT * FROM people", none, "");
    expect_refusal("SELECT count(*) FROM nobody", none, "nobody");
    expect_refusal("SELEKT 1", none, "syntax");
    expect_refusal(COUNT, (struct sql_options){.epsilon = decimal("3")}, "3");
    expect_refusal(COUNT, (struct sql_options){.rho = decimal("1")}, "epsilon");
    expect_left(NULL, "epsilon 10, delta 0.000001");
    struct curator_question stranger = {.text = COUNT, .analyst = "mallory"};
    assert_int_equal(asked_try(&asked, &stranger), DITHER_REFUSED);
    expect_left(NULL, "epsilon 10, delta 0.000001");
}

static status say_no(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    *(double *)context = half_width;
    assert_true(decimal_to_double(cost->epsilon) == 0.5);
    return fail(why, DITHER_REFUSED, "too dear");
}

/* The half width of epsilon 0.5: the least w with 2 q^(w+1) / (1 + q) <= 0.05, q = exp(-0.5), is 6. */
static void the_price_is_said_before_it_is_paid(void **state)
{
    (void)state;
    double half_width = 0;
    struct curator_question question = {.text = COUNT, .confirm = say_no, .context = &half_width};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_string_equal(asked.why.message, "too dear");
    assert_true(half_width == 6);
    expect_left(NULL, "epsilon 10, delta 0.000001");
}

/* ---- Retries ---- */

static void a_retry_gets_the_stored_answer(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .analyst = "alice", .request = "one"};
    char first[256];
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    double lower = asked.answer->intervals[0].lower;
    asked_reopen(&asked);
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->intervals[0].known && asked.answer->intervals[0].lower == lower);
    assert_string_equal(asked.answer->columns[0].name, "n");
    expect_left("alice", "epsilon 2.5, delta 0.000001");
    question.text = "SELECT sum(age) FROM people";
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    expect_left("alice", "epsilon 2.5, delta 0.000001");
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
    ask_as("bob", COUNT); /* not he */
    expect_left(NULL, "epsilon 9, delta 0.000001");
    snprintf(log, sizeof log, "%s.log", asked.policy);
    assert_int_equal(stat(log, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_int_equal(ledger_lift(asked.curator->ledger, "alice", NULL), DITHER_OK);
    expect_left("alice", "epsilon 2.5, delta 0.000001");
    ask_as("alice", COUNT); /* bob's is stored: hers to pay for, not the dataset's */
    expect_left(NULL, "epsilon 9, delta 0.000001");
}

static void who_is_stopped_is_not_shown_again_what_he_has_seen(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .analyst = "alice"};
    ask_as("alice", COUNT);
    assert_int_equal(ledger_stop(asked.curator->ledger, "alice", "a test", NULL), DITHER_OK);
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "alice is stopped"));
    assert_int_equal(ledger_lift(asked.curator->ledger, "alice", NULL), DITHER_OK);
    ask_as("alice", COUNT);
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
    expect_left(NULL, "epsilon 10, delta 0.000001");
    ask_as(NULL, COUNT); /* and it is over then */
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
    expect_left("alice", "epsilon 2.5, delta 0.000001");
    expect_left(NULL, "epsilon 9.5, delta 0.000001");
    ask_as("alice", question.text); /* she may go on, and what was never drawn is paid for again */
    expect_cost("0.5");
    expect_left("alice", "epsilon 2, delta 0.000001");
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

/* ---- Noise ---- */

static double tail_of_scale_2(const void *law, int64_t k)
{
    (void)law;
    double q = exp(-0.5);
    return k > 0 ? pow(q, (double)k) / (1 + q) : 1 - pow(q, (double)(1 - k)) / (1 + q);
}

/* Four people of each age; those with id >= 100 t are left out. 15 questions of 100 groups; each person is in one
 * group, so epsilon 0.5 buys scale 2. */
static void the_noise_of_a_question_has_the_scale_that_it_says(void **state)
{
    (void)state;
    int64_t noise[1500];
    size_t count = 0;
    for (size_t t = 0; t < 15; t++) {
        char text[200];
        snprintf(text, sizeof text,
                 "SELECT age, count(*) FROM people WHERE id < %zu AND %zu = %zu GROUP BY age ORDER BY age",
                 100 * (t % 4), t, t);
        ask_as(NULL, text);
        assert_int_equal(asked.answer->rows.row_count, 100);
        assert_true(asked.answer->columns[1].noise.scale == 2);
        for (size_t row = 0; row < 100; row++)
            noise[count++] = sql_rows_cell(&asked.answer->rows, row, 1)->whole - (int64_t)(t % 4);
    }
    struct fit_noise fit = fit_noise(noise, count, 1, tail_of_scale_2, NULL);
    assert_true(fit.chi_square < fit_threshold(fit.freedom));
    assert_true(fabs(fit.mean) < 0.4);
}

/* ---- Wanted errors ---- */

/* P(|X| > 50) = 2 q^51 / (1 + q) <= 0.05 where epsilon >= 0.0586...: found by bisection here, too. */
static double least_epsilon(int width)
{
    double low = 0, high = 10;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2, q = exp(-middle);
        if (2 * pow(q, width + 1) / (1 + q) <= 0.05)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void a_wanted_error_buys_the_least_amount(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .error_wanted = "50"};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    double paid = decimal_to_double(asked.answer->cost.epsilon);
    assert_true(paid >= least_epsilon(50) && paid < 1.001 * least_epsilon(50)); /* to four digits */
    assert_true(asked.answer->intervals[0].upper - asked.answer->intervals[0].lower == 100);
    question = (struct curator_question){.text = COUNT, .error_wanted = "5%", .declared_size = 400};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    paid = decimal_to_double(asked.answer->cost.epsilon);
    assert_true(paid >= least_epsilon(20) && paid < 1.001 * least_epsilon(20));
}

static void errors_that_cannot_be_promised_are_refused(void **state)
{
    (void)state;
    struct curator_question question = {.text = "SELECT avg(age) FROM people", .error_wanted = "5"};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "declare a size"));
    question.text = "SELECT median(age) FROM people";
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    question = (struct curator_question){.text = COUNT, .error_wanted = "0.1"};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    question = (struct curator_question){.text = COUNT, .error_wanted = "5%"};
    assert_int_equal(asked_try(&asked, &question), DITHER_INVALID);
    question = (struct curator_question){.text = COUNT, .error_wanted = "wide"};
    assert_int_equal(asked_try(&asked, &question), DITHER_INVALID);
    expect_left(NULL, "epsilon 10, delta 0.000001");
    question = (struct curator_question){
        .text = "SELECT avg(age) FROM people", .error_wanted = "5", .declared_size = 400};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    assert_true(decimal_to_double(asked.answer->cost.epsilon) < 0.5);
    assert_true(asked.answer->intervals[0].upper - asked.answer->intervals[0].lower < 15);
}

/* ---- Explaining ---- */

static void explaining_spends_nothing_and_says_it_all(void **state)
{
    (void)state;
    static const char *const words[] = {"cost: epsilon 0.5",
                                        "geometric",
                                        "people.id",
                                        "public, all 4 are shown",
                                        "expected +-",
                                        "sensitivity 1",
                                        "a unit is in at most 1 group",
                                        "  sql: ",
                                        "charged to: all"};
    struct curator_question question = {.text = "SELECT region, count(*) AS n FROM people GROUP BY region"};
    struct buffer out;
    buffer_init(&out, 1 << 20);
    assert_int_equal(curator_explain(asked.curator, &question, false, &out, &asked.why), DITHER_OK);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(out.data, words[i]) == NULL)
            fail_msg("\"%s\" is not in:\n%s", words[i], out.data);
    buffer_clear(&out);
    assert_int_equal(curator_explain(asked.curator, &question, true, &out, &asked.why), DITHER_OK);
    assert_non_null(strstr(out.data, "\"cost\""));
    buffer_free(&out);
    expect_left(NULL, "epsilon 10, delta 0.000001");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_question_costs_what_the_policy_says),
        TEST(the_same_question_again_is_the_same_answer_for_nothing),
        TEST(who_sees_a_stored_release_first_pays_from_his_own_cap),
        TEST(another_amount_is_another_draw),
        TEST(a_question_about_one_region_costs_that_region),
        TEST(hidden_keys_cost_delta_too),
        TEST(several_releases_share_the_amount),
        TEST(what_is_refused_costs_nothing),
        TEST(the_price_is_said_before_it_is_paid),
        TEST(a_retry_gets_the_stored_answer),
        TEST(an_engine_failure_has_one_text_keeps_the_charge_and_stops_the_analyst),
        TEST(who_is_stopped_is_not_shown_again_what_he_has_seen),
        TEST(whatever_fails_the_charge_is_told),
        TEST(an_interrupt_before_the_charge_is_free),
        TEST(an_interrupt_after_the_charge_keeps_it_and_stops_nobody),
        TEST(who_is_not_the_owner_gets_one_text_when_the_rows_do_not_fit),
        TEST(the_noise_of_a_question_has_the_scale_that_it_says),
        TEST(a_wanted_error_buys_the_least_amount),
        TEST(errors_that_cannot_be_promised_are_refused),
        TEST(explaining_spends_nothing_and_says_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
