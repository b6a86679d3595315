/* CSV: the header, and, for an owner who peeks, all the cells. */
#include <errno.h>
#include <string.h>

#include "base/csv.h"
#include "engine/cell.h"
#include "engine/draft_parts.h"

struct peeking {
    const struct draft_column *columns;
    struct draft_extent *extents;
};

/* The year of a day since 1970-01-01, of years 1 to 9999: 400 years have 146097 days. */
static double year_of(int64_t days)
{
    int64_t since = days + 719162; /* since 0001-01-01 */
    int64_t year = since * 400 / 146097 + 1;
    for (;; year--) { /* at most one too far */
        int64_t past = year - 1;
        if (past * 365 + past / 4 - past / 100 + past / 400 <= since)
            break;
    }
    for (;; year++)
        if (year * 365 + year / 4 - year / 100 + year / 400 > since)
            return (double)year;
}

static void look_at(enum policy_type type, const struct sql_value *value, struct draft_extent *extent)
{
    const int64_t day = INT64_C(86400) * 1000000;
    if (type == POLICY_DATE)
        draft_extend(extent, year_of(value->whole));
    else if (type == POLICY_TIMESTAMP)
        draft_extend(extent, year_of(value->whole / day - (value->whole % day < 0)));
    else if (type == POLICY_REAL)
        draft_extend(extent, value->real);
    else if (type == POLICY_INTEGER)
        draft_extend(extent, (double)value->whole);
}

static status take_record(void *context, const struct csv_record *record, error *why)
{
    struct peeking *peeking = context;
    (void)why;
    for (size_t i = 0; record->number > 1 && i < record->count; i++) {
        struct sql_value value;
        enum policy_type type = peeking->columns[i].type;
        if (cell_read(record->fields[i].text, record->fields[i].length, cell_type(type), 0, &value))
            look_at(type, &value, &peeking->extents[i]);
    }
    return DITHER_OK;
}

static status peek_at(const char *file, struct peeking *peeking, error *why)
{
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", file, strerror(errno));
    status result = csv_read(stream, &(struct csv_options){.name = file}, take_record, peeking, why);
    fclose(stream);
    return result;
}

status draft_read_csv(const struct source *source, bool peek, struct arena *arena, struct draft_table *table,
                      error *why)
{
    struct source_header header;
    struct draft_column *columns = NULL;
    TRY(source_read_header(source->files[0], arena, &header, why));
    TRY(arena_take(arena, header.count * sizeof *columns, (void **)&columns, why));
    for (size_t i = 0; i < header.count; i++)
        columns[i] =
            (struct draft_column){.name = header.names[i], .type = draft_type_by_name(header.names[i])};
    table->columns = columns;
    table->column_count = header.count;
    if (!peek)
        return DITHER_OK;
    const struct policy_column *seen = NULL;
    size_t count = 0;
    struct peeking peeking = {.columns = columns};
    TRY(source_guess_columns(source, arena, &seen, &count, why));
    for (size_t i = 0; i < count; i++)
        columns[i].type = seen[i].type;
    TRY(arena_take(arena, count * sizeof *peeking.extents, (void **)&peeking.extents, why));
    TRY(peek_at(source->files[0], &peeking, why));
    for (size_t i = 0; i < count; i++)
        TRY(draft_round(&peeking.extents[i], &columns[i], arena, why));
    return DITHER_OK;
}
