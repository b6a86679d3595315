/* Parameters became literals before anything was bound, each where it stood in the text: a literal at the place of "$2" is the
 * second parameter's. No other literal begins with a dollar and a digit. */
#include "sql/expression.h"

static size_t byte_at(const struct sql_inference *inference, int position)
{
    size_t low = 0, high = inference->length;
    while (low < high) { /* the first byte before which there are so many characters */
        size_t middle = low + (high - low) / 2;
        if (inference->characters[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sql_infer(const struct sql_inference *inference, int position, enum sql_type type)
{
    size_t at = position >= 0 ? byte_at(inference, position) : inference->length, number = 0;
    if (at >= inference->length || inference->text[at] != '$')
        return;
    for (at++; at < inference->length && inference->text[at] >= '0' && inference->text[at] <= '9' &&
               number <= inference->count;
         at++)
        number = 10 * number + (size_t)(inference->text[at] - '0');
    if (number >= 1 && number <= inference->count && inference->types[number - 1] == SQL_UNKNOWN)
        inference->types[number - 1] = type;
}
