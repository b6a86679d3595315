#include "engine/proofs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/json.h"

static status file_of_proofs(const struct policy *policy, const char *ending, struct arena *arena, char **out,
                             error *why)
{
    size_t size = strlen(policy->file) + strlen(ending) + 1;
    TRY(arena_take(arena, size, (void **)out, why));
    snprintf(*out, size, "%s%s", policy->file, ending);
    return DITHER_OK;
}

static status print_identity(struct buffer *buffer, const char *path, const char *ending, error *why)
{
    struct buffer name;
    struct stat found;
    buffer_init(&name, 1 << 16);
    buffer_format(&name, "%s%s", path, ending);
    status result = buffer_check(&name, why);
    if (result == DITHER_OK && stat(name.data, &found) == 0)
        buffer_format(buffer, "%" PRIu64 " bytes, changed %" PRId64 ".%09ld, inode %" PRIu64,
                      (uint64_t)found.st_size, (int64_t)found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                      (uint64_t)found.st_ino);
    else
        buffer_text(buffer, "none");
    buffer_free(&name);
    return result;
}

status proofs_identify(const struct policy *policy, struct arena *arena, const char **out, error *why)
{
    if (policy->engine.kind != POLICY_ENGINE_DUCKDB) {
        *out = "";
        return DITHER_OK;
    }
    struct buffer text;
    char *copy = NULL;
    buffer_init(&text, 1 << 16);
    buffer_format(&text, "%s: ", policy->engine.place);
    status result = print_identity(&text, policy->engine.place, "", why);
    buffer_text(&text, "; log: ");
    if (result == DITHER_OK)
        result = print_identity(&text, policy->engine.place, ".wal", why);
    if (result == DITHER_OK)
        result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(arena, text.data, text.length, &copy, why);
    buffer_free(&text);
    if (result == DITHER_OK)
        *out = copy;
    return result;
}

static bool is_text(const json_t *object, const char *key, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && strcmp(text, expected) == 0;
}

static status copy_text(const json_t *object, const char *key, struct arena *arena, const char **out,
                        error *why)
{
    const char *text = json_string_value(json_object_get(object, key));
    char *copy = NULL;
    TRY(arena_text(arena, text != NULL ? text : "", text != NULL ? strlen(text) : 0, &copy, why));
    *out = copy;
    return DITHER_OK;
}

static status take_proofs(const json_t *root, const struct policy *policy, const char *identity,
                          struct arena *arena, struct proofs *out, error *why)
{
    const json_t *list = json_object_get(root, "unique");
    struct proof *proofs = NULL;
    if (!is_text(root, "dataset", policy->dataset) || !is_text(root, "data", identity) ||
        json_integer_value(json_object_get(root, "version")) != (json_int_t)policy->version)
        return DITHER_OK;
    TRY(arena_take(arena, json_array_size(list) * sizeof *proofs, (void **)&proofs, why));
    for (size_t i = 0; i < json_array_size(list); i++) {
        TRY(copy_text(json_array_get(list, i), "table", arena, &proofs[i].table, why));
        TRY(copy_text(json_array_get(list, i), "key", arena, &proofs[i].key, why));
    }
    *out = (struct proofs){.proofs = proofs, .count = json_array_size(list)};
    return DITHER_OK;
}

status proofs_read(const struct policy *policy, const char *identity, struct arena *arena, struct proofs *out,
                   error *why)
{
    char *path = NULL;
    *out = (struct proofs){.count = 0};
    TRY(file_of_proofs(policy, ".proofs", arena, &path, why));
    FILE *stream = fopen(path, "rb");
    if (stream == NULL && errno == ENOENT)
        return DITHER_OK;
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", path, strerror(errno));
    json_error_t wrong;
    json_t *root = json_loadf(stream, JSON_REJECT_DUPLICATES, &wrong);
    fclose(stream);
    status result = root != NULL ? take_proofs(root, policy, identity, arena, out, why)
                                 : fail(why, DITHER_INVALID,
                                        "%s, line %d: not what `dither check --data` writes; delete it", path,
                                        wrong.line);
    json_decref(root);
    return result;
}

bool proofs_has(const struct proofs *proofs, const char *table, const char *key)
{
    for (size_t i = 0; i < proofs->count; i++)
        if (strcmp(proofs->proofs[i].table, table) == 0 && strcmp(proofs->proofs[i].key, key) == 0)
            return true;
    return false;
}

static void print_proofs(struct buffer *buffer, const struct policy *policy, const char *identity,
                         const struct proofs *proofs)
{
    struct json_writer writer;
    json_writer_init(&writer, buffer);
    json_begin_object(&writer);
    json_member_text(&writer, "dataset", policy->dataset);
    json_write_key(&writer, "version");
    json_write_whole(&writer, (int64_t)policy->version);
    json_member_text(&writer, "data", identity);
    json_write_key(&writer, "unique");
    json_begin_array(&writer);
    for (size_t i = 0; i < proofs->count; i++) {
        json_begin_object(&writer);
        json_member_text(&writer, "table", proofs->proofs[i].table);
        json_member_text(&writer, "key", proofs->proofs[i].key);
        json_end_object(&writer);
    }
    json_end_array(&writer);
    json_end_object(&writer);
    buffer_byte(buffer, '\n');
}

/* A new file under another name, then the name: nobody ever sees half of it. */
static status replace_file(const char *path, const char *fresh, const struct buffer *text, error *why)
{
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        return fail(why, DITHER_IO, "%s: %s", fresh, strerror(errno));
    bool written = write(file, text->data, text->length) == (ssize_t)text->length && fsync(file) == 0;
    written &= close(file) == 0;
    if (written && rename(fresh, path) == 0)
        return DITHER_OK;
    status result = fail(why, DITHER_IO, "%s: %s", path, strerror(errno));
    unlink(fresh);
    return result;
}

status proofs_write(const struct policy *policy, const char *identity, const struct proofs *proofs,
                    error *why)
{
    struct arena arena;
    struct buffer text;
    char *path = NULL, *fresh = NULL;
    arena_init(&arena, 1 << 20);
    buffer_init(&text, 1 << 24);
    print_proofs(&text, policy, identity, proofs);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = file_of_proofs(policy, ".proofs", &arena, &path, why);
    if (result == DITHER_OK)
        result = file_of_proofs(policy, ".proofs.new", &arena, &fresh, why);
    if (result == DITHER_OK)
        result = replace_file(path, fresh, &text, why);
    arena_free(&arena);
    buffer_free(&text);
    return result;
}
