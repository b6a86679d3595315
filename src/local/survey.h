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
 *       tools:
 *         values: [saw, hammer, drill]          # several of them, written saw;drill
 *         items: 3                # a set is padded to so many; larger ones count for less
 *         mechanism: oue          # any frequency oracle, over the values and the padding
 *         epsilon: 1
 *       favourite:
 *         mechanism: prefix       # a text that nobody has listed; frequent ones are found
 *         length: 16              # bytes that are looked at; group_bits: 8 by which prefixes grow
 *         epsilon: 4
 *
 * With `ask: 2` beside the questions everybody is asked two of them, drawn anew for every person and period.
 *
 * Everything in it is public. A question's *key* is a digest of all that client and collector must agree on: survey, version,
 * period, how many questions are drawn, question, mechanism with every option, values, and epsilon to its last bit; a report carries it, so that
 * one made for anything else is refused. A person who answers all that is asked loses the sum of the epsilons in every period; which questions were
 * drawn says nothing, as it was drawn without looking at answers. */
#ifndef LOCAL_SURVEY_H
#define LOCAL_SURVEY_H

#include "base/arena.h"
#include "local/lasting.h"
#include "local/numeric.h"
#include "local/period.h"
#include "local/prefix.h"
#include "local/set.h"

enum {
    SURVEY_QUESTIONS = 64,
    SURVEY_NAME_BYTES = 31,      /* of a survey or a question: letters, digits, '-' and '_' */
    SURVEY_VALUE_BYTES = 200,    /* of a value's name */
    SURVEY_LIMIT = 100000000,    /* reports of a question in a period, unless the survey says */
    SURVEY_LIMIT_MOST = 1 << 30, /* what it may say */
    SURVEY_SET_ITEMS = 4096,     /* that one person may name */
    SURVEY_LENGTH = 16,          /* bytes of a text, unless the survey says */
};

enum question_kind {
    QUESTION_VALUES,  /* one of some values, by a frequency oracle */
    QUESTION_LASTING, /* the same, asked again and again */
    QUESTION_NUMBER,
    QUESTION_SET,  /* several of some values */
    QUESTION_TEXT, /* a string that nobody has listed: its reports are kept, not counted */
};

struct survey_question {
    const char *name;
    const char *text; /* the question as it is asked; NULL: not told */
    uint64_t key;
    enum question_kind kind;
    struct local_oracle
        oracle; /* of values; of lasting ones, one round of reports; of sets, with the padding */
    struct local_lasting lasting; /* QUESTION_LASTING */
    struct local_numeric numeric; /* QUESTION_NUMBER */
    struct local_set set;         /* QUESTION_SET */
    struct prefix prefix;         /* QUESTION_TEXT */
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
    uint32_t
        asked; /* questions that a person is asked, drawn by chance; all of them unless the survey says */
    double epsilon; /* what a person loses at most who answers all that is asked, once; rounded up */
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
size_t question_cells(const struct survey_question *question); /* counters of a tally; of texts, none */
uint32_t
question_values(const struct survey_question *question); /* that can be told apart; of numbers and texts, 0 */

/* Whether the bytes are a report that the mechanism can make. */
bool question_check(const struct survey_question *question, const unsigned char *report);

/* As local_tally_init and local_tally_add. Not of texts. */
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

/* An answer as people write it: the name of a value or, where values have none, its number; a number; of a set, names with ; between or behind
 * them, and ; alone for the empty one; a text. DITHER_INVALID, with the end of a sentence that does not repeat it, when it is none, and when the question needs a person's memory. The person pays
 * before the report is made, unless the lifetime cap forbids: DITHER_REFUSED. */
status question_randomise(const struct survey_question *question, const char *answer,
                          const struct survey_maker *maker, unsigned char *report, error *why) MUST_CHECK;

/* Draws which questions a person is asked: survey->asked numbers, ascending. */
status survey_draw(const struct survey *survey, struct random *random, uint32_t chosen[SURVEY_QUESTIONS],
                   error *why) MUST_CHECK;

#endif
