/* format('%I.%s', a, b): PostgreSQL's own letters, which DuckDB does not know, as a concatenation of its parts. */
#include <string.h>

#include "serve/catalogue_parts.h"

enum { MOST_PARTS = 40 };

struct parts {
    struct catalogue_rewrite *rewrite;
    PgQuery__Node *list[MOST_PARTS + 1];
    size_t count;
};

static status refuse(struct catalogue_rewrite *rewrite)
{
    return catalogue_refuse(rewrite, "0A000", "the catalogue knows format with %%s, %%I and %%L alone");
}

static bool add(struct parts *parts, PgQuery__Node *part)
{
    if (parts->count == MOST_PARTS)
        return false;
    parts->list[parts->count++] = part;
    return true;
}

static bool add_text(struct parts *parts, const char *text, size_t length)
{
    char *copy = NULL;
    if (length == 0)
        return true;
    if (arena_text(parts->rewrite->arena, text, length, &copy, NULL) != DITHER_OK) {
        parts->rewrite->out_of_memory = true;
        return false;
    }
    return add(parts, catalogue_text_node(parts->rewrite, copy));
}

static bool add_value(struct parts *parts, char letter, PgQuery__Node *value)
{
    switch (letter) {
    case 's': /* NULL is nothing, here and in concat */
        return add(parts, catalogue_cast_node(parts->rewrite, value, "varchar", false));
    case 'I':
        return add(parts, catalogue_call_node(parts->rewrite, CATALOGUE_SCHEMA, "quote_ident", &value, 1));
    case 'L':
        return add(parts, catalogue_call_node(parts->rewrite, CATALOGUE_SCHEMA, "quote_literal", &value, 1));
    default:
        return false;
    }
}

status catalogue_format(struct catalogue_rewrite *rewrite, const PgQuery__FuncCall *call, const char *text,
                        PgQuery__Node **out)
{
    struct parts parts = {.rewrite = rewrite};
    size_t next = 1;
    bool good = true;
    while (good && *text != '\0') {
        size_t plain = strcspn(text, "%");
        good = add_text(&parts, text, plain);
        text += plain;
        if (!good || *text == '\0')
            break;
        if (text[1] == '%')
            good = add_text(&parts, "%", 1);
        else
            good = next < call->n_args && add_value(&parts, text[1], call->args[next++]);
        text += text[1] != '\0' ? 2 : 1;
    }
    if (!good)
        return rewrite->out_of_memory
                   ? fail(rewrite->why, DITHER_NO_MEMORY, "the question needs too much memory")
                   : refuse(rewrite);
    if (parts.count == 0)
        parts.list[parts.count++] = catalogue_text_node(rewrite, "");
    *out = catalogue_call_node(rewrite, NULL, "concat", parts.list, parts.count);
    return DITHER_OK;
}
