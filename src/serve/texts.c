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

/* FNV-1a. Who makes texts fall into one place makes reading them slower, and nothing else. */
static size_t place_of(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return (size_t)(hash >> 32) % PLACES;
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
