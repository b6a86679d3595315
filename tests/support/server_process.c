#include "tests/support/server_process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/listen.h"
#include "serve/users.h"
#include "tests/support/test.h"

enum { WORKERS = 4 };

static status let_alice_in(struct users *users, void *context, error *why)
{
    return users_set(users, "alice", ROLE_ANALYST, "pencil", context, why);
}

void server_process_make(struct server_process *server)
{
    char path[USERS_PATH_BYTES];
    struct random *random = NULL;
    error why;
    *server = (struct server_process){.process = -1};
    small_hospital_make(&server->hospital,
                        &(struct small_hospital_options){.budget = "  epsilon: 100000\n  per_question: 1\n",
                                                         .analysts = "  alice: {epsilon: 100000}\n"});
    snprintf(server->state, sizeof server->state, "%s/state", server->hospital.folder);
    assert_int_equal(random_open(&random, &why), DITHER_OK);
    assert_int_equal(users_path(server->hospital.policy, path, &why), DITHER_OK);
    assert_int_equal(users_edit(path, random, let_alice_in, random, &why), DITHER_OK);
    random_close(random);
}

void server_process_remove(struct server_process *server)
{
    small_hospital_remove(&server->hospital);
}

static void say_port(void *context, const struct serve_ready *ready)
{
    const int *said = context;
    if (write(*said, &ready->port, sizeof ready->port) != (ssize_t)sizeof ready->port)
        _exit(3);
}

static int serve(const struct server_process *server, size_t connections, int said)
{
    char users[USERS_PATH_BYTES];
    struct curator *curator = NULL;
    error why;
    struct curator_options options = {.engine.threads = 1, .state_directory = server->state};
    struct serve_options how = {.host = "127.0.0.1",
                                .port = (uint16_t)server->port,
                                .no_http = true,
                                .connections = connections,
                                .workers = WORKERS,
                                .ready = say_port,
                                .context = &said};
    serve_block_signals();
    status result = users_path(server->hospital.policy, users, &why);
    if (result == DITHER_OK)
        result = curator_open(server->hospital.policy, &options, &curator, &why);
    if (result == DITHER_OK)
        result = serve_run(curator, users, &how, &why);
    if (result != DITHER_OK)
        fprintf(stderr, "the server: %s\n", why.message);
    return result == DITHER_OK ? 0 : 1;
}

void server_process_start(struct server_process *server, size_t connections)
{
    int said[2];
    uint16_t port = 0;
    assert_int_equal(pipe(said), 0);
    fflush(NULL);
    server->process = fork();
    assert_true(server->process >= 0);
    if (server->process == 0) {
        close(said[0]);
        exit(serve(server, connections, said[1])); /* with what sanitizers have to say at the end */
    }
    close(said[1]);
    if (read(said[0], &port, sizeof port) != (ssize_t)sizeof port)
        fail_msg("the server does not start");
    close(said[0]);
    server->port = port;
}

static int end(struct server_process *server, int signal)
{
    int outcome = 0;
    kill(server->process, signal);
    assert_int_equal(waitpid(server->process, &outcome, 0), server->process);
    server->process = -1;
    return outcome;
}

void server_process_stop(struct server_process *server)
{
    int outcome = end(server, SIGTERM);
    if (!WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0)
        fail_msg("the server ended with %x", (unsigned)outcome);
}

void server_process_kill(struct server_process *server)
{
    (void)end(server, SIGKILL);
}

static void say_nothing(void *context, const char *message)
{
    (void)context, (void)message;
}

PGconn *server_process_connect(const struct server_process *server)
{
    char place[200];
    snprintf(place, sizeof place,
             "host=127.0.0.1 port=%d user=alice password=pencil dbname='small hospital' sslmode=disable "
             "connect_timeout=60",
             server->port);
    PGconn *connection = PQconnectdb(place);
    (void)PQsetNoticeProcessor(connection, say_nothing, NULL);
    if (PQstatus(connection) == CONNECTION_OK)
        return connection;
    PQfinish(connection);
    return NULL;
}
