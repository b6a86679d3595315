/* match.h - which drawn rows belong to which row of the answer, and the middle of their values. */
#ifndef CURATOR_MATCH_H
#define CURATOR_MATCH_H

#include "curator/draws.h"

struct match {
    const struct sql_relation *relation; /* whose columns the rows have */
    const struct sql_rows *rows;         /* the answer's */
    const struct sql_rows *drawn;        /* in any order */
    size_t draws;
    double outside; /* the share of them that lies outside of an interval, on either side */
    const bool *wanted;
    /* Drawn rows that are missing had no value: then, if they are too many, the interval is what is declared. Else
     * a row that is there in less than half of the draws gets no intervals. */
    bool complete;
};

/* Rows are the same when all columns that are not noisy are. A row that is not the only one of its kind gets no
 * intervals. */
status match_intervals(const struct match *match, struct arena *arena, struct curator_interval *intervals,
                       error *why) MUST_CHECK;

#endif
