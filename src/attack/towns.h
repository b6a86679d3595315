/* towns.h - towns of people with a secret bit each, behind Dither: table people with columns town, person and secret. */
#ifndef ATTACK_TOWNS_H
#define ATTACK_TOWNS_H

#include "attack/lab.h"

/* Numbered from 0; `secret` says who has the bit. */
struct towns_shape {
    size_t towns, people; /* people in each */
    bool (*secret)(const void *context, size_t town, size_t person);
};

status towns_open(struct lab *lab, const struct towns_shape *shape, const void *context, const char *epsilon,
                  error *why) MUST_CHECK;

#endif
