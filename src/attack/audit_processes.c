/* Noise in two processes, and before and after a restart: the same question about the same data, each time from a new beginning.
 *
 * The data are empty, so that an answer is its noise. Each child opens the world, asks, closes, opens and asks again; what it got
 * comes back through a pipe. Nothing has been opened in this process yet, so that a child has no other thread's locks. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack/audit_parts.h"

enum {
    CHILDREN = 2,
    OPENINGS = 2,
    SERIES = CHILDREN * OPENINGS,
    NUMBERS = 240, /* in one series, at most */
    MOST_ASKED = 60,
};

/* What a child sends for each opening. */
struct series {
    bool answered;
    char mechanism[32];
    double scale; /* in steps */
    size_t count;
    double noise[NUMBERS];
};

/* Count by the public key with the most values, so that an answer has many numbers. */
static bool pick_question(const struct audit_run *run, struct buffer *out)
{
    const struct policy_table *table = NULL;
    const struct policy_column *key = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < run->policy->table_count; i++) {
        const struct policy_table *candidate = &run->policy->tables[i];
        const struct policy_column *column = NULL;
        if (candidate->protection == POLICY_PUBLIC)
            continue;
        table = table == NULL ? candidate : table;
        for (size_t j = 0; (column = audit_public_key(run, candidate, 2000, j)) != NULL; j++)
            if (audit_cell_domain(column, 2000) > most) {
                most = audit_cell_domain(column, 2000);
                table = candidate;
                key = column;
            }
    }
    buffer_text(out, "SELECT ");
    if (key != NULL) {
        audit_print_name(out, key->name);
        buffer_text(out, ", ");
    }
    buffer_text(out, "count(*) FROM ");
    audit_print_name(out, table->name);
    if (key != NULL) {
        buffer_text(out, " GROUP BY ");
        audit_print_name(out, key->name);
    }
    return !out->failed;
}

static void take_answer(const struct audit_answer *answer, struct series *out)
{
    size_t column = answer->column_count - 1;
    const struct audit_column *noise = &answer->columns[column];
    memcpy(out->mechanism, noise->mechanism, sizeof out->mechanism);
    out->scale = noise->scale / noise->grid;
    for (size_t row = 0; row < answer->row_count && out->count < NUMBERS; row++)
        out->noise[out->count++] = audit_answer_number(answer, row, column) / noise->grid;
    out->answered = true;
}

static void fill_series(struct audit_world *world, const char *sql, struct series *out)
{
    for (size_t i = 0; i < MOST_ASKED && out->count < NUMBERS; i++) {
        char amount[40];
        struct audit_answer answer;
        audit_fresh_amount(world, 1, amount);
        if (audit_ask(world, sql, &(struct audit_settings){.amount = amount}, &answer, NULL) != DITHER_OK)
            return;
        if (answer.result == DITHER_OK)
            take_answer(&answer, out);
        audit_answer_free(&answer);
    }
}

/* The amounts that children ask with differ, or one would get the other's stored answers. */
static void child(struct audit_world *world, const char *sql, size_t index, int out)
{
    for (size_t opening = 0; opening < OPENINGS; opening++) {
        struct series series = {.answered = false};
        world->asked = (index * OPENINGS + opening) * 1000;
        if (audit_world_reopen(world, NULL) == DITHER_OK)
            fill_series(world, sql, &series);
        const char *bytes = (const char *)&series;
        for (size_t sent = 0; sent < sizeof series;) {
            ssize_t count = write(out, bytes + sent, sizeof series - sent);
            if (count <= 0)
                _exit(1);
            sent += (size_t)count;
        }
    }
    audit_world_rest(world);
    _exit(0);
}

static bool receive(int in, struct series *out)
{
    char *bytes = (char *)out;
    for (size_t got = 0; got < sizeof *out;) {
        ssize_t count = read(in, bytes + got, sizeof *out - got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        got += (size_t)count;
    }
    return true;
}

static status run_child(struct audit_world *world, const char *sql, size_t index, struct series *out,
                        error *why)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fail(why, DITHER_IO, "no pipe: %s", strerror(errno));
    pid_t process = fork();
    if (process < 0) {
        close(ends[0]);
        close(ends[1]);
        return fail(why, DITHER_IO, "no process: %s", strerror(errno));
    }
    if (process == 0) {
        close(ends[0]);
        child(world, sql, index, ends[1]);
    }
    close(ends[1]);
    bool whole = true;
    for (size_t i = 0; i < OPENINGS; i++)
        whole = whole && receive(ends[0], &out[index * OPENINGS + i]);
    close(ends[0]);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
    return whole ? DITHER_OK : fail(why, DITHER_IO, "a process of the auditor's ended early");
}

/* Each series with each later one; draws are in several pairs, but within one test in one only. */
static void compare(struct audit_run *run, const char *sql, const struct series *series)
{
    for (size_t a = 0; a < SERIES; a++)
        for (size_t b = a + 1; b < SERIES; b++) {
            struct audit_pairs pairs = audit_pairs_of(series[a].mechanism, series[a].scale);
            for (size_t i = 0; i < series[a].count && i < series[b].count; i++)
                audit_pairs_add(&pairs, rint(series[a].noise[i]), rint(series[b].noise[i]));
            audit_pairs_judge(
                run, sql, a / OPENINGS == b / OPENINGS ? "before and after a restart" : "in two processes",
                &pairs);
        }
}

static status look(struct audit_run *run, struct audit_world *world, const char *sql, error *why)
{
    static struct series series[SERIES];
    memset(series, 0, sizeof series);
    for (size_t i = 0; i < CHILDREN; i++)
        TRY(run_child(world, sql, i, series, why));
    for (size_t i = 0; i < SERIES; i++)
        if (!series[i].answered || isnan(audit_law_cumulative(series[i].mechanism, 1, 0)))
            return DITHER_OK;
    run->report->answers += SERIES;
    compare(run, sql, series);
    return DITHER_OK;
}

status audit_processes(struct audit_run *run, error *why)
{
    struct audit_data data;
    struct audit_world world;
    struct audit_world_options options = audit_run_world(run);
    struct buffer sql;
    audit_tell(run, "shape: processes and restarts");
    options.rest = true;
    TRY(audit_data_open(run->policy, run->options->seed, &data, why));
    audit_data_public(&data);
    status result = audit_world_open(&data, &options, &world, why);
    audit_data_close(&data);
    TRY(result);
    buffer_init(&sql, 1 << 12);
    if (pick_question(run, &sql))
        result = look(run, &world, sql.data, why);
    buffer_free(&sql);
    audit_world_close(&world);
    return result;
}
