#include "serve/wire.h"

#include <string.h>

#include "base/utf8.h"

enum {
    PROTOCOL_MAJOR = 3,
    CANCEL_CODE = 80877102, /* in the place of a version: 1234 in the upper half, and 5678, 5679, 5680 */
    TLS_CODE = 80877103,
    GSS_CODE = 80877104,
    LEAST_OPENING = 8, /* length and version */
    CANCEL_BYTES = 16,
};

/* A text closed by a NUL, where it lies. */
static bool read_text(struct cursor *body, const char **out)
{
    const unsigned char *text = NULL;
    size_t length = 0;
    if (!cursor_until(body, '\0', &text, &length) || !utf8_valid((const char *)text, length))
        return false;
    *out = (const char *)text;
    return true;
}

/* A stretch of `count` things of `size` bytes, as a cursor of its own. */
static bool read_stretch(struct cursor *body, size_t count, size_t size, struct cursor *out)
{
    const unsigned char *bytes = NULL;
    if (!cursor_take(body, count * size, &bytes))
        return false;
    *out = cursor_over(bytes, count * size);
    return true;
}

/* ---- The first packet ---- */

/* Names with values, each closed by a NUL, and one more NUL behind them. */
static bool check_parameters(struct cursor parameters)
{
    for (size_t count = 0; count <= WIRE_MOST_STARTUP_PARAMETERS; count++) {
        const char *name = NULL, *value = NULL;
        if (cursor_match(&parameters, '\0'))
            return cursor_left(&parameters) == 0;
        if (!read_text(&parameters, &name) || !read_text(&parameters, &value))
            return false;
    }
    return false;
}

static bool read_code(uint32_t code, struct cursor body, struct wire_opening *out, error *why)
{
    struct wire_opening opening = {.kind = WIRE_STARTUP};
    bool right = false;
    if (code == CANCEL_CODE) {
        opening.kind = WIRE_CANCEL_REQUEST;
        right = cursor_uint32(&body, &opening.process) && cursor_uint32(&body, &opening.secret) &&
                cursor_left(&body) == 0;
    } else if (code == TLS_CODE || code == GSS_CODE) {
        opening.kind = code == TLS_CODE ? WIRE_TLS_REQUEST : WIRE_GSS_REQUEST;
        right = cursor_left(&body) == 0;
    } else if (code >> 16 == PROTOCOL_MAJOR) {
        opening.minor = (uint16_t)(code & 0xffff);
        opening.parameters = body;
        right = check_parameters(body);
    } else {
        (void)fail(why, DITHER_INVALID, "protocol %u.%u is not spoken here: version 3 is", code >> 16,
                   code & 0xffff);
        return false;
    }
    if (right)
        *out = opening;
    else
        (void)fail(why, DITHER_INVALID, "the start-up packet is not well-formed");
    return right;
}

enum wire_verdict wire_read_opening(const void *bytes, size_t count, struct wire_opening *out, size_t *used,
                                    error *why)
{
    struct cursor cursor = cursor_over(bytes, count), body;
    uint32_t length = 0, code = 0;
    if (!cursor_uint32(&cursor, &length))
        return WIRE_MORE;
    if (length < LEAST_OPENING || length > WIRE_OPENING_BYTES) {
        (void)fail(why, DITHER_INVALID, "the length of the start-up packet is not possible");
        return WIRE_BROKEN;
    }
    if (!read_stretch(&cursor, length - 4, 1, &body))
        return WIRE_MORE;
    if (!cursor_uint32(&body, &code) || !read_code(code, body, out, why))
        return WIRE_BROKEN;
    *used = length;
    return WIRE_DONE;
}

bool wire_next_parameter(struct cursor *parameters, const char **name, const char **value)
{
    return !cursor_match(parameters, '\0') && read_text(parameters, name) && read_text(parameters, value);
}

/* ---- The bodies ---- */

static bool read_parse(struct cursor *body, struct wire_message *out)
{
    return read_text(body, &out->as.parse.statement) && read_text(body, &out->as.parse.query) &&
           cursor_uint16(body, &out->as.parse.type_count) &&
           read_stretch(body, out->as.parse.type_count, 4, &out->as.parse.types);
}

static bool read_formats(struct cursor *body, struct wire_formats *out)
{
    if (!cursor_uint16(body, &out->count) || !read_stretch(body, out->count, 2, &out->codes))
        return false;
    struct cursor codes = out->codes;
    uint16_t code = 0;
    while (cursor_uint16(&codes, &code))
        if (code != WIRE_TEXT && code != WIRE_BINARY)
            return false;
    return true;
}

enum wire_format wire_format_at(const struct wire_formats *formats, size_t index)
{
    struct cursor codes = formats->codes;
    const unsigned char *skipped = NULL;
    uint16_t code = WIRE_TEXT;
    if (formats->count > 1)
        (void)cursor_take(&codes, 2 * index, &skipped);
    return cursor_uint16(&codes, &code) && code == WIRE_BINARY ? WIRE_BINARY : WIRE_TEXT;
}

bool wire_next_value(struct cursor *values, struct wire_value *out)
{
    uint32_t size = 0;
    struct wire_value value = {0};
    if (!cursor_uint32(values, &size))
        return false;
    value.null = size == UINT32_MAX;
    value.size = value.null ? 0 : size;
    if (!cursor_take(values, value.size, &value.bytes))
        return false;
    *out = value;
    return true;
}

static bool read_values(struct cursor *body, uint16_t count, struct cursor *out)
{
    struct cursor values = *body;
    struct wire_value value;
    for (uint16_t i = 0; i < count; i++)
        if (!wire_next_value(body, &value))
            return false;
    *out = (struct cursor){values.next, body->next};
    return true;
}

/* No format, one for all, or one for each; that the results' agree is seen when there are any. */
static bool read_bind(struct cursor *body, struct wire_message *out)
{
    const uint16_t *formats = &out->as.bind.parameter_formats.count, *values = &out->as.bind.value_count;
    return read_text(body, &out->as.bind.portal) && read_text(body, &out->as.bind.statement) &&
           read_formats(body, &out->as.bind.parameter_formats) &&
           cursor_uint16(body, &out->as.bind.value_count) && (*formats <= 1 || *formats == *values) &&
           read_values(body, *values, &out->as.bind.values) &&
           read_formats(body, &out->as.bind.result_formats);
}

static bool read_object(struct cursor *body, struct wire_message *out)
{
    unsigned char what = 0;
    if (!cursor_byte(body, &what) || (what != 'S' && what != 'P'))
        return false;
    out->as.object.portal = what == 'P';
    return read_text(body, &out->as.object.name);
}

static bool read_execute(struct cursor *body, struct wire_message *out)
{
    return read_text(body, &out->as.execute.portal) && cursor_uint32(body, &out->as.execute.rows) &&
           out->as.execute.rows <= INT32_MAX;
}

/* What is not looked into: it is refused whatever it holds. */
static bool skip_body(struct cursor *body)
{
    const unsigned char *skipped = NULL;
    return cursor_take(body, cursor_left(body), &skipped);
}

static bool read_body(struct cursor *body, struct wire_message *out)
{
    switch (out->kind) {
    case WIRE_QUERY:
        return read_text(body, &out->as.query);
    case WIRE_PARSE:
        return read_parse(body, out);
    case WIRE_BIND:
        return read_bind(body, out);
    case WIRE_DESCRIBE:
    case WIRE_CLOSE:
        return read_object(body, out);
    case WIRE_EXECUTE:
        return read_execute(body, out);
    case WIRE_PASSWORD:
        out->as.sign_in = *body;
        return skip_body(body);
    case WIRE_COPY_DATA:
    case WIRE_COPY_FAIL:
    case WIRE_FUNCTION_CALL:
        return skip_body(body);
    case WIRE_COPY_DONE:
    case WIRE_FLUSH:
    case WIRE_SYNC:
    case WIRE_TERMINATE:
        return true;
    }
    return false;
}

static bool is_kind(unsigned char byte)
{
    return byte != '\0' && strchr("BCDEFHPQSXcdfp", byte) != NULL;
}

enum wire_verdict wire_read_message(const void *bytes, size_t count, size_t limit, struct wire_message *out,
                                    size_t *used, error *why)
{
    struct cursor cursor = cursor_over(bytes, count), body;
    unsigned char kind = 0;
    uint32_t length = 0;
    if (!cursor_byte(&cursor, &kind))
        return WIRE_MORE;
    if (!is_kind(kind)) {
        (void)fail(why, DITHER_INVALID, "a message of kind %u is not known", kind);
        return WIRE_BROKEN;
    }
    if (!cursor_uint32(&cursor, &length))
        return WIRE_MORE;
    if (length < 4 || length > limit) {
        (void)fail(why, DITHER_INVALID, "a message of %u bytes is refused: at most %zu are taken", length,
                   limit);
        return WIRE_BROKEN;
    }
    if (!read_stretch(&cursor, length - 4, 1, &body))
        return WIRE_MORE;
    struct wire_message message = {.kind = (enum wire_kind)kind};
    if (!read_body(&body, &message) || cursor_left(&body) > 0) {
        (void)fail(why, DITHER_INVALID, "a message of kind '%c' is not well-formed", kind);
        return WIRE_BROKEN;
    }
    *out = message;
    *used = (size_t)length + 1;
    return WIRE_DONE;
}

/* ---- Sign-in ---- */

bool wire_read_sasl_first(struct cursor body, struct wire_sasl_first *out)
{
    struct wire_sasl_first first = {0};
    struct wire_value response = {0};
    if (!read_text(&body, &first.mechanism) || !wire_next_value(&body, &response) || cursor_left(&body) > 0)
        return false;
    first.given = !response.null;
    first.response = response.bytes;
    first.size = response.size;
    *out = first;
    return true;
}
