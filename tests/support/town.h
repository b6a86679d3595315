/* town.h - the tables and the questions of tests/sql: a catalogue with every kind of unit, and the blocks of the SQL
 * files (test_questions.c says what they look like). */
#ifndef TESTS_SUPPORT_TOWN_H
#define TESTS_SUPPORT_TOWN_H

#include "sql/catalogue.h"

/* A hospital; a shop whose units are reached over two joins, one with a key of two columns; events without any unit
 * but themselves. All keys are proved but that of writers, to whom letters belong. */
const struct sql_catalogue *town_catalogue(struct arena *arena);

enum { TOWN_MOST_EXPECTATIONS = 24, TOWN_BLOCK_BYTES = 4096 };

struct town_block {
    int line;
    char title[200];
    char question[TOWN_BLOCK_BYTES];
    char expected[TOWN_MOST_EXPECTATIONS][300];
    size_t expected_count;
};

/* The text of tests/sql/NAME; to be freed. */
char *town_read(const char *name);

/* The next block of the text, or false. Lines that begin with "---" are remarks. */
bool town_next_block(char **text, int *line_number, struct town_block *block);

#endif
