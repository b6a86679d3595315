/* uniform.h - a whole number below n, each with probability exactly 1/n. */
#ifndef RANDOM_UNIFORM_H
#define RANDOM_UNIFORM_H

#include "random/random.h"

/* n >= 1. */
status uniform_below(struct random *random, uint64_t n, uint64_t *out, error *why) MUST_CHECK;

#endif
