#include <string.h>

#include "base/memory.h"
#include "curator/room.h"

static const struct policy_table *table_of(const struct policy *policy, const struct policy_column *column)
{
    for (size_t i = 0; i < policy->table_count; i++) {
        const struct policy_table *table = &policy->tables[i];
        if (table->column_count > 0 && column >= table->columns &&
            column < table->columns + table->column_count)
            return table;
    }
    return NULL;
}

status curator_check_peeked(const struct policy *policy, error *why)
{
    if (policy->peeked == NULL)
        return DITHER_OK;
    const struct policy_table *table = table_of(policy, policy->peeked);
    return fail(why, DITHER_REFUSED,
                "range of %s%s%s was proposed by looking at the data: review it and remove `peeked: true`",
                table != NULL ? table->name : "", table != NULL ? "." : "", policy->peeked->name);
}

static status open_ledger(struct curator *curator, const struct curator_options *options, error *why)
{
    struct ledger_config config;
    struct ledger_options where = {.state_directory = options->state_directory};
    TRY(policy_ledger_config(curator->policy, &curator->arena, &config, why));
    return ledger_open(curator->policy->ledger, &config, &where, &curator->ledger, why);
}

/* Opening reads rows: imports them, looks whether keys are unique. That it fails, how, and with which status may depend
 * on one row ("1 value of patient_id has several rows"), so that analysts get one text for all of it. */
static status open_engine(struct curator *curator, const struct curator_options *options, error *why)
{
    error inner = {.message = ""};
    status result = engine_open(curator->policy, &options->engine, &curator->engine, &inner);
    if (result == DITHER_OK)
        return DITHER_OK;
    if (options->owner || options->engine.schema_only)
        return fail(why, result, "%s", inner.message);
    log_open_failure(curator, inner.message);
    return fail(why, DITHER_IO, "%s", CURATOR_NOT_OPENED);
}

static status keep_program(struct curator *curator, const char *program, error *why)
{
    char *kept = NULL;
    if (program == NULL)
        return DITHER_OK;
    TRY(arena_text(&curator->arena, program, strlen(program), &kept, why));
    curator->scratch_program = kept;
    return DITHER_OK;
}

/* What each curator has for itself. */
static status open_own(struct curator *curator, error *why)
{
    void *copied = NULL;
    TRY(arena_take(&curator->arena, engine_catalogue(curator->engine)->table_count * sizeof *curator->copied,
                   &copied, why));
    curator->copied = copied;
    TRY(scratch_open(&(struct scratch_options){.threads = curator->threads,
                                               .program = curator->scratch_program,
                                               .later = curator->joined},
                     &curator->scratch, why));
    return curator->owns_random ? random_open(&curator->random, why) : DITHER_OK;
}

static status open_parts(struct curator *curator, const char *path, const struct curator_options *options,
                         error *why)
{
    TRY(policy_read(path, &curator->arena, &curator->policy, why));
    TRY(keep_program(curator, options->scratch_program, why));
    if (!options->owner)
        TRY(curator_check_peeked(curator->policy, why));
    TRY(open_engine(curator, options, why));
    TRY(open_own(curator, why));
    TRY(recall_new(&curator->recall, why));
    TRY(checked_new(&curator->checked, why));
    TRY(gate_new(&curator->gate, why));
    return open_ledger(curator, options, why);
}

static status curator_new(struct curator **out, error *why)
{
    struct curator *curator = memory_allocate(sizeof *curator);
    if (curator == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    arena_init(&curator->arena, 2 * POLICY_ARENA_BYTES);
    atomic_init(&curator->interrupted, false);
    *out = curator;
    return DITHER_OK;
}

status curator_open(const char *policy_path, const struct curator_options *options, struct curator **out,
                    error *why)
{
    static const struct curator_options nothing;
    struct curator *curator = NULL;
    if (options == NULL)
        options = &nothing;
    TRY(curator_new(&curator, why));
    curator->random = options->random;
    curator->owns_random = options->random == NULL;
    curator->owner = options->owner;
    curator->at_once = options->at_once;
    curator->threads = options->engine.threads;
    status result = open_parts(curator, policy_path, options, why);
    if (result != DITHER_OK) {
        curator_close(curator);
        return result;
    }
    *out = curator;
    return DITHER_OK;
}

status curator_join(struct curator *first, struct curator **out, error *why)
{
    struct curator *curator = NULL;
    TRY(curator_new(&curator, why));
    curator->joined = curator->owns_random = true;
    curator->owner = first->owner;
    curator->at_once = first->at_once;
    curator->threads = 1; /* of its scratch: there are others to keep the processors busy */
    curator->scratch_program = first->scratch_program;
    curator->policy = first->policy;
    curator->ledger = first->ledger;
    curator->recall = first->recall;
    curator->checked = first->checked;
    curator->gate = first->gate;
    status result = engine_join(first->engine, &curator->engine, why);
    if (result == DITHER_OK)
        result = open_own(curator, why);
    if (result != DITHER_OK) {
        curator_close(curator);
        return result;
    }
    *out = curator;
    return DITHER_OK;
}

void curator_close(struct curator *curator)
{
    if (curator == NULL)
        return;
    if (!curator->joined) {
        gate_free(curator->gate);
        checked_free(curator->checked);
        recall_free(curator->recall);
        ledger_close(curator->ledger);
    }
    if (curator->owns_random)
        random_close(curator->random);
    scratch_close(curator->scratch);
    engine_close(curator->engine);
    arena_free(&curator->arena);
    memory_release(curator, sizeof *curator);
}

const struct sql_catalogue *curator_catalogue(const struct curator *curator)
{
    return engine_catalogue(curator->engine);
}

const struct policy *curator_policy(const struct curator *curator)
{
    return curator->policy;
}

void curator_interrupt(struct curator *curator)
{
    atomic_store(&curator->interrupted, true);
    engine_interrupt(curator->engine);
    scratch_interrupt(curator->scratch);
}

void curator_resume(struct curator *curator)
{
    atomic_store(&curator->interrupted, false);
}

double curator_progress(struct curator *curator)
{
    return engine_progress(curator->engine);
}
