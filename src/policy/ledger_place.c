#include "policy/ledger_place.h"

#include <stdio.h>
#include <string.h>

#include "policy/file.h"

static status text_of(const char *path, const struct yaml_node *node, error *why)
{
    if (node->kind != YAML_TEXT || node->length == 0)
        return fail(why, DITHER_INVALID, "%s:%d: %s must be a text", path, node->line, node->key);
    return DITHER_OK;
}

static status in_postgres(const char *connection, struct arena *arena, const char **out, error *why)
{
    static const char prefix[] = "postgres:";
    void *room = NULL;
    size_t size = sizeof prefix + strlen(connection);
    TRY(arena_take(arena, size, &room, why));
    snprintf(room, size, "%s%s", prefix, connection);
    *out = room;
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
        return in_postgres(place->text, arena, out, why);
    if (strcmp(place->key, "sqlite") != 0)
        return fail(why, DITHER_INVALID, "%s:%d: a ledger is kept in sqlite or postgres, not in \"%.60s\"",
                    path, place->key_line, place->key);
    return policy_file_beside(path, place->text, arena, out, why);
}

status ledger_place_find(const struct yaml_node *policy, const char *path, struct arena *arena,
                         struct ledger_place *out, error *why)
{
    struct ledger_place place = {0};
    const struct yaml_node *dataset = yaml_find(policy, "dataset");
    if (dataset != NULL) {
        TRY(text_of(path, dataset, why));
        place.dataset = dataset->text;
    }
    const struct yaml_node *ledger = yaml_find(policy, "ledger");
    TRY(ledger != NULL ? named_place(path, ledger, arena, &place.location, why)
                       : policy_file_renamed(path, ".ledger", arena, &place.location, why));
    *out = place;
    return DITHER_OK;
}

status ledger_place_read(const char *path, struct arena *arena, struct ledger_place *out, error *why)
{
    const struct yaml_node *policy = NULL;
    TRY(policy_file_read(path, arena, &policy, why));
    return ledger_place_find(policy, path, arena, out, why);
}
