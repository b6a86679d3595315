#include "policy/ledger_place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml.h"

/* The whole file, in the arena. */
static status read_file(const char *path, struct arena *arena, char **text, size_t *length, error *why)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(why, DITHER_IO, "%s: %s", path, strerror(errno));
    void *room = NULL;
    status result = arena_take(arena, YAML_BYTES + 1, &room, why);
    if (result == DITHER_OK) {
        *length = fread(room, 1, YAML_BYTES + 1, file);
        *text = room;
        if (ferror(file))
            result = fail(why, DITHER_IO, "%s: %s", path, strerror(errno));
        else if (*length > YAML_BYTES)
            result = fail(why, DITHER_INVALID, "%s: a policy has at most %d bytes", path, (int)YAML_BYTES);
    }
    fclose(file);
    return result;
}

/* `first`, cut to `length`, and `second`. */
static status join(struct arena *arena, const char *first, size_t length, const char *second,
                   const char **out, error *why)
{
    void *room = NULL;
    size_t more = strlen(second);
    TRY(arena_take(arena, length + more + 1, &room, why));
    memcpy(room, first, length);
    memcpy((char *)room + length, second, more);
    *out = room;
    return DITHER_OK;
}

/* Up to and with the last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static status beside_policy(const char *path, struct arena *arena, const char **out, error *why)
{
    size_t folder = folder_length(path);
    const char *dot = strrchr(path + folder, '.');
    size_t stem = dot == NULL || dot == path + folder ? strlen(path) : (size_t)(dot - path);
    return join(arena, path, stem, ".ledger", out, why);
}

static status text_of(const char *path, const struct yaml_node *node, error *why)
{
    if (node->kind != YAML_TEXT || node->length == 0)
        return fail(why, DITHER_INVALID, "%s:%d: %s must be a text", path, node->line, node->key);
    return DITHER_OK;
}

static status named_place(const char *path, const struct yaml_node *ledger, struct arena *arena,
                          const char **out, error *why)
{
    if (ledger->kind != YAML_MAP || ledger->count != 1)
        return fail(why, DITHER_INVALID, "%s:%d: ledger must be {sqlite: FILE} or {postgres: CONNECTION}",
                    path, ledger->line);
    const struct yaml_node *place = ledger->first;
    TRY(text_of(path, place, why));
    if (strcmp(place->key, "postgres") == 0)
        return join(arena, "postgres:", strlen("postgres:"), place->text, out, why);
    if (strcmp(place->key, "sqlite") != 0)
        return fail(why, DITHER_INVALID, "%s:%d: a ledger is kept in sqlite or postgres, not in \"%s\"", path,
                    place->key_line, place->key);
    size_t folder = place->text[0] == '/' ? 0 : folder_length(path);
    return join(arena, path, folder, place->text, out, why);
}

status ledger_place_read(const char *path, struct arena *arena, struct ledger_place *out, error *why)
{
    char *text = NULL;
    size_t length = 0;
    const struct yaml_node *policy = NULL;
    struct ledger_place place = {0};
    TRY(read_file(path, arena, &text, &length, why));
    TRY(yaml_read(text, length, path, arena, &policy, why));
    if (policy->kind != YAML_MAP)
        return fail(why, DITHER_INVALID,
                    "%s:%d: a policy is a list of keys, such as dataset: and tables:", path, policy->line);
    const struct yaml_node *dataset = yaml_find(policy, "dataset");
    if (dataset != NULL) {
        TRY(text_of(path, dataset, why));
        place.dataset = dataset->text;
    }
    const struct yaml_node *ledger = yaml_find(policy, "ledger");
    TRY(ledger != NULL ? named_place(path, ledger, arena, &place.location, why)
                       : beside_policy(path, arena, &place.location, why));
    *out = place;
    return DITHER_OK;
}
