/* What an attack found: in full, as a row among others, as JSON, as a page's table. */
#include "cli/attack_show.h"

#include <math.h>

#include "base/json.h"
#include "cli/table.h"

enum { NAME_WIDTH = 26 };

void attack_show_list(struct buffer *out)
{
    for (size_t i = 0; i < attack_count; i++)
        buffer_format(out, "%-*s %s\n", NAME_WIDTH, attack_list[i]->name, attack_list[i]->summary);
}

static const char *baseline_of(const struct attack_shown *shown)
{
    return shown->data != NULL ? shown->attack->baseline_on_rows : shown->attack->baseline;
}

static const char *success_of(const struct attack_shown *shown)
{
    return shown->data != NULL ? shown->attack->success_on_rows : shown->attack->success;
}

static const char *data_of(const struct attack_shown *shown)
{
    return shown->data != NULL ? shown->data : "made up";
}

/* Whether it has to be said what the data are. */
static bool any_data(const struct attack_shown *shown, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (shown[i].data != NULL)
            return true;
    return false;
}

/* ---- For people ---- */

/* Shares to three places; more would be noise. */
static void share(struct table *table, double value)
{
    table_number(table, isfinite(value) ? round(value * 1000) / 1000 : NAN);
}

static status show_rows(const struct attack_shown *shown, size_t count, struct buffer *out, error *why)
{
    struct table table;
    bool data = any_data(shown, count);
    table_init(&table);
    table_text_column(&table, "attack");
    if (data)
        table_text_column(&table, "data");
    table_number_column(&table, "guessing");
    table_number_column(&table, "baseline");
    table_number_column(&table, "Dither");
    table_number_column(&table, "at most");
    table_text_column(&table, "baseline is");
    for (size_t i = 0; i < count; i++) {
        const struct attack_result *result = shown[i].result;
        table_text(&table, shown[i].attack->name);
        if (data)
            table_text(&table, data_of(&shown[i]));
        share(&table, result->guessing);
        share(&table, result->baseline);
        share(&table, result->dither);
        share(&table, result->bound);
        table_text(&table, baseline_of(&shown[i]));
    }
    status done = table_print(&table, CLI_TABLE, out, why);
    table_free(&table);
    return done;
}

static status show_facts(const struct attack_result *result, struct buffer *out, error *why)
{
    struct table table;
    table_init(&table);
    table_text_column(&table, "found on the way");
    table_number_column(&table, "");
    for (size_t i = 0; i < result->fact_count; i++) {
        double value = result->facts[i].value;
        table_text(&table, result->facts[i].name);
        table_number(&table, fabs(value) < 10 ? round(value * 10000) / 10000 : round(value * 100) / 100);
    }
    status done = table_print(&table, CLI_TABLE, out, why);
    table_free(&table);
    return done;
}

static status show_in_full(const struct attack_shown *shown, struct buffer *out, error *why)
{
    const struct attack *attack = shown->attack;
    buffer_format(out, "%s: %s\n(%s)\n\nsuccess: %s, of %zu\n\n", attack->name, attack->summary,
                  attack->reference, success_of(shown), shown->result->trials);
    TRY(show_rows(shown, 1, out, why));
    if (shown->result->fact_count == 0)
        return DITHER_OK;
    buffer_byte(out, '\n');
    return show_facts(shown->result, out, why);
}

/* ---- For the page ---- */

static void show_share(struct buffer *out, double value)
{
    if (isfinite(value))
        buffer_format(out, " %.3f |", value);
    else
        buffer_text(out, " - |");
}

static void show_markdown(const struct attack_shown *shown, size_t count, struct buffer *out)
{
    bool data = any_data(shown, count);
    buffer_format(
        out,
        "| attack |%s success is the share of | guessing | baseline | success | Dither | at most |\n"
        "|---|%s---|--:|---|--:|--:|--:|\n",
        data ? " data |" : "", data ? "---|" : "");
    for (size_t i = 0; i < count; i++) {
        const struct attack_result *result = shown[i].result;
        buffer_format(out, "| `%s` |", shown[i].attack->name);
        if (data)
            buffer_format(out, " %s |", data_of(&shown[i]));
        buffer_format(out, " %s |", success_of(&shown[i]));
        show_share(out, result->guessing);
        buffer_format(out, " %s |", baseline_of(&shown[i]));
        show_share(out, result->baseline);
        show_share(out, result->dither);
        show_share(out, result->bound);
        buffer_byte(out, '\n');
    }
}

/* ---- For machines ---- */

static void write_points(struct json_writer *json, const char *key, const double *points, size_t count)
{
    json_write_key(json, key);
    json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        json_write_number(json, points[i]);
    json_end_array(json);
}

static void write_panel(struct json_writer *json, const struct plot_panel *panel)
{
    json_begin_object(json);
    json_member_text(json, "title", panel->title);
    json_member_text(json, "x", panel->x_name);
    json_member_text(json, "y", panel->y_name);
    json_write_key(json, "lines");
    json_begin_array(json);
    for (size_t i = 0; i < panel->line_count; i++) {
        json_begin_object(json);
        json_member_text(json, "name", panel->lines[i].name);
        write_points(json, "x", panel->lines[i].x, panel->lines[i].count);
        write_points(json, "y", panel->lines[i].y, panel->lines[i].count);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void write_one(struct json_writer *json, const struct attack_shown *shown)
{
    const struct attack_result *result = shown->result;
    json_begin_object(json);
    json_member_text(json, "attack", shown->attack->name);
    json_member_text(json, "summary", shown->attack->summary);
    json_member_text(json, "reference", shown->attack->reference);
    json_member_text(json, "success_is", success_of(shown));
    json_member_text(json, "baseline_is", baseline_of(shown));
    json_member_text(json, "data", data_of(shown));
    json_member_number(json, "guessing", result->guessing);
    json_member_number(json, "baseline", result->baseline);
    json_member_number(json, "dither", result->dither);
    json_member_number(json, "at_most", result->bound);
    json_write_key(json, "trials");
    json_write_whole(json, (int64_t)result->trials);
    json_write_key(json, "facts");
    json_begin_object(json);
    for (size_t i = 0; i < result->fact_count; i++)
        json_member_number(json, result->facts[i].name, result->facts[i].value);
    json_end_object(json);
    json_write_key(json, "series");
    json_begin_array(json);
    for (size_t i = 0; i < result->panel_count; i++)
        write_panel(json, &result->panels[i]);
    json_end_array(json);
    json_end_object(json);
}

static void show_json(const struct attack_shown *shown, size_t count, bool in_full, struct buffer *out)
{
    struct json_writer json;
    json_writer_init(&json, out);
    if (!in_full)
        json_begin_array(&json);
    for (size_t i = 0; i < count; i++)
        write_one(&json, &shown[i]);
    if (!in_full)
        json_end_array(&json);
    buffer_byte(out, '\n');
}

status attack_show(const struct attack_shown *shown, size_t count, bool in_full, enum attack_format format,
                   struct buffer *out, error *why)
{
    if (format == ATTACK_JSON)
        show_json(shown, count, in_full, out);
    else if (format == ATTACK_MARKDOWN)
        show_markdown(shown, count, out);
    else if (in_full)
        TRY(show_in_full(shown, out, why));
    else
        TRY(show_rows(shown, count, out, why));
    return buffer_check(out, why);
}
