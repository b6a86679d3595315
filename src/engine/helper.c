#include "engine/helper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "engine/helper_loop.h"
#include "engine/helper_start.h"

enum {
    READ_BYTES = 1 << 16,
    SLICE_MILLISECONDS = 100,  /* how soon an interrupt is noticed by the one who waits */
    GRACE_MILLISECONDS = 2000, /* between asking it to stop and killing it */
    START_MILLISECONDS = 60000,
};

/* ---- Life ---- */

void helper_init(struct helper *helper, const struct helper_options *options)
{
    *helper = (struct helper){.options = *options, .socket = -1, .control = -1};
    pthread_mutex_init(&helper->lock, NULL);
    atomic_init(&helper->stop, false);
    buffer_init(&helper->out, 2 * FRAME_MOST_BYTES);
    buffer_init(&helper->in, 2 * FRAME_MOST_BYTES);
}

void helper_free(struct helper *helper)
{
    helper_stop(helper);
    pthread_mutex_destroy(&helper->lock);
}

status helper_start(struct helper *helper, error *why)
{
    struct helper_ends ends;
    helper_stop(helper);
    TRY(helper_spawn(helper->options.program, helper->options.command, &ends, why));
    pthread_mutex_lock(&helper->lock);
    helper->process = ends.process;
    helper->socket = ends.socket;
    helper->control = ends.control;
    pthread_mutex_unlock(&helper->lock);
    return DITHER_OK;
}

/* It has nothing of its own to save: no grace. */
static int end_process(struct helper *helper)
{
    int outcome = 0;
    pthread_mutex_lock(&helper->lock);
    close(helper->socket);
    close(helper->control);
    helper->socket = helper->control = -1;
    pthread_mutex_unlock(&helper->lock);
    (void)kill(helper->process, SIGKILL); /* not reaped yet, so that the number is still its own */
    while (waitpid(helper->process, &outcome, 0) < 0 && errno == EINTR)
        continue;
    helper->process = 0;
    return outcome;
}

void helper_stop(struct helper *helper)
{
    if (helper->process != 0)
        (void)end_process(helper);
    buffer_free(&helper->out);
    buffer_free(&helper->in);
    helper->taken = 0;
}

static double processor_seconds(pid_t process)
{
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec;
}

/* Nothing is under way, so that all it can have to say is that it is gone; or nonsense. */
bool helper_is_well(struct helper *helper)
{
    if (helper->process == 0)
        return false;
    struct pollfd wait = {.fd = helper->socket, .events = POLLIN};
    if (poll(&wait, 1, 0) != 0 || helper->in.length > helper->taken) {
        (void)helper_lose(helper, "it ended, or spoke without being asked", NULL);
        return false;
    }
    return processor_seconds(helper->process) < HELPER_CPU_SECONDS / 2;
}

status helper_lose(struct helper *helper, const char *fate, error *why)
{
    if (helper->process != 0) {
        siginfo_t ended = {.si_pid = 0}; /* did it end before we end it? */
        struct timespec moment = {.tv_nsec = 20000000};
        if (waitid(P_PID, (id_t)helper->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid == 0) {
            nanosleep(&moment, NULL); /* its socket is closed a little before it is dead */
            (void)waitid(P_PID, (id_t)helper->process, &ended, WEXITED | WNOHANG | WNOWAIT);
        }
        helper_stop(helper);
        if (ended.si_pid == 0)
            snprintf(helper->fate, sizeof helper->fate, "%s %s was stopped: %s", helper->options.program,
                     helper->options.command, fate);
        else
            snprintf(helper->fate, sizeof helper->fate, "%s %s ended: %s %d", helper->options.program,
                     helper->options.command, ended.si_code == CLD_EXITED ? "exit status" : "signal",
                     ended.si_status);
    }
    return fail(why, DITHER_IO, "%s", helper->options.lost);
}

/* ---- Waiting ---- */

void helper_begin(struct helper *helper)
{
    pthread_mutex_lock(&helper->lock);
    helper->number++;
    pthread_mutex_unlock(&helper->lock);
    atomic_store(&helper->stop, false);
    helper->asked_to_stop = false;
    helper->deadline = monotonic_milliseconds() + (int64_t)helper->options.seconds * 1000;
}

bool helper_was_late(const struct helper *helper)
{
    return helper->asked_to_stop && !atomic_load(&helper->stop);
}

/* The number says which statement is meant: one that is over already is not stopped in the next one's place. */
static void ask_to_stop(struct helper *helper)
{
    pthread_mutex_lock(&helper->lock);
    const unsigned char bytes[4] = {(unsigned char)(helper->number >> 24),
                                    (unsigned char)(helper->number >> 16),
                                    (unsigned char)(helper->number >> 8), (unsigned char)helper->number};
    if (helper->control >= 0)
        (void)!send(helper->control, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&helper->lock);
}

void helper_interrupt(struct helper *helper)
{
    atomic_store(&helper->stop, true);
    ask_to_stop(helper);
}

/* Asks it to stop when its time is over or somebody interrupted; a while later it is lost. Looked at before every step, or one that
 * always has a byte more to say would have all the time of the world. */
static status look_at_the_clock(struct helper *helper, error *why)
{
    int64_t now = monotonic_milliseconds();
    bool over = now >= helper->deadline;
    if (over && helper->asked_to_stop)
        return helper_lose(helper, "it did not stop when its time was over", why);
    if (over || (atomic_load(&helper->stop) && !helper->asked_to_stop)) {
        ask_to_stop(helper);
        helper->asked_to_stop = true;
        helper->deadline = now + GRACE_MILLISECONDS;
    }
    return DITHER_OK;
}

/* A while, or until the socket is ready for `events`. */
static status wait_for(struct helper *helper, short events, error *why)
{
    struct pollfd wait = {.fd = helper->socket, .events = events};
    TRY(look_at_the_clock(helper, why));
    if (poll(&wait, 1, SLICE_MILLISECONDS) < 0 && errno != EINTR)
        return helper_lose(helper, strerror(errno), why);
    return DITHER_OK;
}

/* ---- Bytes ---- */

status helper_send(struct helper *helper, error *why)
{
    if (helper->process == 0)
        return fail(why, DITHER_IO, "%s", helper->options.lost);
    if (buffer_check(&helper->out, why) != DITHER_OK) {
        status result = why != NULL ? why->status : DITHER_INVALID;
        buffer_free(&helper->out); /* and forget the failure */
        return result;
    }
    for (size_t sent = 0; sent < helper->out.length;) {
        ssize_t count = send(helper->socket, helper->out.data + sent, helper->out.length - sent,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            sent += (size_t)count;
            TRY(look_at_the_clock(helper, why));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK)
            TRY(wait_for(helper, POLLOUT, why));
        else if (errno != EINTR)
            return helper_lose(helper, "it does not listen", why);
    }
    buffer_clear(&helper->out);
    return DITHER_OK;
}

/* What was given is forgotten, so that `in` stays small. */
static void shift(struct helper *helper)
{
    struct buffer *in = &helper->in;
    if (helper->taken == 0)
        return;
    memmove(in->data, in->data + helper->taken, in->length - helper->taken);
    in->length -= helper->taken;
    helper->taken = 0;
}

static status read_more(struct helper *helper, error *why)
{
    char bytes[READ_BYTES];
    TRY(look_at_the_clock(helper, why));
    ssize_t count = recv(helper->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count > 0) {
        buffer_append(&helper->in, bytes, (size_t)count);
        return helper->in.failed ? helper_lose(helper, "out of memory", why) : DITHER_OK;
    }
    if (count < 0 && errno == EINTR)
        return DITHER_OK;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return wait_for(helper, POLLIN, why);
    return helper_lose(helper, "it ended", why);
}

status helper_receive(struct helper *helper, struct frame *out, error *why)
{
    if (helper->process == 0)
        return fail(why, DITHER_IO, "%s", helper->options.lost);
    shift(helper);
    for (;;) {
        size_t size = 0;
        switch (frame_read(helper->in.data, helper->in.length, out, &size)) {
        case FRAME_WHOLE:
            helper->taken = size;
            return DITHER_OK;
        case FRAME_WRONG:
            return helper_lose(helper, "it sent what is no frame", why);
        case FRAME_PARTIAL:
            TRY(read_more(helper, why));
        }
    }
}

static bool is_hello(struct frame *frame)
{
    const char *version = NULL;
    size_t length = 0;
    return frame->kind == HELPER_HELLO && frame_text(&frame->body, &version, &length) &&
           cursor_left(&frame->body) == 0 && length == strlen(DITHER_VERSION) &&
           memcmp(version, DITHER_VERSION, length) == 0;
}

status helper_greet(struct helper *helper, error *why)
{
    struct frame frame;
    helper_begin(helper);
    helper->deadline = monotonic_milliseconds() + START_MILLISECONDS;
    TRY(helper_send(helper, why));
    TRY(helper_receive(helper, &frame, why));
    return is_hello(&frame) ? DITHER_OK
                            : helper_lose(helper, "it is another program, or another version", why);
}
