#include "sql/statement.h"

#include <ctype.h>
#include <pg_query.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/parse_parts.h"
#include "sql/text_form.h"

struct reading {
    const char *text;
    size_t length;
    const int *characters;
    struct arena *arena;
    PgQuery__ScanToken **tokens;
    size_t token_count;
    struct sql_statement *list;
    size_t count;
};

/* ---- Tokens ---- */

static PgQuery__Token token_at(const struct reading *reading, size_t index)
{
    return index < reading->token_count ? reading->tokens[index]->token : PG_QUERY__TOKEN__NUL;
}

static bool token_is(const struct reading *reading, size_t index, const char *word)
{
    if (index >= reading->token_count)
        return false;
    const PgQuery__ScanToken *token = reading->tokens[index];
    size_t length = (size_t)(token->end - token->start);
    return length == strlen(word) && strncasecmp(reading->text + token->start, word, length) == 0;
}

static bool begins_question(PgQuery__Token token)
{
    return token == PG_QUERY__TOKEN__SELECT || token == PG_QUERY__TOKEN__WITH ||
           token == PG_QUERY__TOKEN__VALUES || token == PG_QUERY__TOKEN__TABLE ||
           token == PG_QUERY__TOKEN__ASCII_40;
}

static size_t largest_parameter(const struct reading *reading, size_t from, size_t to)
{
    size_t largest = 0;
    for (size_t i = from; i < to; i++) {
        if (token_at(reading, i) != PG_QUERY__TOKEN__PARAM)
            continue;
        unsigned long number = strtoul(reading->text + reading->tokens[i]->start + 1, NULL, 10);
        largest = number > largest ? number : largest;
    }
    return largest;
}

static void read_word(const struct reading *reading, const PgQuery__ScanToken *token,
                      char word[SQL_WORD_BYTES])
{
    size_t count = 0;
    for (int32_t at = token->start; at < token->end && count < SQL_WORD_BYTES - 1; at++)
        word[count++] = (char)toupper((unsigned char)reading->text[at]);
    word[count] = '\0';
}

/* EXPLAIN, perhaps (options) or ANALYZE VERBOSE, and the question. A parenthesis before a SELECT is the question's. */
static void read_explain(const struct reading *reading, size_t at, size_t to, struct sql_statement *statement)
{
    bool options =
        token_at(reading, at) == PG_QUERY__TOKEN__ASCII_40 && !begins_question(token_at(reading, at + 1));
    for (; at < to; at++) {
        statement->analyze |= token_is(reading, at, "analyze") || token_is(reading, at, "analyse");
        statement->json |= options && token_is(reading, at, "json");
        bool closed = options && token_at(reading, at) == PG_QUERY__TOKEN__ASCII_41;
        if (!options && !token_is(reading, at, "analyze") && !token_is(reading, at, "analyse") &&
            !token_is(reading, at, "verbose"))
            break;
        options = options && !closed;
    }
    statement->question = at < to ? (size_t)reading->tokens[at]->start : statement->begin + statement->length;
}

/* ---- Small statements, by PostgreSQL's grammar ---- */

static status keep(struct reading *reading, const char *text, const char **out, error *why)
{
    char *copy = NULL;
    TRY(arena_text(reading->arena, text, strlen(text), &copy, why));
    *out = copy;
    return DITHER_OK;
}

/* 'x', x, 5, 0.5, on, -1: as text. False for what is none of them. */
static bool print_constant(const PgQuery__Node *node, char *out, size_t room)
{
    if (node->node_case == PG_QUERY__NODE__NODE_TYPE_CAST) /* SET TIME ZONE INTERVAL '...' */
        return print_constant(node->type_cast->arg, out, room);
    if (node->node_case != PG_QUERY__NODE__NODE_A_CONST || node->a_const->isnull)
        return false;
    const PgQuery__AConst *constant = node->a_const;
    switch (constant->val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
        return (size_t)snprintf(out, room, "%d", constant->ival->ival) < room;
    case PG_QUERY__A__CONST__VAL_FVAL:
        return (size_t)snprintf(out, room, "%s", constant->fval->fval) < room;
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
        return (size_t)snprintf(out, room, "%s", constant->boolval->boolval ? "on" : "off") < room;
    case PG_QUERY__A__CONST__VAL_SVAL:
        return (size_t)snprintf(out, room, "%s", constant->sval->sval) < room;
    default:
        return false;
    }
}

enum { VALUE_BYTES = 1024 };

static status read_value(struct reading *reading, const PgQuery__VariableSetStmt *set,
                         struct sql_statement *statement, error *why)
{
    char value[VALUE_BYTES] = "";
    size_t length = 0;
    for (size_t i = 0; i < set->n_args; i++) {
        char part[VALUE_BYTES];
        if (!print_constant(set->args[i], part, sizeof part) || length + strlen(part) + 3 > sizeof value)
            return fail(why, DITHER_INVALID, "the value of \"%.60s\" is not understood", set->name);
        length += (size_t)snprintf(value + length, sizeof value - length, "%s%s", i > 0 ? ", " : "", part);
    }
    return keep(reading, value, &statement->value, why);
}

static status read_name(struct reading *reading, const char *name, struct sql_statement *statement,
                        error *why)
{
    char *lowered = NULL;
    TRY(arena_text(reading->arena, name, strlen(name), &lowered, why));
    for (char *at = lowered; *at != '\0'; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + ('a' - 'A') : *at);
    statement->name = lowered;
    return DITHER_OK;
}

static status read_set(struct reading *reading, const PgQuery__VariableSetStmt *set,
                       struct sql_statement *statement, error *why)
{
    bool reset = set->kind == PG_QUERY__VARIABLE_SET_KIND__VAR_RESET ||
                 set->kind == PG_QUERY__VARIABLE_SET_KIND__VAR_RESET_ALL;
    statement->kind = reset ? SQL_SAYS_RESET : SQL_SAYS_SET;
    statement->local = set->is_local;
    if (set->kind == PG_QUERY__VARIABLE_SET_KIND__VAR_RESET_ALL)
        return DITHER_OK;
    TRY(read_name(reading, set->name, statement, why));
    return set->kind == PG_QUERY__VARIABLE_SET_KIND__VAR_SET_VALUE ? read_value(reading, set, statement, why)
                                                                   : DITHER_OK;
}

static enum sql_statement_kind transaction_kind(PgQuery__TransactionStmtKind kind)
{
    switch (kind) {
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_BEGIN:
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_START:
        return SQL_SAYS_BEGIN;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_COMMIT:
        return SQL_SAYS_COMMIT;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_ROLLBACK:
        return SQL_SAYS_ROLLBACK;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_SAVEPOINT:
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_RELEASE:
        return SQL_SAYS_SAVEPOINT;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_ROLLBACK_TO:
        return SQL_SAYS_ROLLBACK_TO;
    default: /* two-phase commit */
        return SQL_SAYS_OTHER;
    }
}

/* ---- Cursors ---- */

enum { CURSOR_BINARY = 1, CURSOR_HOLD = 32 }; /* PostgreSQL's bits of DECLARE's options */

/* The question stands behind the first FOR: no name before it can be a bare one. */
static status read_declare(struct reading *reading, const PgQuery__DeclareCursorStmt *declare,
                           struct sql_statement *statement, error *why)
{
    if ((declare->options & CURSOR_BINARY) != 0) /* refused by name */
        return DITHER_OK;
    statement->kind = SQL_SAYS_DECLARE;
    statement->hold = (declare->options & CURSOR_HOLD) != 0;
    statement->question = statement->begin + statement->length;
    for (size_t i = 0; i + 1 < reading->token_count; i++)
        if ((size_t)reading->tokens[i]->start > statement->begin && token_is(reading, i, "for")) {
            statement->question = (size_t)reading->tokens[i + 1]->start;
            break;
        }
    return keep(reading, declare->portalname, &statement->name, why);
}

static status read_fetch(struct reading *reading, const PgQuery__FetchStmt *fetch,
                         struct sql_statement *statement, error *why)
{
    bool all = fetch->how_many == INT64_MAX;
    statement->kind = SQL_SAYS_FETCH;
    statement->move = fetch->ismove;
    statement->backward = fetch->direction != PG_QUERY__FETCH_DIRECTION__FETCH_FORWARD || fetch->how_many < 0;
    statement->rows = all ? UINT64_MAX : fetch->how_many > 0 ? (uint64_t)fetch->how_many : 0;
    return keep(reading, fetch->portalname, &statement->name, why);
}

size_t sql_statement_question(const struct sql_statement *statement)
{
    return statement->kind == SQL_SAYS_EXPLAIN || statement->kind == SQL_SAYS_DECLARE ? statement->question
                                                                                      : statement->begin;
}

static status read_node(struct reading *reading, const PgQuery__Node *node, struct sql_statement *statement,
                        error *why)
{
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_VARIABLE_SET_STMT:
        return read_set(reading, node->variable_set_stmt, statement, why);
    case PG_QUERY__NODE__NODE_VARIABLE_SHOW_STMT:
        statement->kind = SQL_SAYS_SHOW;
        if (strcmp(node->variable_show_stmt->name, "all") == 0)
            return DITHER_OK;
        return read_name(reading, node->variable_show_stmt->name, statement, why);
    case PG_QUERY__NODE__NODE_TRANSACTION_STMT:
        statement->kind = transaction_kind(node->transaction_stmt->kind);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_DISCARD_STMT:
        statement->kind = SQL_SAYS_DISCARD;
        statement->all = node->discard_stmt->target == PG_QUERY__DISCARD_MODE__DISCARD_ALL;
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_DEALLOCATE_STMT:
        statement->kind = SQL_SAYS_DEALLOCATE;
        if (node->deallocate_stmt->name == NULL || node->deallocate_stmt->name[0] == '\0')
            return DITHER_OK;
        return keep(reading, node->deallocate_stmt->name, &statement->name, why);
    case PG_QUERY__NODE__NODE_DECLARE_CURSOR_STMT:
        return read_declare(reading, node->declare_cursor_stmt, statement, why);
    case PG_QUERY__NODE__NODE_FETCH_STMT:
        return read_fetch(reading, node->fetch_stmt, statement, why);
    case PG_QUERY__NODE__NODE_CLOSE_PORTAL_STMT:
        statement->kind = SQL_SAYS_CLOSE;
        if (node->close_portal_stmt->portalname == NULL || node->close_portal_stmt->portalname[0] == '\0')
            return DITHER_OK;
        return keep(reading, node->close_portal_stmt->portalname, &statement->name, why);
    case PG_QUERY__NODE__NODE_UNLISTEN_STMT:
        statement->kind = SQL_SAYS_UNLISTEN;
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_COPY_STMT:
        statement->kind = SQL_SAYS_COPY;
        return DITHER_OK;
    default:
        return DITHER_OK;
    }
}

/* Runs on the large stack. */
static status parse_small(struct reading *reading, struct sql_statement *statement, error *why)
{
    char *text = NULL;
    TRY(arena_text(reading->arena, reading->text + statement->begin, statement->length, &text, why));
    PgQueryProtobufParseResult packed = pg_query_parse_protobuf(text);
    PgQuery__ParseResult *tree = NULL;
    status result = DITHER_OK;
    if (packed.error != NULL) {
        int before = reading->characters[statement->begin];
        int cursor = packed.error->cursorpos;
        result = parse_fail(why, DITHER_INVALID, cursor > 0 ? before + cursor - 1 : -1, "%s",
                            packed.error->message);
        goto done;
    }
    tree =
        pg_query__parse_result__unpack(NULL, packed.parse_tree.len, (const uint8_t *)packed.parse_tree.data);
    if (tree == NULL) {
        result = fail(why, DITHER_NO_MEMORY, "there is no memory to parse the statement");
        goto done;
    }
    if (tree->n_stmts == 1)
        result = read_node(reading, tree->stmts[0]->stmt, statement, why);
done:
    if (tree != NULL)
        pg_query__parse_result__free_unpacked(tree, NULL);
    pg_query_free_protobuf_parse_result(packed);
    return result;
}

struct small_job {
    struct reading *reading;
    status result;
    error *why;
};

static void *parse_all_small(void *context)
{
    struct small_job *job = context;
    for (size_t i = 0; i < job->reading->count && job->result == DITHER_OK; i++)
        if (job->reading->list[i].kind == SQL_SAYS_OTHER)
            job->result = parse_small(job->reading, &job->reading->list[i], job->why);
    return NULL;
}

/* ---- The text ---- */

static status add_statement(struct reading *reading, size_t from, size_t to, error *why)
{
    if (from == to)
        return DITHER_OK;
    if (reading->count == SQL_MOST_STATEMENTS)
        return fail(why, DITHER_REFUSED, "more than %d statements at once", SQL_MOST_STATEMENTS);
    size_t begin = (size_t)reading->tokens[from]->start, end = (size_t)reading->tokens[to - 1]->end;
    struct sql_statement statement = {.kind = SQL_SAYS_OTHER, .begin = begin, .length = end - begin};
    statement.parameter_count = largest_parameter(reading, from, to);
    read_word(reading, reading->tokens[from], statement.word);
    if (begins_question(token_at(reading, from)))
        statement.kind = SQL_SAYS_QUESTION;
    if (token_at(reading, from) == PG_QUERY__TOKEN__EXPLAIN) {
        statement.kind = SQL_SAYS_EXPLAIN;
        read_explain(reading, from + 1, to, &statement);
    }
    reading->list[reading->count++] = statement;
    return DITHER_OK;
}

static status split(struct reading *reading, error *why)
{
    size_t from = 0, semicolons = 0;
    void *room = NULL;
    for (size_t i = 0; i < reading->token_count; i++)
        semicolons += reading->tokens[i]->token == PG_QUERY__TOKEN__ASCII_59;
    size_t most = semicolons + 1 < SQL_MOST_STATEMENTS ? semicolons + 1 : SQL_MOST_STATEMENTS;
    TRY(arena_take(reading->arena, most * sizeof *reading->list, &room, why));
    reading->list = room;
    for (size_t i = 0; i <= reading->token_count; i++) {
        if (i < reading->token_count && reading->tokens[i]->token != PG_QUERY__TOKEN__ASCII_59)
            continue;
        TRY(add_statement(reading, from, i, why));
        from = i + 1;
    }
    return DITHER_OK;
}

static bool has_small(const struct reading *reading)
{
    for (size_t i = 0; i < reading->count; i++)
        if (reading->list[i].kind == SQL_SAYS_OTHER)
            return true;
    return false;
}

static status read_statements(struct reading *reading, PgQuery__ScanResult *scanned, error *why)
{
    reading->tokens = scanned->tokens;
    reading->token_count = parse_drop_comments(scanned->tokens, scanned->n_tokens);
    TRY(split(reading, why));
    struct small_job job = {.reading = reading, .result = DITHER_OK, .why = why};
    if (has_small(reading)) {
        TRY(parse_run_on_large_stack(reading->length, parse_all_small, &job, why));
        TRY(job.result);
    }
    return DITHER_OK;
}

status sql_statements(const char *text, size_t length, struct arena *arena, const struct sql_statement **out,
                      size_t *count, error *why)
{
    struct reading reading = {.text = text, .length = length, .arena = arena};
    char *copy = NULL;
    TRY(parse_check_text(text, length, why));
    TRY(parse_count_characters(text, length, arena, &reading.characters, why));
    TRY(arena_text(arena, text, length, &copy, why));
    PgQueryScanResult packed = pg_query_scan(copy);
    PgQuery__ScanResult *scanned = NULL;
    status result = DITHER_OK;
    if (packed.error != NULL) {
        result = parse_fail(why, DITHER_INVALID, packed.error->cursorpos - 1, "%s", packed.error->message);
        goto done;
    }
    scanned = pg_query__scan_result__unpack(NULL, packed.pbuf.len, (const uint8_t *)packed.pbuf.data);
    result = scanned != NULL ? read_statements(&reading, scanned, why)
                             : fail(why, DITHER_NO_MEMORY, "there is no memory to read the statements");
    if (result == DITHER_OK) {
        *out = reading.list;
        *count = reading.count;
    }
done:
    if (scanned != NULL)
        pg_query__scan_result__free_unpacked(scanned, NULL);
    pg_query_free_scan_result(packed);
    return result;
}
