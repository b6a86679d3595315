#include "engine/scratch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/scratch_kind.h"

#define MOST_MEMORY (UINT64_C(1) << 30)

static uint64_t quarter_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || bytes <= 0)
        return MOST_MEMORY;
    uint64_t quarter = (uint64_t)pages / 4 * (uint64_t)bytes;
    return quarter < MOST_MEMORY ? quarter : MOST_MEMORY;
}

status scratch_open(const struct scratch_options *options, struct scratch **out, error *why)
{
    struct scratch_options chosen = {.memory_bytes = 0};
    if (options != NULL)
        chosen = *options;
    if (chosen.memory_bytes == 0)
        chosen.memory_bytes = quarter_of_memory() / (chosen.program != NULL ? 2 : 1);
    if (chosen.seconds == 0)
        chosen.seconds = SCRATCH_SECONDS;
    return chosen.program != NULL ? scratch_process_open(&chosen, out, why)
                                  : scratch_local_open(&chosen, out, why);
}

void scratch_close(struct scratch *scratch)
{
    if (scratch != NULL)
        scratch->kind->close(scratch);
}

status scratch_ready(struct scratch *scratch, bool *emptied, const char **complaint, error *why)
{
    const char *ignored = NULL;
    return scratch->kind->ready(scratch, emptied, complaint != NULL ? complaint : &ignored, why);
}

/* ---- Tables ---- */

status scratch_fill_begin(struct scratch *scratch, const struct scratch_table *table, error *why)
{
    if (strlen(table->name) >= sizeof scratch->filling)
        return fail(why, DITHER_INVALID, "the name of a table is too long");
    TRY(scratch->kind->fill_begin(scratch, table, why));
    snprintf(scratch->filling, sizeof scratch->filling, "%s", table->name);
    return DITHER_OK;
}

static status give_up(struct scratch *scratch, status result)
{
    char name[sizeof scratch->filling];
    memcpy(name, scratch->filling, sizeof name);
    if (result != DITHER_OK && name[0] != '\0')
        scratch_drop(scratch, name);
    return result;
}

status scratch_fill_row(struct scratch *scratch, const struct sql_value *cells, error *why)
{
    return give_up(scratch, scratch->kind->fill_row(scratch, cells, why));
}

status scratch_fill_end(struct scratch *scratch, error *why)
{
    status result = give_up(scratch, scratch->kind->fill_end(scratch, why));
    scratch->filling[0] = '\0';
    return result;
}

void scratch_drop(struct scratch *scratch, const char *name)
{
    scratch->kind->drop(scratch, name);
    scratch->filling[0] = '\0';
}

/* A relation may have rows and no columns (a release without keys has one); a table may not. */
static const struct scratch_column no_column = {.type = SQL_BOOLEAN};
static const struct sql_value no_cell = {.type = SQL_BOOLEAN, .null = true};

status scratch_put(struct scratch *scratch, const char *name, const struct scratch_column *columns,
                   const struct sql_rows *rows, error *why)
{
    bool bare = rows->column_count == 0;
    const struct scratch_table table = {
        .name = name, .columns = bare ? &no_column : columns, .column_count = bare ? 1 : rows->column_count};
    TRY(scratch_fill_begin(scratch, &table, why));
    for (size_t row = 0; row < rows->row_count; row++)
        TRY(scratch_fill_row(scratch, bare ? &no_cell : sql_rows_cell(rows, row, 0), why));
    return scratch_fill_end(scratch, why);
}

/* ---- Questions ---- */

status scratch_query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                     size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                     error *why)
{
    return scratch->kind->query(scratch, sql, columns, column_count, most_rows, arena, out, why);
}

const char *scratch_complaint(const struct scratch *scratch)
{
    return scratch->kind->complaint(scratch);
}

void scratch_interrupt(struct scratch *scratch)
{
    scratch->kind->interrupt(scratch);
}
