/* helper_loop.h - a helper's process from inside: opens, shuts itself in, answers frames until its sockets are closed.
 *
 * The first frame is work->open's, which opens databases and starts threads while files can still be read; then the sandbox
 * (sandbox.h) closes for good, and the helper says hello: a frame HELPER_HELLO with its version. After that each frame goes to
 * work->handle. A frame that makes no sense ends the process: nobody but a bug of ours sends one. */
#ifndef ENGINE_HELPER_LOOP_H
#define ENGINE_HELPER_LOOP_H

#include "engine/frame.h"

#define HELPER_HELLO 'H'

struct helper_work {
    /* False ends the process. */
    bool (*open)(void *context, struct cursor *body);
    /* What it appends to `out` is sent when it returns; helper_loop_flush sends earlier. */
    bool (*handle)(void *context, struct frame *frame, struct buffer *out);
    /* From another thread: stop what runs. */
    void (*interrupt)(void *context);
};

/* The statement with this number is what runs now; interrupts for others are void. 0: none. Returns when no interrupt is under
 * way. */
void helper_loop_runs(uint32_t number);

/* Sends what `out` holds and empties it. False: there is nobody any more. */
bool helper_loop_flush(struct buffer *out);

/* Does not return but when it was not started as a helper: DITHER_INVALID. */
status helper_loop(const struct helper_work *work, void *context, error *why) MUST_CHECK;

/* For work->open, before it allocates much: limits of the whole process, whose databases take so much memory and so many threads (0: as
 * many as there are processors). */
status helper_loop_limit(uint64_t memory_bytes, uint32_t threads, error *why) MUST_CHECK;

#endif
