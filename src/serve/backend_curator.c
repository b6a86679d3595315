#include "ledger/cost.h"
#include "policy/policy.h"
#include "serve/backend.h"

static status ask(void *context, const struct curator_question *question, struct curator_answer **out,
                  error *why)
{
    return curator_ask(context, question, out, why);
}

static status recall(void *context, const struct curator_question *question, struct ledger_sight *sight,
                     struct curator_answer **out, error *why)
{
    return curator_recall(context, question, sight, out, why);
}

static status may_show(void *context, struct ledger_sight *sight, const char *analyst,
                       struct ledger_cost *left, bool *known, error *why)
{
    return curator_may_show_now(context, sight, analyst, left, known, why);
}

static status describe(void *context, const struct curator_question *question, struct arena *arena,
                       struct curator_column **columns, size_t *count, error *why)
{
    return curator_describe(context, question, arena, columns, count, why);
}

static status explain(void *context, const struct curator_question *question, bool json, struct buffer *out,
                      error *why)
{
    return curator_explain(context, question, json, out, why);
}

static status remaining(void *context, const char *analyst, struct buffer *out, error *why)
{
    struct ledger_cost left;
    char text[LEDGER_COST_TEXT];
    TRY(curator_remaining(context, analyst, &left, why));
    ledger_cost_print(left, curator_policy(context)->budget.currency, text);
    buffer_text(out, text);
    return buffer_check(out, why);
}

const struct serve_backend serve_backend_curator = {.ask = ask,
                                                    .recall = recall,
                                                    .may_show = may_show,
                                                    .describe = describe,
                                                    .explain = explain,
                                                    .remaining = remaining};
