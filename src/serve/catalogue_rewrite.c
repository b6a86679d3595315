/* A question about PostgreSQL's catalogue -> SQL for our own. The tree is copied into the arena (so that parts can be
 * exchanged without asking who frees them), every part of it is visited from the leaves up, and then printed. */
#include <pg_query.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "serve/catalogue_parts.h"
#include "sql/parse.h"

status catalogue_refuse(struct catalogue_rewrite *rewrite, const char *state, const char *format, ...)
{
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    memcpy(rewrite->sqlstate, state, 6);
    return fail(rewrite->why, DITHER_REFUSED, "%s", message);
}

status catalogue_refuse_at(struct catalogue_rewrite *rewrite, int32_t location, status refused)
{
    int position = 0;
    for (int32_t i = 0; i < location && (size_t)i < rewrite->question->length; i++)
        position += ((unsigned char)rewrite->question->text[i] & 0xC0) != 0x80;
    if (location >= 0 && rewrite->why != NULL)
        rewrite->why->position = position;
    return refused;
}

/* ---- The tree in the arena ---- */

static void *tree_take(void *context, size_t size)
{
    struct catalogue_rewrite *rewrite = context;
    void *room = NULL;
    return arena_take(rewrite->arena, size > 0 ? size : 1, &room, NULL) == DITHER_OK ? room : NULL;
}

static void tree_free(void *context, void *part)
{
    (void)context;
    (void)part;
}

static status copy_tree(struct catalogue_rewrite *rewrite, const PgQuery__ParseResult *tree,
                        PgQuery__ParseResult **out)
{
    size_t size = pg_query__parse_result__get_packed_size(tree);
    void *room = NULL;
    TRY(arena_take(rewrite->arena, size + 1, &room, rewrite->why));
    pg_query__parse_result__pack(tree, room);
    rewrite->allocator = (ProtobufCAllocator){tree_take, tree_free, rewrite};
    *out = pg_query__parse_result__unpack(&rewrite->allocator, size, room);
    return *out != NULL ? DITHER_OK
                        : fail(rewrite->why, DITHER_NO_MEMORY, "the question needs too much memory");
}

/* ---- Every part ---- */

status catalogue_visit_parts(struct catalogue_rewrite *rewrite, ProtobufCMessage *message,
                             catalogue_visit *visit)
{
    char *base = (char *)message;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            size_t count = 0;
            ProtobufCMessage **items = NULL;
            memcpy(&count, base + field->quantifier_offset, sizeof count);
            memcpy(&items, base + field->offset, sizeof items);
            for (size_t k = 0; k < count; k++)
                TRY(visit(rewrite, &items[k]));
            continue;
        }
        uint32_t chosen = field->id;
        if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0)
            memcpy(&chosen, base + field->quantifier_offset, sizeof chosen);
        ProtobufCMessage *item = NULL;
        if (chosen != field->id)
            continue; /* another member of the union lies there */
        memcpy(&item, base + field->offset, sizeof item);
        if (item == NULL)
            continue;
        TRY(visit(rewrite, &item));
        memcpy(base + field->offset, &item, sizeof item);
    }
    return DITHER_OK;
}

static status collect_cte(struct catalogue_rewrite *rewrite, ProtobufCMessage **slot)
{
    if ((*slot)->descriptor == &pg_query__common_table_expr__descriptor) {
        if (rewrite->cte_count == rewrite->cte_room)
            return catalogue_refuse(rewrite, "0A000", "too many WITH queries");
        rewrite->ctes[rewrite->cte_count++] = ((PgQuery__CommonTableExpr *)*slot)->ctename;
    }
    return catalogue_visit_parts(rewrite, *slot, collect_cte);
}

static bool is_cte(const struct catalogue_rewrite *rewrite, const char *name)
{
    for (size_t i = 0; i < rewrite->cte_count; i++)
        if (strcmp(rewrite->ctes[i], name) == 0)
            return true;
    return false;
}

static status rewrite_table(struct catalogue_rewrite *rewrite, PgQuery__RangeVar *range)
{
    static char ours[] = CATALOGUE_SCHEMA, standard_ours[] = CATALOGUE_STANDARD, nothing[] = "";
    bool standard, named = range->schemaname != NULL && range->schemaname[0] != '\0';
    if (!named && is_cte(rewrite, range->relname))
        return DITHER_OK;
    if (!catalogue_is_relation(range->schemaname, range->relname, &standard))
        return catalogue_refuse_at(rewrite, range->location,
                                   catalogue_refuse(rewrite, "42P01",
                                                    "relation \"%.63s\" is not one that the catalogue knows",
                                                    range->relname));
    range->catalogname = nothing;
    range->schemaname = standard ? standard_ours : ours;
    return DITHER_OK;
}

/* Every column gets the name that PostgreSQL would give it, before the expression is changed. */
static void name_targets(PgQuery__SelectStmt *select)
{
    for (size_t i = 0; i < select->n_target_list; i++) {
        if (select->target_list[i]->node_case != PG_QUERY__NODE__NODE_RES_TARGET)
            continue;
        PgQuery__ResTarget *target = select->target_list[i]->res_target;
        if ((target->name == NULL || target->name[0] == '\0') && target->val != NULL) {
            const char *name = catalogue_column_name(target->val);
            if (name != NULL)
                target->name = (char *)(uintptr_t)name; /* the tree is never freed by parts */
        }
    }
}

static status rewrite_part(struct catalogue_rewrite *rewrite, ProtobufCMessage **slot)
{
    const ProtobufCMessageDescriptor *kind = (*slot)->descriptor;
    if (kind == &pg_query__select_stmt__descriptor)
        name_targets((PgQuery__SelectStmt *)*slot);
    if (kind != &pg_query__type_name__descriptor) /* changed with the cast around it */
        TRY(catalogue_visit_parts(rewrite, *slot, rewrite_part));
    if (kind == &pg_query__select_stmt__descriptor)
        TRY(catalogue_rewrite_tableoid(rewrite, (PgQuery__SelectStmt *)*slot));
    if (kind == &pg_query__range_var__descriptor)
        TRY(rewrite_table(rewrite, (PgQuery__RangeVar *)*slot));
    if (kind == &pg_query__node__descriptor)
        TRY(catalogue_rewrite_node(rewrite, (PgQuery__Node **)slot));
    return rewrite->out_of_memory ? fail(rewrite->why, DITHER_NO_MEMORY, "the question needs too much memory")
                                  : DITHER_OK;
}

/* ---- The outermost columns ---- */

static PgQuery__SelectStmt *first_arm(PgQuery__SelectStmt *select)
{
    while (select->op != PG_QUERY__SET_OPERATION__SETOP_NONE && select->larg != NULL)
        select = select->larg;
    return select;
}

static const char *column_of(const PgQuery__Node *value)
{
    if (value->node_case != PG_QUERY__NODE__NODE_COLUMN_REF || value->column_ref->n_fields == 0)
        return NULL;
    const PgQuery__Node *last = value->column_ref->fields[value->column_ref->n_fields - 1];
    return last->node_case == PG_QUERY__NODE__NODE_STRING ? last->string->sval : NULL;
}

static uint32_t type_of_value(const PgQuery__Node *value)
{
    const char *column = column_of(value);
    uint32_t oid = 0;
    if (value->node_case == PG_QUERY__NODE__NODE_A_CONST && value->a_const->isnull)
        return CATALOGUE_NULL;
    if (column != NULL) {
        char letter = catalogue_column_letter(column);
        return letter != 0 ? catalogue_letter(letter)->oid : 0;
    }
    if (value->node_case == PG_QUERY__NODE__NODE_TYPE_CAST &&
        value->type_cast->type_name->n_array_bounds == 0) {
        const PgQuery__TypeName *type = value->type_cast->type_name;
        const PgQuery__Node *last = type->names[type->n_names - 1];
        if (last->node_case == PG_QUERY__NODE__NODE_STRING &&
            catalogue_type(last->string->sval, &oid) != NULL)
            return oid;
    }
    return 0;
}

/* Types of the columns as far as the tree tells: of columns by their names, of casts. With a star: none. */
static status note_types(struct catalogue_rewrite *rewrite, PgQuery__SelectStmt *select)
{
    select = first_arm(select);
    void *room = NULL;
    TRY(arena_take(rewrite->arena, (select->n_target_list + 1) * sizeof(uint32_t), &room, rewrite->why));
    rewrite->oids = room;
    for (size_t i = 0; i < select->n_target_list; i++) {
        const PgQuery__Node *value = select->target_list[i]->node_case == PG_QUERY__NODE__NODE_RES_TARGET
                                         ? select->target_list[i]->res_target->val
                                         : NULL;
        if (value == NULL ||
            (value->node_case == PG_QUERY__NODE__NODE_COLUMN_REF && column_of(value) == NULL))
            return DITHER_OK;
        rewrite->oids[i] = type_of_value(value);
    }
    rewrite->oid_count = select->n_target_list;
    return DITHER_OK;
}

/* The kind of a reference that find_regclass and its kin return; NULL for all else. */
static const char *reference_of(const PgQuery__Node *value)
{
    if (value->node_case == PG_QUERY__NODE__NODE_FUNC_CALL && value->func_call->n_funcname == 2) {
        const char *name = value->func_call->funcname[1]->string->sval;
        return strncmp(name, "find_reg", 8) == 0 ? name + 5 : NULL;
    }
    const char *column = column_of(value);
    char letter = column != NULL ? catalogue_column_letter(column) : 0;
    return letter == 'p' ? "regproc" : letter == 'y' ? "regtype" : NULL;
}

/* A reference is a number inside, and a name for who reads it. */
static void show_references(struct catalogue_rewrite *rewrite, PgQuery__SelectStmt *select)
{
    if (select->op != PG_QUERY__SET_OPERATION__SETOP_NONE) {
        show_references(rewrite, select->larg);
        show_references(rewrite, select->rarg);
        return;
    }
    for (size_t i = 0; i < select->n_target_list; i++) {
        PgQuery__ResTarget *target = select->target_list[i]->res_target;
        const char *kind = target->val != NULL ? reference_of(target->val) : NULL;
        char name[40];
        if (kind == NULL)
            continue;
        snprintf(name, sizeof name, "%s_name", kind);
        target->val = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, name, &target->val, 1);
    }
}

/* ---- All of it ---- */

static status print(struct catalogue_rewrite *rewrite, const PgQuery__ParseResult *tree, const char **sql)
{
    size_t size = pg_query__parse_result__get_packed_size(tree);
    void *room = NULL;
    TRY(arena_take(rewrite->arena, size + 1, &room, rewrite->why));
    pg_query__parse_result__pack(tree, room);
    PgQueryDeparseResult printed = pg_query_deparse_protobuf((PgQueryProtobuf){.len = size, .data = room});
    char *text = NULL;
    status result =
        printed.error == NULL
            ? arena_text(rewrite->arena, printed.query, strlen(printed.query), &text, rewrite->why)
            : catalogue_refuse(rewrite, "0A000", "the catalogue does not understand this question");
    pg_query_free_deparse_result(printed);
    if (result == DITHER_OK)
        *sql = text;
    return result;
}

/* One row more than is allowed, so that it is noticed; the work for further ones is not begun. */
static void limit_rows(struct catalogue_rewrite *rewrite, PgQuery__SelectStmt *select)
{
    char most[24];
    if (select->limit_count != NULL)
        return;
    snprintf(most, sizeof most, "%d", CATALOGUE_MOST_ROWS + 1);
    select->limit_count = catalogue_cast_node(rewrite, catalogue_text_node(rewrite, most), "int8", false);
    select->limit_option = PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_COUNT;
}

static status change(struct catalogue_rewrite *rewrite, PgQuery__ParseResult *tree, const char **sql)
{
    enum { MOST_CTES = 100 };
    ProtobufCMessage *root = &tree->base;
    PgQuery__SelectStmt *select = tree->stmts[0]->stmt->select_stmt;
    void *room = NULL;
    TRY(arena_take(rewrite->arena, MOST_CTES * sizeof(char *), &room, rewrite->why));
    rewrite->ctes = room;
    rewrite->cte_room = MOST_CTES;
    TRY(collect_cte(rewrite, &root));
    TRY(note_types(rewrite, select));
    TRY(rewrite_part(rewrite, &root));
    show_references(rewrite, select);
    limit_rows(rewrite, select);
    if (rewrite->out_of_memory)
        return fail(rewrite->why, DITHER_NO_MEMORY, "the question needs too much memory");
    return print(rewrite, tree, sql);
}

status catalogue_rewrite(struct catalogue_rewrite *rewrite, const char **sql)
{
    struct sql_parsed parsed = {.tree = NULL};
    status result =
        sql_parse(rewrite->question->text, rewrite->question->length, rewrite->arena, &parsed, rewrite->why);
    if (result != DITHER_OK) {
        memcpy(rewrite->sqlstate, result == DITHER_INVALID ? "42601" : "0A000", 6);
        return result;
    }
    PgQuery__ParseResult *tree = NULL;
    result = copy_tree(rewrite, parsed.tree, &tree);
    sql_parsed_free(&parsed);
    if (result == DITHER_OK)
        result = change(rewrite, tree, sql);
    return result;
}
