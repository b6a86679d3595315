/* The ledger as JSON and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "ledger/entry_names.h"
#include "ledger/history.h"

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
        state_json_count(json, "entry", record->number);
        state_json_text(json, "time", time);
        state_json_text(json, "analyst", state->holders[record->holder].name);
        state_json_text(json, "question", text.data);
        state_json_cost(json, "cost", state->config.currency, record->cost);
        state_json_flag(json, "settled", record->settled);
        json_end_object(json);
    }
    buffer_free(&text);
    return result;
}

status history_json(struct history *history, size_t questions, struct buffer *out, error *why)
{
    const struct state *state = history_state(history);
    size_t first = state->reservation_count > questions ? state->reservation_count - questions : 0;
    struct json_writer json;
    char hash[DIGEST_TEXT];
    json_writer_init(&json, out);
    json_begin_object(&json);
    state_json_budget(state, &json);
    json_write_key(&json, "questions");
    json_begin_array(&json);
    for (size_t i = first; i < state->reservation_count; i++)
        TRY(write_question(history, &state->reservations[i], &json, why));
    json_end_array(&json);
    state_json_count(&json, "entries", state->number);
    digest_print(&state->hash, hash);
    state_json_text(&json, "hash", hash);
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
