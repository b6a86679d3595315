/* What becomes of one node of a question. Its parts were rewritten before. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "serve/catalogue_parts.h"

static const char *text_of(const PgQuery__Node *node)
{
    return node->node_case == PG_QUERY__NODE__NODE_STRING ? node->string->sval : "";
}

static const char *constant_text(const PgQuery__Node *node)
{
    return node != NULL && node->node_case == PG_QUERY__NODE__NODE_A_CONST && !node->a_const->isnull &&
                   node->a_const->val_case == PG_QUERY__A__CONST__VAL_SVAL
               ? node->a_const->sval->sval
               : NULL;
}

/* The letter of a column; 0 for what is none. */
static char letter_of(const PgQuery__Node *value)
{
    if (value == NULL || value->node_case != PG_QUERY__NODE__NODE_COLUMN_REF ||
        value->column_ref->n_fields == 0)
        return 0;
    return catalogue_column_letter(text_of(value->column_ref->fields[value->column_ref->n_fields - 1]));
}

static bool is_vector(const PgQuery__Node *value)
{
    char letter = letter_of(value);
    return letter == 'V' || letter == 'W';
}

static bool is_list(const PgQuery__Node *value)
{
    char letter = letter_of(value);
    return letter != 0 && strchr("OSTNCAVW", letter) != NULL;
}

/* ---- Parameters ---- */

static bool is_array(uint32_t oid)
{
    return oid == 1009 || oid == 1015 || oid == 1028 || oid == 1005 || oid == 1007 || oid == 1016 ||
           oid == 1003;
}

static const char *number_type(uint32_t oid)
{
    switch (oid) {
    case 16:
        return "bool";
    case 20:
        return "int8";
    case 21:
        return "int2";
    case 23:
        return "int4";
    case 26:
        return "uinteger";
    default:
        return NULL;
    }
}

/* A parameter becomes a literal: what PostgreSQL makes of one without a type, DuckDB does too. */
static status rewrite_parameter(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    const struct catalogue_question *question = rewrite->question;
    size_t number = (size_t)(*slot)->param_ref->number;
    const struct catalogue_parameter *given =
        number >= 1 && number <= question->parameter_count ? &question->parameters[number - 1] : NULL;
    if (given == NULL || given->text == NULL) {
        *slot = catalogue_null_node(rewrite);
        return DITHER_OK;
    }
    if (is_array(given->oid)) {
        PgQuery__Node *array = catalogue_array_node(rewrite, given->text);
        if (array == NULL)
            return catalogue_refuse(rewrite, "22P02",
                                    "parameter $%zu is not an array that the catalogue can read", number);
        *slot = array;
        return DITHER_OK;
    }
    *slot = catalogue_text_node(rewrite, given->text);
    if (number_type(given->oid) != NULL)
        *slot = catalogue_cast_node(rewrite, *slot, number_type(given->oid), false);
    return DITHER_OK;
}

/* ---- Casts ---- */

/* The name of the function that finds a reference, if the node calls one. */
static const char *finder_of(const PgQuery__Node *node)
{
    if (node == NULL || node->node_case != PG_QUERY__NODE__NODE_FUNC_CALL || node->func_call->n_funcname != 2)
        return NULL;
    const char *name = text_of(node->func_call->funcname[1]);
    return strncmp(name, "find_reg", 8) == 0 ? name + 5 : NULL;
}

static status rewrite_cast(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    PgQuery__TypeCast *cast = (*slot)->type_cast;
    PgQuery__TypeName *type = cast->type_name;
    const char *name = type->n_names > 0 ? text_of(type->names[type->n_names - 1]) : "";
    const char *schema = type->n_names > 1 ? text_of(type->names[0]) : "pg_catalog";
    char function[40];
    uint32_t oid = 0;
    const char *ours = catalogue_type(name, &oid);
    if (ours == NULL || type->n_names > 2 || type->setof ||
        (strcmp(schema, "pg_catalog") != 0 && strcmp(schema, "information_schema") != 0))
        return catalogue_refuse_at(
            rewrite, type->location,
            catalogue_refuse(rewrite, "0A000", "type \"%.63s\" is not one that the catalogue knows", name));
    bool array = type->n_array_bounds > 0 || oid == 22 || oid == 30;
    if (catalogue_reference(name) != 0 && !array) {
        if (finder_of(cast->arg) != NULL && strcmp(finder_of(cast->arg), name) == 0) {
            *slot = cast->arg; /* twice the same */
            return DITHER_OK;
        }
        snprintf(function, sizeof function, "find_%s", name);
        *slot = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, function, &cast->arg, 1);
        return DITHER_OK;
    }
    if (strcmp(ours, "varchar") == 0 && !array && finder_of(cast->arg) != NULL) {
        snprintf(function, sizeof function, "%s_name", finder_of(cast->arg));
        *slot = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, function, &cast->arg, 1);
        return DITHER_OK;
    }
    if (strcmp(ours, "varchar") == 0 && !array && is_vector(cast->arg)) { /* "1 2" */
        PgQuery__Node *arguments[] = {cast->arg, catalogue_text_node(rewrite, " ")};
        *slot = catalogue_call_node(rewrite, NULL, "array_to_string", arguments, 2);
        return DITHER_OK;
    }
    PgQuery__Node *value = cast->arg;
    if (array && constant_text(value) != NULL) {
        value = catalogue_array_node(rewrite, constant_text(value));
        if (value == NULL)
            return catalogue_refuse(rewrite, "22P02", "this is not an array that the catalogue can read");
    }
    if (strcmp(ours, "numeric") == 0 || strcmp(ours, "interval") == 0)
        return DITHER_OK; /* as it is, with its precision */
    *slot = catalogue_cast_node(rewrite, value, ours, array);
    return DITHER_OK;
}

/* ---- Operators ---- */

/* PostgreSQL's escape is the backslash unless another is named; DuckDB has none unless it is named. */
static status rewrite_like(struct catalogue_rewrite *rewrite, PgQuery__Node **slot, bool any_case)
{
    const PgQuery__AExpr *expression = (*slot)->a_expr;
    PgQuery__Node *pattern = expression->rexpr, *escape = catalogue_text_node(rewrite, "\\");
    const PgQuery__FuncCall *call =
        pattern->node_case == PG_QUERY__NODE__NODE_FUNC_CALL ? pattern->func_call : NULL;
    if (call != NULL && call->n_args == 2 &&
        strcmp(text_of(call->funcname[call->n_funcname - 1]), "like_escape") == 0) {
        pattern = call->args[0];
        escape = call->args[1];
    }
    bool negated = text_of(expression->name[0])[0] == '!';
    PgQuery__Node *arguments[] = {expression->lexpr, pattern, escape};
    *slot = catalogue_call_node(rewrite, NULL, any_case ? "ilike_escape" : "like_escape", arguments, 3);
    if (negated)
        *slot = catalogue_not_node(rewrite, *slot);
    return DITHER_OK;
}

static status rewrite_operator(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    PgQuery__AExpr *expression = (*slot)->a_expr;
    if (expression->n_name == 0)
        return DITHER_OK;
    if (expression->n_name > 1) { /* OPERATOR(pg_catalog.~) */
        expression->name[0] = expression->name[expression->n_name - 1];
        expression->n_name = 1;
    }
    const char *name = text_of(expression->name[0]);
    if (expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_LIKE)
        return rewrite_like(rewrite, slot, false);
    if (expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE)
        return rewrite_like(rewrite, slot, true);
    if (expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY && strcmp(name, "=") == 0 &&
        is_list(expression->rexpr)) { /* which may stand in the condition of an outer join, as ANY may not */
        PgQuery__Node *arguments[] = {expression->rexpr, expression->lexpr};
        *slot = catalogue_call_node(rewrite, NULL, "list_contains", arguments, 2);
        return DITHER_OK;
    }
    if (expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY &&
        constant_text(expression->rexpr) != NULL) {
        PgQuery__Node *array = catalogue_array_node(rewrite, constant_text(expression->rexpr));
        if (array != NULL)
            expression->rexpr = array;
        return DITHER_OK;
    }
    if (expression->kind != PG_QUERY__A__EXPR__KIND__AEXPR_OP || expression->lexpr == NULL ||
        expression->rexpr == NULL)
        return DITHER_OK;
    if (strcmp(name, "~~") == 0 || strcmp(name, "!~~") == 0)
        return rewrite_like(rewrite, slot, false);
    if (strcmp(name, "~~*") == 0 || strcmp(name, "!~~*") == 0)
        return rewrite_like(rewrite, slot, true);
    bool negated = name[0] == '!';
    const char *bare = name + (negated ? 1 : 0);
    if (strcmp(bare, "~") != 0 && strcmp(bare, "~*") != 0)
        return DITHER_OK;
    /* DuckDB's own ~ wants the whole text to match. */
    PgQuery__Node *arguments[] = {expression->lexpr, expression->rexpr, catalogue_text_node(rewrite, "i")};
    *slot = catalogue_call_node(rewrite, NULL, "regexp_matches", arguments, bare[1] == '*' ? 3 : 2);
    if (negated)
        *slot = catalogue_not_node(rewrite, *slot);
    return DITHER_OK;
}

/* ---- Functions ---- */

/* current_setting('name'), with whether it may be missing. */
static bool is_setting(const struct catalogue_rewrite *rewrite, const PgQuery__FuncCall *call,
                       const char *name)
{
    return strcmp(name, "current_setting") == 0 && rewrite->question->setting != NULL &&
           (call->n_args == 1 || call->n_args == 2) && constant_text(call->args[0]) != NULL;
}

static status rewrite_setting(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    const PgQuery__FuncCall *call = (*slot)->func_call;
    const char *name = constant_text(call->args[0]);
    const char *value = rewrite->question->setting(rewrite->question->context, name);
    if (value == NULL && call->n_args == 1)
        return catalogue_refuse_at(
            rewrite, call->location,
            catalogue_refuse(rewrite, "42704", "unrecognized configuration parameter \"%.63s\"", name));
    PgQuery__Node *text = value != NULL ? catalogue_text_node(rewrite, value) : catalogue_null_node(rewrite);
    *slot = catalogue_cast_node(rewrite, text, "varchar", false);
    return DITHER_OK;
}

static status rewrite_call(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    PgQuery__FuncCall *call = (*slot)->func_call;
    const char *name = call->n_funcname > 0 ? text_of(call->funcname[call->n_funcname - 1]) : "";
    const char *schema = call->n_funcname > 1 ? text_of(call->funcname[0]) : "pg_catalog";
    const char *ours = NULL;
    bool macro = false;
    if (strcmp(schema, CATALOGUE_SCHEMA) == 0)
        return catalogue_refuse_at(
            rewrite, call->location,
            catalogue_refuse(rewrite, "42883", "function %.63s.%.63s does not exist", schema, name));
    if (strcmp(name, "_pg_expandarray") == 0 && call->n_args == 1) {
        PgQuery__Node *expanded = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, "expand", call->args, 1);
        *slot = catalogue_call_node(rewrite, NULL, "unnest", &expanded, 1);
        return DITHER_OK;
    }
    if (strcmp(name, "pg_partition_ancestors") == 0 && call->n_args == 1) { /* nothing is partitioned */
        PgQuery__Node *none = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, "no_numbers", call->args, 1);
        *slot = catalogue_call_node(rewrite, NULL, "unnest", &none, 1);
        return DITHER_OK;
    }
    if (strcmp(name, "set_config") == 0 && call->n_args > 0 &&
        (constant_text(call->args[0]) == NULL ||
         strncasecmp(constant_text(call->args[0]), "dither.", 7) == 0))
        return catalogue_refuse_at(
            rewrite, call->location,
            catalogue_refuse(rewrite, "0A000", "set_config sets nothing here: say SET"));
    if (strcmp(schema, "pg_catalog") == 0 && is_setting(rewrite, call, name))
        return rewrite_setting(rewrite, slot);
    if (strcmp(name, "format") == 0 && strcmp(schema, "pg_catalog") == 0 && call->n_args > 0 &&
        constant_text(call->args[0]) != NULL)
        return catalogue_format(rewrite, call, constant_text(call->args[0]), slot);
    if (strcmp(schema, "pg_catalog") != 0 || !catalogue_function(name, &ours, &macro))
        return catalogue_refuse_at(
            rewrite, call->location,
            catalogue_refuse(rewrite, "0A000", "function %.63s is not one that the catalogue knows", name));
    if (strcmp(name, "substring") == 0 && call->n_args == 2 && constant_text(call->args[1]) != NULL)
        ours = "regexp_extract";
    PgQuery__Node *changed =
        catalogue_call_node(rewrite, macro ? CATALOGUE_SCHEMA : NULL, ours, call->args, call->n_args);
    call->funcname = changed->func_call->funcname;
    call->n_funcname = changed->func_call->n_funcname;
    call->funcformat = PG_QUERY__COERCION_FORM__COERCE_EXPLICIT_CALL;
    return DITHER_OK;
}

/* current_user and its kin, which are written without parentheses. */
static status rewrite_session_value(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    switch ((*slot)->sqlvalue_function->op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
        *slot = catalogue_text_node(rewrite, rewrite->question->user);
        return DITHER_OK;
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
        *slot = catalogue_text_node(rewrite, rewrite->dataset);
        return DITHER_OK;
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
        *slot = catalogue_text_node(rewrite, "public");
        return DITHER_OK;
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
        return DITHER_OK;
    default:
        return catalogue_refuse(rewrite, "0A000", "the catalogue does not know this kind of time");
    }
}

/* ---- Columns ---- */

static void rewrite_column(PgQuery__ColumnRef *column)
{
    if (column->n_fields < 3)
        return;
    const char *schema = text_of(column->fields[0]);
    if (strcmp(schema, "pg_catalog") == 0 || strcmp(schema, "information_schema") == 0) {
        column->fields++;
        column->n_fields--;
    }
}

static void rewrite_subscript(struct catalogue_rewrite *rewrite, PgQuery__AIndirection *path)
{
    if (!is_vector(path->arg) || path->n_indirection == 0 ||
        path->indirection[0]->node_case != PG_QUERY__NODE__NODE_A_INDICES)
        return;
    PgQuery__AIndices *indices = path->indirection[0]->a_indices;
    if (!indices->is_slice && indices->uidx != NULL)
        indices->uidx = catalogue_call_node(rewrite, CATALOGUE_SCHEMA, "vector_index", &indices->uidx, 1);
}

/* A bare NULL is text to PostgreSQL where nothing else says what it is; an arm of a UNION is left alone, as the other arm
 * may say. */
static void rewrite_select(struct catalogue_rewrite *rewrite, const PgQuery__SelectStmt *select)
{
    if (select->op != PG_QUERY__SET_OPERATION__SETOP_NONE)
        return;
    for (size_t i = 0; i < select->n_target_list; i++) {
        PgQuery__ResTarget *target = select->target_list[i]->res_target;
        if (target->val != NULL && target->val->node_case == PG_QUERY__NODE__NODE_A_CONST &&
            target->val->a_const->isnull)
            target->val = catalogue_cast_node(rewrite, target->val, "varchar", false);
    }
}

/* A series among the columns is rows to PostgreSQL and a list to DuckDB. */
static void rewrite_target(struct catalogue_rewrite *rewrite, PgQuery__ResTarget *target)
{
    const PgQuery__FuncCall *call =
        target->val != NULL && target->val->node_case == PG_QUERY__NODE__NODE_FUNC_CALL
            ? target->val->func_call
            : NULL;
    if (call != NULL && call->n_funcname == 1 && strcmp(text_of(call->funcname[0]), "generate_series") == 0)
        target->val = catalogue_call_node(rewrite, NULL, "unnest", &target->val, 1);
}

/* A function in FROM: its alias names its column, too. Our own functions count by themselves where PostgreSQL's would be
 * counted WITH ORDINALITY. */
static void rewrite_range(struct catalogue_rewrite *rewrite, PgQuery__RangeFunction *range)
{
    if (range->n_functions != 1 || range->functions[0]->node_case != PG_QUERY__NODE__NODE_LIST ||
        range->functions[0]->list->n_items == 0 ||
        range->functions[0]->list->items[0]->node_case != PG_QUERY__NODE__NODE_FUNC_CALL)
        return;
    const PgQuery__FuncCall *call = range->functions[0]->list->items[0]->func_call;
    bool macro = call->n_funcname == 2;
    if (macro)
        range->ordinality = 0;
    if (macro || range->alias == NULL || range->alias->n_colnames > 0)
        return;
    PgQuery__Node *name = catalogue_name_node(rewrite, range->alias->aliasname);
    range->alias->colnames = catalogue_list(rewrite, &name, 1);
    range->alias->n_colnames = 1;
}

status catalogue_rewrite_node(struct catalogue_rewrite *rewrite, PgQuery__Node **slot)
{
    switch ((*slot)->node_case) {
    case PG_QUERY__NODE__NODE_PARAM_REF:
        return rewrite_parameter(rewrite, slot);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
        return rewrite_cast(rewrite, slot);
    case PG_QUERY__NODE__NODE_A_EXPR:
        return rewrite_operator(rewrite, slot);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
        return rewrite_call(rewrite, slot);
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
        return rewrite_session_value(rewrite, slot);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
        *slot = (*slot)->collate_clause->arg;
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_COLUMN_REF:
        rewrite_column((*slot)->column_ref);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
        rewrite_subscript(rewrite, (*slot)->a_indirection);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_SELECT_STMT:
        rewrite_select(rewrite, (*slot)->select_stmt);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_RES_TARGET:
        rewrite_target(rewrite, (*slot)->res_target);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
        rewrite_range(rewrite, (*slot)->range_function);
        return DITHER_OK;
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
    case PG_QUERY__NODE__NODE_XML_EXPR:
    case PG_QUERY__NODE__NODE_XML_SERIALIZE:
    case PG_QUERY__NODE__NODE_RANGE_TABLE_FUNC:
        return catalogue_refuse(rewrite, "0A000", "the catalogue does not understand this question");
    default:
        return DITHER_OK;
    }
}
