/* explain.h - what the two forms of an explanation share. */
#ifndef CURATOR_EXPLAIN_H
#define CURATOR_EXPLAIN_H

#include "curator/room.h"

/* "units", "sum" ...; of NULL: the selection of keys. */
const char *explain_measure_name(const struct sql_measure *measure);
const char *explain_mechanism(const struct price_part *part);
/* One step of the measure, in the unit of its argument. */
double explain_step(const struct sql_measure *measure);
/* Who is protected, as the policy names it. */
void explain_unit(const struct sql_release *release, struct buffer *out);

/* explain_path.c: the private tables that a release reads, each once. */
struct explain_tables {
    const struct policy_table **list;
    size_t count;
};
status explain_find_tables(const struct curator *curator, const struct sql_release *release,
                           struct arena *arena, struct explain_tables *out, error *why) MUST_CHECK;
/* "items.order_id -> orders.order_id, orders.customer_id -> customers.customer_id": the last one is the unit. */
void explain_path(const struct policy_table *table, struct buffer *out);

/* `tables`: of each release. */
void explain_json(const struct curator *curator, const struct prepared *prepared,
                  const struct explain_tables *tables, struct buffer *out);

#endif
