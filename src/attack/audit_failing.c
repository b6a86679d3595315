/* A data source that breaks under a question.
 *
 * The rows lie in a DuckDB file, which is spoilt after it was opened: overwritten, or cut off. What the analyst hears then is one
 * fixed text, whatever went wrong; the charge, which was there before the rows were touched, stays; he gets no further
 * answer until the owner lifts that; and the request id of the question that failed is good for nothing, since the next run would be
 * a second draw for one charge. */
#include <stdio.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "attack/audit_parts.h"

enum { PEOPLE = 3000 };

static const char budget[] = "  %s: 100\n  per_question: 1\n%s";
static const char people[] = "analysts:\n  alice: {}\n  bob: {}\n";

enum spoiling { OVERWRITTEN, CUT_OFF, SPOILINGS };

static void expect(struct audit_run *run, bool kept, const char *broken)
{
    audit_tested(run, AUDIT_FAILING);
    if (!kept)
        audit_convict(run, AUDIT_FAILING, NULL, "%s", broken);
}

/* ---- Spoiling ---- */

enum { HEADERS = 3 * 4096 }; /* of a DuckDB file: read when it is opened, and not again */

static status spoil(const struct audit_world *world, enum spoiling how, error *why)
{
    char path[220], block[4096];
    snprintf(path, sizeof path, "%s/rows.duckdb", world->folder);
    FILE *file = fopen(path, "r+");
    if (file == NULL)
        return fail(why, DITHER_IO, "%s: %s", path, strerror(errno));
    memset(block, 0x5a, sizeof block);
    bool done = fseek(file, 0, SEEK_END) == 0;
    long size = ftell(file);
    done = done && fseek(file, HEADERS, SEEK_SET) == 0;
    for (long at = HEADERS; done && how == OVERWRITTEN && at < size; at += (long)sizeof block)
        done = fwrite(block, 1, sizeof block, file) == sizeof block;
    if (done && how == CUT_OFF)
        done = ftruncate(fileno(file), HEADERS) == 0;
    done = fclose(file) == 0 && done;
    return done ? DITHER_OK : fail(why, DITHER_IO, "%s cannot be spoilt", path);
}

/* ---- The owner's act ---- */

static status lift(struct audit_world *world, const char *analyst, error *why)
{
    struct arena arena;
    const struct policy *policy = NULL;
    struct ledger_config config;
    struct ledger *ledger = NULL;
    audit_world_rest(world);
    arena_init(&arena, POLICY_ARENA_BYTES);
    status result = policy_read(world->policy, &arena, &policy, why);
    if (result == DITHER_OK)
        result = policy_ledger_config(policy, &arena, &config, why);
    if (result == DITHER_OK)
        result = ledger_open(policy->ledger, &config,
                             &(struct ledger_options){.state_directory = world->folder}, &ledger, why);
    if (result == DITHER_OK && ledger_lift(ledger, analyst, NULL) != DITHER_OK)
        result = DITHER_OK; /* nothing had stopped him: that was seen already */
    ledger_close(ledger);
    arena_free(&arena);
    return result;
}

/* ---- The story ---- */

static status left_of(struct audit_world *world, struct decimal *out, error *why)
{
    struct ledger_cost left;
    TRY(curator_remaining(world->curator, NULL, &left, why));
    *out = world->currency == LEDGER_CONCENTRATED ? left.rho : left.epsilon;
    return DITHER_OK;
}

static status fail_once(struct audit_run *run, struct audit_world *world, const char *sql, bool *failed,
                        error *why)
{
    struct audit_answer answer;
    struct decimal before, after, one;
    TRY(decimal_parse("1", &one, why));
    TRY(left_of(world, &before, why));
    TRY(audit_run_ask(run, world, sql,
                      &(struct audit_settings){.analyst = "alice", .amount = "1", .request = "audit-2"},
                      &answer, why));
    TRY(left_of(world, &after, why));
    *failed = answer.result != DITHER_OK;
    if (*failed) {
        expect(run, strcmp(answer.message, ENGINE_FAILED) == 0,
               "a failure of the data source is told in other words");
        expect(run, decimal_compare(decimal_subtract(before, after), one) == 0,
               "a failure of the data source leaves no charge");
    }
    audit_answer_free(&answer);
    return DITHER_OK;
}

static status ask_after(struct audit_run *run, struct audit_world *world, const char *sql,
                        const char *analyst, const char *request, bool wanted, const char *broken, error *why)
{
    struct audit_answer answer;
    TRY(audit_run_ask(run, world, sql,
                      &(struct audit_settings){.analyst = analyst, .amount = "1", .request = request},
                      &answer, why));
    expect(run, (answer.result == DITHER_OK) == wanted, broken);
    audit_answer_free(&answer);
    return DITHER_OK;
}

/* With whole rows again. */
static status heal(const struct audit_run *run, struct audit_world *world, error *why)
{
    char path[220];
    audit_world_rest(world);
    snprintf(path, sizeof path, "%s/rows.duckdb", world->folder);
    (void)unlink(path);
    TRY(audit_rows_to_duckdb(run->policy, world->folder, why));
    return audit_world_reopen(world, why);
}

static status tell_story(struct audit_run *run, struct audit_world *world, enum spoiling how, const char *sql,
                         error *why)
{
    bool failed = false;
    TRY(spoil(world, how, why));
    TRY(fail_once(run, world, sql, &failed, why));
    if (!failed) /* the rows were in memory already: nothing to see here */
        return DITHER_OK;
    TRY(heal(run, world, why));
    TRY(ask_after(run, world, sql, "alice", NULL, false, "whose question failed is not stopped", why));
    TRY(lift(world, "alice", why));
    TRY(audit_world_reopen(world, why));
    TRY(ask_after(run, world, sql, "alice", "audit-2", false,
                  "a request that failed is run again on the old charge", why));
    return ask_after(run, world, sql, "alice", NULL, true, "who was lifted is not answered", why);
}

static status with_spoiling(struct audit_run *run, const struct audit_data *data, enum spoiling how,
                            const char *sql, error *why)
{
    struct audit_world world;
    char amounts[200];
    bool delta = !decimal_is_zero(run->policy->budget.total.delta);
    snprintf(amounts, sizeof amounts, budget,
             run->policy->budget.currency == LEDGER_CONCENTRATED ? "rho" : "epsilon",
             delta ? "  delta: 1e-6\n  delta_per_question: 1e-9\n" : "");
    struct audit_world_options options = audit_run_world(run);
    options.duckdb = true;
    options.budget = amounts;
    options.people = people;
    TRY(audit_world_open(data, &options, &world, why));
    status result = tell_story(run, &world, how, sql, why);
    audit_world_close(&world);
    return result;
}

status audit_failing(struct audit_run *run, error *why)
{
    struct audit_data data;
    struct buffer sql;
    const struct policy_table *table = audit_kind(run, 0);
    audit_tell(run, "failing");
    TRY(audit_data_open(run->policy, run->options->seed, &data, why));
    audit_data_public(&data);
    audit_quiet_people(run, &data, PEOPLE);
    buffer_init(&sql, 1 << 12);
    buffer_text(&sql, "SELECT count(*) FROM ");
    audit_print_name(&sql, table->name);
    status result = buffer_check(&sql, why);
    for (int how = 0; result == DITHER_OK && how < SPOILINGS; how++)
        result = with_spoiling(run, &data, (enum spoiling)how, sql.data, why);
    if (run->report->tests[AUDIT_FAILING] == 0)
        run->report->skipped[AUDIT_FAILING] = "a spoilt file was not noticed";
    buffer_free(&sql);
    audit_data_close(&data);
    return result;
}
