/* scratch_instance.h - the database behind a scratch: for those of this room who fill it. */
#ifndef ENGINE_SCRATCH_INSTANCE_H
#define ENGINE_SCRATCH_INSTANCE_H

#include "engine/duckdb_instance.h"
#include "engine/scratch.h"

struct duckdb_instance *scratch_instance(struct scratch *scratch);

#endif
