#include "cli/local_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/table.h"

status local_rows_add(struct local_rows *rows, struct arena *arena, const struct local_row *row, error *why)
{
    if (rows->count == rows->capacity) {
        size_t capacity = 2 * rows->capacity + 64;
        void *grown = NULL;
        TRY(arena_take(arena, capacity * sizeof *rows->rows, &grown, why));
        if (rows->count > 0)
            memcpy(grown, rows->rows, rows->count * sizeof *rows->rows);
        rows->rows = grown;
        rows->capacity = capacity;
    }
    char *name = NULL;
    TRY(arena_text(arena, row->name, strlen(row->name), &name, why));
    rows->rows[rows->count] = *row;
    rows->rows[rows->count++].name = name;
    return DITHER_OK;
}

static void print_json(const struct local_rows *rows, const struct local_rows_shown *shown,
                       struct buffer *text)
{
    struct json_writer json;
    json_writer_init(&json, text);
    json_begin_object(&json);
    json_member_number(&json, "people", shown->people);
    json_member_number(&json, "refused", (double)shown->refused);
    json_member_number(&json, "epsilon", shown->epsilon);
    json_write_key(&json, "estimates");
    json_begin_array(&json);
    for (size_t i = 0; i < rows->count; i++) {
        const struct local_row *row = &rows->rows[i];
        json_begin_object(&json);
        if (shown->attributes)
            json_member_number(&json, "attribute", row->attribute);
        json_member_text(&json, shown->name, row->name);
        json_member_number(&json, shown->value, row->figure.value);
        json_member_number(&json, "standard_error", row->figure.standard_error);
        json_member_number(&json, "lower", row->figure.lower);
        json_member_number(&json, "upper", row->figure.upper);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(text, '\n');
}

static status print_table(const struct local_rows *rows, const struct local_rows_shown *shown,
                          enum cli_format format, struct buffer *text, error *why)
{
    struct table table;
    table_init(&table);
    if (shown->attributes)
        table_number_column(&table, "attribute");
    table_text_column(&table, shown->name);
    table_number_column(&table, shown->value);
    table_number_column(&table, "standard_error");
    table_number_column(&table, "lower");
    table_number_column(&table, "upper");
    for (size_t i = 0; i < rows->count; i++) {
        const struct local_row *row = &rows->rows[i];
        const double cells[] = {row->figure.value, row->figure.standard_error, row->figure.lower,
                                row->figure.upper};
        if (shown->attributes)
            table_number(&table, row->attribute);
        table_text(&table, row->name);
        for (int c = 0; c < 4; c++)
            (format == CLI_CSV ? table_exact_number : table_number)(&table, cells[c]);
    }
    status result = table_print(&table, format, text, why);
    table_free(&table);
    if (format == CLI_TABLE)
        buffer_format(text, "people: %.15g, epsilon: %.6g\n", shown->people, shown->epsilon);
    if (format == CLI_TABLE && shown->refused > 0)
        buffer_format(text, "%llu reports were not well-formed and are not counted\n",
                      (unsigned long long)shown->refused);
    return result;
}

status local_rows_print(const struct local_rows *rows, const struct local_rows_shown *shown,
                        enum cli_format format, error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)1 << 30);
    status result = DITHER_OK;
    if (format == CLI_JSON)
        print_json(rows, shown, &text);
    else
        result = print_table(rows, shown, format, &text, why);
    if (result == DITHER_OK)
        result = cli_write(&text, why);
    buffer_free(&text);
    return result;
}
