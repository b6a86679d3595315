#include "sql/function.h"

#include <string.h>

static const struct sql_function *const parts[] = {
    sql_functions_arithmetic, sql_functions_comparison, sql_functions_logic,       sql_functions_text,
    sql_functions_date,       sql_functions_numeric,    sql_functions_conditional,
};

const struct sql_function *sql_function_next(struct sql_function_walk *walk)
{
    for (; walk->part < sizeof parts / sizeof *parts; walk->part++, walk->entry = 0) {
        const struct sql_function *entry = &parts[walk->part][walk->entry];
        walk->entry++;
        if (entry->name != NULL)
            return entry;
    }
    return NULL;
}

const struct sql_function *sql_function_at(size_t index)
{
    struct sql_function_walk walk = {0};
    const struct sql_function *entry = sql_function_next(&walk);
    while (entry != NULL && index-- > 0)
        entry = sql_function_next(&walk);
    return entry;
}

char sql_function_letter(const struct sql_function *function, size_t index)
{
    size_t length = strlen(function->arguments);
    if (length > 0 && function->arguments[length - 1] == '*' && index >= length - 1)
        return function->arguments[length - 2];
    return function->arguments[index];
}

bool sql_function_takes(const struct sql_function *function, size_t count)
{
    size_t length = strlen(function->arguments);
    if (length > 0 && function->arguments[length - 1] == '*')
        return count >= length - 1;
    return count == length;
}
