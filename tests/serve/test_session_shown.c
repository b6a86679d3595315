/* A question that is asked again word by word gets the bytes that left before, and only where a question of its own would
 * have brought the same. A backend stands in that remembers every answer and tells what it was asked: "ask" when it had to
 * give the answer, "may" when it was only asked whether it may be shown. */
#include "tests/support/session_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/cost.h"
#include "serve/journal.h"

#define AGAIN(left)  "N[SNOTICE|VNOTICE|C00000|Mcost nothing, it was paid for before; left epsilon " left "|] "
#define ROWS         "T[region|n|] D[north|10] D[20] "
#define ANSWER(left) ROWS AGAIN(left) "C[SELECT 2|] "

static const struct serve_backend *bare; /* without memory */
static const char *left_now;
static bool is_known, is_stopped, is_first;

static struct ledger_cost cost_of(const char *epsilon)
{
    struct ledger_cost cost = ledger_cost_zero();
    assert_int_equal(decimal_parse(epsilon, &cost.epsilon, NULL), DITHER_OK);
    return cost;
}

static status refuse(error *why)
{
    return fail(why, DITHER_REFUSED, "alice is stopped");
}

static status recall(void *context, const struct curator_question *question, struct ledger_sight *sight,
                     struct curator_answer **out, error *why)
{
    (void)sight;
    *out = NULL;
    if (is_first || question->request != NULL)
        return DITHER_OK;
    if (is_stopped)
        return refuse(why);
    TRY(bare->ask(context, question, out, why));
    (*out)->cached = true;
    (*out)->cost = ledger_cost_zero();
    (*out)->remaining = cost_of(left_now);
    return DITHER_OK;
}

static status may_show(void *context, struct ledger_sight *sight, const char *analyst,
                       struct ledger_cost *left, bool *known, error *why)
{
    (void)context, (void)sight;
    buffer_format(&backend_told, "may(%s) ", analyst != NULL ? analyst : "owner");
    *known = is_known;
    *left = cost_of(left_now);
    return is_stopped ? refuse(why) : DITHER_OK;
}

static struct serve_backend remembering;
static char log_path[] = "/tmp/dither-shown-XXXXXX";

static int set_up(void **state)
{
    error why;
    if (set_up_session(state) != 0 || close(mkstemp(log_path)) != 0)
        return -1;
    bare = test_host.backend;
    remembering = *bare;
    remembering.recall = recall;
    remembering.may_show = may_show;
    test_host.backend = &remembering;
    return journal_open(&(struct journal_options){.path = log_path}, &test_host.journal, &why) == DITHER_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    journal_close(test_host.journal);
    test_host.journal = NULL;
    test_host.backend = bare;
    unlink(log_path);
    return tear_down_session(state);
}

static struct client begin(void)
{
    error why;
    left_now = "9.9";
    is_known = true;
    is_stopped = is_first = false;
    assert_int_equal(shown_new(&test_host.shown, &why), DITHER_OK);
    return client_signed_in();
}

static void end(struct client *client)
{
    client_disconnect(client);
    shown_free(test_host.shown);
    test_host.shown = NULL;
}

/* How many lines of the log have these words. */
static size_t lines_with(const char *words)
{
    char line[1000];
    size_t count = 0;
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, words) != NULL;
    fclose(file);
    return count;
}

static void the_second_time_the_bytes_are_at_hand(void **state)
{
    (void)state;
    struct client client = begin();
    is_first = true;
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    client_expect(&client, ROWS COST "C[SELECT 2|] Z[I] ");
    is_first = false; /* from now on it is remembered, and what it cost is nothing */
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    client_expect(&client, ANSWER("9.9") "Z[I] ");
    size_t before = lines_with("\"outcome\": \"cached\"");
    for (int i = 0; i < 3; i++) {
        client_query(&client, "SELECT 1");
        expect_told("may(alice) ");
        client_expect(&client, ANSWER("9.9") "Z[I] ");
    }
    assert_int_equal(lines_with("\"outcome\": \"cached\", \"cost\": {\"epsilon\": 0"), before + 3);
    /* beside others, and in a transaction that is told as it is now */
    client_query(&client, "BEGIN; SELECT 1; SHOW dither.epsilon; SELECT 1");
    expect_told("may(alice) may(alice) ");
    client_expect(&client,
                  "C[BEGIN|] " ANSWER("9.9") "T[dither.epsilon|] D[] C[SHOW|] " ANSWER("9.9") "Z[T] ");
    end(&client);
}

static void what_is_told_of_the_budget_is_true(void **state)
{
    (void)state;
    struct client client = begin();
    client_query(&client, "SELECT 1");
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) may(alice) ");
    (void)client_received(&client);
    left_now = "9.8";
    client_query(&client, "SELECT 1");
    expect_told("may(alice) ask(SELECT 1 as alice epsilon 0) ");
    client_expect(&client, ANSWER("9.8") "Z[I] ");
    client_query(&client, "SELECT 1");
    expect_told("may(alice) ");
    client_expect(&client, ANSWER("9.8") "Z[I] ");
    end(&client);
}

static void nothing_is_shown_without_the_ledger(void **state)
{
    (void)state;
    struct client client = begin();
    client_query(&client, "SELECT 1");
    (void)client_received(&client);
    buffer_clear(&backend_told);
    is_known = false;
    client_query(&client, "SELECT 1");
    expect_told("may(alice) ask(SELECT 1 as alice epsilon 0) ");
    client_expect(&client, ANSWER("9.9") "Z[I] ");
    is_known = true;
    is_stopped = true;
    client_query(&client, "SELECT 1");
    expect_in(client_received(&client), "alice is stopped");
    buffer_clear(&backend_told);
    is_stopped = false;
    size_t cached = lines_with("\"outcome\": \"cached\""), refused = lines_with("\"outcome\": \"refused\"");
    client_query(&client, "SELECT 1"); /* what went wrong before is not noted again */
    expect_told("may(alice) ");
    client_expect(&client, ANSWER("9.9") "Z[I] ");
    assert_int_equal(lines_with("\"outcome\": \"cached\""), cached + 1);
    assert_int_equal(lines_with("\"outcome\": \"refused\""), refused);
    shown_forget(test_host.shown); /* as after a reload of the policy */
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    end(&client);
}

static void ask_as(const char *parameters, size_t size)
{
    struct client client;
    client_connect(&client);
    client_start_up(&client, 196608, parameters, size);
    client_sign_in(&client, "pencil");
    client_query(&client, "SELECT 1");
    expect_in(client_received(&client), ANSWER("9.9") "Z[I] ");
    client_disconnect(&client);
}

static void other_words_settings_and_askers_have_their_own(void **state)
{
    (void)state;
    struct client client = begin();
    client_query(&client, "SELECT 1");
    buffer_clear(&backend_told);
    client_query(&client, "SELECT  1");
    expect_told("ask(SELECT  1 as alice epsilon 0) ");
    client_query(&client, "SET dither.epsilon = 0.5");
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0.5) ");
    client_query(&client, "RESET dither.epsilon; SET dither.intervals = on");
    (void)client_received(&client);
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    expect_in(client_received(&client), "n_low");
    client_query(&client, "SET dither.intervals = off; SET dither.notices = off");
    (void)client_received(&client);
    client_query(&client, "SELECT 1");
    client_expect(&client, ROWS "C[SELECT 2|] Z[I] ");
    buffer_clear(&backend_told);
    client_query(&client, "RESET ALL");
    client_query(&client, "SELECT 1");
    expect_told("may(alice) ");
    /* a name for the question: the ledger's */
    client_query(&client, "SET dither.request_id = 'r1'");
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0 request r1) ");
    end(&client);

    client = begin();
    client_query(&client, "SELECT 1");
    buffer_clear(&backend_told);
    ask_as("user\0bob\0database\0hospital\0", sizeof "user\0bob\0database\0hospital\0");
    expect_told("ask(SELECT 1 as bob epsilon 0) ");
    ask_as("user\0olga\0database\0hospital\0", sizeof "user\0olga\0database\0hospital\0");
    expect_told("ask(SELECT 1 as owner epsilon 0) ");
    end(&client);
}

static void other_ways_to_ask_are_not_mixed_up(void **state)
{
    (void)state;
    struct client client = begin();
    /* rows without columns before them */
    SEND('P', "\0SELECT 1\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    client_expect(&client, "1[] 2[] D[north|10] D[20] " AGAIN("9.9") "C[SELECT 2|] Z[I] ");
    client_query(&client, "BEGIN; DECLARE c CURSOR FOR SELECT 1");
    (void)client_received(&client);
    client_query(&client, "COMMIT");
    (void)client_received(&client);
    buffer_clear(&backend_told);
    client_query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    client_expect(&client, ANSWER("9.9") "Z[I] ");
    /* one that leaves in pieces is not kept */
    backend_rows = 20000;
    for (int i = 0; i < 2; i++) {
        client_query(&client, "SELECT 2");
        expect_told("ask(SELECT 2 as alice epsilon 0) ");
        assert_true(client.received.length > 300000);
        buffer_free(&client.received);
    }
    backend_rows = 2;
    end(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_time_the_bytes_are_at_hand),
        cmocka_unit_test(what_is_told_of_the_budget_is_true),
        cmocka_unit_test(nothing_is_shown_without_the_ledger),
        cmocka_unit_test(other_words_settings_and_askers_have_their_own),
        cmocka_unit_test(other_ways_to_ask_are_not_mixed_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
