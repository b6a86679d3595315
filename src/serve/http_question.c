#include "serve/http_question.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

static const char *const knobs[] = {"epsilon",    "delta",      "rho",      "error", "size",
                                    "confidence", "max_groups", "max_rows", "other", "non_negative"};

/* ---- Settings ---- */

static status print_value(const char *key, const json_t *value, char text[SETTINGS_VALUE_BYTES], error *why)
{
    char number[NUMBER_TEXT];
    if (json_is_string(value) && json_string_length(value) < SETTINGS_VALUE_BYTES) {
        snprintf(text, SETTINGS_VALUE_BYTES, "%s", json_string_value(value));
    } else if (json_is_integer(value)) {
        snprintf(text, SETTINGS_VALUE_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        number_print_exact(json_real_value(value), number);
        snprintf(text, SETTINGS_VALUE_BYTES, "%s", number);
    } else if (json_is_boolean(value)) {
        snprintf(text, SETTINGS_VALUE_BYTES, "%s", json_is_true(value) ? "on" : "off");
    } else {
        return fail(why, DITHER_INVALID, "\"%s\" is not a value for it", key);
    }
    return DITHER_OK;
}

/* The message of a setting is about dither.NAME; here it is NAME. */
static status set_knob(struct http_question *question, const char *key, const json_t *value, error *why)
{
    char name[64], text[SETTINGS_VALUE_BYTES];
    error inner;
    if (json_is_null(value))
        return DITHER_OK;
    TRY(print_value(key, value, text, why));
    snprintf(name, sizeof name, "dither.%s", key);
    if (settings_set(&question->settings, name, text, &inner) == DITHER_OK)
        return DITHER_OK;
    const char *message = inner.message;
    if (strncmp(message, "dither.", strlen("dither.")) == 0)
        message += strlen("dither.");
    return fail(why, DITHER_INVALID, "%.300s", message);
}

static bool is_knob(const char *key)
{
    for (size_t i = 0; i < sizeof knobs / sizeof knobs[0]; i++)
        if (strcmp(knobs[i], key) == 0)
            return true;
    return false;
}

/* ---- Parameters ---- */

static status read_parameter(struct http_question *question, const json_t *value, struct sql_value *out,
                             error *why)
{
    char *copy = NULL;
    switch (json_typeof(value)) {
    case JSON_NULL:
        *out = (struct sql_value){.type = SQL_UNKNOWN, .null = true};
        return DITHER_OK;
    case JSON_TRUE:
    case JSON_FALSE:
        *out = (struct sql_value){.type = SQL_BOOLEAN, .whole = json_is_true(value)};
        return DITHER_OK;
    case JSON_INTEGER:
        *out = (struct sql_value){.type = SQL_INTEGER, .whole = json_integer_value(value)};
        return DITHER_OK;
    case JSON_REAL:
        *out = (struct sql_value){.type = SQL_REAL, .real = json_real_value(value)};
        return DITHER_OK;
    case JSON_STRING:
        TRY(arena_text(&question->arena, json_string_value(value), json_string_length(value), &copy, why));
        *out = (struct sql_value){.type = SQL_UNKNOWN, .text = copy};
        return DITHER_OK;
    default:
        return fail(why, DITHER_INVALID, "a parameter must be a text, a number, true, false or null");
    }
}

static status read_parameters(struct http_question *question, const json_t *list, error *why)
{
    void *memory = NULL;
    size_t count = json_array_size(list);
    if (json_is_null(list))
        return DITHER_OK;
    if (!json_is_array(list) || count > HTTP_MOST_PARAMETERS)
        return fail(why, DITHER_INVALID, "\"parameters\" must be an array of at most %d values",
                    HTTP_MOST_PARAMETERS);
    if (count == 0)
        return DITHER_OK;
    TRY(arena_take(&question->arena, count * sizeof(struct sql_value), &memory, why));
    struct sql_value *values = memory;
    for (size_t i = 0; i < count; i++)
        TRY(read_parameter(question, json_array_get(list, i), &values[i], why));
    question->question.parameters = (struct sql_parameters){.values = values, .count = count};
    return DITHER_OK;
}

/* ---- The whole ---- */

static status read_members(struct http_question *question, json_t *body, error *why)
{
    const char *key = NULL;
    json_t *value = NULL;
    struct sql_parameters parameters = {0};
    char *text = NULL;
    json_object_foreach(body, key, value)
    {
        if (strcmp(key, "question") == 0) {
            if (!json_is_string(value))
                return fail(why, DITHER_INVALID, "\"question\" must be a text");
            TRY(arena_text(&question->arena, json_string_value(value), json_string_length(value), &text,
                           why));
        } else if (strcmp(key, "parameters") == 0) {
            TRY(read_parameters(question, value, why));
        } else if (is_knob(key)) {
            TRY(set_knob(question, key, value, why));
        } else {
            return fail(why, DITHER_INVALID, "there is no member \"%.60s\" in a question", key);
        }
    }
    if (text == NULL)
        return fail(why, DITHER_INVALID, "there is no \"question\"");
    parameters = question->question.parameters;
    settings_apply(&question->settings, &question->question);
    question->question.parameters = parameters;
    question->question.text = text;
    return DITHER_OK;
}

static status read_body(struct http_question *question, const struct buffer *body, error *why)
{
    json_error_t wrong;
    json_t *tree =
        body->length > 0 ? json_loadb(body->data, body->length, JSON_REJECT_DUPLICATES, &wrong) : NULL;
    if (body->length == 0)
        return fail(why, DITHER_INVALID, "the body is empty");
    if (tree == NULL)
        return fail(why, DITHER_INVALID, "the body is not JSON, or has a member twice: line %d, column %d",
                    wrong.line, wrong.column);
    status result = json_is_object(tree) ? read_members(question, tree, why)
                                         : fail(why, DITHER_INVALID, "the body must be a JSON object");
    json_decref(tree);
    return result;
}

/* A name of printable characters, as a header can carry them. */
static status read_request(struct http_question *question, const char *request, error *why)
{
    char *copy = NULL;
    if (request == NULL)
        return DITHER_OK;
    size_t length = strlen(request);
    if (length >= 2 && request[0] == '"' && request[length - 1] == '"') {
        request++;
        length -= 2;
    }
    if (length == 0 || length > HTTP_REQUEST_ID_BYTES || !utf8_valid(request, length))
        return fail(why, DITHER_INVALID, "Idempotency-Key must have 1 to %d bytes of UTF-8",
                    HTTP_REQUEST_ID_BYTES);
    TRY(arena_text(&question->arena, request, length, &copy, why));
    question->question.request = copy;
    return DITHER_OK;
}

status http_question_read(struct http_question *question, const struct buffer *body, const char *request,
                          error *why)
{
    settings_init(&question->settings, "");
    arena_init(&question->arena, 16 << 20);
    question->read = true;
    TRY(read_body(question, body, why));
    return read_request(question, request, why);
}

void http_question_free(struct http_question *question)
{
    if (!question->read)
        return;
    settings_free(&question->settings);
    arena_free(&question->arena);
    question->read = false;
}
