/* state_json.h - what a ledger's state holds, as JSON: for `dither budget` and for servers. */
#ifndef LEDGER_STATE_JSON_H
#define LEDGER_STATE_JSON_H

#include "base/json.h"
#include "ledger/state.h"

/* What counts against the limit now, what ever was spent, and the limit itself; on the block that lost most. */
struct history_sum {
    struct ledger_cost window, lifetime, limit;
};
struct history_sum state_sum(const struct state *state, size_t holder);

/* The same on one block of the dataset. */
struct history_sum state_block_sum(const struct state *state, size_t block);

/* "rest" for the last. */
const char *state_block_name(const struct state *state, size_t block);

/* Members of an object. Decimals are JSON numbers, exact in their text; what has no limit is null. */
void state_json_cost(struct json_writer *json, const char *key, enum ledger_currency currency,
                     struct ledger_cost cost);
/* limit, spent, left, lifetime */
void state_json_sum(struct json_writer *json, enum ledger_currency currency, struct history_sum sum);
void state_json_flag(struct json_writer *json, const char *key, bool value);
void state_json_text(struct json_writer *json, const char *key, const char *text); /* NULL becomes null */
void state_json_count(struct json_writer *json, const char *key, uint64_t count);

/* The policy's limits, and what is spent and left of them: dataset, blocks, analysts, groups. */
void state_json_budget(const struct state *state, struct json_writer *json);

#endif
