/* release_data.h - a table of private rows in DuckDB, and releases over it, made by hand.
 *
 * The table: u (the unit, bigint), w (the unit as text), k (bigint), t (text), d (date), r (real key), x (real),
 * y (bigint), b (boolean). Every column may be NULL. */
#ifndef TESTS_SUPPORT_RELEASE_DATA_H
#define TESTS_SUPPORT_RELEASE_DATA_H

#include <duckdb.h>

#include "base/arena.h"
#include "engine/duckdb_statements.h"
#include "engine/engine.h"

enum release_data_column {
    DATA_U,
    DATA_W,
    DATA_K,
    DATA_T,
    DATA_D,
    DATA_R,
    DATA_X,
    DATA_Y,
    DATA_B,
    DATA_COLUMNS
};

struct release_data {
    duckdb_database database;
    duckdb_connection connection;
    struct arena arena;
    struct duckdb_keeper keeper;
};

/* An empty table "data", with the bounding functions registered; `threads` 0: all cores. */
void release_data_open(struct release_data *data, unsigned threads);
void release_data_close(struct release_data *data);

/* Runs a statement; the test fails when it does. */
void release_data_run(struct release_data *data, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The one number of a query. */
int64_t release_data_number(struct release_data *data, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints what a query gives: for messages. */
void release_data_show(struct release_data *data, const char *sql);

/* The table as a tagged relation: its columns, and behind them the tag, which is u or w. */
const struct sql_relation *release_data_input(bool text_unit);
const struct sql_expression *release_data_column_expression(enum release_data_column column);

/* Domains: a run of whole numbers, and texts; with NULL at the end or not. */
struct sql_rows release_data_run_domain(struct release_data *data, int64_t lower, int64_t upper, bool null);
struct sql_rows release_data_text_domain(struct release_data *data, const char *const *texts, size_t count,
                                         bool null);

/* Runs it twice, with its literals and key in the text and in slots, which must not make a difference; the test fails when one does. `domain` NULL: hidden keys. */
struct engine_groups release_data_release(struct release_data *data, struct sql_release *release,
                                          const struct sql_rows *domain, const uint8_t key[16]);

#endif
