/* The public face of the room: dither.h's ledger. Texts become decimals and structs their inner twins; every
 * rule is behind ledger.h. What is copied for a call lies in an arena that ends with it. */
#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "ledger/reservation.h"

/* The public names are the inner types, and the public numbers the inner ones; config_check refuses others.
 */
_Static_assert((int)DITHER_PURE == (int)LEDGER_PURE && (int)DITHER_APPROXIMATE == (int)LEDGER_APPROXIMATE &&
                   (int)DITHER_CONCENTRATED == (int)LEDGER_CONCENTRATED,
               "currencies");
_Static_assert((int)DITHER_NEVER == (int)LEDGER_NEVER && (int)DITHER_DAILY == (int)LEDGER_DAILY &&
                   (int)DITHER_WEEKLY == (int)LEDGER_WEEKLY && (int)DITHER_MONTHLY == (int)LEDGER_MONTHLY &&
                   (int)DITHER_QUARTERLY == (int)LEDGER_QUARTERLY && (int)DITHER_YEARLY == (int)LEDGER_YEARLY,
               "renewals");
_Static_assert(sizeof((dither_amount_text *)0)->epsilon >= DECIMAL_TEXT, "room for a decimal");

enum { ARENA_BYTES = 1 << 28 };

static struct ledger *inner_of(dither_ledger *ledger)
{
    return (struct ledger *)ledger;
}

static const struct ledger_reservation *granted(const dither_reservation *reservation)
{
    return (const struct ledger_reservation *)reservation;
}

/* ---- Decimals ---- */

/* `absent` stands for NULL. */
static status read_decimal(const char *whose, const char *component, const char *text, struct decimal absent,
                           struct decimal *out, error *why)
{
    error inner;
    if (text == NULL)
        *out = absent;
    else if (decimal_parse(text, out, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "%s, %s: %.300s", whose, component, inner.message);
    return DITHER_OK;
}

static status read_amount(const char *whose, dither_amount amount, struct ledger_cost *out, error *why)
{
    TRY(read_decimal(whose, "epsilon", amount.epsilon, decimal_zero(), &out->epsilon, why));
    TRY(read_decimal(whose, "delta", amount.delta, decimal_zero(), &out->delta, why));
    return read_decimal(whose, "rho", amount.rho, decimal_zero(), &out->rho, why);
}

static status read_cap(const char *whose, dither_cap cap, struct ledger_cost *out, error *why)
{
    TRY(read_decimal(whose, "epsilon", cap.epsilon, decimal_unlimited(), &out->epsilon, why));
    TRY(read_decimal(whose, "delta", cap.delta, decimal_unlimited(), &out->delta, why));
    return read_decimal(whose, "rho", cap.rho, decimal_unlimited(), &out->rho, why);
}

static void print_cost(struct ledger_cost cost, dither_amount_text *out)
{
    decimal_print(cost.epsilon, out->epsilon);
    decimal_print(cost.delta, out->delta);
    decimal_print(cost.rho, out->rho);
}

double dither_decimal(const char *decimal)
{
    struct decimal value;
    if (decimal == NULL || decimal_parse(decimal, &value, NULL) != DITHER_OK)
        return NAN;
    return decimal_to_double(value);
}

dither_status dither_cost_text(dither_cost cost, dither_amount_text *out, dither_error *why)
{
    struct ledger_cost exact;
    TRY(decimal_from_double(cost.epsilon, &exact.epsilon, why));
    TRY(decimal_from_double(cost.delta, &exact.delta, why));
    TRY(decimal_from_double(cost.rho, &exact.rho, why));
    print_cost(exact, out);
    return DITHER_OK;
}

/* ---- Opening ---- */

/* Room for the inner twins of a list, which must be there when it is counted. */
static status take_list(struct arena *arena, const char *what, const void *list, size_t count, size_t size,
                        void **out, error *why)
{
    if (list == NULL && count > 0)
        return fail(why, DITHER_INVALID, "%s are counted, but there are none", what);
    if (count > LEDGER_MOST_HOLDERS)
        return fail(why, DITHER_INVALID, "there are more than %d %s", LEDGER_MOST_HOLDERS, what);
    return arena_take(arena, count * size, out, why);
}

static status read_groups(const dither_ledger_config *config, struct arena *arena, struct ledger_config *out,
                          error *why)
{
    void *room = NULL;
    TRY(take_list(arena, "groups", config->groups, config->group_count, sizeof *out->groups, &room, why));
    struct ledger_group *groups = room;
    for (size_t i = 0; i < config->group_count; i++) {
        groups[i].name = config->groups[i].name;
        TRY(read_cap("the cap of a group", config->groups[i].cap, &groups[i].cap, why));
    }
    out->groups = groups;
    out->group_count = config->group_count;
    return DITHER_OK;
}

static status read_analysts(const dither_ledger_config *config, struct arena *arena,
                            struct ledger_config *out, error *why)
{
    void *room = NULL;
    TRY(take_list(arena, "analysts", config->analysts, config->analyst_count, sizeof *out->analysts, &room,
                  why));
    struct ledger_analyst *analysts = room;
    for (size_t i = 0; i < config->analyst_count; i++) {
        const dither_analyst *given = &config->analysts[i];
        if (given->groups == NULL && given->group_count > 0)
            return fail(why, DITHER_INVALID, "an analyst's groups are counted, but there are none");
        analysts[i] = (struct ledger_analyst){
            .name = given->name, .groups = given->groups, .group_count = given->group_count};
        TRY(read_cap("the cap of an analyst", given->cap, &analysts[i].cap, why));
    }
    out->analysts = analysts;
    out->analyst_count = config->analyst_count;
    return DITHER_OK;
}

static status read_config(const dither_ledger_config *config, struct arena *arena, struct ledger_config *out,
                          error *why)
{
    if (config->blocks == NULL && config->block_count > 0)
        return fail(why, DITHER_INVALID, "blocks are counted, but there are none");
    *out = (struct ledger_config){.dataset = config->dataset,
                                  .data_version = config->data_version,
                                  .unit = config->unit,
                                  .currency = (enum ledger_currency)config->currency,
                                  .renewal = (enum ledger_renewal)config->renewal,
                                  .block_column = config->block_column,
                                  .blocks = config->blocks,
                                  .block_count = config->block_count,
                                  .blocks_immutable = config->blocks_immutable};
    TRY(read_amount("the dataset's total", config->total, &out->total, why));
    TRY(read_cap("the maximum for one question", config->per_question, &out->question_most, why));
    TRY(read_groups(config, arena, out, why));
    return read_analysts(config, arena, out, why);
}

dither_status dither_ledger_open(const char *location, const dither_ledger_config *config,
                                 const dither_ledger_options *options, dither_ledger **out, dither_error *why)
{
    if (location == NULL || location[0] == '\0' || config == NULL)
        return fail(why, DITHER_INVALID, "a ledger needs a location and a configuration");
    struct ledger_carry carry = {options != NULL ? options->carry_old_units_in_new : 0};
    struct ledger_options inner_options = {.state_directory =
                                               options != NULL ? options->state_directory : NULL,
                                           .carry = carry.old_units_in_new > 0 ? &carry : NULL};
    struct ledger_config inner;
    struct ledger *ledger = NULL;
    struct arena arena;
    arena_init(&arena, ARENA_BYTES);
    status result = read_config(config, &arena, &inner, why);
    if (result == DITHER_OK)
        result = ledger_open(location, &inner, &inner_options, &ledger, why);
    arena_free(&arena);
    if (result == DITHER_OK)
        *out = (dither_ledger *)ledger;
    return result;
}

void dither_ledger_close(dither_ledger *ledger)
{
    ledger_close(inner_of(ledger));
}

/* ---- Reserving ---- */

static status read_release(const dither_question_release *release, struct ledger_release *out, error *why)
{
    if (release->blocks == NULL && release->block_count > 0)
        return fail(why, DITHER_INVALID, "a release's blocks are counted, but there are none");
    *out = (struct ledger_release){.key = release->key.data,
                                   .key_size = release->key.size,
                                   .blocks = release->blocks,
                                   .block_count = release->block_count};
    return read_amount("the cost of a release", release->cost, &out->cost, why);
}

static status reserve(struct ledger *ledger, const dither_question *question, struct arena *arena,
                      struct ledger_reservation **out, error *why)
{
    void *room = NULL;
    TRY(take_list(arena, "releases", question->releases, question->release_count,
                  sizeof(struct ledger_release), &room, why));
    struct ledger_release *releases = room;
    for (size_t i = 0; i < question->release_count; i++)
        TRY(read_release(&question->releases[i], &releases[i], why));
    const struct ledger_question inner = {.analyst = question->analyst,
                                          .request = question->request,
                                          .text = question->text,
                                          .settings = question->settings,
                                          .releases = releases,
                                          .release_count = question->release_count};
    return ledger_reserve(ledger, &inner, out, why);
}

dither_status dither_ledger_reserve(dither_ledger *ledger, const dither_question *question,
                                    dither_reservation **out, dither_error *why)
{
    if (question == NULL)
        return fail(why, DITHER_INVALID, "there is no question");
    struct ledger_reservation *reservation = NULL;
    struct arena arena;
    arena_init(&arena, ARENA_BYTES);
    status result = reserve(inner_of(ledger), question, &arena, &reservation, why);
    arena_free(&arena);
    if (result == DITHER_OK)
        *out = (dither_reservation *)reservation;
    return result;
}

void dither_reservation_free(dither_reservation *reservation)
{
    ledger_reservation_free((struct ledger_reservation *)reservation);
}

bool dither_reservation_answer(const dither_reservation *reservation, dither_bytes *answer)
{
    struct ledger_bytes bytes;
    if (!ledger_reservation_answer(granted(reservation), &bytes))
        return false;
    *answer = (dither_bytes){bytes.data, bytes.size};
    return true;
}

bool dither_reservation_stored(const dither_reservation *reservation, size_t release, dither_bytes *result)
{
    struct ledger_bytes bytes;
    if (!ledger_reservation_stored(granted(reservation), release, &bytes))
        return false;
    *result = (dither_bytes){bytes.data, bytes.size};
    return true;
}

bool dither_reservation_cached(const dither_reservation *reservation, size_t release)
{
    return ledger_reservation_cached(granted(reservation), release);
}

void dither_reservation_cost(const dither_reservation *reservation, dither_amount_text *out)
{
    print_cost(ledger_reservation_cost(granted(reservation)), out);
}

/* ---- Settling ---- */

static status read_bytes(const char *what, dither_bytes bytes, struct ledger_bytes *out, error *why)
{
    if (bytes.data == NULL && bytes.size > 0)
        return fail(why, DITHER_INVALID, "%s has a size, but no bytes", what);
    *out = (struct ledger_bytes){bytes.data != NULL ? bytes.data : "", bytes.size};
    return DITHER_OK;
}

static status settle(struct ledger *ledger, struct ledger_reservation *reservation,
                     const dither_bytes *results, dither_bytes answer, struct arena *arena, error *why)
{
    void *room = NULL;
    struct ledger_bytes whole, ignored;
    size_t count = reservation->release_count;
    TRY(take_list(arena, "results", results, count, sizeof(struct ledger_bytes), &room, why));
    struct ledger_bytes *drawn = room;
    for (size_t i = 0; i < count; i++)
        if (!ledger_reservation_stored(reservation, i, &ignored))
            TRY(read_bytes("a release's result", results[i], &drawn[i], why));
    TRY(read_bytes("the answer", answer, &whole, why));
    return ledger_settle(ledger, reservation, drawn, whole, why);
}

dither_status dither_ledger_settle(dither_ledger *ledger, dither_reservation *reservation,
                                   const dither_bytes *results, size_t result_count, dither_bytes answer,
                                   dither_error *why)
{
    struct ledger_reservation *inner = (struct ledger_reservation *)reservation;
    if (result_count != inner->release_count)
        return fail(why, DITHER_INVALID, "the question has %zu releases, and there are %zu results",
                    inner->release_count, result_count);
    struct arena arena;
    arena_init(&arena, ARENA_BYTES);
    status result = settle(inner_of(ledger), inner, results, answer, &arena, why);
    arena_free(&arena);
    return result;
}

/* ---- The owner's acts; what is left ---- */

dither_status dither_ledger_stop(dither_ledger *ledger, const char *analyst, const char *reason,
                                 dither_error *why)
{
    return ledger_stop(inner_of(ledger), analyst, reason, why);
}

dither_status dither_ledger_lift(dither_ledger *ledger, const char *analyst, dither_error *why)
{
    return ledger_lift(inner_of(ledger), analyst, why);
}

dither_status dither_ledger_tick(dither_ledger *ledger, dither_error *why)
{
    return ledger_tick(inner_of(ledger), why);
}

dither_status dither_ledger_left(dither_ledger *ledger, const char *analyst, const size_t *blocks,
                                 size_t block_count, dither_amount_text *out, dither_error *why)
{
    struct ledger_cost left;
    if (blocks == NULL && block_count > 0)
        return fail(why, DITHER_INVALID, "blocks are counted, but there are none");
    TRY(ledger_left(inner_of(ledger), analyst, blocks, block_count, &left, why));
    print_cost(left, out);
    return DITHER_OK;
}
