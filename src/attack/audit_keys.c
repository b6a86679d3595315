/* Which hidden keys are shown.
 *
 * The curve: many keys with 1, 2, 3, ... people; how often each size is shown must be what the stated epsilon and delta give,
 *     p(0) = 0,  p(n) = min(e^epsilon p(n-1) + delta, 1 - e^-epsilon (1 - p(n-1) - delta), 1)
 * (Desfontaines, Voss, Gipson, Mandayam 2022), written down here once more from the paper. Single people: keys with one person,
 * who has many rows under it, at a delta that makes showing one a miracle. Crowded people: many people who each have far more keys
 * than count, so that after bounding hardly anybody is left behind any key. Delta: people who each have as many keys as count, all
 * of them theirs alone; without the person none of these can be shown, so with him one of them may be with probability delta and no
 * more, however many they are. */
#include <stdio.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attack/audit_parts.h"

enum {
    MOST_SIZE = 12,
    CURVE_KEYS = 60, /* of each size */
    CURVE_ROWS = 5,  /* of each person under his key: people count, not rows */
    CURVE_ASKED = 6,
    SHORT_CURVE_ASKED = 2,
    SINGLE_KEYS = 1500,
    SINGLE_ROWS = 40,
    CROWD = 80,
    CROWD_KEYS = 300, /* of each person */
    MIRACLES_ASKED = 3,
    OWNERS = 1500, /* of keys of their own */
    OWNERS_ASKED = 2,
};

struct subject {
    struct audit_run *run;
    const struct policy_table *table;
    const struct policy_column *key;
    const char *sql;
};

/* A column whose values are not public, and are kept as they are. */
static const struct policy_column *hidden_key(const struct audit_run *run, const struct policy_table *table)
{
    const struct policy_column *text = audit_hidden_key(run, table);
    for (size_t i = 0; text == NULL && i < table->column_count; i++)
        if (table->columns[i].type == POLICY_REAL &&
            !audit_data_is_key(run->policy, table, &table->columns[i]))
            return &table->columns[i];
    return text;
}

/* ---- Data ---- */

struct place {
    const struct subject *subject;
    uint64_t first; /* the key of row 0 */
    bool spread;    /* the next row has the next key */
};

static bool place_cell(void *context, const struct policy_table *table, const struct policy_column *column,
                       uint64_t row, struct buffer *out)
{
    const struct place *place = context;
    if (table != place->subject->table || column != place->subject->key)
        return false;
    audit_cell_key(column, place->first + (place->spread ? row : 0), out);
    return true;
}

static void put(const struct subject *subject, struct audit_data *data, uint64_t id, struct place place,
                uint64_t rows)
{
    audit_data_person(data, &(struct audit_person){.kind = subject->table->unit,
                                                   .id = id,
                                                   .style = STYLE_QUIET,
                                                   .rows = rows,
                                                   .only = subject->table,
                                                   .cell = place_cell,
                                                   .context = &place});
}

static uint64_t key_number(const char *text)
{
    return text == NULL ? 0 : strtoull(text[0] == 'k' ? text + 1 : text, NULL, 10);
}

static status open_world(const struct subject *subject,
                         void (*fill)(const struct subject *, struct audit_data *), struct audit_world *out,
                         error *why)
{
    struct audit_data data;
    TRY(audit_data_open(subject->run->policy, subject->run->options->seed + 3, &data, why));
    audit_data_public(&data);
    fill(subject, &data);
    status result = audit_run_open(subject->run, &data, out, why);
    audit_data_close(&data);
    return result;
}

/* ---- The curve ---- */

static void fill_curve(const struct subject *subject, struct audit_data *data)
{
    uint64_t id = 0;
    for (uint64_t size = 1; size <= MOST_SIZE; size++)
        for (uint64_t key = 0; key < CURVE_KEYS; key++)
            for (uint64_t i = 0; i < size; i++)
                put(subject, data, ++id, (struct place){.subject = subject, .first = size * 1000 + key},
                    CURVE_ROWS);
}

struct stated {
    double epsilon, delta, groups;
};

static double member(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* What the explanation says of the selection of keys, in the question's one release. */
static bool read_stated(const char *text, struct stated *out)
{
    json_error_t trouble;
    json_t *root = json_loads(text, 0, &trouble);
    const json_t *release = json_array_get(json_object_get(root, "releases"), 0);
    const json_t *parts = json_object_get(release, "parts");
    bool found = false;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        const char *measure = json_string_value(json_object_get(part, "measure"));
        const json_t *cost = json_object_get(part, "cost");
        if (measure == NULL || strcmp(measure, "selection of keys") != 0)
            continue;
        *out = (struct stated){.epsilon = member(cost, "epsilon"),
                               .delta = member(cost, "delta"),
                               .groups = member(release, "max_groups")};
        if (member(cost, "rho") > 0)
            out->epsilon = sqrt(2 * member(cost, "rho"));
        found = out->groups >= 1;
    }
    json_decref(root);
    return found;
}

static void make_curve(const struct stated *stated, double shown[MOST_SIZE + 1])
{
    double epsilon = stated->epsilon / stated->groups;
    double delta = -expm1(log1p(-stated->delta) / stated->groups);
    shown[0] = 0;
    for (size_t n = 1; n <= MOST_SIZE; n++)
        shown[n] = fmin(
            1, fmin(exp(epsilon) * shown[n - 1] + delta, 1 - exp(-epsilon) * (1 - shown[n - 1] - delta)));
}

static void judge_curve(const struct subject *subject, const struct stated *stated,
                        const uint64_t seen[MOST_SIZE + 1], uint64_t asked)
{
    struct audit_report *report = subject->run->report;
    double shown[MOST_SIZE + 1];
    char what[100];
    make_curve(stated, shown);
    struct audit_curve *curve =
        report->curve_count < AUDIT_CURVES ? &report->curves[report->curve_count++] : NULL;
    for (size_t n = 1; n <= MOST_SIZE; n++) {
        snprintf(what, sizeof what, "keys with %zu people, shown %llu times of %llu", n,
                 (unsigned long long)seen[n], (unsigned long long)(asked * CURVE_KEYS));
        audit_fit(subject->run, AUDIT_KEYS, subject->sql, what,
                  audit_binomial_two_sided(asked * CURVE_KEYS, shown[n], seen[n]));
        if (curve != NULL) {
            curve->x[n - 1] = (double)n;
            curve->seen[n - 1] = (double)seen[n] / (double)(asked * CURVE_KEYS);
            curve->expected[n - 1] = shown[n];
            curve->count = n;
        }
    }
    if (curve != NULL) {
        curve->title = "hidden keys that are shown";
        curve->x_name = "people behind the key";
        curve->y_name = "share shown";
    }
}

static status look_at_curve(const struct subject *subject, error *why)
{
    struct audit_world world;
    struct buffer told;
    struct stated stated = {0};
    uint64_t seen[MOST_SIZE + 1] = {0}, asked = subject->run->shortly ? SHORT_CURVE_ASKED : CURVE_ASKED,
                              answered = 0;
    TRY(open_world(subject, fill_curve, &world, why));
    buffer_init(&told, 64 << 20);
    struct audit_settings settings = {
        .amount = "4", .delta = "1e-3", .max_groups = subject->table->max_groups > 2 ? 2 : 0};
    status result = audit_explain(&world, subject->sql, &settings, &told, why);
    bool found = result == DITHER_OK && told.length > 0 && read_stated(told.data, &stated);
    buffer_free(&told);
    for (uint64_t i = 0; result == DITHER_OK && found && i < asked; i++) {
        struct audit_answer answer;
        char amount[40];
        audit_fresh_amount(&world, 4, amount);
        settings.amount = amount;
        result = audit_run_ask(subject->run, &world, subject->sql, &settings, &answer, why);
        for (size_t row = 0; result == DITHER_OK && answer.result == DITHER_OK && row < answer.row_count;
             row++) {
            uint64_t size = key_number(audit_answer_text(&answer, row, 0)) / 1000;
            seen[size <= MOST_SIZE ? size : 0]++;
        }
        answered += result == DITHER_OK && answer.result == DITHER_OK;
        if (result == DITHER_OK)
            audit_answer_free(&answer);
    }
    if (result == DITHER_OK && found && answered == asked)
        judge_curve(subject, &stated, seen, asked);
    audit_world_close(&world);
    return result;
}

/* ---- What must never be shown ---- */

static void fill_single(const struct subject *subject, struct audit_data *data)
{
    uint64_t keys = subject->run->shortly ? SINGLE_KEYS / 5 : SINGLE_KEYS;
    for (uint64_t i = 1; i <= keys; i++)
        put(subject, data, i, (struct place){.subject = subject, .first = i}, SINGLE_ROWS);
}

static void fill_crowd(const struct subject *subject, struct audit_data *data)
{
    for (uint64_t i = 1; i <= CROWD; i++)
        put(subject, data, i, (struct place){.subject = subject, .first = 1, .spread = true}, CROWD_KEYS);
}

/* With an epsilon so large that a few people too many would show a key: what keeps it hidden is delta alone. */
static status expect_nothing(const struct subject *subject, uint64_t whole,
                             void (*fill)(const struct subject *, struct audit_data *), const char *what,
                             error *why)
{
    struct audit_world world;
    TRY(open_world(subject, fill, &world, why));
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < MIRACLES_ASKED; i++) {
        struct audit_answer answer;
        char amount[40];
        audit_fresh_amount(&world, whole, amount);
        struct audit_settings settings = {
            .amount = amount, .delta = "1e-15", .max_groups = subject->table->max_groups > 2 ? 2 : 0};
        result = audit_run_ask(subject->run, &world, subject->sql, &settings, &answer, why);
        if (result != DITHER_OK)
            break;
        audit_tested(subject->run, AUDIT_KEYS);
        if (answer.result == DITHER_OK && answer.row_count > 0)
            audit_convict(subject->run, AUDIT_KEYS, subject->sql, "%zu keys are shown %s", answer.row_count,
                          what);
        audit_answer_free(&answer);
    }
    audit_world_close(&world);
    return result;
}

/* ---- Delta ---- */

static uint64_t keys_of_one(const struct subject *subject)
{
    return audit_data_single(subject->table) ? 1
           : subject->table->max_groups > 2  ? 2
                                             : subject->table->max_groups;
}

static uint64_t owners(const struct subject *subject)
{
    return subject->run->shortly ? OWNERS / 3 : OWNERS;
}

static void fill_owners(const struct subject *subject, struct audit_data *data)
{
    uint64_t keys = keys_of_one(subject);
    for (uint64_t i = 1; i <= owners(subject); i++)
        put(subject, data, i, (struct place){.subject = subject, .first = i * keys, .spread = true}, keys);
}

/* How many people have a key in the answer, which is sorted: a person's keys follow each other in the data, and need not here. */
static uint64_t count_owners(const struct subject *subject, const struct audit_answer *answer)
{
    uint64_t keys = keys_of_one(subject), count = 0;
    for (size_t row = 0; row < answer->row_count; row++) {
        uint64_t owner = key_number(audit_answer_text(answer, row, 0)) / keys;
        bool before = false;
        for (size_t other = 0; other < row && !before; other++)
            before = key_number(audit_answer_text(answer, other, 0)) / keys == owner;
        count += !before;
    }
    return count;
}

/* A large delta, so that a factor of two is seen. The selection's own share of it is what counts: the counts may spend the rest. */
static status look_at_delta(const struct subject *subject, error *why)
{
    struct audit_world world;
    struct buffer told;
    struct stated stated = {0};
    uint64_t shown = 0, answered = 0;
    struct audit_settings settings = {.amount = "1", .delta = "0.2", .max_groups = keys_of_one(subject)};
    TRY(open_world(subject, fill_owners, &world, why));
    buffer_init(&told, 64 << 20);
    status result = audit_explain(&world, subject->sql, &settings, &told, why);
    bool found = result == DITHER_OK && told.length > 0 && read_stated(told.data, &stated);
    buffer_free(&told);
    for (uint64_t i = 0; result == DITHER_OK && found && i < OWNERS_ASKED; i++) {
        struct audit_answer answer;
        char amount[40], what[100];
        audit_fresh_amount(&world, 1, amount);
        settings.amount = amount;
        result = audit_run_ask(subject->run, &world, subject->sql, &settings, &answer, why);
        if (result != DITHER_OK)
            break;
        answered += answer.result == DITHER_OK;
        shown += answer.result == DITHER_OK ? count_owners(subject, &answer) : 0;
        audit_answer_free(&answer);
        if (answered < OWNERS_ASKED)
            continue;
        snprintf(what, sizeof what, "of %llu people with %llu keys of their own %llu are shown, at delta %g",
                 (unsigned long long)(answered * owners(subject)), (unsigned long long)keys_of_one(subject),
                 (unsigned long long)shown, stated.delta);
        audit_fit(subject->run, AUDIT_KEYS, subject->sql, what,
                  audit_binomial_at_least(answered * owners(subject), stated.delta, shown));
    }
    audit_world_close(&world);
    return result;
}

static status look_at(const struct subject *subject, error *why)
{
    audit_tell(subject->run, "keys: %s of %s", subject->key->name, subject->table->name);
    TRY(look_at_curve(subject, why));
    TRY(look_at_delta(subject, why));
    TRY(expect_nothing(subject, 40, fill_single, "that one person has", why));
    if (!audit_data_single(subject->table))
        TRY(expect_nothing(subject, 8, fill_crowd, "though bounding leaves hardly anybody behind a key",
                           why));
    return DITHER_OK;
}

status audit_keys(struct audit_run *run, error *why)
{
    bool any = false;
    if (decimal_is_zero(run->policy->budget.total.delta))
        run->report->skipped[AUDIT_KEYS] = "the budget has no delta, and hidden keys are refused";
    for (size_t i = 0; run->report->skipped[AUDIT_KEYS] == NULL && i < run->policy->table_count; i++) {
        const struct policy_table *table = &run->policy->tables[i];
        const struct policy_column *key = hidden_key(run, table);
        struct buffer sql;
        if (table->protection == POLICY_PUBLIC || key == NULL)
            continue;
        buffer_init(&sql, 1 << 12);
        buffer_text(&sql, key->type == POLICY_TEXT ? "SELECT " : "SELECT CAST(");
        audit_print_name(&sql, key->name);
        buffer_text(&sql, key->type == POLICY_TEXT ? ", count(*) FROM " : " AS text), count(*) FROM ");
        audit_print_name(&sql, table->name);
        buffer_text(&sql, " GROUP BY 1");
        status result = buffer_check(&sql, why);
        if (result == DITHER_OK)
            result = look_at(&(struct subject){.run = run, .table = table, .key = key, .sql = sql.data}, why);
        buffer_free(&sql);
        TRY(result);
        any = true;
    }
    if (!any && run->report->skipped[AUDIT_KEYS] == NULL)
        run->report->skipped[AUDIT_KEYS] = "no table has a column with hidden keys";
    return DITHER_OK;
}
