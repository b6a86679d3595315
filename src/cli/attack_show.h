/* attack_show.h - how `dither attack` shows what an attack found. */
#ifndef CLI_ATTACK_SHOW_H
#define CLI_ATTACK_SHOW_H

#include "attack/attack.h"
#include "base/buffer.h"

enum attack_format {
    ATTACK_TABLE,
    ATTACK_JSON,
    ATTACK_MARKDOWN, /* the rows of the table in docs/attacks.md */
};

struct attack_shown {
    const struct attack *attack;
    const struct attack_result *result;
    const char *data; /* the table whose rows it was played on; NULL: made up by the attack itself */
};

/* One attack in full, or a row for each of several; as JSON an array of objects with everything. */
status attack_show(const struct attack_shown *shown, size_t count, bool in_full, enum attack_format format,
                   struct buffer *out, error *why) MUST_CHECK;

/* The names and what they do. */
void attack_show_list(struct buffer *out);

#endif
