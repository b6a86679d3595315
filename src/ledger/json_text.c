#include "ledger/json_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

void json_text_string(struct buffer *out, const char *text)
{
    if (text == NULL) {
        buffer_text(out, "null");
        return;
    }
    buffer_byte(out, '"');
    for (const char *next = text; *next != '\0';) {
        size_t plain = 0;
        while ((unsigned char)next[plain] >= 0x20 && next[plain] != '"' && next[plain] != '\\')
            plain++;
        buffer_append(out, next, plain);
        next += plain;
        if (*next == '"' || *next == '\\')
            buffer_format(out, "\\%c", *next++);
        else if (*next != '\0')
            buffer_format(out, "\\u%04x", (unsigned)(unsigned char)*next++);
    }
    buffer_byte(out, '"');
}

void json_text_number(struct buffer *out, uint64_t number)
{
    buffer_format(out, "%" PRIu64, number);
}

void json_text_digest(struct buffer *out, const struct digest *digest)
{
    char text[DIGEST_TEXT];
    digest_print(digest, text);
    buffer_byte(out, '"');
    buffer_append(out, text, DIGEST_TEXT - 1);
    buffer_byte(out, '"');
}

void json_text_cost(struct buffer *out, struct ledger_cost cost)
{
    char epsilon[DECIMAL_TEXT], delta[DECIMAL_TEXT], rho[DECIMAL_TEXT];
    decimal_print(cost.epsilon, epsilon);
    decimal_print(cost.delta, delta);
    decimal_print(cost.rho, rho);
    buffer_format(out, "{\"epsilon\":\"%s\",\"delta\":\"%s\",\"rho\":\"%s\"}", epsilon, delta, rho);
}

bool json_take_if(struct json_reader *reader, const char *literal)
{
    size_t length = strlen(literal);
    if (reader->failed || (size_t)(reader->end - reader->next) < length ||
        memcmp(reader->next, literal, length) != 0)
        return false;
    reader->next += length;
    return true;
}

void json_take(struct json_reader *reader, const char *literal)
{
    if (!json_take_if(reader, literal))
        reader->failed = true;
}

bool json_take_element(struct json_reader *reader, bool *first)
{
    if (reader->failed || json_take_if(reader, "]"))
        return false;
    if (!*first)
        json_take(reader, ",");
    *first = false;
    return !reader->failed;
}

void *json_room(struct json_reader *reader, size_t count, size_t size)
{
    void *room = NULL;
    if (reader->failed)
        return NULL;
    if (arena_take(reader->arena, count * size + 1, &room, NULL) != DITHER_OK)
        reader->failed = reader->no_memory = true;
    return room;
}

/* The length of the string's raw text up to the closing quote, which is not taken. */
static size_t raw_length(const struct json_reader *reader)
{
    size_t left = (size_t)(reader->end - reader->next), length = 0;
    while (length < left && reader->next[length] != '"')
        length += reader->next[length] == '\\' && length + 1 < left ? 2 : 1;
    return length < left ? length : left;
}

static int hexadecimal_digit(char character)
{
    const char *digits = "0123456789abcdef", *found = character == '\0' ? NULL : strchr(digits, character);
    return found == NULL ? -1 : (int)(found - digits);
}

/* Reads what follows a backslash: \" \\ or \u00xx for a control character that is not NUL. */
static char take_escaped(struct json_reader *reader)
{
    if (json_take_if(reader, "\""))
        return '"';
    if (json_take_if(reader, "\\"))
        return '\\';
    json_take(reader, "u00");
    int high = -1, low = -1;
    if (!reader->failed && reader->end - reader->next >= 2) {
        high = hexadecimal_digit(reader->next[0]);
        low = hexadecimal_digit(reader->next[1]);
        reader->next += 2;
    }
    if (high < 0 || high > 1 || low < 0 || high + low == 0)
        reader->failed = true;
    return (char)(high * 16 + low);
}

const char *json_take_string(struct json_reader *reader)
{
    if (json_take_if(reader, "null"))
        return NULL;
    json_take(reader, "\"");
    if (reader->failed)
        return NULL;
    char *text = json_room(reader, raw_length(reader) + 1, 1);
    size_t length = 0;
    while (!reader->failed && !json_take_if(reader, "\"")) {
        if (json_take_if(reader, "\\"))
            text[length++] = take_escaped(reader);
        else if (reader->next < reader->end && (unsigned char)*reader->next >= 0x20)
            text[length++] = *reader->next++;
        else
            reader->failed = true;
    }
    if (reader->failed || !utf8_valid(text, length)) {
        reader->failed = true;
        return NULL;
    }
    return text;
}

uint64_t json_take_number(struct json_reader *reader)
{
    uint64_t number = 0;
    const char *start = reader->next;
    while (!reader->failed && reader->next < reader->end && *reader->next >= '0' && *reader->next <= '9') {
        unsigned digit = (unsigned)(*reader->next - '0');
        if (number > (UINT64_MAX - digit) / 10 || (number == 0 && reader->next > start)) {
            reader->failed = true;
            return 0;
        }
        number = number * 10 + digit;
        reader->next++;
    }
    if (reader->next == start)
        reader->failed = true;
    return number;
}

struct digest json_take_digest(struct json_reader *reader)
{
    struct digest digest = {{0}};
    json_take(reader, "\"");
    if (reader->failed || reader->end - reader->next < DIGEST_TEXT || !digest_parse(reader->next, &digest)) {
        reader->failed = true;
        return digest;
    }
    reader->next += DIGEST_TEXT - 1;
    json_take(reader, "\"");
    return digest;
}

/* A decimal in a string, in its one canonical form. */
static struct decimal take_decimal(struct json_reader *reader)
{
    struct decimal value = decimal_zero();
    char text[DECIMAL_TEXT], again[DECIMAL_TEXT];
    size_t length = 0;
    while (!reader->failed && length < sizeof text - 1 && reader->next < reader->end && *reader->next != '"')
        text[length++] = *reader->next++;
    text[length] = '\0';
    if (strcmp(text, "unlimited") == 0)
        value = decimal_unlimited();
    else if (reader->failed || decimal_parse(text, &value, NULL) != DITHER_OK)
        reader->failed = true;
    decimal_print(value, again);
    if (strlen(text) != length || strcmp(text, again) != 0)
        reader->failed = true;
    return value;
}

struct ledger_cost json_take_cost(struct json_reader *reader)
{
    struct ledger_cost cost;
    json_take(reader, "{\"epsilon\":\"");
    cost.epsilon = take_decimal(reader);
    json_take(reader, "\",\"delta\":\"");
    cost.delta = take_decimal(reader);
    json_take(reader, "\",\"rho\":\"");
    cost.rho = take_decimal(reader);
    json_take(reader, "\"}");
    return cost;
}

unsigned json_take_name(struct json_reader *reader, const char *const *names, unsigned count)
{
    json_take(reader, "\"");
    for (unsigned i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (!reader->failed && (size_t)(reader->end - reader->next) > length && reader->next[length] == '"' &&
            memcmp(reader->next, names[i], length) == 0) {
            reader->next += length + 1;
            return i;
        }
    }
    reader->failed = true;
    return 0;
}
