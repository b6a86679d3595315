/* An audit from its beginning to its end, and what its checks share. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "attack/audit_parts.h"
#include "base/memory.h"
#include "base/monotonic.h"

#define DEFAULT_ERROR 1e-3
enum { ARENA_BYTES = 1 << 30 };

const char *audit_check_name(enum audit_check check)
{
    static const char *const names[] = {"sensitivity", "shape",  "guesses", "events", "grid",
                                        "keys",        "budget", "blocks",  "failing"};
    return check < AUDIT_CHECKS ? names[check] : NULL;
}

/* ---- What was found ---- */

static status keep_text(struct arena *arena, const char *text, const char **out, error *why)
{
    char *kept = NULL;
    TRY(arena_text(arena, text, strlen(text), &kept, why));
    *out = kept;
    return DITHER_OK;
}

/* A conviction counts even if there is no memory for its words. */
void audit_convict(struct audit_run *run, enum audit_check check, const char *question, const char *format,
                   ...)
{
    struct audit_report *report = run->report;
    char text[700];
    void *room = NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (report->convictions[check]++ >= AUDIT_MOST_FINDINGS ||
        arena_take(&report->arena, sizeof(struct audit_finding), &room, NULL) != DITHER_OK)
        return;
    struct audit_finding *finding = room;
    finding->check = check;
    if (keep_text(&report->arena, text, &finding->text, NULL) != DITHER_OK ||
        (question != NULL && keep_text(&report->arena, question, &finding->question, NULL) != DITHER_OK))
        return;
    if (report->last_finding != NULL)
        report->last_finding->next = finding;
    else
        report->findings = finding;
    report->last_finding = finding;
}

void audit_tested(struct audit_run *run, enum audit_check check)
{
    run->report->tests[check]++;
}

void audit_tell(const struct audit_run *run, const char *format, ...)
{
    char line[200];
    va_list arguments;
    if (run->options->tell == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    run->options->tell(run->options->context, line);
}

void audit_fit(struct audit_run *run, enum audit_check check, const char *question, const char *what,
               double probability)
{
    if (run->fits >= AUDIT_MOST_FITS)
        return;
    run->fits++;
    audit_tested(run, check);
    if (probability < run->fit_error)
        audit_convict(run, check, question, "%s: such a sample, or a worse one, has probability %.2g", what,
                      probability);
}

status audit_add_bound(struct audit_run *run, const struct audit_bound *bound, error *why)
{
    struct audit_report *report = run->report;
    void *room = NULL;
    TRY(arena_take(&report->arena, sizeof *bound, &room, why));
    struct audit_bound *kept = room;
    *kept = *bound;
    TRY(keep_text(&report->arena, bound->kind, &kept->kind, why));
    TRY(keep_text(&report->arena, bound->question, &kept->question, why));
    if (report->last_bound != NULL)
        report->last_bound->next = kept;
    else
        report->bounds = kept;
    report->last_bound = kept;
    return DITHER_OK;
}

/* ---- Worlds and people ---- */

status audit_run_ask(struct audit_run *run, struct audit_world *world, const char *sql,
                     const struct audit_settings *settings, struct audit_answer *out, error *why)
{
    run->report->answers++;
    return audit_ask(world, sql, settings, out, why);
}

struct audit_world_options audit_run_world(const struct audit_run *run)
{
    return (struct audit_world_options){.stop = run->options->stop};
}

status audit_run_open(struct audit_run *run, const struct audit_data *data, struct audit_world *out,
                      error *why)
{
    struct audit_world_options options = audit_run_world(run);
    return audit_world_open(data, &options, out, why);
}

const struct policy_table *audit_kind(const struct audit_run *run, size_t index)
{
    for (size_t i = 0; i < run->policy->table_count; i++)
        if (run->policy->tables[i].protection != POLICY_PUBLIC &&
            run->policy->tables[i].unit == &run->policy->tables[i] && index-- == 0)
            return &run->policy->tables[i];
    return NULL;
}

uint64_t audit_quiet_rows(const struct audit_run *run, const struct policy_table *kind)
{
    uint64_t rows = 3;
    for (size_t i = 0; i < run->policy->table_count; i++) {
        const struct policy_table *table = &run->policy->tables[i];
        if (table->protection == POLICY_PUBLIC || table->unit != kind || audit_data_single(table))
            continue;
        rows = table->max_rows < rows ? table->max_rows : rows;
        rows = table->max_groups < rows ? table->max_groups : rows;
    }
    return rows;
}

void audit_quiet_people(const struct audit_run *run, struct audit_data *data, uint64_t count)
{
    const struct policy_table *kind = NULL;
    for (size_t i = 0; (kind = audit_kind(run, i)) != NULL; i++)
        for (uint64_t id = 1; id <= count; id++)
            audit_data_person(
                data, &(struct audit_person){
                          .kind = kind, .id = id, .style = STYLE_QUIET, .rows = audit_quiet_rows(run, kind)});
}

/* ---- The whole ---- */

static bool wanted(const struct audit_run *run, unsigned checks)
{
    bool enough = run->options->first && audit_report_convicts(run->report);
    return !enough && (run->options->only == 0 || (run->options->only & checks) != 0);
}

/* The quick ones first, but for the one that makes processes: a process with threads should not. */
static status run_checks(struct audit_run *run, error *why)
{
    const unsigned shape = 1u << AUDIT_SHAPE | 1u << AUDIT_GRID,
                   bounds = 1u << AUDIT_GUESSES | 1u << AUDIT_EVENTS;
    struct audit_questions questions;
    TRY(audit_questions_make(run, &questions, why));
    if (wanted(run, shape))
        TRY(audit_processes(run, why));
    if (wanted(run, 1u << AUDIT_BUDGET))
        TRY(audit_budget(run, why));
    if (wanted(run, 1u << AUDIT_BLOCKS))
        TRY(audit_blocks(run, why));
    if (wanted(run, 1u << AUDIT_FAILING))
        TRY(audit_failing(run, why));
    if (wanted(run, 1u << AUDIT_KEYS))
        TRY(audit_keys(run, why));
    if (wanted(run, shape))
        TRY(audit_draws(run, why));
    if (wanted(run, shape))
        TRY(audit_shape(run, &questions, why));
    if (wanted(run, 1u << AUDIT_SENSITIVITY))
        TRY(audit_sensitivity(run, &questions, why));
    return wanted(run, bounds) ? audit_boards(run, why) : DITHER_OK;
}

static status report_new(const struct audit_options *options, struct audit_report **out, error *why)
{
    struct audit_report *report = memory_allocate(sizeof *report);
    if (report == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    arena_init(&report->arena, ARENA_BYTES);
    report->size = options->size;
    report->seed = options->seed;
    report->error = options->error > 0 ? options->error : DEFAULT_ERROR;
    status result = keep_text(&report->arena, options->policy != NULL ? options->policy : "a server",
                              &report->policy, why);
    if (result != DITHER_OK)
        audit_report_free(report);
    else
        *out = report;
    return result;
}

void audit_report_free(struct audit_report *report)
{
    if (report == NULL)
        return;
    arena_free(&report->arena);
    memory_release(report, sizeof *report);
}

status audit_run(const struct audit_options *options, struct audit_report **out, error *why)
{
    struct audit_run run = {.options = options, .shortly = options->size == AUDIT_SHORT};
    double start = monotonic_seconds();
    TRY(report_new(options, &run.report, why));
    double most_fits = AUDIT_MOST_FITS, most_bounds = AUDIT_MOST_BOUNDS, half = run.report->error / 2;
    run.fit_error = half / most_fits < 1e-6 ? half / most_fits : 1e-6;
    run.bound_error = half / most_bounds;
    arena_init(&run.arena, ARENA_BYTES);
    status result = options->server != NULL ? audit_server(&run, why)
                                            : policy_read(options->policy, &run.arena, &run.policy, why);
    if (result == DITHER_OK && options->server == NULL)
        result = run_checks(&run, why);
    arena_free(&run.arena);
    run.report->seconds = monotonic_seconds() - start;
    if (result != DITHER_OK)
        audit_report_free(run.report);
    else
        *out = run.report;
    return result;
}

bool audit_report_convicts(const struct audit_report *report)
{
    for (size_t i = 0; i < AUDIT_CHECKS; i++)
        if (report->convictions[i] > 0)
            return true;
    return false;
}
