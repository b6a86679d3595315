#include "bench/postgres_data.h"

#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sql/plan.h"

#define PROGRAMS "/usr/lib/postgresql/15/bin"

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "dither_bench: %s: %s\n", what, why);
    exit(1);
}

bool postgres_data_available(void)
{
    return access(PROGRAMS "/initdb", X_OK) == 0 && (getuid() != 0 || getpwnam("postgres") != NULL);
}

/* ---- Servers ---- */

static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&address, &size) != 0)
        give_up("a port", "there is none");
    close(descriptor);
    return ntohs(address.sin_port);
}

static void shell(const char *command)
{
    if (system(command) != 0)
        give_up(command, "failed");
}

/* PostgreSQL refuses root. */
static const char *as_postgres(void)
{
    return getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups env -u ASAN_OPTIONS "
                         : "";
}

static void start(struct postgres_server *server)
{
    char command[700], place[100];
    strcpy(server->folder, "/tmp/dither-bench-XXXXXX");
    if (mkdtemp(server->folder) == NULL)
        give_up("/tmp", "no folder can be made");
    const struct passwd *user = getuid() == 0 ? getpwnam("postgres") : NULL;
    if (user != NULL && chown(server->folder, user->pw_uid, user->pw_gid) != 0)
        give_up(server->folder, "cannot be given away");
    server->port = free_port();
    snprintf(command, sizeof command,
             "cd %s && %s" PROGRAMS
             "/initdb -D %s/data -U postgres -A trust -E UTF8 --no-locale >%s/log 2>&1",
             server->folder, as_postgres(), server->folder, server->folder);
    shell(command);
    snprintf(command, sizeof command,
             "cd %s && exec %s" PROGRAMS "/postgres -D %s/data -p %d -c listen_addresses=127.0.0.1 -c "
             "unix_socket_directories=%s -c shared_buffers=256MB -c work_mem=512MB -c fsync=off -c "
             "max_wal_size=4GB >%s/log 2>&1",
             server->folder, as_postgres(), server->folder, server->port, server->folder, server->folder);
    server->process = fork();
    if (server->process == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    snprintf(place, sizeof place, "host=127.0.0.1 port=%d user=postgres dbname=postgres", server->port);
    for (int i = 0; PQping(place) != PQPING_OK; i++) {
        if (i == 600)
            give_up("a scratch server", "did not come up");
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
}

static void stop(struct postgres_server *server)
{
    char command[100];
    kill(server->process, SIGINT);
    waitpid(server->process, NULL, 0);
    snprintf(command, sizeof command, "rm -rf %s", server->folder);
    shell(command);
}

/* ---- Rows ---- */

static void run(const struct postgres_server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void run(const struct postgres_server *server, const char *format, ...)
{
    char sql[2000], place[100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sql, sizeof sql, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "host=127.0.0.1 port=%d user=postgres dbname=postgres", server->port);
    PGconn *connection = PQconnectdb(place);
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        give_up(sql, PQerrorMessage(connection));
    PQclear(result);
    PQfinish(connection);
}

/* `more`: " WHERE ..." over u, which of the rows. */
static void make_rows(const struct postgres_server *server, uint64_t rows, uint64_t units, const char *more)
{
    unsigned long long all = rows, people = units;
    run(server,
        "CREATE TABLE people AS SELECT u, u * 7919 %% 50 AS k, CAST(u %% 10000 AS double precision) / 2 AS v "
        "FROM "
        "generate_series(CAST(1 AS bigint), %llu) AS u%s",
        all, more);
    run(server, "ALTER TABLE people ADD PRIMARY KEY (u)");
    run(server,
        "CREATE TABLE visits AS SELECT u, k, v FROM (SELECT i * 2654435761 %% %llu AS u, i * 40503 %% 7919 "
        "%% 50 AS k, "
        "CAST(i %% 10000 AS double precision) / 2 AS v FROM generate_series(CAST(1 AS bigint), %llu) AS i) "
        "AS made%s",
        people, all, more);
    run(server, "VACUUM ANALYZE people");
    run(server, "VACUUM ANALYZE visits");
}

static void make_cluster(struct postgres_data *data, uint64_t rows, uint64_t units)
{
    const struct postgres_server *coordinator = &data->servers[0];
    run(coordinator,
        "CREATE EXTENSION postgres_fdw; CREATE TABLE people (u bigint PRIMARY KEY, k bigint, v double "
        "precision); CREATE TABLE visits (u bigint, k bigint, v double precision) PARTITION BY HASH (u)");
    for (size_t i = 1; i < data->server_count; i++) {
        char which[200];
        run(&data->servers[i], "CREATE TABLE place (u bigint) PARTITION BY HASH (u)");
        snprintf(which, sizeof which, " WHERE satisfies_hash_partition(CAST('place' AS regclass), 2, %zu, u)",
                 i - 1);
        make_rows(&data->servers[i], rows, units, which);
        run(coordinator,
            "CREATE SERVER shard_%zu FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '%d', "
            "dbname "
            "'postgres', async_capable 'true', fetch_size '50000', fdw_tuple_cost '0.2', use_remote_estimate "
            "'true'); "
            "CREATE USER MAPPING FOR postgres SERVER shard_%zu; CREATE FOREIGN TABLE visits_%zu PARTITION OF "
            "visits "
            "FOR VALUES WITH (MODULUS 2, REMAINDER %zu) SERVER shard_%zu OPTIONS (table_name 'visits')",
            i, data->servers[i].port, i, i, i - 1, i);
    }
    run(coordinator, "ANALYZE visits");
}

/* ---- The engine ---- */

static void write_policy(struct postgres_data *data)
{
    snprintf(data->policy_file, sizeof data->policy_file, "%s/policy.yaml", data->servers[0].folder);
    FILE *file = fopen(data->policy_file, "w");
    if (file == NULL)
        give_up(data->policy_file, "cannot be written");
    fprintf(file,
            "dataset: bench\n"
            "engine: {postgres: \"host=127.0.0.1 port=%d user=postgres dbname=postgres\"}\n"
            "tables:\n"
            "  people:\n"
            "    unit: u\n"
            "    rows_per_unit: 1\n"
            "    columns: {u: {type: integer}, k: {type: integer, range: [0, 49], null: false}, v: {type: "
            "real, range: "
            "[0, 5000], null: false}}\n"
            "  visits:\n"
            "    unit: u\n"
            "    max_rows: 20\n"
            "    max_groups: 3\n"
            "    columns: {u: {type: integer}, k: {type: integer, range: [0, 49], null: false}, v: {type: "
            "real, range: "
            "[0, 5000], null: false}}\n"
            "budget: {epsilon: 10, per_question: 0.1}\n",
            data->servers[0].port);
    fclose(file);
}

void postgres_data_open(struct postgres_data *data, bool cluster, uint64_t rows, uint64_t units)
{
    const struct policy *policy = NULL;
    error why = {.message = ""};
    memset(data, 0, sizeof *data);
    data->server_count = cluster ? BENCH_SERVERS : 1;
    for (size_t i = 0; i < data->server_count; i++)
        start(&data->servers[i]);
    if (cluster)
        make_cluster(data, rows, units);
    else
        make_rows(&data->servers[0], rows, units, "");
    write_policy(data);
    arena_init(&data->arena, 1 << 28);
    if (policy_read(data->policy_file, &data->arena, &policy, &why) != DITHER_OK ||
        engine_open(policy, NULL, &data->engine, &why) != DITHER_OK)
        give_up(data->policy_file, why.message);
    for (int64_t i = 0; i < BENCH_GROUPS; i++)
        data->domain[i] = (struct sql_value){.type = SQL_INTEGER, .whole = i};
}

void postgres_data_close(struct postgres_data *data)
{
    engine_close(data->engine);
    arena_free(&data->arena);
    for (size_t i = 0; i < data->server_count; i++)
        stop(&data->servers[i]);
}

void postgres_data_prepare(struct postgres_data *data, const char *question)
{
    const struct sql_plan *plan = NULL;
    error why = {.message = ""};
    if (sql_plan(question, strlen(question), engine_catalogue(data->engine), &(struct sql_options){0},
                 &data->arena, &plan, &why) != DITHER_OK)
        give_up(question, why.message);
    data->release = plan->releases[0];
}

void postgres_data_release(struct postgres_data *data)
{
    struct engine_request request = {
        .release = data->release, .domain = {1, BENCH_GROUPS, data->domain}, .hash_key = {1, 2, 3}};
    struct engine_groups groups;
    struct arena arena;
    arena_init(&arena, 1 << 24);
    if (engine_begin(data->engine, NULL) != DITHER_OK ||
        engine_release(data->engine, &request, &arena, &groups, NULL) != DITHER_OK)
        give_up("a release", engine_complaint(data->engine));
    engine_end(data->engine);
    arena_free(&arena);
}

void postgres_data_query(struct postgres_data *data, const char *sql)
{
    struct postgres_engine *engine = (struct postgres_engine *)data->engine;
    error why = {.message = ""};
    if (postgres_session_ask(&engine->session, sql, NULL, 0, "measuring", NULL, &why) != DITHER_OK)
        give_up(sql, engine_complaint(data->engine));
}
