/* catalogue_wire.h - what a catalogue in a process of its own is told, and what it says: the bodies of its frames
 * (engine/frame.h).
 *
 *     to it    'O' open                       no answer but the hello
 *              'M' make: dataset, tables      'S'
 *              'Q' question                   'C' columns, 'R' rows, any number of them, and 'S'
 *     from it  'S' how it ended: a number, which chooses among our own texts
 *
 * Readers are pure and bounded, and believe nothing. */
#ifndef SERVE_CATALOGUE_WIRE_H
#define SERVE_CATALOGUE_WIRE_H

#include "engine/frame.h"
#include "serve/catalogue.h"

enum {
    CATALOGUE_OPEN = 'O',
    CATALOGUE_MAKE = 'M',
    CATALOGUE_ASK = 'Q',
    CATALOGUE_COLUMNS = 'C',
    CATALOGUE_ROWS = 'R',
    CATALOGUE_ENDED = 'S',
    CATALOGUE_MOST_COLUMNS = 1664, /* as PostgreSQL has it */
    CATALOGUE_PIECE_BYTES = 256 << 10,
};

struct catalogue_making {
    const char *dataset, *tables; /* SQL */
};
void catalogue_wire_put_making(struct buffer *buffer, const struct catalogue_making *making);
status catalogue_wire_get_making(struct cursor *body, struct arena *arena, struct catalogue_making *out,
                                 error *why) MUST_CHECK;

/* A rewritten question. */
struct catalogue_asking {
    const char *user, *dataset, *sql;
    uint32_t *oids; /* of the outermost columns, as far as the tree tells */
    size_t oid_count;
};
void catalogue_wire_put_asking(struct buffer *buffer, const struct catalogue_asking *asking);
status catalogue_wire_get_asking(struct cursor *body, struct arena *arena, struct catalogue_asking *out,
                                 error *why) MUST_CHECK;

void catalogue_wire_put_columns(struct buffer *buffer, const struct catalogue_reply *reply);
status catalogue_wire_get_columns(struct cursor *body, struct arena *arena, struct catalogue_reply *out,
                                  error *why) MUST_CHECK;

/* A cell of a frame of rows, whose body is nothing else. */
void catalogue_wire_put_cell(struct buffer *buffer, const char *cell);
status catalogue_wire_get_cell(struct cursor *body, struct arena *arena, const char **out,
                               error *why) MUST_CHECK;

/* A frame of one byte. */
void catalogue_wire_put_end(struct buffer *buffer, unsigned char outcome);

#endif
