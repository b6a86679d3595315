/* users_watch.h - the users file as it is now: read again when it has changed. While it cannot be read the last one holds,
 * and the owner sees why on stderr. An object belongs to one thread at a time. */
#ifndef SERVE_USERS_WATCH_H
#define SERVE_USERS_WATCH_H

#include <sys/stat.h>

#include "serve/users.h"

struct users_watch {
    const char *path;
    struct users *users;
    struct stat facts;
};

/* The path stays with the caller. */
status users_watch_open(struct users_watch *watch, const char *path, error *why) MUST_CHECK;
void users_watch_close(struct users_watch *watch);

/* Valid until the next call. */
const struct users *users_watch_now(struct users_watch *watch);

#endif
