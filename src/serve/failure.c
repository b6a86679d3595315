#include "serve/failure.h"

#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

/* The binder speaks PostgreSQL's words and the ledger its own; both tell. HTTP: 422 for what asking again will not mend, 403 for
 * what is not this asker's to ask (any more), 409 for a request whose end nobody knows, 503 for what may pass. */
static const struct known {
    const char *words;
    bool anywhere; /* not only at the beginning */
    struct failure failure;
} known[] = {
    {"syntax error", false, {"42601", 422, "syntax_error"}},
    {"unterminated", false, {"42601", 422, "syntax_error"}},
    {"interrupted", false, {"57014", 503, "interrupted"}},
    {"too many questions", false, {"53000", 503, "busy"}},
    {" must appear in the GROUP BY", true, {"42803", 422, "wrong_grouping"}},
    {"aggregate functions are not allowed", false, {"42803", 422, "wrong_grouping"}},
    {"column reference \"", false, {"42702", 422, "ambiguous_column"}},
    {"column ", false, {"42703", 422, "unknown_column"}},
    {"missing FROM-clause entry", false, {"42P01", 422, "unknown_table"}},
    {"table name \"", false, {"42712", 422, "ambiguous_table"}},
    {"invalid input for type date", false, {"22007", 422, "invalid_value"}},
    {"invalid input for type timestamp", false, {"22007", 422, "invalid_value"}},
    {"invalid input for type interval", false, {"22007", 422, "invalid_value"}},
    {"invalid input for type", false, {"22P02", 422, "invalid_value"}},
    {"the number is out of range", false, {"22003", 422, "invalid_value"}},
    {"cannot cast type", false, {"42846", 422, "wrong_type"}},
    {" must be type boolean", true, {"42804", 422, "wrong_type"}},
    {" cannot be matched", true, {"42804", 422, "wrong_type"}},
    {" is not available: ", true, {"0A000", 422, "not_available"}},
    {"relation \"", false, {"42P01", 422, "unknown_table"}},
    {"table \"", false, {"42P01", 422, "unknown_table"}},
    {"function ", false, {"42883", 422, "unknown_function"}},
    {"operator ", false, {"42883", 422, "unknown_function"}},
    {"there is no parameter", false, {"42P02", 422, "missing_parameter"}},
    {"parameters are not available", false, {"42P02", 422, "missing_parameter"}},
    {"unrecognized configuration", false, {"42704", 422, "unknown_setting"}},
    {"the question is longer", false, {"54000", 422, "question_too_long"}},
    {"this request id belongs to another", false, {"42710", 422, "request_id_taken"}},
    {"this request was charged and never answered", false, {"55000", 409, "never_answered"}},
    {"the policy names no analyst", false, {"42501", 403, "not_in_policy"}},
    {" is stopped on this dataset", true, {"42501", 403, "stopped"}},
    {" is reached", true, {"53400", 403, "budget_reached"}},
    {"the policy was changed by another process", false, {"57P01", 503, "policy_changed"}},
};

static const struct failure no_memory = {"53200", 503, "no_memory"};
static const struct failure source_failed = {"58030", 500, "data_source_failed"};
static const struct failure ledger_failed = {"58030", 500, "ledger_failed"};
static const struct failure no_entropy = {"58000", 503, "no_entropy"};
static const struct failure not_available = {"0A000", 422, "not_available"};

static bool says(const struct known *one, const char *message)
{
    if (one->anywhere)
        return strstr(message, one->words) != NULL;
    return strncmp(message, one->words, strlen(one->words)) == 0;
}

/* What is about the server's own files: the asker can do nothing about it, and where they lie is not his to know. */
static bool is_inner(status result, const error *why)
{
    if (result == DITHER_IO) /* unless a data source or scratch says so, in their fixed texts */
        return strncmp(why->message, ENGINE_FAILED, strlen(ENGINE_FAILED)) != 0 &&
               strstr(why->message, "the rest of the question") == NULL;
    return why->position < 0 && strstr(why->message, "ledger") != NULL;
}

struct failure failure_of(status result, const error *why)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (says(&known[i], why->message))
            return known[i].failure;
    if (is_inner(result, why))
        return ledger_failed;
    switch (result) {
    case DITHER_NO_MEMORY:
        return no_memory;
    case DITHER_IO:
        return source_failed;
    case DITHER_NO_ENTROPY:
        return no_entropy;
    default:
        return not_available;
    }
}

/* Said from inside to whoever holds the ledger; the asker can simply ask again. */
static const char policy_changed[] = "the policy has just been changed; nothing was charged, ask again";

/* Whether the charge stays is said in any case. */
static void hide(const error *why, struct failure_text *out)
{
    const char *charge = strstr(why->message, "; if the charge was written");
    if (charge == NULL)
        charge = strstr(why->message, "; the charge stays");
    snprintf(out->message, sizeof out->message, "the ledger cannot be used, and the owner must look at it%s",
             charge != NULL ? charge : "");
}

void failure_split(status result, const error *why, struct failure_text *out)
{
    out->hint = NULL;
    snprintf(out->message, sizeof out->message, "%s", why->message);
    if (strcmp(failure_of(result, why).word, ledger_failed.word) == 0)
        hide(why, out);
    if (strcmp(failure_of(result, why).word, "policy_changed") == 0)
        snprintf(out->message, sizeof out->message, "%s", policy_changed);
    char *hint = strstr(out->message, "; did you mean ");
    if (hint != NULL) {
        *hint = '\0';
        out->hint = hint + 2;
    }
}

const struct failure *failure_at(size_t index)
{
    static const struct failure *const others[] = {&no_memory, &source_failed, &ledger_failed, &no_entropy,
                                                   &not_available};
    size_t count = sizeof known / sizeof known[0];
    if (index < count)
        return &known[index].failure;
    return index < count + sizeof others / sizeof others[0] ? others[index - count] : NULL;
}
