#include "policy/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

status policy_file_text(const char *path, struct arena *arena, char **text, size_t *length, error *why)
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
            result = fail(why, DITHER_INVALID, "%s: such a file has at most %d bytes", path, (int)YAML_BYTES);
    }
    fclose(file);
    return result;
}

status policy_file_read(const char *path, struct arena *arena, const struct yaml_node **out, error *why)
{
    char *text = NULL;
    size_t length = 0;
    TRY(policy_file_text(path, arena, &text, &length, why));
    return policy_file_parse(text, length, path, arena, out, why);
}

status policy_file_parse(const char *text, size_t length, const char *path, struct arena *arena,
                         const struct yaml_node **out, error *why)
{
    const struct yaml_node *policy = NULL;
    TRY(yaml_read(text, length, path, arena, &policy, why));
    if (policy->kind != YAML_MAP)
        return fail(why, DITHER_INVALID,
                    "%s:%d: a policy is a list of keys, such as dataset: and tables:", path, policy->line);
    *out = policy;
    return DITHER_OK;
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

status policy_file_beside(const char *path, const char *name, struct arena *arena, const char **out,
                          error *why)
{
    return join(arena, path, name[0] == '/' ? 0 : folder_length(path), name, out, why);
}

status policy_file_renamed(const char *path, const char *ending, struct arena *arena, const char **out,
                           error *why)
{
    size_t folder = folder_length(path);
    const char *dot = strrchr(path + folder, '.');
    size_t stem = dot == NULL || dot == path + folder ? strlen(path) : (size_t)(dot - path);
    return join(arena, path, stem, ending, out, why);
}
