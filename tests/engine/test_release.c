/* What a release computes, against the same thing said once more in plain SQL: a join with the domain, GROUP BY,
 * row_number over the keyed hash, arithmetic on HUGEINT. The only parts in common are the hash itself and
 * dither_pack, which names a thing for it. Exact equality for every kind of key and of measure, on rows with
 * NULLs, NaN, infinities and duplicates, on one and on four threads, stored in two orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_bound_pack.h"
#include "tests/support/release_questions.h"
#include "tests/support/test.h"

#define KEY "'0102030405060708090a0b0c0d0e0ffe'"

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
static void reference_groups(struct release_data *data, const struct release_question *question)
{
    release_data_run(
        data,
        "CREATE OR REPLACE TABLE asked AS SELECT * FROM (SELECT %s AS owner, %s AS thing, data.* FROM data"
        " WHERE %s IS NOT NULL) WHERE thing IS NOT NULL",
        question->text_unit ? "encode(w)" : "u", question->thing, question->text_unit ? "w" : "u");
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
static void reference_items(struct release_data *data, const struct release_question *question, const char *x,
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

static void reference(struct release_data *data, const struct release_question *question)
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
    for (int cell = 0; cell < QUESTION_CELLS; cell++)
        release_data_run(data,
                         "UPDATE wanted SET numbers = list_append(numbers, (SELECT count(*) FROM items WHERE "
                         "name_of(thing) = wanted.name AND x = %d))",
                         cell);
    reference_items(data, question, "list_position(['b', 'a', 'd', 'zebra'], t)::BIGINT - 1", "true", false);
    for (int cell = 0; cell < QUESTION_TOPS; cell++)
        release_data_run(data,
                         "UPDATE wanted SET numbers = list_append(numbers, (SELECT count(*) FROM items WHERE "
                         "name_of(thing) = wanted.name AND x = %d))",
                         cell);
}

/* The engine's answer as the table got, with the same names; groups of zeros are left out of enumerated ones. */
static void store(struct release_data *data, const struct release_question *question,
                  const struct engine_groups *groups)
{
    bool hidden = !question->enumerated && question->key_count > 0;

    assert_int_equal(groups->numbers_per_group, QUESTION_NUMBERS);
    release_data_run(data, "CREATE OR REPLACE TABLE got(name VARCHAR, numbers BIGINT[])");
    for (size_t i = 0; i < groups->group_count; i++) {
        const int64_t *numbers = groups->numbers + i * QUESTION_NUMBERS;
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
        for (size_t j = 0; j < QUESTION_NUMBERS; j++)
            buffer_format(&list, "%s%lld", j ? ", " : "", (long long)numbers[j]);
        if (hidden || groups->units[i] > 0)
            release_data_run(data, "INSERT INTO got VALUES ('%s', [%s])", name.data, list.data);
        else
            for (size_t j = 0; j < QUESTION_NUMBERS; j++)
                assert_int_equal(numbers[j], 0);
        buffer_free(&name);
        buffer_free(&list);
    }
}

static void expect_same(struct release_data *data, const struct release_question *question)
{
    struct engine_groups groups = release_question_ask(data, question);

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

static void bounding_is_what_plain_sql_says(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 4);
    make_macros(&data);
    release_question_fill(&data, 150, 3000);
    for (size_t i = 0; i < RELEASE_QUESTIONS; i++) {
        struct release_question question = release_questions[i];
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
    release_question_fill(&data, 1500, 3000);
    release_data_run(&data, "CREATE TABLE single AS SELECT DISTINCT ON (u) * FROM data WHERE u IS NOT NULL");
    release_data_run(&data, "DELETE FROM data");
    release_data_run(&data, "INSERT INTO data FROM single");
    for (size_t i = 0; i < RELEASE_QUESTIONS; i++) {
        struct release_question question = release_questions[i];
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
