/* Reading somebody's made-up rows, and putting them behind Dither. */
#include "attack/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack/audit_parts.h"
#include "base/csv.h"
#include "base/memory.h"

enum {
    MOST_PEOPLE = 200000,
    MOST_GROUPS = 1000,
    OTHERS_BYTES = 4096,
};

/* ---- What the policy offers ---- */

static bool is_by(const struct policy_column *column)
{
    return column->type == POLICY_INTEGER && column->has_range && !column->nullable &&
           column->upper.whole - column->lower.whole < MOST_GROUPS;
}

static bool offers(const struct policy_table *table, struct rows *out)
{
    *out = (struct rows){.policy = out->policy, .table = table, .id = table->unit_column};
    for (size_t i = 0; i < table->column_count; i++) {
        const struct policy_column *column = &table->columns[i];
        if (column->type == POLICY_BOOLEAN && out->secret == NULL)
            out->secret = column;
        if (column != table->unit_column && is_by(column) && out->by == NULL)
            out->by = column;
    }
    return table->protection == POLICY_UNIT_COLUMN && table->rows_per_unit == 1 && table->source != NULL &&
           out->id != NULL && out->id->type == POLICY_INTEGER && out->secret != NULL && out->by != NULL;
}

static status find_table(const char *file, struct rows *rows, error *why)
{
    for (size_t i = 0; i < rows->policy->table_count; i++)
        if (offers(&rows->policy->tables[i], rows)) {
            rows->group_count = (size_t)(rows->by->upper.whole - rows->by->lower.whole) + 1;
            return DITHER_OK;
        }
    return fail(why, DITHER_INVALID,
                "%.200s: the attacks need a CSV file with one row for each unit, whose columns are a whole "
                "number for the "
                "unit, true or false for the secret, and a whole number with a range",
                file);
}

/* ---- People ---- */

struct reading {
    struct rows *rows;
    struct arena *arena;
    size_t id, secret, by; /* columns of the file */
    size_t room;
};

static status find_columns(struct reading *reading, const struct csv_record *record, error *why)
{
    const struct rows *rows = reading->rows;
    size_t found = 0;
    for (size_t i = 0; i < record->count; i++) {
        const struct {
            const char *name;
            size_t *place;
        } wanted[] = {{rows->id->name, &reading->id},
                      {rows->secret->name, &reading->secret},
                      {rows->by->name, &reading->by}};
        for (size_t j = 0; j < 3; j++)
            if (strcmp(record->fields[i].text, wanted[j].name) == 0) {
                *wanted[j].place = i;
                found++;
            }
    }
    return found == 3 ? DITHER_OK
                      : fail(why, DITHER_INVALID, "%.100s: not all of its columns are in the file",
                             rows->table->name);
}

static status keep_others(struct reading *reading, const struct csv_record *record, const char **out,
                          error *why)
{
    struct buffer text;
    char *kept = NULL;
    buffer_init(&text, OTHERS_BYTES);
    for (size_t i = 0; i < record->count; i++)
        if (i != reading->id && i != reading->secret) {
            buffer_text(&text, record->fields[i].text);
            buffer_byte(&text, '|');
        }
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(reading->arena, text.data, text.length, &kept, why);
    buffer_free(&text);
    *out = kept;
    return result;
}

static status take_person(void *context, const struct csv_record *record, error *why)
{
    struct reading *reading = context;
    struct rows *rows = reading->rows;
    char *end = NULL, *id = NULL;
    if (record->number == 1)
        return find_columns(reading, record, why);
    const char *by = record->fields[reading->by].text, *secret = record->fields[reading->secret].text;
    long long value = strtoll(by, &end, 10);
    if (end == by || *end != '\0' || value < rows->by->lower.whole || value > rows->by->upper.whole ||
        (strcmp(secret, "true") != 0 && strcmp(secret, "false") != 0))
        return DITHER_OK; /* nobody whom these attacks are about */
    if (rows->count == reading->room)
        return fail(why, DITHER_INVALID, "%.100s: more than %d people", rows->table->name, (int)MOST_PEOPLE);
    const struct csv_field *field = &record->fields[reading->id];
    if (field->length == 0 || strspn(field->text, "0123456789") != field->length)
        return DITHER_OK;
    struct rows_person *person = &rows->people[rows->count];
    TRY(arena_text(reading->arena, field->text, field->length, &id, why));
    TRY(keep_others(reading, record, &person->others, why));
    person->id = id;
    person->group = (size_t)(value - rows->by->lower.whole);
    person->secret = strcmp(secret, "true") == 0;
    rows->count++;
    return DITHER_OK;
}

static status read_people(struct rows *rows, struct arena *arena, error *why)
{
    const char *path = rows->table->source; /* the policy has made it whole */
    struct reading reading = {.rows = rows, .arena = arena, .room = MOST_PEOPLE};
    TRY(arena_take(arena, MOST_PEOPLE * sizeof *rows->people, (void **)&rows->people, why));
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    status result = csv_read(file, &(struct csv_options){.name = path}, take_person, &reading, why);
    fclose(file);
    return result;
}

status rows_read(const char *file, struct arena *arena, struct rows *out, error *why)
{
    struct rows rows = {0};
    TRY(policy_read(file, arena, &rows.policy, why));
    if (!rows.policy->synthetic)
        return fail(why, DITHER_REFUSED,
                    "%.200s: its rows may be about real people; attacks play on rows that the policy calls "
                    "`synthetic: true`",
                    file);
    TRY(find_table(file, &rows, why));
    TRY(read_people(&rows, arena, why));
    *out = rows;
    return DITHER_OK;
}

/* ---- Victims ---- */

/* A coin says whether the victim of a group shall have the secret; then all who fit are as likely. */
status rows_choose(const struct rows *rows, struct dice *dice, struct arena *arena, struct rows_victims *out,
                   error *why)
{
    TRY(arena_take(arena, rows->group_count * sizeof *out->people, (void **)&out->people, why));
    out->count = 0;
    for (size_t group = 0; group < rows->group_count; group++) {
        size_t fits[2] = {0}, chosen[2] = {0};
        bool secret = dice_chance(dice, 0.5);
        for (size_t i = 0; i < rows->count; i++)
            if (rows->people[i].group == group) {
                bool has = rows->people[i].secret;
                if (dice_below(dice, (uint32_t)++fits[has]) == 0)
                    chosen[has] = i;
            }
        if (fits[0] > 0 && fits[1] > 0) /* else the coin could not fall */
            out->people[out->count++] = chosen[secret];
    }
    return out->count > 0 ? DITHER_OK : fail(why, DITHER_INVALID, "the rows have no victims for an attack");
}

/* ---- Behind Dither ---- */

struct copying {
    const struct rows *rows;
    const bool *left_out;
    struct buffer *out;
    size_t id;
};

static bool is_left_out(const struct copying *copying, const char *id)
{
    for (size_t i = 0; copying->left_out != NULL && i < copying->rows->count; i++)
        if (copying->left_out[i] && strcmp(copying->rows->people[i].id, id) == 0)
            return true;
    return false;
}

static status copy_record(void *context, const struct csv_record *record, error *why)
{
    struct copying *copying = context;
    for (size_t i = 0; record->number == 1 && i < record->count; i++)
        if (strcmp(record->fields[i].text, copying->rows->id->name) == 0)
            copying->id = i;
    if (record->number > 1 && is_left_out(copying, record->fields[copying->id].text))
        return DITHER_OK;
    for (size_t i = 0; i < record->count; i++) {
        buffer_text(copying->out, i > 0 ? "," : "");
        if (record->fields[i].length > 0 || record->fields[i].quoted)
            csv_write_field(copying->out, record->fields[i].text);
    }
    buffer_byte(copying->out, '\n');
    return buffer_check(copying->out, why);
}

/* The victims' own table; what other tables say about them is not what these attacks ask for. */
static status copy_table(const struct rows *rows, const struct policy_table *table, struct lab *lab,
                         const bool *left_out, error *why)
{
    char name[40];
    const char *path = table->source;
    struct copying copying = {rows, table == rows->table ? left_out : NULL, lab_text(lab), 0};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    status result = csv_read(file, &(struct csv_options){.name = path}, copy_record, &copying, why);
    fclose(file);
    snprintf(name, sizeof name, "table%zu.csv", (size_t)(table - rows->policy->tables));
    return result == DITHER_OK ? lab_save(lab, name, why) : result;
}

status rows_open(const struct rows *rows, struct lab *lab, const char *epsilon, const bool *left_out,
                 error *why)
{
    char budget[DECIMAL_TEXT + 40];
    for (size_t i = 0; i < rows->policy->table_count; i++)
        if (rows->policy->tables[i].source != NULL && rows->policy->tables[i].column_count > 0)
            TRY(copy_table(rows, &rows->policy->tables[i], lab, left_out, why));
    snprintf(budget, sizeof budget, "  epsilon: %s\n", epsilon);
    audit_policy_write(rows->policy,
                       &(struct audit_world_options){.budget = budget, .people = "analysts:\n  eve:\n"},
                       lab_text(lab));
    return lab_open_written(lab, why);
}

/* ---- Asking ---- */

void rows_print_victims(const struct rows *rows, const struct rows_victims *victims, bool but,
                        struct buffer *out)
{
    audit_print_name(out, rows->id->name);
    buffer_text(out, but ? " NOT IN (" : " IN (");
    for (size_t i = 0; i < victims->count; i++)
        buffer_format(out, "%s%s", i > 0 ? ", " : "", rows->people[victims->people[i]].id);
    buffer_byte(out, ')');
}

status rows_ask(const struct rows *rows, struct lab *lab, const struct rows_victims *victims,
                const char *condition, const char *epsilon, double sign, double *sums, bool *cached,
                error *why)
{
    struct buffer sql;
    dither_answer *answer = NULL;
    buffer_init(&sql, 1 << 20);
    buffer_text(&sql, "SELECT ");
    audit_print_name(&sql, rows->by->name);
    buffer_text(&sql, ", count(*) FROM ");
    audit_print_name(&sql, rows->table->name);
    buffer_format(&sql, " WHERE %s GROUP BY 1 ORDER BY 1", condition);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = lab_ask(lab, sql.data, epsilon, &answer, why);
    buffer_free(&sql);
    TRY(result);
    *cached = dither_answer_cached(answer);
    for (size_t i = 0; i < victims->count && !*cached; i++) /* what is known already says nothing new */
        sums[i] += sign * dither_cell_number(answer, rows->people[victims->people[i]].group, 1);
    dither_answer_free(answer);
    return DITHER_OK;
}
