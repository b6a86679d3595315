/* `dither serve`: questions over the PostgreSQL protocol. */
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "serve/listen.h"
#include "serve/pool.h"
#include "serve/users.h"

static const struct cli_help help = {
    .usage = "serve POLICY [--port 5433] [--host 127.0.0.1] [--tls-cert FILE --tls-key FILE]",
    .about = "Answers the questions of everybody whom `dither user` let in, over the PostgreSQL protocol: "
             "psql, drivers\n"
             "and tools connect as they would to a database that is called like the dataset. Each answer is "
             "followed by a\n"
             "notice that says what it cost. Without a certificate only this machine can connect; with one, "
             "everybody\n"
             "must use TLS. SIGTERM ends the server when the answers that are under way are given.",
    .example = "  dither user add hospital.yaml alice\n"
               "  dither serve hospital.yaml\n"
               "  psql -h 127.0.0.1 -p 5433 -U alice hospital -c \"SELECT count(*) FROM patients\"",
};

struct serve_request {
    const char *policy;
    struct serve_options options;
    uint64_t port, connections, workers;
};

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

static void say_ready(void *context, const char *address, uint16_t port)
{
    (void)context;
    printf("listening on %s, port %u\n", address, port);
    fflush(stdout);
}

static status serve(struct serve_request *request, error *why)
{
    char users[USERS_PATH_BYTES];
    struct users *known = NULL;
    struct curator *curator = NULL;
    TRY(users_path(request->policy, users, why));
    if (users_read(users, &known, why) != DITHER_OK) { /* before the data are imported in vain */
        error inner = *why;
        return fail(why, inner.status, "%.300s; `dither user add %.100s NAME` lets somebody in",
                    inner.message, request->policy);
    }
    users_free(known);
    serve_block_signals();
    TRY(curator_open(request->policy, &(struct curator_options){.scratch_program = "/proc/self/exe"},
                     &curator, why));
    request->options.port = (uint16_t)request->port;
    request->options.connections = (size_t)request->connections;
    request->options.workers = (size_t)request->workers;
    request->options.ready = say_ready;
    status result = serve_run(curator, users, &request->options, why);
    curator_close(curator);
    return result;
}

static status check(const struct serve_request *request, int argc, error *why)
{
    if (argc != 1)
        return fail(why, DITHER_INVALID, "serve needs a policy, and nothing else");
    if ((request->options.certificate == NULL) != (request->options.key == NULL))
        return fail(why, DITHER_INVALID, "--tls-cert and --tls-key go together");
    return DITHER_OK;
}

static int run(int argc, char **argv)
{
    struct serve_request request = {.port = 5433, .options = {.host = "127.0.0.1"}};
    const struct cli_option list[] = {
        {"port", "PORT", "for the PostgreSQL protocol (5433); 0 takes any that is free", read_port,
         &request.port, NULL, 0},
        {"host", "ADDRESS", "where to listen (127.0.0.1)", cli_read_text, &request.options.host, NULL, 0},
        {"tls-cert", "FILE", "the certificate with its chain, PEM", cli_read_text,
         &request.options.certificate, NULL, 0},
        {"tls-key", "FILE", "its key, PEM, which its owner alone may read", cli_read_text,
         &request.options.key, NULL, 0},
        {"connections", "N", "how many at a time (1000)", read_connections, &request.connections, NULL, 0},
        {"workers", "N", "how many questions are under way at a time (eight for each processor)",
         read_workers, &request.workers, NULL, 0},
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

const struct cli_command cli_serve = {"serve", "answer questions over the PostgreSQL protocol", run};
