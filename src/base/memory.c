#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Counts down to the allocation that a test wants to fail; 0 at rest, and always 0 outside tests. */
static _Thread_local uint64_t fail_countdown;
static _Thread_local int failed_on_purpose;

void memory_fail_at(uint64_t n)
{
    fail_countdown = n;
    failed_on_purpose = 0;
}

int memory_has_failed(void)
{
    return failed_on_purpose;
}

static bool is_to_fail(void)
{
    if (fail_countdown == 0 || --fail_countdown > 0)
        return false;
    failed_on_purpose = 1;
    return true;
}

void *memory_allocate(size_t size)
{
    return is_to_fail() ? NULL : calloc(size > 0 ? size : 1, 1);
}

void *memory_allocate_unset(size_t size)
{
    return is_to_fail() ? NULL : malloc(size > 0 ? size : 1);
}

void *memory_grow(void *old, size_t old_size, size_t new_size)
{
    assert(new_size >= old_size);
    void *grown = memory_allocate(new_size);
    if (grown == NULL)
        return NULL;
    if (old_size > 0)
        memcpy(grown, old, old_size);
    memory_release(old, old_size);
    return grown;
}

void memory_release(void *memory, size_t size)
{
    if (memory != NULL)
        explicit_bzero(memory, size);
    free(memory);
}
