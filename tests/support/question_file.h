/* question_file.h - questions in SQL files that a person can read and add to.
 *
 *     -- How many patients are there in each region?
 *     SELECT region, count(*) FROM patients GROUP BY region
 *     --> same
 *
 * A block is comment lines (the title), the question, and one or more lines that begin with "--> ": what must
 * happen. What the expectations mean is the test's business. Lines that begin with "--# " belong to nobody. */
#ifndef TESTS_SUPPORT_QUESTION_FILE_H
#define TESTS_SUPPORT_QUESTION_FILE_H

#include <stddef.h>

enum { QUESTION_BYTES = 80000, EXPECTATIONS = 200 };

struct question_block {
    const char *file;
    int line; /* of the title */
    char title[400];
    char text[QUESTION_BYTES];
    char expected[EXPECTATIONS][400];
    size_t expected_count;
};

/* Calls `receive` for every block of tests/sql/NAME; fails the test when there are fewer than `least`, or when
 * the file is not in this form. Returns how many there were. */
typedef void (*question_receive)(void *context, const struct question_block *block);
size_t question_file_walk(const char *name, size_t least, question_receive receive, void *context);

#endif
