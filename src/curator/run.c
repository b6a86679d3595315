/* The releases of a question whose charge is on disk. Stored results are used as they are; the others are
 * asked of the engine in one snapshot, and get their noise at once. */
#include <string.h>

#include "curator/code.h"
#include "curator/noise.h"
#include "curator/room.h"

/* ---- What the engine is given of earlier releases ---- */

enum { MOST_GIVEN = 20000 }; /* rows of earlier releases that a statement for the engine may hold */

struct given_rows {
    const struct sql_relation *relation;
    const struct sql_rows *rows;
    struct given_rows *next;
};

struct giving {
    struct run *run;
    struct given_rows *first;
    status failed;
    error *why;
};

static status compute_given(struct giving *giving, const struct sql_relation *relation,
                            const struct sql_rows **out)
{
    struct run *run = giving->run;
    void *entry = NULL, *rows = NULL;
    TRY(arena_take(run->arena, sizeof(struct given_rows), &entry, giving->why));
    TRY(arena_take(run->arena, sizeof(struct sql_rows), &rows, giving->why));
    TRY(rest_rows(run->curator, relation, run->arena, rows, giving->why));
    if (((struct sql_rows *)rows)->row_count > MOST_GIVEN)
        return fail(giving->why, DITHER_INVALID, "a later release may read at most %d rows of an earlier one",
                    (int)MOST_GIVEN);
    *(struct given_rows *)entry = (struct given_rows){relation, rows, giving->first};
    giving->first = entry;
    *out = rows;
    return DITHER_OK;
}

static const struct sql_rows *give(void *context, const struct sql_relation *relation)
{
    struct giving *giving = context;
    const struct sql_rows *rows = NULL;
    for (const struct given_rows *known = giving->first; known != NULL; known = known->next)
        if (known->relation == relation)
            return known->rows;
    if (giving->failed == DITHER_OK)
        giving->failed = compute_given(giving, relation, &rows);
    return giving->failed == DITHER_OK ? rows : NULL;
}

/* ---- One release ---- */

static status fresh_key(struct random *random, uint8_t key[16], error *why)
{
    const uint64_t *words = NULL;
    TRY(random_take(random, 2, &words, why));
    memcpy(key, words, 16);
    return DITHER_OK;
}

/* Whatever fails between the first row and the noise may depend on the rows: it has one text. */
static status engine_failed(struct run *run, error *why)
{
    run->engine_failed = true;
    return fail(why, DITHER_IO, "%s", ENGINE_FAILED);
}

static status draw(struct run *run, size_t index, error *why)
{
    struct curator *curator = run->curator;
    const struct prepared_release *prepared = &run->prepared->releases[index];
    error inner;
    struct giving giving = {.run = run, .failed = DITHER_OK, .why = &inner};
    struct engine_request request = {
        .release = prepared->release, .domain = prepared->domain, .given = give, .context = &giving};
    struct engine_groups groups = {0};
    TRY(fresh_key(curator->random, request.hash_key, why));
    status result = engine_release(curator->engine, &request, run->arena, &groups, NULL);
    memset(request.hash_key, 0, sizeof request.hash_key);
    if (giving.failed != DITHER_OK) /* of released rows alone: it may be told */
        return fail(why, giving.failed, "%s", inner.message);
    if (result != DITHER_OK)
        return engine_failed(run, why);
    result = noise_release(&run->prepared->price.releases[index], &groups, &prepared->domain, curator->random,
                           run->arena, &run->tables[index], &inner);
    if (result == DITHER_NO_ENTROPY)
        return fail(why, result, "%s", inner.message);
    return result == DITHER_OK ? DITHER_OK : engine_failed(run, why);
}

static status keep_result(struct run *run, size_t index, error *why)
{
    struct buffer bytes;
    char *kept = NULL;
    buffer_init(&bytes, LEDGER_ANSWER_BYTES);
    code_write_rows(&bytes, &run->tables[index]);
    status result = buffer_check(&bytes, why);
    if (result == DITHER_OK)
        result = arena_text(run->arena, bytes.data, bytes.length, &kept, why);
    if (result == DITHER_OK)
        run->results[run->places[index]] = (struct ledger_bytes){kept, bytes.length};
    buffer_free(&bytes);
    return result;
}

static status put(struct run *run, size_t index, error *why)
{
    const struct prepared_release *prepared = &run->prepared->releases[index];
    struct scratch_column *columns = NULL;
    TRY(rest_begin(run->curator, why));
    TRY(rest_columns(prepared->relation, run->arena, &columns, why));
    return scratch_put(run->curator->scratch, prepared->table, columns, &run->tables[index], why);
}

static status begin_at_engine(struct run *run, error *why)
{
    TRY(gate_enter(run->curator, why));
    if (engine_begin(run->curator->engine, NULL) == DITHER_OK)
        return DITHER_OK;
    gate_leave(run->curator);
    return engine_failed(run, why);
}

static void end_at_engine(struct run *run)
{
    engine_end(run->curator->engine);
    gate_leave(run->curator);
}

static status stored_or_drawn(struct run *run, const struct ledger_reservation *reservation, size_t index,
                              bool *begun, error *why)
{
    size_t first = run->prepared->price.releases[index].same_as;
    struct ledger_bytes stored;
    if (first != index) {
        run->tables[index] = run->tables[first];
        return DITHER_OK;
    }
    if (ledger_reservation_stored(reservation, run->places[index], &stored)) {
        TRY(code_read_rows(stored, run->arena, &run->tables[index], why));
        return run->tables[index].column_count == noise_columns(run->prepared->releases[index].release)
                   ? DITHER_OK
                   : fail(why, DITHER_IO, "a stored result in the ledger is of another release");
    }
    if (!*begun)
        TRY(begin_at_engine(run, why));
    *begun = true;
    TRY(draw(run, index, why));
    return keep_result(run, index, why);
}

/* ---- All of them ---- */

status run_begin(struct curator *curator, const struct prepared *prepared, struct arena *arena,
                 struct run *out, error *why)
{
    size_t count = prepared->plan->release_count;
    void *tables = NULL, *results = NULL, *places = NULL;
    TRY(arena_take(arena, count * sizeof *out->tables, &tables, why));
    TRY(arena_take(arena, count * sizeof *out->results, &results, why));
    TRY(arena_take(arena, count * sizeof *out->places, &places, why));
    *out = (struct run){.curator = curator,
                        .prepared = prepared,
                        .arena = arena,
                        .tables = tables,
                        .results = results,
                        .places = places};
    for (size_t i = 0; i < count; i++) {
        size_t first = prepared->price.releases[i].same_as;
        out->places[i] = first == i ? out->ledger_count++ : out->places[first];
    }
    return DITHER_OK;
}

status run_releases(struct run *run, const struct ledger_reservation *reservation, error *why)
{
    bool begun = false;
    status result = DITHER_OK;
    for (size_t i = 0; i < run->prepared->plan->release_count && result == DITHER_OK; i++) {
        result = stored_or_drawn(run, reservation, i, &begun, why);
        if (result == DITHER_OK && i == 0)
            result = plain_find(run, why);
        if (result == DITHER_OK && !run->plain)
            result = put(run, i, why);
    }
    if (begun)
        end_at_engine(run);
    return result;
}

void run_end(struct run *run)
{
    for (size_t i = 0; i < run->prepared->plan->release_count && !run->plain; i++)
        scratch_drop(run->curator->scratch, run->prepared->releases[i].table);
}
