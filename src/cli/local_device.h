/* local_device.h - what --mechanism and its options mean: one of the families of mechanisms, made ready.
 *
 *   values    a frequency oracle                grr sue oue olh ss hadamard pgr cms hcms rappor
 *   sets      the same, with --items            values written 3,5,8
 *   numbers   a mechanism for numbers           duchi piecewise hybrid wave, with --range
 *   lasting   repeated questions                lgrr lsue losue biloloha ololoha dbitflip, with --permanent; rappor of a --person
 *   strings   frequent strings                  prefix, with --length
 *
 * With --attributes values, numbers or lasting are asked several times over, each in a report of its own. */
#ifndef CLI_LOCAL_DEVICE_H
#define CLI_LOCAL_DEVICE_H

#include "cli/local.h"
#include "local/lasting.h"
#include "local/numeric.h"
#include "local/person.h"
#include "local/prefix.h"
#include "local/set.h"
#include "local/several.h"

enum local_family {
    LOCAL_VALUES,
    LOCAL_SETS,
    LOCAL_REALS, /* numbers */
    LOCAL_LASTING,
    LOCAL_STRINGS,
};

struct local_device {
    enum local_family family;
    struct local_oracle oracle; /* values, sets and lasting: what the collector counts with */
    struct local_set set;
    struct local_numeric numeric;
    struct local_lasting lasting;
    struct prefix prefix;
    struct local_several several; /* one of one when there is one question */
    size_t report_bytes;
};

/* `lasting`: where a name means both, the one that remembers. */
status local_device_init(const struct local_survey *survey, bool lasting, struct local_device *device,
                         error *why) MUST_CHECK;

/* A value as text into a report. A complaint is the end of a sentence and does not repeat the value. Lasting mechanisms take
 * everything from the person, or are a new person each time when there is none. */
struct local_asking {
    struct random *random;
    struct person *person; /* or NULL */
    const char *name;      /* of the survey, in the person's file */
};
status local_device_randomise(const struct local_device *device, const char *text,
                              const struct local_asking *asking, unsigned char *report,
                              error *why) MUST_CHECK;

/* Counters for one question; strings have none. */
status local_device_tally(const struct local_device *device, struct local_tally *tally,
                          error *why) MUST_CHECK;
status local_device_add(const struct local_device *device, const unsigned char *report,
                        struct local_tally *tally, error *why) MUST_CHECK;

#endif
