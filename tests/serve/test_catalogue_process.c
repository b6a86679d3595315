/* The catalogue in a process of its own: that it is shut in, answers several threads, is replaced when it dies, and that what it
 * may send is read with suspicion. That it answers rightly is shown by test_catalogue_recorded.c, whose questions all go through
 * such a process. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/catalogue_wire.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"
#include "tests/support/two_catalogues.h"

static struct catalogue *catalogue;
static struct arena arena;
static error why;

static int begin(void **state)
{
    (void)state;
    const char *program = getenv("DITHER");
    arena_init(&arena, 1 << 28);
    return catalogue_open(catalogue_of(two_catalogues_policy, &arena), program != NULL ? program : "./dither",
                          &catalogue, &why) == DITHER_OK
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    catalogue_close(catalogue);
    arena_free(&arena);
    return waitpid(-1, NULL, WNOHANG) < 0 ? 0 : -1; /* no child, not even a dead one */
}

static status ask(const char *text, struct arena *room, struct catalogue_reply *reply, error *told)
{
    char state[6];
    const struct catalogue_question question = {.text = text, .length = strlen(text), .user = "alice"};
    return catalogue_answer(catalogue, &question, room, reply, state, told);
}

static bool read_number(const char *path, const char *field, int *out)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, field, strlen(field)) == 0) {
            *out = atoi(line + strlen(field));
            found = true;
        }
    if (file != NULL)
        fclose(file);
    return found;
}

static pid_t only_child(void)
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

static void it_is_shut_in(void **state)
{
    (void)state;
    char path[64];
    int seccomp = 0;
    snprintf(path, sizeof path, "/proc/%d/status", only_child());
    assert_true(read_number(path, "Seccomp:", &seccomp));
    assert_int_equal(seccomp, 2);
}

/* What follows asks the next one. */
static void one_that_answers_dies(void **state)
{
    (void)state;
    struct catalogue_reply reply;
    siginfo_t ended;
    pid_t child = only_child();
    assert_int_equal(ask("SELECT relname FROM pg_class WHERE relname = 'pg_type'", &arena, &reply, &why),
                     DITHER_OK);
    assert_int_equal(reply.row_count, 1);
    assert_string_equal(reply.cells[0], "pg_type");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
}

static void *ask_often(void *context)
{
    struct arena room;
    struct catalogue_reply reply;
    error told;
    arena_init(&room, 1 << 24);
    for (int i = 0; i < 10; i++)
        if (ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'public'", &room, &reply, &told) ==
                DITHER_OK &&
            reply.row_count == 1 && strcmp(reply.cells[0], "1") == 0)
            ++*(int *)context;
    arena_free(&room);
    return NULL;
}

static void the_next_one_answers_several_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int good[THREADS] = {0};
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &good[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(good[i], 10);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
    } columns[] = {
        {"\0\0", 2},                    /* none */
        {"\xFF\xFF", 2},                /* too many */
        {"\0\1\0\0\0\1a\0\0\0", 10},    /* half a number */
        {"\0\1\0\0\0\1a\0\0\0\1x", 12}, /* one byte more */
        {"\0\1\xFF\xFF\xFF\xFF"
         "a\0\0\0\1",
         11},                             /* a name of 4 GB */
        {"\0\1\0\0\0\1\0\0\0\0\1", 11},   /* NUL in a name */
        {"\0\1\0\0\0\1\xC3\0\0\0\1", 11}, /* half a character */
    };
    struct catalogue_reply reply;
    const char *cell = NULL;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct cursor body = cursor_over(columns[i].bytes, columns[i].count);
        assert_int_equal(catalogue_wire_get_columns(&body, &arena, &reply, &why), DITHER_INVALID);
    }
    struct cursor good = cursor_over("\0\1\0\0\0\1a\0\0\0\1", 11);
    assert_int_equal(catalogue_wire_get_columns(&good, &arena, &reply, &why), DITHER_OK);
    assert_string_equal(reply.columns[0].name, "a");
    struct cursor third = cursor_over("\2", 1), nothing = cursor_over("\1", 1);
    assert_int_equal(catalogue_wire_get_cell(&third, &arena, &cell, &why), DITHER_INVALID);
    assert_int_equal(catalogue_wire_get_cell(&nothing, &arena, &cell, &why), DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_shut_in),
        cmocka_unit_test(one_that_answers_dies),
        cmocka_unit_test(the_next_one_answers_several_threads),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
