/* data.h - a folder of data files for one test, a policy over them, and the engine that is opened on it. */
#ifndef TESTS_SUPPORT_DATA_H
#define TESTS_SUPPORT_DATA_H

#include "engine/engine.h"

struct data {
    char folder[64];
    struct arena arena, policy_arena;
    const struct policy *policy;
    struct engine *engine;
    error why;
    char told[8192]; /* what the engine told the owner, a line each */
};

void data_begin(struct data *data);
/* Deletes the folder with all that is in it. */
void data_end(struct data *data);

/* The path of a file in the folder; lives in the arena. */
const char *data_path(struct data *data, const char *name);
void data_write(struct data *data, const char *name, const char *text);
void data_write_bytes(struct data *data, const char *name, const void *bytes, size_t count);

/* Runs statements in the DuckDB file of the folder, which is made if it is not there. */
void data_duckdb(struct data *data, const char *name, const char *sql);

/* Reads the text as "policy.yaml" of the folder, in place of an earlier one, whose engine is closed. Fails the
 * test when it is no policy. */
void data_policy(struct data *data, const char *text);
/* Opens the policy's engine; an earlier one is closed. Leaves the message in data->why. */
status data_open(struct data *data);
status data_open_schema(struct data *data);

/* What the engine's own database says: the first cell, a whole number or a text ("NULL" for none). */
int64_t data_whole(struct data *data, const char *sql);
const char *data_text(struct data *data, const char *sql);
/* Whether the engine's database runs it at all. */
bool data_runs(struct data *data, const char *sql);

#endif
