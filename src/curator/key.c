/* What a release is, in canonical bytes: two releases with the same bytes have the same law on the same data.
 *
 * The SQL for the engine has the input, the keys and the measures; beside it stand the bounds, how numbers are
 * read, the public keys, and everything that enters from releases that run before: the statement that reads
 * them in scratch, and their keys. The key for the ledger has the price and the noise besides. */
#include <string.h>

#include "curator/code.h"
#include "curator/room.h"
#include "curator/walk.h"
#include "sql/print.h"

static void write_steps(struct buffer *out, const struct sql_steps *steps)
{
    buffer_format(out, " %d %lld %lld %lld", steps->exponent, (long long)steps->lower,
                  (long long)steps->upper, (long long)steps->centre);
}

static void write_measure(struct buffer *out, const struct sql_measure *measure)
{
    buffer_format(out, "measure %d", (int)measure->kind);
    write_steps(out, &measure->steps);
    write_steps(out, &measure->second_steps);
    buffer_format(out, " %lld %lld %zu", (long long)measure->unit_lower, (long long)measure->unit_upper,
                  measure->top);
    for (size_t i = 0; i < measure->quantile_count; i++)
        buffer_format(out, " %a", measure->quantiles[i]);
    char fixed[DECIMAL_TEXT]; /* two that ask for different amounts are two */
    decimal_print(measure->epsilon, fixed);
    buffer_format(out, " %s", fixed);
    buffer_text(out, "\n");
    if (measure->kind == SQL_MEASURE_TOP)
        code_write_rows(out, &measure->domain);
}

static void write_release(struct buffer *out, const struct prepared_release *prepared)
{
    const struct sql_release *release = prepared->release;
    buffer_text(out, "release 1\n");
    buffer_text(out, prepared->sql);
    buffer_format(out, "\nbounds %llu %llu %d %d\n", (unsigned long long)release->max_rows,
                  (unsigned long long)release->max_groups, release->one_row,
                  release->key_count > 0 && release->domain == NULL);
    for (size_t i = 0; i < release->measure_count; i++)
        write_measure(out, &release->measures[i]);
    if (release->domain != NULL)
        code_write_rows(out, &prepared->domain);
}

/* ---- Releases inside ---- */

struct inside {
    const struct prepared *prepared;
    const struct sql_relation *own;
    struct buffer *out;
    bool keys; /* their keys, price included; else their identities */
};

static void write_inner(const struct inside *inside, const struct sql_release *inner)
{
    for (size_t i = 0; i < inside->prepared->plan->release_count; i++) {
        const struct prepared_release *release = &inside->prepared->releases[i];
        if (inside->prepared->plan->releases[i] != inner)
            continue;
        buffer_format(inside->out, "inner %zu ", inner->number);
        if (inside->keys)
            buffer_append(inside->out, release->key, release->key_size);
        else
            buffer_append(inside->out, release->identity.bytes, DIGEST_BYTES);
    }
}

/* A released relation is given to the engine as rows: here stands how they are made. What lies below a release
 * is part of its own identity. */
static bool write_inside(void *context, const struct sql_relation *relation)
{
    const struct inside *inside = context;
    if (relation == inside->own)
        return true;
    if (relation->kind == SQL_RELEASE) {
        write_inner(inside, relation->release);
        return false;
    }
    if (relation->place == SQL_RELEASED && !inside->keys) {
        struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = inside->out, .scratch = true};
        buffer_text(inside->out, "given ");
        sql_print_relation(&printer, relation);
    }
    return true;
}

status key_identify(struct prepared *prepared, size_t index, struct arena *arena, error *why)
{
    struct prepared_release *release = &prepared->releases[index];
    struct buffer out;
    struct inside inside = {.prepared = prepared, .own = release->relation, .out = &out};
    buffer_init(&out, 4 * CURATOR_SQL_BYTES);
    write_release(&out, release);
    status result = walk_relation(release->relation, true, write_inside, &inside, arena, why);
    if (result == DITHER_OK)
        result = buffer_check(&out, why);
    if (result == DITHER_OK)
        result = digest_of(out.data, out.length, &release->identity, why);
    buffer_free(&out);
    return result;
}

/* ---- With the price ---- */

static void write_part(struct buffer *out, const struct price_part *part)
{
    char cost[3][DECIMAL_TEXT];
    decimal_print(part->cost.epsilon, cost[0]);
    decimal_print(part->cost.delta, cost[1]);
    decimal_print(part->cost.rho, cost[2]);
    buffer_format(out, "part %d %s %s %s", (int)part->kind, cost[0], cost[1], cost[2]);
    for (size_t i = 0; i < part->mechanism_count; i++) {
        const struct mechanism *mechanism = &part->mechanisms[i];
        buffer_format(out, " %s %a %a %a %a %llu %llu", mechanism->kind->name, mechanism->options.epsilon,
                      mechanism->options.delta, mechanism->options.rho, mechanism->options.sensitivity,
                      (unsigned long long)mechanism->options.group,
                      (unsigned long long)mechanism->options.max_groups);
    }
    buffer_text(out, "\n");
}

/* Inner releases come first in a plan, so that their keys are there. */
static status write_key(const struct prepared *prepared, size_t index, struct buffer *out,
                        struct arena *arena, error *why)
{
    const struct prepared_release *release = &prepared->releases[index];
    const struct price_release *priced = &prepared->price.releases[index];
    struct inside inside = {.prepared = prepared, .own = release->relation, .out = out, .keys = true};
    buffer_append(out, release->identity.bytes, DIGEST_BYTES);
    for (size_t i = 0; i < priced->part_count; i++)
        write_part(out, &priced->parts[i]);
    TRY(walk_relation(release->relation, true, write_inside, &inside, arena, why));
    return buffer_check(out, why);
}

status key_write(struct prepared *prepared, size_t index, struct arena *arena, error *why)
{
    struct prepared_release *release = &prepared->releases[index];
    struct buffer out;
    struct digest digest;
    char *kept = NULL;
    buffer_init(&out, 4 * CURATOR_SQL_BYTES);
    status result = write_key(prepared, index, &out, arena, why);
    if (result == DITHER_OK)
        result = digest_of(out.data, out.length, &digest, why);
    if (result == DITHER_OK)
        result = arena_text(arena, (const char *)digest.bytes, DIGEST_BYTES, &kept, why);
    buffer_free(&out);
    if (result == DITHER_OK) {
        release->key = kept;
        release->key_size = DIGEST_BYTES;
    }
    return result;
}
