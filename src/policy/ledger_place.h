/* ledger_place.h - where a policy keeps its ledger.
 *
 * The key `ledger` of a policy names it: {sqlite: FILE}, relative to the policy's folder, or {postgres:
 * CONNECTION}. Without it the ledger lies beside the policy, with its name and the ending .ledger. This reads
 * nothing else of the policy, so that what was spent can be looked at whatever else is wrong there. */
#ifndef POLICY_LEDGER_PLACE_H
#define POLICY_LEDGER_PLACE_H

#include "base/yaml.h"

struct ledger_place {
    const char *location; /* as ledger_open takes it */
    const char *dataset;  /* its name, or NULL when the policy gives none */
};

/* Reads the policy at `path`. What is found lives in the arena. Errors name the line. */
status ledger_place_read(const char *path, struct arena *arena, struct ledger_place *out,
                         error *why) MUST_CHECK;

/* The same for a policy that is read already; `path` is still its own. */
status ledger_place_find(const struct yaml_node *policy, const char *path, struct arena *arena,
                         struct ledger_place *out, error *why) MUST_CHECK;

#endif
