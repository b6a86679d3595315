/* memory.h - the heap, with a way to make it fail on purpose.
 *
 * What lies in memory may be somebody's private value, so everything is wiped before it is given back, and
 * new memory is zero. The rooms that allocate do so through these functions; tests ask the n-th allocation to
 * fail and see that nothing is harmed. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `size` zero bytes, or NULL. */
void *memory_allocate(size_t size);

/* The same with whatever bytes lie there, for those who fill it themselves. */
void *memory_allocate_unset(size_t size);

/* Moves `old_size` bytes to a larger place whose rest is zero; the old one is wiped and gone. NULL, with the
 * old one untouched, when there is no memory. `old` may be NULL if old_size is 0. */
void *memory_grow(void *old, size_t old_size, size_t new_size);

/* Wipes and frees; NULL is fine. */
void memory_release(void *memory, size_t size);

/* For tests: the n-th allocation of this thread from now on fails, once; 0 switches it off. */
void memory_fail_at(uint64_t n);

/* For tests: whether the allocation that was to fail has been reached. */
int memory_has_failed(void);

#endif
