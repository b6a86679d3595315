/* The policy as a whole: its top keys, in the order in which one needs the other. */
#include "policy/policy.h"

#include <string.h>

#include "base/number.h"
#include "policy/file.h"
#include "policy/ledger_place.h"
#include "policy/reader.h"

enum { LONGEST_STEP_MILLISECONDS = 3600 * 1000 };

static status read_engine(const struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {"duckdb", "postgres", NULL};
    struct policy_engine *engine = &reader->policy->engine;
    if (node == NULL)
        return DITHER_OK;
    TRY(policy_keys(reader, node, "the engine", known));
    if (node->count != 1)
        return policy_refuse(reader, node->line, "the engine is duckdb or postgres, one of them");
    const char *place = NULL;
    TRY(policy_text(reader, node->first, "the engine", &place));
    engine->line = node->key_line;
    if (strcmp(node->first->key, "postgres") == 0) {
        engine->kind = POLICY_ENGINE_POSTGRES;
        engine->place = place;
        return DITHER_OK;
    }
    engine->kind = POLICY_ENGINE_DUCKDB;
    return policy_file_beside(reader->file, place, reader->arena, &engine->place, reader->why);
}

/* "100ms", "2s", "1min" */
static bool read_duration(const char *text, uint64_t *milliseconds)
{
    static const struct {
        const char *name;
        uint64_t milliseconds;
    } units[] = {{"ms", 1}, {"s", 1000}, {"min", 60 * 1000}};
    char digits[12];
    size_t count = strspn(text, "0123456789");
    uint64_t value = 0;
    if (count == 0 || count >= sizeof digits)
        return false;
    memcpy(digits, text, count);
    digits[count] = '\0';
    if (number_parse_whole(digits, &value, NULL) != DITHER_OK)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(text + count, units[i].name) == 0) {
            *milliseconds = value * units[i].milliseconds; /* below 10^11 * 60000 */
            return *milliseconds >= 1 && *milliseconds <= LONGEST_STEP_MILLISECONDS;
        }
    return false;
}

static status read_timing(const struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {"step", NULL};
    if (node == NULL)
        return DITHER_OK;
    TRY(policy_keys(reader, node, "timing", known));
    const struct yaml_node *step = yaml_find(node, "step");
    if (step == NULL)
        return DITHER_OK;
    uint64_t milliseconds = 0;
    if (step->kind != YAML_TEXT || !read_duration(step->text, &milliseconds))
        return policy_refuse(reader, step->line,
                             "step of timing must be a time such as 100ms, 2s or 1min, up to 60min");
    reader->policy->timing_step_milliseconds = milliseconds;
    return DITHER_OK;
}

static status require(const struct policy_reader *reader, const struct yaml_node *root, const char *key,
                      const char *what)
{
    if (yaml_find(root, key) == NULL)
        return policy_refuse(reader, root->line, "the policy needs %s: %s", key, what);
    return DITHER_OK;
}

static status read_head(const struct policy_reader *reader, const struct yaml_node *root)
{
    static const char *const known[] = {"dataset", "version", "description", "engine", "tables",    "budget",
                                        "ledger",  "groups",  "analysts",    "timing", "synthetic", NULL};
    struct policy *policy = reader->policy;
    struct ledger_place place = {0};
    TRY(policy_keys(reader, root, "a policy", known));
    TRY(require(reader, root, "dataset", "a name under which its ledger is kept"));
    TRY(require(reader, root, "tables", "what there is, and who is protected"));
    TRY(require(reader, root, "budget", "how much may ever be learnt"));
    TRY(ledger_place_find(root, reader->file, reader->arena, &place, reader->why));
    const struct yaml_node *dataset = yaml_find(root, "dataset");
    if (dataset->length > LEDGER_NAME_BYTES)
        return policy_refuse(reader, dataset->line, "dataset must have at most %d bytes", LEDGER_NAME_BYTES);
    policy->dataset = place.dataset;
    policy->ledger = place.location;
    policy->version = 1;
    TRY(policy_text(reader, yaml_find(root, "description"), "the policy", &policy->description));
    TRY(policy_flag(reader, yaml_find(root, "synthetic"), "the policy", &policy->synthetic));
    return policy_whole(reader, yaml_find(root, "version"), "the policy", INT64_MAX, &policy->version);
}

static status read_root(struct policy_reader *reader, const struct yaml_node *root)
{
    const struct yaml_node *groups = yaml_find(root, "groups"), *analysts = yaml_find(root, "analysts");
    TRY(read_head(reader, root));
    TRY(read_engine(reader, yaml_find(root, "engine")));
    TRY(policy_read_tables(reader, yaml_find(root, "tables")));
    TRY(policy_read_budget(reader, yaml_find(root, "budget")));
    if (groups != NULL)
        TRY(policy_read_groups(reader, groups));
    if (analysts != NULL)
        TRY(policy_read_analysts(reader, analysts));
    TRY(read_timing(reader, yaml_find(root, "timing")));
    return policy_advise(reader);
}

static status read_tree(const struct yaml_node *root, const char *path, struct arena *arena,
                        const struct policy **out, error *why)
{
    struct policy_reader reader = {.file = path, .arena = arena, .why = why};
    char *file = NULL;
    TRY(policy_take(&reader, 1, sizeof *reader.policy, &reader.policy));
    TRY(arena_text(arena, path, strlen(path), &file, why));
    reader.policy->file = file;
    TRY(read_root(&reader, root));
    *out = reader.policy;
    return DITHER_OK;
}

status policy_read(const char *path, struct arena *arena, const struct policy **out, error *why)
{
    const struct yaml_node *root = NULL;
    TRY(policy_file_read(path, arena, &root, why));
    return read_tree(root, path, arena, out, why);
}

status policy_read_text(const char *text, size_t length, const char *path, struct arena *arena,
                        const struct policy **out, error *why)
{
    const struct yaml_node *root = NULL;
    TRY(policy_file_parse(text, length, path, arena, &root, why));
    return read_tree(root, path, arena, out, why);
}
