/* collect_batch.h - a collector from the inside: the reports that wait for the next commit. */
#ifndef LOCAL_COLLECT_BATCH_H
#define LOCAL_COLLECT_BATCH_H

#include "local/collect_store.h"

struct collect_entry {
    uint64_t id, key;
    const struct survey_question *question; /* NULL: no key of this survey */
    struct collect_counts *counts;          /* its sender's */
    size_t offset;                          /* of the mechanism's report in `payloads` */
    int32_t period;
};

struct collector {
    const struct survey *survey;
    struct collect_store store;
    struct collect_entry *entries;
    size_t entry_count;
    unsigned char *payloads, *sorted; /* as they came; those of one question and period, by id */
    size_t payload_bytes;
    unsigned char *line;
    size_t line_bytes;
    struct collect_counts counts; /* of the batch, for the database */
    uint64_t waiting;             /* bytes written since this process folded */
};

/* Counts the verdict for the sender and for the batch. */
void collect_judge(struct collector *collector, struct collect_counts *counts, enum collect_verdict verdict);

#endif
