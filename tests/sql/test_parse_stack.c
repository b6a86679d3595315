/* The parser's threads stay: thousands of questions leave the process as many pthread keys as it had, which libpg_query never
 * gives back; many threads may parse at once, and a forked child may. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/parse.h"
#include "sql/plan.h"
#include "tests/support/test.h"

enum { QUESTIONS = 1500, THREADS = 24, EACH = 40, MOST_KEYS = 2048, MOST_TAKEN = 32 };

static bool parses(const char *text)
{
    struct arena arena;
    struct sql_parsed parsed = {0};
    error why;
    arena_init(&arena, SQL_ARENA_BYTES);
    bool fine = sql_parse(text, strlen(text), &arena, &parsed, &why) == DITHER_OK;
    if (fine)
        sql_parsed_free(&parsed);
    arena_free(&arena);
    return fine;
}

static int free_keys(void)
{
    static pthread_key_t keys[MOST_KEYS];
    int count = 0;
    while (count < MOST_KEYS && pthread_key_create(&keys[count], NULL) == 0)
        count++;
    for (int i = 0; i < count; i++)
        pthread_key_delete(keys[i]);
    return count;
}

static void thousands_of_questions_use_up_nothing(void **state)
{
    (void)state;
    int before = free_keys();
    for (int i = 0; i < QUESTIONS; i++)
        assert_true(parses("SELECT region, count(*) FROM patients GROUP BY region"));
    assert_true(free_keys() >= before - MOST_TAKEN);
}

static void *parse_many(void *wrong)
{
    for (int i = 0; i < EACH; i++)
        if (!parses("SELECT avg(age) FROM patients WHERE smoker") || parses("SELECT FROM WHERE"))
            *(int *)wrong = 1;
    return NULL;
}

static void many_threads_parse_at_once(void **state)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, parse_many, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

static void a_forked_child_parses_too(void **state)
{
    int outcome = 0;
    (void)state;
    assert_true(parses("SELECT 1"));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* a child that waits for threads that it does not have */
        _exit(parses("SELECT count(*) FROM patients") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_questions_use_up_nothing),
        cmocka_unit_test(many_threads_parse_at_once),
        cmocka_unit_test(a_forked_child_parses_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
