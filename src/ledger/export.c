/* The ledger as JSON and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "ledger/entry_names.h"
#include "ledger/history.h"

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

static void write_cost(struct json_writer *json, const char *key, enum ledger_currency currency,
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

static void write_sum(struct json_writer *json, enum ledger_currency currency, struct history_sum sum)
{
    write_cost(json, "limit", currency, sum.limit);
    write_cost(json, "spent", currency, sum.window);
    write_cost(json, "left", currency, ledger_cost_left(sum.limit, sum.window));
    write_cost(json, "lifetime", currency, sum.lifetime);
}

static void write_flag(struct json_writer *json, const char *key, bool value)
{
    json_write_key(json, key);
    json_write_bool(json, value);
}

/* A text or null. */
static void write_text(struct json_writer *json, const char *key, const char *text)
{
    json_write_key(json, key);
    if (text == NULL)
        json_write_null(json);
    else
        json_write_text(json, text);
}

static void write_count(struct json_writer *json, const char *key, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    json_write_key(json, key);
    json_write_raw(json, text, strlen(text));
}

static void write_blocks(const struct history *history, struct json_writer *json)
{
    const struct state *state = history_state(history);
    json_write_key(json, "blocks");
    json_begin_array(json);
    for (size_t block = 0; block < state->block_count; block++) {
        json_begin_object(json);
        write_text(json, "name", history_block_name(history, block));
        write_flag(json, "rest", block == state->config.block_count);
        write_sum(json, state->config.currency, history_block(history, block));
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_holders(const struct history *history, const char *key, enum holder_kind kind,
                          struct json_writer *json)
{
    const struct state *state = history_state(history);
    json_write_key(json, key);
    json_begin_array(json);
    for (size_t i = 0; i < state->holder_count; i++) {
        const struct holder *holder = &state->holders[i];
        if (holder->kind != kind)
            continue;
        json_begin_object(json);
        write_text(json, "name", holder->name);
        write_flag(json, "in_policy", holder->place != SIZE_MAX);
        write_text(json, "stopped", holder->stopped);
        write_sum(json, state->config.currency, history_sum(history, i));
        json_end_object(json);
    }
    json_end_array(json);
}

static status write_question(struct history *history, const struct reservation_record *record,
                             struct json_writer *json, error *why)
{
    const struct state *state = history_state(history);
    struct buffer text;
    char time[HISTORY_TIME_TEXT];
    buffer_init(&text, LEDGER_TEXT_BYTES);
    status result = history_question(history, record, &text, why);
    if (result == DITHER_OK) {
        history_time(record->wall, time);
        json_begin_object(json);
        write_count(json, "entry", record->number);
        write_text(json, "time", time);
        write_text(json, "analyst", state->holders[record->holder].name);
        write_text(json, "question", text.data);
        write_cost(json, "cost", state->config.currency, record->cost);
        write_flag(json, "settled", record->settled);
        json_end_object(json);
    }
    buffer_free(&text);
    return result;
}

static void write_policy(const struct history *history, struct json_writer *json)
{
    const struct state *state = history_state(history);
    const struct ledger_config *config = &state->config;
    write_text(json, "dataset", config->dataset);
    write_count(json, "version", config->data_version);
    write_text(json, "currency", entry_currencies[config->currency]);
    write_text(json, "renew", entry_renewals[config->renewal]);
    write_count(json, "window", state->window);
    write_sum(json, config->currency, history_sum(history, HOLDER_DATASET_PLACE));
}

status history_json(struct history *history, size_t questions, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    size_t first = state->reservation_count > questions ? state->reservation_count - questions : 0;
    struct json_writer json;
    char hash[DIGEST_TEXT];
    json_writer_init(&json, out);
    json_begin_object(&json);
    write_policy(history, &json);
    write_blocks(history, &json);
    write_holders(history, "analysts", HOLDER_ANALYST, &json);
    write_holders(history, "groups", HOLDER_GROUP, &json);
    json_write_key(&json, "questions");
    json_begin_array(&json);
    for (size_t i = first; i < state->reservation_count; i++)
        TRY(write_question(history, &state->reservations[i], &json, why));
    json_end_array(&json);
    write_count(&json, "entries", state->number);
    digest_print(&state->hash, hash);
    write_text(&json, "hash", hash);
    json_end_object(&json);
    buffer_byte(out, '\n');
    return buffer_check(out, why);
}

/* A CSV field; none is nothing. */
static void write_field(struct buffer *out, const char *text)
{
    buffer_byte(out, ',');
    if (text != NULL)
        csv_write_field(out, text);
}

static void write_decimal_field(struct buffer *out, struct decimal value)
{
    char text[DECIMAL_TEXT];
    decimal_print(value, text);
    buffer_format(out, ",%s", text);
}

static void write_digest_field(struct buffer *out, const struct digest *digest)
{
    char text[DIGEST_TEXT];
    digest_print(digest, text);
    buffer_format(out, ",%s", text);
}

static void write_release_fields(struct buffer *out, const struct entry_release *release)
{
    if (release == NULL) {
        buffer_text(out, ",,,,,,");
        return;
    }
    struct buffer blocks;
    buffer_init(&blocks, ENTRY_BYTES);
    for (size_t i = 0; i < release->block_count; i++)
        buffer_format(&blocks, "%s%s", i == 0 ? "" : ";",
                      release->blocks[i] != NULL ? release->blocks[i] : "(rest)");
    write_digest_field(out, &release->name);
    write_field(out, release->block_count == 0 ? "(all)" : blocks.data);
    write_field(out, entry_payers[release->payer]);
    write_decimal_field(out, release->cost.epsilon);
    write_decimal_field(out, release->cost.delta);
    write_decimal_field(out, release->cost.rho);
    if (blocks.failed)
        out->failed = true;
    buffer_free(&blocks);
}

struct csv {
    struct history *history;
    struct buffer *out;
};

static void write_line(struct buffer *out, const struct entry *entry, const struct entry_release *release,
                       const char *detail, const struct digest *hash)
{
    char time[HISTORY_TIME_TEXT];
    history_time(entry->when.wall, time);
    buffer_format(out, "%" PRIu64 ",%s,%s", entry->number, time, entry_kind_name(entry->kind));
    write_field(out, entry->analyst);
    write_field(out, entry->request);
    write_release_fields(out, release);
    if (entry->kind == ENTRY_SETTLE)
        buffer_format(out, ",%" PRIu64, entry->reservation);
    else
        buffer_byte(out, ',');
    write_field(out, detail);
    write_digest_field(out, hash);
    buffer_byte(out, '\n');
}

static status write_entry(struct csv *csv, const struct entry *entry, const struct digest *hash, error *why)
{
    struct buffer text;
    buffer_init(&text, LEDGER_TEXT_BYTES);
    status result = DITHER_OK;
    if (entry->kind == ENTRY_RESERVE)
        result = store_get_checked(history_store(csv->history), &entry->question, &text, why);
    const char *detail = entry->kind == ENTRY_RESERVE ? text.data : entry->reason;
    if (result == DITHER_OK && entry->release_count == 0)
        write_line(csv->out, entry, NULL, detail, hash);
    for (size_t i = 0; i < entry->release_count && result == DITHER_OK; i++)
        write_line(csv->out, entry, &entry->releases[i], detail, hash);
    buffer_free(&text);
    return result;
}

static status write_row(void *context, const struct store_row *row, error *why)
{
    struct arena scratch;
    struct entry entry;
    arena_init(&scratch, 1 << 30);
    status result = entry_read(row->body, row->body_size, &scratch, &entry, why);
    if (result == DITHER_OK)
        result = write_entry(context, &entry, &row->hash, why);
    arena_free(&scratch);
    return result;
}

status history_csv(struct history *history, struct buffer *out, error *why)
{
    struct csv csv = {history, out};
    struct store *store = history_store(history);
    buffer_text(
        out, "entry,time,kind,analyst,request,release,blocks,pays,epsilon,delta,rho,settles,detail,hash\n");
    TRY(store->kind->view(store, why));
    status result = store->kind->read(store, 1, write_row, &csv, why);
    store->kind->cancel(store);
    TRY(result);
    return buffer_check(out, why);
}
