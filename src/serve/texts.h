/* texts.h - what a server has found out about texts that clients send again and again: that they are one question, and
 * whether it is for the catalogue. Reading a text takes a thread with a large stack; finding it here takes a comparison.
 *
 * Nothing of data or of analysts is in it: what a text says is the same for everybody. Of two texts that fall into the same
 * place the later one stays. For one thread. */
#ifndef SERVE_TEXTS_H
#define SERVE_TEXTS_H

#include "sql/statement.h"

struct texts;

/* FNV-1a over more bytes, from TEXTS_HASH on: for tables in which who makes texts fall into one place makes finding them
 * slower, and nothing else. */
#define TEXTS_HASH UINT64_C(14695981039346656037)
uint64_t texts_hash(uint64_t hash, const char *bytes, size_t count);

struct text_known {
    struct sql_statement statement; /* SQL_SAYS_QUESTION, and there is no other in the text */
    bool looked;                    /* whether it is for the catalogue has been found out */
    bool for_catalogue;
};

status texts_new(struct texts **out, error *why) MUST_CHECK;
void texts_free(struct texts *texts); /* NULL is fine */

/* NULL: nothing is known of it. The caller may note what he finds out. */
struct text_known *texts_find(struct texts *texts, const char *text, size_t length);
/* Keeps it if it can. */
void texts_keep(struct texts *texts, const char *text, size_t length, const struct sql_statement *statement);

#endif
