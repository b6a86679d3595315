/* parse_parts.h - what the files of the parser share: tokens, failures with a place, the two checks that stand
 * before and behind PostgreSQL's grammar. Inside parse*.c only. */
#ifndef SQL_PARSE_PARTS_H
#define SQL_PARSE_PARTS_H

#include "sql/parse.h"

/* Fails as base/status.h does, and says where: `position` counts characters from 0. */
status parse_fail(error *why, status code, int position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* PostgreSQL's tokens of a text, without comments. Offsets are bytes. */
struct parse_tokens {
    const char *text;
    const int *characters; /* byte -> character */
    PgQuery__ScanToken *const *tokens;
    size_t count;
};

/* Comments are tokens of the scanner, and nothing to us: they go behind the others, whose count is returned. */
size_t parse_drop_comments(PgQuery__ScanToken **tokens, size_t count);

/* Size, NUL, UTF-8. */
status parse_check_text(const char *text, size_t length, error *why) MUST_CHECK;

/* How many characters stand before each byte, and before the end. */
status parse_count_characters(const char *text, size_t length, struct arena *arena, const int **out,
                              error *why) MUST_CHECK;

/* Runs work(context), which parses a text of `length` bytes, where there is stack enough: on a thread that has a large
 * one, and waits for it, or for a short text on this thread, if that is one for it (sql_parse_here). parse_stack.c. Work must
 * not wait for such work. */
status parse_run_on_large_stack(size_t length, void *(*work)(void *), void *context, error *why) MUST_CHECK;

/* Puts values in the place of $1, $2 ... in the tree. */
status parse_put_parameters(PgQuery__ParseResult *tree, const struct sql_parameters *parameters,
                            const int *characters, error *why) MUST_CHECK;

/* Parentheses, brackets and CASE within each other, and operators in a row: far below what would make the
 * parser slow, or its tree deep. */
status parse_check_nesting(const struct parse_tokens *tokens, error *why) MUST_CHECK;

/* Finds SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...), reads the options, and overwrites all but the SELECT with
 * blanks, so that every offset stays what it was. `text` is the same as tokens->text. */
status parse_cut_options(const struct parse_tokens *tokens, char *text, struct sql_options *options,
                         bool *has_options, error *why) MUST_CHECK;

/* One statement, a SELECT, no part of which writes, locks or is nested too deeply to be walked. */
status parse_check_tree(const PgQuery__ParseResult *tree, const char *text, const int *characters,
                        error *why) MUST_CHECK;

#endif
