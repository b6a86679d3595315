/* session.h - one client of the PostgreSQL protocol, from its first byte to its last, without a socket.
 *
 *     session_new(&host, &session, why);
 *     for (;;)
 *         switch (session_step(session)) {
 *         case SESSION_INPUT: read bytes; session_input(session, bytes, count);
 *         case SESSION_FLUSH: write session_output(session); session_written(session, count);
 *         case SESSION_WORK:  session_work(session, backend_context), on a thread that may wait;
 *         case SESSION_TLS:   write what there is, shake hands; session_encrypted(session);
 *         case SESSION_CLOSE: write what there is, and end;
 *         }
 *
 * A session is a table: state x message -> handler, with the role that is needed (session.c). It never blocks: what asks
 * the backend is left for session_work. Bytes in and bytes out are bounded, whatever the client does: while there is work
 * or too much output nothing more is read, and an answer's rows are written as the client takes them.
 *
 * An object belongs to one thread at a time, and may be handed on between calls. */
#ifndef SERVE_SESSION_H
#define SERVE_SESSION_H

#include "serve/backend.h"
#include "serve/journal.h"
#include "serve/socket.h"
#include "serve/tries.h"
#include "serve/catalogue.h"
#include "serve/shown.h"
#include "serve/texts.h"
#include "serve/users.h"

struct session;

enum {
    SESSION_READ_BYTES = 16 * 1024,    /* at most, in one session_input */
    SESSION_WRITE_BYTES = 64 * 1024,   /* rows wait while more than this is to be written */
    SESSION_MOST_STATEMENTS = 256,     /* prepared, and portals */
    SESSION_STATEMENT_BYTES = 1 << 20, /* of all prepared texts together */
    SESSION_KEPT_BYTES = 64 << 20,     /* of open answers: with more, no further one is begun */
};

/* What the sessions of a server share; it outlives them. */
struct session_host {
    const struct serve_backend *backend;
    struct catalogue *_Atomic catalogue; /* what tools ask at connect; NULL: there is none */
    struct texts *texts;                 /* what is known of texts; NULL: each is read anew */
    struct shown *shown;                 /* answers that left; NULL: each is written anew */
    const char *dataset;                 /* the name of the one database */
    struct random *random;
    struct journal *journal; /* of questions; NULL: none */
    struct tries *tries;     /* failed sign-ins; NULL: they are not counted */
    /* Who may come in, now. */
    const struct users *(*users)(void *context);
    /* A cancel request of another connection. */
    void (*cancel)(void *context, uint32_t process, uint32_t secret);
    void *context;
    bool tls;                                  /* there is a certificate; then nobody comes in without it */
    unsigned char binding[SCRAM_MOST_BINDING]; /* its hash, for channel binding */
    size_t binding_size;
};

enum session_wants {
    SESSION_INPUT,
    SESSION_FLUSH,
    SESSION_WORK,
    SESSION_TLS,
    SESSION_CLOSE,
};

status session_new(const struct session_host *host, uint32_t process, struct session **out,
                   error *why) MUST_CHECK;
void session_free(struct session *session);
/* Where the client is, as socket_print_address has it: before the first step. */
void session_set_address(struct session *session, const char *address);

/* Runs as far as it can, and says what it needs. */
enum session_wants session_step(struct session *session);

void session_input(struct session *session, const void *bytes, size_t count);
const struct buffer *session_output(const struct session *session);
/* The first `count` bytes of the output are gone. */
void session_written(struct session *session, size_t count);

/* `backend_context` is the backend's: a curator that nobody else uses meanwhile. */
void session_work(struct session *session, void *backend_context);
/* Instead of session_work, without waiting: whether it could be done so. On the thread of all sessions of the host; `sight` is
 * shared by those whose questions had come before the first of them is recalled. The journal is to be flushed before the
 * answer leaves. */
bool session_recall(struct session *session, void *backend_context, struct ledger_sight *sight);
/* Instead of session_work: what waits to be worked on is refused with these words, and nothing is asked. */
void session_refuse(struct session *session, const char *words);

/* Whether its work is a question about the data, whose answer is held back to the policy's step. */
bool session_asks(const struct session *session);

void session_encrypted(struct session *session);

/* Whether a cancel request is for this session. */
bool session_has_key(const struct session *session, uint32_t process, uint32_t secret);
/* Signed in: then it may idle as long as it likes. */
bool session_is_known(const struct session *session);
/* Between messages, with nothing under way. */
bool session_is_idle(const struct session *session);
/* The server goes away: the client is told, and nothing more is taken. For an idle session. */
void session_dismiss(struct session *session);

#endif
