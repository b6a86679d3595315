/* Tables: where their rows are, and the declarations that stand in the table itself. What goes from table to
 * table is in path.c. */
#include <string.h>

#include "policy/file.h"
#include "policy/reader.h"

static status read_protection(const struct policy_reader *reader, const struct yaml_node *node,
                              const char *subject, struct policy_table *table)
{
    const struct yaml_node *unit = yaml_find(node, "unit"), *join = yaml_find(node, "join");
    bool public = false;
    TRY(policy_flag(reader, yaml_find(node, "public"), subject, &public));
    if (public && (unit != NULL || join != NULL))
        return policy_refuse(reader, (unit != NULL ? unit : join)->key_line,
                             "%s is public and so has no unit: its rows are nobody's", subject);
    if (unit != NULL && join != NULL)
        return policy_refuse(reader, join->key_line,
                             "%s has a unit column and a join; one of them says whose a row is", subject);
    if (!public && unit == NULL && join == NULL)
        return policy_refuse(
            reader, node->key_line,
            "%s: who is protected? It needs unit: COLUMN, unit: row, join: {...} or public: true", subject);
    table->protection = public         ? POLICY_PUBLIC
                        : join != NULL ? POLICY_UNIT_JOIN
                                       : POLICY_UNIT_COLUMN; /* or a row: read_unit */
    return DITHER_OK;
}

const char *policy_column_name(size_t index, const void *context)
{
    const struct policy_table *table = context;
    return index < table->column_count ? table->columns[index].name : NULL;
}

static status read_unit(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                        struct policy_table *table)
{
    if (table->protection != POLICY_UNIT_COLUMN)
        return DITHER_OK;
    const char *name = NULL;
    TRY(policy_text(reader, node, subject, &name));
    const struct policy_column *column = policy_find_column(table, name);
    if (strcmp(name, "row") == 0) {
        if (column != NULL)
            return policy_refuse(
                reader, node->line,
                "%s: unit: row means that each row is a unit, and there is a column named row", subject);
        table->protection = POLICY_UNIT_ROW;
        return DITHER_OK;
    }
    if (column == NULL) {
        char hint[POLICY_HINT];
        policy_hint(name, policy_column_name, table, hint);
        return policy_refuse(reader, node->line, "%s: the unit column \"%.60s\" is not among its columns%s",
                             subject, name, hint);
    }
    if (column->type == POLICY_REAL || column->type == POLICY_BOOLEAN)
        return policy_refuse(reader, node->line,
                             "%s: the unit column \"%.60s\" is %s, which does not tell people apart", subject,
                             name, policy_type_name(column->type));
    table->unit_column = column;
    return DITHER_OK;
}

static status refuse_bounds(const struct policy_reader *reader, const struct yaml_node *node,
                            const char *subject)
{
    static const char *const private[] = {"rows_per_unit", "max_rows", "max_groups", "view"};
    for (size_t i = 0; i < sizeof private / sizeof private[0]; i++) {
        const struct yaml_node *found = yaml_find(node, private[i]);
        if (found != NULL)
            return policy_refuse(reader, found->key_line, "%s is public: %s is for private tables", subject,
                                 private[i]);
    }
    return DITHER_OK;
}

/* Without bounds of its own a table gets those that follow from its rows per unit; without either it is an
 * error, for any default would bend answers unasked. */
static status read_bounds(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct policy_table *table)
{
    if (table->protection == POLICY_PUBLIC)
        return refuse_bounds(reader, node, subject);
    const struct yaml_node *rows = yaml_find(node, "rows_per_unit");
    table->rows_per_unit = table->protection == POLICY_UNIT_ROW ? 1 : 0;
    TRY(policy_whole(reader, rows, subject, POLICY_MOST_ROWS, &table->rows_per_unit));
    if (table->protection == POLICY_UNIT_ROW && table->rows_per_unit != 1)
        return policy_refuse(reader, rows->line, "%s: each row is a unit, so rows_per_unit is 1", subject);
    table->max_rows = table->max_groups = table->rows_per_unit;
    TRY(policy_whole(reader, yaml_find(node, "max_rows"), subject, POLICY_MOST_ROWS, &table->max_rows));
    TRY(policy_whole(reader, yaml_find(node, "max_groups"), subject, POLICY_MOST_ROWS, &table->max_groups));
    if (table->max_rows == 0 || table->max_groups == 0)
        return policy_refuse(
            reader, node->key_line,
            "%s may hold many rows of one unit: %s is missing (how many %s to keep); or say rows_per_unit: 1",
            subject, table->max_rows == 0 ? "max_rows" : "max_groups",
            table->max_rows == 0 ? "of a unit's rows in one group" : "groups of a unit");
    return DITHER_OK;
}

static status read_view(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                        struct policy_table *table)
{
    const struct yaml_node *view = yaml_find(node, "view");
    if (view == NULL)
        return DITHER_OK;
    if (view->kind != YAML_TEXT || strcmp(view->text, "per_unit") != 0)
        return policy_refuse(
            reader, view->line,
            "view of %s must be per_unit: each row of the view depends on its unit's rows alone", subject);
    if (table->source != NULL)
        return policy_refuse(reader, view->key_line, "%s: a view lies in the database and has no source",
                             subject);
    table->view_per_unit = true;
    return DITHER_OK;
}

static status read_source(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct policy_table *table)
{
    const struct yaml_node *source = yaml_find(node, "source");
    enum policy_engine_kind engine = reader->policy->engine.kind;
    const char *name = NULL;
    TRY(policy_text(reader, source, subject, &name));
    if (name == NULL && engine == POLICY_ENGINE_MEMORY)
        return policy_refuse(reader, node->key_line,
                             "%s has nothing to read: give it a source, or the policy an engine", subject);
    if (name != NULL && engine == POLICY_ENGINE_POSTGRES)
        return policy_refuse(reader, source->key_line,
                             "%s: files are read by DuckDB, and the engine is PostgreSQL", subject);
    if (name == NULL)
        return DITHER_OK;
    return policy_file_beside(reader->file, name, reader->arena, &table->source, reader->why);
}

static status read_table(struct policy_reader *reader, const struct yaml_node *node,
                         struct policy_table *table)
{
    static const char *const known[] = {"source",        "unit",        "join",       "public",
                                        "rows_per_unit", "max_rows",    "max_groups", "columns",
                                        "view",          "description", NULL};
    const char *subject = NULL;
    TRY(policy_text_of(reader, &subject, "table %s", node->key));
    TRY(policy_keys(reader, node, subject, known));
    table->name = node->key;
    table->line = node->key_line;
    TRY(policy_text(reader, yaml_find(node, "description"), subject, &table->description));
    TRY(read_protection(reader, node, subject, table));
    TRY(read_source(reader, node, subject, table));
    const struct yaml_node *columns = yaml_find(node, "columns");
    if (columns == NULL && table->protection != POLICY_PUBLIC)
        return policy_refuse(reader, node->key_line,
                             "%s is private and needs columns: what is not declared does not exist", subject);
    if (columns != NULL)
        TRY(policy_read_columns(reader, columns, table));
    TRY(read_unit(reader, yaml_find(node, "unit"), subject, table));
    TRY(read_view(reader, node, subject, table));
    return read_bounds(reader, node, subject, table);
}

status policy_read_tables(struct policy_reader *reader, const struct yaml_node *node)
{
    TRY(policy_members(reader, node, "tables", POLICY_MOST_TABLES));
    TRY(policy_take(reader, node->count, sizeof *reader->tables, &reader->tables));
    reader->policy->tables = reader->tables;
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        TRY(policy_name(reader, node, child, "table", POLICY_NAME_BYTES));
        TRY(read_table(reader, child, &reader->tables[reader->policy->table_count++]));
    }
    return policy_resolve(reader, node);
}

const struct policy_table *policy_find_table(const struct policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->table_count; i++)
        if (strcmp(policy->tables[i].name, name) == 0)
            return &policy->tables[i];
    return NULL;
}

const struct policy_column *policy_find_column(const struct policy_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}
