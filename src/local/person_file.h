/* person_file.h - the lines of a person's file. */
#ifndef LOCAL_PERSON_FILE_H
#define LOCAL_PERSON_FILE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "local/person.h"

#define PERSON_HEADER "dither person 1\n"

enum { PERSON_SURVEY_TEXT = PERSON_SURVEY_NAME + 1 + 16 + 1 };

/* A memo, or an identity. */
struct person_entry {
    struct person_entry *next;
    bool identity;
    uint32_t key;
    char survey[PERSON_SURVEY_TEXT];
    size_t length;
    unsigned char *bytes;
};

/* What the lines of a file add up to. */
struct person_state {
    struct person_account account;
    struct person_entry *entries; /* newest first */
    struct arena arena;
};

uint64_t person_hash(const void *bytes, size_t count);

/* a + b, rounded up. */
double person_sum(double a, double b);

/* Lines, with their checks. */
void person_write_cap(struct buffer *out, double cap);
void person_write_spend(struct buffer *out, double epsilon);
void person_write_entry(struct buffer *out, const struct person_entry *entry);

/* Reads whole lines, header first. */
status person_read(struct person_state *state, const char *text, size_t length, error *why) MUST_CHECK;

/* A copy of the entry, in front of the others. */
status person_keep(struct person_state *state, const struct person_entry *entry, error *why) MUST_CHECK;

#endif
