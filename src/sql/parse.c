/* The way of a text: size, NUL, UTF-8; PostgreSQL's tokens, nesting, BigQuery's clause cut out; PostgreSQL's
 * grammar; the tree checked.
 *
 * libpg_query writes its tree as a protocol buffer and reads it back, both recursively: 10 KB of 1+1+... need
 * more than the 8 MB of an ordinary stack. Within 64 KB of text no tree needs more than 60 MB (measured:
 * 1.9 KB for each level, two bytes of text for each), so everything that calls it runs on a large stack
 * (parse_stack.c). pg_query_exit is never called: it would free what other threads use. */
#include "sql/parse.h"

#include <assert.h>
#include <pg_query.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sql/parse_parts.h"
#include "sql/plan.h"

status parse_fail(error *why, status code, int position, const char *format, ...)
{
    char message[2 * sizeof why->message]; /* more than fits: fail knows where to cut it */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    status result = fail(why, code, "%s", message);
    if (why != NULL)
        why->position = position;
    return result;
}

struct job {
    char *text; /* a copy that may be changed, with a NUL behind it */
    const int *characters;
    size_t length;
    const struct sql_parameters *parameters; /* or NULL */
    struct sql_parsed parsed;
    error *why;
    status result;
};

/* ---- PostgreSQL's errors ---- */

/* PostgreSQL counts characters of the text that it was given, from 1. That text may have blanks where the
 * analyst's has wider characters. */
static int position_of_cursor(const struct job *job, int cursor)
{
    int character = 0;
    for (size_t byte = 0; byte < job->length; byte++) {
        if (((unsigned char)job->text[byte] & 0xC0) == 0x80)
            continue;
        character++;
        if (character == cursor)
            return job->characters[byte];
    }
    return cursor > 0 ? job->characters[job->length] : -1;
}

static status syntax_error(struct job *job, const PgQueryError *complaint)
{
    return parse_fail(job->why, DITHER_INVALID, position_of_cursor(job, complaint->cursorpos), "%s",
                      complaint->message);
}

/* ---- The steps, on the large stack ---- */

size_t parse_drop_comments(PgQuery__ScanToken **tokens, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool comment = tokens[i]->token == PG_QUERY__TOKEN__SQL_COMMENT ||
                       tokens[i]->token == PG_QUERY__TOKEN__C_COMMENT;
        if (comment)
            continue;
        PgQuery__ScanToken *token = tokens[i];
        tokens[i] = tokens[kept]; /* swapped, not lost: they are freed together */
        tokens[kept++] = token;
    }
    return kept;
}

static status read_tokens(struct job *job)
{
    PgQueryScanResult scanned = pg_query_scan(job->text);
    PgQuery__ScanResult *unpacked = NULL;
    status result = DITHER_OK;
    if (scanned.error != NULL) {
        result = syntax_error(job, scanned.error);
        goto done;
    }
    unpacked = pg_query__scan_result__unpack(NULL, scanned.pbuf.len, (const uint8_t *)scanned.pbuf.data);
    if (unpacked == NULL) {
        result = fail(job->why, DITHER_NO_MEMORY, "there is no memory to parse the question");
        goto done;
    }
    struct parse_tokens tokens = {.text = job->text, .characters = job->characters};
    tokens.tokens = unpacked->tokens;
    tokens.count = parse_drop_comments(unpacked->tokens, unpacked->n_tokens);
    result = parse_check_nesting(&tokens, job->why);
    if (result == DITHER_OK)
        result =
            parse_cut_options(&tokens, job->text, &job->parsed.options, &job->parsed.has_options, job->why);
done:
    if (unpacked != NULL)
        pg_query__scan_result__free_unpacked(unpacked, NULL);
    pg_query_free_scan_result(scanned);
    return result;
}

static status read_tree(struct job *job)
{
    PgQueryProtobufParseResult packed = pg_query_parse_protobuf(job->text);
    PgQuery__ParseResult *tree = NULL;
    status result = DITHER_OK;
    if (packed.error != NULL) {
        result = syntax_error(job, packed.error);
        goto done;
    }
    tree =
        pg_query__parse_result__unpack(NULL, packed.parse_tree.len, (const uint8_t *)packed.parse_tree.data);
    if (tree == NULL) {
        result = fail(job->why, DITHER_NO_MEMORY, "there is no memory to parse the question");
        goto done;
    }
    result = parse_check_tree(tree, job->text, job->characters, job->why);
    if (result == DITHER_OK && job->parameters != NULL)
        result = parse_put_parameters(tree, job->parameters, job->characters, job->why);
    if (result == DITHER_OK) {
        job->parsed.tree = tree;
        job->parsed.select = tree->stmts[0]->stmt->select_stmt;
        tree = NULL;
    }
done:
    if (tree != NULL)
        pg_query__parse_result__free_unpacked(tree, NULL); /* may be deep: here is the stack for it */
    pg_query_free_protobuf_parse_result(packed);
    return result;
}

static void *parse_on_large_stack(void *context)
{
    struct job *job = context;
    job->result = read_tokens(job);
    if (job->result == DITHER_OK)
        job->result = read_tree(job);
    return NULL;
}

/* ---- For callers ---- */

status parse_check_text(const char *text, size_t length, error *why)
{
    if (length > SQL_TEXT_BYTES)
        return fail(why, DITHER_INVALID, "the question is longer than %d KB", SQL_TEXT_BYTES / 1024);
    if (length > 0 && memchr(text, '\0', length) != NULL)
        return fail(why, DITHER_INVALID, "the question has a NUL byte in it");
    if (!utf8_valid(text, length))
        return fail(why, DITHER_INVALID, "the question is not UTF-8");
    return DITHER_OK;
}

status parse_count_characters(const char *text, size_t length, struct arena *arena, const int **out,
                              error *why)
{
    void *room = NULL;
    TRY(arena_take(arena, (length + 1) * sizeof(int), &room, why));
    int *characters = room;
    int character = -1;
    for (size_t byte = 0; byte < length; byte++) {
        character += ((unsigned char)text[byte] & 0xC0) != 0x80;
        characters[byte] = character;
    }
    characters[length] = character + 1;
    *out = characters;
    return DITHER_OK;
}

status sql_parse(const char *text, size_t length, struct arena *arena, struct sql_parsed *out, error *why)
{
    return sql_parse_bound(text, length, NULL, arena, out, why);
}

status sql_parse_bound(const char *text, size_t length, const struct sql_parameters *parameters,
                       struct arena *arena, struct sql_parsed *out, error *why)
{
    TRY(parse_check_text(text, length, why));
    struct job job = {.length = length, .parameters = parameters, .why = why};
    TRY(arena_text(arena, text, length, &job.text, why));
    TRY(parse_count_characters(text, length, arena, &job.characters, why));
    TRY(parse_run_on_large_stack(length, parse_on_large_stack, &job, why));
    TRY(job.result);
    job.parsed.characters = job.characters;
    job.parsed.length = length;
    *out = job.parsed;
    return DITHER_OK;
}

void sql_parsed_free(struct sql_parsed *parsed)
{
    if (parsed->tree != NULL)
        pg_query__parse_result__free_unpacked(parsed->tree, NULL);
    parsed->tree = NULL;
    parsed->select = NULL;
}

int sql_parsed_position(const struct sql_parsed *parsed, int location)
{
    if (location < 0)
        return -1;
    assert((size_t)location <= parsed->length);
    return parsed->characters[location];
}
