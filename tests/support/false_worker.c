#include "tests/support/false_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "engine/helper_loop.h"
#include "engine/helper_start.h"
#include "engine/scratch_wire.h"
#include "tests/support/test.h"

const char *const false_worker_at_once[] = {
    "noise", "nothing", "announces-4-gb", "other-version", "rows-for-hello", "long-hello", NULL};
const char *const false_worker_later[] = {
    "dies",        "too-many-rows", "half-a-row",   "third-truth",    "broken-text",
    "nul-in-text", "text-of-4-gb",  "unknown-code", "no-status",      "second-hello",
    "empty-frame", "endless-rows",  "late-day",     "code-of-others", NULL};

bool false_worker_meant(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "scratch-worker") == 0;
}

static void say(struct buffer *out)
{
    if (out->length > 0 && write(HELPER_SOCKET, out->data, out->length) < 0)
        _exit(0);
    buffer_clear(out);
}

static void greet(struct buffer *out, const char *version)
{
    size_t begun = frame_begin(out, HELPER_HELLO);
    frame_put_text(out, version);
    frame_end(out, begun);
}

static void listen_a_little(void)
{
    char bytes[1 << 16];
    if (read(HELPER_SOCKET, bytes, sizeof bytes) <= 0)
        _exit(0);
}

static void frame_of(struct buffer *out, char kind, const void *bytes, size_t count)
{
    size_t begun = frame_begin(out, kind);
    buffer_append(out, bytes, count);
    frame_end(out, begun);
}

/* The question has columns boolean, text and date. */
static void lie_about_rows(struct buffer *out, const char *way)
{
    static const char row[] = {0, 0, 0};
    if (strcmp(way, "too-many-rows") == 0)
        for (int i = 0; i < 20; i++)
            frame_of(out, SCRATCH_ROWS, row, sizeof row);
    else if (strcmp(way, "half-a-row") == 0)
        frame_of(out, SCRATCH_ROWS, row, 2);
    else if (strcmp(way, "third-truth") == 0)
        frame_of(out, SCRATCH_ROWS, "\1\2\0\0", 4);
    else if (strcmp(way, "broken-text") == 0)
        frame_of(out, SCRATCH_ROWS, "\0\1\0\0\0\2\xC3\x28\0", 9);
    else if (strcmp(way, "nul-in-text") == 0)
        frame_of(out, SCRATCH_ROWS, "\0\1\0\0\0\3a\0b\0", 10);
    else if (strcmp(way, "text-of-4-gb") == 0)
        frame_of(out, SCRATCH_ROWS, "\0\1\xFF\xFF\xFF\xFFxx\0", 9);
    else if (strcmp(way, "late-day") == 0)
        frame_of(out, SCRATCH_ROWS, "\0\0\1\0\0\0\1\0\0\0\0", 11);
    while (strcmp(way, "endless-rows") == 0) {
        frame_of(out, SCRATCH_ROWS, row, 0);
        say(out);
    }
}

static void lie_about_the_end(struct buffer *out, const char *way)
{
    if (strcmp(way, "unknown-code") == 0)
        frame_of(out, SCRATCH_STATUS, "\x4D\0\0\0\0", 5);
    else if (strcmp(way, "code-of-others") == 0)
        frame_of(out, SCRATCH_STATUS, "\2\0\0\0\0", 5); /* DITHER_REFUSED: not a scratch's to say */
    else if (strcmp(way, "no-status") == 0)
        frame_of(out, SCRATCH_STATUS, "", 0);
    else if (strcmp(way, "second-hello") == 0)
        greet(out, DITHER_VERSION);
    else if (strcmp(way, "empty-frame") == 0)
        frame_put_uint32(out, 0);
    else
        scratch_wire_put_status(out, DITHER_OK, "");
}

static void fail_at_once(struct buffer *out, const char *way)
{
    if (strcmp(way, "noise") == 0)
        for (unsigned i = 0; i < 100000; i++)
            buffer_byte(out, (char)(i == 0 ? 0xA5U : i * 2654435761U >> 13));
    else if (strcmp(way, "announces-4-gb") == 0)
        frame_put_uint32(out, UINT32_MAX);
    else if (strcmp(way, "other-version") == 0)
        greet(out, "0.0.0");
    else if (strcmp(way, "rows-for-hello") == 0)
        frame_of(out, SCRATCH_ROWS, "", 0);
    else if (strcmp(way, "long-hello") == 0)
        frame_of(out, HELPER_HELLO, "\0\0\0\5", 4);
    else
        return;
    say(out);
    listen_a_little();
    for (;;)
        listen_a_little();
}

int false_worker_play(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN), *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *way = slash != NULL ? slash + 1 : "";
    struct buffer out;
    buffer_init(&out, 1 << 20);
    alarm(60);
    listen_a_little();
    if (strcmp(way, "nothing") == 0)
        return 3;
    fail_at_once(&out, way);
    greet(&out, DITHER_VERSION);
    say(&out);
    if (strcmp(way, "deaf") == 0)
        for (;;)
            pause();
    for (;;) {
        listen_a_little();
        if (strcmp(way, "dies") == 0)
            abort();
        if (strcmp(way, "slow") == 0) { /* a byte now and then, of a frame that never ends */
            frame_put_uint32(&out, 1000);
            for (;;) {
                buffer_byte(&out, SCRATCH_ROWS);
                say(&out);
                nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
            }
        }
        lie_about_rows(&out, way);
        lie_about_the_end(&out, way);
        say(&out);
    }
}

void false_worker_make(const char *folder, const char *way, char *path, size_t size)
{
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    assert_true(length > 0);
    own[length] = '\0';
    snprintf(path, size, "%s/%s", folder, way);
    (void)unlink(path);
    assert_int_equal(symlink(own, path), 0);
}
