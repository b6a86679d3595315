#include "policy/value.h"

#include <string.h>

#include "policy/calendar.h"

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

int policy_decimals_of(const struct yaml_node *node)
{
    const char *point = node->kind == YAML_TEXT ? strchr(node->text, '.') : NULL;
    size_t digits = point == NULL ? 0 : strspn(point + 1, "0123456789");
    return digits > POLICY_MOST_SCALE ? POLICY_MOST_SCALE + 1 : (int)digits;
}

/* value * 10 + digit, away from zero on the side of the sign, so that -2^63 is read too. */
static bool add_digit(int64_t *value, bool negative, int digit)
{
    return !__builtin_mul_overflow(*value, (int64_t)10, value) &&
           !__builtin_add_overflow(*value, (int64_t)(negative ? -digit : digit), value);
}

/* "-12.5" as a whole number of units of 10^-scale; no exponent. */
static bool read_scaled(const char *text, int scale, int64_t *out)
{
    bool negative = *text == '-';
    int64_t value = 0;
    text += negative;
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++)
        if (!add_digit(&value, negative, *text - '0'))
            return false;
    if (*text == '.') {
        text++;
        if (scale == 0 || !is_digit(*text))
            return false;
        for (; is_digit(*text) && scale > 0; text++, scale--)
            if (!add_digit(&value, negative, *text - '0'))
                return false;
    }
    for (; scale > 0; scale--)
        if (!add_digit(&value, negative, 0))
            return false;
    if (*text != '\0')
        return false;
    *out = value;
    return true;
}

static bool read_real(const char *text, enum number_rounding rounding, double *out)
{
    double value = 0;
    if (number_parse(text, rounding, &value, NULL) != DITHER_OK)
        return false;
    *out = value + 0.0; /* -0 is 0 */
    return true;
}

static bool read_boolean(const char *text, int64_t *out)
{
    *out = strcmp(text, "true") == 0;
    return *out == 1 || strcmp(text, "false") == 0;
}

static const char *form_of(enum policy_type type)
{
    switch (type) {
    case POLICY_INTEGER:
        return "a whole number of 64 bits";
    case POLICY_REAL:
        return "a number";
    case POLICY_DECIMAL:
        return "a number such as -12.50, with no more decimals than scale says, and not too large for it";
    case POLICY_TEXT:
        return "a text";
    case POLICY_BOOLEAN:
        return "true or false";
    case POLICY_DATE:
        return "a day that exists, such as 2024-02-29";
    case POLICY_TIMESTAMP:
        return "a moment that exists, such as 2024-02-29 12:30:00";
    }
    return "";
}

/* A quoted "7" is a text: only texts, days and moments may be quoted. */
static bool may_be_quoted(enum policy_type type)
{
    return type == POLICY_TEXT || type == POLICY_DATE || type == POLICY_TIMESTAMP;
}

static bool read_as(const struct policy_column *column, const char *text, enum number_rounding rounding,
                    struct policy_value *out)
{
    switch (column->type) {
    case POLICY_INTEGER:
        return read_scaled(text, 0, &out->whole);
    case POLICY_REAL:
        return read_real(text, rounding, &out->real);
    case POLICY_DECIMAL:
        return read_scaled(text, column->scale, &out->whole);
    case POLICY_TEXT:
        return true;
    case POLICY_BOOLEAN:
        return read_boolean(text, &out->whole);
    case POLICY_DATE:
        return calendar_read_date(text, &out->whole);
    case POLICY_TIMESTAMP:
        return calendar_read_timestamp(text, &out->whole);
    }
    return false;
}

status policy_read_value(const struct policy_reader *reader, const struct yaml_node *node,
                         const char *subject, const struct policy_column *column,
                         enum number_rounding rounding, struct policy_value *out)
{
    struct policy_value value = {.text = node->text, .line = node->line};
    if (node->kind != YAML_TEXT || policy_is_empty(node) || (node->quoted && !may_be_quoted(column->type)) ||
        !read_as(column, node->text, rounding, &value))
        return policy_refuse(reader, node->line, "%s: \"%.60s\" is not %s", subject,
                             node->kind == YAML_TEXT ? node->text : "[...]", form_of(column->type));
    *out = value;
    return DITHER_OK;
}

int policy_compare_values(enum policy_type type, const struct policy_value *left,
                          const struct policy_value *right)
{
    if (type == POLICY_TEXT) {
        int order = strcmp(left->text, right->text);
        return (order > 0) - (order < 0);
    }
    if (type == POLICY_REAL)
        return (left->real > right->real) - (left->real < right->real);
    return (left->whole > right->whole) - (left->whole < right->whole);
}
