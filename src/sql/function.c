#include "sql/function.h"

#include <string.h>

const struct sql_function *sql_function_at(size_t index)
{
    static const struct sql_function *const parts[] = {
        sql_functions_arithmetic, sql_functions_comparison, sql_functions_logic,       sql_functions_text,
        sql_functions_date,       sql_functions_numeric,    sql_functions_conditional,
    };
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        for (const struct sql_function *entry = parts[part]; entry->name != NULL; entry++)
            if (index-- == 0)
                return entry;
    return NULL;
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
