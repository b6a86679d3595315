/* wire.h - PostgreSQL's protocol, version 3: what clients send.
 *
 *     switch (wire_read_message(bytes, count, WIRE_MESSAGE_BYTES, &message, &used, why)) {
 *     case WIRE_DONE:   ... message.kind, message.as.query ...; drop `used` bytes
 *     case WIRE_MORE:   ... wait for more bytes
 *     case WIRE_BROKEN: ... say why, and close
 *     }
 *
 * Reading is pure: bytes in, a verdict out, nothing kept, nothing allocated. What is read points into the bytes
 * and is valid as long as they are. A message is taken whole or not at all, and everything in it was checked: texts
 * are closed by a NUL and are UTF-8, counts agree with what follows, nothing is left over. A length is judged as
 * soon as it is there, so that a message of a gigabyte is refused after five bytes.
 *
 * https://www.postgresql.org/docs/current/protocol-message-formats.html */
#ifndef SERVE_WIRE_H
#define SERVE_WIRE_H

#include "base/cursor.h"
#include "base/status.h"

enum {
    WIRE_OPENING_BYTES = 10000,        /* PostgreSQL's own limit */
    WIRE_SIGN_IN_BYTES = 4096,         /* a message before the client is known */
    WIRE_MESSAGE_BYTES = 1024 * 1024,  /* any other: the largest question with many parameters */
    WIRE_MOST_STARTUP_PARAMETERS = 64, /* names with their values */
};

enum wire_verdict {
    WIRE_DONE,
    WIRE_MORE,   /* the bytes are a beginning */
    WIRE_BROKEN, /* no bytes to come can make them right */
};

/* ---- The first packet, which has no kind ---- */

enum wire_opening_kind {
    WIRE_STARTUP,
    WIRE_TLS_REQUEST,
    WIRE_GSS_REQUEST,
    WIRE_CANCEL_REQUEST,
};

struct wire_opening {
    enum wire_opening_kind kind;
    uint16_t minor;           /* WIRE_STARTUP: of protocol 3 */
    struct cursor parameters; /* WIRE_STARTUP: for wire_next_parameter */
    uint32_t process, secret; /* WIRE_CANCEL_REQUEST */
};

enum wire_verdict wire_read_opening(const void *bytes, size_t count, struct wire_opening *out, size_t *used,
                                    error *why) MUST_CHECK;

/* The next name and value; false when there are no more. */
bool wire_next_parameter(struct cursor *parameters, const char **name, const char **value);

/* ---- All others ---- */

/* The byte that opens a message is its kind. */
enum wire_kind {
    WIRE_BIND = 'B',
    WIRE_CLOSE = 'C',
    WIRE_COPY_DATA = 'd',
    WIRE_COPY_DONE = 'c',
    WIRE_COPY_FAIL = 'f',
    WIRE_DESCRIBE = 'D',
    WIRE_EXECUTE = 'E',
    WIRE_FLUSH = 'H',
    WIRE_FUNCTION_CALL = 'F',
    WIRE_PARSE = 'P',
    WIRE_PASSWORD = 'p', /* also SASL's first and later words: the session knows which */
    WIRE_QUERY = 'Q',
    WIRE_SYNC = 'S',
    WIRE_TERMINATE = 'X',
};

enum wire_format { WIRE_TEXT = 0, WIRE_BINARY = 1 };

/* 16-bit format codes: none means text for all, one counts for all. */
struct wire_formats {
    struct cursor codes;
    uint16_t count;
};
enum wire_format wire_format_at(const struct wire_formats *formats, size_t index);

/* One value of a parameter; NULL has no bytes. */
struct wire_value {
    bool null;
    const unsigned char *bytes;
    size_t size;
};

struct wire_message {
    enum wire_kind kind;
    union {
        const char *query;
        struct {
            const char *statement, *query;
            struct cursor types; /* OIDs, 32 bits each */
            uint16_t type_count;
        } parse;
        struct {
            const char *portal, *statement;
            struct wire_formats parameter_formats, result_formats;
            struct cursor values; /* for wire_next_value */
            uint16_t value_count;
        } bind;
        struct {
            bool portal; /* else a statement */
            const char *name;
        } object; /* WIRE_DESCRIBE, WIRE_CLOSE */
        struct {
            const char *portal;
            uint32_t rows; /* 0: all */
        } execute;
        struct cursor sign_in; /* WIRE_PASSWORD: the body as it is */
    } as;
};

enum wire_verdict wire_read_message(const void *bytes, size_t count, size_t limit, struct wire_message *out,
                                    size_t *used, error *why) MUST_CHECK;

/* The next value of a Bind; false when there are no more. */
bool wire_next_value(struct cursor *values, struct wire_value *out);

/* ---- The two bodies of WIRE_PASSWORD in SASL ---- */

struct wire_sasl_first {
    const char *mechanism;
    bool given; /* an initial response came along */
    const unsigned char *response;
    size_t size;
};
bool wire_read_sasl_first(struct cursor body, struct wire_sasl_first *out);

#endif
