/* BigQuery's clause: SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(name = value, ...). In PostgreSQL's grammar WITH never
 * follows SELECT, so the clause cannot be mistaken for anything else, wherever it stands. It is found among
 * PostgreSQL's tokens: what looks like it inside a string or a comment is none. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "sql/parse_parts.h"

/* ---- One option ---- */

struct reader {
    const struct parse_tokens *tokens;
    size_t at;
    struct sql_options options;
    error *why;
};

static const PgQuery__ScanToken *token_at(const struct reader *reader, size_t index)
{
    return index < reader->tokens->count ? reader->tokens->tokens[index] : NULL;
}

static bool is_token(const struct reader *reader, size_t index, PgQuery__Token token)
{
    const PgQuery__ScanToken *found = token_at(reader, index);
    return found != NULL && found->token == token;
}

/* Where token `index` is in the analyst's text, or the text's end. */
static int place_of(const struct reader *reader, size_t index)
{
    const struct parse_tokens *tokens = reader->tokens;
    if (index < tokens->count)
        return tokens->characters[tokens->tokens[index]->start];
    return tokens->characters[strlen(tokens->text)];
}

/* The token's text; what does not fit is cut, and is then no name or number that we know. */
static void text_of(const struct reader *reader, size_t index, char text[64])
{
    const PgQuery__ScanToken *token = token_at(reader, index);
    int length = token != NULL ? token->end - token->start : 0;
    snprintf(text, 64, "%.*s", length < 63 ? length : 63,
             token != NULL ? reader->tokens->text + token->start : "");
}

static bool has_text(const struct reader *reader, size_t index, const char *wanted)
{
    char text[64];
    text_of(reader, index, text);
    return strcasecmp(text, wanted) == 0;
}

static status refuse_option(const struct reader *reader, size_t index, const char *words)
{
    return parse_fail(reader->why, DITHER_INVALID, place_of(reader, index), "OPTIONS: %s", words);
}

static status read_amount(struct reader *reader, struct decimal *out)
{
    char text[64];
    text_of(reader, reader->at, text);
    bool number = is_token(reader, reader->at, PG_QUERY__TOKEN__ICONST) ||
                  is_token(reader, reader->at, PG_QUERY__TOKEN__FCONST);
    struct decimal amount = decimal_zero();
    if (!number || strlen(text) == 63 || decimal_parse(text, &amount, NULL) != DITHER_OK ||
        decimal_is_zero(amount))
        return refuse_option(reader, reader->at, "a positive decimal number is wanted here");
    *out = amount;
    reader->at++;
    return DITHER_OK;
}

static status read_count(struct reader *reader, uint64_t *out)
{
    char text[64];
    text_of(reader, reader->at, text);
    uint64_t count = 0;
    if (!is_token(reader, reader->at, PG_QUERY__TOKEN__ICONST) ||
        number_parse_whole(text, &count, NULL) != DITHER_OK || count == 0)
        return refuse_option(reader, reader->at, "a whole number from 1 to 2147483647 is wanted here");
    *out = count;
    reader->at++;
    return DITHER_OK;
}

static status read_switch(struct reader *reader, bool *out)
{
    bool on = is_token(reader, reader->at, PG_QUERY__TOKEN__TRUE_P);
    if (!on && !is_token(reader, reader->at, PG_QUERY__TOKEN__FALSE_P))
        return refuse_option(reader, reader->at, "true or false is wanted here");
    *out = on;
    reader->at++;
    return DITHER_OK;
}

/* BigQuery's default is the only strategy that the analyst may name: which keys are public, the policy says. */
static status read_strategy(struct reader *reader)
{
    if (has_text(reader, reader->at, "public_groups"))
        return refuse_option(reader, reader->at,
                             "PUBLIC_GROUPS is not for the question to say: keys with values or a range in "
                             "the policy are public by themselves; join a public table for others");
    if (!has_text(reader, reader->at, "laplace_threshold"))
        return refuse_option(reader, reader->at, "group_selection_strategy is LAPLACE_THRESHOLD or left out");
    reader->at++;
    return DITHER_OK;
}

static status read_value(struct reader *reader, const char *name, size_t named_at)
{
    struct sql_options *options = &reader->options;
    if (strcasecmp(name, "epsilon") == 0)
        return read_amount(reader, &options->epsilon);
    if (strcasecmp(name, "delta") == 0)
        return read_amount(reader, &options->delta);
    if (strcasecmp(name, "rho") == 0)
        return read_amount(reader, &options->rho);
    if (strcasecmp(name, "max_groups_contributed") == 0)
        return read_count(reader, &options->max_groups);
    if (strcasecmp(name, "max_rows_contributed") == 0)
        return read_count(reader, &options->max_rows);
    if (strcasecmp(name, "other") == 0)
        return read_switch(reader, &options->other);
    if (strcasecmp(name, "non_negative") == 0)
        return read_switch(reader, &options->non_negative);
    if (strcasecmp(name, "group_selection_strategy") == 0)
        return read_strategy(reader);
    if (strcasecmp(name, "privacy_unit_column") == 0)
        return refuse_option(reader, named_at,
                             "privacy_unit_column is left out: the policy says who is protected");
    return parse_fail(reader->why, DITHER_INVALID, place_of(reader, named_at),
                      "OPTIONS: there is no option \"%s\"; there are epsilon, delta, rho, "
                      "max_groups_contributed, max_rows_contributed, group_selection_strategy, other, "
                      "non_negative",
                      name);
}

/* ---- The clause ---- */

static status read_option(struct reader *reader)
{
    char name[64];
    size_t named_at = reader->at;
    text_of(reader, named_at, name);
    bool word = token_at(reader, named_at) != NULL &&
                (is_token(reader, named_at, PG_QUERY__TOKEN__IDENT) ||
                 reader->tokens->tokens[named_at]->keyword_kind != PG_QUERY__KEYWORD_KIND__NO_KEYWORD);
    if (!word)
        return refuse_option(reader, named_at, "the name of an option is wanted here");
    reader->at++;
    if (!is_token(reader, reader->at, PG_QUERY__TOKEN__ASCII_61))
        return refuse_option(reader, reader->at, "an option is written name = value");
    reader->at++;
    return read_value(reader, name, named_at);
}

static bool named_before(const struct reader *reader, size_t from, size_t index)
{
    char name[64];
    text_of(reader, index, name);
    for (size_t i = from; i < index; i++)
        if (is_token(reader, i + 1, PG_QUERY__TOKEN__ASCII_61) && has_text(reader, i, name))
            return true;
    return false;
}

static status read_list(struct reader *reader)
{
    size_t from = reader->at;
    if (is_token(reader, reader->at, PG_QUERY__TOKEN__ASCII_41)) {
        reader->at++;
        return DITHER_OK;
    }
    for (;;) {
        if (named_before(reader, from, reader->at))
            return refuse_option(reader, reader->at, "this option is given twice");
        TRY(read_option(reader));
        bool more = is_token(reader, reader->at, PG_QUERY__TOKEN__ASCII_44);
        if (!more && !is_token(reader, reader->at, PG_QUERY__TOKEN__ASCII_41))
            return refuse_option(reader, reader->at, "a comma or a closing parenthesis is wanted here");
        reader->at++;
        if (!more)
            return DITHER_OK;
    }
}

static bool same_options(const struct sql_options *a, const struct sql_options *b)
{
    return decimal_compare(a->epsilon, b->epsilon) == 0 && decimal_compare(a->delta, b->delta) == 0 &&
           decimal_compare(a->rho, b->rho) == 0 && a->max_groups == b->max_groups &&
           a->max_rows == b->max_rows && a->other == b->other && a->non_negative == b->non_negative;
}

/* At WITH, behind a SELECT. Reads to the end of the clause. */
static status read_clause(struct reader *reader)
{
    if (!has_text(reader, reader->at + 1, "differential_privacy"))
        return parse_fail(reader->why, DITHER_INVALID, place_of(reader, reader->at),
                          "syntax error at or near \"WITH\": after SELECT only WITH DIFFERENTIAL_PRIVACY "
                          "OPTIONS(...) may follow");
    reader->at += 2;
    reader->options = (struct sql_options){.max_groups = 0};
    if (!is_token(reader, reader->at, PG_QUERY__TOKEN__OPTIONS) ||
        !is_token(reader, reader->at + 1, PG_QUERY__TOKEN__ASCII_40))
        return DITHER_OK; /* BigQuery lets them be left out */
    reader->at += 2;
    return read_list(reader);
}

status parse_cut_options(const struct parse_tokens *tokens, char *text, struct sql_options *options,
                         bool *has_options, error *why)
{
    assert(text == tokens->text);
    struct reader reader = {.tokens = tokens, .why = why};
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (!is_token(&reader, i, PG_QUERY__TOKEN__SELECT) ||
            !is_token(&reader, i + 1, PG_QUERY__TOKEN__WITH))
            continue;
        reader.at = i + 1;
        TRY(read_clause(&reader));
        if (*has_options && !same_options(options, &reader.options))
            return parse_fail(why, DITHER_REFUSED, place_of(&reader, i + 1),
                              "two clauses WITH DIFFERENTIAL_PRIVACY that differ: the options are those of "
                              "the whole question, say them once");
        *options = reader.options;
        *has_options = true;
        size_t from = (size_t)tokens->tokens[i + 1]->start;
        memset(text + from, ' ', (size_t)tokens->tokens[reader.at - 1]->end - from);
    }
    return DITHER_OK;
}
