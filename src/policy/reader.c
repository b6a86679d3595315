#include "policy/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/number.h"

enum { LINE_BYTES = 400 };

status policy_refuse(const struct policy_reader *reader, int line, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail(reader->why, DITHER_INVALID, "%s:%d: %s", reader->file, line, text);
}

static status copy_line(const struct policy_reader *reader, const char **out, const char *format,
                        va_list arguments)
{
    char line[LINE_BYTES], *copy = NULL;
    vsnprintf(line, sizeof line, format, arguments);
    TRY(arena_text(reader->arena, line, strlen(line), &copy, reader->why));
    *out = copy;
    return DITHER_OK;
}

status policy_text_of(const struct policy_reader *reader, const char **out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status result = copy_line(reader, out, format, arguments);
    va_end(arguments);
    return result;
}

status policy_warn(struct policy_reader *reader, int line, const char *format, ...)
{
    struct policy_warning *warning = NULL;
    TRY(policy_take(reader, 1, sizeof *warning, &warning));
    va_list arguments;
    va_start(arguments, format);
    status result = copy_line(reader, &warning->text, format, arguments);
    va_end(arguments);
    TRY(result);
    warning->line = line;
    if (reader->last_warning == NULL)
        reader->policy->warnings = warning;
    else
        reader->last_warning->next = warning;
    reader->last_warning = warning;
    return DITHER_OK;
}

status policy_take(const struct policy_reader *reader, size_t count, size_t size, void *out)
{
    void *memory = NULL; /* YAML_NODES bounds the count, so that the product fits */
    if (count > 0)
        TRY(arena_take(reader->arena, count * size, &memory, reader->why));
    memcpy(out, &memory, sizeof memory);
    return DITHER_OK;
}

static const char *known_name(size_t index, const void *context)
{
    const char *const *known = context;
    return known[index];
}

void policy_hint(const char *typed, const char *(*name)(size_t index, const void *context),
                 const void *context, char hint[POLICY_HINT])
{
    const char *nearest = nearest_name(typed, name, context);
    hint[0] = '\0';
    if (nearest != NULL)
        snprintf(hint, POLICY_HINT, "; did you mean \"%.60s\"?", nearest);
}

status policy_keys(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                   const char *const *known)
{
    if (map->kind != YAML_MAP)
        return policy_refuse(reader, map->line, "%s must be a list of keys, such as %s:", subject, known[0]);
    for (const struct yaml_node *child = map->first; child != NULL; child = child->next) {
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], child->key) != 0)
            i++;
        if (known[i] != NULL)
            continue;
        char hint[POLICY_HINT];
        policy_hint(child->key, known_name, known, hint);
        return policy_refuse(reader, child->key_line, "%s has no key \"%.60s\"%s", subject, child->key, hint);
    }
    return DITHER_OK;
}

status policy_members(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                      size_t most)
{
    if (map->kind != YAML_MAP)
        return policy_refuse(reader, map->line, "%s must be a list of names, each with its keys", subject);
    if (map->count == 0)
        return policy_refuse(reader, map->line, "%s: there is nothing in it", subject);
    if (map->count > most)
        return policy_refuse(reader, map->line, "%s: there are more than %zu", subject, most);
    return DITHER_OK;
}

status policy_name(const struct policy_reader *reader, const struct yaml_node *map,
                   const struct yaml_node *node, const char *what, size_t most)
{
    if (node->key[0] == '\0')
        return policy_refuse(reader, node->key_line, "the name of a %s is empty", what);
    if (strlen(node->key) > most)
        return policy_refuse(reader, node->key_line, "the name of a %s has more than %zu bytes", what, most);
    for (const char *byte = node->key; *byte != '\0'; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7f)
            return policy_refuse(reader, node->key_line, "the name of a %s has a control character in it",
                                 what);
    for (const struct yaml_node *other = map->first; other != node; other = other->next)
        if (strcasecmp(other->key, node->key) == 0)
            return policy_refuse(reader, node->key_line,
                                 "%s \"%.60s\" is too like \"%.60s\" in line %d: capital letters do not tell "
                                 "names apart",
                                 what, node->key, other->key, other->key_line);
    return DITHER_OK;
}

bool policy_is_empty(const struct yaml_node *node)
{
    return node->kind == YAML_TEXT && node->length == 0 && !node->quoted;
}

status policy_text(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                   const char **out)
{
    if (node == NULL)
        return DITHER_OK;
    if (node->kind == YAML_TEXT && node->length == 0)
        return policy_refuse(reader, node->line, "%s of %s is empty: fill it in", node->key, subject);
    if (node->kind != YAML_TEXT)
        return policy_refuse(reader, node->line, "%s of %s must be a text", node->key, subject);
    *out = node->text;
    return DITHER_OK;
}

status policy_flag(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                   bool *out)
{
    if (node == NULL)
        return DITHER_OK;
    bool yes = node->kind == YAML_TEXT && strcmp(node->text, "true") == 0;
    bool no = node->kind == YAML_TEXT && strcmp(node->text, "false") == 0;
    if (!yes && !no)
        return policy_refuse(reader, node->line, "%s of %s must be true or false", node->key, subject);
    *out = yes;
    return DITHER_OK;
}

status policy_whole(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                    uint64_t most, uint64_t *out)
{
    if (node == NULL)
        return DITHER_OK;
    uint64_t value = 0;
    if (node->kind != YAML_TEXT || node->quoted ||
        number_parse_whole(node->text, &value, NULL) != DITHER_OK || value < 1 || value > most)
        return policy_refuse(reader, node->line, "%s of %s must be a whole number from 1 to %" PRIu64,
                             node->key, subject, most);
    *out = value;
    return DITHER_OK;
}

status policy_amount(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                     struct decimal *out)
{
    if (node == NULL)
        return DITHER_OK;
    if (node->kind != YAML_TEXT || node->quoted || decimal_parse(node->text, out, NULL) != DITHER_OK)
        return policy_refuse(reader, node->line,
                             "%s of %s must be a number such as 0.1 or 1e-6, with at most %d decimals",
                             node->key, subject, DECIMAL_PLACES);
    return DITHER_OK;
}
