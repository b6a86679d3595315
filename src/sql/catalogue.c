#include "sql/catalogue.h"

#include <assert.h>
#include <string.h>

static char lowered(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte + ('a' - 'A')) : byte;
}

/* Whether `name`, which the parser may have lowered, can stand for `declared`. PostgreSQL lowers ASCII only. */
static bool folds_to(const char *declared, const char *name)
{
    size_t i = 0;
    while (declared[i] != '\0' && lowered(declared[i]) == name[i])
        i++;
    return declared[i] == '\0' && name[i] == '\0';
}

const struct sql_table *sql_catalogue_table(const struct sql_catalogue *catalogue, const char *name)
{
    const struct sql_table *found = NULL;
    size_t found_count = 0;
    for (size_t i = 0; i < catalogue->table_count; i++) {
        const struct sql_table *table = &catalogue->tables[i];
        if (strcmp(table->declared->name, name) == 0)
            return table;
        if (folds_to(table->declared->name, name)) {
            found = table;
            found_count++;
        }
    }
    return found_count == 1 ? found : NULL;
}

static bool contains(const size_t *columns, size_t column_count, size_t column)
{
    for (size_t i = 0; i < column_count; i++)
        if (columns[i] == column)
            return true;
    return false;
}

bool sql_table_is_unique(const struct sql_table *table, const size_t *columns, size_t column_count)
{
    for (size_t i = 0; i < table->unique_count; i++) {
        const struct sql_unique *unique = &table->uniques[i];
        size_t held = 0;
        while (held < unique->column_count && contains(columns, column_count, unique->columns[held]))
            held++;
        if (held == unique->column_count && held > 0)
            return true;
    }
    return false;
}

bool sql_table_one_row_per_unit(const struct sql_table *table)
{
    const struct policy_table *declared = table->declared;
    switch (declared->protection) {
    case POLICY_UNIT_ROW:
        return true;
    case POLICY_UNIT_COLUMN: {
        assert(declared->unit_column >= declared->columns &&
               declared->unit_column < declared->columns + declared->column_count);
        size_t unit = (size_t)(declared->unit_column - declared->columns);
        return sql_table_is_unique(table, &unit, 1);
    }
    case POLICY_UNIT_JOIN:
    case POLICY_PUBLIC:
        break;
    }
    return false;
}
