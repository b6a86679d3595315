/* faults.h - makes the n-th allocation, write, sync or open of this process fail.
 *
 * A test program that includes this stands between itself with all its libraries (SQLite, OpenSSL, ...)
 * and the C library: it defines malloc, write, fsync and their kin. Nothing in the product knows of it. It
 * is a header of code, to be included by one file: in a library of helpers the linker would give it to
 * every test.
 *
 * Nothing here may allocate, and a test that forks must not be armed. */
#ifndef TESTS_LEDGER_FAULTS_H
#define TESTS_LEDGER_FAULTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST_FILES = 256 };

enum fault_kind {
    FAULT_NONE,
    FAULT_ALLOCATION, /* malloc, calloc, realloc: no memory */
    FAULT_WRITE,      /* write, pwrite, ftruncate: the disk is full */
    FAULT_SYNC,       /* fsync, fdatasync: an error of the device */
    FAULT_OPEN,       /* open, rename, mkdir, mmap, flock: too many files */
    FAULT_KINDS,
};

static enum fault_kind armed;
static unsigned long countdown;
static bool forever, reached;
static bool watched[MOST_FILES], unsynced[MOST_FILES];

/* The n-th call of the kind from now on fails, or, with `for_good`, it and all later ones. */
static void faults_arm(enum fault_kind kind, unsigned long n, bool for_good)
{
    reached = false;
    forever = for_good;
    countdown = n;
    armed = kind;
}

/* Back to normal; whether the call that was to fail was reached. */
static bool faults_disarm(void)
{
    armed = FAULT_NONE;
    return reached;
}

/* How many files were written and not synced since, those that need not be durable left out ("-shm", the
 * locks). */
static int faults_unsynced(void)
{
    int count = 0;
    for (int i = 0; i < MOST_FILES; i++)
        count += unsynced[i];
    return count;
}

static bool must_fail(enum fault_kind kind, int code)
{
    if (armed != kind)
        return false;
    if (countdown > 0)
        countdown--;
    if (countdown > 0)
        return false;
    reached = true;
    if (!forever)
        armed = FAULT_NONE;
    errno = code;
    return true;
}

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length >= size && strcmp(path + length - size, ending) == 0;
}

static void watch(int file, const char *path)
{
    if (file < 0 || file >= MOST_FILES)
        return;
    watched[file] = !has_ending(path, "-shm") && !has_ending(path, ".lock");
    unsynced[file] = false;
}

static void wrote(int file)
{
    if (file >= 0 && file < MOST_FILES)
        unsynced[file] = watched[file];
}

static void synced(int file)
{
    if (file >= 0 && file < MOST_FILES)
        unsynced[file] = false;
}

/* The real allocator: the address sanitizer's where it is linked, else the C library's. */
extern void *sanitizer_malloc(size_t) __asm__("__interceptor_malloc") __attribute__((weak));
extern void *sanitizer_calloc(size_t, size_t) __asm__("__interceptor_calloc") __attribute__((weak));
extern void *sanitizer_realloc(void *, size_t) __asm__("__interceptor_realloc") __attribute__((weak));
extern void *library_malloc(size_t) __asm__("__libc_malloc");
extern void *library_calloc(size_t, size_t) __asm__("__libc_calloc");
extern void *library_realloc(void *, size_t) __asm__("__libc_realloc");

#define STANDS_FOR(name) __asm__(name) __attribute__((visibility("default"), used))

void *test_malloc(size_t size) STANDS_FOR("malloc");
void *test_calloc(size_t count, size_t size) STANDS_FOR("calloc");
void *test_realloc(void *old, size_t size) STANDS_FOR("realloc");

void *test_malloc(size_t size)
{
    if (must_fail(FAULT_ALLOCATION, ENOMEM))
        return NULL;
    return sanitizer_malloc != NULL ? sanitizer_malloc(size) : library_malloc(size);
}

void *test_calloc(size_t count, size_t size)
{
    if (must_fail(FAULT_ALLOCATION, ENOMEM))
        return NULL;
    return sanitizer_calloc != NULL ? sanitizer_calloc(count, size) : library_calloc(count, size);
}

void *test_realloc(void *old, size_t size)
{
    if (must_fail(FAULT_ALLOCATION, ENOMEM))
        return NULL;
    return sanitizer_realloc != NULL ? sanitizer_realloc(old, size) : library_realloc(old, size);
}

ssize_t test_write(int file, const void *bytes, size_t size) STANDS_FOR("write");
ssize_t test_pwrite(int file, const void *bytes, size_t size, off_t offset) STANDS_FOR("pwrite64");
int test_ftruncate(int file, off_t size) STANDS_FOR("ftruncate64");
int test_fsync(int file) STANDS_FOR("fsync");
int test_fdatasync(int file) STANDS_FOR("fdatasync");

ssize_t test_write(int file, const void *bytes, size_t size)
{
    if (must_fail(FAULT_WRITE, ENOSPC))
        return -1;
    wrote(file);
    return syscall(SYS_write, file, bytes, size);
}

ssize_t test_pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (must_fail(FAULT_WRITE, ENOSPC))
        return -1;
    wrote(file);
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}

int test_ftruncate(int file, off_t size)
{
    if (must_fail(FAULT_WRITE, ENOSPC))
        return -1;
    wrote(file);
    return (int)syscall(SYS_ftruncate, file, size);
}

int test_fsync(int file)
{
    if (must_fail(FAULT_SYNC, EIO))
        return -1;
    synced(file);
    return (int)syscall(SYS_fsync, file);
}

int test_fdatasync(int file)
{
    if (must_fail(FAULT_SYNC, EIO))
        return -1;
    synced(file);
    return (int)syscall(SYS_fdatasync, file);
}

int test_open(const char *path, int flags, ...) STANDS_FOR("open");
int test_open64(const char *path, int flags, ...) STANDS_FOR("open64");
int test_rename(const char *old, const char *new) STANDS_FOR("rename");
int test_mkdir(const char *path, mode_t mode) STANDS_FOR("mkdir");
void *test_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
    STANDS_FOR("mmap64");
int test_flock(int file, int operation) STANDS_FOR("flock");

static int open_really(const char *path, int flags, int mode)
{
    if (must_fail(FAULT_OPEN, EMFILE))
        return -1;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    watch(file, path);
    return file;
}

int test_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return open_really(path, flags, mode);
}

int test_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return open_really(path, flags, mode);
}

int test_rename(const char *old, const char *new)
{
    if (must_fail(FAULT_OPEN, EIO))
        return -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int test_mkdir(const char *path, mode_t mode)
{
    if (must_fail(FAULT_OPEN, EIO))
        return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

void *test_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (file >= 0 && must_fail(FAULT_OPEN, ENOMEM))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

int test_flock(int file, int operation)
{
    if (must_fail(FAULT_OPEN, EIO))
        return -1;
    return (int)syscall(SYS_flock, file, operation);
}

#endif
