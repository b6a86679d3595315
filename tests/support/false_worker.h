/* false_worker.h - a scratch process that lies: the other end of scratch_process.c, as an intruder would play it.
 *
 * A test's own program, started again under another name, is the liar; the name says how it lies. In main, before anything
 * else:
 *
 *     if (false_worker_meant(argc, argv))
 *         return false_worker_play();
 */
#ifndef TESTS_SUPPORT_FALSE_WORKER_H
#define TESTS_SUPPORT_FALSE_WORKER_H

#include <stdbool.h>
#include <stddef.h>

bool false_worker_meant(int argc, char **argv);
int false_worker_play(void);

/* All the ways, ended by NULL: those that fail before the hello, those that fail with the first table or question. */
extern const char *const false_worker_at_once[], *const false_worker_later[];

/* A program that lies in this way, in the folder. */
void false_worker_make(const char *folder, const char *way, char *path, size_t size);

#endif
