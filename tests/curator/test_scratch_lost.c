/* A curator whose rest of questions runs in a process of its own, and what becomes of questions when that process is killed: between
 * questions nobody notices, public tables are copied again; in the middle the question fails with one text, its charge stays, the owner's
 * log says what happened, and the next question is answered. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/scratch.h"
#include "tests/support/asked.h"
#include "tests/support/test.h"

static struct asked asked;

static int begin(void **state)
{
    (void)state;
    const char *program = getenv("DITHER");
    asked_open(&asked, 400, ASKED_NOISELESS, "");
    curator_close(asked.curator);
    asked.curator = NULL;
    const struct curator_options options = {.engine = {.threads = 1},
                                            .state_directory = asked.state,
                                            .random = asked.random,
                                            .scratch_program = program != NULL ? program : "./dither"};
    return curator_open(asked.policy, &options, &asked.curator, &asked.why) == DITHER_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    asked_close(&asked);
    return waitpid(-1, NULL, WNOHANG) < 0 ? 0 : -1; /* no child is left */
}

static pid_t worker(void)
{
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &child), 1);
    fclose(file);
    return child;
}

static void *kill_worker(void *context)
{
    siginfo_t ended;
    pid_t child = *(pid_t *)context;
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
    (void)kill(child, SIGKILL);
    (void)waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT);
    return NULL;
}

static bool log_says(const char *words)
{
    char path[160], line[4096];
    bool found = false;
    snprintf(path, sizeof path, "%s.log", asked.policy);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        found = found || strstr(line, words) != NULL;
    if (file != NULL)
        fclose(file);
    return found;
}

#define BY_CLINIC                                                                                            \
    "SELECT c.name, count(*) AS n FROM visits v JOIN clinics c ON c.clinic = v.clinic GROUP BY c.name "      \
    "ORDER BY c.name"

static void between_questions_nobody_notices(void **state)
{
    (void)state;
    pid_t child = worker();
    asked_question(&asked, BY_CLINIC);
    assert_string_equal(asked_rows(&asked), "abbey,200;bridge,200;castle,200");
    asked_question(&asked, "SELECT name FROM clinics ORDER BY name");
    kill_worker(&child);
    asked_question(&asked, "SELECT name FROM clinics ORDER BY name LIMIT 2");
    assert_string_equal(asked_rows(&asked), "abbey;bridge");
    assert_true(worker() != child);
    assert_true(log_says("the process for the rest of questions was lost"));
    assert_true(log_says("signal 9"));
}

/* The rest of this one would take for ever: 120 to the fifth combinations of released rows. */
static void in_the_middle_it_fails_and_is_charged(void **state)
{
    (void)state;
    static const char long_rest[] = "WITH r AS (SELECT age, count(*) AS n FROM people GROUP BY age) SELECT "
                                    "count(*) FROM r a, r b, r c, r d, r e "
                                    "WHERE a.n + b.n * c.n + d.n * e.n < -1000000 + a.age";
    pthread_t thread;
    pid_t child = worker();
    char before[200], after[200];
    snprintf(before, sizeof before, "%s", asked_left(&asked, NULL));
    assert_int_equal(pthread_create(&thread, NULL, kill_worker, &child), 0);
    status result = asked_try(&asked, &(struct curator_question){.text = long_rest});
    pthread_join(thread, NULL);
    snprintf(after, sizeof after, "%s", asked_left(&asked, NULL));
    assert_int_not_equal(result, DITHER_OK);
    assert_non_null(strstr(asked.why.message, SCRATCH_LOST));
    assert_non_null(strstr(asked.why.message, "the charge stays"));
    assert_string_not_equal(before, after);
    asked_question(&asked, BY_CLINIC);
    assert_string_equal(asked_rows(&asked), "abbey,200;bridge,200;castle,200");
}

static void *interrupt(void *context)
{
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
    curator_interrupt(context);
    return NULL;
}

static void interrupting_stops_the_rest_in_the_other_process(void **state)
{
    (void)state;
    pthread_t thread;
    pid_t child = worker();
    assert_int_equal(pthread_create(&thread, NULL, interrupt, asked.curator), 0);
    status result = asked_try(
        &asked,
        &(struct curator_question){
            .text =
                "WITH r AS (SELECT age, count(*) AS n FROM people GROUP BY age) SELECT count(*) FROM r a, "
                "r b, r c, r d, r e WHERE a.n + b.n * c.n + d.n * e.n < -2000000 + a.age"});
    pthread_join(thread, NULL);
    assert_int_not_equal(result, DITHER_OK);
    assert_non_null(strstr(asked.why.message, "interrupted"));
    asked_question(&asked, "SELECT name FROM clinics ORDER BY name LIMIT 1");
    assert_string_equal(asked_rows(&asked), "abbey");
    assert_int_equal(worker(), child); /* it was asked to stop, and did */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_questions_nobody_notices),
        cmocka_unit_test(in_the_middle_it_fails_and_is_charged),
        cmocka_unit_test(interrupting_stops_the_rest_in_the_other_process),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
