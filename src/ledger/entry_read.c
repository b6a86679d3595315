/* The reader of entries. Arrays are read twice: once to count their elements, once to keep them. */
#include <stdio.h>
#include <string.h>

#include "ledger/entry.h"
#include "ledger/entry_names.h"
#include "ledger/json_text.h"

static void take_key(struct json_reader *reader, const char *key)
{
    json_take(reader, ",\"");
    json_take(reader, key);
    json_take(reader, "\":");
}

static const char *take_string(struct json_reader *reader, const char *key)
{
    take_key(reader, key);
    return json_take_string(reader);
}

/* As take_string, where null is not allowed. */
static const char *take_text(struct json_reader *reader, const char *key)
{
    const char *text = take_string(reader, key);
    if (text == NULL)
        reader->failed = true;
    return text;
}

static uint64_t take_number(struct json_reader *reader, const char *key)
{
    take_key(reader, key);
    return json_take_number(reader);
}

static struct ledger_cost take_cost(struct json_reader *reader, const char *key)
{
    take_key(reader, key);
    return json_take_cost(reader);
}

static struct digest take_digest(struct json_reader *reader, const char *key)
{
    take_key(reader, key);
    return json_take_digest(reader);
}

/* Reads one element into `out`, or past it when `out` is NULL. */
typedef void take_element(struct json_reader *reader, void *out);

static void *take_array(struct json_reader *reader, take_element *take, size_t size, size_t *count)
{
    json_take(reader, "[");
    struct json_reader ahead = *reader;
    bool first = true;
    for (*count = 0; json_take_element(&ahead, &first); ++*count)
        take(&ahead, NULL);
    reader->failed = reader->failed || ahead.failed;
    reader->no_memory = reader->no_memory || ahead.no_memory;
    unsigned char *elements = json_room(reader, *count, size);
    first = true;
    for (size_t i = 0; json_take_element(reader, &first); i++)
        take(reader, elements + i * size);
    if (reader->failed)
        *count = 0;
    return elements;
}

static void take_block(struct json_reader *reader, void *out)
{
    const char *name = json_take_string(reader);
    if (out != NULL)
        *(const char **)out = name;
}

static void take_declared_block(struct json_reader *reader, void *out)
{
    const char *name = json_take_string(reader);
    if (name == NULL)
        reader->failed = true;
    if (out != NULL)
        *(const char **)out = name;
}

static void take_index(struct json_reader *reader, void *out)
{
    size_t index = (size_t)json_take_number(reader);
    if (out != NULL)
        *(size_t *)out = index;
}

static void take_group(struct json_reader *reader, void *out)
{
    struct ledger_group group = {0};
    json_take(reader, "{\"name\":");
    group.name = json_take_string(reader);
    group.cap = take_cost(reader, "cap");
    json_take(reader, "}");
    if (group.name == NULL)
        reader->failed = true;
    if (out != NULL)
        *(struct ledger_group *)out = group;
}

static void take_analyst(struct json_reader *reader, void *out)
{
    struct ledger_analyst analyst = {0};
    json_take(reader, "{\"name\":");
    analyst.name = json_take_string(reader);
    analyst.cap = take_cost(reader, "cap");
    take_key(reader, "groups");
    analyst.groups = take_array(reader, take_index, sizeof *analyst.groups, &analyst.group_count);
    json_take(reader, "}");
    if (analyst.name == NULL)
        reader->failed = true;
    if (out != NULL)
        *(struct ledger_analyst *)out = analyst;
}

static void check_groups(struct json_reader *reader, const struct ledger_config *config)
{
    for (size_t i = 0; i < config->analyst_count; i++)
        for (size_t k = 0; k < config->analysts[i].group_count; k++)
            if (config->analysts[i].groups[k] >= config->group_count)
                reader->failed = true;
}

static void take_config(struct json_reader *reader, struct ledger_config *config)
{
    config->dataset = take_text(reader, "dataset");
    config->data_version = take_number(reader, "version");
    config->unit = take_text(reader, "unit");
    take_key(reader, "currency");
    config->currency = (enum ledger_currency)json_take_name(reader, entry_currencies, ENTRY_CURRENCIES);
    config->total = take_cost(reader, "total");
    config->question_most = take_cost(reader, "question_most");
    take_key(reader, "renew");
    config->renewal = (enum ledger_renewal)json_take_name(reader, entry_renewals, ENTRY_RENEWALS);
    config->block_column = take_string(reader, "block_column");
    take_key(reader, "blocks");
    config->blocks = take_array(reader, take_declared_block, sizeof *config->blocks, &config->block_count);
    take_key(reader, "blocks_immutable");
    config->blocks_immutable = json_take_if(reader, "true");
    if (!config->blocks_immutable)
        json_take(reader, "false");
    take_key(reader, "groups");
    config->groups = take_array(reader, take_group, sizeof *config->groups, &config->group_count);
    take_key(reader, "analysts");
    config->analysts = take_array(reader, take_analyst, sizeof *config->analysts, &config->analyst_count);
    if (config->block_count > LEDGER_MOST_BLOCKS)
        reader->failed = true;
    check_groups(reader, config);
}

static void take_release(struct json_reader *reader, void *out)
{
    struct entry_release release = {0};
    json_take(reader, "{\"release\":");
    release.name = json_take_digest(reader);
    release.cost = take_cost(reader, "cost");
    take_key(reader, "blocks");
    if (!json_take_if(reader, "\"all\"")) {
        release.blocks = take_array(reader, take_block, sizeof *release.blocks, &release.block_count);
        if (release.block_count == 0)
            reader->failed = true;
    }
    take_key(reader, "pays");
    release.payer = (enum entry_payer)json_take_name(reader, entry_payers, ENTRY_PAYERS);
    json_take(reader, "}");
    if (out != NULL)
        *(struct entry_release *)out = release;
}

static void take_result(struct json_reader *reader, void *out)
{
    struct entry_result result = {0};
    json_take(reader, "{\"release\":");
    result.release = json_take_number(reader);
    result.result = take_digest(reader, "result");
    json_take(reader, "}");
    if (out != NULL)
        *(struct entry_result *)out = result;
}

static void take_fields(struct json_reader *reader, struct entry *entry)
{
    switch (entry->kind) {
    case ENTRY_OPEN: {
        const char *id = take_text(reader, "ledger");
        if (id == NULL || strlen(id) != ENTRY_ID_TEXT - 1 ||
            strspn(id, "0123456789abcdef") != ENTRY_ID_TEXT - 1)
            reader->failed = true;
        else
            snprintf(entry->id, sizeof entry->id, "%s", id);
        break;
    }
    case ENTRY_CARRY:
        entry->old_units_in_new = take_number(reader, "old_units_in_new");
        take_config(reader, &entry->config);
        break;
    case ENTRY_POLICY:
        take_config(reader, &entry->config);
        break;
    case ENTRY_RESERVE:
        entry->analyst = take_string(reader, "analyst");
        entry->request = take_string(reader, "request");
        entry->question = take_digest(reader, "question");
        entry->settings = take_digest(reader, "settings");
        take_key(reader, "releases");
        entry->releases = take_array(reader, take_release, sizeof *entry->releases, &entry->release_count);
        break;
    case ENTRY_SETTLE:
        entry->reservation = take_number(reader, "reservation");
        entry->answer = take_digest(reader, "answer");
        take_key(reader, "results");
        entry->results = take_array(reader, take_result, sizeof *entry->results, &entry->result_count);
        break;
    case ENTRY_STOP:
        entry->analyst = take_string(reader, "analyst");
        entry->reason = take_text(reader, "reason");
        break;
    case ENTRY_LIFT:
        entry->analyst = take_string(reader, "analyst");
        break;
    case ENTRY_RENEW:
        entry->window = take_number(reader, "window");
        break;
    case ENTRY_TICK:
        break;
    }
}

status entry_read(const char *text, size_t size, struct arena *arena, struct entry *out, error *why)
{
    struct json_reader reader = {.next = text, .end = text + size, .arena = arena};
    struct entry entry = {0};
    json_take(&reader, "{\"entry\":");
    entry.number = json_take_number(&reader);
    take_key(&reader, "kind");
    entry.kind = (enum entry_kind)json_take_name(&reader, entry_kinds, ENTRY_KINDS);
    entry.when.wall = take_number(&reader, "wall");
    const char *boot = take_text(&reader, "boot");
    if (boot == NULL || strlen(boot) >= CLOCK_BOOT_TEXT)
        reader.failed = true;
    else
        strcpy(entry.when.boot, boot);
    entry.when.run = take_number(&reader, "run");
    take_fields(&reader, &entry);
    json_take(&reader, "}");
    if (reader.no_memory)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    if (reader.failed || reader.next != reader.end)
        return fail(why, DITHER_REFUSED, "it is not a text that this program writes");
    *out = entry;
    return DITHER_OK;
}
