/* Relations as SQL for DuckDB: texts written by hand beside what is printed. The rules that make a relation tagged
 * end here, in letters: the way to the unit, IS NOT NULL, tag = tag. Nothing is run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

#define OK(call) assert_int_equal((call), DITHER_OK)

struct bench {
    struct arena arena;
    struct sql_builder builder;
    struct sql_printer printer;
    struct buffer buffer;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    arena_init(&bench->arena, SQL_ARENA_BYTES);
    bench->builder.arena = &bench->arena;
    bench->builder.catalogue = catalogue_of(catalogue_hospital, &bench->arena);
    buffer_init(&bench->buffer, 1 << 20);
    bench->printer = (struct sql_printer){.dialect = &sql_duckdb, .buffer = &bench->buffer};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    buffer_free(&bench->buffer);
    arena_free(&bench->arena);
    free(bench);
    return 0;
}

static const struct sql_relation *scan(struct bench *bench, const char *table)
{
    const struct sql_table *found = sql_catalogue_table(bench->builder.catalogue, table);
    const struct sql_relation *relation = NULL;
    assert_non_null(found);
    OK(sql_scan(&bench->builder, found, -1, &relation, NULL));
    return relation;
}

static const struct sql_expression *column(struct bench *bench, const struct sql_relation *relation,
                                           size_t index)
{
    const struct sql_expression *expression = NULL;
    OK(sql_column_of(&bench->builder, relation, index, -1, &expression, NULL));
    return expression;
}

static const struct sql_expression *whole(struct bench *bench, int64_t number)
{
    const struct sql_expression *expression = NULL;
    struct sql_value value = {.type = SQL_INTEGER, .whole = number};
    OK(sql_literal(&bench->builder, &value, -1, &expression, NULL));
    return expression;
}

static const struct sql_relation *project(struct bench *bench, const struct sql_relation *input, size_t index)
{
    const struct sql_relation *relation = NULL;
    const struct sql_expression *expressions[] = {column(bench, input, index)};
    const char *names[] = {"x"};
    OK(sql_project(&bench->builder, input, expressions, names, NULL, 1, -1, &relation, NULL));
    return relation;
}

static const char *printed(struct bench *bench, const struct sql_relation *relation)
{
    buffer_clear(&bench->buffer);
    bench->printer.alias_count = 0;
    sql_print_relation(&bench->printer, relation);
    OK(buffer_check(&bench->buffer, NULL));
    return bench->buffer.data;
}

static const char *described(struct bench *bench, const struct sql_relation *relation)
{
    buffer_clear(&bench->buffer);
    sql_describe_relation(&bench->buffer, relation);
    OK(buffer_check(&bench->buffer, NULL));
    return bench->buffer.data;
}

/* ---- Scans ---- */

#define NOTES                                                                                                \
    "SELECT TRY_CAST(s0.\"words\" AS BIGINT) AS c0, s0.rowid AS c1 FROM \"notes\" s0 WHERE s0.rowid IS NOT " \
    "NULL"
#define CLINICS                                                                                              \
    "SELECT TRY_CAST(s0.\"clinic_id\" AS BIGINT) AS c0, TRY_CAST(s0.\"city\" AS VARCHAR) AS c1 FROM "        \
    "\"clinics\" s0"
#define VISITS                                                                                               \
    "SELECT TRY_CAST(s0.\"visit_id\" AS BIGINT) AS c0, TRY_CAST(s0.\"patient_id\" AS BIGINT) AS c1, "        \
    "TRY_CAST(s0.\"clinic_id\" AS BIGINT) AS c2, TRY_CAST(s0.\"day\" AS DATE) AS c3, TRY_CAST(s0.\"cost\" "  \
    "AS "                                                                                                    \
    "DOUBLE) AS c4, TRY_CAST(s0.\"patient_id\" AS BIGINT) AS c5 FROM \"visits\" s0 WHERE "                   \
    "TRY_CAST(s0.\"patient_id\" AS BIGINT) IS NOT NULL"

static void a_scan_leads_to_the_unit_and_leaves_out_who_has_none(void **state)
{
    struct bench *bench = *state;
    /* The child's own key is the unit: no join, and visits of unknown patients are their own. */
    assert_string_equal(printed(bench, scan(bench, "visits")), VISITS);
    /* Two steps down: one join, to the table that holds the unit. */
    assert_string_equal(
        printed(bench, scan(bench, "items")),
        "SELECT TRY_CAST(s0.\"visit_id\" AS BIGINT) AS c0, TRY_CAST(s0.\"kind\" AS VARCHAR) "
        "AS c1, TRY_CAST(s0.\"price\" AS DECIMAL(18, 2)) AS c2, "
        "TRY_CAST(s1.\"patient_id\" AS BIGINT) AS c3 FROM \"items\" s0 JOIN \"visits\" s1 ON "
        "s0.\"visit_id\" = s1.\"visit_id\" WHERE TRY_CAST(s1.\"patient_id\" AS BIGINT) IS NOT "
        "NULL");
    assert_string_equal(printed(bench, scan(bench, "notes")), NOTES);
    assert_string_equal(printed(bench, scan(bench, "clinics")), CLINICS);
}

static void a_table_with_a_quote_in_its_name_cannot_break_out(void **state)
{
    struct bench *bench = *state;
    const struct policy_column columns[] = {{.name = "a\"; DROP TABLE x; --", .type = POLICY_BOOLEAN}};
    const struct policy_table declared = {
        .name = "t\"", .protection = POLICY_PUBLIC, .columns = columns, .column_count = 1};
    const struct sql_table table = {.declared = &declared, .columns = columns, .column_count = 1};
    const struct sql_relation *relation = NULL;
    OK(sql_scan(&bench->builder, &table, -1, &relation, NULL));
    assert_string_equal(printed(bench, relation),
                        "SELECT TRY_CAST(s0.\"a\"\"; DROP TABLE x; --\" AS BOOLEAN) AS c0 FROM \"t\"\"\" s0");
}

/* ---- Where rows meet ---- */

static void two_tagged_relations_meet_within_one_unit_whatever_the_condition(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *left = scan(bench, "notes"), *right = scan(bench, "notes");
    const struct sql_value truth = {.type = SQL_BOOLEAN, .whole = 1};
    const struct sql_expression *always = NULL;
    OK(sql_literal(&bench->builder, &truth, -1, &always, NULL));
    /* Built by hand: no constructor would let ON TRUE pass. */
    struct sql_column columns[4] = {left->columns[0], left->columns[1], right->columns[0], right->columns[1]};
    struct sql_relation join = {.kind = SQL_JOIN,
                                .place = SQL_TAGGED,
                                .columns = columns,
                                .column_count = 4,
                                .tag = 1,
                                .input = left,
                                .right = right,
                                .condition = always};
    assert_string_equal(printed(bench, &join),
                        "SELECT t0.c0 AS c0, t0.c1 AS c1, t1.c0 AS c2, t1.c1 AS c3 FROM (" NOTES
                        ") t0 JOIN (" NOTES ") t1 ON t0.c1 = t1.c1 AND (TRUE)");
    join.join = SQL_LEFT;
    join.condition = NULL;
    assert_string_equal(printed(bench, &join),
                        "SELECT t0.c0 AS c0, t0.c1 AS c1, t1.c0 AS c2, t1.c1 AS c3 FROM (" NOTES
                        ") t0 LEFT JOIN (" NOTES ") t1 ON t0.c1 = t1.c1");
    struct sql_relation semi = {.kind = SQL_SEMI_JOIN,
                                .place = SQL_TAGGED,
                                .columns = columns,
                                .column_count = 2,
                                .tag = 1,
                                .input = left,
                                .right = right,
                                .condition = always,
                                .anti = true};
    assert_string_equal(printed(bench, &semi),
                        "SELECT * FROM (" NOTES ") t0 WHERE NOT EXISTS (SELECT 1 FROM (" NOTES
                        ") t1 WHERE t0.c1 = t1.c1 AND (TRUE))");
    semi.condition = NULL;
    semi.anti = false;
    assert_string_equal(printed(bench, &semi),
                        "SELECT * FROM (" NOTES ") t0 WHERE EXISTS (SELECT 1 FROM (" NOTES
                        ") t1 WHERE t0.c1 = t1.c1)");
}

static void a_join_with_a_public_table_has_the_analysts_condition(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *left = scan(bench, "notes"), *right = scan(bench, "clinics"), *join = NULL;
    const struct sql_expression *same = NULL, *key = column(bench, right, 0);
    struct sql_expression moved = *key; /* the right side's columns follow the left's */
    moved.column += left->column_count;
    OK(sql_call2(&bench->builder, "=", column(bench, left, 0), &moved, -1, &same, NULL));
    OK(sql_join(&bench->builder, SQL_LEFT, left, right, same, -1, &join, NULL));
    assert_string_equal(printed(bench, join),
                        "SELECT t0.c0 AS c0, t0.c1 AS c1, t1.c0 AS c2, t1.c1 AS c3 FROM (" NOTES
                        ") t0 LEFT JOIN (" CLINICS ") t1 ON ((t0.c0 = t1.c0))");
    assert_string_equal(described(bench, join), "left join on (words = clinic_id)\n"
                                                "  scan \"notes\", unit each row\n"
                                                "  scan \"clinics\", public\n");
}

/* ---- Groups and windows ---- */

static void sums_within_a_unit_are_whole_numbers_brought_back_to_64_bits(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *input = scan(bench, "notes"), *grouped = NULL;
    const struct sql_expression *keys[] = {column(bench, input, 1)};
    const struct sql_expression *words = column(bench, input, 0), *positive = NULL;
    OK(sql_call2(&bench->builder, ">", words, whole(bench, 0), -1, &positive, NULL));
    const struct sql_aggregate aggregates[] = {
        {.kind = SQL_COUNT_ROWS, .filter = positive},
        {.kind = SQL_COUNT, .argument = words, .distinct = true},
        {.kind = SQL_TOTAL, .argument = words},
        {.kind = SQL_AVERAGE, .argument = words},
    };
    OK(sql_group(&bench->builder, input, keys, 1, aggregates, 4, -1, &grouped, NULL));
    assert_string_equal(
        printed(bench, grouped),
        "SELECT t0.c1 AS c0, TRY_CAST(count(*) FILTER (WHERE (t0.c0 > CAST(0 AS BIGINT))) AS BIGINT) AS c1, "
        "TRY_CAST(count(DISTINCT t0.c0) AS BIGINT) AS c2, TRY_CAST(sum(t0.c0) AS BIGINT) AS c3, "
        "TRY_CAST((CAST(sum(t0.c0) AS DOUBLE) / count(t0.c0)) AS DOUBLE) AS c4 FROM (" NOTES
        ") t0 GROUP BY 1");
}

/* DuckDB raises an error where a square overflows, and says NaN where PostgreSQL says NULL. */
static void statistics_of_released_numbers_cannot_fail(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *input = scan(bench, "clinics"), *grouped = NULL;
    const struct sql_aggregate aggregates[] = {
        {.kind = SQL_CORR, .argument = column(bench, input, 0), .second = column(bench, input, 0)}};
    OK(sql_group(&bench->builder, input, NULL, 0, aggregates, 1, -1, &grouped, NULL));
#define REAL     "CAST(t0.c0 AS DOUBLE)"
#define IN_RANGE "(" REAL " BETWEEN -1e150 AND 1e150 AND " REAL " BETWEEN -1e150 AND 1e150)"
    assert_string_equal(printed(bench, grouped),
                        "SELECT TRY_CAST(NULLIF(CASE WHEN bool_and(" IN_RANGE
                        ") THEN corr(CASE WHEN " IN_RANGE " THEN " REAL " END, " REAL
                        ") END, CAST('NaN' AS DOUBLE)) AS DOUBLE) AS c0 FROM (" CLINICS ") t0");
}

static void a_window_says_its_order_and_frame_completely(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *input = scan(bench, "clinics"), *made = NULL;
    const struct sql_expression *partition[] = {column(bench, input, 1)};
    const struct sql_order order[] = {
        {.expression = whole(bench, 1)}, /* a constant orders nothing */
        {.expression = column(bench, input, 0), .descending = true, .nulls_first = true},
        {.expression = column(bench, input, 1)},
    };
    const struct sql_window windows[] = {
        {.kind = SQL_ROW_NUMBER, .order = order, .order_count = 3},
        {.kind = SQL_LAG,
         .arguments = {column(bench, input, 0), whole(bench, 2)},
         .argument_count = 2,
         .partition = partition,
         .partition_count = 1,
         .order = order + 2,
         .order_count = 1},
        {.kind = SQL_WINDOW_AGGREGATE,
         .aggregate = {.kind = SQL_COUNT_ROWS},
         .order = order,
         .order_count = 1,
         .frame =
             {.given = true, .rows = true, .from = SQL_PRECEDING, .from_offset = 3, .to = SQL_CURRENT_ROW}},
    };
    OK(sql_windows(&bench->builder, input, windows, 3, -1, &made, NULL));
    assert_string_equal(
        printed(bench, made),
        "SELECT *, TRY_CAST(row_number() OVER (ORDER BY t0.c0 DESC NULLS FIRST, t0.c1 ASC NULLS "
        "LAST) AS BIGINT) AS c2, TRY_CAST(lag(t0.c0, CAST(2 AS BIGINT)) OVER (PARTITION BY "
        "t0.c1 ORDER BY t0.c1 ASC NULLS LAST) AS BIGINT) AS c3, TRY_CAST(count(*) OVER (ROWS "
        "BETWEEN 3 PRECEDING AND CURRENT ROW) AS BIGINT) AS c4 FROM (" CLINICS ") t0");
}

/* ---- After a release ---- */

static void a_limit_and_the_sort_below_it_are_one_select(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *input = scan(bench, "clinics"), *sorted = NULL, *made = NULL;
    const struct sql_order order[] = {{.expression = column(bench, input, 0), .descending = true}};
    OK(sql_sort(&bench->builder, input, order, 1, -1, &sorted, NULL));
    OK(sql_limit(&bench->builder, sorted, whole(bench, 3), whole(bench, 1), -1, &made, NULL));
    assert_string_equal(printed(bench, made), "SELECT * FROM (" CLINICS
                                              ") t0 ORDER BY t0.c0 DESC NULLS LAST LIMIT CAST(3 AS BIGINT) "
                                              "OFFSET CAST(1 AS BIGINT)");
    assert_string_equal(printed(bench, sorted),
                        "SELECT * FROM (" CLINICS ") t0 ORDER BY t0.c0 DESC NULLS LAST");
    assert_string_equal(described(bench, made), "limit 3 offset 1\n"
                                                "  sort clinic_id descending nulls last\n"
                                                "    scan \"clinics\", public\n");
}

static void sets_and_distinct_keep_their_kinds(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *city = project(bench, scan(bench, "clinics"), 1), *made = NULL;
#define CITY(t) "SELECT " t ".c1 AS c0 FROM (" CLINICS ") " t
    static const char *const words[] = {"UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"};
    for (int kind = SQL_UNION; kind <= SQL_EXCEPT_ALL; kind++) {
        char expected[4000];
        snprintf(expected, sizeof expected,
                 "SELECT * FROM (" CITY("t2") ") t0 %s SELECT * FROM (" CITY("t3") ") t1", words[kind]);
        struct sql_relation set = {.kind = SQL_SET,
                                   .set = (enum sql_set_kind)kind,
                                   .columns = city->columns,
                                   .column_count = 1,
                                   .input = city,
                                   .right = city};
        assert_string_equal(printed(bench, &set), expected);
    }
    OK(sql_distinct(&bench->builder, city, -1, &made, NULL));
    assert_string_equal(printed(bench, made), "SELECT DISTINCT * FROM (" CITY("t1") ") t0");
}

/* A release of notes with one column of noise. */
static const struct sql_relation *a_release(struct bench *bench, struct sql_release *release,
                                            struct sql_relation *relation)
{
    static const struct sql_column columns[] = {{.name = "n", .type = SQL_INTEGER, .noisy = true},
                                                {.name = "k", .type = SQL_TEXT, .nullable = true}};
    static const struct sql_measure measure = {.kind = SQL_MEASURE_ROWS, .unit_upper = 7};
    *release = (struct sql_release){.number = 3,
                                    .input = scan(bench, "notes"),
                                    .measures = &measure,
                                    .measure_count = 1,
                                    .max_rows = 7,
                                    .max_groups = 1};
    *relation = (struct sql_relation){.kind = SQL_RELEASE,
                                      .place = SQL_RELEASED,
                                      .columns = columns,
                                      .column_count = 2,
                                      .release = release,
                                      .number = 0};
    return relation;
}

static void a_release_is_read_from_its_table_in_scratch(void **state)
{
    struct bench *bench = *state;
    struct sql_release release;
    struct sql_relation relation;
    bench->printer.scratch = true;
    assert_string_equal(printed(bench, a_release(bench, &release, &relation)),
                        "SELECT c0, c1 FROM release_3");
}

static const struct sql_rows *give(void *context, const struct sql_relation *relation)
{
    assert_int_equal(relation->kind, SQL_RELEASE);
    return context;
}

static void what_was_released_enters_the_engine_as_values(void **state)
{
    struct bench *bench = *state;
    struct sql_release release;
    struct sql_relation relation;
    const struct sql_value cells[] = {{.type = SQL_INTEGER, .whole = -5},
                                      {.type = SQL_TEXT, .text = "it's"},
                                      {.type = SQL_INTEGER, .null = true},
                                      {.type = SQL_TEXT, .null = true}};
    struct sql_rows rows = {.column_count = 2, .row_count = 2, .cells = cells};
    a_release(bench, &release, &relation);
    bench->printer.given = give;
    bench->printer.context = &rows;
    assert_string_equal(
        printed(bench, &relation),
        "SELECT CAST(v.c0 AS BIGINT) AS c0, CAST(v.c1 AS VARCHAR) AS c1 FROM (VALUES (CAST(-5 "
        "AS BIGINT), 'it''s'), (CAST(NULL AS BIGINT), CAST(NULL AS VARCHAR))) AS v(c0, c1)");
    rows.row_count = 0;
    assert_string_equal(printed(bench, &relation),
                        "SELECT CAST(NULL AS BIGINT) AS c0, CAST(NULL AS VARCHAR) AS c1 WHERE FALSE");
}

static void a_stand_in_tells_one_release_from_another(void **state)
{
    struct bench *bench = *state;
    struct sql_release release, other;
    struct sql_relation relation, other_relation;
    char first[4000];
    a_release(bench, &release, &relation);
    a_release(bench, &other, &other_relation);
    struct sql_measure measure = release.measures[0];
    measure.unit_upper = 8;
    other.measures = &measure;
    snprintf(first, sizeof first, "%s", printed(bench, &relation));
    assert_string_equal(
        first, "/* rows of: release; at most 7 rows and 1 groups of each unit;  measure rows; a unit "
               "adds from 0 to 7;  scan \"notes\", unit each row; */ SELECT CAST(NULL AS BIGINT) AS "
               "c0, CAST(NULL AS VARCHAR) AS c1 WHERE FALSE");
    assert_string_not_equal(printed(bench, &other_relation), first);
    other.number = 9; /* its place in the question is nothing to others */
    other.measures = release.measures;
    assert_string_equal(printed(bench, &other_relation), first);
}

static void the_text_of_a_relation_does_not_depend_on_what_else_is_in_the_question(void **state)
{
    struct bench *bench = *state;
    char before[4000];
    const struct sql_relation *first = project(bench, scan(bench, "notes"), 0);
    snprintf(before, sizeof before, "%s", printed(bench, first));
    (void)scan(bench, "clinics");
    const struct sql_relation *second = project(bench, scan(bench, "notes"), 0);
    assert_true(second->number != first->number);
    assert_string_equal(printed(bench, second), before);
}

static void columns_of_one_name_are_told_apart(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *both = NULL;
    const struct sql_relation *clinics = scan(bench, "clinics");
    OK(sql_join(&bench->builder, SQL_INNER, clinics, clinics, NULL, -1, &both, NULL));
    char left[1000];
    snprintf(left, sizeof left, "%s", described(bench, project(bench, both, 1)));
    assert_non_null(strstr(left, "project city#1 as x\n"));
    assert_non_null(strstr(described(bench, project(bench, both, 3)), "project city#3 as x\n"));
}

/* Each level names the one below it twice: 2^40 scans if all were printed. The constructors refuse that long before; the
 * printers do not rely on it. */
static void what_doubles_with_every_level_ends_at_the_buffers_limit(void **state)
{
    struct bench *bench = *state;
    const struct sql_relation *relation = project(bench, scan(bench, "clinics"), 1);
    struct sql_relation levels[40];
    OK(sql_append(&bench->builder, relation, relation, -1, &relation, NULL));
    for (int level = 0; level < 40; level++) {
        levels[level] = *relation;
        levels[level].input = levels[level].right = relation;
        relation = &levels[level];
    }
    sql_print_relation(&bench->printer, relation);
    assert_true(bench->buffer.failed);
    struct buffer words;
    buffer_init(&words, 100000);
    sql_describe_relation(&words, relation);
    assert_true(words.failed);
    buffer_free(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_scan_leads_to_the_unit_and_leaves_out_who_has_none),
        TEST(a_table_with_a_quote_in_its_name_cannot_break_out),
        TEST(two_tagged_relations_meet_within_one_unit_whatever_the_condition),
        TEST(a_join_with_a_public_table_has_the_analysts_condition),
        TEST(sums_within_a_unit_are_whole_numbers_brought_back_to_64_bits),
        TEST(statistics_of_released_numbers_cannot_fail),
        TEST(a_window_says_its_order_and_frame_completely),
        TEST(a_limit_and_the_sort_below_it_are_one_select),
        TEST(sets_and_distinct_keep_their_kinds),
        TEST(a_release_is_read_from_its_table_in_scratch),
        TEST(what_was_released_enters_the_engine_as_values),
        TEST(a_stand_in_tells_one_release_from_another),
        TEST(the_text_of_a_relation_does_not_depend_on_what_else_is_in_the_question),
        TEST(columns_of_one_name_are_told_apart),
        TEST(what_doubles_with_every_level_ends_at_the_buffers_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
