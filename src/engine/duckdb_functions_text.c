/* Text in characters of UTF-8, as PostgreSQL's varlena.c and oracle_compat.c have it; case is that of the collation
 * "C". Nothing grows without a small public bound. */
#include <string.h>

#include "engine/characters.h"
#include "engine/duckdb_functions_parts.h"
#include "sql/function.h"

/* ---- Characters ---- */

static int64_t count_characters(const char *text, size_t length)
{
    int64_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += character_starts(text[i]);
    return count;
}

/* `count` characters on, or the end. */
static const char *skip(const char *at, const char *end, int64_t count)
{
    for (; count > 0 && at < end; count--)
        at = character_next(at, end);
    return at;
}

static bool slice(struct cell *out, const char *from, const char *to)
{
    out->text = from;
    out->length = (size_t)(to - from);
    return true;
}

/* What was written to the room; NULL when it outgrew the bound. */
static bool written(const struct cell_room *room, struct cell *out)
{
    out->text = room->text->data == NULL ? "" : room->text->data;
    out->length = room->text->length;
    return out->length <= SQL_GROWN_TEXT_BYTES;
}

/* ---- Case ---- */

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_lower(c) || is_upper(c) || (c >= '0' && c <= '9');
}

/* A copy in the room, to be changed in place. */
static char *copy(const struct cell *text, const struct cell_room *room, struct cell *out)
{
    buffer_append(room->text, text->text, text->length);
    out->text = room->text->data == NULL ? "" : room->text->data;
    out->length = room->text->length;
    return room->text->data;
}

static bool lower(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char *text = copy(arguments, room, out);
    for (size_t i = 0; i < out->length; i++)
        text[i] = (char)(is_upper(text[i]) ? text[i] + 32 : text[i]);
    return true;
}

static bool upper(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char *text = copy(arguments, room, out);
    for (size_t i = 0; i < out->length; i++)
        text[i] = (char)(is_lower(text[i]) ? text[i] - 32 : text[i]);
    return true;
}

static bool initcap(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    char *text = copy(arguments, room, out);
    for (size_t i = 0; i < out->length; i++) {
        bool inside = i > 0 && is_word(text[i - 1]);
        if (inside && is_upper(text[i]))
            text[i] = (char)(text[i] + 32);
        else if (!inside && is_lower(text[i]))
            text[i] = (char)(text[i] - 32);
    }
    return true;
}

/* ---- Parts ---- */

static bool reverse(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    const char *start = arguments->text;
    for (const char *at = start + arguments->length; at > start;) {
        const char *before = character_previous(start, at);
        buffer_append(room->text, before, (size_t)(at - before));
        at = before;
    }
    return written(room, out) || out->length == arguments->length;
}

static bool left(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *start = arguments->text, *end = start + arguments->length;
    int64_t count = arguments[1].whole;
    if (count < 0) /* all but the last ones */
        count = count_characters(start, arguments->length) + (count < -INT32_MAX ? -INT32_MAX : count);
    return slice(out, start, skip(start, end, count));
}

static bool right(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *start = arguments->text, *end = start + arguments->length;
    int64_t count = arguments[1].whole;
    if (count < 0)
        return slice(out, skip(start, end, count < -INT32_MAX ? INT32_MAX : -count), end);
    int64_t all = count_characters(start, arguments->length);
    return slice(out, skip(start, end, count >= all ? 0 : all - count), end);
}

static bool substring_from(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *start = arguments->text, *end = start + arguments->length;
    int64_t from = arguments[1].whole;
    return slice(out, from <= 1 ? start : skip(start, end, from - 1), end);
}

static bool substring(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *start = arguments->text, *end = start + arguments->length;
    int64_t from = arguments[1].whole, count = arguments[2].whole, behind;
    if (count < 0)
        return false;
    if (__builtin_add_overflow(from, count, &behind))
        behind = INT64_MAX;
    if (from < 1)
        from = 1;
    if (behind <= from)
        return slice(out, start, start);
    const char *first = skip(start, end, from - 1);
    return slice(out, first, skip(first, end, behind - from));
}

/* ---- Trimming ---- */

static bool has_character(const struct cell *set, const char *at, size_t length)
{
    const char *end = set->text + set->length;
    for (const char *one = set->text; one < end; one = character_next(one, end))
        if ((size_t)(character_next(one, end) - one) == length && memcmp(one, at, length) == 0)
            return true;
    return false;
}

static bool trim(const struct cell *arguments, bool from_left, bool from_right, struct cell *out)
{
    const char *start = arguments->text, *end = start + arguments->length;
    while (from_left && start < end &&
           has_character(&arguments[1], start, (size_t)(character_next(start, end) - start)))
        start = character_next(start, end);
    while (from_right && end > start) {
        const char *last = character_previous(start, end);
        if (!has_character(&arguments[1], last, (size_t)(end - last)))
            break;
        end = last;
    }
    return slice(out, start, end);
}

static bool trim_both(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return trim(arguments, true, true, out);
}

static bool trim_left(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return trim(arguments, true, false, out);
}

static bool trim_right(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return trim(arguments, false, true, out);
}

/* ---- Finding ---- */

/* Where `what` first stands, or NULL. Bytes do: no character of UTF-8 begins inside another. */
static const char *find(const char *from, const char *end, const struct cell *what)
{
    return memmem(from, (size_t)(end - from), what->text, what->length);
}

static bool position(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *start = arguments->text, *end = start + arguments->length;
    const char *found = arguments[1].length == 0 ? start : find(start, end, &arguments[1]);
    out->whole = found == NULL ? 0 : count_characters(start, (size_t)(found - start)) + 1;
    return true;
}

static bool replace(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    const char *at = arguments->text, *end = at + arguments->length;
    if (arguments[1].length == 0)
        return slice(out, at, end);
    for (const char *found; (found = find(at, end, &arguments[1])) != NULL;
         at = found + arguments[1].length) {
        buffer_append(room->text, at, (size_t)(found - at));
        buffer_append(room->text, arguments[2].text, arguments[2].length);
        if (room->text->length > SQL_GROWN_TEXT_BYTES && room->text->length > arguments->length)
            return false;
    }
    buffer_append(room->text, at, (size_t)(end - at));
    return written(room, out) || out->length <= arguments->length;
}

static int64_t count_fields(const char *at, const char *end, const struct cell *separator)
{
    int64_t count = 1;
    for (const char *found; (found = find(at, end, separator)) != NULL; at = found + separator->length)
        count++;
    return count;
}

static bool split_part(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const char *at = arguments->text, *end = at + arguments->length;
    const struct cell *separator = &arguments[1];
    int64_t field = arguments[2].whole;
    if (field == 0)
        return false;
    if (arguments->length == 0 || separator->length == 0)
        return field == 1 || field == -1 ? slice(out, at, end) : slice(out, at, at);
    if (field < 0)
        field = field < -INT32_MAX ? 0 : field + count_fields(at, end, separator) + 1;
    if (field <= 0)
        return slice(out, at, at);
    for (; field > 1; field--) {
        const char *found = find(at, end, separator);
        if (found == NULL)
            return slice(out, at, at);
        at = found + separator->length;
    }
    const char *stop = find(at, end, separator);
    return slice(out, at, stop == NULL ? end : stop);
}

/* ---- Growing ---- */

static bool concat(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    if (arguments[0].length + arguments[1].length > SQL_GROWN_TEXT_BYTES)
        return false;
    buffer_append(room->text, arguments[0].text, arguments[0].length);
    buffer_append(room->text, arguments[1].text, arguments[1].length);
    return written(room, out);
}

/* The fill, again and again, up to `count` characters. */
static void fill(struct buffer *buffer, const struct cell *with, int64_t count)
{
    const char *end = with->text + with->length;
    for (const char *at = with->text; count > 0; count--) {
        const char *behind = character_next(at, end);
        buffer_append(buffer, at, (size_t)(behind - at));
        at = behind == end ? with->text : behind;
    }
}

static bool pad(const struct cell *arguments, const struct cell_room *room, bool on_left, struct cell *out)
{
    const char *start = arguments->text, *end = start + arguments->length;
    int64_t wanted = arguments[1].whole < 0 ? 0 : arguments[1].whole;
    if (wanted > SQL_PAD_LENGTH)
        return false;
    const char *cut = skip(start, end, wanted);
    int64_t missing = cut < end ? 0 : wanted - count_characters(start, (size_t)(end - start));
    if (arguments[2].length == 0)
        missing = 0;
    if (on_left)
        fill(room->text, &arguments[2], missing);
    buffer_append(room->text, start, (size_t)(cut - start));
    if (!on_left)
        fill(room->text, &arguments[2], missing);
    return written(room, out);
}

static bool pad_left(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    return pad(arguments, room, true, out);
}

static bool pad_right(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    return pad(arguments, room, false, out);
}

static bool repeat(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    int64_t times = arguments[1].whole < 0 ? 0 : arguments[1].whole;
    if (times > SQL_PAD_LENGTH || (uint64_t)times * arguments->length > SQL_GROWN_TEXT_BYTES)
        return false;
    for (; times > 0; times--)
        buffer_append(room->text, arguments->text, arguments->length);
    return written(room, out);
}

const struct function_entry functions_text[] = {
    {"dither_lower", "t", 't', lower, false, NULL},
    {"dither_upper", "t", 't', upper, false, NULL},
    {"dither_initcap", "t", 't', initcap, false, NULL},
    {"dither_reverse", "t", 't', reverse, false, NULL},
    {"dither_left", "ti", 't', left, false, NULL},
    {"dither_right", "ti", 't', right, false, NULL},
    {"dither_substring_from", "ti", 't', substring_from, false, NULL},
    {"dither_substring", "tii", 't', substring, false, NULL},
    {"dither_trim_both", "tt", 't', trim_both, false, NULL},
    {"dither_trim_left", "tt", 't', trim_left, false, NULL},
    {"dither_trim_right", "tt", 't', trim_right, false, NULL},
    {"dither_position", "tt", 'i', position, false, NULL},
    {"dither_replace", "ttt", 't', replace, false, NULL},
    {"dither_split_part", "tti", 't', split_part, false, NULL},
    {"dither_concat", "tt", 't', concat, false, NULL},
    {"dither_pad_left", "tit", 't', pad_left, false, NULL},
    {"dither_pad_right", "tit", 't', pad_right, false, NULL},
    {"dither_repeat", "ti", 't', repeat, false, NULL},
    {0},
};
