#include "cli/users.h"

#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "policy/policy.h"

static const char *analyst_name(size_t index, const void *context)
{
    const struct policy *policy = context;
    return index < policy->analyst_count ? policy->analysts[index].name : NULL;
}

static status check_analyst(const struct policy *policy, const char *name, error *why)
{
    for (size_t i = 0; i < policy->analyst_count; i++)
        if (strcmp(policy->analysts[i].name, name) == 0)
            return DITHER_OK;
    const char *nearest = nearest_name(name, analyst_name, policy);
    return fail(why, DITHER_REFUSED,
                "%.200s names no analyst \"%.63s\"%s%.63s%s; with --owner anybody can be the owner",
                policy->file, name, nearest != NULL ? "; did you mean \"" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
}

status users_of_policy(const struct users_request *request, char path[USERS_PATH_BYTES], error *why)
{
    const struct policy *policy = NULL;
    struct arena arena;
    error inner;
    TRY(users_path(request->policy, path, why));
    if (request->name != NULL && users_check_name(request->name, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "the name %s", inner.message);
    arena_init(&arena, POLICY_ARENA_BYTES);
    status result = policy_read(request->policy, &arena, &policy, why);
    if (result == DITHER_OK && request->name != NULL && !request->owner)
        result = check_analyst(policy, request->name, why);
    arena_free(&arena);
    return result;
}

static status read_for_list(const char *path, struct users **out, error *why)
{
    struct random *random = NULL;
    if (access(path, F_OK) == 0)
        return users_read(path, out, why);
    TRY(random_open(&random, why));
    status result = users_new(random, out, why);
    random_close(random);
    return result;
}

status users_print_list(const char *path, enum cli_format format, const struct users_list *list, error *why)
{
    struct users *users = NULL;
    struct buffer out;
    status result = DITHER_OK;
    TRY(read_for_list(path, &users, why));
    buffer_init(&out, USERS_FILE_BYTES);
    if (format == CLI_JSON) {
        struct json_writer json;
        json_writer_init(&json, &out);
        json_begin_array(&json);
        list->json(users, &json);
        json_end_array(&json);
        buffer_byte(&out, '\n');
    } else {
        struct table table;
        table_init(&table);
        list->table(users, &table);
        result = table_print(&table, format, &out, why);
        table_free(&table);
    }
    if (result == DITHER_OK)
        result = cli_write(&out, why);
    buffer_free(&out);
    users_free(users);
    return result;
}

status users_find_verb(const struct users_verbs *verbs, int argc, char **argv, const struct users_verb **out,
                       error *why)
{
    for (size_t i = 0; argc > 0 && i < verbs->count; i++) {
        const struct users_verb *verb = &verbs->list[i];
        if (strcmp(argv[0], verb->name) != 0)
            continue;
        if (argc - 1 != verb->arguments)
            return fail(why, DITHER_INVALID, "%s %s needs %s", verbs->command, verb->name, verb->needs);
        *out = verb;
        return DITHER_OK;
    }
    return fail(why, DITHER_INVALID, "%s", verbs->question);
}
