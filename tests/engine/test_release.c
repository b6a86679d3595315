/* What a release computes, against the same thing said once more in plain SQL: a join with the domain, GROUP BY,
 * row_number over the keyed hash, arithmetic on HUGEINT. The only parts in common are the hash itself and
 * dither_pack, which names a thing for it. Exact equality for every kind of key and of measure, on rows with
 * NULLs, NaN, infinities and duplicates, on one and on four threads, stored in two orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_bound_pack.h"
#include "tests/support/release_data.h"
#include "tests/support/test.h"

static const uint8_t hash_key[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 254};
#define KEY "'0102030405060708090a0b0c0d0e0ffe'"

enum { CELLS = 10, TOPS = 4, SINGLES = 8, NUMBERS = SINGLES + CELLS + TOPS, MOST_KEYS = 2, MEASURES = 10 };

/* ---- One way to ask ---- */

struct question {
    enum release_data_column keys[MOST_KEYS];
    size_t key_count;
    const char *thing; /* in plain SQL: the place in the domain, or the keys packed */
    bool enumerated, text_unit, one_row;
    uint64_t max_rows, max_groups;
};

static struct sql_rows domain_of(struct release_data *data, const struct question *question)
{
    static const char *const texts[] = {"c", "a", "b", "e"};
    static struct sql_value pairs[9][2];
    size_t count = 0;

    if (question->key_count == 1 && question->keys[0] == DATA_K)
        return release_data_run_domain(data, 2, 9, true);
    if (question->key_count == 1)
        return release_data_text_domain(data, texts, 4, false);
    for (int k = 0; k < 4; k++) /* not every pair, and one with NULL */
        for (int t = 0; t < 4; t++)
            if ((k + t) % 2 == 0) {
                pairs[count][0] = (struct sql_value){.type = SQL_INTEGER, .whole = k};
                pairs[count++][1] = (struct sql_value){.type = SQL_TEXT, .text = texts[t]};
            }
    pairs[count][0] = (struct sql_value){.type = SQL_INTEGER, .null = true};
    pairs[count++][1] = (struct sql_value){.type = SQL_TEXT, .text = "a"};
    return (struct sql_rows){2, count, pairs[0]};
}

/* All kinds. y is centred on 5; x counts in quarters. */
static void make_measures(struct release_data *data, const struct question *question,
                          struct sql_measure measures[MEASURES])
{
    static const char *const texts[TOPS] = {"b", "a", "d", "zebra"};
    const struct sql_expression *x = release_data_column_expression(DATA_X);
    const struct sql_expression *y = release_data_column_expression(DATA_Y);
    const struct sql_expression *t = release_data_column_expression(DATA_T);
    const struct sql_expression *b = release_data_column_expression(DATA_B);
    const struct sql_steps quarters = {.exponent = -2, .lower = -7, .upper = 20};
    const struct sql_steps wholes = {.lower = -10, .upper = 20, .centre = 5};
    const struct sql_steps cells = {.lower = -3, .upper = -3 + CELLS - 1, .centre = 1};
    int64_t rows = (int64_t)question->max_rows;
    const struct sql_measure all[MEASURES] = {
        {.kind = SQL_MEASURE_UNITS, .unit_upper = 1},
        {.kind = SQL_MEASURE_ROWS, .unit_upper = rows},
        {.kind = SQL_MEASURE_ROWS, .argument = y, .filter = b, .unit_upper = rows},
        {.kind = SQL_MEASURE_SUM,
         .argument = x,
         .steps = quarters,
         .unit_lower = -7 * rows,
         .unit_upper = 20 * rows},
        {.kind = SQL_MEASURE_SUM,
         .argument = y,
         .filter = b,
         .steps = wholes,
         .unit_lower = -15 * rows,
         .unit_upper = 15 * rows},
        {.kind = SQL_MEASURE_PRODUCT,
         .argument = x,
         .second = y,
         .steps = quarters,
         .second_steps = wholes,
         .unit_lower = -300 * rows,
         .unit_upper = 300 * rows},
        {.kind = SQL_MEASURE_DISTINCT, .argument = y, .filter = b, .unit_upper = rows},
        {.kind = SQL_MEASURE_DISTINCT_SUM,
         .argument = y,
         .steps = wholes,
         .unit_lower = -15 * rows,
         .unit_upper = 15 * rows},
        {.kind = SQL_MEASURE_QUANTILES, .argument = x, .filter = b, .steps = cells, .unit_upper = rows},
        {.kind = SQL_MEASURE_TOP,
         .argument = t,
         .domain = release_data_text_domain(data, texts, TOPS, false),
         .unit_upper = rows},
    };
    memcpy(measures, all, sizeof all);
}

static struct engine_groups ask(struct release_data *data, const struct question *question)
{
    struct sql_measure measures[MEASURES];
    const struct sql_expression *keys[MOST_KEYS];
    struct sql_rows domain = question->enumerated ? domain_of(data, question) : (struct sql_rows){0};
    struct sql_release release = {.input = release_data_input(question->text_unit),
                                  .keys = keys,
                                  .key_count = question->key_count,
                                  .measures = measures,
                                  .measure_count = MEASURES,
                                  .max_rows = question->max_rows,
                                  .max_groups = question->max_groups,
                                  .one_row = question->one_row};

    make_measures(data, question, measures);
    for (size_t i = 0; i < question->key_count; i++)
        keys[i] = release_data_column_expression(question->keys[i]);
    return release_data_release(data, &release, question->enumerated ? &domain : NULL, hash_key);
}

/* ---- The same in plain SQL ---- */

static void make_macros(struct release_data *data)
{
    release_data_run(
        data, "CREATE MACRO share(s, n, r, lo, hi) AS greatest(lo, least(hi, CASE WHEN n > r THEN sign(s) *"
              " (abs(s)::HUGEINT * r // n) ELSE s END))::BIGINT");
    release_data_run(data, "CREATE MACRO steps_x(x, step, lo, hi) AS CASE WHEN x IS NULL THEN NULL WHEN "
                           "isnan(x) THEN lo ELSE CAST(floor("
                           "greatest(lo, least(hi, x / step)) + 0.5) AS BIGINT) END");
    release_data_run(
        data, "CREATE MACRO steps_y(y) AS CASE WHEN y IS NOT NULL THEN greatest(-10, least(20, y)) - 5 END");
    release_data_run(data,
                     "CREATE MACRO name_of(thing) AS CASE typeof(thing) WHEN 'BLOB' THEN hex(thing::BLOB)"
                     " ELSE thing::VARCHAR END");
}

/* The table kept(owner, thing, n, ...): sums of each unit in each of its groups that are kept. */
static void reference_groups(struct release_data *data, const struct question *question)
{
    release_data_run(
        data,
        "CREATE OR REPLACE TABLE asked AS SELECT * FROM (SELECT %s AS owner, %s AS thing, data.* FROM data"
        " WHERE %s IS NOT NULL) WHERE thing IS NOT NULL",
        question->text_unit ? "dither_pack(w)" : "u", question->thing, question->text_unit ? "w" : "u");
    release_data_run(
        data,
        "CREATE OR REPLACE TABLE kept AS SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY owner"
        " ORDER BY dither_hash(" KEY ", owner, thing), thing) AS place FROM (SELECT owner, thing,"
        " count(*) AS n, count(y) FILTER (WHERE b) AS n_y, coalesce(sum(steps_x(x, 0.25, -7, 20)), 0)"
        " AS s_x, coalesce(sum(steps_y(y)) FILTER (WHERE b), 0) AS s_y,"
        " coalesce(sum(steps_x(x, 0.25, -7, 20) * steps_y(y)), 0) AS s_xy FROM asked"
        " GROUP BY owner, thing)) WHERE place <= %llu",
        (unsigned long long)question->max_groups);
}

/* The table items(thing, x, place): what is chosen among the rows of kept groups; `x` in SQL, `item` what is hashed. */
static void reference_items(struct release_data *data, const struct question *question, const char *x,
                            const char *filter, bool distinct)
{
    release_data_run(
        data,
        "CREATE OR REPLACE TABLE items AS SELECT thing, x FROM (SELECT *, row_number() OVER (PARTITION BY"
        " owner, thing ORDER BY dither_hash(" KEY ", dither_pack(owner, thing), item), item) AS place"
        " FROM (SELECT owner, thing, x, %s AS item FROM (SELECT owner, thing, x, row_number() OVER"
        " (PARTITION BY owner, thing, x) - 1 AS i FROM (SELECT owner, thing, %s AS x FROM asked"
        " WHERE %s AND (owner, thing) IN (SELECT (owner, thing) FROM kept)) WHERE x IS NOT NULL)%s))"
        " WHERE place <= %llu",
        distinct ? "dither_pack(x)" : "dither_pack(x, i)", x, filter, distinct ? " WHERE i = 0" : "",
        (unsigned long long)question->max_rows);
}

static void reference(struct release_data *data, const struct question *question)
{
    long long rows = (long long)question->max_rows;

    reference_groups(data, question);
    release_data_run(
        data,
        "CREATE OR REPLACE TABLE wanted AS SELECT name_of(thing) AS name, [count(*), sum(share(n, n, %lld, 0,"
        " %lld)), sum(share(n_y, n, %lld, 0, %lld)), sum(share(s_x, n, %lld, %lld, %lld)), sum(share(s_y, n,"
        " %lld, %lld, %lld)), sum(share(s_xy, n, %lld, %lld, %lld))]::BIGINT[] AS numbers FROM kept"
        " GROUP BY thing",
        rows, rows, rows, rows, rows, -7 * rows, 20 * rows, rows, -15 * rows, 15 * rows, rows, -300 * rows,
        300 * rows);
    reference_items(data, question, "y", "b", true);
    release_data_run(data, "CREATE OR REPLACE TABLE d AS SELECT name_of(thing) AS name, count(DISTINCT x) AS "
                           "m FROM items GROUP BY thing");
    release_data_run(data, "UPDATE wanted SET numbers = list_append(numbers, coalesce((SELECT m FROM d WHERE "
                           "d.name = wanted.name), 0))");
    reference_items(data, question, "y", "true", true);
    release_data_run(data, "CREATE OR REPLACE TABLE d AS SELECT name, sum(steps_y(x))::BIGINT AS m FROM "
                           "(SELECT DISTINCT name_of(thing) AS name, x FROM items) GROUP BY name");
    release_data_run(data, "UPDATE wanted SET numbers = list_append(numbers, coalesce((SELECT m FROM d WHERE "
                           "d.name = wanted.name), 0))");
    reference_items(data, question, "steps_x(x, 1, -3, 6) + 3", "b", false);
    for (int cell = 0; cell < CELLS; cell++)
        release_data_run(data,
                         "UPDATE wanted SET numbers = list_append(numbers, (SELECT count(*) FROM items WHERE "
                         "name_of(thing) = wanted.name AND x = %d))",
                         cell);
    reference_items(data, question, "list_position(['b', 'a', 'd', 'zebra'], t)::BIGINT - 1", "true", false);
    for (int cell = 0; cell < TOPS; cell++)
        release_data_run(data,
                         "UPDATE wanted SET numbers = list_append(numbers, (SELECT count(*) FROM items WHERE "
                         "name_of(thing) = wanted.name AND x = %d))",
                         cell);
}

/* The engine's answer as the table got, with the same names; groups of zeros are left out of enumerated ones. */
static void store(struct release_data *data, const struct question *question,
                  const struct engine_groups *groups)
{
    bool hidden = !question->enumerated && question->key_count > 0;

    assert_int_equal(groups->numbers_per_group, NUMBERS);
    release_data_run(data, "CREATE OR REPLACE TABLE got(name VARCHAR, numbers BIGINT[])");
    for (size_t i = 0; i < groups->group_count; i++) {
        const int64_t *numbers = groups->numbers + i * NUMBERS;
        struct buffer name, list;
        buffer_init(&name, 1 << 20);
        buffer_init(&list, 1 << 20);
        if (!hidden) {
            buffer_format(&name, "%zu", i);
        } else {
            struct buffer packed;
            buffer_init(&packed, 1 << 20);
            for (size_t j = 0; j < question->key_count; j++)
                pack_value(sql_rows_cell(&groups->keys, i, j), &packed);
            for (size_t j = 0; j < packed.length; j++)
                buffer_format(&name, "%02X", (unsigned char)packed.data[j]);
            buffer_free(&packed);
        }
        assert_int_equal(groups->units[i], numbers[0]);
        for (size_t j = 0; j < NUMBERS; j++)
            buffer_format(&list, "%s%lld", j ? ", " : "", (long long)numbers[j]);
        if (hidden || groups->units[i] > 0)
            release_data_run(data, "INSERT INTO got VALUES ('%s', [%s])", name.data, list.data);
        else
            for (size_t j = 0; j < NUMBERS; j++)
                assert_int_equal(numbers[j], 0);
        buffer_free(&name);
        buffer_free(&list);
    }
}

static void expect_same(struct release_data *data, const struct question *question)
{
    struct engine_groups groups = ask(data, question);

    reference(data, question);
    store(data, question, &groups);
    assert_true(release_data_number(data, "SELECT count(*) FROM got") > 0);
    int64_t more = release_data_number(data, "SELECT count(*) FROM (FROM got EXCEPT FROM wanted)");
    int64_t less = release_data_number(data, "SELECT count(*) FROM (FROM wanted EXCEPT FROM got)");
    if (more != 0 || less != 0) {
        release_data_show(data, "FROM got EXCEPT FROM wanted ORDER BY ALL");
        release_data_show(data, "FROM wanted EXCEPT FROM got ORDER BY ALL");
        fail_msg("%s, %llu groups, %llu rows: not what plain SQL says", question->thing,
                 (unsigned long long)question->max_groups, (unsigned long long)question->max_rows);
    }
}

/* ---- The rows ---- */

static void fill(struct release_data *data, int units, int rows)
{
    release_data_run(
        data,
        "INSERT INTO data SELECT CASE WHEN u > 0 THEN u - 1 END, CASE WHEN u %% 50 < 49 THEN 'unit ' || u "
        "END,"
        " CASE WHEN k < 12 THEN k END, CASE WHEN t < 6 THEN chr((97 + t)::INTEGER) END,"
        " CASE WHEN d < 5 THEN DATE '1969-12-30' + d::INTEGER END,"
        " CASE d WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN -0.0 WHEN 2 THEN 0.0 WHEN 3 THEN 1.5"
        " WHEN 4 THEN '-infinity'::DOUBLE END,"
        " CASE x WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN 'infinity'::DOUBLE WHEN 2 THEN '-infinity'::DOUBLE"
        " WHEN 3 THEN 1e308 WHEN 4 THEN -0.0 WHEN 5 THEN NULL WHEN 6 THEN -1e308 ELSE x / 8.0 - 3 END,"
        " CASE WHEN y < 40 THEN y - 15 END, CASE WHEN b < 2 THEN b = 1 END"
        " FROM (SELECT (hash(i, 1) %% %d)::BIGINT AS u, (hash(i, 2) %% 14)::BIGINT AS k, hash(i, 3) %% 7 AS "
        "t,"
        " hash(i, 4) %% 6 AS d, hash(i, 5) %% 80 AS x, (hash(i, 6) %% 42)::BIGINT AS y, hash(i, 7) %% 3 AS b"
        " FROM range(%d) AS g(i))",
        units, rows);
}

#define PLACE_OF_PAIR                                                                                        \
    "list_position(['0,c', '0,b', '1,a', '1,e', '2,c', '2,b', '3,a', '3,e', '-,a'],"                         \
    " coalesce(k::VARCHAR, '-') || ',' || t)::BIGINT - 1"

static const struct question questions[] = {
    {.thing = "0::BIGINT"},
    {.keys = {DATA_K},
     .key_count = 1,
     .enumerated = true,
     .thing = "CASE WHEN k BETWEEN 2 AND 9 THEN k - 2 WHEN k IS NULL THEN 8 END"},
    {.keys = {DATA_T},
     .key_count = 1,
     .enumerated = true,
     .thing = "list_position(['c', 'a', 'b', 'e'], t)::BIGINT - 1"},
    {.keys = {DATA_K, DATA_T}, .key_count = 2, .enumerated = true, .thing = PLACE_OF_PAIR},
    {.keys = {DATA_K}, .key_count = 1, .thing = "dither_pack(k)"},
    {.keys = {DATA_T}, .key_count = 1, .thing = "dither_pack(t)"},
    {.keys = {DATA_D}, .key_count = 1, .thing = "dither_pack(d)"},
    {.keys = {DATA_R}, .key_count = 1, .thing = "dither_pack(CASE WHEN r = 0 THEN 0.0::DOUBLE ELSE r END)"},
    {.keys = {DATA_K, DATA_T}, .key_count = 2, .thing = "dither_pack(k, t)"},
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static void bounding_is_what_plain_sql_says(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 4);
    make_macros(&data);
    fill(&data, 150, 3000);
    for (size_t i = 0; i < QUESTIONS; i++) {
        struct question question = questions[i];
        question.max_groups = 1 + i % 5;
        question.max_rows = 1 + i % 4;
        question.text_unit = i % 3 == 2;
        expect_same(&data, &question);
        question.max_groups = 5 - i % 5;
        question.max_rows = 4 - i % 4;
        question.text_unit = !question.text_unit;
        expect_same(&data, &question);
    }
    release_data_close(&data);
}

static void one_row_of_each_unit_needs_no_inner_step(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 4);
    make_macros(&data);
    fill(&data, 1500, 3000);
    release_data_run(&data, "CREATE TABLE single AS SELECT DISTINCT ON (u) * FROM data WHERE u IS NOT NULL");
    release_data_run(&data, "DELETE FROM data");
    release_data_run(&data, "INSERT INTO data FROM single");
    for (size_t i = 0; i < QUESTIONS; i++) {
        struct question question = questions[i];
        question.max_groups = question.max_rows = 1 + i % 2;
        question.one_row = true;
        expect_same(&data, &question);
    }
    release_data_close(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounding_is_what_plain_sql_says),
        cmocka_unit_test(one_row_of_each_unit_needs_no_inner_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
