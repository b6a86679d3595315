/* mechanism_help.h - what the program says about mechanisms, from the registry. */
#ifndef CLI_MECHANISM_HELP_H
#define CLI_MECHANISM_HELP_H

#include "cli/cli.h"
#include "mechanism/mechanism.h"

/* The kind of this name, or a refusal that names the nearest one. */
status mechanism_help_find(const char *name, const struct mechanism_kind **out, error *why) MUST_CHECK;

/* The names, one a line. */
void mechanism_help_list(void);

/* Help for one kind, or, when it is NULL, for the command, with a line for each kind. */
status mechanism_help_print(const struct mechanism_kind *kind, struct cli_options options,
                            error *why) MUST_CHECK;

#endif
