/* The queue of jobs and its threads, with jobs that wait until the test lets them go on: each runs once and is then told
 * done, in the order of arrival; the queue has an end; what waits is cancelled at once and never runs, what runs has its
 * curator interrupted, and the next job on that curator knows nothing of it; stopping gives every job back. */
#include "tests/support/test.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "serve/work.h"
#include "tests/support/small_hospital.h"

static struct small_hospital hospital;
static struct curator *curator;

static int set_up(void **state)
{
    (void)state;
    error why;
    small_hospital_make(&hospital, &(struct small_hospital_options){.budget = "  epsilon: 1000\n"
                                                                              "  per_question: 1\n"});
    return curator_open(hospital.policy, &(struct curator_options){.engine.threads = 1}, &curator, &why) ==
                   DITHER_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    curator_close(curator);
    small_hospital_remove(&hospital);
    return 0;
}

/* ---- Jobs that the test holds ---- */

enum { MOST = 8 };

struct held {
    struct work_job job;
    int number;
    bool go, running, done;
    struct curator *with; /* it ran */
    const char *ask;      /* a question for the curator, when it goes on */
    status result;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ran[MOST], told[MOST];
static size_t ran_count, told_count;

static void run(struct work_job *job, struct curator *mine)
{
    struct held *held = (struct held *)(void *)job;
    struct curator_answer *answer = NULL;
    pthread_mutex_lock(&lock);
    held->with = mine;
    ran[ran_count++] = held->number;
    held->running = true;
    pthread_cond_broadcast(&changed);
    while (!held->go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    if (held->ask == NULL)
        return;
    held->result = curator_ask(mine, &(struct curator_question){.text = held->ask}, &answer, NULL);
    if (held->result == DITHER_OK)
        curator_answer_free(answer);
}

static void done(struct work_job *job)
{
    struct held *held = (struct held *)(void *)job;
    pthread_mutex_lock(&lock);
    told[told_count++] = held->number;
    held->done = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for(const bool *what)
{
    pthread_mutex_lock(&lock);
    while (!*what)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void let_go(struct held *held)
{
    pthread_mutex_lock(&lock);
    held->go = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static struct work *start(struct held *held, size_t most_waiting)
{
    struct work *work = NULL;
    error why;
    ran_count = told_count = 0;
    for (int i = 0; i < MOST; i++)
        held[i] = (struct held){.job = {.run = run, .done = done}, .number = i};
    assert_int_equal(work_start(&(struct work_options){&curator, 1, most_waiting}, &work, &why), DITHER_OK);
    return work;
}

/* ---- What holds ---- */

static void jobs_run_once_in_the_order_of_arrival_and_the_queue_has_an_end(void **state)
{
    (void)state;
    struct held held[MOST];
    struct work *work = start(held, 3);
    assert_true(work_add(work, &held[0].job));
    wait_for(&held[0].running);
    for (int i = 1; i <= 3; i++)
        assert_true(work_add(work, &held[i].job));
    assert_false(work_add(work, &held[4].job));
    struct work_load load = work_load(work);
    assert_int_equal(load.waiting, 3);
    assert_int_equal(load.running, 1);
    assert_int_equal(load.workers, 1);
    for (int i = 0; i <= 3; i++)
        let_go(&held[i]);
    wait_for(&held[3].done);
    assert_int_equal(ran_count, 4);
    assert_int_equal(told_count, 4);
    for (int i = 0; i <= 3; i++) {
        assert_int_equal(ran[i], i);
        assert_int_equal(told[i], i);
        assert_false(held[i].job.cancelled);
    }
    assert_false(held[4].done);
    let_go(&held[4]);
    assert_true(work_add(work, &held[4].job)); /* there is room again */
    wait_for(&held[4].done);
    work_stop(work);
}

static void what_waits_is_cancelled_at_once_and_never_runs(void **state)
{
    (void)state;
    struct held held[MOST];
    struct work *work = start(held, MOST);
    for (int i = 0; i < 4; i++)
        assert_true(work_add(work, &held[i].job));
    wait_for(&held[0].running);
    for (int i = 3; i >= 2; i--) { /* the last, and then the last again */
        work_cancel(work, &held[i].job);
        assert_true(held[i].done && held[i].job.cancelled);
    }
    work_cancel(work, &held[3].job); /* twice is nothing */
    assert_int_equal(told_count, 2);
    assert_true(work_add(work, &held[4].job)); /* the queue is whole */
    for (int i = 0; i < 5; i++)
        let_go(&held[i]);
    wait_for(&held[4].done);
    assert_int_equal(ran_count, 3);
    assert_int_equal(ran[1], 1);
    assert_int_equal(ran[2], 4);
    work_cancel(work, &held[4].job); /* too late: it stays as it is */
    assert_false(held[4].job.cancelled);
    assert_int_equal(told_count, 5);
    work_stop(work);
}

static void an_interrupt_is_for_the_job_that_runs_and_for_no_other(void **state)
{
    (void)state;
    struct held held[MOST];
    struct work *work = start(held, MOST);
    held[0].ask = held[2].ask = "SELECT count(*) FROM patients WHERE age > 30";
    for (int i = 0; i < 3; i++)
        assert_true(work_add(work, &held[i].job));
    wait_for(&held[0].running);
    work_cancel(work, &held[0].job); /* before its question begins: nothing is charged */
    let_go(&held[0]);
    wait_for(&held[1].running);
    assert_int_equal(held[0].result, DITHER_REFUSED);
    work_cancel(work, &held[1].job); /* which asks nothing: the interrupt must not wait for the next one */
    let_go(&held[1]);
    let_go(&held[2]);
    wait_for(&held[2].done);
    assert_int_equal(held[2].result, DITHER_OK);
    assert_false(held[0].job.cancelled || held[1].job.cancelled);
    work_stop(work);
}

/* The job that runs keeps the old one until it is done; the next one has the new one. */
static void workers_change_over_between_two_jobs(void **state)
{
    (void)state;
    struct held held[MOST];
    struct curator *other = NULL;
    assert_int_equal(curator_join(curator, &other, NULL), DITHER_OK);
    struct work *work = start(held, MOST);
    assert_true(work_has_changed(work));
    for (int i = 0; i < 2; i++)
        assert_true(work_add(work, &held[i].job));
    wait_for(&held[0].running);
    work_change(work, &other);
    assert_false(work_has_changed(work));
    let_go(&held[0]);
    wait_for(&held[1].running);
    assert_true(work_has_changed(work));
    assert_ptr_equal(held[0].with, curator);
    assert_ptr_equal(held[1].with, other);
    let_go(&held[1]);
    wait_for(&held[1].done);
    work_change(work, &curator); /* one that idles changes over as well */
    while (!work_has_changed(work))
        usleep(1000);
    work_stop(work);
    curator_close(other);
}

static void *stop_it(void *context)
{
    work_stop(context);
    return NULL;
}

static void stopping_gives_every_job_back(void **state)
{
    (void)state;
    struct held held[MOST];
    struct work *work = start(held, MOST);
    pthread_t stopper;
    held[0].ask = "SELECT count(*) FROM patients WHERE age > 31";
    for (int i = 0; i < 3; i++)
        assert_true(work_add(work, &held[i].job));
    wait_for(&held[0].running);
    assert_int_equal(pthread_create(&stopper, NULL, stop_it, work), 0);
    wait_for(&held[1].done);
    wait_for(&held[2].done);
    assert_true(held[1].job.cancelled && held[2].job.cancelled);
    assert_false(held[0].done);
    let_go(&held[0]);
    pthread_join(stopper, NULL);
    assert_true(held[0].done);
    assert_int_equal(held[0].result, DITHER_REFUSED);
    assert_int_equal(ran_count, 1);
    work_stop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_run_once_in_the_order_of_arrival_and_the_queue_has_an_end),
        cmocka_unit_test(what_waits_is_cancelled_at_once_and_never_runs),
        cmocka_unit_test(an_interrupt_is_for_the_job_that_runs_and_for_no_other),
        cmocka_unit_test(workers_change_over_between_two_jobs),
        cmocka_unit_test(stopping_gives_every_job_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
