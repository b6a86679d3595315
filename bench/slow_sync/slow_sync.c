/* A disk whose syncs take five milliseconds longer: loaded into a server by LD_PRELOAD, so that what group commit gains can be
 * measured where syncs are the limit. Many disks without a battery are that slow; those of benchmark machines often are not. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int sync_function(int file);

/* What the C library does, after a rest. */
static int sync_late(sync_function **own, const char *name, int file)
{
    const struct timespec rest = {.tv_nsec = 5 * 1000 * 1000};
    if (*own == NULL) {
        void *found = dlsym(RTLD_NEXT, name);
        memcpy(own, &found, sizeof found); /* ISO C has no cast from one to the other */
    }
    nanosleep(&rest, NULL);
    return (*own)(file);
}

int fsync(int file)
{
    static sync_function *own;
    return sync_late(&own, "fsync", file);
}

int fdatasync(int file)
{
    static sync_function *own;
    return sync_late(&own, "fdatasync", file);
}
