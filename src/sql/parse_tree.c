/* What PostgreSQL's grammar accepted and we do not: other statements than one SELECT, and trees so deep that
 * walking them could exhaust a stack. The walk goes by the descriptors of the protocol buffer and so sees
 * every part, also those that no binder knows. It is recursive: it runs on the parser's large stack. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sql/parse_parts.h"

struct walk {
    const char *text;
    const int *characters;
    size_t length;
    error *why;
};

static int position_at(const struct walk *walk, int location)
{
    return location >= 0 && (size_t)location <= walk->length ? walk->characters[location] : -1;
}

/* ---- Which statement ---- */

/* The first word of the statement, in capitals; "" where it begins with something else. */
static void first_word(const struct walk *walk, const PgQuery__RawStmt *statement, char word[24])
{
    size_t at = statement->stmt_location > 0 ? (size_t)statement->stmt_location : 0;
    while (at < walk->length && isspace((unsigned char)walk->text[at]))
        at++;
    size_t count = 0;
    while (at < walk->length && count < 23 && isalpha((unsigned char)walk->text[at]))
        word[count++] = (char)toupper((unsigned char)walk->text[at++]);
    word[count] = '\0';
}

/* The name of a statement that changes rows, or NULL. */
static const char *changing(const ProtobufCMessageDescriptor *kind)
{
    if (kind == &pg_query__insert_stmt__descriptor)
        return "INSERT";
    if (kind == &pg_query__update_stmt__descriptor)
        return "UPDATE";
    if (kind == &pg_query__delete_stmt__descriptor)
        return "DELETE";
    return kind == &pg_query__merge_stmt__descriptor ? "MERGE" : NULL;
}

static status refuse_statement(const struct walk *walk, const PgQuery__RawStmt *statement)
{
    int position = position_at(walk, statement->stmt_location);
    if (statement->stmt->node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT)
        return parse_fail(walk->why, DITHER_REFUSED, position,
                          "EXPLAIN is not a question here: leave it out, and use the explain command");
    char word[24];
    first_word(walk, statement, word);
    if (strcmp(word, "WITH") == 0) /* WITH ... INSERT and its kin: the verb comes later */
        snprintf(word, sizeof word, "WITH ... INSERT or kin");
    return parse_fail(walk->why, DITHER_REFUSED, position,
                      "%s is not a question: Dither answers SELECT, one at a time",
                      word[0] != '\0' ? word : "this");
}

static status check_statements(const struct walk *walk, const PgQuery__ParseResult *tree)
{
    if (tree->n_stmts == 0)
        return parse_fail(walk->why, DITHER_INVALID, -1, "there is no question in this text");
    for (size_t i = 0; i < tree->n_stmts; i++)
        if (tree->stmts[i]->stmt->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
            return refuse_statement(walk, tree->stmts[i]);
    if (tree->n_stmts > 1)
        return parse_fail(walk->why, DITHER_REFUSED, position_at(walk, tree->stmts[1]->stmt_location),
                          "one question at a time: a second statement begins here");
    return DITHER_OK;
}

/* ---- Every part of it ---- */

static int location_of(const ProtobufCMessage *message)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field_by_name(message->descriptor, "location");
    if (field == NULL || field->type != PROTOBUF_C_TYPE_INT32)
        return -1;
    int32_t location = -1;
    memcpy(&location, (const char *)message + field->offset, sizeof location);
    return location;
}

static status check_kind(const struct walk *walk, const ProtobufCMessage *message, int location)
{
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    if (kind == &pg_query__into_clause__descriptor) {
        const PgQuery__RangeVar *made = ((const PgQuery__IntoClause *)message)->rel;
        location = made != NULL ? made->location : location;
    }
    int position = position_at(walk, location);
    if (kind == &pg_query__into_clause__descriptor)
        return parse_fail(walk->why, DITHER_REFUSED, position,
                          "SELECT INTO would make a table: leave out INTO, the answer comes back to you");
    if (kind == &pg_query__locking_clause__descriptor)
        return parse_fail(walk->why, DITHER_REFUSED, position,
                          "FOR UPDATE and FOR SHARE lock rows: leave the clause out, questions only read");
    const char *verb = changing(kind);
    if (verb != NULL)
        return parse_fail(walk->why, DITHER_REFUSED, position, "%s in WITH changes data: questions only read",
                          verb);
    return DITHER_OK;
}

static status walk_message(const struct walk *walk, const ProtobufCMessage *message, size_t depth,
                           int location);

static status walk_field(const struct walk *walk, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field, size_t depth, int location)
{
    const char *base = (const char *)message;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = 0;
        ProtobufCMessage *const *items = NULL;
        memcpy(&count, base + field->quantifier_offset, sizeof count);
        memcpy(&items, base + field->offset, sizeof items);
        for (size_t i = 0; i < count; i++)
            TRY(walk_message(walk, items[i], depth, location));
        return DITHER_OK;
    }
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        uint32_t chosen = 0;
        memcpy(&chosen, base + field->quantifier_offset, sizeof chosen);
        if (chosen != field->id)
            return DITHER_OK; /* another member of the union lies there */
    }
    const ProtobufCMessage *item = NULL;
    memcpy(&item, base + field->offset, sizeof item);
    return item != NULL ? walk_message(walk, item, depth, location) : DITHER_OK;
}

/* `location` is that of the nearest message around this one that has any. */
static status walk_message(const struct walk *walk, const ProtobufCMessage *message, size_t depth,
                           int location)
{
    int own = location_of(message);
    location = own >= 0 ? own : location;
    if (depth > SQL_MOST_TREE_DEPTH)
        return parse_fail(walk->why, DITHER_REFUSED, position_at(walk, location),
                          "the question is nested too deeply here: at most about %d levels", SQL_MOST_DEPTH);
    TRY(check_kind(walk, message, location));
    const ProtobufCMessageDescriptor *descriptor = message->descriptor;
    for (unsigned i = 0; i < descriptor->n_fields; i++)
        if (descriptor->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
            TRY(walk_field(walk, message, &descriptor->fields[i], depth + 1, location));
    return DITHER_OK;
}

status parse_check_tree(const PgQuery__ParseResult *tree, const char *text, const int *characters, error *why)
{
    struct walk walk = {.text = text, .characters = characters, .length = strlen(text), .why = why};
    TRY(check_statements(&walk, tree));
    return walk_message(&walk, &tree->base, 0, -1);
}
