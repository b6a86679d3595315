/* From the rows that a release reads to the unit: join by join, as the policy declares them. */
#include <assert.h>

#include "curator/explain.h"
#include "curator/walk.h"

struct finding {
    struct explain_tables *tables;
    const struct policy *policy;
};

static bool find_table(void *context, const struct sql_relation *relation)
{
    const struct finding *finding = context;
    struct explain_tables *tables = finding->tables;
    if (relation->kind != SQL_SCAN || relation->table->declared->protection == POLICY_PUBLIC)
        return true;
    size_t at = 0;
    while (at < tables->count && tables->list[at] != relation->table->declared)
        at++;
    if (at == tables->count) {
        assert(at < finding->policy->table_count);
        tables->list[tables->count++] = relation->table->declared;
    }
    return true;
}

/* Releases below it have paths of their own. */
status explain_find_tables(const struct curator *curator, const struct sql_release *release,
                           struct arena *arena, struct explain_tables *out, error *why)
{
    void *list = NULL;
    TRY(arena_take(arena, curator->policy->table_count * sizeof *out->list, &list, why));
    *out = (struct explain_tables){.list = list};
    struct finding finding = {out, curator->policy};
    return walk_relation(release->input, false, find_table, &finding, arena, why);
}

static void write_side(const struct policy_table *table, const struct policy_key *keys, size_t count,
                       bool parent, struct buffer *out)
{
    buffer_format(out, "%s.%s", table->name, count > 1 ? "(" : "");
    for (size_t i = 0; i < count; i++)
        buffer_format(out, "%s%s", i > 0 ? ", " : "",
                      parent ? keys[i].parent_column->name : keys[i].column->name);
    buffer_text(out, count > 1 ? ")" : "");
}

/* A step that arrives in the column in which the next one starts, or in the unit, is not written twice. */
static bool continues(const struct policy_table *child)
{
    const struct policy_table *parent = child->parent;
    if (child->key_count != 1)
        return false;
    if (parent->protection == POLICY_UNIT_JOIN)
        return parent->key_count == 1 && parent->keys[0].column == child->keys[0].parent_column;
    return parent->protection == POLICY_UNIT_COLUMN && parent->unit_column == child->keys[0].parent_column;
}

void explain_path(const struct policy_table *table, struct buffer *out)
{
    bool begun = false;
    for (; table->protection == POLICY_UNIT_JOIN; table = table->parent) {
        if (!begun)
            write_side(table, table->keys, table->key_count, false, out);
        buffer_text(out, " -> ");
        write_side(table->parent, table->keys, table->key_count, true, out);
        begun = continues(table);
        if (!begun)
            buffer_text(out, ", ");
    }
    if (begun)
        return;
    if (table->protection == POLICY_UNIT_ROW)
        buffer_format(out, "each row of %s", table->name);
    else
        buffer_format(out, "%s.%s", table->name, table->unit_column->name);
}
