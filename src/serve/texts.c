#include "serve/texts.h"

#include <string.h>

#include "base/memory.h"

enum { PLACES = 1024, MOST_BYTES = 4096 };

struct kept {
    char *text;
    size_t length;
    struct text_known known;
};

struct texts {
    struct kept places[PLACES];
};

status texts_new(struct texts **out, error *why)
{
    struct texts *texts = memory_allocate(sizeof *texts);
    if (texts == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *out = texts;
    return DITHER_OK;
}

void texts_free(struct texts *texts)
{
    if (texts == NULL)
        return;
    for (size_t i = 0; i < PLACES; i++)
        memory_release(texts->places[i].text, texts->places[i].length);
    memory_release(texts, sizeof *texts);
}

uint64_t texts_hash(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static size_t place_of(const char *text, size_t length)
{
    return (size_t)(texts_hash(TEXTS_HASH, text, length) >> 32) % PLACES;
}

struct text_known *texts_find(struct texts *texts, const char *text, size_t length)
{
    struct kept *kept = &texts->places[place_of(text, length)];
    if (kept->text == NULL || kept->length != length || memcmp(kept->text, text, length) != 0)
        return NULL;
    return &kept->known;
}

void texts_keep(struct texts *texts, const char *text, size_t length, const struct sql_statement *statement)
{
    struct kept *kept = &texts->places[place_of(text, length)];
    if (length == 0 || length > MOST_BYTES || statement->kind != SQL_SAYS_QUESTION)
        return;
    char *copy = memory_allocate(length);
    if (copy == NULL)
        return;
    memcpy(copy, text, length);
    memory_release(kept->text, kept->length);
    *kept = (struct kept){.text = copy, .length = length, .known.statement = *statement};
    kept->known.statement.name = kept->known.statement.value = NULL; /* a question has none */
}
