/* json.h - JSON out, as a stream.
 *
 * Jansson reads JSON and escapes texts; what it does not do (at 2.14) is print a double in the fewest digits
 * that read back the same, or write an answer of ten million numbers without holding it. So a writer appends
 * to a buffer, which its owner may empty between calls. Commas and colons put themselves. A double that is
 * not finite becomes null. Text that is not UTF-8 makes the buffer fail. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buffer.h"

enum { JSON_DEPTH = 32 };

struct json_writer {
    struct buffer *buffer;
    int depth;
    bool filled[JSON_DEPTH]; /* the object or array at this depth has a member */
    bool after_key;
};

void json_writer_init(struct json_writer *writer, struct buffer *buffer);

void json_begin_object(struct json_writer *writer);
void json_end_object(struct json_writer *writer);
void json_begin_array(struct json_writer *writer);
void json_end_array(struct json_writer *writer);

void json_write_key(struct json_writer *writer, const char *key);
void json_write_text(struct json_writer *writer, const char *text);
void json_write_number(struct json_writer *writer, double number);
void json_write_whole(struct json_writer *writer, int64_t number);
void json_write_bool(struct json_writer *writer, bool value);
void json_write_null(struct json_writer *writer);

/* A number that is already in JSON's form. */
void json_write_raw(struct json_writer *writer, const char *text, size_t length);

/* key and value at once, for objects. */
void json_member_text(struct json_writer *writer, const char *key, const char *text);
void json_member_number(struct json_writer *writer, const char *key, double number);

#endif
