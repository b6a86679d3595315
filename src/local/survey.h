/* survey.h - a survey as its owner declares it, in YAML:
 *
 *     survey: commuting
 *     version: 1                  # raised with every change of a question, its values, mechanism or epsilon
 *     period: monthly             # once (the default), daily, weekly, monthly, quarterly, yearly
 *     limit: 1e6                  # reports that are taken in a period, for each question
 *     database: commuting.reports # where the collector counts; this is the default
 *     questions:
 *       transport:
 *         question: How do you get to work?
 *         values: [walk, bicycle, bus, car]     # or domain: 1000, values numbered from 0
 *         mechanism: oue          # a frequency oracle, with its options (hashes, width, bits, permanent, seed)
 *         epsilon: 1              # of one report
 *       income:
 *         range: [0, 100000]      # a number; steps: 1024 of its grid
 *         mechanism: piecewise    # duchi, piecewise, hybrid, wave
 *         epsilon: 1
 *       mood:
 *         values: [bad, good]     # asked again and again of the same people, who keep memos
 *         mechanism: lsue         # lgrr, lsue, losue, biloloha, ololoha, dbitflip; rappor with permanent:
 *         epsilon: 1
 *         permanent: 2            # of all reports about one value
 *
 * Everything in it is public. A question's *key* is a digest of all that client and collector must agree on: survey, version,
 * period, question, mechanism with every option, values, and epsilon to its last bit; a report carries it, so that one made for
 * anything else is refused. A person who answers all questions loses the sum of their epsilons in every period. */
#ifndef LOCAL_SURVEY_H
#define LOCAL_SURVEY_H

#include "base/arena.h"
#include "local/lasting.h"
#include "local/numeric.h"
#include "local/period.h"

enum {
    SURVEY_QUESTIONS = 64,
    SURVEY_NAME_BYTES = 31,      /* of a survey or a question: letters, digits, '-' and '_' */
    SURVEY_VALUE_BYTES = 200,    /* of a value's name */
    SURVEY_LIMIT = 100000000,    /* reports of a question in a period, unless the survey says */
    SURVEY_LIMIT_MOST = 1 << 30, /* what it may say */
};

enum question_kind {
    QUESTION_VALUES,  /* one of some values, by a frequency oracle */
    QUESTION_LASTING, /* the same, asked again and again */
    QUESTION_NUMBER,
};

struct survey_question {
    const char *name;
    const char *text; /* the question as it is asked; NULL: not told */
    uint64_t key;
    enum question_kind kind;
    struct local_oracle oracle;   /* of values; of lasting ones, one round of reports */
    struct local_lasting lasting; /* QUESTION_LASTING */
    struct local_numeric numeric; /* QUESTION_NUMBER */
    const char *const *values;    /* names of the values, or NULL: numbered from 0 */
    int line;                     /* in the file */
};

struct survey {
    const char *name;
    const char *text; /* the whole file */
    uint64_t version;
    enum period_kind period;
    uint64_t limit;
    const char *database;
    const struct survey_question *questions;
    size_t question_count;
    double epsilon; /* what a person loses who answers everything, once; rounded up */
};

/* Reads and checks the file; everything lives in the arena. Messages name the line and the key. */
status survey_read(const char *path, struct arena *arena, const struct survey **out, error *why) MUST_CHECK;

/* The same from a text, as if it were in the file. */
status survey_parse(const char *text, size_t length, const char *path, struct arena *arena,
                    const struct survey **out, error *why) MUST_CHECK;

/* NULL when there is none. */
const struct survey_question *survey_question_named(const struct survey *survey, const char *name);
const struct survey_question *survey_question_keyed(const struct survey *survey, uint64_t key);

/* ---- A question's mechanism, whatever its kind ---- */

const char *question_mechanism(const struct survey_question *question);
double question_epsilon(const struct survey_question *question);
size_t question_report_bytes(const struct survey_question *question); /* what the mechanism makes */
size_t question_cells(const struct survey_question *question);        /* counters of a tally */

/* Whether the bytes are a report that the mechanism can make. */
bool question_check(const struct survey_question *question, const unsigned char *report);

/* As local_tally_init and local_tally_add. */
status question_tally(const struct survey_question *question, struct local_tally *tally,
                      error *why) MUST_CHECK;
status question_count(const struct survey_question *question, const unsigned char *reports, size_t bytes,
                      struct local_tally *tally, error *why) MUST_CHECK;

/* How far one hostile report can move an estimated count, or the sum of the numbers. */
double question_power(const struct survey_question *question);

/* Who makes a report: a person's memory, or NULL for a tool that keeps no account. */
struct survey_maker {
    const struct survey *survey;
    struct person *person;
    struct random *random;
};

/* An answer as people write it: the name of a value or, where values have none, its number; or a number. DITHER_INVALID, with the
 * end of a sentence that does not repeat it, when it is none, and when the question needs a person's memory. The person pays
 * before the report is made, unless the lifetime cap forbids: DITHER_REFUSED. */
status question_randomise(const struct survey_question *question, const char *answer,
                          const struct survey_maker *maker, unsigned char *report, error *why) MUST_CHECK;

#endif
