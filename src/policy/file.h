/* file.h - a policy as a file: its text, its tree of YAML, and the names that are relative to its folder. */
#ifndef POLICY_FILE_H
#define POLICY_FILE_H

#include "base/yaml.h"

/* The text of a file that people write by hand, up to YAML_BYTES. DITHER_IO when it cannot be read. */
status policy_file_text(const char *path, struct arena *arena, char **text, size_t *length,
                        error *why) MUST_CHECK;

/* Reads the file. DITHER_IO when it cannot be read. */
status policy_file_read(const char *path, struct arena *arena, const struct yaml_node **out,
                        error *why) MUST_CHECK;

/* Reads a text as if it were in the file. The tree is a map. */
status policy_file_parse(const char *text, size_t length, const char *path, struct arena *arena,
                         const struct yaml_node **out, error *why) MUST_CHECK;

/* `name` seen from the policy's folder, unless it is absolute. */
status policy_file_beside(const char *path, const char *name, struct arena *arena, const char **out,
                          error *why) MUST_CHECK;

/* The policy's own name with `ending` for its last ending. */
status policy_file_renamed(const char *path, const char *ending, struct arena *arena, const char **out,
                           error *why) MUST_CHECK;

#endif
