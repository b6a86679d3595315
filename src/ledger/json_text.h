/* json_text.h - the strict JSON of entries and anchors: written in one way, read in that way only.
 *
 * The reader is told what must come next and fails for good when something else does. */
#ifndef LEDGER_JSON_TEXT_H
#define LEDGER_JSON_TEXT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "ledger/cost.h"
#include "ledger/digest.h"

void json_text_string(struct buffer *out, const char *text); /* NULL becomes null */
void json_text_number(struct buffer *out, uint64_t number);
void json_text_digest(struct buffer *out, const struct digest *digest);
void json_text_cost(struct buffer *out, struct ledger_cost cost);

struct json_reader {
    const char *next, *end;
    struct arena *arena; /* strings go there */
    bool failed;         /* the text is not what was expected */
    bool no_memory;
};

/* Takes exactly this text. */
void json_take(struct json_reader *reader, const char *literal);

/* Takes this text if it comes next, and says so; no failure otherwise. */
bool json_take_if(struct json_reader *reader, const char *literal);

/* In an array: call before each element; false at its end, which is taken. `first` starts as true. */
bool json_take_element(struct json_reader *reader, bool *first);

const char *json_take_string(struct json_reader *reader); /* or NULL for null, and after a failure */
uint64_t json_take_number(struct json_reader *reader);
struct digest json_take_digest(struct json_reader *reader);
struct ledger_cost json_take_cost(struct json_reader *reader);

/* One of the names, as a string; its index. */
unsigned json_take_name(struct json_reader *reader, const char *const *names, unsigned count);

/* `count` elements of `size` zero bytes in the arena, or NULL and a failure. */
void *json_room(struct json_reader *reader, size_t count, size_t size);

#endif
