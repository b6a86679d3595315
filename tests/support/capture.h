/* capture.h - what a piece of code writes to stdout and stderr. */
#ifndef TESTS_SUPPORT_CAPTURE_H
#define TESTS_SUPPORT_CAPTURE_H

#include <stddef.h>

struct capture {
    int saved[2]; /* the real stdout and stderr */
    char out[65536], err[4096];
};

void capture_begin(struct capture *capture);

/* Puts the streams back; `out` and `err` then hold what was written, cut off if it is too long. */
void capture_end(struct capture *capture);

#endif
