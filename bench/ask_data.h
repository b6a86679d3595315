/* ask_data.h - rows in DuckDB for bench/ask.c, a release over them, and the plain queries beside it. */
#ifndef BENCH_ASK_DATA_H
#define BENCH_ASK_DATA_H

#include <duckdb.h>

#include "base/arena.h"
#include "engine/engine.h"

struct ask_size {
    uint64_t rows, units;
};

struct ask_data {
    duckdb_database database;
    duckdb_connection connection;
    struct sql_measure measure;
    struct sql_release release;
    struct engine_request request;
    struct sql_value domain[50];
    char texts[50][24];
    bool text;
    char plain[1024];
    double rows_bytes; /* of memory before the first release */
};

/* Fails loudly: a benchmark without its data has nothing to say. In a quick run the data are 1000 times smaller. */
void ask_data_open(struct ask_data *data, const struct ask_size *size);
void ask_data_close(struct ask_data *data);

/* The release: count or sum by 50 keys; `plain` is the query that an analyst would write. */
void ask_data_prepare(struct ask_data *data, bool sum, bool text, bool one_row);
/* `plain` becomes the best plain SQL for bounding; the bare GROUP BY unit. */
void ask_data_plain_bounding(struct ask_data *data);
void ask_data_plain_units(struct ask_data *data);

void ask_data_release(struct ask_data *data);
void ask_data_query(struct ask_data *data, const char *sql);

/* The most memory that the process has had, above what the rows take. */
double ask_data_peak_bytes(struct ask_data *data);

#endif
