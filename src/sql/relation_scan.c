/* Where rows come from: tables and lists of values. */
#include "sql/relation_make.h"

#include <string.h>

static enum sql_type type_of(enum policy_type type)
{
    switch (type) {
    case POLICY_INTEGER:
        return SQL_INTEGER;
    case POLICY_REAL:
        return SQL_REAL;
    case POLICY_DECIMAL:
        return SQL_DECIMAL;
    case POLICY_TEXT:
        return SQL_TEXT;
    case POLICY_BOOLEAN:
        return SQL_BOOLEAN;
    case POLICY_DATE:
        return SQL_DATE;
    case POLICY_TIMESTAMP:
        return SQL_TIMESTAMP;
    }
    return SQL_UNKNOWN;
}

/* The declared range; or that of the declared values, which are the only ones that make a row or count. */
static struct sql_range range_of(const struct policy_column *column)
{
    struct sql_range range = {.known = column->has_range,
                              .lower = column->lower.whole,
                              .upper = column->upper.whole,
                              .real_lower = column->lower.real,
                              .real_upper = column->upper.real};
    if (column->type == POLICY_BOOLEAN)
        return (struct sql_range){.known = true, .lower = 0, .upper = 1};
    if (column->type == POLICY_TEXT)
        return (struct sql_range){.known = false};
    if (column->has_range || column->value_count == 0)
        return range;
    range.known = true;
    for (size_t i = 0; i < column->value_count; i++) {
        const struct policy_value *value = &column->values[i];
        range.lower = i == 0 || value->whole < range.lower ? value->whole : range.lower;
        range.upper = i == 0 || value->whole > range.upper ? value->whole : range.upper;
        range.real_lower = i == 0 || value->real < range.real_lower ? value->real : range.real_lower;
        range.real_upper = i == 0 || value->real > range.real_upper ? value->real : range.real_upper;
    }
    return range;
}

static struct sql_column describe_column(const struct policy_column *column)
{
    return (struct sql_column){.name = column->name,
                               .type = type_of(column->type),
                               .scale = column->scale,
                               .nullable = column->nullable,
                               .range = range_of(column)};
}

static const struct sql_table *find_declared(const struct sql_builder *builder,
                                             const struct policy_table *declared)
{
    for (size_t i = 0; i < builder->catalogue->table_count; i++)
        if (builder->catalogue->tables[i].declared == declared)
            return &builder->catalogue->tables[i];
    return NULL;
}

/* A step of the path gives each child row one parent row, and so one unit, only if the parent's key is unique.
 * With a key that is there twice one row would belong to two people, and each of them could move what is
 * counted for the other. */
static status check_step(struct sql_builder *builder, const struct policy_table *child, int position,
                         error *why)
{
    const struct sql_table *parent = find_declared(builder, child->parent);
    size_t *columns = NULL;
    TRY(relation_take(builder, child->key_count, sizeof *columns, &columns, why));
    for (size_t i = 0; i < child->key_count; i++)
        columns[i] = (size_t)(child->keys[i].parent_column - child->parent->columns);
    if (parent != NULL && sql_table_is_unique(parent, columns, child->key_count))
        return DITHER_OK;
    return sql_refuse(why, position, "the owner has not proved that %s.%s%s is unique: dither check --data",
                      child->parent->name, child->keys[0].parent_column->name,
                      child->key_count > 1 ? " (with the rest of its key)" : "");
}

/* The tag is the unit of the row: its own column, or that of the one row to which the path leads, or the row's
 * identity. The printer leaves out rows where it is NULL, so the tag is not NULL on any row and a row depends
 * on rows of its unit alone: itself and those on its path, which have the same unit.
 * The unit column itself equals the tag, and so counts as the unit; with a path of joins no column does. */
static status make_tag(struct sql_builder *builder, const struct sql_table *table, int position,
                       struct sql_column *columns, error *why)
{
    const struct policy_table *declared = table->declared;
    struct sql_column *tag = &columns[table->column_count];
    const struct policy_table *step = declared;
    for (size_t i = 0; i < declared->joins; i++, step = step->parent)
        TRY(check_step(builder, step, position, why));
    *tag = declared->tag != NULL ? describe_column(declared->tag) : (struct sql_column){.type = SQL_INTEGER};
    tag->name = "tag";
    tag->hidden = true;
    tag->nullable = false;
    tag->unit = true;
    tag->fixed = true;
    if (declared->tag == NULL || declared->joins > 0)
        return DITHER_OK;
    struct sql_column *own = &columns[declared->tag - declared->columns];
    own->unit = true;
    own->fixed = true;
    own->nullable = false;
    return DITHER_OK;
}

status sql_scan(struct sql_builder *builder, const struct sql_table *table, int position,
                const struct sql_relation **out, error *why)
{
    const struct policy_table *declared = table->declared;
    bool private = declared->protection != POLICY_PUBLIC;
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    TRY(relation_new(builder, SQL_SCAN, position, table->column_count + private, &relation, &columns, why));
    relation->table = table;
    relation->one_row = private && sql_table_one_row_per_unit(table);
    for (size_t i = 0; i < table->column_count; i++) {
        columns[i] = describe_column(&table->columns[i]);
        columns[i].fixed = relation->one_row;
    }
    if (private) {
        TRY(make_tag(builder, table, position, columns, why));
        relation->place = SQL_TAGGED;
        relation->unit = declared->unit;
        relation->tag = table->column_count;
        relation->max_rows = declared->max_rows;
        relation->max_groups = declared->max_groups;
    }
    *out = relation;
    return DITHER_OK;
}

status sql_values(struct sql_builder *builder, const struct sql_column *columns, const struct sql_rows *rows,
                  int position, const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *own = NULL;
    TRY(relation_new(builder, SQL_VALUES, position, rows->column_count, &relation, &own, why));
    for (size_t i = 0; i < rows->column_count; i++) {
        own[i] = columns[i];
        own[i].unit = own[i].fixed = own[i].noisy = false;
    }
    relation->place = SQL_PUBLIC;
    relation->rows = rows;
    *out = relation;
    return DITHER_OK;
}
