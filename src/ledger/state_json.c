#include "ledger/state_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ledger/entry_names.h"

struct history_sum state_sum(const struct state *state, size_t holder)
{
    const struct holder *who = &state->holders[holder];
    return (struct history_sum){spending_window(&who->spending), spending_lifetime(&who->spending),
                                bill_limit(state, holder)};
}

struct history_sum state_block_sum(const struct state *state, size_t block)
{
    const struct spending *spending = &state->holders[HOLDER_DATASET_PLACE].spending;
    struct history_sum sum = {ledger_cost_zero(), ledger_cost_zero(), state->config.total};
    if (spending->count > 0) {
        sum.window = spending->window[block];
        sum.lifetime = spending->lifetime[block];
    }
    return sum;
}

const char *state_block_name(const struct state *state, size_t block)
{
    return block < state->config.block_count ? state->config.blocks[block] : "rest";
}

/* Decimals are JSON numbers, exact in their text; what has no limit is null. */
static void write_decimal(struct json_writer *json, const char *key, struct decimal value)
{
    char text[DECIMAL_TEXT];
    json_write_key(json, key);
    decimal_print(value, text);
    if (decimal_is_unlimited(value))
        json_write_null(json);
    else
        json_write_raw(json, text, strlen(text));
}

void state_json_cost(struct json_writer *json, const char *key, enum ledger_currency currency,
                     struct ledger_cost cost)
{
    json_write_key(json, key);
    json_begin_object(json);
    if (currency == LEDGER_CONCENTRATED)
        write_decimal(json, "rho", cost.rho);
    else
        write_decimal(json, "epsilon", cost.epsilon);
    write_decimal(json, "delta", cost.delta);
    json_end_object(json);
}

void state_json_sum(struct json_writer *json, enum ledger_currency currency, struct history_sum sum)
{
    state_json_cost(json, "limit", currency, sum.limit);
    state_json_cost(json, "spent", currency, sum.window);
    state_json_cost(json, "left", currency, ledger_cost_left(sum.limit, sum.window));
    state_json_cost(json, "lifetime", currency, sum.lifetime);
}

void state_json_flag(struct json_writer *json, const char *key, bool value)
{
    json_write_key(json, key);
    json_write_bool(json, value);
}

void state_json_text(struct json_writer *json, const char *key, const char *text)
{
    json_write_key(json, key);
    if (text == NULL)
        json_write_null(json);
    else
        json_write_text(json, text);
}

void state_json_count(struct json_writer *json, const char *key, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    json_write_key(json, key);
    json_write_raw(json, text, strlen(text));
}

static void write_blocks(const struct state *state, struct json_writer *json)
{
    json_write_key(json, "blocks");
    json_begin_array(json);
    for (size_t block = 0; block < state->block_count; block++) {
        json_begin_object(json);
        state_json_text(json, "name", state_block_name(state, block));
        state_json_flag(json, "rest", block == state->config.block_count);
        state_json_sum(json, state->config.currency, state_block_sum(state, block));
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_holders(const struct state *state, const char *key, enum holder_kind kind,
                          struct json_writer *json)
{
    json_write_key(json, key);
    json_begin_array(json);
    for (size_t i = 0; i < state->holder_count; i++) {
        const struct holder *holder = &state->holders[i];
        if (holder->kind != kind)
            continue;
        json_begin_object(json);
        state_json_text(json, "name", holder->name);
        state_json_flag(json, "in_policy", holder->place != SIZE_MAX);
        state_json_text(json, "stopped", holder->stopped);
        state_json_sum(json, state->config.currency, state_sum(state, i));
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_policy(const struct state *state, struct json_writer *json)
{
    const struct ledger_config *config = &state->config;
    state_json_text(json, "dataset", config->dataset);
    state_json_count(json, "version", config->data_version);
    state_json_text(json, "currency", entry_currencies[config->currency]);
    state_json_text(json, "renew", entry_renewals[config->renewal]);
    state_json_count(json, "window", state->window);
    state_json_sum(json, config->currency, state_sum(state, HOLDER_DATASET_PLACE));
}

void state_json_budget(const struct state *state, struct json_writer *json)
{
    write_policy(state, json);
    write_blocks(state, json);
    write_holders(state, "analysts", HOLDER_ANALYST, json);
    write_holders(state, "groups", HOLDER_GROUP, json);
}
