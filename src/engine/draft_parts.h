/* draft_parts.h - what the files of the draft share. */
#ifndef ENGINE_DRAFT_PARTS_H
#define ENGINE_DRAFT_PARTS_H

#include "engine/draft.h"
#include "engine/duckdb_schema.h"
#include "engine/source.h"

/* The type that a column of this name most likely has: visit_id and age are integers, birth_date is a date,
 * is_smoker is a boolean, salary is real; all else is text. */
enum policy_type draft_type_by_name(const char *name);

/* The smallest and the largest value of a column, without NaN and infinities. Of dates and timestamps: the years. */
struct draft_extent {
    bool any;
    double lower, upper;
};
void draft_extend(struct draft_extent *extent, double value);

/* Rounds outwards to multiples of a step of 1, 2 or 5 times a power of ten, at least half as wide as the extent and a hundredth of its largest value (for
 * whole numbers at least 1; for years, whole ones), and writes the bounds as a policy has them. Both stay NULL where
 * nothing was seen or a bound would not fit the type. */
status draft_round(const struct draft_extent *extent, struct draft_column *column, struct arena *arena,
                   error *why) MUST_CHECK;

/* ---- One for each kind of file; `table->name` and `file` are set ---- */

status draft_read_csv(const struct source *source, bool peek, struct arena *arena, struct draft_table *table,
                      error *why) MUST_CHECK;
/* What "SELECT * FROM `from`" has. */
status draft_read_relation(struct duckdb_instance *instance, const char *from, bool peek, struct arena *arena,
                           struct draft_table *table, error *why) MUST_CHECK;

#endif
