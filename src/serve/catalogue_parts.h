/* catalogue_parts.h - what the files of the catalogue share. Inside catalogue*.c only. */
#ifndef SERVE_CATALOGUE_PARTS_H
#define SERVE_CATALOGUE_PARTS_H

#include <pg_query/pg_query.pb-c.h>

#include "engine/duckdb_instance.h"
#include "serve/catalogue.h"

/* Where our tables are in the database. */
#define CATALOGUE_SCHEMA   "dither"
#define CATALOGUE_STANDARD "dither_information"

/* Noted for a bare NULL: PostgreSQL calls it text, DuckDB a number. */
enum { CATALOGUE_NULL = 705 };

/* A table of PostgreSQL's. `columns`: each with the letter of its type, separated by commas:
 *     o oid  n name  t text  v varchar  c "char"  b boolean  s int2  i int4  l int8  f float4  d float8  x xid
 *     p regproc  y regtype  e pg_node_tree  z timestamptz
 *     O oid[]  S int2[]  T text[]  N name[]  C "char"[]  A aclitem[]  V int2vector  W oidvector */
struct catalogue_relation {
    const char *name;
    uint32_t oid;
    char kind; /* 'r' or 'v', as pg_class has it */
    const char *columns;
};
/* Each is ended by an entry without a name. */
extern const struct catalogue_relation catalogue_of_postgres[], catalogue_of_standard[];
/* Rows as SQL; ended by NULL. */
extern const char *const catalogue_types[], *const catalogue_functions[];
/* Statements that define our functions, and fill what follows from other tables; ended by NULL. */
extern const char *const catalogue_macros[], *const catalogue_views[];

struct catalogue_letter {
    char letter;
    const char *type; /* DuckDB's */
    uint32_t oid;     /* PostgreSQL's */
};
const struct catalogue_letter *catalogue_letter(char letter);

/* Takes the next column off `columns`: its name (not closed by a NUL) and letter. False at the end. */
bool catalogue_next_column(const char **columns, const char **name, size_t *length, char *letter);
/* The letter of a column of this name in the first of PostgreSQL's tables that has one; 0: none has. */
char catalogue_column_letter(const char *name);

#define CATALOGUE_MEMORY_BYTES (UINT64_C(512) << 20)

struct catalogue {
    struct duckdb_instance instance;   /* in this process, or */
    struct catalogue_process *process; /* in its own */
    char *dataset;
};

/* Tables and rows of this policy, as SQL. */
status catalogue_print(const struct sql_catalogue *tables, struct buffer *out, error *why) MUST_CHECK;
/* Runs it, and what follows from it. */
status catalogue_fill(struct duckdb_instance *instance, const char *tables, error *why) MUST_CHECK;

/* The whole database: empty; then made of the printed tables, and locked. */
status catalogue_open_instance(struct duckdb_instance *out, error *why) MUST_CHECK;
status catalogue_make(struct duckdb_instance *instance, const char *dataset, const char *tables,
                      error *why) MUST_CHECK;

/* ---- In a process of its own ---- */

struct catalogue_rewrite;
struct catalogue_process;

status catalogue_process_open(const char *program, const char *dataset, const struct sql_catalogue *tables,
                              struct catalogue_process **out, error *why) MUST_CHECK;
void catalogue_process_close(struct catalogue_process *process);
/* From any thread. */
status catalogue_process_ask(struct catalogue_process *process, struct catalogue_rewrite *rewrite,
                             const char *sql, struct catalogue_reply *out) MUST_CHECK;

/* How a rewritten question can end. */
enum catalogue_outcome {
    CATALOGUE_ANSWERED,
    CATALOGUE_NOT_UNDERSTOOD,
    CATALOGUE_TOO_MANY_ROWS,
    CATALOGUE_TOO_LONG,
    CATALOGUE_BROKEN,
    CATALOGUE_OUTCOMES
};
/* The one with this state. */
enum catalogue_outcome catalogue_outcome(const char *sqlstate);
/* Fails as it says. */
status catalogue_refuse_as(struct catalogue_rewrite *rewrite, enum catalogue_outcome outcome);

/* Runs a rewritten question here. */
status catalogue_execute(struct duckdb_instance *instance, struct catalogue_rewrite *rewrite, const char *sql,
                         struct catalogue_reply *out) MUST_CHECK;

/* ---- Rewriting ---- */

struct catalogue_rewrite {
    struct arena *arena;
    const struct catalogue_question *question;
    const char *dataset;
    error *why;
    char *sqlstate;
    const char **ctes; /* names that WITH gives */
    size_t cte_count, cte_room;
    ProtobufCAllocator allocator; /* the tree's: the arena */
    bool out_of_memory;
    const struct catalogue_scope *scope; /* catalogue_tableoid.c: the SELECT that is looked at */
    uint32_t *oids; /* of the outermost columns, as far as the tree tells; 0: ask DuckDB */
    size_t oid_count;
};

/* The statement as SQL for our database, in the arena. */
status catalogue_rewrite(struct catalogue_rewrite *rewrite, const char **sql) MUST_CHECK;
/* One node below the outermost statement, its parts already rewritten. */
status catalogue_rewrite_node(struct catalogue_rewrite *rewrite, PgQuery__Node **slot) MUST_CHECK;
/* tableoid in a SELECT whose parts are rewritten already. */
status catalogue_rewrite_tableoid(struct catalogue_rewrite *rewrite, PgQuery__SelectStmt *select) MUST_CHECK;
/* Calls `visit` for each message directly below this one; it may put another in its place. */
typedef status catalogue_visit(struct catalogue_rewrite *rewrite, ProtobufCMessage **slot);
status catalogue_visit_parts(struct catalogue_rewrite *rewrite, ProtobufCMessage *message,
                             catalogue_visit *visit) MUST_CHECK;
/* Fails with a state and words. */
status catalogue_refuse(struct catalogue_rewrite *rewrite, const char *state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds where in the text it is: `location` counts bytes, as the tree does. Returns `refused`. */
status catalogue_refuse_at(struct catalogue_rewrite *rewrite, int32_t location, status refused);

/* The name that PostgreSQL gives to a column without AS; NULL: the column's own. */
const char *catalogue_column_name(const PgQuery__Node *value);

/* format(text, ...) with its arguments rewritten already. */
status catalogue_format(struct catalogue_rewrite *rewrite, const PgQuery__FuncCall *call, const char *text,
                        PgQuery__Node **out) MUST_CHECK;

/* ---- Lists ---- */

bool catalogue_is_relation(const char *schema, const char *name, bool *standard);
/* What a function is called with us, and whether it is one of our macros; false: it is on no list. */
bool catalogue_function(const char *name, const char **ours, bool *macro);
/* What DuckDB calls a type; NULL: it is on no list. `oid`: PostgreSQL's number. */
const char *catalogue_type(const char *name, uint32_t *oid);
/* regclass and its kin: the number of the type, or 0. */
uint32_t catalogue_reference(const char *name);

/* ---- Making trees ---- */

PgQuery__Node **catalogue_list(struct catalogue_rewrite *rewrite, PgQuery__Node *const *items, size_t count);
PgQuery__Node *catalogue_text_node(struct catalogue_rewrite *rewrite, const char *text);
PgQuery__Node *catalogue_null_node(struct catalogue_rewrite *rewrite);
PgQuery__Node *catalogue_call_node(struct catalogue_rewrite *rewrite, const char *schema, const char *name,
                                   PgQuery__Node *const *arguments, size_t count);
PgQuery__Node *catalogue_name_node(struct catalogue_rewrite *rewrite, const char *name);
PgQuery__Node *catalogue_cast_node(struct catalogue_rewrite *rewrite, PgQuery__Node *value, const char *type,
                                   bool array);
PgQuery__Node *catalogue_not_node(struct catalogue_rewrite *rewrite, PgQuery__Node *value);
/* '{a,b}' as ARRAY['a', 'b']; NULL when it is not of this form. */
PgQuery__Node *catalogue_array_node(struct catalogue_rewrite *rewrite, const char *text);

#endif
