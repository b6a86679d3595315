/* noise.h - the exact numbers of a release become its noisy table. The only place where noise is added.
 *
 * Rows are groups, in the order of their keys; hidden keys are there only where the selection shows them.
 * Columns are the release relation's: keys, then those of each measure. */
#ifndef CURATOR_NOISE_H
#define CURATOR_NOISE_H

#include "curator/price.h"
#include "engine/engine.h"
#include "random/random.h"

/* `domain`: the keys of an enumerated release, as the engine was given them. The table lives in the arena. */
status noise_release(const struct price_release *priced, const struct engine_groups *groups,
                     const struct sql_rows *domain, struct random *random, struct arena *arena,
                     struct sql_rows *out, error *why) MUST_CHECK;

/* How many columns the release's table has. */
size_t noise_columns(const struct sql_release *release);

#endif
