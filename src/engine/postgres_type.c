/* Which of PostgreSQL's types are which of Dither's. A cast that can fail for some value is a failure that tells about
 * a row, so only types of which every value fits are taken. */
#include <string.h>
#include <strings.h>

#include "engine/postgres_engine.h"

static bool is_base(const struct postgres_column *found, const char *name)
{
    return strcmp(found->base, name) == 0;
}

/* Digits that a whole number of the type can have before the point; 0: it is none. */
static int whole_digits(const struct postgres_column *found)
{
    return is_base(found, "int2") ? 5 : is_base(found, "int4") ? 10 : is_base(found, "int8") ? 19 : 0;
}

struct numeric {
    int precision, scale;
};

/* numeric(10, 2). Without precision it holds anything: false. Nor with a negative scale. */
static bool numeric_of(const struct postgres_column *found, struct numeric *out)
{
    int packed = found->modifier - 4;
    if (!is_base(found, "numeric") || packed < 0)
        return false;
    *out = (struct numeric){packed >> 16 & 0xffff, packed & 0x7ff};
    return out->scale <= out->precision;
}

bool postgres_type_fits(const struct postgres_column *found, const struct policy_column *declared)
{
    struct numeric numeric = {0};
    switch (declared->type) {
    case POLICY_INTEGER:
        return whole_digits(found) > 0;
    case POLICY_REAL:
        return whole_digits(found) > 0 || is_base(found, "float4") || is_base(found, "float8") ||
               (numeric_of(found, &numeric) && numeric.precision <= 300);
    case POLICY_DECIMAL:
        if (whole_digits(found) > 0)
            return whole_digits(found) + declared->scale <= 18;
        return numeric_of(found, &numeric) && numeric.scale <= declared->scale &&
               numeric.precision - numeric.scale + declared->scale <= 18;
    case POLICY_TEXT:
        return is_base(found, "text") || is_base(found, "varchar") || is_base(found, "uuid") ||
               is_base(found, "enum");
    case POLICY_BOOLEAN:
        return is_base(found, "bool");
    case POLICY_DATE:
        return is_base(found, "date");
    case POLICY_TIMESTAMP:
        return is_base(found, "timestamp");
    }
    return false;
}

bool postgres_type_is_exact(const struct postgres_column *found, const struct policy_column *declared)
{
    if (declared->type == POLICY_REAL && !is_base(found, "float4") && !is_base(found, "float8"))
        return false;
    return postgres_type_fits(found, declared);
}

bool postgres_type_to_declare(const struct postgres_column *found, struct policy_column *out)
{
    static const enum policy_type types[] = {POLICY_BOOLEAN,   POLICY_INTEGER, POLICY_DATE, POLICY_TEXT,
                                             POLICY_TIMESTAMP, POLICY_DECIMAL, POLICY_REAL};
    struct policy_column column = {.name = found->name, .nullable = true};
    struct numeric numeric = {0};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        column.type = types[i];
        column.scale = column.type == POLICY_DECIMAL && numeric_of(found, &numeric) ? numeric.scale : 0;
        if (column.scale <= POLICY_MOST_SCALE && postgres_type_fits(found, &column)) {
            *out = column;
            return true;
        }
    }
    return false;
}

const struct postgres_column *postgres_find_column(const struct postgres_table *table, const char *name)
{
    for (size_t i = 0; i < table->found_count; i++)
        if (strcmp(table->found[i].name, name) == 0)
            return &table->found[i];
    return NULL;
}
