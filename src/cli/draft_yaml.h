/* draft_yaml.h - a draft as a policy in YAML, for an owner to finish.
 *
 * It says on every line what was guessed, and leaves empty, with the words "fill in", what only the owner can
 * know. A policy with such a line is refused, with the line's number. */
#ifndef CLI_DRAFT_YAML_H
#define CLI_DRAFT_YAML_H

#include "base/buffer.h"
#include "cli/draft_guess.h"

struct draft_request {
    const char *dataset; /* NULL: the first table's name */
    bool peek;
    const char *const *sources; /* for each table, its file as the policy is to name it; or NULL */
    const char *database;       /* the same for a DuckDB file; or NULL */
};

/* DITHER_INVALID: names that no policy can have, such as two that differ in capitals only. */
status draft_yaml(const struct draft *draft, const struct draft_request *request, struct buffer *out,
                  error *why) MUST_CHECK;

#endif
