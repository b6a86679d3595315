#include "ledger/entry.h"

#include <string.h>

#include "ledger/entry_names.h"
#include "ledger/json_text.h"

const char *const entry_kinds[ENTRY_KINDS] = {"open", "policy", "carry", "reserve", "settle",
                                              "stop", "lift",   "renew", "tick"};
const char *const entry_currencies[ENTRY_CURRENCIES] = {"epsilon", "epsilon-delta", "rho"};
const char *const entry_renewals[ENTRY_RENEWALS] = {"none",    "daily",     "weekly",
                                                    "monthly", "quarterly", "yearly"};
const char *const entry_payers[ENTRY_PAYERS] = {"all", "analyst", "nobody"};

const char *entry_kind_name(enum entry_kind kind)
{
    return entry_kinds[kind];
}

static void write_key(struct buffer *out, const char *key)
{
    buffer_text(out, ",\"");
    buffer_text(out, key);
    buffer_text(out, "\":");
}

static void write_string(struct buffer *out, const char *key, const char *text)
{
    write_key(out, key);
    json_text_string(out, text);
}

static void write_number(struct buffer *out, const char *key, uint64_t number)
{
    write_key(out, key);
    json_text_number(out, number);
}

static void write_cost(struct buffer *out, const char *key, struct ledger_cost cost)
{
    write_key(out, key);
    json_text_cost(out, cost);
}

static void write_digest(struct buffer *out, const char *key, const struct digest *digest)
{
    write_key(out, key);
    json_text_digest(out, digest);
}

static void write_strings(struct buffer *out, const char *key, const char *const *texts, size_t count)
{
    write_key(out, key);
    for (size_t i = 0; i < count; i++) {
        buffer_byte(out, i == 0 ? '[' : ',');
        json_text_string(out, texts[i]);
    }
    buffer_text(out, count == 0 ? "[]" : "]");
}

static void write_analysts(const struct ledger_config *config, struct buffer *out)
{
    write_key(out, "analysts");
    buffer_byte(out, '[');
    for (size_t i = 0; i < config->analyst_count; i++) {
        const struct ledger_analyst *analyst = &config->analysts[i];
        buffer_text(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_text_string(out, analyst->name);
        write_cost(out, "cap", analyst->cap);
        write_key(out, "groups");
        buffer_byte(out, '[');
        for (size_t k = 0; k < analyst->group_count; k++) {
            if (k > 0)
                buffer_byte(out, ',');
            json_text_number(out, analyst->groups[k]);
        }
        buffer_text(out, "]}");
    }
    buffer_byte(out, ']');
}

static void write_groups(const struct ledger_config *config, struct buffer *out)
{
    write_key(out, "groups");
    buffer_byte(out, '[');
    for (size_t i = 0; i < config->group_count; i++) {
        buffer_text(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_text_string(out, config->groups[i].name);
        write_cost(out, "cap", config->groups[i].cap);
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

void entry_write_config(const struct ledger_config *config, struct buffer *out)
{
    write_string(out, "dataset", config->dataset);
    write_number(out, "version", config->data_version);
    write_string(out, "unit", config->unit);
    write_string(out, "currency", entry_currencies[config->currency]);
    write_cost(out, "total", config->total);
    write_cost(out, "question_most", config->question_most);
    write_string(out, "renew", entry_renewals[config->renewal]);
    write_string(out, "block_column", config->block_column);
    write_strings(out, "blocks", config->blocks, config->block_count);
    write_key(out, "blocks_immutable");
    buffer_text(out, config->blocks_immutable ? "true" : "false");
    write_groups(config, out);
    write_analysts(config, out);
}

static void write_releases(const struct entry *entry, struct buffer *out)
{
    write_key(out, "releases");
    buffer_byte(out, '[');
    for (size_t i = 0; i < entry->release_count; i++) {
        const struct entry_release *release = &entry->releases[i];
        buffer_text(out, i == 0 ? "{\"release\":" : ",{\"release\":");
        json_text_digest(out, &release->name);
        write_cost(out, "cost", release->cost);
        if (release->block_count == 0)
            write_string(out, "blocks", "all");
        else
            write_strings(out, "blocks", release->blocks, release->block_count);
        write_string(out, "pays", entry_payers[release->payer]);
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

static void write_reservation(const struct entry *entry, struct buffer *out)
{
    write_string(out, "analyst", entry->analyst);
    write_string(out, "request", entry->request);
    write_digest(out, "question", &entry->question);
    write_digest(out, "settings", &entry->settings);
    write_releases(entry, out);
}

static void write_settlement(const struct entry *entry, struct buffer *out)
{
    write_number(out, "reservation", entry->reservation);
    write_digest(out, "answer", &entry->answer);
    write_key(out, "results");
    buffer_byte(out, '[');
    for (size_t i = 0; i < entry->result_count; i++) {
        buffer_text(out, i == 0 ? "{\"release\":" : ",{\"release\":");
        json_text_number(out, entry->results[i].release);
        write_digest(out, "result", &entry->results[i].result);
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

static void write_fields(const struct entry *entry, struct buffer *out)
{
    switch (entry->kind) {
    case ENTRY_OPEN:
        write_string(out, "ledger", entry->id);
        break;
    case ENTRY_CARRY:
        write_number(out, "old_units_in_new", entry->old_units_in_new);
        entry_write_config(&entry->config, out);
        break;
    case ENTRY_POLICY:
        entry_write_config(&entry->config, out);
        break;
    case ENTRY_RESERVE:
        write_reservation(entry, out);
        break;
    case ENTRY_SETTLE:
        write_settlement(entry, out);
        break;
    case ENTRY_STOP:
        write_string(out, "analyst", entry->analyst);
        write_string(out, "reason", entry->reason);
        break;
    case ENTRY_LIFT:
        write_string(out, "analyst", entry->analyst);
        break;
    case ENTRY_RENEW:
        write_number(out, "window", entry->window);
        break;
    case ENTRY_TICK:
        break;
    }
}

void entry_write(const struct entry *entry, struct buffer *out)
{
    buffer_text(out, "{\"entry\":");
    json_text_number(out, entry->number);
    write_string(out, "kind", entry_kinds[entry->kind]);
    write_number(out, "wall", entry->when.wall);
    write_string(out, "boot", entry->when.boot);
    write_number(out, "run", entry->when.run);
    write_fields(entry, out);
    buffer_byte(out, '}');
}

status entry_hash(const struct digest *previous, const char *text, size_t size, struct digest *out,
                  error *why)
{
    char hexadecimal[DIGEST_TEXT];
    digest_print(previous, hexadecimal);
    struct digest_part parts[] = {{hexadecimal, DIGEST_TEXT - 1}, {"\n", 1}, {text, size}};
    return digest_of_joined(parts, 3, out, why);
}
