/* Rows of whole persons, parents before children. */
#include "attack/audit_data.h"

#include <string.h>

#include "base/csv.h"
#include "base/memory.h"

enum {
    MOST_BYTES = 1 << 30, /* of one table */
    MOST_DEPTH = 64,      /* of a path of joins */
    PUBLIC_ROWS = 12,
};

/* ---- Choices ---- */

/* SplitMix64 (Steele, Lea, Flood 2014): what the auditor chooses follows from the seed. Dither's noise does not. */
uint64_t audit_data_random(struct audit_data *data)
{
    uint64_t word = (data->random += UINT64_C(0x9e3779b97f4a7c15));
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* ---- Tables ---- */

static void write_header(const struct policy_table *table, struct buffer *out)
{
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(out, i > 0 ? "," : "");
        csv_write_field(out, table->columns[i].name);
    }
    buffer_byte(out, '\n');
}

status audit_data_open(const struct policy *policy, uint64_t seed, struct audit_data *out, error *why)
{
    struct buffer *tables = memory_allocate(policy->table_count * sizeof *tables);
    if (tables == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *out = (struct audit_data){.policy = policy, .tables = tables, .random = seed};
    for (size_t i = 0; i < policy->table_count; i++) {
        buffer_init(&tables[i], MOST_BYTES);
        write_header(&policy->tables[i], &tables[i]);
    }
    return DITHER_OK;
}

void audit_data_close(struct audit_data *data)
{
    for (size_t i = 0; data->tables != NULL && i < data->policy->table_count; i++)
        buffer_free(&data->tables[i]);
    if (data->tables != NULL)
        memory_release(data->tables, data->policy->table_count * sizeof *data->tables);
    *data = (struct audit_data){0};
}

bool audit_data_single(const struct policy_table *table)
{
    return table->protection == POLICY_UNIT_ROW || table->rows_per_unit == 1;
}

/* Whether a key of another table points here. */
static bool is_pointed_to(const struct policy *policy, const struct policy_column *column)
{
    for (size_t i = 0; i < policy->table_count; i++)
        for (size_t j = 0; j < policy->tables[i].key_count; j++)
            if (policy->tables[i].keys[j].parent_column == column)
                return true;
    return false;
}

bool audit_data_is_key(const struct policy *policy, const struct policy_table *table,
                       const struct policy_column *column)
{
    if (column == table->unit_column || is_pointed_to(policy, column))
        return true;
    for (size_t i = 0; i < table->key_count; i++)
        if (table->keys[i].column == column)
            return true;
    return false;
}

/* ---- A person ---- */

/* The keys that a person's rows have are numbers: those of row r of a table are first[depth] + r, at the depth of the table in
 * its path. A unit column has the person's own id. */
struct writing {
    struct audit_data *data;
    const struct audit_person *person;
    uint64_t *first; /* for each table: the number of its first row's keys */
    uint64_t *count; /* and how many rows it has */
};

static size_t index_of(const struct policy *policy, const struct policy_table *table)
{
    return (size_t)(table - policy->tables);
}

static const struct policy_column *parent_column(const struct policy_table *table,
                                                 const struct policy_column *column)
{
    for (size_t i = 0; i < table->key_count; i++)
        if (table->keys[i].column == column)
            return table->keys[i].parent_column;
    return NULL;
}

/* The number that stands in a key column of a row. */
static uint64_t key_number(const struct writing *writing, const struct policy_table *table,
                           const struct policy_column *column, uint64_t row)
{
    if (column == table->unit_column)
        return writing->person->id;
    const struct policy_column *above = parent_column(table, column);
    if (above == NULL)
        return writing->first[index_of(writing->data->policy, table)] + row;
    if (writing->person->orphan || writing->count[index_of(writing->data->policy, table->parent)] == 0)
        return writing->person->id;
    return key_number(writing, table->parent, above,
                      row % writing->count[index_of(writing->data->policy, table->parent)]);
}

static void write_cell(const struct writing *writing, const struct policy_table *table,
                       const struct policy_column *column, uint64_t row, struct buffer *out)
{
    const struct audit_person *person = writing->person;
    struct audit_data *data = writing->data;
    bool whose = column == table->unit_column || parent_column(table, column) != NULL;
    if (person->nobody && whose)
        return;
    if (whose || is_pointed_to(data->policy, column)) {
        audit_cell_key(column, key_number(writing, table, column, row), out);
        return;
    }
    if (person->cell != NULL && person->cell(person->context, table, column, row, out))
        return;
    bool when = column->type == POLICY_DATE || column->type == POLICY_TIMESTAMP;
    uint64_t random = when ? person->id * UINT64_C(0x9e3779b97f4a7c15) : audit_data_random(data);
    if (person->style == STYLE_QUIET && column->nullable && random % 16 == 0)
        return;
    audit_cell_styled(column, person->style, row, random, out);
}

static void write_row(const struct writing *writing, const struct policy_table *table, uint64_t row)
{
    struct buffer *out = &writing->data->tables[index_of(writing->data->policy, table)];
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(out, i > 0 ? "," : "");
        write_cell(writing, table, &table->columns[i], row, out);
    }
    if (table->column_count == 1 && out->data != NULL && out->data[out->length - 1] == '\n')
        buffer_text(out, "\"\""); /* an empty line would be no row */
    buffer_byte(out, '\n');
}

static void write_table(struct writing *writing, const struct policy_table *table)
{
    const struct audit_person *person = writing->person;
    size_t index = index_of(writing->data->policy, table);
    bool several = !audit_data_single(table) && (person->only == NULL || person->only == table);
    uint64_t rows = several ? person->rows : person->rows > 0 ? 1 : 0;
    if (person->orphan && table->protection != POLICY_UNIT_JOIN)
        rows = 0;
    writing->first[index] = writing->data->unique + 1;
    writing->data->unique += rows;
    writing->count[index] = rows;
    for (uint64_t row = 0; row < rows; row++)
        write_row(writing, table, row);
}

void audit_data_person(struct audit_data *data, const struct audit_person *person)
{
    const struct policy *policy = data->policy;
    uint64_t *room = memory_allocate(2 * policy->table_count * sizeof *room);
    struct writing writing = {data, person, room, room != NULL ? room + policy->table_count : NULL};
    if (room == NULL) {
        data->tables[0].failed = true;
        return;
    }
    for (size_t depth = 0; depth < MOST_DEPTH; depth++)
        for (size_t i = 0; i < policy->table_count; i++) {
            const struct policy_table *table = &policy->tables[i];
            if (table->protection != POLICY_PUBLIC && table->unit == person->kind &&
                table->path_length == depth)
                write_table(&writing, table);
        }
    memory_release(room, 2 * policy->table_count * sizeof *room);
}

/* Whole numbers count from where their range begins, so that they meet the private columns that they are joined with; texts repeat
 * every three rows, so that a join on them multiplies. */
void audit_data_public(struct audit_data *data)
{
    for (size_t i = 0; i < data->policy->table_count; i++) {
        const struct policy_table *table = &data->policy->tables[i];
        for (uint64_t row = 0; table->protection == POLICY_PUBLIC && row < PUBLIC_ROWS; row++) {
            for (size_t j = 0; j < table->column_count; j++) {
                const struct policy_column *column = &table->columns[j];
                buffer_text(&data->tables[i], j > 0 ? "," : "");
                if (column->type == POLICY_INTEGER && !column->has_range)
                    buffer_format(&data->tables[i], "%llu", (unsigned long long)row + 1);
                else
                    audit_cell_styled(column, STYLE_SPREAD, column->type == POLICY_TEXT ? row % 3 : row, 0,
                                      &data->tables[i]);
            }
            buffer_byte(&data->tables[i], '\n');
        }
    }
}

/* ---- Another order ---- */

static size_t count_lines(const struct buffer *table)
{
    size_t lines = 0;
    for (size_t i = 0; i < table->length; i++)
        lines += table->data[i] == '\n';
    return lines;
}

static void cut_lines(const struct buffer *table, const char **lines)
{
    size_t count = 0;
    for (const char *at = table->data; at < table->data + table->length; at = strchr(at, '\n') + 1)
        lines[count++] = at;
}

static status shuffle_table(struct audit_data *data, struct buffer *table, error *why)
{
    size_t count = count_lines(table);
    const char **lines = memory_allocate((count + 1) * sizeof *lines);
    struct buffer mixed;
    if (lines == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    buffer_init(&mixed, MOST_BYTES);
    cut_lines(table, lines);
    for (size_t i = count; i > 2; i--) { /* Fisher and Yates, without the first line */
        size_t other = 1 + (size_t)(audit_data_random(data) % (i - 1));
        const char *line = lines[i - 1];
        lines[i - 1] = lines[other];
        lines[other] = line;
    }
    for (size_t i = 0; i < count; i++)
        buffer_append(&mixed, lines[i], (size_t)(strchr(lines[i], '\n') + 1 - lines[i]));
    memory_release(lines, (count + 1) * sizeof *lines);
    buffer_free(table);
    *table = mixed;
    return buffer_check(table, why);
}

status audit_data_shuffle(struct audit_data *data, error *why)
{
    for (size_t i = 0; i < data->policy->table_count; i++)
        if (data->tables[i].data != NULL)
            TRY(shuffle_table(data, &data->tables[i], why));
    return DITHER_OK;
}
