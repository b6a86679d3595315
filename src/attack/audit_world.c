/* Folders, files and curators. */
#include "attack/audit_world.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "curator/format.h"

enum { TEXT_BYTES = 16 << 20, ANSWER_BYTES = 1 << 30 };

/* ---- Files ---- */

static status write_file(const char *path, const struct buffer *content, error *why)
{
    TRY(buffer_check(content, why));
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return fail(why, DITHER_IO, "%.200s: %s", path, strerror(errno));
    bool whole = fwrite(content->data, 1, content->length, file) == content->length;
    if (fclose(file) != 0 || !whole)
        return fail(why, DITHER_IO, "%.200s cannot be written: %s", path, strerror(errno));
    return DITHER_OK;
}

static status make_folder(struct audit_world *world, error *why)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] != '/' || strlen(parent) > 100)
        parent = "/tmp";
    snprintf(world->folder, sizeof world->folder, "%s/dither-audit-XXXXXX", parent);
    if (mkdtemp(world->folder) == NULL) {
        int code = errno;
        world->folder[0] = '\0';
        return fail(why, DITHER_IO, "no scratch folder in %.100s: %s", parent, strerror(code));
    }
    snprintf(world->policy, sizeof world->policy, "%s/audit.yaml", world->folder);
    return DITHER_OK;
}

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char inner[600];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(inner) != 0)
            remove_folder(inner);
    }
    if (folder != NULL)
        closedir(folder);
    (void)rmdir(path);
}

static status write_policy(const struct policy *policy, const struct audit_world_options *options,
                           const struct audit_world *world, error *why)
{
    struct buffer text;
    buffer_init(&text, TEXT_BYTES);
    audit_policy_write(policy, options, &text);
    status result = write_file(world->policy, &text, why);
    buffer_free(&text);
    return result;
}

static status write_files(const struct audit_data *data, const struct audit_world_options *options,
                          const struct audit_world *world, error *why)
{
    status result = write_policy(data->policy, options, world, why);
    for (size_t i = 0; result == DITHER_OK && i < data->policy->table_count; i++) {
        char path[220];
        snprintf(path, sizeof path, "%s/table%zu.csv", world->folder, i);
        result = write_file(path, &data->tables[i], why);
    }
    return result;
}

/* ---- Curators ---- */

static status open_curator(struct audit_world *world, error *why)
{
    error inner;
    struct curator_options options = {
        .state_directory = world->folder, .engine = {.threads = 1}, .owner = true};
    if (curator_open(world->policy, &options, &world->curator, &inner) == DITHER_OK)
        return DITHER_OK;
    return fail(why, inner.status, "the auditor's data could not be opened: %.400s", inner.message);
}

status audit_world_open(const struct audit_data *data, const struct audit_world_options *options,
                        struct audit_world *out, error *why)
{
    *out = (struct audit_world){.currency = data->policy->budget.currency, .stop = options->stop};
    status result = make_folder(out, why);
    if (result == DITHER_OK)
        result = write_files(data, options, out, why);
    if (result == DITHER_OK && options->duckdb)
        result = audit_rows_to_duckdb(data->policy, out->folder, why);
    if (result == DITHER_OK && !options->rest)
        result = open_curator(out, why);
    if (result != DITHER_OK)
        audit_world_close(out);
    return result;
}

void audit_world_rest(struct audit_world *world)
{
    curator_close(world->curator);
    world->curator = NULL;
}

status audit_world_reopen(struct audit_world *world, error *why)
{
    audit_world_rest(world);
    return open_curator(world, why);
}

status audit_world_change(struct audit_world *world, const struct policy *policy,
                          const struct audit_world_options *options, error *why)
{
    audit_world_rest(world);
    TRY(write_policy(policy, options, world, why));
    return open_curator(world, why);
}

void audit_world_close(struct audit_world *world)
{
    audit_world_rest(world);
    if (world->folder[0] != '\0')
        remove_folder(world->folder);
    world->folder[0] = '\0';
}

/* ---- Asking ---- */

void audit_fresh_amount(struct audit_world *world, uint64_t whole, char out[40])
{
    snprintf(out, 40, "%llu.%09llu", (unsigned long long)whole, (unsigned long long)++world->asked);
}

static status make_question(const struct audit_world *world, const char *sql,
                            const struct audit_settings *settings, struct curator_question *out, error *why)
{
    struct sql_options *options = &out->settings;
    *out = (struct curator_question){.text = sql};
    if (settings == NULL)
        return DITHER_OK;
    out->analyst = settings->analyst;
    out->request = settings->request;
    options->max_groups = settings->max_groups;
    options->max_rows = settings->max_rows;
    if (settings->amount != NULL)
        TRY(decimal_parse(settings->amount,
                          world->currency == LEDGER_CONCENTRATED ? &options->rho : &options->epsilon, why));
    if (settings->delta != NULL && world->currency != LEDGER_PURE)
        TRY(decimal_parse(settings->delta, &options->delta, why));
    return DITHER_OK;
}

static status copy_cells(const struct curator_answer *from, struct audit_answer *out, error *why)
{
    struct buffer text;
    void *texts = NULL;
    size_t count = from->rows.row_count * from->column_count;
    TRY(arena_take(&out->arena, count * sizeof *out->texts, &texts, why));
    out->texts = texts;
    buffer_init(&text, TEXT_BYTES);
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < count; i++) {
        if (from->rows.cells[i].null)
            continue;
        buffer_clear(&text);
        format_value(&text, &from->rows.cells[i]);
        result = buffer_check(&text, why);
        if (result == DITHER_OK)
            result =
                arena_text(&out->arena, text.data != NULL ? text.data : "", text.length, &out->texts[i], why);
    }
    buffer_free(&text);
    return result;
}

static status copy_answer(const struct curator_answer *from, struct audit_answer *out, error *why)
{
    void *columns = NULL;
    TRY(arena_take(&out->arena, from->column_count * sizeof *out->columns, &columns, why));
    out->columns = columns;
    out->column_count = from->column_count;
    out->row_count = from->rows.row_count;
    for (size_t i = 0; i < from->column_count; i++) {
        const struct curator_noise *noise = &from->columns[i].noise;
        struct audit_column *column = &out->columns[i];
        snprintf(column->name, sizeof column->name, "%s", from->columns[i].name);
        snprintf(column->mechanism, sizeof column->mechanism, "%s",
                 noise->mechanism != NULL ? noise->mechanism : "");
        column->noisy = from->columns[i].noisy;
        column->scale = noise->scale;
        column->grid = noise->grid;
        column->epsilon = noise->epsilon;
        column->rho = noise->rho;
    }
    out->cost_epsilon = decimal_to_double(from->cost.epsilon);
    out->cost_delta = decimal_to_double(from->cost.delta);
    out->cost_rho = decimal_to_double(from->cost.rho);
    out->cached = from->cached;
    out->cost = from->cost;
    out->left = from->remaining;
    return copy_cells(from, out, why);
}

status audit_ask(struct audit_world *world, const char *sql, const struct audit_settings *settings,
                 struct audit_answer *out, error *why)
{
    struct curator_question question;
    struct curator_answer *answer = NULL;
    error inner = {.message = ""};
    if (world->stop != NULL && *world->stop != 0)
        return fail(why, DITHER_REFUSED, "interrupted");
    TRY(make_question(world, sql, settings, &question, why));
    *out = (struct audit_answer){.result = curator_ask(world->curator, &question, &answer, &inner)};
    arena_init(&out->arena, ANSWER_BYTES);
    if (out->result != DITHER_OK) {
        memcpy(out->message, inner.message, sizeof out->message);
        return out->result == DITHER_NO_MEMORY || out->result == DITHER_NO_ENTROPY
                   ? fail(why, out->result, "%s", inner.message)
                   : DITHER_OK;
    }
    status result = copy_answer(answer, out, why);
    curator_answer_free(answer);
    if (result != DITHER_OK)
        audit_answer_free(out);
    return result;
}

status audit_explain(struct audit_world *world, const char *sql, const struct audit_settings *settings,
                     struct buffer *out, error *why)
{
    struct curator_question question;
    TRY(make_question(world, sql, settings, &question, why));
    buffer_clear(out);
    if (curator_explain(world->curator, &question, true, out, NULL) != DITHER_OK)
        buffer_clear(out);
    return buffer_check(out, why);
}

/* ---- Answers ---- */

void audit_answer_free(struct audit_answer *answer)
{
    arena_free(&answer->arena);
}

const char *audit_answer_text(const struct audit_answer *answer, size_t row, size_t column)
{
    return answer->texts[row * answer->column_count + column];
}

double audit_answer_number(const struct audit_answer *answer, size_t row, size_t column)
{
    const char *text = audit_answer_text(answer, row, column);
    char *end = NULL;
    double number = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && end != text && *end == '\0' ? number : NAN;
}

bool audit_answer_same(const struct audit_answer *a, const struct audit_answer *b)
{
    if (a->result != b->result || a->row_count != b->row_count || a->column_count != b->column_count)
        return false;
    for (size_t i = 0; i < a->row_count * a->column_count; i++)
        if ((a->texts[i] == NULL) != (b->texts[i] == NULL) ||
            (a->texts[i] != NULL && strcmp(a->texts[i], b->texts[i]) != 0))
            return false;
    return true;
}

void audit_answer_key(const struct audit_answer *answer, size_t row, struct buffer *out)
{
    buffer_clear(out);
    for (size_t i = 0; i < answer->column_count; i++)
        if (!answer->columns[i].noisy) {
            const char *text = audit_answer_text(answer, row, i);
            buffer_text(out, text != NULL ? text : "\x01"); /* NULL is no text that a cell has */
            buffer_byte(out, '|');
        }
}
