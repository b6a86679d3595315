/* helper_start.h - starting a helper's process with nothing of ours but two sockets. */
#ifndef ENGINE_HELPER_START_H
#define ENGINE_HELPER_START_H

#include <sys/types.h>

#include "base/status.h"

/* The descriptors as the helper finds them. */
enum { HELPER_SOCKET = 3, HELPER_CONTROL = 4 };

struct helper_ends {
    pid_t process;
    int socket, control; /* our ends */
};

/* Several threads may start helpers at the same time. */
status helper_spawn(const char *program, const char *command, struct helper_ends *out, error *why) MUST_CHECK;

#endif
