/* question.h - what `ask` and `explain` share: whose policy, what is asked, with which settings.
 *
 * The text of a question is an argument, or a file (--file), or standard input (-). A refusal that knows the
 * place is shown with the line of the text and a caret below it. */
#ifndef CLI_QUESTION_H
#define CLI_QUESTION_H

#include "cli/cli.h"
#include "curator/curator.h"

enum { QUESTION_OPTIONS = 14 };

struct question {
    const char *policy;
    const char *file;                /* --file, or NULL */
    struct buffer text;              /* what was read */
    struct curator_question request; /* borrows from all of the above */
    enum cli_format format;
};

void question_init(struct question *question);
void question_free(struct question *question);

/* Fills the table of options, whose places are in the question. */
void question_options(struct question *question, struct cli_option list[QUESTION_OPTIONS]);

/* The arguments that are left: POLICY and the text. Wrong ones are wrong usage. */
status question_arguments(struct question *question, const char *command, int argc, char **argv,
                          error *why) MUST_CHECK;

/* Reads the text, where it is not an argument. */
status question_read(struct question *question, error *why) MUST_CHECK;

/* "dither: MESSAGE" and, where the place is known, the line with a caret; returns CLI_FAILED. */
int question_failed(const struct question *question, const error *why);

#endif
