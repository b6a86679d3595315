/* local_answer.h - what was estimated from a survey's reports, question by question, as text and as a picture. */
#ifndef CLI_LOCAL_ANSWER_H
#define CLI_LOCAL_ANSWER_H

#include "cli/local_strings.h"
#include "cli/local_survey.h"
#include "local/collect.h"

/* The answer to one question: a row for each value, or text found; of numbers, for the mean, the variance and each quantile. */
struct local_part {
    const struct survey_question *question;
    struct local_estimate *estimates;
    size_t capacity, count; /* of estimates; told */
    uint64_t people;        /* who answered it */
    struct local_strings strings;
    const double *quantiles; /* of numbers: which */
};

struct local_survey_answer {
    const struct survey *survey;
    const struct local_estimate_request *request;
    int32_t period;
    struct local_part parts[SURVEY_QUESTIONS];
    size_t part_count;
    double everybody; /* where questions are drawn: how many people reported, of any question */
    struct collect_counts refused;
};

/* Rows of numbers before the quantiles. */
enum { LOCAL_MEAN_ROW, LOCAL_VARIANCE_ROW, LOCAL_QUANTILE_ROWS };

/* A row's name, in the text or elsewhere. */
const char *local_part_row(const struct local_part *part, size_t row, char text[LOCAL_STRING_SHOWN]);

/* Prints it in the format that was requested. */
status local_answer_print(const struct local_survey_answer *answer, error *why) MUST_CHECK;

/* Draws it into the file that was requested. */
status local_answer_draw(const struct local_survey_answer *answer, error *why) MUST_CHECK;

#endif
