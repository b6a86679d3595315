/* Several curators on one dataset, each on a thread of its own, on DuckDB and on PostgreSQL. With an epsilon so large that
 * the noise is nothing every answer is the true one, whoever gives it, while all ask at once; every question is charged
 * once; what one has answered the others give again, as paid for before; an interrupt stops the curator it is for. */
#include "tests/support/test.h"

#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "curator/curator.h"
#include "tests/support/hospital_servers.h"

enum { CURATORS = 4, QUESTIONS = 6, PATIENTS = 40 };

struct house {
    struct hospital_servers servers;
    struct small_hospital hospital;
    struct curator *curators[CURATORS];
};

static struct house house;

static int set_up(enum hospital_place place)
{
    struct curator_options options = {.engine.threads = 1};
    error why;
    hospital_servers_start(&house.servers, place);
    hospital_servers_make(&house.servers, "joined", &house.hospital, &(struct small_hospital_options){0});
    if (curator_open(house.hospital.policy, &options, &house.curators[0], &why) != DITHER_OK)
        fail_msg("%s", why.message);
    for (int i = 1; i < CURATORS; i++)
        if (curator_join(house.curators[0], &house.curators[i], &why) != DITHER_OK)
            fail_msg("%s", why.message);
    return 0;
}

static int on_files(void **state)
{
    (void)state;
    return set_up(HOSPITAL_FILES);
}

static int on_a_server(void **state)
{
    (void)state;
    return set_up(HOSPITAL_SERVER);
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = CURATORS - 1; i >= 0; i--)
        curator_close(house.curators[i]);
    small_hospital_remove(&house.hospital);
    hospital_servers_stop(&house.servers);
    return 0;
}

static struct curator_answer *ask(struct curator *curator, const char *text)
{
    struct curator_answer *answer = NULL;
    error why;
    if (curator_ask(curator, &(struct curator_question){.text = text}, &answer, &why) != DITHER_OK)
        fail_msg("%s: %s", text, why.message);
    return answer;
}

struct asker {
    struct curator *curator;
    int number;
    int64_t counts[QUESTIONS];
    pthread_t thread;
};

static void *ask_all(void *context)
{
    struct asker *asker = context;
    for (int i = 0; i < QUESTIONS; i++) {
        char text[120];
        snprintf(text, sizeof text, "SELECT count(*) FROM patients WHERE patient_id > %d",
                 asker->number * QUESTIONS + i);
        struct curator_answer *answer = ask(asker->curator, text);
        asker->counts[i] = answer->rows.cells[0].whole;
        assert_false(answer->cached);
        curator_answer_free(answer);
    }
    mpfr_free_cache(); /* which it keeps for each thread */
    return NULL;
}

/* The ids are 1, 2, ... 40: how many are greater is known. */
static void all_ask_at_once_and_every_answer_is_true_and_charged_once(void **state)
{
    (void)state;
    struct asker askers[CURATORS];
    struct ledger_cost before, after;
    struct decimal spent, each;
    error why;
    assert_int_equal(curator_remaining(house.curators[0], NULL, &before, &why), DITHER_OK);
    for (int i = 0; i < CURATORS; i++) {
        askers[i] = (struct asker){.curator = house.curators[i], .number = i};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_all, &askers[i]), 0);
    }
    for (int i = 0; i < CURATORS; i++) {
        pthread_join(askers[i].thread, NULL);
        for (int j = 0; j < QUESTIONS; j++)
            assert_int_equal(askers[i].counts[j], PATIENTS - i * QUESTIONS - j);
    }
    struct curator_answer *one =
        ask(house.curators[1], "SELECT count(*) FROM patients WHERE patient_id > 39");
    each = one->cost.epsilon;
    curator_answer_free(one);
    assert_int_equal(curator_remaining(house.curators[2], NULL, &after, &why), DITHER_OK);
    assert_true(decimal_multiply(each, CURATORS * QUESTIONS + 1, &spent));
    assert_true(decimal_add(after.epsilon, spent, &after.epsilon));
    assert_int_equal(decimal_compare(after.epsilon, before.epsilon), 0);
}

static void what_one_has_answered_all_give_again(void **state)
{
    (void)state;
    const char *text = "SELECT avg(age) AS a FROM patients WHERE patient_id <> 7";
    const char *other_words = "SELECT avg(age) AS b FROM patients WHERE patient_id <> 7";
    struct curator_answer *first = ask(house.curators[3], text);
    assert_false(first->cached);
    for (int i = 0; i < CURATORS; i++) {
        struct curator_answer *again = ask(house.curators[i], text);
        assert_true(again->cached);
        assert_memory_equal(&again->rows.cells[0].real, &first->rows.cells[0].real, sizeof(double));
        curator_answer_free(again);
        again = ask(house.curators[i], other_words); /* from the ledger's stored release */
        assert_true(again->cached);
        assert_memory_equal(&again->rows.cells[0].real, &first->rows.cells[0].real, sizeof(double));
        curator_answer_free(again);
    }
    curator_answer_free(first);
}

static status interrupt_the_next(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    (void)cost, (void)half_width, (void)why;
    curator_interrupt(context);
    return DITHER_OK;
}

static void an_interrupt_stops_the_curator_that_it_is_for(void **state)
{
    (void)state;
    error why;
    struct curator_answer *answer = NULL;
    struct curator_question question = {.text = "SELECT count(*) FROM patients WHERE patient_id <> 3",
                                        .confirm = interrupt_the_next,
                                        .context = house.curators[2]};
    assert_int_equal(curator_ask(house.curators[1], &question, &answer, &why), DITHER_OK);
    curator_answer_free(answer);
    question = (struct curator_question){.text = "SELECT count(*) FROM patients WHERE patient_id <> 4"};
    assert_int_equal(curator_ask(house.curators[2], &question, &answer, &why), DITHER_REFUSED);
    assert_non_null(strstr(why.message, "interrupted; nothing was charged"));
    assert_int_equal(curator_ask(house.curators[2], &question, &answer, &why), DITHER_OK);
    curator_answer_free(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ask_at_once_and_every_answer_is_true_and_charged_once),
        cmocka_unit_test(what_one_has_answered_all_give_again),
        cmocka_unit_test(an_interrupt_stops_the_curator_that_it_is_for),
    };
    int failed = cmocka_run_group_tests_name("files", tests, on_files, tear_down);
    if (scratch_postgres_available())
        failed += cmocka_run_group_tests_name("a server", tests, on_a_server, tear_down);
    return failed;
}
