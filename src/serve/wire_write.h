/* wire_write.h - PostgreSQL's protocol, version 3: what the server sends.
 *
 * Messages are appended to a buffer, whose failure sticks: write all of them and ask once. The length of a message is
 * filled in by wire_end. Writers that write a whole message need no begin or end. */
#ifndef SERVE_WIRE_WRITE_H
#define SERVE_WIRE_WRITE_H

#include "base/buffer.h"
#include "sql/value.h"
#include "serve/wire.h"

/* A message in the making; they do not nest. */
struct wire_out {
    struct buffer *buffer;
    size_t length_at;
};

struct wire_out wire_begin(struct buffer *buffer, char kind);
void wire_end(struct wire_out *out);
void wire_put_byte(struct wire_out *out, unsigned char byte);
void wire_put_uint16(struct wire_out *out, uint16_t number);
void wire_put_uint32(struct wire_out *out, uint32_t number);
void wire_put_uint64(struct wire_out *out, uint64_t number);
void wire_put_text(struct wire_out *out, const char *text); /* with its NUL */
void wire_put_bytes(struct wire_out *out, const void *bytes, size_t count);

/* A message without a body: ParseComplete '1', BindComplete '2', CloseComplete '3', EmptyQueryResponse 'I',
 * NoData 'n', PortalSuspended 's'. */
void wire_write_bare(struct buffer *buffer, char kind);

enum wire_authentication {
    WIRE_AUTHENTICATED = 0,
    WIRE_SASL = 10,
    WIRE_SASL_CONTINUE = 11,
    WIRE_SASL_FINAL = 12,
};
void wire_write_authentication(struct buffer *buffer, enum wire_authentication step, const void *bytes,
                               size_t count);
void wire_write_parameter_status(struct buffer *buffer, const char *name, const char *value);
void wire_write_key(struct buffer *buffer, uint32_t process, uint32_t secret);
/* 'I': idle, 'T': in a transaction, 'E': in one that failed. */
void wire_write_ready(struct buffer *buffer, char transaction);
void wire_write_complete(struct buffer *buffer, const char *tag);

/* Errors and notices. */
struct wire_report {
    const char *severity; /* "ERROR", "FATAL", "NOTICE", "WARNING" */
    const char *code;     /* SQLSTATE: five characters */
    const char *message;
    const char *detail, *hint; /* or NULL */
    int position;              /* in characters from 0; -1: none */
};
void wire_write_report(struct buffer *buffer, const struct wire_report *report);

/* ---- Columns and rows (wire_value.c) ---- */

/* PostgreSQL's numbers for types. */
enum {
    WIRE_OID_BOOL = 16,
    WIRE_OID_CHAR = 18, /* "char", of one byte */
    WIRE_OID_NAME = 19,
    WIRE_OID_INT8 = 20,
    WIRE_OID_INT2 = 21,
    WIRE_OID_INT4 = 23,
    WIRE_OID_TEXT = 25,
    WIRE_OID_OID = 26,
    WIRE_OID_FLOAT4 = 700,
    WIRE_OID_FLOAT8 = 701,
    WIRE_OID_UNKNOWN = 705,
    WIRE_OID_BPCHAR = 1042,
    WIRE_OID_VARCHAR = 1043,
    WIRE_OID_DATE = 1082,
    WIRE_OID_TIMESTAMP = 1114,
    WIRE_OID_TIMESTAMPTZ = 1184,
    WIRE_OID_INTERVAL = 1186,
    WIRE_OID_NUMERIC = 1700,
};

uint32_t wire_oid(enum sql_type type);
/* How many bytes a binary value of this type has; -1: it varies. */
int16_t wire_oid_size(uint32_t oid);

struct wire_column {
    const char *name;
    uint32_t oid;     /* of its type */
    int32_t modifier; /* as PostgreSQL's pg_attribute.atttypmod; -1: nothing to say */
    enum wire_format format;
};
/* numeric(18, scale) as a modifier; -1 for other types. */
int32_t wire_modifier(enum sql_type type, int scale);
void wire_write_columns(struct buffer *buffer, const struct wire_column *columns, size_t count);

/* A cell of a DataRow, in the column's format. */
void wire_put_value(struct wire_out *out, const struct sql_value *value, enum wire_format format);

/* A parameter of a Bind -> a value, by the type that the client declared (0: it did not). DITHER_INVALID for bytes that
 * are not of the type, DITHER_REFUSED for types that questions do not have. Texts live in the arena. */
status wire_read_value(const struct wire_value *bytes, uint32_t oid, enum wire_format format,
                       struct arena *arena, struct sql_value *out, error *why) MUST_CHECK;

/* ---- Values that are there as PostgreSQL's text (wire_cell.c) ---- */

/* A cell of a DataRow; NULL: NULL. Arrays have one dimension. */
void wire_put_cell(struct wire_out *out, const char *text, uint32_t oid, enum wire_format format);

/* A parameter of a Bind as text, in the arena; NULL: NULL. Failures as of wire_read_value. */
status wire_read_cell(const struct wire_value *bytes, uint32_t oid, enum wire_format format,
                      struct arena *arena, const char **out, error *why) MUST_CHECK;

/* ---- PostgreSQL's binary numeric (wire_numeric.c) ---- */

/* Units of 10^-scale, with the length before them. */
void wire_put_numeric(struct wire_out *out, int64_t units, int scale);
/* The nearest double. False for bytes that are no numeric. */
bool wire_read_numeric(struct cursor *cursor, double *out);

#endif
