/* Scratch PostgreSQL servers with rows to measure on: one, or a coordinator and two shards. */
#ifndef BENCH_POSTGRES_DATA_H
#define BENCH_POSTGRES_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/postgres_engine.h"

enum { BENCH_SERVERS = 3, BENCH_GROUPS = 50 };

struct postgres_server {
    char folder[64];
    int port;
    pid_t process;
};

struct postgres_data {
    struct postgres_server servers[BENCH_SERVERS];
    size_t server_count;
    char policy_file[96];
    struct arena arena;
    struct engine *engine;
    const struct sql_release *release;
    const char *plain; /* the query to compare with */
    struct sql_value domain[BENCH_GROUPS];
};

/* Whether there is a server to start (Debian's place). */
bool postgres_data_available(void);

/* people: one row of each unit; visits: `rows` rows of `units` units; both with a key from 0 to 49. */
void postgres_data_open(struct postgres_data *data, bool cluster, uint64_t rows, uint64_t units);
void postgres_data_close(struct postgres_data *data);

/* What is measured: the release of a question with the key k alone. */
void postgres_data_prepare(struct postgres_data *data, const char *question);
void postgres_data_release(struct postgres_data *data);
void postgres_data_query(struct postgres_data *data, const char *sql);

#endif
