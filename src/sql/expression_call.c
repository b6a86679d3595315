#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sql/expression_make.h"
#include "sql/function.h"
#include "sql/range.h"

enum { IMPOSSIBLE = 1000000 };

/* The type that a letter stands for; SQL_UNKNOWN for those that stand for many. */
static enum sql_type type_of_letter(char letter)
{
    switch (letter) {
    case 'b':
        return SQL_BOOLEAN;
    case 'i':
    case 'I':
        return SQL_INTEGER;
    case 'n':
        return SQL_DECIMAL;
    case 'r':
        return SQL_REAL;
    case 't':
    case 'T':
    case 'x':
        return SQL_TEXT;
    case 'd':
        return SQL_DATE;
    case 's':
        return SQL_TIMESTAMP;
    case 'v':
        return SQL_INTERVAL;
    default:
        return SQL_UNKNOWN;
    }
}

/* How far an argument is from what an overload takes: PostgreSQL prefers exact types, then the nearest number. */
static int cost_of(enum sql_type from, char letter)
{
    enum sql_type to = type_of_letter(letter);
    if (letter == 'x' || letter == 'a' || letter == 'c' || from == to)
        return 0;
    if (from == SQL_UNKNOWN)
        return to == SQL_TEXT ? 1 : 2;
    if (!expression_converts(from, to))
        return IMPOSSIBLE;
    return from == SQL_INTEGER && to == SQL_REAL ? 1 : 2;
}

static int total_cost(const struct sql_function *function, const enum sql_type *types, size_t count)
{
    int total = 0;
    for (size_t i = 0; i < count; i++) {
        int cost = cost_of(types[i], sql_function_letter(function, i));
        if (cost == IMPOSSIBLE)
            return IMPOSSIBLE;
        total += cost;
    }
    return total;
}

static const struct sql_function *cheapest(const char *name, const enum sql_type *types, size_t count,
                                           int *cost)
{
    const struct sql_function *best = NULL;
    *cost = IMPOSSIBLE;
    struct sql_function_walk walk = {0};
    for (const struct sql_function *entry; (entry = sql_function_next(&walk)) != NULL;) {
        if (strcmp(entry->name, name) != 0 || !sql_function_takes(entry, count))
            continue;
        int total = total_cost(entry, types, count);
        if (total < *cost) {
            *cost = total;
            best = entry;
        }
    }
    return best;
}

static const struct sql_function *resolve(const char *name, const struct sql_expression *const *arguments,
                                          size_t count)
{
    enum sql_type types[8];
    for (size_t i = 0; i < count && i < 8; i++)
        types[i] = arguments[i]->type;
    int cost = IMPOSSIBLE;
    if (count > 8) { /* only lists of one letter take so many */
        struct sql_function_walk walk = {0};
        for (const struct sql_function *entry; (entry = sql_function_next(&walk)) != NULL;)
            if (strcmp(entry->name, name) == 0 && sql_function_takes(entry, count))
                return entry;
        return NULL;
    }
    /* A quoted literal beside a typed operand is taken to be of that type first. */
    if (count == 2 && (types[0] == SQL_UNKNOWN) != (types[1] == SQL_UNKNOWN)) {
        enum sql_type known = types[0] == SQL_UNKNOWN ? types[1] : types[0];
        const struct sql_function *same = cheapest(name, (enum sql_type[]){known, known}, 2, &cost);
        if (same != NULL && cost == 0)
            return same;
    }
    return cheapest(name, types, count, &cost);
}

static bool is_operator(const char *name)
{
    return !isalpha((unsigned char)name[0]);
}

static bool has_name(const char *name)
{
    struct sql_function_walk walk = {0};
    for (const struct sql_function *entry; (entry = sql_function_next(&walk)) != NULL;)
        if (strcmp(entry->name, name) == 0)
            return true;
    return false;
}

/* In PostgreSQL's manner: which function of which types there is not. */
static status refuse_call(const char *name, const struct sql_expression *const *arguments, size_t count,
                          int position, error *why)
{
    char types[200] = "";
    size_t length = 0;
    for (size_t i = 0; i < count && length < sizeof types - 30; i++)
        length += (size_t)snprintf(types + length, sizeof types - length, "%s%s", i > 0 ? ", " : "",
                                   sql_type_name(arguments[i]->type));
    if (is_operator(name) && count == 2)
        return sql_refuse(why, position, "operator does not exist: %s %s %s",
                          sql_type_name(arguments[0]->type), name, sql_type_name(arguments[1]->type));
    if (is_operator(name))
        return sql_refuse(why, position, "operator does not exist: %s %s", name, types);
    if (has_name(name))
        return sql_refuse(why, position, "function %s(%s) does not exist; a cast may help", name, types);
    return sql_refuse(why, position, "function %s(%s) is not available in questions", name, types);
}

/* ---- Arguments to the types that the overload takes ---- */

/* Integers and decimals are compared as they are, whatever their scales. */
static bool stays_mixed(enum sql_type common, const struct sql_expression *argument)
{
    return common == SQL_DECIMAL && (argument->type == SQL_INTEGER || argument->type == SQL_DECIMAL);
}

static status many_type(struct sql_builder *builder, const struct sql_function *function,
                        const struct sql_expression *const *arguments, size_t count, int position,
                        enum sql_type *type, int *scale, error *why)
{
    void *memory = NULL;
    TRY(arena_take(builder->arena, (count + 1) * sizeof *arguments, &memory, why));
    const struct sql_expression **list = memory;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        char letter = sql_function_letter(function, i);
        if (letter == 'a' || letter == 'c' || letter == 'n')
            list[found++] = arguments[i];
    }
    *type = SQL_UNKNOWN;
    *scale = 0;
    if (found == 0)
        return DITHER_OK;
    char what[80];
    snprintf(what, sizeof what, "%s", function->name);
    for (char *c = what; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    TRY(expression_common_type(list, found, 1, what, position, type, scale, why));
    if (*type == SQL_INTERVAL)
        return sql_refuse(why, position,
                          "intervals cannot be compared or chosen here; compare extract(epoch from ...)");
    return DITHER_OK;
}

static status bring(struct sql_builder *builder, const struct sql_function *function, size_t index,
                    enum sql_type many, int scale, const struct sql_expression *argument,
                    const struct sql_expression **out, error *why)
{
    char letter = sql_function_letter(function, index);
    if ((letter == 'T' || letter == 'I') && (argument->kind != SQL_LITERAL || argument->value.null))
        return sql_refuse(why, argument->position, "argument %zu of %s must be a constant", index + 1,
                          function->name);
    if (letter == 'c' && stays_mixed(many, argument)) {
        *out = argument;
        return DITHER_OK;
    }
    if (letter == 'a' || letter == 'c' || letter == 'n')
        return sql_cast(builder, argument, letter == 'n' ? SQL_DECIMAL : many, scale, argument->position, out,
                        why);
    return sql_cast(builder, argument, type_of_letter(letter), 0, argument->position, out, why);
}

/* ---- The node ---- */

static bool is_nullable(const struct sql_function *function, const struct sql_expression *node, bool fails)
{
    bool any = false, all = true;
    for (size_t i = 0; i < node->argument_count; i++) {
        any |= node->arguments[i]->nullable;
        all &= node->arguments[i]->nullable;
    }
    switch (function->nulls) {
    case SQL_NULLS_STRICT:
    case SQL_NULLS_LOOSE:
        return any || fails;
    case SQL_NULLS_ALL:
        return all;
    case SQL_NULLS_NEVER:
        return false;
    case SQL_NULLS_ALWAYS:
        break;
    }
    return true;
}

static void set_result(const struct sql_function *function, enum sql_type many, int scale,
                       struct sql_expression *node)
{
    node->type = type_of_letter(function->result);
    if (function->result == 'a' || function->result == 'n') {
        node->type = many;
        node->scale = scale;
    }
    if (function->result == '1') {
        node->type = node->arguments[0]->type;
        node->scale = node->arguments[0]->scale;
    }
}

static status build(struct sql_builder *builder, const struct sql_function *function,
                    const struct sql_expression *const *arguments, size_t count, int position,
                    const struct sql_expression **out, error *why)
{
    enum sql_type many = SQL_UNKNOWN;
    int scale = 0;
    TRY(many_type(builder, function, arguments, count, position, &many, &scale, why));
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    void *memory = NULL;
    TRY(arena_take(builder->arena, (count + 1) * sizeof *arguments, &memory, why));
    const struct sql_expression **brought = memory;
    for (size_t i = 0; i < count; i++)
        TRY(bring(builder, function, i, many, scale, arguments[i], &brought[i], why));
    if (function->check != NULL)
        TRY(function->check(brought, count, position, why));
    node->kind = SQL_CALL;
    node->function = function;
    node->arguments = brought;
    node->argument_count = count;
    TRY(expression_measure(node, why));
    set_result(function, many, scale, node);
    struct sql_outcome outcome = {.fails = function->fails};
    if (function->range != NULL)
        function->range(brought, count, &outcome);
    else if (node->type == SQL_BOOLEAN)
        outcome.range = range_whole(0, 1);
    node->range = outcome.range;
    node->nullable = is_nullable(function, node, outcome.fails);
    *out = node;
    return DITHER_OK;
}

/* -5 is a literal. */
static bool fold_negative(const char *name, const struct sql_expression *const *arguments, size_t count,
                          struct sql_value *value)
{
    if (count != 1 || strcmp(name, "-") != 0 || arguments[0]->kind != SQL_LITERAL || arguments[0]->value.null)
        return false;
    *value = arguments[0]->value;
    if (value->type == SQL_REAL)
        value->real = -value->real;
    else if ((value->type == SQL_INTEGER || value->type == SQL_DECIMAL) && value->whole != INT64_MIN)
        value->whole = -value->whole;
    else
        return false;
    return true;
}

status sql_call(struct sql_builder *builder, const char *name, const struct sql_expression *const *arguments,
                size_t count, int position, const struct sql_expression **out, error *why)
{
    struct sql_value negative;
    if (fold_negative(name, arguments, count, &negative))
        return sql_literal(builder, &negative, position, out, why);
    const struct sql_function *function = resolve(name, arguments, count);
    if (function == NULL)
        return refuse_call(name, arguments, count, position, why);
    return build(builder, function, arguments, count, position, out, why);
}
