/* catalogue_worker.h - the process behind a catalogue of its own: `dither catalogue-worker`. */
#ifndef SERVE_CATALOGUE_WORKER_H
#define SERVE_CATALOGUE_WORKER_H

#include "base/status.h"

/* Does not return but when it was not started as such: DITHER_INVALID. */
status catalogue_worker(error *why) MUST_CHECK;

#endif
