#include "tests/support/scratch_postgres.h"

#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#include "tests/support/test.h"

#define PROGRAMS "/usr/lib/postgresql/15/bin"

bool scratch_postgres_available(void)
{
    return access(PROGRAMS "/initdb", X_OK) == 0 && access(PROGRAMS "/postgres", X_OK) == 0 &&
           (getuid() != 0 || getpwnam("postgres") != NULL);
}

static int free_port(void)
{
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    assert_int_equal(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(descriptor, (struct sockaddr *)&address, &size), 0);
    close(descriptor);
    return ntohs(address.sin_port);
}

static void shell(const char *command)
{
    if (system(command) != 0)
        fail_msg("%s", command);
}

static const char *as_postgres(void)
{
    return getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups env -u ASAN_OPTIONS "
                         : "";
}

/* The server is our own child, so that it can be stopped by its id and by nothing else. */
static void launch(struct scratch_postgres *scratch, const char *settings)
{
    char command[600];
    snprintf(command, sizeof command,
             "cd %s && exec %s" PROGRAMS "/postgres -D %s/data -p %d -c listen_addresses=127.0.0.1"
             " -c unix_socket_directories=%s -c max_connections=120 -c shared_buffers=16MB %s >%s/log 2>&1",
             scratch->folder, as_postgres(), scratch->folder, scratch->port, scratch->folder, settings,
             scratch->folder);
    scratch->server = fork();
    assert_true(scratch->server >= 0);
    if (scratch->server == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; PQping(scratch->connection) != PQPING_OK; i++) {
        if (i == 600 || waitpid(scratch->server, NULL, WNOHANG) != 0)
            fail_msg("the scratch server did not come up; see %s/log", scratch->folder);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
}

void scratch_postgres_start(struct scratch_postgres *scratch, const char *settings)
{
    char command[600];
    memset(scratch, 0, sizeof *scratch);
    strcpy(scratch->folder, "/tmp/dither-postgres-XXXXXX");
    assert_non_null(mkdtemp(scratch->folder));
    if (getuid() == 0) {
        const struct passwd *user = getpwnam("postgres");
        assert_non_null(user);
        assert_int_equal(chown(scratch->folder, user->pw_uid, user->pw_gid), 0);
    }
    scratch->port = free_port();
    snprintf(scratch->connection, sizeof scratch->connection,
             "host=127.0.0.1 port=%d user=postgres dbname=postgres", scratch->port);
    snprintf(command, sizeof command,
             "cd %s && %s" PROGRAMS
             "/initdb -D %s/data -U postgres -A trust -E UTF8 --no-locale >%s/log 2>&1",
             scratch->folder, as_postgres(), scratch->folder, scratch->folder);
    shell(command);
    launch(scratch, settings);
}

static void stop_with(struct scratch_postgres *scratch, int signal_number)
{
    int outcome;
    kill(scratch->server, signal_number);
    assert_int_equal(waitpid(scratch->server, &outcome, 0), scratch->server);
}

void scratch_postgres_stop(struct scratch_postgres *scratch)
{
    char command[100];
    stop_with(scratch, SIGINT);
    snprintf(command, sizeof command, "rm -rf %s", scratch->folder);
    shell(command);
}

void scratch_postgres_crash(struct scratch_postgres *scratch)
{
    stop_with(scratch, SIGQUIT);
    launch(scratch, "");
}
