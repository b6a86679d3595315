#include "ledger/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static const char postgres_prefix[] = "postgres:";

static bool is_postgres(const char *location)
{
    return strncmp(location, postgres_prefix, sizeof postgres_prefix - 1) == 0;
}

static status copy_text(const char *text, char **out, size_t *out_size, error *why)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_allocate(size);
    if (copy == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    memcpy(copy, text, size);
    *out = copy;
    *out_size = size;
    return DITHER_OK;
}

/* The folder's real path and the file's own name, so that a file that is gone still has its location. A link
 * to a file is followed: it is the file that is the ledger. */
static status real_location(const char *path, char real[PATH_MAX], bool *exists, error *why)
{
    struct stat about;
    *exists = false;
    if (strlen(path) >= PATH_MAX || path[0] == '\0')
        return fail(why, DITHER_INVALID, "the ledger's file name is empty or too long");
    if (realpath(path, real) != NULL) {
        if (stat(real, &about) != 0 || !S_ISREG(about.st_mode))
            return fail(why, DITHER_INVALID, "%.300s is not a file", path);
        *exists = about.st_size > 0;
        return DITHER_OK;
    }
    if (errno != ENOENT)
        return fail(why, DITHER_IO, "%.300s cannot be reached: %s", path, strerror(errno));
    char folder[PATH_MAX], resolved[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    if (slash == NULL)
        strcpy(folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    if (realpath(folder, resolved) == NULL)
        return fail(why, DITHER_IO, "%.300s cannot be reached: %s", folder, strerror(errno));
    if (name[0] == '\0' || strlen(resolved) + strlen(name) + 2 > PATH_MAX)
        return fail(why, DITHER_INVALID, "%.300s does not name a file", path);
    size_t length = strlen(resolved);
    memcpy(real, resolved, length);
    if (length > 1)
        real[length++] = '/';
    strcpy(real + length, name);
    return DITHER_OK;
}

status store_locate(const char *location, char **out, size_t *out_size, bool *exists, error *why)
{
    *exists = true;
    if (is_postgres(location))
        return copy_text(location, out, out_size, why);
    char real[PATH_MAX];
    TRY(real_location(location, real, exists, why));
    return copy_text(real, out, out_size, why);
}

/* A new file is ours alone to read, and its name is on disk before anything is in it. SQLite itself would
 * take the umask's permissions. */
static status create_file(const char *path, error *why)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST)
        return DITHER_OK;
    if (file < 0)
        return fail(why, DITHER_IO, "%.300s cannot be made: %s", path, strerror(errno));
    close(file);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    *(slash == folder ? slash + 1 : slash) = '\0';
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = directory >= 0 && fsync(directory) == 0;
    int problem = errno;
    if (directory >= 0)
        close(directory);
    if (!synced)
        return fail(why, DITHER_IO, "%.300s cannot be synced: %s", folder, strerror(problem));
    return DITHER_OK;
}

status store_open(const char *location, const char *dataset, enum store_access access, struct store **out,
                  error *why)
{
    if (is_postgres(location))
        return postgres_store_open(location + sizeof postgres_prefix - 1, dataset, access, out, why);
    char real[PATH_MAX];
    bool exists;
    TRY(real_location(location, real, &exists, why));
    if (access == STORE_READ && !exists)
        return fail(why, DITHER_IO, "there is no ledger at %.300s", real);
    if (access == STORE_WRITE)
        TRY(create_file(real, why));
    return sqlite_store_open(real, access, out, why);
}
