/* The ledger as JSON and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "ledger/entry_names.h"
#include "ledger/history.h"
#include "ledger/json_text.h"

/* Decimals are JSON numbers, exact in their text; what has no limit is null. */
static void write_decimal(struct buffer *out, const char *before, struct decimal value)
{
    char text[DECIMAL_TEXT];
    decimal_print(value, text);
    buffer_format(out, "%s%s", before, decimal_is_unlimited(value) ? "null" : text);
}

static void write_cost(struct buffer *out, const char *key, enum ledger_currency currency,
                       struct ledger_cost cost)
{
    buffer_format(out, "\"%s\":{", key);
    if (currency == LEDGER_CONCENTRATED)
        write_decimal(out, "\"rho\":", cost.rho);
    else
        write_decimal(out, "\"epsilon\":", cost.epsilon);
    write_decimal(out, ",\"delta\":", cost.delta);
    buffer_byte(out, '}');
}

static void write_sum(struct buffer *out, enum ledger_currency currency, struct history_sum sum)
{
    write_cost(out, "limit", currency, sum.limit);
    buffer_byte(out, ',');
    write_cost(out, "spent", currency, sum.window);
    buffer_byte(out, ',');
    write_cost(out, "left", currency, ledger_cost_left(sum.limit, sum.window));
    buffer_byte(out, ',');
    write_cost(out, "lifetime", currency, sum.lifetime);
}

static void write_blocks(const struct history *history, struct buffer *out)
{
    const struct state *state = history_state(history);
    buffer_text(out, ",\"blocks\":[");
    for (size_t block = 0; block < state->block_count; block++) {
        buffer_text(out, block == 0 ? "{\"name\":" : ",{\"name\":");
        json_text_string(out, history_block_name(history, block));
        buffer_format(out, ",\"rest\":%s,", block == state->config.block_count ? "true" : "false");
        write_sum(out, state->config.currency, history_block(history, block));
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

static void write_holders(const struct history *history, const char *key, enum holder_kind kind,
                          struct buffer *out)
{
    const struct state *state = history_state(history);
    bool first = true;
    buffer_format(out, ",\"%s\":[", key);
    for (size_t i = 0; i < state->holder_count; i++) {
        const struct holder *holder = &state->holders[i];
        if (holder->kind != kind)
            continue;
        buffer_text(out, first ? "{\"name\":" : ",{\"name\":");
        json_text_string(out, holder->name);
        buffer_format(out, ",\"in_policy\":%s,\"stopped\":", holder->place == SIZE_MAX ? "false" : "true");
        json_text_string(out, holder->stopped);
        buffer_byte(out, ',');
        write_sum(out, state->config.currency, history_sum(history, i));
        buffer_byte(out, '}');
        first = false;
    }
    buffer_byte(out, ']');
}

static status write_question(struct history *history, const struct reservation_record *record,
                             struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    struct buffer text;
    char time[HISTORY_TIME_TEXT];
    buffer_init(&text, LEDGER_TEXT_BYTES);
    status result = history_question(history, record, &text, why);
    history_time(record->wall, time);
    buffer_format(out, "{\"entry\":%" PRIu64 ",\"time\":\"%s\",\"analyst\":", record->number, time);
    json_text_string(out, state->holders[record->holder].name);
    buffer_text(out, ",\"question\":");
    json_text_string(out, text.data);
    buffer_byte(out, ',');
    write_cost(out, "cost", state->config.currency, record->cost);
    buffer_format(out, ",\"settled\":%s}", record->settled ? "true" : "false");
    buffer_free(&text);
    return result;
}

status history_json(struct history *history, size_t questions, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    const struct ledger_config *config = &state->config;
    size_t first = state->reservation_count > questions ? state->reservation_count - questions : 0;
    buffer_text(out, "{\"dataset\":");
    json_text_string(out, config->dataset);
    buffer_format(out,
                  ",\"version\":%" PRIu64 ",\"currency\":\"%s\",\"renew\":\"%s\",\"window\":%" PRIu64 ",",
                  config->data_version, entry_currencies[config->currency], entry_renewals[config->renewal],
                  state->window);
    write_sum(out, config->currency, history_sum(history, HOLDER_DATASET_PLACE));
    write_blocks(history, out);
    write_holders(history, "analysts", HOLDER_ANALYST, out);
    write_holders(history, "groups", HOLDER_GROUP, out);
    buffer_text(out, ",\"questions\":[");
    for (size_t i = first; i < state->reservation_count; i++) {
        if (i > first)
            buffer_byte(out, ',');
        TRY(write_question(history, &state->reservations[i], out, why));
    }
    buffer_format(out, "],\"entries\":%" PRIu64 ",\"hash\":", state->number);
    json_text_digest(out, &state->hash);
    buffer_text(out, "}\n");
    return buffer_check(out, why);
}

/* A CSV field, in quotes where it needs them. */
static void write_field(struct buffer *out, const char *text)
{
    buffer_byte(out, ',');
    if (text == NULL)
        return;
    if (strpbrk(text, "\",\r\n") == NULL) {
        buffer_text(out, text);
        return;
    }
    buffer_byte(out, '"');
    for (const char *next = text; *next != '\0'; next++) {
        if (*next == '"')
            buffer_byte(out, '"');
        buffer_byte(out, *next);
    }
    buffer_byte(out, '"');
}

static void write_digest_field(struct buffer *out, const struct digest *digest)
{
    char text[DIGEST_TEXT];
    digest_print(digest, text);
    write_field(out, text);
}

static void write_cost_fields(struct buffer *out, struct ledger_cost cost)
{
    char text[DECIMAL_TEXT];
    decimal_print(cost.epsilon, text);
    write_field(out, text);
    decimal_print(cost.delta, text);
    write_field(out, text);
    decimal_print(cost.rho, text);
    write_field(out, text);
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
    write_cost_fields(out, release->cost);
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
    buffer_text(out, "\r\n");
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
        out, "entry,time,kind,analyst,request,release,blocks,pays,epsilon,delta,rho,settles,detail,hash\r\n");
    TRY(store->kind->view(store, why));
    status result = store->kind->read(store, 1, write_row, &csv, why);
    store->kind->cancel(store);
    TRY(result);
    return buffer_check(out, why);
}
