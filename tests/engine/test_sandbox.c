/* A process that has shut itself in cannot do what an intruder would: each attempt is made by a child of this test inside the
 * sandbox, and by another outside of it, where it must not be denied (or the test would show nothing). What a database needs,
 * still works. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/sandbox.h"
#include "tests/support/test.h"

static int to_child[2], from_child[2], others[2];

/* ---- Attempts: 0 when it worked, else errno ---- */

static int verdict(long result)
{
    return result < 0 ? errno : 0;
}

static int open_a_file(void)
{
    return verdict(open("/etc/passwd", O_RDONLY));
}

static int open_the_old_way(void)
{
#ifdef SYS_open
    return verdict(syscall(SYS_open, "/etc/passwd", O_RDONLY));
#else
    return open_a_file();
#endif
}

static int make_a_file(void)
{
    return verdict(open("/tmp", O_TMPFILE | O_RDWR, 0600));
}

static int look_at_a_file(void)
{
    struct stat facts;
    return verdict(stat("/etc/passwd", &facts));
}

static int copy_a_descriptor(void)
{
    return verdict(dup(from_child[1]));
}

static int write_elsewhere(void)
{
    return verdict(write(others[1], "x", 1));
}

static int read_elsewhere(void)
{
    char byte;
    return verdict(read(others[0], &byte, 1));
}

static int make_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                   MAP_FAILED
               ? errno
               : 0;
}

static int turn_data_into_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? 0 : verdict(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int raise_a_limit(void)
{
    struct rlimit limit = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return verdict(setrlimit(RLIMIT_NOFILE, &limit));
}

static int become_dumpable(void)
{
    return verdict(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static int open_a_socket(void)
{
    return verdict(socket(AF_INET, SOCK_STREAM, 0));
}

static int pass_a_descriptor(void)
{
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    return verdict(sendmsg(others[1], &message, MSG_NOSIGNAL));
}

static int run_a_program(void)
{
    char *const arguments[] = {(char *)(uintptr_t) "true", NULL};
    return verdict(execve("/bin/true", arguments, NULL));
}

static int start_a_process(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return verdict(child);
}

static void *nothing(void *context)
{
    return context;
}

static int start_a_thread(void)
{
    pthread_t thread;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    if (result == 0)
        pthread_join(thread, NULL);
    return result;
}

static int signal_the_parent(void)
{
    return verdict(kill(getppid(), 0));
}

static int signal_a_thread_elsewhere(void)
{
    return verdict(syscall(SYS_tgkill, getppid(), getppid(), 0));
}

static int be_traced(void)
{
    return verdict(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int read_a_process(void)
{
    char here = 0;
    struct iovec local = {&here, 1}, remote = {&here, 1};
    return verdict(process_vm_readv(getpid(), &local, 1, &remote, 1, 0));
}

static int have_own_users(void)
{
    return unshare(0) < 0 ? errno : 0; /* of nothing: allowed outside */
}

#ifdef __x86_64__
/* getpid of 32 bits, whose numbers are others: a filter that looks at numbers alone would take it for writev. */
static int call_as_if_32_bits(void)
{
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result > 0 ? 0 : (int)-result;
}
#endif

/* ---- Children ---- */

static void shut_in(void)
{
    const int read_from[] = {to_child[0]}, write_to[] = {from_child[1]};
    error why;
    if (sandbox_limit(&(struct sandbox_limits){.cpu_seconds = 100}, &why) != DITHER_OK ||
        sandbox_enter(&(struct sandbox_descriptors){read_from, write_to, 1, 1}, &why) != DITHER_OK)
        _exit(250);
}

/* Its wait status. */
static int try_in_child(int (*attempt)(void), bool inside)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        if (inside)
            shut_in();
        _exit(attempt());
    }
    int outcome = 0;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    return outcome;
}

static void what_an_intruder_would_do_is_denied(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int (*attempt)(void);
        int deadly; /* else it fails with EPERM */
    } attempts[] = {
        {"open a file", open_a_file, 0},
        {"open the old way", open_the_old_way, 0},
        {"make a file", make_a_file, 0},
        {"look at a file", look_at_a_file, 0},
        {"copy a descriptor", copy_a_descriptor, 0},
        {"write elsewhere", write_elsewhere, 0},
        {"read elsewhere", read_elsewhere, 0},
        {"make code", make_code, 0},
        {"turn data into code", turn_data_into_code, 0},
        {"raise a limit", raise_a_limit, 0},
        {"become dumpable", become_dumpable, 0},
        {"open a socket", open_a_socket, 1},
        {"pass a descriptor", pass_a_descriptor, 1},
        {"run a program", run_a_program, 1},
        {"start a process", start_a_process, 1},
        {"start a thread", start_a_thread, 1},
        {"signal the parent", signal_the_parent, 1},
        {"signal a thread elsewhere", signal_a_thread_elsewhere, 0},
        {"be traced", be_traced, 1},
        {"read a process", read_a_process, 1},
        {"have own users", have_own_users, 1},
#ifdef __x86_64__
        {"call as if 32 bits", call_as_if_32_bits, 1},
#endif
    };
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        int outside = try_in_child(attempts[i].attempt, false),
            inside = try_in_child(attempts[i].attempt, true);
        if (!WIFEXITED(outside) || WEXITSTATUS(outside) != 0)
            fail_msg("to %s is not even possible outside: %d", attempts[i].name, outside);
        if (attempts[i].deadly != 0 && !(WIFSIGNALED(inside) && WTERMSIG(inside) == SIGSYS))
            fail_msg("to %s does not end the process: %d", attempts[i].name, inside);
        if (attempts[i].deadly == 0 && !(WIFEXITED(inside) && WEXITSTATUS(inside) == EPERM))
            fail_msg("to %s is not denied: %d", attempts[i].name, inside);
    }
}

static int live_on(void)
{
    struct timespec now;
    char word[5] = "";
    char *memory = malloc(50 << 20);
    if (memory == NULL || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 1;
    memset(memory, 1, 50 << 20);
    free(memory);
    if (read(to_child[0], word, 4) != 4 || write(from_child[1], word, 4) != 4)
        return 2;
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? 0 : 3;
}

static void what_work_needs_still_goes(void **state)
{
    (void)state;
    char back[5] = "";
    assert_int_equal(write(to_child[1], "work", 4), 4);
    assert_int_equal(try_in_child(live_on, true), 0);
    assert_int_equal(read(from_child[0], back, 4), 4);
    assert_string_equal(back, "work");
}

static int give_up(void)
{
    abort();
}

static void abort_is_seen_as_such(void **state)
{
    (void)state;
    int outcome = try_in_child(give_up, true);
    assert_true(WIFSIGNALED(outcome) && WTERMSIG(outcome) == SIGABRT);
}

static pthread_barrier_t barrier;

static void *try_later(void *context)
{
    pthread_barrier_wait(&barrier);
    *(int *)context = open_a_file();
    return NULL;
}

static int with_an_older_thread(void)
{
    pthread_t thread;
    int got = -1;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, try_later, &got) != 0)
        return 251;
    shut_in();
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return got;
}

static void threads_that_were_there_before_are_shut_in_too(void **state)
{
    (void)state;
    int outcome = try_in_child(with_an_older_thread, false);
    assert_true(WIFEXITED(outcome));
    assert_int_equal(WEXITSTATUS(outcome), EPERM);
}

static int begin(void **state)
{
    (void)state;
    int *const pairs[] = {others, to_child, from_child};
    for (size_t i = 0; i < 3; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]) != 0)
            return -1;
    return write(others[1], "something to read", 17) == 17 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_work_needs_still_goes),
        cmocka_unit_test(what_an_intruder_would_do_is_denied),
        cmocka_unit_test(abort_is_seen_as_such),
        cmocka_unit_test(threads_that_were_there_before_are_shut_in_too),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
