/* must.h - in a bench, what fails ends it. */
#ifndef BENCH_MUST_H
#define BENCH_MUST_H

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

static inline void must(status result, const error *why)
{
    if (result != DITHER_OK) {
        fprintf(stderr, "dither_bench: %s\n", why->message);
        exit(1);
    }
}

static inline void *must_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        fputs("dither_bench: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

#endif
