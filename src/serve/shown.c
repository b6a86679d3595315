#include "serve/shown.h"

#include <string.h>

#include "base/memory.h"
#include "serve/texts.h"

enum { PLACES = 1024, KEY_PARTS = 4 };

/* One piece of memory: the parts of the key, each with its NUL, and the answer. */
struct kept {
    char *memory;
    size_t size, key_size;
    struct shown_answer answer;
};

struct shown {
    struct kept places[PLACES];
};

status shown_new(struct shown **out, error *why)
{
    struct shown *shown = memory_allocate(sizeof *shown);
    if (shown == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *out = shown;
    return DITHER_OK;
}

static void forget(struct kept *kept)
{
    memory_release(kept->memory, kept->size);
    *kept = (struct kept){.memory = NULL};
}

void shown_forget(struct shown *shown)
{
    for (size_t i = 0; i < PLACES; i++)
        forget(&shown->places[i]);
}

void shown_free(struct shown *shown)
{
    if (shown == NULL)
        return;
    shown_forget(shown);
    memory_release(shown, sizeof *shown);
}

/* ---- Keys ---- */

/* No part has a NUL, so that no two keys are the same bytes. */
static void parts_of(const struct shown_key *key, const char *parts[KEY_PARTS])
{
    parts[0] = serve_role_name(key->role);
    parts[1] = key->who;
    parts[2] = key->settings;
    parts[3] = key->text;
}

static size_t place_of(const struct shown_key *key, size_t *size)
{
    const char *parts[KEY_PARTS];
    uint64_t hash = TEXTS_HASH;
    *size = 0;
    parts_of(key, parts);
    for (size_t i = 0; i < KEY_PARTS; i++) {
        size_t length = strlen(parts[i]) + 1;
        hash = texts_hash(hash, parts[i], length);
        *size += length;
    }
    return (size_t)(hash >> 32) % PLACES;
}

static bool is_of(const struct kept *kept, const struct shown_key *key)
{
    const char *parts[KEY_PARTS], *at = kept->memory;
    parts_of(key, parts);
    for (size_t i = 0; i < KEY_PARTS; i++) {
        if (strcmp(at, parts[i]) != 0)
            return false;
        at += strlen(at) + 1;
    }
    return true;
}

/* ---- Answers ---- */

const struct shown_answer *shown_find(const struct shown *shown, const struct shown_key *key)
{
    size_t size = 0;
    const struct kept *kept = &shown->places[place_of(key, &size)];
    return kept->memory != NULL && kept->key_size == size && is_of(kept, key) ? &kept->answer : NULL;
}

static void write_key(char *at, const struct shown_key *key)
{
    const char *parts[KEY_PARTS];
    parts_of(key, parts);
    for (size_t i = 0; i < KEY_PARTS; i++)
        at = stpcpy(at, parts[i]) + 1;
}

void shown_keep(struct shown *shown, const struct shown_key *key, const struct shown_answer *answer)
{
    size_t key_size = 0;
    struct kept *kept = &shown->places[place_of(key, &key_size)];
    size_t size = key_size + answer->size;
    if (key_size > SHOWN_MOST_BYTES || answer->size > SHOWN_MOST_BYTES)
        return;
    char *memory = memory_allocate(size);
    if (memory == NULL)
        return;
    write_key(memory, key);
    memcpy(memory + key_size, answer->bytes, answer->size);
    forget(kept);
    *kept = (struct kept){.memory = memory, .size = size, .key_size = key_size, .answer = *answer};
    kept->answer.bytes = memory + key_size;
}
