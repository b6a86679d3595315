/* collected.h - a survey in a folder of the test's own, reports for it, and what its database says. */
#ifndef TESTS_SUPPORT_COLLECTED_H
#define TESTS_SUPPORT_COLLECTED_H

#include "local/collect.h"
#include "local/survey_report.h"
#include "tests/support/test.h"

enum {
    COLLECTED_NOON = 1794787200 + 43200, /* 2026-11-16, 12:00 UTC */
    COLLECTED_DAY = 86400,
    COLLECTED_TODAY = 20773, /* that day as a period of a daily survey */
};

struct collected {
    char folder[64];
    struct arena arena;
    const struct survey *survey;
};

/* Two questions: "colour", grr over 4 values, and "hobby", sue over 11; both at epsilon 1. `head` are further lines. */
void collected_init(struct collected *fixture, const char *head);
void collected_free(struct collected *fixture);

/* Reads another file for the same database. */
void collected_change(struct collected *fixture, const char *head);

/* The same with a whole file of the test's own; its survey is named "taste". */
void collected_declare(struct collected *fixture, const char *text);

/* A report of the first question; returns its size. */
enum { COLLECTED_REPORT = REPORT_HEAD + 4 };
size_t collected_report(const struct collected *fixture, int32_t period, uint64_t id, uint32_t value,
                        unsigned char report[COLLECTED_REPORT]);

/* Adds it, committing at `now` when the batch is full. */
void collected_add(struct collector *collector, const struct collected *fixture, int32_t period, uint64_t id,
                   uint32_t value, struct collect_counts *counts);

/* The counters of the first question and its number of reports, checked against each other. */
uint64_t collected_people(const struct collected *fixture, int32_t period, uint64_t cells[4]);

#endif
