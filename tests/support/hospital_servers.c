#include "tests/support/hospital_servers.h"

#include <libpq-fe.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/test.h"

struct hospital_table {
    const char *name, *columns, *key;
    const char *unit; /* what the cluster distributes it by; NULL: it stays on the coordinator */
};

static const struct hospital_table tables[] = {
    {"patients",
     "patient_id bigint, age bigint, region text, salary double precision, balance numeric(18, 2), insured "
     "boolean, "
     "disease text, born date",
     "patient_id", "patient_id"},
    {"visits",
     "visit_id bigint, patient_id bigint, clinic_id bigint, day date, seen timestamp, cost double precision, "
     "tip "
     "double precision, kind text",
     NULL, "patient_id"},
    {"clinics", "clinic_id bigint, name text, city text, beds bigint", "clinic_id", NULL},
    {"customers", "customer_id text, level bigint", "customer_id", "customer_id"},
    {"orders", "order_id bigint, customer_id text, channel text", "order_id", "customer_id"},
    {"items", "order_id bigint, product text, price bigint", NULL, "order_id"},
    {"readings", "sensor bigint, celsius double precision", NULL, NULL},
};
enum { TABLES = sizeof tables / sizeof tables[0], SHARDS = 2 };

void hospital_servers_connection(const struct hospital_servers *servers, size_t index, const char *user,
                                 const char *database, char room[200])
{
    snprintf(room, 200, "host=127.0.0.1 port=%d user=%s dbname=%s", servers->servers[index].port, user,
             database);
}

static void run(PGconn *connection, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void run(PGconn *connection, const char *format, ...)
{
    char sql[4000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sql, sizeof sql, format, arguments);
    va_end(arguments);
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    PQclear(result);
}

static PGconn *owner(const struct hospital_servers *servers, size_t index, const char *database)
{
    char place[200];
    hospital_servers_connection(servers, index, "postgres", database, place);
    PGconn *connection = PQconnectdb(place);
    if (PQstatus(connection) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(connection));
    run(connection, "SET client_min_messages = error");
    return connection;
}

void hospital_servers_start(struct hospital_servers *servers, enum hospital_place place)
{
    memset(servers, 0, sizeof *servers);
    servers->place = place;
    servers->count = place == HOSPITAL_CLUSTER ? 1 + SHARDS : place == HOSPITAL_SERVER ? 1 : 0;
    for (size_t i = 0; i < servers->count; i++) {
        scratch_postgres_start(&servers->servers[i], "-c fsync=off -c full_page_writes=off");
        PGconn *connection = owner(servers, i, "postgres");
        run(connection, "CREATE ROLE dither LOGIN");
        PQfinish(connection);
    }
}

void hospital_servers_stop(struct hospital_servers *servers)
{
    for (size_t i = 0; i < servers->count; i++)
        scratch_postgres_stop(&servers->servers[i]);
}

/* ---- Tables ---- */

static void make_shard(const struct hospital_servers *servers, size_t shard, const char *database)
{
    PGconn *connection = owner(servers, shard + 1, database);
    for (size_t i = 0; i < TABLES; i++)
        if (tables[i].unit != NULL)
            run(connection, "CREATE TABLE %s (%s); CREATE INDEX ON %s (%s); GRANT SELECT ON %s TO dither",
                tables[i].name, tables[i].columns, tables[i].name, tables[i].unit, tables[i].name);
    PQfinish(connection);
}

static void know_shards(const struct hospital_servers *servers, PGconn *connection, const char *database)
{
    run(connection, "CREATE EXTENSION postgres_fdw");
    for (size_t i = 0; i < SHARDS; i++) {
        run(connection,
            "CREATE SERVER shard_%zu FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '%d', "
            "dbname "
            "'%s', async_capable 'true', fetch_size '10000', fdw_tuple_cost '0.2')",
            i, servers->servers[i + 1].port, database);
        run(connection,
            "CREATE USER MAPPING FOR postgres SERVER shard_%zu OPTIONS (user 'postgres', password_required "
            "'false');"
            "CREATE USER MAPPING FOR dither SERVER shard_%zu OPTIONS (user 'dither', password_required "
            "'false')",
            i, i);
    }
}

static void make_table(const struct hospital_servers *servers, PGconn *connection,
                       const struct hospital_table *table)
{
    bool spread = servers->place == HOSPITAL_CLUSTER && table->unit != NULL;
    run(connection, "CREATE TABLE %s (%s%s%s%s)%s%s%s", table->name, table->columns,
        !spread && table->key != NULL ? ", PRIMARY KEY (" : "",
        !spread && table->key != NULL ? table->key : "", !spread && table->key != NULL ? ")" : "",
        spread ? " PARTITION BY HASH (" : "", spread ? table->unit : "", spread ? ")" : "");
    for (size_t i = 0; spread && i < SHARDS; i++)
        run(connection,
            "CREATE FOREIGN TABLE %s_%zu PARTITION OF %s FOR VALUES WITH (MODULUS %d, REMAINDER %zu) SERVER "
            "shard_%zu "
            "OPTIONS (table_name '%s')",
            table->name, i, table->name, SHARDS, i, i, table->name);
    run(connection, "GRANT SELECT ON %s TO dither", table->name);
}

static void load_file(PGconn *connection, const struct small_hospital *hospital, const char *table)
{
    char path[200], chunk[8192];
    size_t length;
    snprintf(path, sizeof path, "%s/%s.csv", hospital->folder, table);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    snprintf(chunk, sizeof chunk, "COPY %s FROM STDIN (FORMAT csv, HEADER)", table);
    PQclear(PQexec(connection, chunk));
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0)
        assert_int_equal(PQputCopyData(connection, chunk, (int)length), 1);
    fclose(file);
    assert_int_equal(PQputCopyEnd(connection, NULL), 1);
    PGresult *result = NULL;
    while ((result = PQgetResult(connection)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            fail_msg("%s: %s", table, PQerrorMessage(connection));
        PQclear(result);
    }
}

static void fill(const struct hospital_servers *servers, const char *database,
                 const struct small_hospital *hospital)
{
    for (size_t i = 0; i < servers->count; i++) {
        PGconn *connection = owner(servers, i, "postgres");
        run(connection, "CREATE DATABASE %s", database);
        PQfinish(connection);
    }
    for (size_t i = 1; i < servers->count; i++)
        make_shard(servers, i - 1, database);
    PGconn *connection = owner(servers, 0, database);
    if (servers->place == HOSPITAL_CLUSTER)
        know_shards(servers, connection, database);
    for (size_t i = 0; i < TABLES; i++) {
        make_table(servers, connection, &tables[i]);
        load_file(connection, hospital, tables[i].name);
        run(connection, "ANALYZE %s", tables[i].name);
    }
    PQfinish(connection);
}

/* ---- What no constraint can say when rows lie on several servers ---- */

static void hear(void *context, enum engine_severity severity, const char *line)
{
    (void)context;
    if (severity == ENGINE_WRONG)
        fail_msg("%s", line);
}

static void prove(const struct small_hospital *hospital)
{
    struct arena arena;
    const struct policy *policy = NULL;
    error why = {.message = ""};
    arena_init(&arena, POLICY_ARENA_BYTES);
    if (policy_read(hospital->policy, &arena, &policy, &why) != DITHER_OK ||
        engine_prove(policy, hear, NULL, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    arena_free(&arena);
}

void hospital_servers_make(struct hospital_servers *servers, const char *database,
                           struct small_hospital *hospital, const struct small_hospital_options *options)
{
    struct small_hospital_options placed = options != NULL ? *options : (struct small_hospital_options){0};
    char place[200];
    if (servers->place != HOSPITAL_FILES) {
        hospital_servers_connection(servers, 0, "dither", database, place);
        placed.postgres = place;
    }
    small_hospital_make(hospital, &placed);
    if (servers->place != HOSPITAL_FILES)
        fill(servers, database, hospital);
    if (servers->place == HOSPITAL_CLUSTER)
        prove(hospital);
}
