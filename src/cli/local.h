/* local.h - `dither local SUBCOMMAND`: privacy without a curator, from the command line. */
#ifndef CLI_LOCAL_H
#define CLI_LOCAL_H

#include "cli/cli.h"
#include "local/oracle.h"

int local_rr(int argc, char **argv);
int local_pram(int argc, char **argv);
int local_advise_command(int argc, char **argv);
int local_client(int argc, char **argv);
int local_estimate_command(int argc, char **argv);
int local_shuffle(int argc, char **argv);
int local_survey_command(int argc, char **argv);
int local_collect(int argc, char **argv);
int local_person_command(int argc, char **argv);
int local_loss(int argc, char **argv);

/* With a survey file in place of --mechanism; argv[0] is the file. Each returns the exit status. */
struct local_client_request {
    const char *question, *period, *person;
};
int local_client_of_survey(int argc, char **argv, const struct local_client_request *request);

enum { LOCAL_KEEP = 64 };
struct local_numbers;
struct local_estimate_request {
    const char *question, *period, *plot;
    double confidence;
    bool project, plain;
    uint64_t keep;                         /* strings: how many at most; 0: LOCAL_KEEP */
    const struct local_numbers *quantiles; /* numbers: which; NULL: the quartiles */
    enum cli_format format;
};
int local_estimate_of_survey(int argc, char **argv, const struct local_estimate_request *request);

/* Makes the counts non-negative and add up; estimates by regression where it serves, else by the plain formula. */
status local_estimate_project(struct local_estimate *estimates, size_t count, double people,
                              error *why) MUST_CHECK;
status local_estimate_conclude(const struct local_tally *tally, const struct local_oracle *oracle,
                               const struct local_estimate_request *request, struct local_estimate *estimates,
                               error *why) MUST_CHECK;

/* The count among `asked` people, drawn by chance, as one of all `people`: with the scatter of who happened to be asked. `reach`:
 * of the interval, in standard errors. */
struct local_estimate local_estimate_widen(const struct local_estimate *estimate, double asked, double people,
                                           double reach);

/* Readers for options; places are double, uint64_t, and struct local_numbers. */
status local_read_epsilon(const char *text, void *place, error *why);
status local_read_probability(const char *text, void *place, error *why);
status local_read_confidence(const char *text, void *place, error *why);
status local_read_whole(const char *text, void *place, error *why);

enum { LOCAL_NUMBERS = 512 };

/* "55:45" or "55,45": counts, not negative. */
struct local_numbers {
    double values[LOCAL_NUMBERS];
    size_t count;
};
status local_read_numbers(const char *text, void *place, error *why);

/* "LO:HI", two numbers in order. */
struct local_range {
    double lower, upper; /* equal: not given */
};
status local_read_range(const char *text, void *place, error *why);

/* The public setting of a survey, as options of client, estimate and loss. 0: not given. */
struct local_survey {
    const char *mechanism;
    uint64_t domain, hashes, width, bits, seed;
    double epsilon, permanent;
    struct local_range range;
    uint64_t steps, items, length, group_bits, attributes, asked;
};

enum { LOCAL_SURVEY_OPTIONS = 15 };

/* Writes the options into `list`; what they mean is local_device.h's. */
void local_survey_options(struct local_survey *survey, struct cli_option list[LOCAL_SURVEY_OPTIONS]);

/* With --mechanism: what is left of the command line are values, or files of reports. Each returns the exit status. */
struct local_person_request {
    const char *path, *name; /* --person FILE, --name NAME */
};
int local_client_of_mechanism(int argc, char **argv, const struct local_survey *survey,
                              const struct local_person_request *person);
int local_estimate_of_mechanism(int argc, char **argv, const struct local_survey *survey,
                                const struct local_estimate_request *request);

/* One estimated count a row: name, count, standard error, lower, upper; with the number of people and of refused reports. */
struct local_answer {
    const struct local_estimate *estimates;
    const char *const *names; /* NULL: numbered from 0 */
    size_t count;
    double people;
    uint64_t refused;
    double epsilon;   /* NAN: not told */
    double condition; /* NAN: not told */
};
status local_print(const struct local_answer *answer, enum cli_format format, error *why) MUST_CHECK;

/* Writes the text to the file; a complaint names it. */
status local_write_file(const char *path, const struct buffer *text, error *why) MUST_CHECK;

#endif
