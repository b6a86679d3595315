/* release_questions.h - releases of every kind of key and measure over the rows of release_data.h. */
#ifndef TESTS_SUPPORT_RELEASE_QUESTIONS_H
#define TESTS_SUPPORT_RELEASE_QUESTIONS_H

#include "tests/support/release_data.h"

enum {
    QUESTION_CELLS = 10,
    QUESTION_TOPS = 4,
    QUESTION_MEASURES = 10, /* the first eight have one number each, then quantiles, then top */
    QUESTION_NUMBERS = 8 + QUESTION_CELLS + QUESTION_TOPS,
    QUESTION_KEYS = 2,
    RELEASE_QUESTIONS = 9,
};

struct release_question {
    enum release_data_column keys[QUESTION_KEYS];
    size_t key_count;
    const char *thing; /* in plain SQL: the place in the domain, or the keys packed */
    bool enumerated, text_unit, one_row;
    uint64_t max_rows, max_groups;
};

/* Without bounds: tests put in their own. */
extern const struct release_question release_questions[RELEASE_QUESTIONS];

/* Units, rows, rows where b and y is not NULL, sum of x, sum of y where b, sum of x y, distinct y where b, sum of
 * distinct y, cells of x where b, top of t. x counts in quarters from -7 to 20, and in the cells in wholes from -3;
 * y from -10 to 20, less 5. */
void release_question_measures(struct release_data *data, const struct release_question *question,
                               struct sql_measure measures[QUESTION_MEASURES]);

/* The key of the hash is 01 02 ... 0f fe. */
struct engine_groups release_question_ask(struct release_data *data, const struct release_question *question);

/* Rows of about that many units, with NULLs, NaN, infinities and duplicates. */
void release_question_fill(struct release_data *data, int units, int rows);

#endif
