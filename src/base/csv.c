#include "base/csv.h"

#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/memory.h"
#include "base/utf8.h"

enum {
    PIECE_BYTES = 64 * 1024,
    DEFAULT_RECORD_BYTES = 1 << 20,
    DEFAULT_COLUMNS = 4096,
    FIRST_FIELDS = 16,
};
#define DEFAULT_FILE_BYTES (UINT64_C(64) << 30)

enum csv_state {
    RECORD_START, /* nothing of the record has been seen */
    FIELD_START,  /* after a comma */
    PLAIN,        /* inside a field without quotes */
    QUOTED,       /* inside quotes */
    QUOTE_SEEN,   /* after a quote inside quotes: the end, or one half of a doubled one */
    CR_SEEN,      /* LF must follow */
};

struct csv_reader {
    struct csv_options options;
    csv_receive receive;
    void *context;
    enum csv_state state;
    uint64_t bytes, line, record_line, records;
    struct buffer text;       /* the record's fields, each with its NUL */
    struct csv_field *fields; /* lengths are known at once, the texts' places when the record is whole */
    size_t count, capacity, columns;
    size_t field_begin; /* in `text` */
};

static void reader_init(struct csv_reader *reader, const struct csv_options *options, csv_receive receive,
                        void *context)
{
    *reader = (struct csv_reader){.options = *options, .receive = receive, .context = context, .line = 1};
    if (reader->options.file_bytes == 0)
        reader->options.file_bytes = DEFAULT_FILE_BYTES;
    if (reader->options.record_bytes == 0)
        reader->options.record_bytes = DEFAULT_RECORD_BYTES;
    if (reader->options.columns == 0)
        reader->options.columns = DEFAULT_COLUMNS;
    buffer_init(&reader->text, reader->options.record_bytes);
}

static void reader_free(struct csv_reader *reader)
{
    buffer_free(&reader->text);
    memory_release(reader->fields, reader->capacity * sizeof *reader->fields);
}

static status malformed(const struct csv_reader *reader, error *why, const char *what)
{
    return fail(why, DITHER_INVALID, "%s, line %llu: %s", reader->options.name,
                (unsigned long long)reader->line, what);
}

static status check_text(const struct csv_reader *reader, error *why)
{
    if (reader->text.too_long)
        return fail(why, DITHER_INVALID, "%s, line %llu: the record is longer than %zu bytes",
                    reader->options.name, (unsigned long long)reader->record_line,
                    reader->options.record_bytes);
    return buffer_check(&reader->text, why);
}

static status end_field(struct csv_reader *reader, bool quoted, error *why)
{
    size_t length = reader->text.length - reader->field_begin;
    buffer_byte(&reader->text, '\0');
    TRY(check_text(reader, why));
    if (!utf8_valid(reader->text.data + reader->field_begin, length))
        return malformed(reader, why, "the text is not UTF-8");
    if (reader->count == reader->options.columns)
        return fail(why, DITHER_INVALID, "%s, line %llu: more than %zu columns", reader->options.name,
                    (unsigned long long)reader->line, reader->options.columns);
    if (reader->count == reader->capacity) {
        size_t capacity = reader->capacity > 0 ? 2 * reader->capacity : FIRST_FIELDS;
        struct csv_field *grown =
            memory_grow(reader->fields, reader->capacity * sizeof *grown, capacity * sizeof *grown);
        if (grown == NULL)
            return fail(why, DITHER_NO_MEMORY, "out of memory");
        reader->fields = grown;
        reader->capacity = capacity;
    }
    reader->fields[reader->count++] = (struct csv_field){.length = length, .quoted = quoted};
    reader->field_begin = reader->text.length;
    reader->state = FIELD_START;
    return DITHER_OK;
}

static status check_columns(struct csv_reader *reader, error *why)
{
    if (reader->records == 0)
        reader->columns = reader->count;
    if (reader->count == reader->columns)
        return DITHER_OK;
    return fail(why, DITHER_INVALID, "%s, line %llu: %zu field%s, where the first line has %zu",
                reader->options.name, (unsigned long long)reader->record_line, reader->count,
                reader->count == 1 ? "" : "s", reader->columns);
}

/* At the LF, or at the end of the file. */
static status end_record(struct csv_reader *reader, error *why)
{
    TRY(check_columns(reader, why));
    const char *text = reader->text.data;
    for (size_t i = 0; i < reader->count; i++) {
        reader->fields[i].text = text;
        text += reader->fields[i].length + 1;
    }
    struct csv_record record = {.number = ++reader->records,
                                .line = reader->record_line,
                                .fields = reader->fields,
                                .count = reader->count};
    TRY(reader->receive(reader->context, &record, why));
    buffer_clear(&reader->text);
    reader->field_begin = reader->count = 0;
    reader->state = RECORD_START;
    return DITHER_OK;
}

/* A comma, CR or LF outside quotes: the field is over, and perhaps the record. */
static status separate(struct csv_reader *reader, unsigned char byte, bool quoted, error *why)
{
    TRY(end_field(reader, quoted, why));
    if (byte == '\r')
        reader->state = CR_SEEN;
    if (byte == '\n') {
        TRY(end_record(reader, why));
        reader->line++;
    }
    return DITHER_OK;
}

/* The plain bytes that can be copied at one go: all up to the next byte that means something. */
static void copy_run(struct csv_reader *reader, struct cursor *cursor)
{
    const unsigned char *first = cursor->next;
    if (reader->state == QUOTED)
        while (cursor->next < cursor->end && *cursor->next != '"' && *cursor->next != '\n' &&
               *cursor->next != '\0')
            cursor->next++;
    else
        while (cursor->next < cursor->end && *cursor->next != ',' && *cursor->next != '"' &&
               *cursor->next != '\n' && *cursor->next != '\r' && *cursor->next != '\0')
            cursor->next++;
    buffer_append(&reader->text, first, (size_t)(cursor->next - first));
}

static status take_quoted(struct csv_reader *reader, unsigned char byte, error *why)
{
    if (byte == '"') {
        reader->state = QUOTE_SEEN;
        return DITHER_OK;
    }
    buffer_byte(&reader->text, (char)byte);
    reader->line += byte == '\n';
    return check_text(reader, why);
}

static status take_after_quote(struct csv_reader *reader, unsigned char byte, error *why)
{
    if (byte == ',' || byte == '\r' || byte == '\n')
        return separate(reader, byte, true, why);
    if (byte != '"')
        return malformed(reader, why, "text follows a closing quote");
    buffer_byte(&reader->text, '"');
    reader->state = QUOTED;
    return check_text(reader, why);
}

static status take_plain(struct csv_reader *reader, unsigned char byte, error *why)
{
    if (byte == ',' || byte == '\r' || byte == '\n')
        return separate(reader, byte, false, why);
    if (byte != '"') {
        buffer_byte(&reader->text, (char)byte);
        reader->state = PLAIN;
        return check_text(reader, why);
    }
    if (reader->state == PLAIN)
        return malformed(reader, why, "a quote inside a field that does not begin with one");
    reader->state = QUOTED;
    return DITHER_OK;
}

static status take_byte(struct csv_reader *reader, unsigned char byte, error *why)
{
    if (byte == '\0')
        return malformed(reader, why, "a NUL byte");
    if (reader->state == RECORD_START) {
        reader->record_line = reader->line;
        reader->state = FIELD_START;
    }
    switch (reader->state) {
    case QUOTED:
        return take_quoted(reader, byte, why);
    case QUOTE_SEEN:
        return take_after_quote(reader, byte, why);
    case CR_SEEN:
        if (byte != '\n')
            return malformed(reader, why, "a carriage return without a line feed");
        TRY(end_record(reader, why));
        reader->line++;
        return DITHER_OK;
    case RECORD_START:
    case FIELD_START:
    case PLAIN:
        break;
    }
    return take_plain(reader, byte, why);
}

static status take_piece(struct csv_reader *reader, const void *bytes, size_t count, error *why)
{
    struct cursor cursor = cursor_over(bytes, count);
    const unsigned char *mark = NULL;
    if (reader->bytes == 0 && count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 &&
        !cursor_take(&cursor, 3, &mark))
        return DITHER_OK;
    reader->bytes += count;
    if (reader->bytes > reader->options.file_bytes)
        return fail(why, DITHER_INVALID, "%s: larger than the %llu bytes that are allowed",
                    reader->options.name, (unsigned long long)reader->options.file_bytes);
    unsigned char byte = 0;
    while (cursor_byte(&cursor, &byte)) {
        TRY(take_byte(reader, byte, why));
        if (reader->state == PLAIN || reader->state == QUOTED)
            copy_run(reader, &cursor);
    }
    return check_text(reader, why);
}

static status finish(struct csv_reader *reader, error *why)
{
    if (reader->state == RECORD_START)
        return DITHER_OK;
    if (reader->state == QUOTED)
        return fail(why, DITHER_INVALID,
                    "%s: the quote of the record that begins in line %llu is never closed",
                    reader->options.name, (unsigned long long)reader->record_line);
    if (reader->state == CR_SEEN)
        return malformed(reader, why, "a carriage return without a line feed");
    TRY(end_field(reader, reader->state == QUOTE_SEEN, why));
    return end_record(reader, why);
}

static status read_pieces(struct csv_reader *reader, FILE *file, char *piece, error *why)
{
    size_t count = 0;
    while ((count = fread(piece, 1, PIECE_BYTES, file)) > 0)
        TRY(take_piece(reader, piece, count, why));
    if (ferror(file))
        return fail(why, DITHER_IO, "%s: %s", reader->options.name, strerror(errno));
    return finish(reader, why);
}

status csv_read(FILE *file, const struct csv_options *options, csv_receive receive, void *context, error *why)
{
    char *piece = memory_allocate(PIECE_BYTES);
    if (piece == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    struct csv_reader reader;
    reader_init(&reader, options, receive, context);
    status result = read_pieces(&reader, file, piece, why);
    reader_free(&reader);
    memory_release(piece, PIECE_BYTES);
    return result;
}

status csv_read_bytes(const void *bytes, size_t count, const struct csv_options *options, csv_receive receive,
                      void *context, error *why)
{
    struct csv_reader reader;
    reader_init(&reader, options, receive, context);
    status result = take_piece(&reader, bytes, count, why);
    if (result == DITHER_OK)
        result = finish(&reader, why);
    reader_free(&reader);
    return result;
}

void csv_write_field(struct buffer *buffer, const char *text)
{
    if (*text != '\0' && strpbrk(text, ",\"\r\n") == NULL) {
        buffer_text(buffer, text);
        return;
    }
    buffer_byte(buffer, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            buffer_byte(buffer, '"');
        buffer_byte(buffer, *text);
    }
    buffer_byte(buffer, '"');
}
