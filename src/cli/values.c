#include "cli/values.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"

void values_init(struct values *values)
{
    *values = (struct values){.count = 0};
    tally_init(&values->keys);
}

void values_free(struct values *values)
{
    memory_release(values->numbers, values->capacity * sizeof *values->numbers);
    tally_free(&values->keys);
}

static status add_number(struct values *values, double number, error *why)
{
    if (values->count == values->capacity) {
        size_t capacity = values->capacity > 0 ? 2 * values->capacity : 1024;
        double *grown =
            memory_grow(values->numbers, values->capacity * sizeof *grown, capacity * sizeof *grown);
        if (grown == NULL)
            return fail(why, DITHER_NO_MEMORY, "out of memory");
        values->numbers = grown;
        values->capacity = capacity;
    }
    values->numbers[values->count++] = number;
    return DITHER_OK;
}

/* ---- A file ---- */

struct file_reader {
    const struct values_request *request;
    struct values *values;
    const char *name;
    size_t column; /* which one is read */
};

/* Words are a header; a number, nothing at all, or what programs write for a missing number is data. */
static bool is_word(const struct csv_field *field)
{
    static const char *const missing[] = {"",    "nan",  "na",       "n/a",      "null",
                                          "inf", "-inf", "infinity", "-infinity"};
    double number = 0;
    if (number_parse(field->text, NUMBER_NEAREST, &number, NULL) == DITHER_OK)
        return false;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (strcasecmp(field->text, missing[i]) == 0)
            return false;
    return true;
}

static bool is_header(const struct values_request *request, const struct csv_record *record)
{
    if (record->number > 1)
        return false;
    if (request->header || request->column != NULL)
        return true;
    if (request->no_header || request->shape == SHAPE_COUNTS)
        return false;
    for (size_t i = 0; i < record->count; i++)
        if (!is_word(&record->fields[i]))
            return false;
    return true;
}

static status find_column(struct file_reader *reader, const struct csv_record *record, error *why)
{
    const char *wanted = reader->request->column;
    size_t found = 0;
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->fields[i].text, wanted) == 0) {
            reader->column = i;
            found++;
        }
    if (found != 1)
        return fail(why, DITHER_INVALID, "%s has %s column named \"%.60s\"", reader->name,
                    found == 0 ? "no" : "more than one", wanted);
    return DITHER_OK;
}

/* Once, before the first record is used. */
static status check_columns(struct file_reader *reader, const struct csv_record *record, error *why)
{
    const struct values_request *request = reader->request;
    if (request->shape == SHAPE_TABLE) {
        if (record->count == request->table_columns)
            return DITHER_OK;
        return fail(why, DITHER_INVALID, "%s has %zu columns, but --categories names %zu", reader->name,
                    record->count, request->table_columns);
    }
    if (request->column != NULL)
        return find_column(reader, record, why);
    if (record->count > 1)
        return fail(why, DITHER_INVALID, "%s has %zu columns; choose one with --column NAME", reader->name,
                    record->count);
    return DITHER_OK;
}

static status take_number(struct file_reader *reader, const struct csv_record *record, size_t at, error *why)
{
    double number = 0;
    error inner;
    if (number_parse(record->fields[at].text, NUMBER_NEAREST, &number, &inner) != DITHER_OK)
        return fail(why, DITHER_INVALID, "%s, line %llu: the value %s", reader->name,
                    (unsigned long long)record->line, inner.message);
    return add_number(reader->values, number, why);
}

static status take_record(void *context, const struct csv_record *record, error *why)
{
    struct file_reader *reader = context;
    if (record->number == 1)
        TRY(check_columns(reader, record, why));
    if (is_header(reader->request, record))
        return DITHER_OK;
    const struct csv_field *field = &record->fields[reader->column];
    if (reader->request->shape == SHAPE_COUNTS)
        return tally_add(&reader->values->keys, field->text, field->length, why);
    if (reader->request->shape != SHAPE_TABLE)
        return take_number(reader, record, reader->column, why);
    for (size_t i = 0; i < record->count; i++)
        TRY(take_number(reader, record, i, why));
    return DITHER_OK;
}

static status count_keys(struct values *values, error *why)
{
    tally_sort(&values->keys);
    values->keyed = true;
    for (size_t i = 0; i < values->keys.count; i++)
        TRY(add_number(values, (double)values->keys.list[i].count, why));
    return DITHER_OK;
}

static status read_file(struct values *values, const struct values_request *request, const char *path,
                        error *why)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s cannot be read: %s", path, strerror(errno));
    struct file_reader reader = {
        .request = request, .values = values, .name = standard ? "standard input" : path};
    const struct csv_options options = {.name = reader.name};
    status result = csv_read(file, &options, take_record, &reader, why);
    if (!standard)
        fclose(file);
    if (result == DITHER_OK && request->shape == SHAPE_COUNTS)
        result = count_keys(values, why);
    return result;
}

/* ---- The command line ---- */

static status read_arguments(struct values *values, int argc, char **argv, error *why)
{
    for (int i = 0; i < argc; i++) {
        double number = 0;
        error inner;
        if (number_parse(argv[i], NUMBER_NEAREST, &number, &inner) != DITHER_OK)
            return fail(why, DITHER_INVALID, "value %d %s", i + 1, inner.message);
        TRY(add_number(values, number, why));
    }
    return DITHER_OK;
}

/* "1e999" and "-7x" are meant as numbers, whatever is wrong with them. */
static bool looks_like_a_number(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    text += *text == '-' || *text == '+';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    text += *text == '.';
    return *text >= '0' && *text <= '9' && strspn(text, "0123456789.eE+-") == strlen(text);
}

status values_read(struct values *values, const struct values_request *request, int argc, char **argv,
                   error *why)
{
    if (argc == 0)
        return fail(why, DITHER_INVALID, "no values: give numbers, a file, or - for standard input");
    if (argc == 1 && !looks_like_a_number(argv[0]))
        return read_file(values, request, argv[0], why);
    if (request->column != NULL)
        return fail(why, DITHER_INVALID, "--column is for a file");
    return read_arguments(values, argc, argv, why);
}
