/* scratch_worker.h - the process behind a scratch of its own: `dither scratch-worker`. */
#ifndef ENGINE_SCRATCH_WORKER_H
#define ENGINE_SCRATCH_WORKER_H

#include "base/status.h"

/* Does not return but when it was not started as such: DITHER_INVALID. */
status scratch_worker(error *why) MUST_CHECK;

#endif
