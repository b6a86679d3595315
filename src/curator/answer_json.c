/* An answer in JSON: DESIGN section 7. */
#include "curator/format.h"

static void write_noise(struct json_writer *json, const struct curator_column *column)
{
    const struct curator_noise *noise = &column->noise;
    json_write_key(json, "noise");
    json_begin_object(json);
    json_member_text(json, "mechanism", noise->mechanism);
    json_member_number(json, "scale", noise->scale);
    json_member_number(json, "grid", noise->grid);
    if (noise->epsilon != 0)
        json_member_number(json, "epsilon", noise->epsilon);
    if (noise->delta != 0)
        json_member_number(json, "delta", noise->delta);
    if (noise->rho != 0)
        json_member_number(json, "rho", noise->rho);
    json_end_object(json);
}

static void write_columns(struct json_writer *json, const struct curator_answer *answer)
{
    json_write_key(json, "columns");
    json_begin_array(json);
    for (size_t i = 0; i < answer->column_count; i++) {
        const struct curator_column *column = &answer->columns[i];
        json_begin_object(json);
        json_member_text(json, "name", column->name);
        json_member_text(json, "type", sql_type_name(column->type));
        if (column->noisy && column->noise.mechanism != NULL) {
            write_noise(json, column);
        } else if (column->noisy) {
            json_write_key(json, "noisy");
            json_write_bool(json, true);
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static void write_rows(struct json_writer *json, const struct curator_answer *answer)
{
    json_write_key(json, "rows");
    json_begin_array(json);
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        json_begin_array(json);
        for (size_t i = 0; i < answer->column_count; i++)
            format_json(json, sql_rows_cell(&answer->rows, row, i));
        json_end_array(json);
    }
    json_end_array(json);
}

static void write_interval(struct json_writer *json, const struct curator_column *column,
                           struct curator_interval interval)
{
    if (!interval.known) {
        json_write_null(json);
        return;
    }
    json_begin_array(json);
    json_write_number(json, format_lower(column, interval));
    json_write_number(json, format_upper(column, interval));
    json_end_array(json);
}

static void write_intervals(struct json_writer *json, const struct curator_answer *answer)
{
    json_write_key(json, "intervals");
    json_begin_array(json);
    for (size_t row = 0; row < answer->rows.row_count; row++) {
        json_begin_array(json);
        for (size_t i = 0; i < answer->column_count; i++)
            write_interval(json, &answer->columns[i], answer->intervals[row * answer->column_count + i]);
        json_end_array(json);
    }
    json_end_array(json);
    json_member_number(json, "confidence", answer->confidence);
}

void curator_answer_json(const struct curator_answer *answer, struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    json_begin_object(&json);
    write_columns(&json, answer);
    write_rows(&json, answer);
    write_intervals(&json, answer);
    json_write_key(&json, "cost");
    json_begin_object(&json);
    format_cost_members(&json, answer->cost, answer->currency);
    json_write_key(&json, "cached");
    json_write_bool(&json, answer->cached);
    json_end_object(&json);
    json_write_key(&json, "remaining");
    json_begin_object(&json);
    format_cost_members(&json, answer->remaining, answer->currency);
    json_end_object(&json);
    json_end_object(&json);
    buffer_byte(out, '\n');
}
