/* Where an aggregate clamps, and which rows it looks at. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "sql/print.h"
#include "sql/release_room.h"

enum { TEXT_BYTES = 80, COLUMNS_BYTES = 120, BUFFER_BYTES = 4096 };

/* The argument for a message, shortened. */
static void describe(const struct release_draft *draft, const struct sql_expression *argument,
                     char text[TEXT_BYTES])
{
    struct buffer buffer;
    buffer_init(&buffer, BUFFER_BYTES);
    sql_describe_expression(&buffer, draft->request->input, argument);
    bool whole = !buffer.failed && buffer.length > 0 && buffer.length < TEXT_BYTES;
    snprintf(text, TEXT_BYTES, "%s", whole ? buffer.data : "x");
    buffer_free(&buffer);
}

/* The columns of tables without a range that the argument is made of: "visits.bonus, visits.fee". */
struct culprits {
    const struct sql_relation *input;
    char text[COLUMNS_BYTES];
};

static void name_culprit(void *context, size_t column)
{
    struct culprits *culprits = context;
    struct sql_origin origin = {0};
    if (column >= culprits->input->column_count || culprits->input->columns[column].range.known ||
        !sql_trace(culprits->input, column, &origin) || origin.scan->kind != SQL_SCAN ||
        origin.column >= origin.scan->table->column_count ||
        origin.scan->table->columns[origin.column].type == POLICY_TEXT) /* which cannot have one */
        return;
    size_t used = strlen(culprits->text);
    snprintf(culprits->text + used, sizeof culprits->text - used, "%s%s.%s", used > 0 ? ", " : "",
             origin.scan->table->declared->name, origin.scan->table->columns[origin.column].name);
}

static status refuse_unbounded(struct release_draft *draft, const struct release_part *part,
                               const struct sql_expression *argument, error *why)
{
    const struct bind_call *call = part->call;
    char text[TEXT_BYTES], bounds[TEXT_BYTES * 2 + 64] = "";
    describe(draft, argument, text);
    struct culprits culprits = {.input = draft->request->input, .text = ""};
    sql_visit_columns(argument, name_culprit, &culprits);
    bool plain_number = argument->type != SQL_DATE && argument->type != SQL_TIMESTAMP;
    if (plain_number && part->form != RELEASE_PAIR && call->within == NULL)
        snprintf(bounds, sizeof bounds, "%s(%s, contribution_bounds_per_group => (0, 1000)) or ", call->name,
                 text);
    bool declare = culprits.text[0] != '\0';
    return sql_refuse(why, call->position, "%s(%s) has no bounds: %s%s%swrite %sgreatest(least(%s, %s), %s)",
                      call->name, text, declare ? "declare `range:` of " : "", culprits.text,
                      declare ? " in the policy, or " : "", bounds, text,
                      plain_number ? "1000" : "date '2030-12-31'", plain_number ? "0" : "date '2020-01-01'");
}

/* The analyst's bounds in the argument's own units. */
static status read_bounds(const struct bind_call *call, const struct sql_expression *argument, double lower,
                          double upper, struct sql_range *out, error *why)
{
    if (!isfinite(lower) || !isfinite(upper) || lower > upper)
        return sql_refuse(why, call->position, "contribution_bounds_per_group: the lower bound comes first");
    double factor = argument->type == SQL_DECIMAL ? pow(10, argument->scale) : 1;
    bool whole = argument->type == SQL_INTEGER || argument->type == SQL_DECIMAL;
    if (!whole && argument->type != SQL_REAL)
        return sql_refuse(why, call->position,
                          "contribution_bounds_per_group is for numbers: write greatest(least(...)) instead");
    if (whole && fmax(fabs(lower), fabs(upper)) * factor > ldexp(1, 62))
        return sql_refuse(why, call->position, "contribution_bounds_per_group: too wide");
    *out = (struct sql_range){.known = true, .real_lower = lower, .real_upper = upper};
    if (argument->type == SQL_INTEGER) {
        out->lower = (int64_t)ceil(lower);
        out->upper = (int64_t)floor(upper);
    } else if (argument->type == SQL_DECIMAL) {
        out->lower = (int64_t)nearbyint(lower * factor);
        out->upper = (int64_t)nearbyint(upper * factor);
    }
    return DITHER_OK;
}

static bool is_usable(const struct sql_expression *argument, const struct sql_range *range)
{
    if (!range->known)
        return false;
    if (argument->type == SQL_REAL)
        return isfinite(range->real_lower) && isfinite(range->real_upper) &&
               range->real_lower <= range->real_upper;
    return range->lower <= range->upper;
}

static struct sql_range intersect(const struct sql_range *a, const struct sql_range *b)
{
    return (struct sql_range){.known = true,
                              .lower = a->lower > b->lower ? a->lower : b->lower,
                              .upper = a->upper < b->upper ? a->upper : b->upper,
                              .real_lower = fmax(a->real_lower, b->real_lower),
                              .real_upper = fmin(a->real_upper, b->real_upper)};
}

status release_find_range(struct release_draft *draft, struct release_part *part,
                          const struct sql_expression *argument, struct sql_range *out, error *why)
{
    const struct bind_call *call = part->call;
    bool usable = is_usable(argument, &argument->range);
    /* The bounds of a sum are those of a unit's sum. They bound a value only where nothing else does. With DISTINCT
     * a value counts once whoever has it: there is no unit's sum, and the bounds are the value's. */
    bool of_unit = part->form == RELEASE_SUM && !call->distinct;
    if (!call->has_bounds || (usable && of_unit)) {
        if (!usable)
            return refuse_unbounded(draft, part, argument, why);
        *out = argument->range;
        return DITHER_OK;
    }
    if (part->form == RELEASE_PAIR)
        return sql_refuse(why, call->position,
                          "contribution_bounds_per_group is for one argument: write greatest(least(...)) "
                          "around each");
    struct sql_range bounds = {0};
    double lower = of_unit ? fmin(0, call->bound_lower) : call->bound_lower;
    double upper = of_unit ? fmax(0, call->bound_upper) : call->bound_upper;
    TRY(read_bounds(call, argument, lower, upper, &bounds, why));
    if (usable)
        bounds = intersect(&bounds, &argument->range);
    if (!is_usable(argument, &bounds))
        return sql_refuse(why, call->position,
                          "contribution_bounds_per_group: no value lies within them and the declared range");
    *out = bounds;
    return DITHER_OK;
}

/* `whole` AND `part`, where `whole` may be none yet. */
static status also(struct release_draft *draft, const struct sql_expression *part, int position,
                   const struct sql_expression **whole, error *why)
{
    if (*whole == NULL) {
        *whole = part;
        return DITHER_OK;
    }
    return sql_call2(&draft->binder->builder, "and", *whole, part, position, whole, why);
}

status release_make_filter(struct release_draft *draft, const struct bind_call *call,
                           const struct sql_expression *argument, const struct sql_expression *second,
                           const struct sql_expression **out, error *why)
{
    const struct sql_expression *filter = call->filter;
    const struct sql_expression *arguments[] = {argument, second};
    for (size_t i = 0; i < 2; i++) {
        if (arguments[i] == NULL || !arguments[i]->nullable ||
            (i == 1 && sql_same_expression(arguments[0], arguments[1])))
            continue;
        const struct sql_expression *there = NULL;
        TRY(sql_call(&draft->binder->builder, "is not null", &arguments[i], 1, call->position, &there, why));
        TRY(also(draft, there, call->position, &filter, why));
    }
    *out = filter;
    return DITHER_OK;
}
