/* room.h - what the files of this room share. */
#ifndef CURATOR_ROOM_H
#define CURATOR_ROOM_H

#include <stdatomic.h>

#include "curator/curator.h"
#include "curator/price.h"
#include "engine/scratch.h"
#include "ledger/digest.h"
#include "random/random.h"

enum {
    CURATOR_MOST_ROWS = 1 << 20,    /* in a domain, a released table, an answer */
    CURATOR_MOST_NUMBERS = 1 << 26, /* that an engine returns for one release with public keys */
    CURATOR_SQL_BYTES = 16 << 20,   /* in one statement */
    CURATOR_REST_BYTES = 1 << 20,   /* in what a question asks of scratch */
    CURATOR_ARENA_BYTES = 1 << 30,  /* for one question's work */
};

struct recall;
struct checked;
struct gate;

struct curator {
    struct arena arena; /* the policy's */
    const struct policy *policy;
    struct engine *engine;
    struct scratch *scratch;
    struct ledger *ledger;
    struct random *random;
    bool owns_random, owner;
    bool at_once;                /* answers are held back by the caller */
    bool joined;                 /* policy, ledger, recall, checked and gate are another's */
    unsigned threads;            /* of scratch; 0: all cores */
    const char *scratch_program; /* as in the options */
    bool *copied;                /* for each table of the catalogue: it is in scratch */
    bool begun;                  /* scratch is there for the question under way */
    atomic_bool interrupted;
    struct checked *checked;
    struct gate *gate;
    struct mechanism_known known;
    struct recall *recall;
};

/* DITHER_REFUSED while a range is marked as proposed by looking at the data. */
status curator_check_peeked(const struct policy *policy, error *why) MUST_CHECK;

/* ---- prepare.c: everything that is decided before anything is spent ---- */

struct prepared_release {
    const struct sql_release *release;
    const struct sql_relation *relation; /* the SQL_RELEASE node */
    struct sql_rows domain;              /* enumerated: all keys, sorted */
    const char *sql;                     /* for the engine, as engine_release_sql has it */
    struct digest identity;              /* of all that the release is, but its price */
    const char *key;                     /* for the ledger */
    size_t key_size;
    char table[32]; /* its name in scratch */
};

struct prepared {
    const struct sql_plan *plan;
    struct prepared_release *releases; /* as in the plan */
    struct price_facts *facts;
    struct price price;
    double confidence; /* of half_width here and in all parts, and of the intervals */
    double half_width; /* the widest of the visible noisy columns that have one; NaN: none has */
};

/* Plans, checks on the shadow, enumerates the domains and prices. Touches no private row. */
status curator_prepare(struct curator *curator, const struct curator_question *question, struct arena *arena,
                       struct prepared *out, error *why) MUST_CHECK;

/* Prices the plan again, with other options; sets the ledger's keys. */
status curator_reprice(struct curator *curator, struct prepared *prepared, const struct sql_options *options,
                       struct arena *arena, error *why) MUST_CHECK;

/* error_wanted.c: the least amount that is accurate enough, into prepared->price. */
status curator_meet_error(struct curator *curator, const struct curator_question *question,
                          struct arena *arena, struct prepared *prepared, error *why) MUST_CHECK;

/* checked.c: statements that a check has passed, those of the shadow and those of scratch. From any thread. */
status checked_new(struct checked **out, error *why) MUST_CHECK;
void checked_free(struct checked *checked);
bool checked_has(struct checked *checked, const struct digest *digest);
void checked_add(struct checked *checked, const struct digest *digest);

/* The widest closed-form half width of the visible noisy columns; NaN where there is none. */
double curator_half_width(const struct prepared *prepared);

/* ---- key.c ---- */

/* The identity of release `index`; those before it have theirs. */
status key_identify(struct prepared *prepared, size_t index, struct arena *arena, error *why) MUST_CHECK;
/* The key: identity and price. */
status key_write(struct prepared *prepared, size_t index, struct arena *arena, error *why) MUST_CHECK;

/* ---- rest.c: what runs in scratch ---- */

/* Scratch is there; to be called before it is used, and looks once for each question (curator_prepare). Questions that are
 * foreseen to be plain do without, and never start its process. */
status rest_begin(struct curator *curator, error *why) MUST_CHECK;
/* The rows of a public or released relation, whose releases are in scratch; all columns. */
status rest_rows(struct curator *curator, const struct sql_relation *relation, struct arena *arena,
                 struct sql_rows *out, error *why) MUST_CHECK;
/* Copies the public tables that the relation reads into scratch, where they are not there yet. */
status rest_public_tables(struct curator *curator, const struct sql_relation *relation, struct arena *arena,
                          error *why) MUST_CHECK;
/* Runs the rest of the question once over empty tables, so that what scratch cannot do is found before anything is
 * spent. What was checked is remembered. */
status rest_check(struct curator *curator, const struct prepared *prepared, struct arena *arena,
                  error *why) MUST_CHECK;
/* The types of a relation's columns. */
status rest_columns(const struct sql_relation *relation, struct arena *arena, struct scratch_column **out,
                    error *why) MUST_CHECK;

/* ---- run.c: the releases of a reserved question ---- */

struct run {
    struct curator *curator;
    const struct prepared *prepared;
    struct arena *arena;
    struct sql_rows *tables;      /* of each release, noisy */
    struct ledger_bytes *results; /* of each distinct release, as the ledger numbers them */
    size_t *places;               /* release -> its number in the ledger */
    size_t ledger_count;
    bool engine_failed;
    bool plain;      /* the answer is the one table as it is: plain.c */
    size_t *sources; /* its columns behind those of the result */
};

status run_begin(struct curator *curator, const struct prepared *prepared, struct arena *arena,
                 struct run *out, error *why) MUST_CHECK;
/* Draws what is not stored, and puts every table into scratch, unless the run is plain. run->engine_failed tells why it failed. */
status run_releases(struct run *run, const struct ledger_reservation *reservation, error *why) MUST_CHECK;
void run_end(struct run *run);

/* ---- gate.c: how many questions are at the engine at a time, of all curators of a process ---- */

status gate_new(struct gate **out, error *why) MUST_CHECK;
void gate_free(struct gate *gate);
/* Waits for a place; DITHER_REFUSED when the curator is interrupted meanwhile. */
status gate_enter(struct curator *curator, error *why) MUST_CHECK;
void gate_leave(struct curator *curator);

/* ---- plain.c: answers that need no scratch ---- */

/* Whether all that follows the one release picks its columns: there is nothing in it that scratch could not do. */
bool plain_projects(const struct prepared *prepared);
/* Whether the answer will be plain: then it asks nothing of scratch. From the plan and its price alone. */
bool plain_foreseen(const struct prepared *prepared);
/* Sets run->plain, when the one table is there. */
status plain_find(struct run *run, error *why) MUST_CHECK;
/* The rows of the result. */
status plain_rows(const struct run *run, struct sql_rows *out, error *why) MUST_CHECK;

/* ---- recall.c: answers that were given before by this process, to whichever of its curators ---- */

/* `settings` is the canonical text of all but the question's text. With `sight` nothing is found where it would have to
 * wait for the ledger; NULL: it waits. From any thread. */
status recall_find(struct curator *curator, const struct curator_question *question, const char *settings,
                   struct ledger_sight *sight, struct curator_answer *answer, bool *found,
                   error *why) MUST_CHECK;
/* Keeps a settled answer. */
void recall_keep(struct curator *curator, const struct curator_question *question, const char *settings,
                 const struct curator_answer *answer);
status recall_new(struct recall **out, error *why) MUST_CHECK;
void recall_free(struct recall *recall);

/* ---- trace.c: what a visible column is made of ---- */

struct trace {
    size_t release; /* index in the plan */
    const struct price_part *part;
    double factor; /* the column is factor times the measure, plus a constant */
};
/* False: it is not one measure times a constant. */
bool trace_measure(const struct prepared *prepared, const struct sql_relation *relation, size_t column,
                   struct trace *out);
/* Whether the column depends on a chosen value (a quantile, a top), whose error has no public bound. */
bool trace_chosen(const struct sql_relation *relation, size_t column);

/* ---- intervals.c ---- */

/* One interval for each cell of `rows`, the result's (hidden columns too). `tables` as in struct run. */
status intervals_make(struct curator *curator, const struct prepared *prepared, const struct sql_rows *tables,
                      const struct sql_rows *rows, struct arena *arena, struct curator_interval **out,
                      error *why) MUST_CHECK;

/* ---- log.c: for the owner's eyes ---- */

/* One entry in POLICY.log, which only the owner can read. Best effort. */
void log_engine_failure(const struct curator *curator, const char *analyst, const char *sql);
void log_open_failure(const struct curator *curator, const char *message);
/* The process for the rest of questions was lost, or does not start. */
void log_scratch_failure(const struct curator *curator, const char *message);

#endif
