/* verify.h - what `dither verify` does, apart from reading its arguments: tests give it broken mechanisms. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "cli/cli.h"
#include "mechanism/mechanism.h"

struct verify_request {
    const struct mechanism_kind *const *kinds;
    size_t kind_count;
    const dither_options *options; /* NULL: each kind's own example */
    enum cli_format format;
    bool verbose; /* with the worst pair */
};

/* Checks each kind and writes the table. Returns CLI_DONE when every promise was proved kept, CLI_FAILED when
 * one was broken, or could not be decided, or a kind could not be checked at all. */
int verify_kinds(const struct verify_request *request);

#endif
