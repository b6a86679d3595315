/* arguments.h - an argv that may be written to, as main gets one. */
#ifndef TESTS_SUPPORT_ARGUMENTS_H
#define TESTS_SUPPORT_ARGUMENTS_H

enum { ARGUMENTS_MOST = 16, ARGUMENTS_BYTES = 64 };

struct arguments {
    int count;
    char *list[ARGUMENTS_MOST + 1]; /* ends with NULL; points into `text` */
    char text[ARGUMENTS_MOST][ARGUMENTS_BYTES];
};

/* Copies texts up to a NULL. */
void arguments_init(struct arguments *arguments, const char *const *texts);

#endif
