/* sandbox.h - a process that gives up everything but its memory, its processor and the descriptors that it was given.
 *
 * For a process that runs what an analyst wrote (scratch_worker.c). After sandbox_enter no thread of it can open a file or a
 * socket, start a process or a thread, look into another process or signal one, make memory executable, or raise a limit:
 * it computes, reads and writes its descriptors, and ends.
 *
 *     TRY(sandbox_limit(&limits, why));        first of all
 *     ... open databases, start threads: what needs files and clone ...
 *     TRY(sandbox_enter(&descriptors, why));   from here on, for all threads, for good
 *
 * What is denied: calls that no honest part of the process makes (a socket, execve, ptrace, a signal to others ...) end the
 * process at once, so that an intruder's first step is his last and the owner hears of it. Everything else that is not on the
 * list fails with EPERM: libraries look into /proc or ask for the time zone here and there, and go on well without it. Both are
 * denials; the second tells an intruder no more than that he is shut in. */
#ifndef ENGINE_SANDBOX_H
#define ENGINE_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sandbox_limits {
    uint64_t
        address_bytes; /* of all mappings; 0: no limit. Not kept under the sanitizers, whose shadow is larger */
    uint64_t cpu_seconds; /* of the process's whole life; 0: no limit */
};

/* No core file, no debugger, no more than a few descriptors. */
status sandbox_limit(const struct sandbox_limits *limits, error *why) MUST_CHECK;

struct sandbox_descriptors {
    const int *read, *write; /* what may be read, what may be written */
    size_t read_count, write_count;
};

status sandbox_enter(const struct sandbox_descriptors *descriptors, error *why) MUST_CHECK;

#endif
