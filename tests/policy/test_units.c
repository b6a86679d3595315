/* Whose row is it: chains, keys of several columns, rows as units, shared units; and what of it the ledger
 * records. Every allocation is made to fail once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "policy/policy.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static struct arena arena;

static int begin(void **state)
{
    (void)state;
    arena_init(&arena, 2 * POLICY_ARENA_BYTES);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct policy *read_policy(const char *text)
{
    const struct policy *policy = NULL;
    error why = {.message = ""};
    if (policy_read_text(text, strlen(text), "shop.yaml", &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return policy;
}

/* The child stands above its parents: the order in the file does not matter. */
static const char shop[] =
    "dataset: shop\n"
    "engine: {duckdb: shop.duckdb}\n"
    "tables:\n"
    "  items:\n"
    "    join: [{place: orders.shop}, {order: orders.number}]\n"
    "    max_rows: 9\n"
    "    max_groups: 2\n"
    "    columns: {place: {type: text}, order: {type: integer}, price: {type: decimal, range: [0, 99.95]}}\n"
    "  orders:\n"
    "    join: {customer: customers.id}\n"
    "    rows_per_unit: 4\n"
    "    columns: {shop: {type: text}, number: {type: integer}, customer: {type: integer}}\n"
    "  customers:\n"
    "    unit: household\n"
    "    rows_per_unit: 5\n"
    "    max_groups: 1\n"
    "    columns: {id: {type: integer}, household: {type: text}}\n"
    "  letters:\n"
    "    unit: household\n"
    "    max_rows: 3\n"
    "    max_groups: 1\n"
    "    columns: {household: {type: text}}\n"
    "  errors: {unit: row, columns: {code: {type: integer, values: [1, 2]}}}\n"
    "  prices: {public: true}\n"
    "budget: {rho: 0.5, delta: 1e-7, max_per_question: 0.1, block: errors.code}\n";

static void a_chain_with_a_key_of_two_columns_reaches_the_unit(void **state)
{
    (void)state;
    const struct policy *policy = read_policy(shop);
    const struct policy_table *items = &policy->tables[0], *orders = &policy->tables[1];
    const struct policy_table *customers = &policy->tables[2];
    assert_ptr_equal(items->parent, orders);
    assert_int_equal(items->key_count, 2);
    assert_string_equal(items->keys[0].column->name, "place");
    assert_string_equal(items->keys[0].parent_column->name, "shop");
    assert_string_equal(items->keys[1].column->name, "order");
    assert_string_equal(items->keys[1].parent_column->name, "number");
    assert_ptr_equal(orders->parent, customers);
    assert_ptr_equal(items->unit, customers);
    assert_int_equal(items->path_length, 2);
    assert_int_equal(items->joins, 2); /* customers.id is a key, not the unit: both joins are needed */
    assert_ptr_equal(items->tag, customers->unit_column);
    assert_int_equal(orders->joins, 1);
    assert_int_equal(orders->max_rows, 4);
    assert_int_equal(orders->max_groups, 4);
    assert_int_equal(customers->max_rows, 5);
    assert_int_equal(customers->max_groups, 1);
    const struct policy_column *price = policy_find_column(items, "price");
    assert_int_equal(price->scale, POLICY_DEFAULT_SCALE);
    assert_int_equal(price->upper.whole, 99950000);
}

static void one_unit_column_is_one_kind_of_unit_and_rows_are_another(void **state)
{
    (void)state;
    const struct policy *policy = read_policy(shop);
    const struct policy_table *customers = &policy->tables[2], *errors = &policy->tables[4];
    assert_ptr_equal(policy->tables[3].unit, customers);
    assert_int_equal(errors->protection, POLICY_UNIT_ROW);
    assert_ptr_equal(errors->unit, errors);
    assert_null(errors->tag);
    assert_int_equal(errors->rows_per_unit, 1);
    assert_int_equal(errors->max_rows, 1);
    assert_int_equal(errors->max_groups, 1);
}

/* The unit column is also part of a key of two: the key must match as a whole, so the join stays. */
static void a_key_of_two_is_not_the_unit_by_itself(void **state)
{
    (void)state;
    const struct policy *policy = read_policy(
        "dataset: d\n"
        "tables:\n"
        "  a: {source: a, unit: id, rows_per_unit: 1, columns: {id: {type: integer}, n: {type: integer}}}\n"
        "  b: {source: b, join: {id: a.id, n: a.n}, rows_per_unit: 2,\n"
        "      columns: {id: {type: integer}, n: {type: integer}}}\n"
        "budget: {epsilon: 1}\n");
    assert_int_equal(policy->tables[1].joins, 1);
    assert_ptr_equal(policy->tables[1].tag, policy->tables[0].unit_column);
}

static void chains_may_be_long(void **state)
{
    (void)state;
    struct buffer text;
    buffer_init(&text, 1 << 20);
    buffer_text(&text, "dataset: d\ntables:\n");
    for (int i = 0; i < 999; i++)
        buffer_format(&text,
                      "  t%d: {source: t, join: {x: t%d.y}, rows_per_unit: 1, columns: {x: {type: integer}, "
                      "y: {type: integer}}}\n",
                      i, i + 1);
    buffer_text(
        &text,
        "  t999: {source: t, unit: x, rows_per_unit: 1, columns: {x: {type: integer}, y: {type: integer}}}\n"
        "budget: {epsilon: 1}\n");
    const struct policy *policy = read_policy(text.data);
    assert_int_equal(policy->tables[0].path_length, 999);
    assert_int_equal(policy->tables[0].joins, 999);
    assert_ptr_equal(policy->tables[0].unit, &policy->tables[999]);
    buffer_free(&text);
}

static void the_ledger_gets_units_blocks_and_limits(void **state)
{
    (void)state;
    struct ledger_config config;
    const struct policy *policy = read_policy(shop);
    assert_int_equal(policy_ledger_config(policy, &arena, &config, NULL), DITHER_OK);
    assert_string_equal(config.unit, "\"customers\" unit \"household\" text; \"errors\" each row; "
                                     "\"items\" joins \"orders\" on \"order\" = \"number\" integer and "
                                     "\"place\" = \"shop\" text; \"letters\" unit \"household\" text; "
                                     "\"orders\" joins \"customers\" on \"customer\" = \"id\" integer");
    assert_string_equal(config.dataset, "shop");
    assert_int_equal(config.data_version, 1);
    assert_int_equal(config.currency, LEDGER_CONCENTRATED);
    assert_int_equal(decimal_compare(config.total.rho, decimal("0.5")), 0);
    assert_int_equal(decimal_compare(config.total.delta, decimal("1e-7")), 0);
    assert_int_equal(decimal_compare(config.question_most.rho, decimal("0.1")), 0);
    assert_int_equal(decimal_compare(config.question_most.delta, decimal("1e-7")), 0);
    assert_true(ledger_cost_in_currency(config.question_most, config.currency));
    assert_string_equal(config.block_column, "errors.code");
    assert_int_equal(config.block_count, 2);
    assert_string_equal(config.blocks[0], "1");
    assert_string_equal(config.blocks[1], "2");
    assert_false(config.blocks_immutable);
}

static const char people[] =
    "dataset: hospital\n"
    "tables:\n"
    "  p: {source: p, unit: id, rows_per_unit: 1,\n"
    "      columns: {id: {type: integer}, g: {type: text, values: [a, b]}}}\n"
    "budget: {epsilon: 10, max_per_question: 2, block: {column: p.g, immutable: true}}\n"
    "groups: {interns: {epsilon: 1}, all: {}}\n"
    "analysts: {bob: {epsilon: 3, groups: [all, interns]}, carol: }\n";

static void a_ledger_opens_with_it_and_holds_to_its_limits(void **state)
{
    (void)state;
    struct ledger_fixture fixture;
    fixture_init(&fixture);
    assert_int_equal(policy_ledger_config(read_policy(people), &arena, &fixture.config, NULL), DITHER_OK);
    assert_true(fixture.config.blocks_immutable);
    fixture_open(&fixture);
    assert_string_equal(fixture_left(&fixture, "bob"), "epsilon 1"); /* the interns' */
    assert_string_equal(fixture_left(&fixture, "carol"), "epsilon 10");
    assert_int_equal(fixture_ask(&fixture, "carol", release("r", "2"), "1"), DITHER_OK);
    assert_int_equal(fixture_ask(&fixture, "carol", release("s", "2.1"), "1"), DITHER_REFUSED);
    assert_string_equal(fixture_left(&fixture, "carol"), "epsilon 8");
    fixture_close(&fixture);
    fixture_free(&fixture);
}

static status read_all(const char *text)
{
    struct arena memory;
    const struct policy *policy = NULL;
    struct ledger_config config;
    arena_init(&memory, POLICY_ARENA_BYTES);
    status result = policy_read_text(text, strlen(text), "p.yaml", &memory, &policy, NULL);
    if (result == DITHER_OK)
        result = policy_ledger_config(policy, &memory, &config, NULL);
    arena_free(&memory);
    return result;
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    const char *const texts[] = {shop, people};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t n = 1;; n++) {
            memory_fail_at(n);
            status result = read_all(texts[i]);
            int failed = memory_has_failed();
            memory_fail_at(0);
            assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
            if (!failed) {
                assert_true(n > 3);
                break;
            }
        }
}

/* `count` members made by `format` between `before` and `after`. */
static void expect_too_many(const char *before, const char *format, int count, const char *after,
                            const char *message)
{
    struct buffer text;
    const struct policy *policy = NULL;
    error why = {.message = "accepted"};
    buffer_init(&text, 1 << 20);
    buffer_text(&text, before);
    for (int i = 0; i < count; i++) {
        char number[20];
        snprintf(number, sizeof number, "%d", i);
        for (const char *byte = format; *byte != '\0'; byte++)
            *byte == '#' ? buffer_text(&text, number) : buffer_byte(&text, *byte);
    }
    buffer_text(&text, after);
    assert_int_equal(buffer_check(&text, NULL), DITHER_OK);
    assert_int_equal(policy_read_text(text.data, text.length, "p.yaml", &arena, &policy, &why),
                     DITHER_INVALID);
    if (strstr(why.message, message) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", why.message, message);
    buffer_free(&text);
}

#define ONE_TABLE                                                                                            \
    "dataset: d\ntables: {t: {source: t, unit: id, rows_per_unit: 1, columns: {id: {type: integer}}}}\n"     \
    "budget: {epsilon: 1}\n"

static void the_limits_hold(void **state)
{
    (void)state;
    expect_too_many("dataset: d\ntables:\n", "  t#: {source: t, public: true}\n", POLICY_MOST_TABLES + 1,
                    "budget: {epsilon: 1}\n", "tables: there are more than 1000");
    expect_too_many("dataset: d\ntables: {t: {source: t, unit: row, columns: {", "c#: {type: text}, ",
                    POLICY_MOST_COLUMNS + 1, "}}}\nbudget: {epsilon: 1}\n",
                    "columns of table t: there are more than 2000");
    expect_too_many(ONE_TABLE "groups:\n", "  g#:\n", POLICY_MOST_GROUPS + 1, "",
                    "groups: there are more than 1000");
    expect_too_many(ONE_TABLE "analysts:\n", "  a#:\n", POLICY_MOST_ANALYSTS + 1, "",
                    "analysts: there are more than 10000");
    expect_too_many("dataset: d\ntables: {t: {source: t, unit: row, columns: {x: {type: integer, values: [",
                    "#, ", LEDGER_MOST_BLOCKS + 1, "]}}}}\nbudget: {epsilon: 1, block: t.x}\n",
                    "p.yaml:3: block: column t.x has more than 4096 values");
}

/* 2^e <= upper - lower < 2^(e+1), and 16 less; the differences that rounding would lift to a power of two are
 * the hard ones: 1 - (-2^-60) is above 1, and 1 - 2^-60 below, though both round to 1. */
static void the_default_grid_is_exact(void **state)
{
    (void)state;
    const struct {
        const char *range;
        int exponent;
    } cases[] = {
        {"[0, 1]", -16},
        {"[-1, 1]", -15},
        {"[0, 0.999]", -17},
        {"[0, 65536]", 0},
        {"[0, 65535]", -1},
        {"[8.673617379884035e-19, 1]", -17},
        {"[-8.673617379884035e-19, 1]", -16},
        {"[-1e300, 1e300]", 981}, /* log2(2e300) = 997.58 */
        {"[0, 1e-200]", -681},    /* log2 = -664.39 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "dataset: d\ntables: {t: {source: t, unit: row, columns: {x: {type: real, range: %s}}}}\n"
                 "budget: {epsilon: 1}\n",
                 cases[i].range);
        const struct policy_column *x = &read_policy(text)->tables[0].columns[0];
        assert_int_equal(x->grid_exponent, cases[i].exponent);
        assert_true(x->grid == ldexp(1, cases[i].exponent));
    }
}

/* The double nearest to 0.1 is above it, and the one nearest to 0.3 below. */
static void real_bounds_are_rounded_outwards(void **state)
{
    (void)state;
    const struct policy *policy = read_policy(
        "dataset: d\ntables: {t: {source: t, unit: row, columns: {x: {type: real, range: [0.1, 0.3]}}}}\n"
        "budget: {epsilon: 1}\ntiming: {step: 2s}\nsynthetic: true\n");
    const struct policy_column *x = &policy->tables[0].columns[0];
    assert_true(x->lower.real == nextafter(0.1, 0));
    assert_true(x->upper.real == nextafter(0.3, 1));
    assert_int_equal(policy->timing_step_milliseconds, 2000);
    assert_true(policy->synthetic);
    assert_int_equal(policy->budget.currency, LEDGER_PURE);
    assert_true(decimal_is_zero(policy->budget.per_question));
    assert_int_equal(decimal_compare(policy->budget.max_per_question, decimal("1")), 0);
    assert_string_equal(policy->ledger, "shop.ledger");
    assert_int_equal(policy->engine.kind, POLICY_ENGINE_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_chain_with_a_key_of_two_columns_reaches_the_unit, begin, end),
        cmocka_unit_test_setup_teardown(one_unit_column_is_one_kind_of_unit_and_rows_are_another, begin, end),
        cmocka_unit_test_setup_teardown(a_key_of_two_is_not_the_unit_by_itself, begin, end),
        cmocka_unit_test_setup_teardown(chains_may_be_long, begin, end),
        cmocka_unit_test_setup_teardown(the_ledger_gets_units_blocks_and_limits, begin, end),
        cmocka_unit_test_setup_teardown(a_ledger_opens_with_it_and_holds_to_its_limits, begin, end),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test_setup_teardown(the_limits_hold, begin, end),
        cmocka_unit_test_setup_teardown(the_default_grid_is_exact, begin, end),
        cmocka_unit_test_setup_teardown(real_bounds_are_rounded_outwards, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
