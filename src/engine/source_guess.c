/* Types of a CSV file whose rows are public: there all cells may be looked at, and all are, so that the answer
 * does not hang on which ones come first. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "engine/cell.h"
#include "engine/source.h"

enum { CANDIDATES = 5 };
static const enum policy_type candidates[CANDIDATES] = {POLICY_INTEGER, POLICY_REAL, POLICY_BOOLEAN,
                                                        POLICY_DATE, POLICY_TIMESTAMP};

struct guess {
    bool filled; /* a cell that is not empty was seen */
    bool excluded[CANDIDATES];
};

struct guessing {
    const char *file;
    const struct source_header *header; /* of the first file */
    struct guess *guesses;              /* by the first file's columns */
    size_t *map;                        /* from this file's columns to the first one's */
};

/* 007 is a name, not a number: as one it could not be found again. */
static bool has_needless_zero(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

/* 1 and 0 are numbers; only words are booleans. */
static bool is_candidate(enum policy_type type, const struct csv_field *field)
{
    struct sql_value value;
    if (!cell_read(field->text, field->length, cell_type(type), 0, &value))
        return false;
    if (type == POLICY_INTEGER || type == POLICY_REAL)
        return !has_needless_zero(field->text);
    if (type == POLICY_BOOLEAN)
        return strcasecmp(field->text, "true") == 0 || strcasecmp(field->text, "false") == 0;
    return true;
}

static void narrow(struct guess *guess, const struct csv_field *field)
{
    if (field->length == 0 && !field->quoted)
        return;
    guess->filled = true;
    for (size_t i = 0; i < CANDIDATES; i++)
        if (!guess->excluded[i] && !is_candidate(candidates[i], field))
            guess->excluded[i] = true;
}

static status match_header(struct guessing *guessing, const struct csv_record *record, error *why)
{
    for (size_t i = 0; i < record->count; i++) {
        size_t found = 0;
        while (found < guessing->header->count &&
               strcasecmp(guessing->header->names[found], record->fields[i].text) != 0)
            found++;
        if (found == guessing->header->count || record->count != guessing->header->count)
            return fail(why, DITHER_INVALID, "%s, line 1: its columns are not those of the other files",
                        guessing->file);
        guessing->map[i] = found;
    }
    return DITHER_OK;
}

static status take_record(void *context, const struct csv_record *record, error *why)
{
    struct guessing *guessing = context;
    if (record->number == 1)
        return match_header(guessing, record, why);
    for (size_t i = 0; i < record->count; i++)
        narrow(&guessing->guesses[guessing->map[i]], &record->fields[i]);
    return DITHER_OK;
}

static status read_file(struct guessing *guessing, error *why)
{
    FILE *stream = fopen(guessing->file, "rb");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", guessing->file, strerror(errno));
    status result =
        csv_read(stream, &(struct csv_options){.name = guessing->file}, take_record, guessing, why);
    fclose(stream);
    return result;
}

static enum policy_type decide(const struct guess *guess)
{
    for (size_t i = 0; guess->filled && i < CANDIDATES; i++)
        if (!guess->excluded[i])
            return candidates[i];
    return POLICY_TEXT;
}

status source_guess_columns(const struct source *source, struct arena *arena,
                            const struct policy_column **out, size_t *count, error *why)
{
    struct source_header header, other;
    TRY(source_read_header(source->files[0], arena, &header, why));
    struct guessing guessing = {.header = &header};
    struct policy_column *columns = NULL;
    TRY(arena_take(arena, header.count * sizeof *columns, (void **)&columns, why));
    TRY(arena_take(arena, header.count * sizeof *guessing.guesses, (void **)&guessing.guesses, why));
    TRY(arena_take(arena, header.count * sizeof *guessing.map, (void **)&guessing.map, why));
    for (size_t i = 0; i < source->count; i++) {
        guessing.file = source->files[i];
        TRY(source_read_header(guessing.file, arena, &other, why));
        TRY(read_file(&guessing, why));
    }
    for (size_t i = 0; i < header.count; i++)
        columns[i] = (struct policy_column){
            .name = header.names[i], .type = decide(&guessing.guesses[i]), .nullable = true};
    *out = columns;
    *count = header.count;
    return DITHER_OK;
}
