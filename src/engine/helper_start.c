#include "engine/helper_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

struct sockets {
    int ours[2], theirs[2]; /* [0]: the frames; [1]: control. -1: none */
};

static void close_all(const int *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (files[i] >= 0)
            close(files[i]);
}

/* Theirs lie above the numbers that they are moved to, so that no move covers another. */
static status make_pair(int *ours, int *theirs, error *why)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fail(why, DITHER_IO, "there are no file descriptors left");
    *ours = pair[0];
    *theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, HELPER_CONTROL + 1);
    close(pair[1]);
    return *theirs >= 0 ? DITHER_OK : fail(why, DITHER_IO, "there are no file descriptors left");
}

/* Of our surroundings the helper needs the loader's path and the sanitizers' options. The rest may hold secrets: PGPASSWORD. */
static void choose_environment(char *out[], size_t most)
{
    static const char *const names[] = {
        "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "TSAN_OPTIONS="};
    size_t count = 0;
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (count + 1 < most && strncmp(*entry, names[i], strlen(names[i])) == 0)
                out[count++] = *entry;
    out[count] = NULL;
}

static int plan_files(posix_spawn_file_actions_t *actions, const struct sockets *sockets)
{
    int result = posix_spawn_file_actions_adddup2(actions, sockets->theirs[0], HELPER_SOCKET);
    if (result == 0)
        result = posix_spawn_file_actions_adddup2(actions, sockets->theirs[1], HELPER_CONTROL);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO && result == 0; i++) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        if (i == STDERR_FILENO)
            continue; /* where the sanitizers report */
#endif
        result = posix_spawn_file_actions_addopen(actions, i, "/dev/null", O_RDWR, 0);
    }
    return result == 0 ? posix_spawn_file_actions_addclosefrom_np(actions, HELPER_CONTROL + 1) : result;
}

/* Signals that are meant for us (the terminal's, the service manager's) do not end it before we let go of it: it ends with its
 * sockets. The faults of a program cannot be blocked in earnest. */
static int plan_signals(posix_spawnattr_t *attributes)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, SIGXCPU};
    sigset_t all, blocked;
    sigfillset(&all);
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&blocked, faults[i]);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int result = posix_spawnattr_setsigmask(attributes, &blocked);
    if (result == 0)
        result = posix_spawnattr_setsigdefault(attributes, &all);
    return result == 0 ? posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
                       : result;
}

static int spawn(const char *program, const char *command, const struct sockets *sockets, pid_t *out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *surroundings[8], name[] = "dither", argument[64];
    if (strlen(command) >= sizeof argument)
        return ENAMETOOLONG;
    strcpy(argument, command);
    char *const arguments[] = {name, argument, NULL};
    choose_environment(surroundings, sizeof surroundings / sizeof surroundings[0]);
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0)
        return result;
    result = posix_spawnattr_init(&attributes);
    if (result == 0) {
        result = plan_files(&actions, sockets);
        if (result == 0)
            result = plan_signals(&attributes);
        if (result == 0)
            result = posix_spawn(out, program, &actions, &attributes, arguments, surroundings);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

status helper_spawn(const char *program, const char *command, struct helper_ends *out, error *why)
{
    struct sockets sockets = {{-1, -1}, {-1, -1}};
    pid_t process = 0;
    status result = make_pair(&sockets.ours[0], &sockets.theirs[0], why);
    if (result == DITHER_OK)
        result = make_pair(&sockets.ours[1], &sockets.theirs[1], why);
    if (result == DITHER_OK) {
        int failed = spawn(program, command, &sockets, &process);
        if (failed != 0)
            result = fail(why, DITHER_IO, "%.200s cannot be started: %s", program, strerror(failed));
    }
    close_all(sockets.theirs, 2);
    if (result != DITHER_OK) {
        close_all(sockets.ours, 2);
        return result;
    }
    *out = (struct helper_ends){.process = process, .socket = sockets.ours[0], .control = sockets.ours[1]};
    return DITHER_OK;
}
