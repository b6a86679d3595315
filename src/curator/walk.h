/* walk.h - looking at every relation of a plan, once. */
#ifndef CURATOR_WALK_H
#define CURATOR_WALK_H

#include "sql/plan.h"

/* False: do not look below this relation. */
typedef bool (*walk_visit)(void *context, const struct sql_relation *relation);

/* Visits the relation, and all that it is made of: inputs, what scalars in its expressions read and, with
 * `into_releases`, the inputs and domains of releases. A relation that is used twice is visited once. */
status walk_relation(const struct sql_relation *relation, bool into_releases, walk_visit visit, void *context,
                     struct arena *arena, error *why) MUST_CHECK;

#endif
