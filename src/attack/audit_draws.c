/* What must be drawn afresh for each release, and is not seen in an answer's own noise.
 *
 * An inner release: in WHERE 0 < (SELECT count(*) ... of nobody), the true inner count is 0, and with its noise the condition holds
 * about every other time. If it always comes out the same, the exact number was used.
 *
 * The choice of groups: of somebody with more groups than count, other groups are chosen each time. */
#include <math.h>
#include <string.h>

#include "attack/audit_parts.h"

enum {
    PEOPLE = 500,
    ASKED = 48, /* all the same once in 2^40 times, with the noise that is least even */
    CHOICES = 12,
    SPREAD_ROWS = 60,
};

/* ---- Inner releases ---- */

static status count_holding(struct audit_run *run, struct audit_world *world, const char *sql, double half,
                            size_t *answered, size_t *held, error *why)
{
    for (size_t i = 0; i < ASKED; i++) {
        struct audit_answer answer;
        char amount[40];
        audit_fresh_amount(world, 1, amount);
        TRY(audit_run_ask(run, world, sql, &(struct audit_settings){.amount = amount}, &answer, why));
        if (answer.result == DITHER_OK && answer.row_count == 1) {
            ++*answered;
            *held += audit_answer_number(&answer, 0, 0) > half;
        }
        audit_answer_free(&answer);
    }
    return DITHER_OK;
}

/* As a number in a condition, and as rows that private ones are joined with. */
static const char *const inner_forms[] = {
    "SELECT count(*) FROM %s WHERE 0 < (SELECT count(*) FROM %s WHERE %s IS NULL)",
    "SELECT count(*) FROM %s CROSS JOIN (SELECT count(*) AS c FROM %s WHERE %s IS NULL) r WHERE r.c > 0",
};

static void print_inner(const struct policy_table *table, const char *form, struct buffer *out)
{
    size_t names = 0;
    for (const char *at = form; *at != '\0'; at++) {
        if (*at != '%') {
            buffer_byte(out, *at);
            continue;
        }
        audit_print_name(out, names++ < 2 ? table->name : audit_unit_name(table));
        at++;
    }
}

static status look_inside(struct audit_run *run, struct audit_world *world, const struct policy_table *table,
                          const char *form, error *why)
{
    struct buffer sql;
    size_t answered = 0, held = 0;
    uint64_t rows = audit_data_single(table) ? 1 : audit_quiet_rows(run, table->unit);
    if (audit_unit_name(table) == NULL)
        return DITHER_OK;
    buffer_init(&sql, 1 << 12);
    print_inner(table, form, &sql);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = count_holding(run, world, sql.data, (double)(PEOPLE * rows) / 2, &answered, &held, why);
    if (result == DITHER_OK && answered == ASKED) {
        audit_tested(run, AUDIT_SHAPE);
        if (held == 0 || held == answered)
            audit_convict(run, AUDIT_SHAPE, sql.data,
                          "the inner count of nobody is always %s: it has no noise",
                          held == 0 ? "0" : "above 0");
    }
    buffer_free(&sql);
    return result;
}

/* ---- Choices ---- */

static status look_at_choice(struct audit_run *run, struct audit_world *world,
                             const struct policy_table *table, const struct policy_column *key, error *why)
{
    struct buffer sql, first;
    bool differs = false;
    size_t answered = 0;
    status result = DITHER_OK;
    buffer_init(&sql, 1 << 12);
    buffer_init(&first, 16 << 20);
    buffer_text(&sql, "SELECT ");
    audit_print_name(&sql, key->name);
    buffer_text(&sql, ", count(*) FROM ");
    audit_print_name(&sql, table->name);
    buffer_text(&sql, " GROUP BY ");
    audit_print_name(&sql, key->name);
    for (size_t i = 0; result == DITHER_OK && !differs && i < CHOICES; i++) {
        struct audit_answer answer;
        char amount[40];
        audit_fresh_amount(world, AUDIT_NOISELESS, amount);
        result =
            audit_run_ask(run, world, sql.data, &(struct audit_settings){.amount = amount}, &answer, why);
        if (result != DITHER_OK)
            break;
        size_t start = first.length, half = first.length;
        for (size_t row = 0; answer.result == DITHER_OK && row < answer.row_count; row++)
            buffer_format(&first, "%s|", audit_answer_text(&answer, row, 1));
        answered += answer.result == DITHER_OK;
        half = answered > 1 ? start / (answered - 1) : 0;
        differs = answered > 1 &&
                  (first.length - start != half || memcmp(first.data, first.data + start, half) != 0);
        audit_answer_free(&answer);
    }
    if (result == DITHER_OK && answered == CHOICES) {
        audit_tested(run, AUDIT_SHAPE);
        if (!differs)
            audit_convict(run, AUDIT_SHAPE, sql.data,
                          "of a person with too many groups the same ones are always chosen");
    }
    buffer_free(&first);
    buffer_free(&sql);
    return result;
}

static status look_at_choices(struct audit_run *run, const struct policy_table *table, error *why)
{
    struct audit_data data;
    struct audit_world world;
    const struct policy_column *key = audit_public_key(run, table, 5000, 0);
    if (audit_data_single(table) || key == NULL || audit_cell_domain(key, 5000) < 4 * table->max_groups)
        return DITHER_OK;
    TRY(audit_data_open(run->policy, run->options->seed, &data, why));
    audit_data_public(&data);
    audit_data_person(&data, &(struct audit_person){
                                 .kind = table->unit, .id = 7, .style = STYLE_SPREAD, .rows = SPREAD_ROWS});
    status result = audit_run_open(run, &data, &world, why);
    audit_data_close(&data);
    TRY(result);
    result = look_at_choice(run, &world, table, key, why);
    audit_world_close(&world);
    return result;
}

status audit_draws(struct audit_run *run, error *why)
{
    struct audit_data data;
    struct audit_world world;
    audit_tell(run, "shape: inner releases and choices");
    TRY(audit_data_open(run->policy, run->options->seed, &data, why));
    audit_data_public(&data);
    audit_quiet_people(run, &data, PEOPLE);
    status result = audit_run_open(run, &data, &world, why);
    audit_data_close(&data);
    TRY(result);
    for (size_t i = 0; result == DITHER_OK && i < run->policy->table_count; i++)
        for (size_t j = 0; result == DITHER_OK && j < sizeof inner_forms / sizeof inner_forms[0]; j++)
            if (run->policy->tables[i].protection != POLICY_PUBLIC)
                result = look_inside(run, &world, &run->policy->tables[i], inner_forms[j], why);
    audit_world_close(&world);
    for (size_t i = 0; result == DITHER_OK && i < run->policy->table_count; i++)
        if (run->policy->tables[i].protection != POLICY_PUBLIC)
            result = look_at_choices(run, &run->policy->tables[i], why);
    return result;
}
