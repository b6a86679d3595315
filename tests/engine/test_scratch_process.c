/* A scratch in a process of its own: that the process is shut in and gets nothing of ours; that it may be killed, stopped, out of
 * time or out of memory, and the next one takes its place; that one which lies (tests/support/false_worker.h) is caught at every
 * lie; and that nothing is left behind. That it answers rightly is shown by test_scratch.c, with the same tests as for the other
 * kind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/helper_start.h"
#include "engine/scratch.h"
#include "tests/support/false_worker.h"
#include "tests/support/test.h"

static const struct scratch_column whole = {SQL_INTEGER, 0};
static char folder[64];
static struct arena arena;
static error why;

#define FOREVER "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3"

static const char *program(void)
{
    const char *named = getenv("DITHER");
    return named != NULL ? named : "./dither";
}

static struct scratch *open_scratch(struct scratch_options options)
{
    struct scratch *scratch = NULL;
    options.program = options.program != NULL ? options.program : program();
    options.threads = 2;
    if (scratch_open(&options, &scratch, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return scratch;
}

static status ask(struct scratch *scratch, const char *sql, int64_t *out)
{
    struct sql_rows rows;
    TRY(scratch_query(scratch, sql, &whole, 1, 10, &arena, &rows, &why));
    *out = rows.row_count > 0 ? rows.cells[0].whole : -1;
    return DITHER_OK;
}

static void asks(struct scratch *scratch, const char *sql, int64_t wanted)
{
    int64_t got = 0;
    if (ask(scratch, sql, &got) != DITHER_OK)
        fail_msg("%s: %s", why.message, scratch_complaint(scratch));
    assert_int_equal(got, wanted);
}

static void is_lost(struct scratch *scratch, const char *sql)
{
    int64_t got = 0;
    assert_int_equal(ask(scratch, sql, &got), DITHER_IO);
    assert_string_equal(why.message, SCRATCH_LOST);
}

static void put_seven(struct scratch *scratch)
{
    const struct sql_value cell = {.type = SQL_INTEGER, .whole = 7};
    assert_int_equal(scratch_put(scratch, "t", &whole,
                                 &(struct sql_rows){.column_count = 1, .row_count = 1, .cells = &cell}, &why),
                     DITHER_OK);
}

/* ---- Looking at processes ---- */

static bool read_field(const char *path, const char *field, char *out, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, field, strlen(field)) == 0) {
            snprintf(out, size, "%s", line + strlen(field) + strspn(line + strlen(field), " \t"));
            found = true;
        }
    if (file != NULL)
        fclose(file);
    return found;
}

/* The newest of our children that is no zombie; 0: none. */
static pid_t child_of_ours(void)
{
    DIR *processes = opendir("/proc");
    pid_t newest = 0;
    assert_non_null(processes);
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        char path[300], parent[64] = "", state[64] = "";
        pid_t process = atoi(entry->d_name);
        snprintf(path, sizeof path, "/proc/%d/status", process);
        if (process > newest && read_field(path, "PPid:", parent, sizeof parent) &&
            atoi(parent) == getpid() && read_field(path, "State:", state, sizeof state) && state[0] != 'Z')
            newest = process;
    }
    closedir(processes);
    return newest;
}

static size_t count_descriptors(void)
{
    DIR *files = opendir("/proc/self/fd");
    size_t count = 0;
    assert_non_null(files);
    while (readdir(files) != NULL)
        count++;
    closedir(files);
    return count;
}

static void all_its_threads_are_shut_in(void **state)
{
    (void)state;
    struct scratch *scratch = open_scratch((struct scratch_options){0});
    char path[300], field[64];
    pid_t child = child_of_ours();
    assert_true(child > 0);
    snprintf(path, sizeof path, "/proc/%d/task", child);
    DIR *threads = opendir(path);
    size_t count = 0;
    assert_non_null(threads);
    for (struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", child, entry->d_name);
        assert_true(read_field(path, "Seccomp:", field, sizeof field));
        assert_int_equal(atoi(field), 2);
        assert_true(read_field(path, "NoNewPrivs:", field, sizeof field));
        assert_int_equal(atoi(field), 1);
        count++;
    }
    closedir(threads);
    assert_true(count >= 2); /* itself, and the one that listens for interrupts */
    scratch_close(scratch);
    assert_int_equal(child_of_ours(), 0);
}

/* A script in the place of the program writes down what it was given. */
static void it_gets_two_sockets_and_none_of_our_secrets(void **state)
{
    (void)state;
    char script[128], found[128], line[512];
    snprintf(script, sizeof script, "%s/script", folder);
    snprintf(found, sizeof found, "%s/found", folder);
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n{ ls -l /proc/$$/fd; tr '\\0' '\\n' </proc/$$/environ; echo \"$@\"; } >%s\n",
            found);
    fclose(file);
    assert_int_equal(chmod(script, 0700), 0);
    int canary = open("/etc/passwd", O_RDONLY); /* inherited by whoever is not careful */
    assert_true(canary >= 0 && dup2(canary, 77) == 77);
    setenv("PGPASSWORD", "a secret", 1);
    struct helper_ends ends;
    assert_int_equal(helper_spawn(script, "scratch-worker", &ends, &why), DITHER_OK);
    int outcome = 0;
    assert_int_equal(waitpid(ends.process, &outcome, 0), ends.process);
    assert_int_equal(outcome, 0);
    close(ends.socket);
    close(ends.control);
    close(canary);
    close(77);
    unsetenv("PGPASSWORD");
    size_t sockets = 0;
    bool argument = false;
    file = fopen(found, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        assert_null(strstr(line, "passwd"));
        assert_null(strstr(line, "a secret"));
        sockets += strstr(line, "socket:") != NULL;
        argument = argument || strcmp(line, "scratch-worker\n") == 0;
    }
    fclose(file);
    assert_int_equal(sockets, 2);
    assert_true(argument);
}

/* ---- Ends ---- */

static void *kill_soon(void *context)
{
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    (void)kill(*(pid_t *)context, SIGKILL);
    return NULL;
}

/* And waits until it is dead; its parent, the scratch, still has to notice. */
static void kill_child(void)
{
    siginfo_t ended;
    pid_t child = child_of_ours();
    assert_true(child > 0 && kill(child, SIGKILL) == 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
}

static void killed_in_the_middle_it_fails_and_the_next_one_works(void **state)
{
    (void)state;
    struct scratch *scratch = open_scratch((struct scratch_options){0});
    bool emptied = false;
    const char *complaint = NULL;
    pthread_t thread;
    pid_t child = child_of_ours();
    assert_int_equal(scratch_ready(scratch, &emptied, &complaint, &why), DITHER_OK);
    assert_true(emptied);
    put_seven(scratch);
    assert_int_equal(pthread_create(&thread, NULL, kill_soon, &child), 0);
    is_lost(scratch, FOREVER);
    pthread_join(thread, NULL);
    /* What was there is gone, so that nothing goes on by halves. */
    is_lost(scratch, "SELECT c0 FROM t");
    assert_int_equal(scratch_put(scratch, "t", &whole, &(struct sql_rows){.column_count = 1}, &why),
                     DITHER_IO);
    scratch_drop(scratch, "t");
    assert_int_equal(scratch_ready(scratch, &emptied, &complaint, &why), DITHER_OK);
    assert_true(emptied);
    assert_non_null(strstr(complaint, "signal 9"));
    put_seven(scratch);
    asks(scratch, "SELECT c0 FROM t", 7);
    assert_int_equal(scratch_ready(scratch, &emptied, &complaint, &why), DITHER_OK);
    assert_false(emptied);
    assert_string_equal(complaint, "");
    asks(scratch, "SELECT c0 FROM t", 7);
    /* Between questions, too. */
    kill_child();
    assert_int_equal(scratch_ready(scratch, &emptied, &complaint, &why), DITHER_OK);
    assert_true(emptied);
    scratch_close(scratch);
}

static void a_statement_has_so_many_seconds_and_the_tables_survive_it(void **state)
{
    (void)state;
    struct scratch *scratch = open_scratch((struct scratch_options){.seconds = 1});
    put_seven(scratch);
    time_t begun = time(NULL);
    is_lost(scratch, FOREVER);
    assert_true(time(NULL) - begun < 20);
    asks(scratch, "SELECT c0 FROM t", 7);
    scratch_close(scratch);
}

static void too_much_memory_is_a_failure_of_that_statement(void **state)
{
    (void)state;
    struct scratch *scratch = open_scratch((struct scratch_options){.memory_bytes = 64 << 20});
    bool emptied = false;
    int64_t got = 0;
    assert_int_equal(ask(scratch, "SELECT len(list(range)) FROM range(100000000)", &got), DITHER_IO);
    assert_int_equal(scratch_ready(scratch, &emptied, NULL, &why), DITHER_OK);
    put_seven(scratch);
    asks(scratch, "SELECT c0 FROM t", 7);
    scratch_close(scratch);
}

static void *interrupt_soon(void *context)
{
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    scratch_interrupt(context);
    return NULL;
}

static void interrupts_cross_the_boundary(void **state)
{
    (void)state;
    struct scratch *scratch = open_scratch((struct scratch_options){0});
    pthread_t thread;
    int64_t got = 0;
    time_t begun = time(NULL);
    put_seven(scratch);
    scratch_interrupt(scratch); /* nothing runs: nobody is stopped by it later */
    asks(scratch, "SELECT c0 FROM t", 7);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, scratch), 0);
    assert_int_equal(ask(scratch, FOREVER, &got), DITHER_IO);
    pthread_join(thread, NULL);
    assert_true(time(NULL) - begun < 20);
    asks(scratch, "SELECT c0 FROM t", 7);
    scratch_close(scratch);
}

static void one_scratch_does_not_disturb_another(void **state)
{
    (void)state;
    struct scratch *first = open_scratch((struct scratch_options){0});
    put_seven(first);
    struct scratch *second = open_scratch((struct scratch_options){0});
    kill_child();
    int64_t got = 0;
    assert_int_equal(ask(second, "SELECT 1::BIGINT", &got), DITHER_IO);
    asks(first, "SELECT c0 FROM t", 7);
    scratch_close(first);
    scratch_close(second);
}

/* A child of ours asks something long and is killed; its worker, whose number it told before, must end. */
static void it_ends_when_the_one_who_asked_is_gone(void **state)
{
    (void)state;
    int told[2];
    pid_t worker = 0;
    assert_int_equal(pipe(told), 0);
    pid_t asker = fork();
    if (asker == 0) {
        struct scratch *scratch = open_scratch((struct scratch_options){0});
        int64_t got = 0;
        pid_t child = child_of_ours();
        if (write(told[1], &child, sizeof child) != sizeof child)
            _exit(1);
        (void)!ask(scratch, FOREVER, &got);
        _exit(2);
    }
    assert_int_equal(read(told[0], &worker, sizeof worker), sizeof worker);
    close(told[0]);
    close(told[1]);
    assert_true(worker > 0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* in the middle of it */
    assert_int_equal(kill(asker, SIGKILL), 0);
    assert_int_equal(waitpid(asker, NULL, 0), asker);
    for (int i = 0; i < 100; i++) {
        char path[64], field[64] = "";
        snprintf(path, sizeof path, "/proc/%d/status", worker);
        if (!read_field(path, "State:", field, sizeof field) || field[0] == 'Z')
            return;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    fail_msg("it lives on");
}

/* ---- Lies ---- */

static void a_liar_is_not_even_opened(void **state)
{
    (void)state;
    for (const char *const *way = false_worker_at_once; *way != NULL; way++) {
        char path[128];
        struct scratch *scratch = NULL;
        false_worker_make(folder, *way, path, sizeof path);
        status result = scratch_open(&(struct scratch_options){.program = path}, &scratch, &why);
        if (result != DITHER_IO || scratch != NULL)
            fail_msg("%s is believed", *way);
        assert_int_equal(child_of_ours(), 0);
    }
}

static void a_liar_is_caught_at_its_first_lie(void **state)
{
    (void)state;
    const struct scratch_column columns[] = {{SQL_BOOLEAN, 0}, {SQL_TEXT, 0}, {SQL_DATE, 0}};
    for (const char *const *way = false_worker_later; *way != NULL; way++) {
        char path[128];
        false_worker_make(folder, *way, path, sizeof path);
        struct scratch *scratch = open_scratch((struct scratch_options){.program = path, .seconds = 1});
        struct sql_rows rows = {.row_count = 4711};
        status result = scratch_query(scratch, "SELECT", columns, 3, 10, &arena, &rows, &why);
        if (result != DITHER_IO || strcmp(why.message, SCRATCH_LOST) != 0 || rows.row_count != 4711)
            fail_msg("%s is believed: %s", *way, why.message);
        scratch_close(scratch);
        assert_int_equal(child_of_ours(), 0);
    }
}

static void who_does_not_listen_or_takes_for_ever_is_given_up(void **state)
{
    (void)state;
    static const char *const ways[] = {"deaf", "slow"};
    const struct scratch_column text = {SQL_TEXT, 0};
    char *long_text = calloc(1, (4 << 20) + 1), path[128];
    assert_non_null(long_text);
    memset(long_text, 'x', 4 << 20);
    const struct sql_value cell = {.type = SQL_TEXT, .text = long_text};
    const struct sql_rows rows = {.column_count = 1, .row_count = 1, .cells = &cell};
    for (size_t i = 0; i < 2; i++) {
        time_t begun = time(NULL);
        false_worker_make(folder, ways[i], path, sizeof path);
        struct scratch *scratch = open_scratch((struct scratch_options){.program = path, .seconds = 1});
        assert_int_equal(scratch_put(scratch, "t", &text, &rows, &why), DITHER_IO);
        assert_string_equal(why.message, SCRATCH_LOST);
        assert_true(time(NULL) - begun < 20);
        scratch_close(scratch);
    }
    free(long_text);
}

static void a_program_that_is_none_is_an_error(void **state)
{
    (void)state;
    struct scratch *scratch = NULL;
    assert_int_equal(scratch_open(&(struct scratch_options){.program = "/nowhere/dither"}, &scratch, &why),
                     DITHER_IO);
    assert_non_null(strstr(why.message, "/nowhere/dither cannot be started"));
    assert_int_equal(scratch_open(&(struct scratch_options){.program = "/bin/true"}, &scratch, &why),
                     DITHER_IO);
    assert_null(scratch);
}

static void nothing_is_left_behind(void **state)
{
    (void)state;
    size_t before = count_descriptors();
    for (int i = 0; i < 5; i++) {
        struct scratch *scratch = open_scratch((struct scratch_options){0});
        put_seven(scratch);
        if (i % 2 == 0)
            kill_child();
        scratch_close(scratch);
    }
    assert_int_equal(count_descriptors(), before);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* no zombie either */
}

/* ---- The whole ---- */

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, (size_t)1 << 30);
    snprintf(folder, sizeof folder, "/tmp/dither-scratch-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(int argc, char **argv)
{
    if (false_worker_meant(argc, argv))
        return false_worker_play();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_its_threads_are_shut_in),
        cmocka_unit_test(it_gets_two_sockets_and_none_of_our_secrets),
        cmocka_unit_test(killed_in_the_middle_it_fails_and_the_next_one_works),
        cmocka_unit_test(a_statement_has_so_many_seconds_and_the_tables_survive_it),
        cmocka_unit_test(too_much_memory_is_a_failure_of_that_statement),
        cmocka_unit_test(interrupts_cross_the_boundary),
        cmocka_unit_test(one_scratch_does_not_disturb_another),
        cmocka_unit_test(it_ends_when_the_one_who_asked_is_gone),
        cmocka_unit_test(a_liar_is_not_even_opened),
        cmocka_unit_test(a_liar_is_caught_at_its_first_lie),
        cmocka_unit_test(who_does_not_listen_or_takes_for_ever_is_given_up),
        cmocka_unit_test(a_program_that_is_none_is_an_error),
        cmocka_unit_test(nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
