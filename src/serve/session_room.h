/* session_room.h - what the files of a session share.
 *
 *     session.c            the table of messages, steps, errors
 *     session_start.c      start-up, TLS, sign-in
 *     session_statement.c  one statement: questions, EXPLAIN, SET, SHOW, transactions ...
 *     session_catalogue.c  one statement for the catalogue
 *     session_cursor.c     DECLARE, FETCH, MOVE, CLOSE
 *     session_result.c     columns, rows, notices
 *     session_shown.c      answers that left before, byte for byte
 *     session_simple.c     Query
 *     session_extended.c   Parse, Bind, Describe, Execute, Close, Sync, Flush */
#ifndef SERVE_SESSION_ROOM_H
#define SERVE_SESSION_ROOM_H

#include "serve/catalogue.h"
#include "serve/session.h"
#include "serve/settings.h"
#include "serve/wire_write.h"
#include "sql/statement.h"

enum session_state {
    STATE_OPENING,  /* before the first packet, or between it and TLS */
    STATE_SIGN_IN,  /* SASL was offered */
    STATE_PROOF,    /* the client's proof is awaited */
    STATE_READY,    /* for the next message */
    STATE_SKIPPING, /* an extended query failed: until Sync everything is dropped */
    STATE_CLOSED,
};

enum {
    NAME_BYTES = 64,        /* of statements and portals, with the NUL */
    RUN_ARENA = 64 << 20,   /* for one text and its values */
    OUTPUT_BYTES = 8 << 20, /* one row of the widest answer, and what is before it */
    TAG_BYTES = 48,
};

/* One statement on its way, of a Query or of a portal. */
struct run {
    const char *text; /* the client's, whole */
    struct sql_statement statement;
    struct sql_parameters parameters;
    const uint16_t *formats; /* of the result's columns; none: text; one: for all */
    size_t format_count;
    char *question; /* the statement's own text, or the question in an EXPLAIN */
    struct arena *arena;
    struct curator_answer *answer; /* what there is to show, or NULL */
    bool asked;                    /* the answer is that of a question, with a cost */
    bool for_catalogue;
    struct catalogue_question looked; /* its parameters, then all of it */
    bool has_reply;                   /* what the catalogue said is to be shown */
    struct catalogue_reply reply;
    struct arena reply_arena;
    bool intervals; /* with columns for the ends of intervals */
    bool keeping;   /* the output has it from `kept_from` on, and is kept when it is whole */
    size_t kept_from;
    bool started, done;
    size_t next_row, shown; /* shown: since the last Execute */
    bool fetching;          /* by a FETCH, of at most `fetched` rows */
    uint64_t fetched;
    char tag[TAG_BYTES]; /* without the count of rows */
};

struct prepared_statement {
    struct prepared_statement *next;
    char name[NAME_BYTES];
    struct arena arena;
    const char *text;
    size_t size;
    bool empty; /* there is no statement in the text */
    bool for_catalogue;
    struct sql_statement statement;
    uint32_t *types; /* as many as there are parameters */
};

struct portal {
    struct portal *next;
    char name[NAME_BYTES];
    struct arena arena;
    bool empty;
    bool cursor, hold; /* declared in SQL; beyond its transaction */
    struct run run;
};

enum job_kind { JOB_NONE, JOB_ASK, JOB_DESCRIBE, JOB_EXPLAIN, JOB_REMAINING, JOB_LOOK_UP };

/* What session_work does, and what it found. */
struct job {
    enum job_kind kind;
    bool finished, json, recalled; /* recalled: the answer was there, without work */
    struct curator_question question;
    int64_t begun; /* milliseconds */
    int offset;    /* characters before the question in the client's text */
    void (*done)(struct session *session);
    status result;
    error why;
    struct curator_answer *answer;
    struct buffer text;
    struct arena arena;
    struct curator_column *columns;
    size_t column_count;
    const struct catalogue_question *looked;
    struct catalogue_reply reply;
    char sqlstate[6];
};

struct simple_query {
    bool active;
    struct arena arena;
    const char *text;
    const struct sql_statement *statements;
    size_t count, next;
    struct run run;
};

struct session {
    const struct session_host *host;
    enum session_state state;
    bool encrypted, wants_tls;
    uint32_t process, secret;
    struct buffer input, output;
    size_t consumed; /* of the input */
    char user[USERS_NAME_BYTES + 1];
    char address[SOCKET_ADDRESS_TEXT];
    enum serve_role role, promised; /* promised: after the proof */
    struct scram *scram;
    struct settings settings;
    char transaction; /* 'I', 'T', 'E' */
    struct job job;
    struct run *run;     /* under way, or NULL */
    bool showing;        /* its rows are being written */
    uint32_t rows_limit; /* of this Execute; 0: none */
    struct simple_query simple;
    struct prepared_statement *statements;
    size_t statement_count, statement_bytes;
    struct portal *portals;
    size_t portal_count;
    struct prepared_statement *described; /* whose parameters' types are being found, or NULL */
};

/* ---- session.c ---- */

/* An error that ends the statement: and with it a Query, or all until Sync. */
void session_error(struct session *session, const char *code, const char *message);
void session_report(struct session *session, const struct wire_report *report);
/* An error that ends the connection. */
void session_fatal(struct session *session, const char *code, const char *message);
/* The failure of a call that returned a status; `offset`: characters before the text that it was about. */
void session_failed(struct session *session, status result, const error *why, int offset);
void session_failed_as(struct session *session, const char *code, const error *why, int offset);
void session_notice(struct session *session, const char *severity, const char *code, const char *message,
                    const char *detail);
/* Adds the job's line to the journal; the answer may be NULL. */
void session_note(struct session *session, const struct curator_answer *answer);
/* Leaves the job to session_work; `done` is called afterwards. */
void session_begin_job(struct session *session, enum job_kind kind, void (*done)(struct session *session));
/* As sql_statements; what the server knows of the text is not found out again. */
status session_statements(const struct session *session, const char *text, struct arena *arena,
                          const struct sql_statement **out, size_t *count, error *why) MUST_CHECK;
/* The analyst of the session; NULL: the owner. */
const char *session_analyst(const struct session *session);

/* ---- session_start.c ---- */

void start_open(struct session *session);
void start_first(struct session *session, const struct wire_message *message);
void start_proof(struct session *session, const struct wire_message *message);

/* ---- session_statement.c ---- */

/* Begins the statement. Then either there was an error, or there is a job, or statement_ready was called. */
void statement_begin(struct session *session, struct run *run);
/* It has its answer or its tag: rows are shown, or it is complete. */
void statement_ready(struct session *session);
/* The columns that the statement will have: a job, or at once; `run` says for which values. */
void statement_describe(struct session *session, struct run *run);
/* Characters before the statement (or the question in an EXPLAIN) in the client's text. */
int statement_offset(const struct run *run);
/* Begins the question of the run; `done` finds the answer in the job. */
void statement_ask(struct session *session, struct run *run, void (*done)(struct session *session));
/* The text of the question for the curator, with the session's settings. */
void statement_question(struct session *session, const struct run *run, struct curator_question *out,
                        int *offset);
void run_free(struct run *run);

/* ---- session_catalogue.c ---- */

bool lookup_concerns(const struct session *session, const char *text, const struct sql_statement *statement);
status lookup_types(const struct prepared_statement *statement, error *why) MUST_CHECK;
status lookup_read_values(struct portal *portal, const struct prepared_statement *statement,
                          const struct wire_message *message, error *why) MUST_CHECK;
/* Begins to look the run's question up; `done` calls lookup_take. */
void lookup_ask(struct session *session, struct run *run, void (*done)(struct session *session));
/* What was found becomes the run's; false: the client was told why not. */
bool lookup_take(struct session *session, struct run *run);
/* As statement_begin and statement_describe. */
void lookup_begin(struct session *session, struct run *run);
void lookup_describe(struct session *session, struct run *run);

/* ---- session_cursor.c ---- */

void cursor_declare(struct session *session, struct run *run);
void cursor_fetch(struct session *session, struct run *run);
void cursor_close(struct session *session, struct run *run);
/* The columns that a FETCH will have. */
void cursor_describe(struct session *session, const struct run *run);

/* ---- session_result.c ---- */

/* The columns of the result that is there. */
void result_write_own_columns(struct session *session, const struct run *run);
/* What an answer cost, as a notice. */
void result_say_cost(struct session *session, const struct curator_answer *answer);
void result_write_reply_columns(struct session *session, const struct run *run);
bool result_is_there(const struct run *run);
void result_write_columns(struct session *session, const struct run *run,
                          const struct curator_column *columns, size_t count);
/* Rows, until there are no more, or enough for now. */
void result_show(struct session *session);
/* One text column; each line is a row, unless `whole`. */
status result_of_text(const char *name, const char *text, bool whole, struct curator_answer **out,
                      error *why) MUST_CHECK;
status result_of_cells(const char *const *names, size_t column_count, const char *const *cells,
                       size_t row_count, struct curator_answer **out, error *why) MUST_CHECK;

/* ---- session_shown.c ---- */

/* As session_recall, for a question whose bytes are at hand; then the run is done. */
bool shown_again(struct session *session, void *context, struct ledger_sight *sight);
/* The bytes of an answer are about to be written; all of them are. */
void shown_begin(struct session *session);
void shown_end(struct session *session, const struct run *run);

/* ---- session_simple.c ---- */

void simple_begin(struct session *session, const struct wire_message *message);
void simple_next(struct session *session);
/* Ends a Query after an error, or at its end: ReadyForQuery. */
void simple_end(struct session *session);

/* ---- session_extended.c ---- */

void extended_parse(struct session *session, const struct wire_message *message);
void extended_bind(struct session *session, const struct wire_message *message);
void extended_describe(struct session *session, const struct wire_message *message);
void extended_execute(struct session *session, const struct wire_message *message);
void extended_close(struct session *session, const struct wire_message *message);
void extended_sync(struct session *session, const struct wire_message *message);
void extended_flush(struct session *session, const struct wire_message *message);
/* Those of a transaction that is over; with `held`, all. */
void extended_drop_portals(struct session *session, bool held);
struct portal *extended_find_portal(const struct session *session, const char *name);
/* False, and the client was told: there are too many, or there is one of this name. The nameless one gives way. */
bool extended_room_for_portal(struct session *session, const char *name);
/* In the session's list; NULL, and the client was told, when there is no room. */
struct portal *extended_add_portal(struct session *session, const char *name);
/* Cursors of this name alone (NULL: all), also those that are held beyond their transaction. False: there is none. */
bool extended_drop_cursor(struct session *session, const char *name, bool held);
/* The types of its parameters, which it gets from `inferred` (or NULL) where the client left them open. */
void extended_write_parameters(struct session *session, struct prepared_statement *statement,
                               const enum sql_type *inferred);
/* NULL: all. False: there is none of this name. */
bool extended_drop_statement(struct session *session, const char *name);

#endif
