/* `dither serve`: questions over the PostgreSQL protocol and over HTTP. */
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/notify.h"
#include "serve/listen.h"
#include "serve/pool.h"
#include "serve/users.h"

static const struct cli_help help = {
    .usage =
        "serve POLICY [--port 5433] [--http-port 8433] [--host 127.0.0.1] [--tls-cert FILE --tls-key FILE]",
    .about =
        "Answers the questions of everybody whom `dither user` let in, over the PostgreSQL protocol: psql, "
        "drivers\n"
        "and tools connect as they would to a database that is called like the dataset. Each answer is "
        "followed by a\n"
        "notice that says what it cost. Programs with a token of `dither token` ask over HTTP, in JSON.\n"
        "Without a certificate only this machine can connect; with one, everybody must use TLS. SIGTERM "
        "ends the\n"
        "server when the answers that are under way are given.",
    .example = "  dither user add hospital.yaml alice\n"
               "  dither serve hospital.yaml\n"
               "  psql -h 127.0.0.1 -p 5433 -U alice hospital -c \"SELECT count(*) FROM patients\"",
};

/* This program, also when its file has been replaced. */
#define SELF "/proc/self/exe"

struct serve_request {
    const char *policy;
    struct serve_options options;
    uint64_t port, http_port, connections, workers;
    bool no_log;
};

enum { HTTP_PORT = 8433, ANY_PORT = 1 << 16 }; /* ANY_PORT: none was named */

static status read_port(const char *text, void *place, error *why)
{
    uint64_t port = 0;
    TRY(number_parse_whole(text, &port, why));
    if (port > 65535)
        return fail(why, DITHER_INVALID, "must be at most 65535");
    *(uint64_t *)place = port;
    return DITHER_OK;
}

static status read_connections(const char *text, void *place, error *why)
{
    uint64_t count = 0;
    TRY(number_parse_whole(text, &count, why));
    if (count < 1 || count > 100000)
        return fail(why, DITHER_INVALID, "must be from 1 to 100000");
    *(uint64_t *)place = count;
    return DITHER_OK;
}

static status read_workers(const char *text, void *place, error *why)
{
    uint64_t count = 0;
    TRY(number_parse_whole(text, &count, why));
    if (count < 1 || count > POOL_MOST)
        return fail(why, DITHER_INVALID, "must be from 1 to %d", (int)POOL_MOST);
    *(uint64_t *)place = count;
    return DITHER_OK;
}

static void say_ready(void *context, const struct serve_ready *ready)
{
    (void)context;
    printf("listening on %s, port %u\n", ready->address, ready->port);
    if (ready->http_port != 0)
        printf("HTTP on %s, port %u\n", ready->address, ready->http_port);
    fflush(stdout);
    notify_ready();
}

/* With any port for the one protocol goes any for the other, unless it is named. */
static uint16_t http_port(const struct serve_request *request)
{
    if (request->http_port != ANY_PORT)
        return (uint16_t)request->http_port;
    return request->port == 0 ? 0 : HTTP_PORT;
}

/* hospital.yaml -> hospital.questions, beside it. */
static status log_path(const struct serve_request *request, char out[USERS_PATH_BYTES], error *why)
{
    static const char ending[] = ".users", questions[] = ".questions";
    TRY(users_path(request->policy, out, why));
    size_t length = strlen(out) - strlen(ending);
    if (length + sizeof questions > USERS_PATH_BYTES)
        return fail(why, DITHER_INVALID, "the policy's path is too long");
    memcpy(out + length, questions, sizeof questions);
    return DITHER_OK;
}

static status open_policy(void *context, struct curator **out, error *why)
{
    const struct serve_request *request = context;
    return curator_open(request->policy, &(struct curator_options){.scratch_program = SELF, .at_once = true},
                        out, why);
}

static status serve(struct serve_request *request, error *why)
{
    char users[USERS_PATH_BYTES], questions[USERS_PATH_BYTES];
    struct users *known = NULL;
    struct curator *curator = NULL;
    TRY(users_path(request->policy, users, why));
    if (users_read(users, &known, why) != DITHER_OK) { /* before the data are imported in vain */
        error inner = *why;
        return fail(why, inner.status, "%.300s; `dither user add %.100s NAME` lets somebody in",
                    inner.message, request->policy);
    }
    users_free(known);
    TRY(log_path(request, questions, why));
    if (request->options.journal.path == NULL && !request->no_log)
        request->options.journal.path = questions;
    serve_block_signals();
    TRY(open_policy(request, &curator, why));
    request->options.port = (uint16_t)request->port;
    request->options.http_port = http_port(request);
    request->options.connections = (size_t)request->connections;
    request->options.workers = (size_t)request->workers;
    request->options.program = SELF;
    request->options.ready = say_ready;
    request->options.reopen = open_policy;
    request->options.context = request;
    return serve_run(curator, users, &request->options, why);
}

static status check(const struct serve_request *request, int argc, error *why)
{
    if (argc != 1)
        return fail(why, DITHER_INVALID, "serve needs a policy, and nothing else");
    if ((request->options.certificate == NULL) != (request->options.key == NULL))
        return fail(why, DITHER_INVALID, "--tls-cert and --tls-key go together");
    if (request->options.no_http && request->http_port != ANY_PORT)
        return fail(why, DITHER_INVALID, "--no-http and --http-port contradict each other");
    if (request->no_log && (request->options.journal.path != NULL || request->options.journal.no_text))
        return fail(why, DITHER_INVALID, "--no-log contradicts --log and --no-log-text");
    return DITHER_OK;
}

static int run(int argc, char **argv)
{
    struct serve_request request = {.port = 5433, .http_port = ANY_PORT, .options = {.host = "127.0.0.1"}};
    const struct cli_option list[] = {
        {"port", "PORT", "for the PostgreSQL protocol (5433); 0 takes any that is free", read_port,
         &request.port, NULL, 0},
        {"http-port", "PORT", "for HTTP (8433; with --port 0 any that is free)", read_port,
         &request.http_port, NULL, 0},
        {"no-http", NULL, "the PostgreSQL protocol only", NULL, &request.options.no_http, NULL, 0},
        {"host", "ADDRESS", "where to listen (127.0.0.1)", cli_read_text, &request.options.host, NULL, 0},
        {"tls-cert", "FILE", "the certificate with its chain, PEM", cli_read_text,
         &request.options.certificate, NULL, 0},
        {"tls-key", "FILE", "its key, PEM, which its owner alone may read", cli_read_text,
         &request.options.key, NULL, 0},
        {"connections", "N", "how many at a time, of either protocol (1000)", read_connections,
         &request.connections, NULL, 0},
        {"workers", "N", "how many questions are under way at a time (32 for each processor, at most 64)",
         read_workers, &request.workers, NULL, 0},
        {"log", "FILE", "the log of questions (beside the policy, with the ending .questions)", cli_read_text,
         &request.options.journal.path, NULL, 0},
        {"no-log-text", NULL, "the log without the questions' texts", NULL, &request.options.journal.no_text,
         NULL, 0},
        {"no-log", NULL, "no log of questions", NULL, &request.no_log, NULL, 0},
    };
    const struct cli_options options = {list, sizeof list / sizeof list[0]};
    bool wants_help = false;
    error why;
    if (cli_parse(options, &argc, argv, &wants_help, &why) != DITHER_OK)
        return cli_misused("serve", &why);
    if (wants_help) {
        cli_print_help(&help, options);
        return CLI_DONE;
    }
    if (check(&request, argc, &why) != DITHER_OK)
        return cli_misused("serve", &why);
    request.policy = argv[0];
    return serve(&request, &why) == DITHER_OK ? CLI_DONE : cli_failed(&why);
}

const struct cli_command cli_serve = {"serve", "answer questions over the PostgreSQL protocol and HTTP", run};
