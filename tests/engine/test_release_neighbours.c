/* One unit more or less changes a release by no more than release.h promises: every measure by at most its
 * sensitivity, in at most max_groups groups; cells of quantiles and of top by at most max_rows together. Tried on
 * small random tables for every kind of key, by taking each of the units out in turn. And that the choice of a
 * unit's groups depends on that unit alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/release_questions.h"
#include "tests/support/test.h"

static int compare_keys(const struct sql_rows *a, size_t i, const struct sql_rows *b, size_t j)
{
    for (size_t column = 0; column < a->column_count; column++) {
        int order = sql_value_compare(sql_rows_cell(a, i, column), sql_rows_cell(b, j, column));
        if (order != 0)
            return order;
    }
    return 0;
}

struct change {
    size_t groups[QUESTION_MEASURES];    /* in how many the measure differs */
    uint64_t largest[QUESTION_MEASURES]; /* and by how much at most; cells are added up */
};

static const size_t first_number[QUESTION_MEASURES + 1] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 8 + QUESTION_CELLS, QUESTION_NUMBERS};

static void compare_group(const int64_t *before, const int64_t *after, struct change *change)
{
    static const int64_t nothing[QUESTION_NUMBERS];

    before = before ? before : nothing;
    after = after ? after : nothing;
    for (size_t i = 0; i < QUESTION_MEASURES; i++) {
        uint64_t difference = 0;
        for (size_t j = first_number[i]; j < first_number[i + 1]; j++)
            difference += (uint64_t)llabs(before[j] - after[j]);
        change->groups[i] += difference > 0;
        if (difference > change->largest[i])
            change->largest[i] = difference;
    }
}

/* Both lists of groups are in the same order; a hidden group may be in one alone. */
static struct change compare_groups(const struct engine_groups *before, const struct engine_groups *after)
{
    struct change change = {{0}, {0}};
    size_t i = 0, j = 0;

    while (i < before->group_count || j < after->group_count) {
        int order = i == before->group_count  ? 1
                    : j == after->group_count ? -1
                                              : compare_keys(&before->keys, i, &after->keys, j);
        compare_group(order <= 0 ? before->numbers + i * QUESTION_NUMBERS : NULL,
                      order >= 0 ? after->numbers + j * QUESTION_NUMBERS : NULL, &change);
        i += order <= 0;
        j += order >= 0;
    }
    return change;
}

static void expect_small_change(struct release_data *data, const struct release_question *question,
                                const struct engine_groups *before, const char *who)
{
    struct sql_measure measures[QUESTION_MEASURES];
    struct engine_groups after = release_question_ask(data, question);
    struct change change = compare_groups(before, &after);

    release_question_measures(data, question, measures);
    for (size_t i = 0; i < QUESTION_MEASURES; i++)
        if (change.groups[i] > question->max_groups ||
            change.largest[i] > sql_measure_sensitivity(&measures[i]))
            fail_msg("%s: without %s measure %zu changes by up to %llu in %zu groups", question->thing, who,
                     i, (unsigned long long)change.largest[i], change.groups[i]);
}

static void one_unit_changes_no_more_than_its_sensitivity(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 2);
    for (size_t i = 0; i < RELEASE_QUESTIONS; i++) {
        struct release_question question = release_questions[i];
        question.max_groups = 1 + i % 3;
        question.max_rows = 1 + (i + 1) % 3;
        question.text_unit = i % 2;
        release_data_run(&data, "DELETE FROM data");
        release_question_fill(&data, 8, 150);
        release_data_run(&data, "CREATE OR REPLACE TABLE everybody AS FROM data");
        struct engine_groups before = release_question_ask(&data, &question);
        for (int unit = 0; unit < 7; unit++) {
            char who[64];
            if (question.text_unit)
                snprintf(who, sizeof who, "w = 'unit %d'", unit);
            else
                snprintf(who, sizeof who, "u = %d", unit);
            release_data_run(&data, "DELETE FROM data WHERE %s", who);
            expect_small_change(&data, &question, &before, who);
            release_data_run(&data, "DELETE FROM data");
            release_data_run(&data, "INSERT INTO data FROM everybody");
        }
    }
    release_data_close(&data);
}

/* However many rows a person has, and whatever is in them. */
static void a_million_rows_of_one_unit_count_as_a_few(void **state)
{
    struct release_data data;
    struct release_question question = release_questions[1];
    (void)state;

    question.max_groups = 2;
    question.max_rows = 3;
    release_data_open(&data, 2);
    release_question_fill(&data, 8, 150);
    struct engine_groups before = release_question_ask(&data, &question);
    release_data_run(
        &data,
        "INSERT INTO data SELECT 1000000, 'x', i %% 12, chr((97 + i %% 6)::INTEGER), NULL, NULL, 1e300,"
        " 9000000000000000000, true FROM range(1000000) AS r(i)");
    expect_small_change(&data, &question, &before, "a million rows");
    release_data_close(&data);
}

/* A new person with keys that nobody had moves nobody else to other groups: ids made from the data would. */
static void a_new_key_does_not_move_others(void **state)
{
    struct release_data data;
    struct release_question question = release_questions[4]; /* k, hidden */
    (void)state;

    question.max_groups = 1;
    question.max_rows = 1;
    release_data_open(&data, 2);
    release_data_run(&data, "INSERT INTO data(u, k) SELECT i %% 200, 10 + i %% 7 FROM range(2000) AS r(i)");
    struct engine_groups before = release_question_ask(&data, &question);
    release_data_run(&data, "INSERT INTO data(u, k) VALUES (-1, -5), (-1, 3), (-1, 12345), (-1, NULL)");
    struct engine_groups after = release_question_ask(&data, &question);
    struct change change = compare_groups(&before, &after);
    assert_int_equal(change.groups[0], 1);
    assert_int_equal(change.largest[0], 1);
    release_data_close(&data);
}

/* Units are told apart by their exact values, also where those differ behind a NUL: as one they would displace each
 * other's groups. */
static void texts_that_differ_behind_a_nul_are_two_units(void **state)
{
    struct release_data data;
    struct release_question question = release_questions[4]; /* k, hidden */
    (void)state;

    question.max_groups = question.max_rows = 1;
    question.text_unit = true;
    release_data_open(&data, 1);
    release_data_run(&data,
                     "INSERT INTO data(w, k) VALUES ('a' || chr(0) || 'b', 1), ('a' || chr(0) || 'c', 2)");
    struct engine_groups both = release_question_ask(&data, &question);
    assert_int_equal(both.group_count, 2);
    release_data_close(&data);
}

/* The answer is a function of the rows and of the request. */
static void order_and_threads_do_not_matter(void **state)
{
    struct release_data data;
    (void)state;

    release_data_open(&data, 1);
    release_question_fill(&data, 500, 20000);
    for (size_t i = 0; i < RELEASE_QUESTIONS; i++) {
        struct release_question question = release_questions[i];
        question.max_groups = question.max_rows = 2;
        release_data_run(&data, "SET threads = 1");
        struct engine_groups before = release_question_ask(&data, &question);
        release_data_run(&data, "SET threads = 4");
        release_data_run(&data, "CREATE OR REPLACE TABLE other AS FROM data ORDER BY hash(u, k, x, %zu)", i);
        release_data_run(&data, "DELETE FROM data");
        release_data_run(&data, "INSERT INTO data FROM other");
        struct engine_groups after = release_question_ask(&data, &question);
        assert_int_equal(before.group_count, after.group_count);
        assert_memory_equal(before.numbers, after.numbers,
                            before.group_count * before.numbers_per_group * sizeof *before.numbers);
    }
    release_data_close(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_changes_no_more_than_its_sensitivity),
        cmocka_unit_test(a_million_rows_of_one_unit_count_as_a_few),
        cmocka_unit_test(a_new_key_does_not_move_others),
        cmocka_unit_test(texts_that_differ_behind_a_nul_are_two_units),
        cmocka_unit_test(order_and_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
