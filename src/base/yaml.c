#include "base/yaml.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

struct yaml_reader {
    const char *name;
    struct arena *arena;
    yaml_parser_t parser;
    size_t nodes;
    int depth;
};

static status refuse(const struct yaml_reader *reader, yaml_mark_t mark, error *why, const char *what)
{
    return fail(why, DITHER_INVALID, "%s:%zu:%zu: %s", reader->name, mark.line + 1, mark.column + 1, what);
}

/* libyaml's message, in our form. */
static status explain(const struct yaml_reader *reader, error *why)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    const char *problem = parser->problem != NULL ? parser->problem : "not well-formed";
    if (parser->error == YAML_READER_ERROR) /* the bytes themselves: there is no line yet */
        return fail(why, DITHER_INVALID, "%s: %s at byte %zu", reader->name, problem, parser->problem_offset);
    return refuse(reader, parser->problem_mark, why, problem);
}

static status next_event(struct yaml_reader *reader, yaml_event_t *event, error *why)
{
    if (!yaml_parser_parse(&reader->parser, event))
        return explain(reader, why);
    return DITHER_OK;
}

static status new_node(struct yaml_reader *reader, enum yaml_kind kind, yaml_mark_t mark,
                       struct yaml_node **out, error *why)
{
    if (++reader->nodes > YAML_NODES)
        return refuse(reader, mark, why, "the file has too many parts");
    void *memory = NULL;
    TRY(arena_take(reader->arena, sizeof **out, &memory, why));
    struct yaml_node *node = memory;
    node->kind = kind;
    node->line = (int)mark.line + 1;
    node->column = (int)mark.column + 1;
    *out = node;
    return DITHER_OK;
}

static status check_plain(const struct yaml_reader *reader, const yaml_event_t *event,
                          const yaml_char_t *anchor, const yaml_char_t *tag, error *why)
{
    if (anchor != NULL)
        return refuse(reader, event->start_mark, why, "anchors (&name) are not understood here");
    if (tag != NULL)
        return refuse(reader, event->start_mark, why, "tags (!name) are not understood here");
    return DITHER_OK;
}

static status copy_scalar(struct yaml_reader *reader, const yaml_event_t *event, const char **out, error *why)
{
    TRY(check_plain(reader, event, event->data.scalar.anchor, event->data.scalar.tag, why));
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(text, '\0', length) != NULL)
        return refuse(reader, event->start_mark, why, "a NUL in a text");
    char *copy = NULL;
    TRY(arena_text(reader->arena, text, length, &copy, why));
    *out = copy;
    return DITHER_OK;
}

static status read_text(struct yaml_reader *reader, const yaml_event_t *event, struct yaml_node **out,
                        error *why)
{
    struct yaml_node *node = NULL;
    TRY(new_node(reader, YAML_TEXT, event->start_mark, &node, why));
    TRY(copy_scalar(reader, event, &node->text, why));
    node->length = event->data.scalar.length;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    *out = node;
    return DITHER_OK;
}

static status read_node(struct yaml_reader *reader, const yaml_event_t *event, struct yaml_node **out,
                        error *why);

/* Reads the next event and the node that begins with it; *out is NULL at the end of the list or map. */
static status read_next(struct yaml_reader *reader, yaml_event_type_t stop, struct yaml_node **out,
                        error *why)
{
    yaml_event_t event;
    TRY(next_event(reader, &event, why));
    *out = NULL;
    status result = event.type == stop ? DITHER_OK : read_node(reader, &event, out, why);
    yaml_event_delete(&event);
    return result;
}

static status read_list(struct yaml_reader *reader, struct yaml_node *list, error *why)
{
    for (struct yaml_node **place = &list->first;; place = &(*place)->next) {
        struct yaml_node *child = NULL;
        TRY(read_next(reader, YAML_SEQUENCE_END_EVENT, &child, why));
        if (child == NULL)
            return DITHER_OK;
        *place = child;
        list->count++;
    }
}

struct yaml_key {
    const char *text;
    int line, column;
};

/* *key.text is NULL at the end of the map. */
static status read_key(struct yaml_reader *reader, struct yaml_key *key, error *why)
{
    yaml_event_t event;
    TRY(next_event(reader, &event, why));
    *key =
        (struct yaml_key){.line = (int)event.start_mark.line + 1, .column = (int)event.start_mark.column + 1};
    status result = DITHER_OK;
    if (event.type == YAML_SCALAR_EVENT)
        result = copy_scalar(reader, &event, &key->text, why);
    else if (event.type != YAML_MAPPING_END_EVENT)
        result = refuse(reader, event.start_mark, why, "a key must be a plain word or text");
    yaml_event_delete(&event);
    return result;
}

static int compare_keys(const void *left, const void *right)
{
    const struct yaml_node *a = *(const struct yaml_node *const *)left;
    const struct yaml_node *b = *(const struct yaml_node *const *)right;
    int order = strcmp(a->key, b->key);
    if (order != 0)
        return order;
    return a->key_line != b->key_line ? a->key_line - b->key_line : a->key_column - b->key_column;
}

static status check_distinct(struct yaml_reader *reader, const struct yaml_node *map, error *why)
{
    if (map->count < 2)
        return DITHER_OK;
    void *memory = NULL;
    TRY(arena_take(reader->arena, map->count * sizeof(struct yaml_node *), &memory, why));
    const struct yaml_node **sorted = memory;
    size_t i = 0;
    for (const struct yaml_node *child = map->first; child != NULL; child = child->next)
        sorted[i++] = child;
    qsort(sorted, map->count, sizeof *sorted, compare_keys);
    for (i = 1; i < map->count; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0)
            return fail(why, DITHER_INVALID, "%s:%d:%d: \"%.60s\" is given twice; the first is in line %d",
                        reader->name, sorted[i]->key_line, sorted[i]->key_column, sorted[i]->key,
                        sorted[i - 1]->key_line);
    return DITHER_OK;
}

static status read_map(struct yaml_reader *reader, struct yaml_node *map, error *why)
{
    for (struct yaml_node **place = &map->first;; place = &(*place)->next) {
        struct yaml_key key;
        TRY(read_key(reader, &key, why));
        if (key.text == NULL)
            return check_distinct(reader, map, why);
        struct yaml_node *child = NULL;
        TRY(read_next(reader, YAML_NO_EVENT, &child, why));
        assert(child != NULL); /* libyaml gives every key a value, an empty one if need be */
        child->key = key.text;
        child->key_line = key.line;
        child->key_column = key.column;
        *place = child;
        map->count++;
    }
}

static status read_node(struct yaml_reader *reader, const yaml_event_t *event, struct yaml_node **out,
                        error *why)
{
    if (event->type == YAML_ALIAS_EVENT)
        return refuse(reader, event->start_mark, why, "aliases (*name) are not understood here");
    if (event->type == YAML_SCALAR_EVENT)
        return read_text(reader, event, out, why);
    bool list = event->type == YAML_SEQUENCE_START_EVENT;
    assert(list || event->type == YAML_MAPPING_START_EVENT);
    if (list)
        TRY(check_plain(reader, event, event->data.sequence_start.anchor, event->data.sequence_start.tag,
                        why));
    else
        TRY(check_plain(reader, event, event->data.mapping_start.anchor, event->data.mapping_start.tag, why));
    if (reader->depth == YAML_DEPTH)
        return refuse(reader, event->start_mark, why, "nested too deeply");
    struct yaml_node *node = NULL;
    TRY(new_node(reader, list ? YAML_LIST : YAML_MAP, event->start_mark, &node, why));
    reader->depth++;
    status result = list ? read_list(reader, node, why) : read_map(reader, node, why);
    reader->depth--;
    *out = node;
    return result;
}

/* Takes an event that must come, or refuses with `otherwise`. */
static status expect(struct yaml_reader *reader, yaml_event_type_t type, const char *otherwise, error *why)
{
    yaml_event_t event;
    TRY(next_event(reader, &event, why));
    status result = DITHER_OK;
    if (event.type != type)
        result = refuse(reader, event.start_mark, why, otherwise);
    else if (type == YAML_DOCUMENT_START_EVENT &&
             (event.data.document_start.version_directive != NULL ||
              event.data.document_start.tag_directives.start != event.data.document_start.tag_directives.end))
        result = refuse(reader, event.start_mark, why, "directives (%...) are not understood here");
    yaml_event_delete(&event);
    return result;
}

static status read_document(struct yaml_reader *reader, struct yaml_node **out, error *why)
{
    TRY(expect(reader, YAML_STREAM_START_EVENT, "not well-formed", why));
    TRY(expect(reader, YAML_DOCUMENT_START_EVENT, "the file is empty", why));
    TRY(read_next(reader, YAML_NO_EVENT, out, why));
    TRY(expect(reader, YAML_DOCUMENT_END_EVENT, "not well-formed", why));
    return expect(reader, YAML_STREAM_END_EVENT, "a second document begins here; only one is read", why);
}

status yaml_read(const char *text, size_t length, const char *name, struct arena *arena,
                 const struct yaml_node **out, error *why)
{
    if (length > YAML_BYTES)
        return fail(why, DITHER_INVALID, "%s: larger than the %d bytes that are allowed", name, YAML_BYTES);
    struct yaml_reader reader = {.name = name, .arena = arena};
    if (!yaml_parser_initialize(&reader.parser))
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, length);
    struct yaml_node *root = NULL;
    status result = read_document(&reader, &root, why);
    yaml_parser_delete(&reader.parser);
    if (result == DITHER_OK)
        *out = root;
    return result;
}

const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key)
{
    if (map->kind != YAML_MAP)
        return NULL;
    for (const struct yaml_node *child = map->first; child != NULL; child = child->next)
        if (strcmp(child->key, key) == 0)
            return child;
    return NULL;
}
