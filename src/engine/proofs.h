/* proofs.h - what the owner has shown about a DuckDB file, and which file that was. (On PostgreSQL: about tables that
 * lie on several servers, where no constraint can; the identity is the database's, and that the rows stay as they are
 * until the data version is raised is the owner's word.)
 *
 * `dither check --data` looks at the rows and writes the keys that it found unique to POLICY.proofs, beside the
 * policy. They are believed while dataset, data version and file are the same: path, size, time of change and
 * inode, of the file and of its write-ahead log. Editing that file by hand is the owner deceiving himself. */
#ifndef ENGINE_PROOFS_H
#define ENGINE_PROOFS_H

#include "policy/policy.h"

struct proof {
    const char *table;
    const char *key; /* "(shop, number)" */
};

struct proofs {
    const struct proof *proofs;
    size_t count;
};

/* Those that hold for the data of this identity; none when there is no file of proofs, or when it is about other data. DITHER_INVALID when
 * it is no file of proofs. */
status proofs_read(const struct policy *policy, const char *identity, struct arena *arena, struct proofs *out,
                   error *why) MUST_CHECK;
bool proofs_has(const struct proofs *proofs, const char *table, const char *key);

/* What tells one state of the policy's data file from another; "" when there is no file. */
status proofs_identify(const struct policy *policy, struct arena *arena, const char **out,
                       error *why) MUST_CHECK;

/* Replaces the file of proofs, at once. `identity` was taken before the rows were looked at. */
status proofs_write(const struct policy *policy, const char *identity, const struct proofs *proofs,
                    error *why) MUST_CHECK;

#endif
