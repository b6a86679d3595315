#include "tests/support/release_questions.h"

#include <string.h>

static const uint8_t hash_key[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 254};

static struct sql_rows domain_of(struct release_data *data, const struct release_question *question)
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
void release_question_measures(struct release_data *data, const struct release_question *question,
                               struct sql_measure measures[QUESTION_MEASURES])
{
    static const char *const texts[QUESTION_TOPS] = {"b", "a", "d", "zebra"};
    const struct sql_expression *x = release_data_column_expression(DATA_X);
    const struct sql_expression *y = release_data_column_expression(DATA_Y);
    const struct sql_expression *t = release_data_column_expression(DATA_T);
    const struct sql_expression *b = release_data_column_expression(DATA_B);
    const struct sql_steps quarters = {.exponent = -2, .lower = -7, .upper = 20};
    const struct sql_steps wholes = {.lower = -10, .upper = 20, .centre = 5};
    const struct sql_steps cells = {.lower = -3, .upper = -3 + QUESTION_CELLS - 1, .centre = 1};
    int64_t rows = (int64_t)question->max_rows;
    const struct sql_measure all[QUESTION_MEASURES] = {
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
         .domain = release_data_text_domain(data, texts, QUESTION_TOPS, false),
         .unit_upper = rows},
    };
    memcpy(measures, all, sizeof all);
}

struct engine_groups release_question_ask(struct release_data *data, const struct release_question *question)
{
    struct sql_measure measures[QUESTION_MEASURES];
    const struct sql_expression *keys[QUESTION_KEYS];
    struct sql_rows domain = question->enumerated ? domain_of(data, question) : (struct sql_rows){0};
    struct sql_release release = {.input = release_data_input(question->text_unit),
                                  .keys = keys,
                                  .key_count = question->key_count,
                                  .measures = measures,
                                  .measure_count = QUESTION_MEASURES,
                                  .max_rows = question->max_rows,
                                  .max_groups = question->max_groups,
                                  .one_row = question->one_row};

    release_question_measures(data, question, measures);
    for (size_t i = 0; i < question->key_count; i++)
        keys[i] = release_data_column_expression(question->keys[i]);
    return release_data_release(data, &release, question->enumerated ? &domain : NULL, hash_key);
}

void release_question_fill(struct release_data *data, int units, int rows)
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

const struct release_question release_questions[RELEASE_QUESTIONS] = {
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
