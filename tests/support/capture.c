#include "tests/support/capture.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/support/test.h"

static FILE *const *stream(int which)
{
    return which == 0 ? &stdout : &stderr;
}

void capture_begin(struct capture *capture)
{
    for (int i = 0; i < 2; i++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        fflush(*stream(i));
        capture->saved[i] = dup(fileno(*stream(i)));
        assert_true(dup2(fileno(file), fileno(*stream(i))) >= 0);
        fclose(file);
    }
}

void capture_end(struct capture *capture)
{
    for (int i = 0; i < 2; i++) {
        fflush(*stream(i));
        char *text = i == 0 ? capture->out : capture->err;
        size_t room = (i == 0 ? sizeof capture->out : sizeof capture->err) - 1;
        ssize_t length = pread(fileno(*stream(i)), text, room, 0);
        assert_true(length >= 0);
        text[length] = '\0';
        assert_true(dup2(capture->saved[i], fileno(*stream(i))) >= 0);
        close(capture->saved[i]);
    }
}
