#include "local/person_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "local/report_text.h"

/* Fowler, Noll, Vo: it notices accidents, and is no seal. */
/* ---- Writing ---- */

static void write_check(struct buffer *out, size_t start)
{
    if (out->failed)
        return;
    buffer_format(out, " %016" PRIx64 "\n", person_hash(out->data + start, out->length - start));
}

static void write_number(struct buffer *out, const char *word, double number)
{
    char text[NUMBER_TEXT];
    size_t start = out->length;
    number_print_exact(number, text);
    buffer_format(out, "%s %s", word, text);
    write_check(out, start);
}

void person_write_cap(struct buffer *out, double cap)
{
    write_number(out, "cap", cap);
}

void person_write_spend(struct buffer *out, double epsilon)
{
    write_number(out, "spend", epsilon);
}

void person_write_entry(struct buffer *out, const struct person_entry *entry)
{
    size_t start = out->length;
    buffer_format(out, entry->identity ? "identity %s " : "memo %s ", entry->survey);
    if (!entry->identity)
        buffer_format(out, "%" PRIu32 " ", entry->key);
    report_write(out, entry->bytes, entry->length);
    if (out->failed)
        return;
    out->length--; /* the line's end comes after the check */
    write_check(out, start);
}

/* ---- Reading ---- */

/* The next word of a line that ends at `end`; empty at its end. */
static size_t take_word(const char **next, const char *end, const char **word)
{
    *word = *next;
    while (*next < end && **next != ' ')
        (*next)++;
    size_t length = (size_t)(*next - *word);
    if (*next < end)
        (*next)++;
    return length;
}

static bool word_is(const char *word, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(word, text, length) == 0;
}

/* The last word is the hash of what stands before the blank in front of it. */
static bool check_line(const char *line, const char **end)
{
    char wanted[17];
    size_t length = (size_t)(*end - line);
    if (length < 18 || line[length - 17] != ' ')
        return false;
    snprintf(wanted, sizeof wanted, "%016" PRIx64, person_hash(line, length - 17));
    if (memcmp(wanted, *end - 16, 16) != 0)
        return false;
    *end -= 17;
    return true;
}

static bool read_double(const char *word, size_t length, double *out)
{
    char text[NUMBER_TEXT];
    error unused;
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, word, length);
    text[length] = '\0';
    return number_parse(text, NUMBER_NEAREST, out, &unused) == DITHER_OK && *out > 0;
}

static status read_entry(struct person_state *state, bool identity, const char *next, const char *end,
                         bool *good, error *why)
{
    struct person_entry entry = {.identity = identity};
    const char *word;
    size_t length = take_word(&next, end, &word);
    double key = 0;
    *good = length > 0 && length < sizeof entry.survey;
    if (*good)
        memcpy(entry.survey, word, length);
    if (*good && !identity) {
        length = take_word(&next, end, &word);
        *good = word_is(word, length, "0") || (read_double(word, length, &key) && key <= UINT32_MAX);
        entry.key = (uint32_t)key;
    }
    length = take_word(&next, end, &word);
    *good = *good && length > 0 && next == end;
    if (!*good)
        return DITHER_OK;
    entry.length = length / 2;
    void *bytes = NULL;
    TRY(arena_take(&state->arena, entry.length, &bytes, why));
    entry.bytes = bytes;
    *good = report_read(word, length, entry.bytes, entry.length);
    return *good ? person_keep(state, &entry, why) : DITHER_OK;
}

static status read_line(struct person_state *state, const char *line, const char *end, bool *good, error *why)
{
    const char *word, *next = line;
    size_t length = take_word(&next, end, &word);
    bool identity = word_is(word, length, "identity"), memo = word_is(word, length, "memo");
    bool sound = check_line(line, &end) && next <= end;
    *good = true;
    if (memo || identity) { /* lost when it cannot be read */
        bool readable = false;
        return sound ? read_entry(state, identity, next, end, &readable, why) : DITHER_OK;
    }
    double number = 0;
    *good = sound && read_double(next, (size_t)(end - next), &number);
    if (*good && word_is(word, length, "cap"))
        state->account.cap = fmin(state->account.cap, number);
    else if (*good && word_is(word, length, "spend"))
        state->account.spent = person_sum(state->account.spent, number);
    else
        *good = false;
    return DITHER_OK;
}

status person_keep(struct person_state *state, const struct person_entry *entry, error *why)
{
    void *memory = NULL, *bytes = NULL;
    TRY(arena_take(&state->arena, sizeof *entry, &memory, why));
    TRY(arena_take(&state->arena, entry->length, &bytes, why));
    struct person_entry *kept = memory;
    *kept = *entry;
    kept->bytes = memcpy(bytes, entry->bytes, entry->length);
    kept->next = state->entries;
    state->entries = kept;
    state->account.memos += !entry->identity;
    return DITHER_OK;
}

status person_read(struct person_state *state, const char *text, size_t length, error *why)
{
    size_t header = strlen(PERSON_HEADER), number = 1;
    const char *end = text + length;
    if (length < header || memcmp(text, PERSON_HEADER, header) != 0)
        return fail(why, DITHER_INVALID, "is not a person's file");
    state->account.cap = INFINITY;
    for (const char *line = text + header, *stop; line < end; line = stop + 1) {
        bool good = false;
        stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL)
            break;
        TRY(read_line(state, line, stop, &good, why));
        number++;
        if (!good)
            return fail(why, DITHER_INVALID, "line %zu is damaged: what was spent cannot be known", number);
    }
    return isfinite(state->account.cap) ? DITHER_OK : fail(why, DITHER_INVALID, "has no cap");
}
