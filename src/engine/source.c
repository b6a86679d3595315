#include "engine/source.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/csv.h"

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), count = strlen(ending);
    return length > count && strcasecmp(text + length - count, ending) == 0;
}

static status format_of(const char *file, enum source_format *out, error *why)
{
    static const struct {
        const char *ending;
        enum source_format format;
    } formats[] = {{".csv", SOURCE_CSV},
                   {".parquet", SOURCE_PARQUET},
                   {".json", SOURCE_JSON},
                   {".jsonl", SOURCE_JSON_LINES},
                   {".ndjson", SOURCE_JSON_LINES}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (ends_with(file, formats[i].ending)) {
            *out = formats[i].format;
            return DITHER_OK;
        }
    return fail(why, DITHER_INVALID,
                "%s: a source ends in .csv, .parquet, .json (an array), .jsonl or .ndjson", file);
}

static status check_file(const char *file, error *why)
{
    struct stat found;
    if (stat(file, &found) != 0)
        return fail(why, DITHER_IO, "%s: %s", file, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return fail(why, DITHER_INVALID, "%s is not a file", file);
    return DITHER_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static status take_files(char **paths, size_t count, struct arena *arena, struct source *out, error *why)
{
    char **files = NULL;
    enum source_format format = SOURCE_CSV, other = SOURCE_CSV;
    TRY(format_of(paths[0], &format, why));
    TRY(arena_take(arena, count * sizeof *files, (void **)&files, why));
    for (size_t i = 0; i < count; i++) {
        TRY(check_file(paths[i], why));
        TRY(format_of(paths[i], &other, why));
        if (other != format)
            return fail(why, DITHER_INVALID, "%s and %s are of different formats", paths[0], paths[i]);
        TRY(arena_text(arena, paths[i], strlen(paths[i]), &files[i], why));
    }
    qsort(files, count, sizeof *files, compare_names);
    *out = (struct source){.format = format, .files = (const char *const *)files, .count = count};
    return DITHER_OK;
}

status source_find(const char *pattern, struct arena *arena, struct source *out, error *why)
{
    struct stat found;
    char *alone = (char *)(uintptr_t)pattern;
    if (strpbrk(pattern, "*?[") == NULL || stat(pattern, &found) == 0)
        return take_files(&alone, 1, arena, out, why);
    glob_t matches;
    int got = glob(pattern, GLOB_ERR | GLOB_NOSORT, NULL, &matches);
    status result = DITHER_OK;
    if (got == GLOB_NOMATCH)
        result = fail(why, DITHER_IO, "%s: no file matches", pattern);
    else if (got != 0)
        result = fail(why, DITHER_IO, "%s: the files cannot be listed", pattern);
    else
        result = take_files(matches.gl_pathv, matches.gl_pathc, arena, out, why);
    globfree(&matches);
    return result;
}

struct header_reading {
    struct arena *arena;
    const char *file;
    struct source_header header;
    bool done;
};

/* Names are of the owner's schema and may stand in messages. */
static status take_header(void *context, const struct csv_record *record, error *why)
{
    struct header_reading *reading = context;
    char **names = NULL;
    TRY(arena_take(reading->arena, record->count * sizeof *names, (void **)&names, why));
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].length == 0)
            return fail(why, DITHER_INVALID, "%s, line 1: column %zu has no name", reading->file, i + 1);
        TRY(arena_text(reading->arena, record->fields[i].text, record->fields[i].length, &names[i], why));
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(names[i], names[j]) == 0)
                return fail(why, DITHER_INVALID, "%s, line 1: two columns have the name %.60s", reading->file,
                            names[i]);
    }
    reading->header = (struct source_header){.names = (const char *const *)names, .count = record->count};
    reading->done = true;
    return DITHER_REFUSED; /* enough has been read */
}

status source_read_header(const char *file, struct arena *arena, struct source_header *out, error *why)
{
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", file, strerror(errno));
    struct header_reading reading = {.arena = arena, .file = file};
    status result = csv_read(stream, &(struct csv_options){.name = file}, take_header, &reading, why);
    fclose(stream);
    if (reading.done) {
        *out = reading.header;
        return DITHER_OK;
    }
    return result != DITHER_OK
               ? result
               : fail(why, DITHER_INVALID, "%s is empty: the first line names the columns", file);
}
