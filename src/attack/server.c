#include "attack/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "base/postgres.h"

enum {
    PATH_BYTES = 700,
    LINE_BYTES = 200,
    PATIENCE_MILLISECONDS = 60000,
};

struct server {
    pid_t process;
    PGconn *connection;
};

/* ---- Processes ---- */

static pid_t parent;

/* In the child: dies with its parent, takes the signals that the parent holds back, reads and writes the given files. */
static void become(const char *program, char *const *arguments, char *const *environment, int input,
                   int output)
{
    sigset_t none;
    sigemptyset(&none);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || sigprocmask(SIG_SETMASK, &none, NULL) != 0 || dup2(input, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0)
        _exit(127);
    execve(program, arguments, environment);
    _exit(127);
}

/* Our environment, but the ledger's anchor lies in the lab. */
static char **environment_for(const char *state, size_t *size)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    *size = (count + 2) * sizeof(char *);
    char **list = memory_allocate(*size);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "XDG_STATE_HOME=", 15) != 0)
            list[kept++] = environ[i];
    memcpy(&list[kept], &state, sizeof state);
    return list;
}

static status start(const char *program, const struct lab *lab, char *const *arguments, int input, int output,
                    pid_t *out, error *why)
{
    char state[PATH_BYTES];
    size_t size;
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s", lab_directory(lab));
    char **environment = environment_for(state, &size);
    if (environment == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a process");
    parent = getpid();
    pid_t child = fork();
    if (child == 0)
        become(program, arguments, environment, input, output);
    memory_release(environment, size);
    if (child < 0)
        return fail(why, DITHER_IO, "no process can be started: %s", strerror(errno));
    *out = child;
    return DITHER_OK;
}

static bool ended_well(pid_t process)
{
    int how = 0;
    while (waitpid(process, &how, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

/* ---- Letting eve in, and listening ---- */

static char word_add[] = "add", word_user[] = "user", word_serve[] = "serve", word_eve[] = "eve",
            word_port[] = "--port", word_zero[] = "0", word_workers[] = "--workers", word_one[] = "1",
            word_quiet[] = "--no-http", word_file[] = "--password-file", word_input[] = "-",
            word_name[] = "dither";
static const char password[] = "pencil\n";

static status let_in(const char *program, const struct lab *lab, char *policy, int nowhere, error *why)
{
    char *const arguments[] = {word_name, word_user, word_add, policy, word_eve, word_file, word_input, NULL};
    int ends[2];
    pid_t process;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(why, DITHER_IO, "no pipe can be made: %s", strerror(errno));
    status result = start(program, lab, arguments, ends[0], nowhere, &process, why);
    ssize_t written = result == DITHER_OK ? write(ends[1], password, sizeof password - 1) : 0;
    close(ends[0]);
    close(ends[1]);
    if (result == DITHER_OK && (!ended_well(process) || written < 0))
        result = fail(why, DITHER_IO, "`dither user add` failed");
    return result;
}

/* The first line that the server prints: "listening on ADDRESS, port N". */
static status read_port(int from, unsigned *port, error *why)
{
    char line[LINE_BYTES] = "";
    size_t length = 0;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    while (strchr(line, '\n') == NULL && length + 1 < sizeof line) {
        if (poll(&wait, 1, PATIENCE_MILLISECONDS) <= 0 || read(from, line + length, 1) != 1)
            return fail(why, DITHER_IO, "`dither serve` did not start");
        line[++length] = '\0';
    }
    const char *number = strstr(line, ", port ");
    if (number == NULL || sscanf(number, ", port %u", port) != 1)
        return fail(why, DITHER_IO, "`dither serve` did not say where it listens");
    return DITHER_OK;
}

static status listen_and_connect(const char *program, const struct lab *lab, char *policy,
                                 const char *dataset, int nowhere, struct server *server, error *why)
{
    char *const arguments[] = {word_name,    word_serve, policy,     word_port, word_zero,
                               word_workers, word_one,   word_quiet, NULL};
    char connection[LINE_BYTES];
    unsigned port = 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(why, DITHER_IO, "no pipe can be made: %s", strerror(errno));
    status result = start(program, lab, arguments, nowhere, ends[1], &server->process, why);
    close(ends[1]);
    if (result == DITHER_OK)
        result = read_port(ends[0], &port, why);
    close(ends[0]);
    if (result != DITHER_OK)
        return result;
    snprintf(connection, sizeof connection,
             "host=127.0.0.1 port=%u user=eve password=pencil dbname=%s sslmode=disable", port, dataset);
    return postgres_connect(connection, &server->connection, why);
}

status server_open(const char *program, const struct lab *lab, const char *dataset, struct server **out,
                   error *why)
{
    char policy[PATH_BYTES];
    snprintf(policy, sizeof policy, "%s/policy.yaml", lab_directory(lab));
    struct server *server = memory_allocate(sizeof *server);
    if (server == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a server");
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    status result = nowhere < 0 ? fail(why, DITHER_IO, "/dev/null: %s", strerror(errno)) : DITHER_OK;
    if (result == DITHER_OK)
        result = let_in(program, lab, policy, nowhere, why);
    if (result == DITHER_OK)
        result = listen_and_connect(program, lab, policy, dataset, nowhere, server, why);
    if (nowhere >= 0)
        close(nowhere);
    if (result == DITHER_OK)
        *out = server;
    else
        server_close(server);
    return result;
}

void server_close(struct server *server)
{
    if (server == NULL)
        return;
    PQfinish(server->connection);
    if (server->process > 0) {
        (void)kill(server->process, SIGTERM);
        (void)ended_well(server->process);
    }
    memory_release(server, sizeof *server);
}

/* ---- Asking ---- */

status server_ask(struct server *server, const char *sql, double *seconds, double *number, error *why)
{
    double begin = monotonic_seconds();
    PGresult *result = PQexec(server->connection, sql);
    *seconds = monotonic_seconds() - begin;
    status done = DITHER_OK;
    if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != 1)
        done = postgres_complain(server->connection, result, why);
    else
        *number = strtod(PQgetvalue(result, 0, 0), NULL);
    PQclear(result);
    return done;
}

status server_set(struct server *server, const char *sql, error *why)
{
    return postgres_run(server->connection, sql, why);
}
