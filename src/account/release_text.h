/* release_text.h - releases as people write them: "gaussian sigma=20 x1000".
 *
 *     KIND [NAME=NUMBER...] [xCOUNT]
 *
 * KIND is a name of release_kind_name but `pair` (which has no place on a line). Names: scale (or sigma),
 * sensitivity, epsilon, delta, rho, choices, rate (of Poisson sampling). Numbers are rounded against
 * ourselves: noise down, everything else up. */
#ifndef ACCOUNT_RELEASE_TEXT_H
#define ACCOUNT_RELEASE_TEXT_H

#include "account/release.h"

/* Defaults are not filled in and the release is not checked as a whole: release_check does that. */
status release_parse(const char *text, struct release *release, error *why) MUST_CHECK;

/* The same in words, "1000 x gaussian, sigma 20", cut off at `size` bytes with the NUL. */
void release_describe(const struct release *release, char *text, size_t size);

/* Names of kinds that can be written, by index, NULL after the last. */
const char *release_text_kind(size_t index);

#endif
