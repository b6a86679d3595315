/* small_hospital.h - a policy with data in a folder of its own, small enough to reckon by hand.
 *
 * Forty patients, their visits, public clinics; shops for longer paths: customers, orders, items; readings,
 * where each row is a unit. Within the caps of the policy: with an epsilon so large that the noise is nothing,
 * answers are those of plain SQL on the same files. At least two units stand behind every hidden key. */
#ifndef TESTS_SUPPORT_SMALL_HOSPITAL_H
#define TESTS_SUPPORT_SMALL_HOSPITAL_H

#include <stddef.h>

struct small_hospital {
    char folder[64];
    char policy[100];
};

/* What differs between data sets that are otherwise the same. */
struct small_hospital_options {
    /* Added to the rows of the file, CSV without header, each with its line end; NULL: nothing. */
    const char *more_patients, *more_visits;
    const char *more_customers, *more_orders, *more_items, *more_readings;
    /* Patients with this id are left out, with their visits: the neighbour. 0: nobody. */
    int without_patient;
    const char *budget;   /* lines below `budget:`, each indented by two; NULL: an epsilon so large ... */
    const char *analysts; /* the same, below `analysts:`; NULL: none */
    const char *postgres; /* a connection: the policy's engine is there; NULL: DuckDB reads the files */
};

void small_hospital_make(struct small_hospital *hospital, const struct small_hospital_options *options);
void small_hospital_remove(struct small_hospital *hospital);

/* SQL for PostgreSQL: CREATE TABLE and INSERT of the same data. The caller frees it. */
char *small_hospital_as_sql(const struct small_hospital *hospital);

#endif
