/* Does a question pay for everybody whom it is about?
 *
 * People stand in the blocks of the policy: some in each, some in none (an undeclared value, or no row where the block is written). A
 * question is asked in many forms, some of which are confined to one block and some of which only look like it. The ledger
 * shows which blocks were charged. Without the people of a block that was not charged, the exact answer has to be the same:
 * otherwise they were asked about and paid nothing. What is charged must also be what is said, no question may be free, and
 * when there is a new version of the data, where people may have moved, every block has spent what the block that spent most has. */
#include <jansson.h>
#include <string.h>

#include "attack/audit_parts.h"
#include "ledger/handle.h"
#include "ledger/state_json.h"

enum {
    MOST_BLOCKS = 6, /* that are told apart, with rest as the last; a policy may have more */
    PEOPLE = 4,      /* in each block */
    MOST_FORMS = 16,
};

/* {T} the block's table, {B} its column, {v} and {w} two blocks, {u} the unit, {C} a table that points to it, {K} the condition that
 * joins it (as y) with the block's table (as x). */
static const char *const forms[] = {
    "SELECT count(*) FROM {T} WHERE {B} = {v}",
    "SELECT count(*) FROM {T} WHERE {B} IN ({v}, {w})",
    "SELECT count(*) FROM {T} WHERE NOT {B} <> {v}",
    "SELECT count(*) FROM {T} WHERE {B} <> {v}",
    "SELECT count(*) FROM {T} WHERE {B} = {v} OR {u} IS NOT NULL",
    "SELECT count(*) FROM {T} WHERE {B} = {v} AND {B} = {w}",
    "SELECT {B}, count(*) FROM {T} GROUP BY {B} HAVING count(*) > 0",
    "SELECT count(*) FROM (SELECT * FROM {T} WHERE {B} = {v}) x",
    "SELECT (SELECT count(*) FROM {T} WHERE {B} = {v}) - (SELECT count(*) FROM {T} WHERE {B} = {w})",
    "SELECT count(*) FROM {T} x WHERE NOT EXISTS (SELECT 1 FROM {T} z WHERE z.{u} = x.{u} AND z.{B} = {v})",
    "SELECT count(*) FROM {T} x JOIN {C} y ON {K} WHERE x.{B} = {v}",
    "SELECT count(*) FROM {C} y LEFT JOIN {T} x ON {K} AND x.{B} = {v}",
    "SELECT count(*) FROM {T} x LEFT JOIN {C} y ON {K} AND x.{B} = {v}",
    "SELECT count(*) FROM {C} y LEFT JOIN (SELECT * FROM {T} WHERE {B} = {v}) x ON {K}",
    "SELECT count(*) FROM {C} y",
};
enum { FORMS = sizeof forms / sizeof forms[0] };
_Static_assert((int)FORMS <= (int)MOST_FORMS, "room for all forms");

struct asked {
    char *sql; /* NULL: the policy has not what the form needs */
    bool charged[MOST_BLOCKS];
    struct audit_answer answer;
};

struct blocks {
    struct audit_run *run;
    const struct policy_table *table, *child; /* child: NULL, none points to it */
    const struct policy_column *column;
    size_t count; /* that are told apart, without rest */
    struct asked asked[MOST_FORMS];
    struct audit_world world;
};

static void expect(struct blocks *blocks, bool kept, const char *sql, const char *broken)
{
    audit_tested(blocks->run, AUDIT_BLOCKS);
    if (!kept)
        audit_convict(blocks->run, AUDIT_BLOCKS, sql, "%s", broken);
}

/* ---- Questions ---- */

static void print_value(const struct policy_column *column, size_t index, struct buffer *out)
{
    bool plain = column->type == POLICY_INTEGER || column->type == POLICY_REAL ||
                 column->type == POLICY_DECIMAL || column->type == POLICY_BOOLEAN;
    if (plain) {
        buffer_text(out, column->values[index].text);
        return;
    }
    buffer_byte(out, '\'');
    for (const char *at = column->values[index].text; *at != '\0'; at++) {
        buffer_text(out, *at == '\'' ? "'" : "");
        buffer_byte(out, *at);
    }
    buffer_byte(out, '\'');
}

static void print_join(const struct policy_table *child, struct buffer *out)
{
    for (size_t i = 0; i < child->key_count; i++) {
        buffer_text(out, i > 0 ? " AND y." : "y.");
        audit_print_name(out, child->keys[i].column->name);
        buffer_text(out, " = x.");
        audit_print_name(out, child->keys[i].parent_column->name);
    }
}

static bool fill_in(const struct blocks *blocks, char what, struct buffer *out)
{
    const char *unit = audit_unit_name(blocks->table);
    if (what == 'T')
        audit_print_name(out, blocks->table->name);
    else if (what == 'B')
        audit_print_name(out, blocks->column->name);
    else if (what == 'v' || what == 'w')
        print_value(blocks->column, what == 'w', out);
    else if (what == 'u' && unit != NULL)
        audit_print_name(out, unit);
    else if (what == 'C' && blocks->child != NULL)
        audit_print_name(out, blocks->child->name);
    else if (what == 'K' && blocks->child != NULL)
        print_join(blocks->child, out);
    else
        return false;
    return true;
}

static status write_form(struct blocks *blocks, size_t form, error *why)
{
    struct buffer sql;
    bool possible = true;
    buffer_init(&sql, 1 << 14);
    for (const char *at = forms[form]; *at != '\0' && possible; at++) {
        if (*at != '{') {
            buffer_byte(&sql, *at);
            continue;
        }
        possible = fill_in(blocks, at[1], &sql);
        at += 2;
    }
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK && possible)
        result = arena_text(&blocks->run->arena, sql.data, sql.length, &blocks->asked[form].sql, why);
    buffer_free(&sql);
    return result;
}

/* ---- People ---- */

struct place {
    const struct blocks *blocks;
    size_t block;
};

static bool place_cell(void *context, const struct policy_table *table, const struct policy_column *column,
                       uint64_t row, struct buffer *out)
{
    const struct place *place = context;
    if (table != place->blocks->table || column != place->blocks->column)
        return false;
    if (place->block < place->blocks->count)
        audit_cell_of_domain(column, place->block, out);
    else
        audit_cell_styled(column, STYLE_HIGH, row, 0, out); /* none of the declared */
    return true;
}

/* Everybody but the people of block `without`. Half of those in rest have no row in the block's table, if they can have others. */
static status open_world(struct blocks *blocks, size_t without, const struct audit_world_options *options,
                         struct audit_world *out, error *why)
{
    struct audit_data data;
    struct audit_run *run = blocks->run;
    TRY(audit_data_open(run->policy, run->options->seed + 5, &data, why));
    audit_data_public(&data);
    for (size_t block = 0; block <= blocks->count; block++)
        for (uint64_t i = 0; i < PEOPLE && block != without; i++) {
            struct place place = {blocks, block};
            audit_data_person(&data,
                              &(struct audit_person){.kind = blocks->table->unit,
                                                     .id = block * PEOPLE + i + 1,
                                                     .style = STYLE_QUIET,
                                                     .rows = audit_quiet_rows(run, blocks->table->unit),
                                                     .orphan = block == blocks->count && i % 2 == 1 &&
                                                               blocks->child != NULL,
                                                     .cell = place_cell,
                                                     .context = &place});
        }
    status result = audit_world_open(&data, options, out, why);
    audit_data_close(&data);
    return result;
}

/* ---- The ledger ---- */

struct spent {
    const struct blocks *blocks;
    struct decimal amounts[MOST_BLOCKS]; /* rest is the last */
};

static status read_spent(struct ledger *ledger, void *context, error *why)
{
    struct spent *spent = context;
    const struct blocks *blocks = spent->blocks;
    (void)why;
    for (size_t i = 0; i <= blocks->count; i++) {
        size_t block = i < blocks->count ? i : blocks->column->value_count;
        struct ledger_cost cost = state_block_sum(&ledger->state, block).window;
        spent->amounts[i] = blocks->world.currency == LEDGER_CONCENTRATED ? cost.rho : cost.epsilon;
    }
    return DITHER_OK;
}

static status look_at_spent(struct blocks *blocks, struct spent *out, error *why)
{
    *out = (struct spent){.blocks = blocks};
    return curator_look(blocks->world.curator, read_spent, out, why);
}

/* ---- What is said ---- */

static void take_stated(const struct blocks *blocks, const json_t *release, bool stated[MOST_BLOCKS])
{
    const json_t *names = json_object_get(release, "blocks");
    for (size_t i = 0; i <= blocks->count; i++)
        stated[i] = stated[i] || !json_is_array(names);
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        bool declared = false;
        for (size_t value = 0; name != NULL && value < blocks->column->value_count; value++)
            if (strcmp(name, blocks->column->values[value].text) == 0) {
                declared = true;
                if (value < blocks->count)
                    stated[value] = true;
            }
        stated[blocks->count] = stated[blocks->count] || !declared;
    }
}

static status explain(struct blocks *blocks, const char *sql, bool stated[MOST_BLOCKS], bool *found,
                      error *why)
{
    struct buffer told;
    json_error_t trouble;
    buffer_init(&told, 64 << 20);
    status result = audit_explain(&blocks->world, sql, NULL, &told, why);
    json_t *root =
        result == DITHER_OK && told.length > 0 ? json_loadb(told.data, told.length, 0, &trouble) : NULL;
    const json_t *releases = json_object_get(root, "releases");
    for (size_t i = 0; i < json_array_size(releases); i++)
        take_stated(blocks, json_array_get(releases, i), stated);
    *found = json_array_size(releases) > 0;
    json_decref(root);
    buffer_free(&told);
    return result;
}

/* ---- Looking ---- */

static status ask_exactly(struct blocks *blocks, struct audit_world *world, const char *sql,
                          struct audit_answer *out, error *why)
{
    char amount[40];
    audit_fresh_amount(world, AUDIT_NOISELESS, amount);
    return audit_run_ask(blocks->run, world, sql, &(struct audit_settings){.amount = amount}, out, why);
}

/* Of everybody: which blocks pay. */
static status ask_all(struct blocks *blocks, struct asked *asked, error *why)
{
    struct spent before, after;
    bool stated[MOST_BLOCKS] = {false}, found = false, any = false, as_stated = true;
    TRY(explain(blocks, asked->sql, stated, &found, why));
    TRY(look_at_spent(blocks, &before, why));
    TRY(ask_exactly(blocks, &blocks->world, asked->sql, &asked->answer, why));
    TRY(look_at_spent(blocks, &after, why));
    for (size_t i = 0; i <= blocks->count; i++) {
        asked->charged[i] = decimal_compare(after.amounts[i], before.amounts[i]) > 0;
        any = any || asked->charged[i];
        as_stated = as_stated && asked->charged[i] == stated[i];
    }
    if (asked->answer.result != DITHER_OK || !found)
        return DITHER_OK;
    expect(blocks, any, asked->sql, "no block is charged for it");
    expect(blocks, as_stated, asked->sql, "the blocks that are charged are not those that are stated");
    return DITHER_OK;
}

static status ask_without(struct blocks *blocks, size_t block, const struct audit_world_options *options,
                          error *why)
{
    struct audit_world world;
    TRY(open_world(blocks, block, options, &world, why));
    status result = DITHER_OK;
    for (size_t i = 0; i < FORMS && result == DITHER_OK; i++) {
        struct asked *asked = &blocks->asked[i];
        struct audit_answer answer;
        if (asked->sql == NULL || asked->charged[block])
            continue;
        result = ask_exactly(blocks, &world, asked->sql, &answer, why);
        if (result != DITHER_OK)
            break;
        expect(blocks, audit_answer_same(&asked->answer, &answer), asked->sql,
               "people of a block that is not charged change the answer");
        audit_answer_free(&answer);
    }
    audit_world_close(&world);
    return result;
}

/* People may have moved: every block has spent as much as any had. */
static status look_at_version(struct blocks *blocks, struct audit_world_options *options, error *why)
{
    struct spent before, after;
    TRY(look_at_spent(blocks, &before, why));
    options->version = 2;
    TRY(audit_world_change(&blocks->world, blocks->run->policy, options, why));
    TRY(look_at_spent(blocks, &after, why));
    bool levelled = true;
    for (size_t i = 0; i <= blocks->count; i++)
        for (size_t j = 0; j <= blocks->count; j++)
            levelled = levelled && decimal_compare(after.amounts[i], before.amounts[j]) >= 0;
    expect(blocks, levelled, NULL,
           "with new data, where people may have moved, a block has spent less than another had");
    return DITHER_OK;
}

static status look(struct blocks *blocks, error *why)
{
    struct audit_world_options options = audit_run_world(blocks->run);
    options.blocks = true;
    TRY(open_world(blocks, SIZE_MAX, &options, &blocks->world, why));
    status result = DITHER_OK;
    size_t answered = 0;
    for (size_t i = 0; i < FORMS && result == DITHER_OK; i++) {
        result = write_form(blocks, i, why);
        if (result == DITHER_OK && blocks->asked[i].sql != NULL) {
            result = ask_all(blocks, &blocks->asked[i], why);
            answered += result == DITHER_OK;
        }
    }
    size_t step =
        blocks->run->shortly && blocks->count > 1 ? blocks->count - 1 : 1; /* the second, and rest */
    for (size_t block = blocks->run->shortly; block <= blocks->count && result == DITHER_OK; block += step)
        result = ask_without(blocks, block, &options, why);
    if (result == DITHER_OK)
        result = look_at_version(blocks, &options, why);
    for (size_t i = 0; i < answered; i++)
        if (blocks->asked[i].sql != NULL)
            audit_answer_free(&blocks->asked[i].answer);
    audit_world_close(&blocks->world);
    return result;
}

status audit_blocks(struct audit_run *run, error *why)
{
    const struct policy_budget *budget = &run->policy->budget;
    struct blocks blocks = {.run = run, .table = budget->block_table, .column = budget->block};
    if (budget->block_table == NULL || budget->block->value_count < 2) {
        run->report->skipped[AUDIT_BLOCKS] = "the budget has no blocks";
        return DITHER_OK;
    }
    audit_tell(run, "blocks");
    blocks.count =
        budget->block->value_count < MOST_BLOCKS - 1 ? budget->block->value_count : MOST_BLOCKS - 1;
    for (size_t i = 0; i < run->policy->table_count && blocks.child == NULL; i++)
        if (run->policy->tables[i].parent == blocks.table)
            blocks.child = &run->policy->tables[i];
    return look(&blocks, why);
}
