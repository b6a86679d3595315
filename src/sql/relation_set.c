/* UNION ALL, the other set operations, ORDER BY and LIMIT. */
#include "sql/relation_make.h"

#include <string.h>

static const char *set_name(enum sql_set_kind kind)
{
    switch (kind) {
    case SQL_UNION:
        return "UNION";
    case SQL_INTERSECT:
    case SQL_INTERSECT_ALL:
        return "INTERSECT";
    case SQL_EXCEPT:
    case SQL_EXCEPT_ALL:
        return "EXCEPT";
    }
    return "a set operation";
}

/* ---- Both sides get the same visible columns, in number and type ---- */

/* A column of a side that the result has: those that can be seen; with `helpers` the hidden ones too, but for
 * the tag, which comes last in any case. */
static bool is_kept(const struct sql_relation *side, size_t column, bool helpers)
{
    return !side->columns[column].hidden || (helpers && !(side->place == SQL_TAGGED && column == side->tag));
}

static size_t kept_count(const struct sql_relation *relation, bool helpers)
{
    size_t count = 0;
    for (size_t i = 0; i < relation->column_count; i++)
        count += is_kept(relation, i, helpers);
    return count;
}

/* Whether both sides have the same helpers in the same places: the parts of GROUPING SETS do. */
static bool have_same_helpers(const struct sql_relation *left, const struct sql_relation *right)
{
    bool same = left->column_count == right->column_count;
    for (size_t i = 0; same && i < left->column_count; i++) {
        const struct sql_column *a = &left->columns[i], *b = &right->columns[i];
        same = a->hidden == b->hidden && is_kept(left, i, true) == is_kept(right, i, true) &&
               (!a->hidden || (strcmp(a->name, b->name) == 0 && a->type == b->type && a->scale == b->scale));
    }
    return same;
}

static bool is_number(enum sql_type type)
{
    return type == SQL_INTEGER || type == SQL_DECIMAL || type == SQL_REAL;
}

/* PostgreSQL's rule for the lists known here: unknown gives way, numbers widen, a date becomes a timestamp. */
static bool common_type(const struct sql_column *a, const struct sql_column *b, enum sql_type *type,
                        int *scale)
{
    *type = a->type == SQL_UNKNOWN ? b->type : a->type;
    *scale = a->type == SQL_UNKNOWN ? b->scale : a->scale;
    if (*type == SQL_UNKNOWN)
        *type = SQL_TEXT;
    if (a->type == SQL_UNKNOWN || b->type == SQL_UNKNOWN)
        return true;
    if (is_number(a->type) && is_number(b->type)) {
        *type = a->type > b->type ? a->type : b->type; /* integer, decimal, real stand in this order */
        *scale = *type != SQL_DECIMAL ? 0 : a->scale > b->scale ? a->scale : b->scale;
        return true;
    }
    if ((a->type == SQL_DATE && b->type == SQL_TIMESTAMP) ||
        (a->type == SQL_TIMESTAMP && b->type == SQL_DATE)) {
        *type = SQL_TIMESTAMP;
        return true;
    }
    return a->type == b->type;
}

struct common_types {
    enum sql_type *types;
    int *scales;
    size_t count;
    bool helpers;
};

static status unify(struct sql_builder *builder, const struct sql_relation *left,
                    const struct sql_relation *right, const char *what, int position,
                    struct common_types *out, error *why)
{
    size_t count = kept_count(left, out->helpers), at = 0, other = 0;
    if (count != kept_count(right, out->helpers))
        return sql_refuse(why, position, "each %s query must have the same number of columns", what);
    TRY(relation_take(builder, count, sizeof *out->types, &out->types, why));
    TRY(relation_take(builder, count, sizeof *out->scales, &out->scales, why));
    out->count = count;
    for (size_t i = 0; i < count; i++, at++, other++) {
        while (!is_kept(left, at, out->helpers))
            at++;
        while (!is_kept(right, other, out->helpers))
            other++;
        if (!common_type(&left->columns[at], &right->columns[other], &out->types[i], &out->scales[i]))
            return sql_refuse(why, position, "%s types %s and %s cannot be matched", what,
                              sql_type_name(left->columns[at].type),
                              sql_type_name(right->columns[other].type));
    }
    return DITHER_OK;
}

static bool is_untyped(const struct sql_relation *side, size_t column)
{
    return side->kind == SQL_PROJECT && side->columns[column].type == SQL_UNKNOWN &&
           side->expressions[column]->kind == SQL_LITERAL;
}

/* A bare NULL or quoted literal of a select list gets the type that the other side decided. */
static status type_literals(struct sql_builder *builder, const struct common_types *common, int position,
                            const struct sql_relation **side, error *why)
{
    const struct sql_relation *before = *side;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL, any = false;
    size_t at = 0, count = before->column_count;
    TRY(relation_take(builder, count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, count, sizeof *names, &names, why));
    TRY(relation_take(builder, count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; before->kind == SQL_PROJECT && i < count; i++) {
        expressions[i] = before->expressions[i];
        names[i] = before->columns[i].name;
        hidden[i] = before->columns[i].hidden;
        any = any || is_untyped(before, i);
        if (is_untyped(before, i) && is_kept(before, i, common->helpers))
            TRY(sql_cast(builder, expressions[i], common->types[at], common->scales[at], position,
                         &expressions[i], why));
        at += is_kept(before, i, common->helpers);
    }
    if (!any)
        return DITHER_OK;
    return sql_project(builder, before->input, expressions, names, hidden, count, before->position, side,
                       why);
}

/* The columns in the common types, then, of a tagged relation, its tag: always the last column. */
static status bring_to(struct sql_builder *builder, const struct sql_relation *side,
                       const struct common_types *common, int position, const struct sql_relation **out,
                       error *why)
{
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL;
    size_t count = 0;
    TRY(type_literals(builder, common, position, &side, why));
    TRY(relation_take(builder, side->column_count + 1, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, side->column_count + 1, sizeof *names, &names, why));
    TRY(relation_take(builder, side->column_count + 1, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < side->column_count; i++) {
        if (!is_kept(side, i, common->helpers))
            continue;
        hidden[count] = side->columns[i].hidden;
        TRY(sql_column_of(builder, side, i, position, &expressions[count], why));
        TRY(sql_cast(builder, expressions[count], common->types[count], common->scales[count], position,
                     &expressions[count], why));
        names[count++] = side->columns[i].name;
    }
    if (side->place == SQL_TAGGED) {
        TRY(sql_column_of(builder, side, side->tag, position, &expressions[count], why));
        names[count] = "tag";
        hidden[count++] = true;
    }
    const struct sql_relation *made = NULL;
    struct sql_relation *own = NULL;
    TRY(sql_project(builder, side, expressions, names, hidden, count, position, &made, why));
    TRY(relation_take(builder, 1, sizeof *own, &own, why));
    *own = *made;
    if (side->place == SQL_TAGGED)
        own->tag = count - 1; /* though the unit may stand in an earlier column as well */
    *out = own;
    return DITHER_OK;
}

static void join_ranges(struct sql_range *range, const struct sql_range *other)
{
    range->known = range->known && other->known;
    range->lower = other->lower < range->lower ? other->lower : range->lower;
    range->upper = other->upper > range->upper ? other->upper : range->upper;
    range->real_lower = other->real_lower < range->real_lower ? other->real_lower : range->real_lower;
    range->real_upper = other->real_upper > range->real_upper ? other->real_upper : range->real_upper;
}

/* The columns of a relation that has rows of both sides. A column is the unit when it is on both sides; it is
 * not the same on all rows of a unit any more, but for the unit itself. */
static void merge_columns(struct sql_column *columns, const struct sql_relation *right, size_t tag,
                          bool tagged)
{
    for (size_t i = 0; i < right->column_count; i++) {
        columns[i].nullable = columns[i].nullable || right->columns[i].nullable;
        columns[i].noisy = columns[i].noisy || right->columns[i].noisy;
        columns[i].unit = (columns[i].unit && right->columns[i].unit) || (tagged && i == tag);
        columns[i].fixed = columns[i].unit;
        join_ranges(&columns[i].range, &right->columns[i].range);
    }
}

static status make_both(struct sql_builder *builder, enum sql_relation_kind kind, const char *what,
                        const struct sql_relation *left, const struct sql_relation *right, int position,
                        struct sql_relation **out, struct sql_column **columns, error *why)
{
    struct common_types common = {.helpers = kind == SQL_APPEND && have_same_helpers(left, right)};
    struct sql_relation *relation = NULL;
    TRY(unify(builder, left, right, what, position, &common, why));
    TRY(bring_to(builder, left, &common, position, &left, why));
    TRY(bring_to(builder, right, &common, position, &right, why));
    TRY(relation_over(builder, kind, left, position, &relation, columns, why));
    TRY(relation_add_right(relation, right, why));
    if (right->place == SQL_RELEASED)
        relation->place = SQL_RELEASED;
    merge_columns(*columns, right, left->tag, left->place == SQL_TAGGED);
    *out = relation;
    return DITHER_OK;
}

/* Each row of either side keeps its tag, and depends on its unit alone; so do all rows together when "unit"
 * means the same on both sides. A unit may have rows on both: nothing is left of one row for each. */
status sql_append(struct sql_builder *builder, const struct sql_relation *left,
                  const struct sql_relation *right, int position, const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    bool tagged = left->place == SQL_TAGGED;
    if (tagged != (right->place == SQL_TAGGED))
        return sql_refuse(why, position,
                          "UNION ALL of private rows with rows that are not private: aggregate the private "
                          "side first, and append its result");
    if (tagged)
        TRY(relation_same_kind(left, right, position, "UNION ALL", why));
    TRY(make_both(builder, SQL_APPEND, "UNION", left, right, position, &relation, &columns, why));
    relation->one_row = false;
    if (tagged) {
        uint64_t rows = left->max_rows + right->max_rows;
        relation->max_rows = rows > POLICY_MOST_ROWS ? POLICY_MOST_ROWS : rows;
        if (right->max_groups > relation->max_groups)
            relation->max_groups = right->max_groups;
        if (right->multiplied > relation->multiplied)
            relation->multiplied = right->multiplied;
    }
    *out = relation;
    return DITHER_OK;
}

status sql_set(struct sql_builder *builder, enum sql_set_kind kind, const struct sql_relation *left,
               const struct sql_relation *right, int position, const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    if (left->place == SQL_TAGGED || right->place == SQL_TAGGED)
        return sql_refuse(
            why, position, "%s of private rows would compare rows of different units: %s", set_name(kind),
            kind == SQL_UNION ? "use UNION ALL"
                              : "use IN, EXISTS or their negations along the unit, or aggregate "
                                "each side first");
    TRY(make_both(builder, SQL_SET, set_name(kind), left, right, position, &relation, &columns, why));
    relation->set = kind;
    *out = relation;
    return DITHER_OK;
}

/* The order of a tagged relation means nothing to what is made of it, and is dropped. */
status sql_sort(struct sql_builder *builder, const struct sql_relation *input, const struct sql_order *order,
                size_t count, int position, const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    if (input->place == SQL_TAGGED) {
        *out = input;
        return DITHER_OK;
    }
    TRY(relation_over(builder, SQL_SORT, input, position, &relation, &columns, why));
    relation->order = order;
    relation->order_count = count;
    for (size_t i = 0; i < count; i++)
        relation_mark_released(relation, order[i].expression);
    *out = relation;
    return DITHER_OK;
}

/* Which rows are left of a tagged relation would depend on everybody's rows. */
status sql_limit(struct sql_builder *builder, const struct sql_relation *input,
                 const struct sql_expression *limit, const struct sql_expression *offset, int position,
                 const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    if (input->place == SQL_TAGGED)
        return sql_refuse(
            why, position,
            "LIMIT and OFFSET before aggregation would choose among private rows: aggregate first, or "
            "number each unit's own rows with row_number() OVER (PARTITION BY the unit ...)");
    TRY(relation_over(builder, SQL_LIMIT, input, position, &relation, &columns, why));
    relation->limit = limit;
    relation->offset = offset;
    *out = relation;
    return DITHER_OK;
}
