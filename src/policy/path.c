/* From every private table to its unit.
 *
 * A join says: the unit of this row is the unit of the row that this key points to. The steps must end at a
 * table that has its unit itself. Both sides of a key have one type, and so have all unit columns of one name:
 * otherwise '7' and '07' would be two people on one side and one on the other. */
#include <string.h>
#include <strings.h>

#include "policy/reader.h"

static const char *table_name(size_t index, const void *context)
{
    const struct policy *policy = context;
    return index < policy->table_count ? policy->tables[index].name : NULL;
}

/* Splits "patients.region" at its last point; false when there is no name on one of its sides. */
static bool split(const char *text, char table[POLICY_NAME_BYTES + 1], const char **column)
{
    const char *point = strrchr(text, '.');
    if (point == NULL || point == text || point[1] == '\0' || point - text > POLICY_NAME_BYTES)
        return false;
    memcpy(table, text, (size_t)(point - text));
    table[point - text] = '\0';
    *column = point + 1;
    return true;
}

status policy_find_reference(const struct policy_reader *reader, const struct yaml_node *node,
                             const char *subject, struct policy_table **table,
                             const struct policy_column **column)
{
    char name[POLICY_NAME_BYTES + 1], hint[POLICY_HINT];
    const char *wanted = NULL;
    if (node->kind != YAML_TEXT || !split(node->text, name, &wanted))
        return policy_refuse(reader, node->line, "%s must name a column as TABLE.COLUMN", subject);
    const struct policy_table *found = policy_find_table(reader->policy, name);
    if (found == NULL) {
        policy_hint(name, table_name, reader->policy, hint);
        return policy_refuse(reader, node->line, "%s: there is no table \"%.60s\"%s", subject, name, hint);
    }
    *column = policy_find_column(found, wanted);
    if (*column == NULL) {
        policy_hint(wanted, policy_column_name, found, hint);
        return policy_refuse(reader, node->line, "%s: table %.60s has no column \"%.60s\"%s", subject, name,
                             wanted, hint);
    }
    *table = &reader->tables[found - reader->policy->tables];
    return DITHER_OK;
}

static bool same_type(const struct policy_column *left, const struct policy_column *right)
{
    return left->type == right->type && left->scale == right->scale;
}

/* One `column: parent.column` of a join. */
static status read_key(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                       struct policy_table *table, struct policy_key *keys)
{
    char hint[POLICY_HINT];
    struct policy_key key = {policy_find_column(table, node->key), NULL};
    struct policy_table *parent = NULL;
    if (key.column == NULL) {
        policy_hint(node->key, policy_column_name, table, hint);
        return policy_refuse(reader, node->key_line, "%s: table %s has no column \"%.60s\"%s", subject,
                             table->name, node->key, hint);
    }
    TRY(policy_find_reference(reader, node, subject, &parent, &key.parent_column));
    if (table->parent != NULL && table->parent != parent)
        return policy_refuse(reader, node->line,
                             "%s leads to two tables, %s and %s: all parts of a key point to one", subject,
                             table->parent->name, parent->name);
    if (!same_type(key.column, key.parent_column))
        return policy_refuse(reader, node->line, "%s: %s.%s is %s and %s.%s is %s: keys have one type%s",
                             subject, table->name, key.column->name, policy_type_name(key.column->type),
                             parent->name, key.parent_column->name, policy_type_name(key.parent_column->type),
                             key.column->type == key.parent_column->type ? " and one scale" : "");
    if (key.column->type == POLICY_REAL)
        return policy_refuse(reader, node->line, "%s: a real number is no key", subject);
    for (size_t i = 0; i < table->key_count; i++)
        if (keys[i].column == key.column || keys[i].parent_column == key.parent_column)
            return policy_refuse(reader, node->line, "%s: a column is in the key twice", subject);
    table->parent = parent;
    keys[table->key_count++] = key;
    return DITHER_OK;
}

/* A map, or a list of maps; all of their members together are the key. */
static status read_join(const struct policy_reader *reader, const struct yaml_node *node,
                        struct policy_table *table)
{
    const char *subject = NULL;
    struct policy_key *keys = NULL;
    TRY(policy_text_of(reader, &subject, "join of table %s", table->name));
    size_t count = 0;
    for (const struct yaml_node *part = node->first; part != NULL; part = part->next)
        count += node->kind == YAML_MAP ? 1 : part->kind == YAML_MAP ? part->count : 0;
    if (count == 0 || count > POLICY_MOST_COLUMNS)
        return policy_refuse(reader, node->line, "%s must be {COLUMN: TABLE.COLUMN}, or a list of these",
                             subject);
    TRY(policy_take(reader, count, sizeof *keys, &keys));
    for (const struct yaml_node *part = node->first; part != NULL; part = part->next) {
        if (node->kind == YAML_MAP) {
            TRY(read_key(reader, part, subject, table, keys));
            continue;
        }
        if (part->kind != YAML_MAP)
            return policy_refuse(reader, part->line, "%s must be {COLUMN: TABLE.COLUMN}, or a list of these",
                                 subject);
        for (const struct yaml_node *key = part->first; key != NULL; key = key->next)
            TRY(read_key(reader, key, subject, table, keys));
    }
    table->keys = keys;
    return DITHER_OK;
}

/* Tables that name the same unit column have the same units. */
static status name_unit(const struct policy_reader *reader, struct policy_table *table)
{
    table->unit = table;
    table->tag = table->unit_column;
    if (table->protection != POLICY_UNIT_COLUMN)
        return DITHER_OK;
    for (const struct policy_table *other = reader->tables; other != table; other++) {
        if (other->protection != POLICY_UNIT_COLUMN ||
            strcasecmp(other->unit_column->name, table->unit_column->name) != 0)
            continue;
        if (!same_type(other->unit_column, table->unit_column))
            return policy_refuse(
                reader, table->unit_column->line,
                "the unit column %s is %s in table %s and %s in table %s: a unit has one type",
                table->unit_column->name, policy_type_name(other->unit_column->type), other->name,
                policy_type_name(table->unit_column->type), table->name);
        table->unit = other->unit;
        return DITHER_OK;
    }
    return DITHER_OK;
}

static bool key_is_unit(const struct policy_table *child, const struct policy_table *last)
{
    return child->parent == last && child->key_count == 1 &&
           child->keys[0].parent_column == last->unit_column;
}

static status follow(const struct policy_reader *reader, int line, struct policy_table *table)
{
    const struct policy_table *last = table, *before = table;
    size_t steps = 0;
    for (; last->protection == POLICY_UNIT_JOIN; last = last->parent, steps++) {
        if (steps == reader->policy->table_count)
            return policy_refuse(reader, line, "join of table %s runs in a circle and reaches no unit",
                                 table->name);
        before = last;
    }
    if (last->protection == POLICY_PUBLIC)
        return policy_refuse(reader, line, "join of table %s ends at %s, which is public: it reaches no unit",
                             table->name, last->name);
    if (last->protection == POLICY_UNIT_ROW)
        return policy_refuse(
            reader, line,
            "join of table %s ends at %s, whose rows are units without a name: give %s its key as unit",
            table->name, last->name, last->name);
    bool own = key_is_unit(before, last);
    table->unit = last->unit;
    table->path_length = steps;
    table->joins = own ? steps - 1 : steps;
    table->tag = own ? before->keys[0].column : last->unit_column;
    return DITHER_OK;
}

status policy_resolve(struct policy_reader *reader, const struct yaml_node *tables)
{
    size_t i = 0, private = 0;
    for (const struct yaml_node *node = tables->first; node != NULL; node = node->next, i++)
        if (reader->tables[i].protection == POLICY_UNIT_JOIN)
            TRY(read_join(reader, yaml_find(node, "join"), &reader->tables[i]));
        else if (reader->tables[i].protection != POLICY_PUBLIC)
            TRY(name_unit(reader, &reader->tables[i]));
    for (i = 0; i < reader->policy->table_count; i++)
    private += reader->tables[i].protection != POLICY_PUBLIC;
    if (private == 0)
        return policy_refuse(reader, tables->key_line, "all tables are public: nobody is protected");
    i = 0;
    for (const struct yaml_node *node = tables->first; node != NULL; node = node->next, i++)
        if (reader->tables[i].protection == POLICY_UNIT_JOIN)
            TRY(follow(reader, yaml_find(node, "join")->key_line, &reader->tables[i]));
    return DITHER_OK;
}
