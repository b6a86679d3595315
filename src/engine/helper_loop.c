#include "engine/helper_loop.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/helper.h"
#include "engine/helper_start.h"
#include "engine/sandbox.h"

enum {
    READ_BYTES = 1 << 16,
    /* Besides what the databases may take: code, stacks, what the allocator keeps, frames. Addresses, not memory. */
    ROOM_BYTES = 1 << 30,
    THREAD_BYTES =
        256 << 20, /* its stack, and the addresses that the C library sets aside for what it allocates */
};

static struct running {
    pthread_mutex_t lock;
    uint32_t number;
    const struct helper_work *work;
    void *context;
} running = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* No destructors, no exit handlers: some would look for files, and there is nothing to save. */
static _Noreturn void leave(int code)
{
    _exit(code);
}

static bool read_some(int file, void *bytes, size_t most, size_t *count)
{
    ssize_t got = 0;
    do
        got = read(file, bytes, most);
    while (got < 0 && errno == EINTR);
    *count = got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* ---- Control ---- */

void helper_loop_runs(uint32_t number)
{
    pthread_mutex_lock(&running.lock);
    running.number = number;
    pthread_mutex_unlock(&running.lock);
}

/* Each 4 bytes are the number of a statement that is to be stopped. When the socket is closed, whoever wanted an answer is gone,
 * also in the middle of a statement. (PR_SET_PDEATHSIG would look at the thread that started us, not at its process, and kill us
 * when a pool's thread ends. One who has taken this process over and stays has nobody to talk to, nothing that he can reach, and
 * HELPER_CPU_SECONDS.) */
static void *listen_for_interrupts(void *context)
{
    (void)context;
    unsigned char bytes[4];
    for (size_t have = 0, count = 0;; have = (have + count) % sizeof bytes) {
        if (!read_some(HELPER_CONTROL, bytes + have, sizeof bytes - have, &count))
            leave(0);
        if (have + count < sizeof bytes)
            continue;
        uint32_t number =
            (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
        pthread_mutex_lock(&running.lock);
        if (number == running.number && number != 0)
            running.work->interrupt(running.context);
        pthread_mutex_unlock(&running.lock);
    }
}

/* ---- Frames ---- */

bool helper_loop_flush(struct buffer *out)
{
    if (out->failed)
        return false;
    for (size_t sent = 0; sent < out->length;) {
        ssize_t count = write(HELPER_SOCKET, out->data + sent, out->length - sent);
        if (count < 0 && errno != EINTR)
            return false;
        sent += count > 0 ? (size_t)count : 0;
    }
    buffer_clear(out);
    return true;
}

struct inbox {
    struct buffer bytes;
    size_t taken;
};

/* The next frame; it stays until the next call. */
static bool next_frame(struct inbox *inbox, struct frame *out)
{
    char bytes[READ_BYTES];
    size_t size = 0, count = 0;
    struct buffer *in = &inbox->bytes;
    if (inbox->taken > 0) {
        memmove(in->data, in->data + inbox->taken, in->length - inbox->taken);
        in->length -= inbox->taken;
        inbox->taken = 0;
    }
    for (;;) {
        enum frame_state state = frame_read(in->data, in->length, out, &size);
        inbox->taken = state == FRAME_WHOLE ? size : 0;
        if (state != FRAME_PARTIAL)
            return state == FRAME_WHOLE;
        if (!read_some(HELPER_SOCKET, bytes, sizeof bytes, &count))
            return false;
        buffer_append(in, bytes, count);
        if (in->failed)
            return false;
    }
}

/* ---- The whole ---- */

static bool is_socket(int file)
{
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

status helper_loop_limit(uint64_t memory_bytes, uint32_t threads, error *why)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = threads > 0 ? threads : processors > 0 ? (uint64_t)processors : 1;
    uint64_t bytes = 2 * memory_bytes + ROOM_BYTES + (count + 1) * THREAD_BYTES;
    return sandbox_limit(&(struct sandbox_limits){.address_bytes = bytes, .cpu_seconds = HELPER_CPU_SECONDS},
                         why);
}

static status shut_in(error *why)
{
    static const int read_from[] = {HELPER_SOCKET, HELPER_CONTROL}, write_to[] = {HELPER_SOCKET};
    pthread_t thread;
    if (pthread_create(&thread, NULL, listen_for_interrupts, NULL) != 0)
        return fail(why, DITHER_NO_MEMORY, "a thread cannot be started");
    (void)pthread_detach(thread);
    return sandbox_enter(&(struct sandbox_descriptors){read_from, write_to, 2, 1}, why);
}

static _Noreturn void work_on(const struct helper_work *work, void *context)
{
    struct inbox inbox = {.taken = 0};
    struct buffer out;
    struct frame frame;
    error why;
    buffer_init(&inbox.bytes, 2 * FRAME_MOST_BYTES);
    buffer_init(&out, 2 * FRAME_MOST_BYTES);
    if (!next_frame(&inbox, &frame) || frame.kind != 'O' || !work->open(context, &frame.body) ||
        shut_in(&why) != DITHER_OK)
        leave(1);
    size_t begun = frame_begin(&out, HELPER_HELLO);
    frame_put_text(&out, DITHER_VERSION);
    frame_end(&out, begun);
    while (helper_loop_flush(&out) && next_frame(&inbox, &frame))
        if (!work->handle(context, &frame, &out))
            leave(1);
    leave(0);
}

status helper_loop(const struct helper_work *work, void *context, error *why)
{
    if (!is_socket(HELPER_SOCKET) || !is_socket(HELPER_CONTROL))
        return fail(why, DITHER_INVALID, "this is started by `dither serve` itself, and is of no use alone");
    (void)close_range(HELPER_CONTROL + 1, ~0U, 0);
    running.work = work;
    running.context = context;
    work_on(work, context);
}
