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

void explain_json(const struct curator *curator, const struct prepared *prepared, struct buffer *out);

#endif
