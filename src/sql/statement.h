/* statement.h - what a client of the PostgreSQL protocol says beside questions: which statements are in a text, and
 * what the small ones mean.
 *
 * A text is cut at its semicolons by PostgreSQL's own scanner. A statement that begins like a question is taken for one,
 * unread: sql_plan has the last word. The others are read by PostgreSQL's grammar; whatever a session does not know is
 * SQL_SAYS_OTHER, to be refused by name. Nothing is bound, no catalogue is asked. */
#ifndef SQL_STATEMENT_H
#define SQL_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum sql_statement_kind {
    SQL_SAYS_QUESTION, /* SELECT, WITH, VALUES, TABLE, or a parenthesis */
    SQL_SAYS_EXPLAIN,
    SQL_SAYS_SET,
    SQL_SAYS_RESET,
    SQL_SAYS_SHOW,
    SQL_SAYS_DISCARD,
    SQL_SAYS_BEGIN,
    SQL_SAYS_COMMIT,
    SQL_SAYS_ROLLBACK,
    SQL_SAYS_SAVEPOINT,   /* also RELEASE */
    SQL_SAYS_ROLLBACK_TO, /* a savepoint */
    SQL_SAYS_DEALLOCATE,
    SQL_SAYS_DECLARE,  /* a cursor */
    SQL_SAYS_FETCH,    /* also MOVE */
    SQL_SAYS_CLOSE,    /* a cursor; name NULL: all */
    SQL_SAYS_UNLISTEN, /* nobody listens: pools of connections say it all the same */
    SQL_SAYS_COPY,
    SQL_SAYS_OTHER,
};

enum { SQL_MOST_STATEMENTS = 1000, SQL_WORD_BYTES = 24 };

struct sql_statement {
    enum sql_statement_kind kind;
    size_t begin, length;      /* bytes in the text */
    char word[SQL_WORD_BYTES]; /* its first word, in capitals */
    size_t parameter_count;    /* the largest n of $n */
    const char *name;   /* of a setting, in lower case, of a prepared statement or a cursor; NULL: ALL */
    const char *value;  /* of SQL_SAYS_SET; NULL: DEFAULT */
    bool local;         /* SET LOCAL */
    bool all;           /* DISCARD ALL */
    size_t question;    /* SQL_SAYS_EXPLAIN, _DECLARE: where in the text the question begins */
    bool hold;          /* SQL_SAYS_DECLARE: beyond the transaction */
    bool move;          /* SQL_SAYS_FETCH: MOVE */
    bool backward;      /* SQL_SAYS_FETCH: not simply the next rows */
    uint64_t rows;      /* SQL_SAYS_FETCH: how many; UINT64_MAX: all */
    bool json, analyze; /* EXPLAIN (FORMAT JSON), EXPLAIN ANALYZE */
};

/* Where the question of the statement begins: behind EXPLAIN or DECLARE; else the statement itself. */
size_t sql_statement_question(const struct sql_statement *statement);

/* The statements of a text, empty ones left out. Errors as sql_parse has them, with a position in the whole text. The
 * list lives in the arena. */
status sql_statements(const char *text, size_t length, struct arena *arena, const struct sql_statement **out,
                      size_t *count, error *why) MUST_CHECK;

#endif
