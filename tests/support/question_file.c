#include "tests/support/question_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void append(char *text, size_t size, const char *more, const char *between)
{
    size_t length = strlen(text);
    if (length + strlen(more) + strlen(between) + 1 > size)
        fail_msg("a block of the question file is too long");
    snprintf(text + length, size - length, "%s%s", length > 0 ? between : "", more);
}

/* Reads up to the first line after the expectations, which `line` then holds. */
static void take(struct question_block *block, const char *line)
{
    if (begins(line, "--> ")) {
        assert_true(block->expected_count < EXPECTATIONS);
        append(block->expected[block->expected_count++], sizeof block->expected[0], line + 4, "");
    } else if (begins(line, "-- ") && block->text[0] == '\0') {
        append(block->title, sizeof block->title, line + 3, " ");
    } else if (line[0] != '\0') {
        append(block->text, sizeof block->text, line, "\n");
    }
}

static bool is_over(const struct question_block *block, const char *line)
{
    return block->expected_count > 0 && !begins(line, "--> ");
}

size_t question_file_walk(const char *name, size_t least, question_receive receive, void *context)
{
    char path[400], line[4000];
    snprintf(path, sizeof path, "%s/tests/sql/%s", getenv("SOURCE_DIR"), name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("there is no %s", path);
    struct question_block *block = calloc(1, sizeof *block);
    size_t count = 0;
    int number = 0;
    bool more = true;
    while (more) {
        more = fgets(line, sizeof line, file) != NULL;
        number++;
        if (!more)
            line[0] = '\0';
        line[strcspn(line, "\n")] = '\0';
        if (begins(line, "--# "))
            continue;
        if (is_over(block, line)) {
            if (block->text[0] == '\0')
                fail_msg("%s:%d: no question", name, block->line);
            receive(context, block);
            count++;
            memset(block, 0, sizeof *block);
        }
        if (block->line == 0) {
            block->file = name;
            block->line = number;
        }
        take(block, line);
        if (block->title[0] == '\0' && block->text[0] == '\0' && block->expected_count == 0)
            block->line = 0; /* empty lines between blocks */
    }
    if (block->text[0] != '\0')
        fail_msg("%s:%d: a question without an expectation", name, block->line);
    free(block);
    fclose(file);
    if (count < least)
        fail_msg("%s has %zu questions, not %zu", name, count, least);
    return count;
}
