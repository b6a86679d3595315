/* known.h - mechanisms that were calibrated before.
 *
 * Calibrating is exact arithmetic of hundreds of digits, and most questions want what the question before them wanted.
 * A mechanism is a function of its kind and options alone (mechanism.h: `init` reads no data and draws nothing), so what is
 * given for the same kind and the very same options is the same mechanism, bit by bit. Options that borrow an array are
 * not remembered: what they point to may change. The oldest makes room. For one thread. */
#ifndef MECHANISM_KNOWN_H
#define MECHANISM_KNOWN_H

#include "mechanism/mechanism.h"

enum { MECHANISM_MOST_KNOWN = 16 };

/* Zero bytes: nothing is known. */
struct mechanism_known {
    struct {
        dither_options asked; /* as given, without defaults */
        struct mechanism made;
    } list[MECHANISM_MOST_KNOWN];
    size_t count; /* that were ever remembered */
};

/* As mechanism_init. NULL knows nothing, and remembers nothing. */
status mechanism_init_known(struct mechanism_known *known, struct mechanism *mechanism,
                            const struct mechanism_kind *kind, const dither_options *options,
                            error *why) MUST_CHECK;

#endif
