#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/number.h"

void json_writer_init(struct json_writer *writer, struct buffer *buffer)
{
    *writer = (struct json_writer){.buffer = buffer};
}

/* Before a value or a key: a comma, unless it is the first or belongs to a key. */
static void separate(struct json_writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->depth == 0)
        return;
    if (writer->filled[writer->depth - 1])
        buffer_text(writer->buffer, ", ");
    writer->filled[writer->depth - 1] = true;
}

static void begin(struct json_writer *writer, char bracket)
{
    separate(writer);
    assert(writer->depth < JSON_DEPTH);
    writer->filled[writer->depth++] = false;
    buffer_byte(writer->buffer, bracket);
}

static void end(struct json_writer *writer, char bracket)
{
    assert(writer->depth > 0 && !writer->after_key);
    writer->depth--;
    buffer_byte(writer->buffer, bracket);
}

void json_begin_object(struct json_writer *writer)
{
    begin(writer, '{');
}

void json_end_object(struct json_writer *writer)
{
    end(writer, '}');
}

void json_begin_array(struct json_writer *writer)
{
    begin(writer, '[');
}

void json_end_array(struct json_writer *writer)
{
    end(writer, ']');
}

/* Most texts stand for themselves. */
static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            return false;
    return true;
}

static void write_escaped(struct json_writer *writer, const char *text)
{
    if (is_plain(text)) {
        buffer_byte(writer->buffer, '"');
        buffer_text(writer->buffer, text);
        buffer_byte(writer->buffer, '"');
        return;
    }
    json_t *value = json_string(text); /* NULL when it is not UTF-8, or without memory */
    char *escaped = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (escaped != NULL)
        buffer_text(writer->buffer, escaped);
    else
        writer->buffer->failed = true;
    free(escaped);
    json_decref(value);
}

void json_write_key(struct json_writer *writer, const char *key)
{
    assert(writer->depth > 0);
    separate(writer);
    write_escaped(writer, key);
    buffer_text(writer->buffer, ": ");
    writer->after_key = true;
}

void json_write_text(struct json_writer *writer, const char *text)
{
    separate(writer);
    write_escaped(writer, text);
}

void json_write_number(struct json_writer *writer, double number)
{
    if (!isfinite(number)) {
        json_write_null(writer);
        return;
    }
    char text[NUMBER_TEXT];
    number_print_exact(number, text);
    json_write_raw(writer, text, strlen(text));
}

void json_write_whole(struct json_writer *writer, int64_t number)
{
    separate(writer);
    buffer_format(writer->buffer, "%" PRId64, number);
}

void json_write_bool(struct json_writer *writer, bool value)
{
    separate(writer);
    buffer_text(writer->buffer, value ? "true" : "false");
}

void json_write_null(struct json_writer *writer)
{
    separate(writer);
    buffer_text(writer->buffer, "null");
}

void json_write_raw(struct json_writer *writer, const char *text, size_t length)
{
    separate(writer);
    buffer_append(writer->buffer, text, length);
}

void json_member_text(struct json_writer *writer, const char *key, const char *text)
{
    json_write_key(writer, key);
    json_write_text(writer, text);
}

void json_member_number(struct json_writer *writer, const char *key, double number)
{
    json_write_key(writer, key);
    json_write_number(writer, number);
}
