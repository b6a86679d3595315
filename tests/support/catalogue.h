/* catalogue.h - a catalogue for tests without an engine: of a policy's text, with keys taken as proved. */
#ifndef TESTS_SUPPORT_CATALOGUE_H
#define TESTS_SUPPORT_CATALOGUE_H

#include "sql/catalogue.h"

/* patients (unit patient_id, unique), visits (joined to patients), items (joined to visits: two steps), notes (each
 * row its own unit), clinics (public, clinic_id unique). */
extern const char catalogue_hospital[];

/* The policy is read into the arena; fails the test when it is wrong. In every private table the unit column is
 * unique where rows_per_unit is 1; keys that paths lead over are unique; so is the first column of public tables. */
const struct sql_catalogue *catalogue_of(const char *policy_text, struct arena *arena);

#endif
