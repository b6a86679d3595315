/* yaml.h - a small, strict reading of YAML for files that people write by hand.
 *
 * libyaml does the grammar; what it yields is copied into an arena as a tree that never changes, with the
 * line and column of every node for messages. What surprises is refused, with its line: anchors, aliases,
 * tags, directives, a second document, keys that are not plain texts, a key given twice, and more depth,
 * nodes or bytes than the limits. A scalar is text and whether it was quoted; what it means is the reader's
 * business, so `no`, 1e3 and 2024-01-01 are never turned into something else here. */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum {
    YAML_DEPTH = 32,
    YAML_NODES = 100000,
    YAML_BYTES = 4 << 20, /* of text */
};

enum yaml_kind {
    YAML_TEXT,
    YAML_LIST,
    YAML_MAP,
};

struct yaml_node {
    enum yaml_kind kind;
    int line, column; /* from 1 */
    /* YAML_TEXT */
    const char *text; /* followed by a NUL, and without one inside */
    size_t length;
    bool quoted; /* quoted or a block: certainly a text */
    /* YAML_LIST and YAML_MAP: `count` children, linked; in a map each has its key. */
    struct yaml_node *first, *next;
    size_t count;
    const char *key;
    int key_line, key_column;
};

/* Reads one document. `name` is the file's, for messages ("policy.yaml:12:3: ..."). Everything lives in the
 * arena; on failure `out` is untouched. An empty document is refused. */
status yaml_read(const char *text, size_t length, const char *name, struct arena *arena,
                 const struct yaml_node **out, error *why) MUST_CHECK;

/* The member of a map with this key, or NULL. */
const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key);

#endif
