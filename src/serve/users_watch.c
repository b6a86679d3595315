#include "serve/users_watch.h"

#include <stdio.h>

static bool same_file(const struct stat *left, const struct stat *right)
{
    return left->st_ino == right->st_ino && left->st_size == right->st_size &&
           left->st_mtim.tv_sec == right->st_mtim.tv_sec && left->st_mtim.tv_nsec == right->st_mtim.tv_nsec;
}

/* The facts are taken before the file is read: what changes in between is read once more. */
status users_watch_open(struct users_watch *watch, const char *path, error *why)
{
    struct stat facts = {0};
    struct users *users = NULL;
    (void)stat(path, &facts);
    TRY(users_read(path, &users, why));
    *watch = (struct users_watch){.path = path, .users = users, .facts = facts};
    return DITHER_OK;
}

void users_watch_close(struct users_watch *watch)
{
    users_free(watch->users);
    *watch = (struct users_watch){0};
}

const struct users *users_watch_now(struct users_watch *watch)
{
    struct stat facts = {0};
    struct users_watch fresh;
    error why;
    if (stat(watch->path, &facts) == 0 && same_file(&facts, &watch->facts))
        return watch->users;
    if (users_watch_open(&fresh, watch->path, &why) != DITHER_OK) {
        fprintf(stderr, "dither: %s\n", why.message);
        return watch->users;
    }
    users_free(watch->users);
    *watch = fresh;
    return watch->users;
}
