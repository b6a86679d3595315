/* How deep a question goes, guessed from its tokens before it is parsed: the parser's time grows with the square of
 * the depth (a second for 60 KB of 1+1+...). The tree itself is measured afterwards, exactly, in parse_tree.c. */
#include <string.h>

#include "sql/parse_parts.h"

static bool opens(int token)
{
    return token == '(' || token == '[' || token == PG_QUERY__TOKEN__CASE;
}

static bool closes(int token)
{
    return token == ')' || token == ']' || token == PG_QUERY__TOKEN__END_P;
}

static bool is_operator(int token)
{
    switch (token) {
    case PG_QUERY__TOKEN__Op:
    case PG_QUERY__TOKEN__TYPECAST:
    case PG_QUERY__TOKEN__LESS_EQUALS:
    case PG_QUERY__TOKEN__GREATER_EQUALS:
    case PG_QUERY__TOKEN__NOT_EQUALS:
        return true;
    default:
        return token > 0 && token < 128 && strchr("+-*/%^<>=", token) != NULL;
    }
}

status parse_check_nesting(const struct parse_tokens *tokens, error *why)
{
    size_t operators[SQL_MOST_DEPTH + 1] = {0}; /* in a row, at each level */
    size_t level = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const PgQuery__ScanToken *token = tokens->tokens[i];
        if (opens((int)token->token)) {
            if (level == SQL_MOST_DEPTH)
                return parse_fail(why, DITHER_REFUSED, tokens->characters[token->start],
                                  "the question is nested too deeply here: at most %d levels",
                                  SQL_MOST_DEPTH);
            operators[++level] = 0;
        } else if (closes((int)token->token)) {
            level -= level > 0;
        } else if (token->token == PG_QUERY__TOKEN__ASCII_44 ||
                   token->keyword_kind == PG_QUERY__KEYWORD_KIND__RESERVED_KEYWORD) {
            operators[level] = 0;
        } else if (is_operator((int)token->token) && ++operators[level] > SQL_MOST_DEPTH) {
            return parse_fail(why, DITHER_REFUSED, tokens->characters[token->start],
                              "more than %d operators in a row", SQL_MOST_DEPTH);
        }
    }
    return DITHER_OK;
}
